package acceptance_test

// This file takes approve-campaign-brief from its run to its answer, on a clock that
// a test moves.

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

const function = "approve-campaign-brief"

// What the person replies, first and then.
const (
	wrongReply = "Looks fine to me"
	rightReply = "approve, ready to launch"
)

// ask runs the function under an id, and wants it to wait.
func (p *place) ask(id string) {
	p.t.Helper()
	source, err := os.ReadFile(p.dir + "/interaction/" + function + ".md")
	if err != nil {
		p.t.Fatal(err)
	}
	runtime := p.open("auto run")
	asked, err := runtime.Run(context.Background(), engine.RunRequest{ID: id, Type: "interaction", Name: function, Source: source, Input: given(id), Unsent: true})
	if err != nil {
		p.t.Fatal(err)
	}
	if asked.Status != engine.RunStarted {
		p.t.Fatalf("run %s is %s: %v", id, asked.Status, asked.Rejection)
	}
}

// message gives what the request of a run was sent as.
func (p *place) message(id string) string {
	p.t.Helper()
	sent := p.request(id).Sent
	if sent == nil {
		p.t.Fatalf("it is not known what run %s was sent as", id)
	}
	return sent.ID
}

// mustEnd wants a run that ended with an output.
func (p *place) mustEnd(id, output string) {
	p.t.Helper()
	ended := p.run(id)
	if ended.Status != store.Succeeded || value.JSON(ended.Output) != output || !ended.Final {
		p.t.Errorf("run %s is %s with %s, want %s", id, ended.Status, value.JSON(ended.Output), output)
	}
	if got := strings.Count(types(p.history(id)), "request_answered"); got != 1 {
		p.t.Errorf("run %s took %d answers", id, got)
	}
	p.sound()
}

// mustSay wants the thread of the request's message to be so.
func (p *place) mustSay(id string, want ...string) {
	p.t.Helper()
	if diff := cmp.Diff(want, p.chat.messages(owner, p.message(id))); diff != "" {
		p.t.Errorf("the thread (-want +got):\n%s", diff)
	}
}

// about gives the playbook's own events, of its reads and tellings.
func (p *place) about() []store.Event {
	p.t.Helper()
	page, more, err := p.record.Events(store.EventFilter{Limit: 1000})
	if err != nil || more {
		p.t.Fatal(more, err)
	}
	return slices.DeleteFunc(page, func(e store.Event) bool { return e.RunID != "" })
}

func TestApproveCampaignBrief(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("r-1")
	if got, want := types(p.history("r-1")), "run_started interaction_requested"; got != want {
		t.Errorf("asked: %s, want %s", got, want)
	}
	h := p.hand()
	if next := h.tick(t); next.Sub(p.Now()) != time.Minute {
		t.Errorf("the first read comes %s after the delivery, want the function's wait", next.Sub(p.Now()))
	}
	p.mustSay("r-1", "auto: The review of your campaign brief is ready:")
	if sent := p.chat.called(post)[0]; sent.text("channel") != owner || !strings.HasSuffix(sent.text("text"), "Reply **approve**, or **revise** with a note of what to change.") {
		t.Errorf("the message is %s", value.JSON(sent.arguments))
	}
	message := p.message("r-1")

	// Nobody has answered, and somebody else writes in the thread.
	p.chat.reply(owner, message, "tomas@acme.example", "approve")
	p.Advance(time.Minute)
	h.tick(t)
	if reads := p.chat.called(read); len(reads) != 1 || reads[0].text("oldest") != "0" || reads[0].text("ts") != message {
		t.Errorf("read with %v", reads)
	}
	if p.request("r-1").Refused != 0 {
		t.Error("a stranger's reply was counted")
	}

	wrong := p.chat.reply(owner, message, owner, "Looks fine to me")
	p.Advance(time.Minute)
	h.tick(t)
	const telling = "auto: To answer, reply with one of approve, revise; what follows is kept as the note"
	p.mustSay("r-1", "auto: The review of your campaign brief is ready:", "tomas@acme.example: approve", owner+": Looks fine to me", telling)
	if reads := p.chat.called(read); len(reads) != 2 || reads[1].text("oldest") == "0" {
		t.Errorf("read with %v", reads)
	}

	right := p.chat.reply(owner, message, owner, "Approve, ready to launch.")
	p.Advance(time.Minute)
	h.tick(t)
	p.mustEnd("r-1", `{"verdict":"approve","note":"ready to launch."}`)
	history := p.history("r-1")
	const want = "run_started interaction_requested delivery_started delivery_succeeded reply_refused request_answered run_succeeded"
	if got := types(history); got != want {
		t.Errorf("the history is %s, want %s", got, want)
	}
	for _, e := range history {
		text := value.JSON(e.Data)
		switch e.Type {
		case "reply_refused":
			if !strings.Contains(text, wrong) || strings.Contains(text, "Looks fine") {
				t.Errorf("the refusal is %s", text)
			}
		case "request_answered":
			if !strings.Contains(text, `"`+right+`"`) || !strings.Contains(text, "playbook:") {
				t.Errorf("the answer is %s", text)
			}
		}
	}
	if got := types(p.about()); !strings.HasSuffix(strings.ReplaceAll(got, "replies_read ", ""), "telling_started telling_succeeded replies_read") {
		t.Errorf("the playbook's own history is %s", got)
	}

	// Nothing is left to be done.
	p.chat.reply(owner, message, owner, "revise: name a goal")
	p.Advance(time.Hour)
	if next := h.tick(t); !next.IsZero() {
		t.Errorf("something is due at %s", next)
	}
	if reads, posts := len(p.chat.called(read)), len(p.chat.called(post)); reads != 3 || posts != 2 {
		t.Errorf("%d reads and %d messages in all", reads, posts)
	}
	p.mustEnd("r-1", `{"verdict":"approve","note":"ready to launch."}`)
}

// goOn has another worker take a run to its end, and the person reply wrong once,
// unless they said something already, and then right.
func (p *place) goOn(id, said string) {
	p.t.Helper()
	h := p.hand()
	answered := said == rightReply
	for range 20 {
		next := h.tick(p.t)
		if p.run(id).Status != store.Started {
			return
		}
		if request := p.request(id); request.Sent != nil {
			switch {
			case said == "":
				said = wrongReply
				p.chat.reply(owner, request.Sent.ID, owner, said)
			case request.Refused > 0 && !answered:
				answered = true
				p.chat.reply(owner, request.Sent.ID, owner, "revise: name a goal")
			}
		}
		p.Advance(next.Sub(p.Now()))
	}
	p.t.Fatalf("run %s did not end: %s", id, types(p.history(id)))
}
