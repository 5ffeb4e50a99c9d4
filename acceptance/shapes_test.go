package acceptance_test

// This file takes the other shapes of the function to their ends: held for an agent,
// a notification, and requests that nobody answers or that cannot be delivered.

import (
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// rewrite changes the function's document: what stands from one text up to another
// becomes a third.
func (p *place) rewrite(source, from, to, by string) string {
	p.t.Helper()
	before, rest, found := strings.Cut(source, from)
	_, after, closed := strings.Cut(rest, to)
	if !found || !closed {
		p.t.Fatalf("the document has nothing from %q to %q", from, to)
	}
	return before + by + to + after
}

// forAgent holds the same request for an agent, as the format says: with deliver:
// agent in place of deliver, replies and reply.
func (p *place) forAgent() {
	source := p.read("interaction/" + function + ".md")
	p.write("interaction/"+function+".md", p.rewrite(source, "deliver:\n", "input:\n", "deliver: agent\n"))
}

// asNotice has it ask for no answer.
func (p *place) asNotice() {
	source := p.read("interaction/" + function + ".md")
	source = p.rewrite(source, "replies:\n", "input:\n", "")
	p.write("interaction/"+function+".md", p.rewrite(source, "output:\n", "---\n", ""))
}

func TestHeldForAnAgent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.forAgent()
	p.auto(0, running("r-1")...)
	listed, _ := p.auto(0, "interactions", "--json")
	list, err := value.ParseJSON([]byte(listed), 50)
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/interactions/0/run_id":                                `"r-1"`,
		"/interactions/0/to":                                    `"` + owner + `"`,
		"/interactions/0/delivery":                              `null`,
		"/interactions/0/answer_schema/properties/verdict/enum": `["approve","revise"]`,
		"/cursor": `null`,
	} {
		got, found := value.Lookup(list, pointer)
		if !found || value.JSON(got) != want {
			t.Errorf("%s is %s, want %s", pointer, value.JSON(got), want)
		}
	}
	if next := p.hand().tick(t); !next.Equal(p.request("r-1").Expires) {
		t.Errorf("something is due at %s", next)
	}
	_, said := p.auto(1, "answer", "r-1", "verdict=perhaps")
	if !strings.Contains(said, "/answer/verdict: Expected one of approve, revise") {
		t.Errorf("a wrong answer: %s", said)
	}
	p.auto(0, "answer", "r-1", "verdict=approve", "note=Ready to launch", "--claimed-for", "the campaign team")
	p.mustEnd("r-1", `{"verdict":"approve","note":"Ready to launch"}`)
	if got, want := types(p.history("r-1")), "run_started interaction_requested request_answered run_succeeded"; got != want {
		t.Errorf("the history is %s, want %s", got, want)
	}
	if listed, _ := p.auto(0, "interactions", "--json"); !strings.Contains(listed, `"interactions": []`) {
		t.Errorf("then are listed %s", listed)
	}
	if len(p.chat.called(post)) != 0 {
		t.Error("something was sent")
	}
}

func TestANotice(t *testing.T) {
	t.Parallel()
	t.Run("delivered", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		p.asNotice()
		p.ask("r-1")
		p.chat.fault(post, "once "+double.Garbage)
		h := p.hand()
		h.tick(t)
		p.Advance(time.Minute)
		h.tick(t)
		ended := p.run("r-1")
		if ended.Status != store.Succeeded || value.JSON(ended.Output) != "{}" {
			t.Errorf("it is %s with %s", ended.Status, value.JSON(ended.Output))
		}
		if posted := p.posted("r-1"); posted != 1 {
			t.Errorf("%d messages stand in the chat", posted)
		}
	})
	t.Run("undelivered", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		p.asNotice()
		p.ask("r-1")
		p.chat.down()
		p.mustSpendAttempts("r-1")
		ended := p.run("r-1")
		if ended.Status != store.Rejected || ended.Kind != "undelivered" || ended.Rejection.Status != 410 {
			t.Errorf("it is %s, kind %s: %v", ended.Status, ended.Kind, ended.Rejection)
		}
		p.sound()
	})
}

// mustSpendAttempts has a worker make all attempts of a request, which all fail, and
// wants them to come when they must.
func (p *place) mustSpendAttempts(id string) {
	p.t.Helper()
	h := p.hand()
	began := p.Now()
	for _, minute := range []time.Duration{0, 1, 3, 7, 15} {
		p.Advance(began.Add(minute * time.Minute).Sub(p.Now()))
		before := len(p.request(id).Attempts)
		h.tick(p.t)
		if after := len(p.request(id).Attempts); after != before+1 {
			p.t.Errorf("after %d minutes there are %d attempts after %d", minute, after, before)
		}
	}
	p.Advance(time.Hour)
	h.tick(p.t)
	if attempts := p.request(id).Attempts; len(attempts) != 5 {
		p.t.Errorf("there were %d attempts", len(attempts))
	}
}

// A question that cannot be delivered stays open, and is answered otherwise; one
// that nobody answers expires.
func TestAQuestionThatIsNotDelivered(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("r-1")
	p.ask("r-2")
	p.chat.fault(post, toolError)
	asked := p.Now()
	h := p.hand()
	for range 20 {
		next := h.tick(t)
		if p.request("r-1").Delivery == store.Undelivered && p.request("r-2").Delivery == store.Undelivered {
			break
		}
		p.Advance(next.Sub(p.Now()))
	}
	if took := p.Now().Sub(asked); p.request("r-1").Delivery != store.Undelivered || took != 15*time.Minute {
		t.Errorf("after %s it is %s", took, p.request("r-1").Delivery)
	}
	if failed := strings.Count(types(p.history("r-1")), "delivery_failed"); failed != 5 {
		t.Errorf("%d attempts failed", failed)
	}
	r := p.open("auto answer")
	answer := value.NewObject(1)
	answer.Set("verdict", "approve")
	if _, err := r.Answer("r-1", engine.Given{Answer: answer, By: engine.LocalDeveloper()}); err != nil {
		t.Fatal(err)
	}
	p.mustEnd("r-1", `{"verdict":"approve"}`)

	p.Advance(asked.Add(48 * time.Hour).Sub(p.Now()))
	h.tick(t)
	expired := p.run("r-2")
	if expired.Status != store.Rejected || expired.Kind != "expired" || expired.Rejection.Type != problem.NewRejection(problem.Unanswered, "").Type {
		t.Errorf("then it is %s, kind %s: %v", expired.Status, expired.Kind, expired.Rejection)
	}
	if got := types(p.history("r-2")); !strings.HasSuffix(got, "delivery_failed run_rejected") {
		t.Errorf("the history is %s", got)
	}
	if _, err := r.Answer("r-2", engine.Given{Answer: answer, By: engine.LocalDeveloper()}); err == nil {
		t.Error("an expired request took an answer")
	}
	p.sound()
}

// Two requests in one thread's channel are read apart, since the document's key names
// the thread.
func TestTwoRequestsOfOneOwner(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("r-1")
	p.ask("r-2")
	h := p.hand()
	h.tick(t)
	p.chat.reply(owner, p.message("r-2"), owner, "revise: two")
	p.chat.reply(owner, p.message("r-1"), owner, "approve one")
	p.Advance(time.Minute)
	h.tick(t)
	p.mustEnd("r-1", `{"verdict":"approve","note":"one"}`)
	p.mustEnd("r-2", `{"verdict":"revise","note":"two"}`)
}

// Only three tellings and ten refusals of a request are kept, and the answer is taken
// after them.
func TestManyWrongReplies(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("r-1")
	h := p.hand()
	h.tick(t)
	message := p.message("r-1")
	for range 4 {
		for range 3 {
			p.chat.reply(owner, message, owner, "hm")
		}
		p.Advance(time.Minute)
		h.tick(t)
	}
	p.chat.reply(owner, message, owner, "approve")
	for p.run("r-1").Status == store.Started {
		p.Advance(h.tick(t).Sub(p.Now()))
	}
	p.mustEnd("r-1", `{"verdict":"approve"}`)
	refused, told := strings.Count(types(p.history("r-1")), "reply_refused"), len(p.chat.called(post))-1
	if refused != 10 || told != 3 {
		t.Errorf("%d refusals are recorded and %d were told", refused, told)
	}
}

// Requests whose replies are read in the whole channel share one reading. A message
// that names none of several is refused, and answers the one that is left alone.
func TestRepliesOutsideThreads(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	source := p.read("interaction/" + function + ".md")
	for _, change := range [][3]string{
		{"  conversation: '{{ sent.conversation }}/", "  tool:", ""},
		{"  tool: thread_replies\n", "  read:", "  tool: channel_history\n  with: { channel: '{{ conversation }}', oldest: '{{ since }}' }\n"},
		{"    each: ", "  wait:", "    each: { id: /ts, sender: /user, text: /text }\n"},
		{"to: '{{ input.owner }}'\n", "expires:", "to: '{{ input.owner }}'\nfrom: auto\n"},
	} {
		source = p.rewrite(source, change[0], change[1], change[2])
	}
	p.write("interaction/"+function+".md", source)
	p.ask("r-1")
	p.ask("r-2")
	h := p.hand()
	h.tick(t)
	p.chat.use(post, "channel", owner, "text", "approve")
	p.Advance(time.Minute)
	h.tick(t)
	if reads := p.chat.called("channel_history"); len(reads) != 1 {
		t.Errorf("the channel was read %d times", len(reads))
	}
	if one, two := p.request("r-1").Refused, p.request("r-2").Refused; one != 1 || two != 0 {
		t.Errorf("%d and %d replies were refused", one, two)
	}
	if thread := p.chat.messages(owner, p.message("r-1")); len(thread) != 2 || !strings.Contains(thread[1], "reply to its message") {
		t.Errorf("the owner is told %v", thread)
	}
	answer := value.NewObject(1)
	answer.Set("verdict", "revise")
	if _, err := p.open("auto answer").Answer("r-1", engine.Given{Answer: answer, By: engine.LocalDeveloper()}); err != nil {
		t.Fatal(err)
	}
	p.chat.use(post, "channel", owner, "text", "approve it now")
	p.Advance(time.Minute)
	h.tick(t)
	p.mustEnd("r-1", `{"verdict":"revise"}`)
	p.mustEnd("r-2", `{"verdict":"approve","note":"it now"}`)
}
