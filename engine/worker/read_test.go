package worker_test

// This file tests the reading of replies: when a conversation is read, what counts,
// what is taken and refused, and what the party is told.

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/engine/worker"
)

// The example of the format's page: a wrong reply is refused and told of, and the
// right one is taken.
func TestARequestIsAnsweredByReply(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.tick()
	d.chat.says("U-eve", "approve", "1")
	d.clock.advance(5 * time.Second)
	d.tick()
	if d.told() != "delivered" || d.data("replies_read") != "" {
		t.Fatalf("the reply of somebody else: %s, %s", d.told(), d.data("replies_read"))
	}
	wrong := d.chat.says("U-priya", "looks good to me", "1")
	d.clock.advance(10 * time.Second)
	d.tick()
	if d.told() != "delivered reply_refused told" || d.request("r-1").Refused != 1 {
		t.Fatalf("told as %s", d.told())
	}
	if got, want := d.data("reply_refused"), `{"reply":"`+wrong+`","because":"unread"}`; got != want {
		t.Errorf("reply_refused is %s", got)
	}
	made := d.chat.made("post_message")
	want := `{"channel":"C1","thread_ts":"1","text":"To answer, reply with one of approve, revise; what follows is kept as the note"}`
	if last := made[len(made)-1]; len(made) != 2 || last.arguments != want || last.runID != "r-1" {
		t.Errorf("the party is told by %+v", last)
	}
	for _, kind := range []string{"telling_started", "telling_succeeded"} {
		events := d.events(store.EventFilter{Type: kind})
		if len(events) != 1 || events[0].RunID != "" || !strings.HasPrefix(value.JSON(events[0].Data), `{"run_id":"r-1","reply":"`+wrong+`","server":"chat","tool":"post_message"`) {
			t.Errorf("%s: %+v", kind, events)
		}
	}
	if got := d.data("replies_read"); !strings.HasPrefix(got, `{"server":"chat","tool":"thread_replies","conversation":"C1/1","arguments_bytes":`) ||
		!strings.HasSuffix(got, `"replies":1,"answered":0,"refused":1}`) || strings.Contains(got, "good") {
		t.Errorf("replies_read is %s", got)
	}
	right := d.chat.says("U-priya", "Revise: name the role", "1")
	d.clock.advance(20 * time.Second)
	d.tick()
	ended := d.run("r-1")
	if ended.Status != store.Succeeded || value.JSON(ended.Output) != `{"verdict":"revise","note":"name the role"}` || d.told() != "delivered reply_refused told answered" {
		t.Errorf("it ends as %s, told as %s", value.JSON(ended.Value()), d.told())
	}
	if got, want := d.data("request_answered"), `{"answer":{"verdict":"revise","note":"name the role"},"claimed_for":null,"answered_by":{"id":"playbook:campaigns","name":"campaigns"},"reply":"`+right+`"}`; got != want {
		t.Errorf("request_answered is %s", got)
	}
	if got := d.history("r-1"); got != "run_started interaction_requested delivery_started delivery_succeeded reply_refused request_answered run_succeeded" {
		t.Errorf("its history is %s", got)
	}
	if next := d.tick(); !next.IsZero() {
		t.Errorf("then something is due at %s", next)
	}
	// The messages before the newest one that was read are not asked for again.
	made = d.chat.made("thread_replies")
	for i, oldest := range []string{"0", "2", "3"} {
		if !strings.Contains(made[i].arguments, `"oldest":"`+oldest+`"`) {
			t.Errorf("read %d is made with %s", i+1, made[i].arguments)
		}
	}
	d.sound()
}

func TestTheCadenceOfReads(t *testing.T) {
	t.Parallel()
	usual := []string{"5", "15", "35", "75"}
	for at := 135; len(usual) < 18; at += 60 {
		usual = append(usual, strconv.Itoa(at))
	}
	for at := 915 + 300; len(usual) < 21; at += 300 {
		usual = append(usual, strconv.Itoa(at))
	}
	for name, c := range map[string]struct {
		wait string
		will []reply
		want string
	}{
		"as the page says":         {"", nil, strings.Join(usual, " ")},
		"never sooner than wait":   {"  wait: PT7M\n", nil, "420 840 1260 1680"},
		"a server that asks":       {"", []reply{fails(tool.ServerFailure, 10*time.Minute)}, "5 605 625 665 725 785 845 905 965 1025 1085 1145 1205 1265 1325 1385 1445 1505 1805"},
		"that asks for a day":      {"", []reply{fails(tool.ServerFailure, 24*time.Hour)}, "5"},
		"one that is slow to fail": {"", []reply{fails(tool.TimedOut, -1)}, strings.Join(usual, " ")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ask("r-1", strings.Replace(approval, "  read:\n", c.wait+"  read:\n", 1))
			d.chat.will("thread_replies", c.will...)
			d.tickFor(1900 * time.Second)
			if got := d.chat.seconds("thread_replies"); got != c.want {
				t.Errorf("it is read at %s, want %s", got, c.want)
			}
			d.sound()
		})
	}
}

// A request that joins makes the reading quick again, for all.
func TestARequestJoinsAConversation(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", inChannel)
	d.tickFor(10 * time.Minute)
	before := len(d.chat.made("thread_replies"))
	d.ask("r-2", inChannel)
	d.tickFor(40 * time.Second)
	if got := d.chat.seconds("thread_replies"); !strings.HasSuffix(got, " 555 605 615 635") || len(d.chat.made("thread_replies")) != before+3 {
		t.Errorf("it is read at %s", got)
	}
	d.sound()
}

func TestReadsThatFail(t *testing.T) {
	t.Parallel()
	errs := reply{result: &tool.Result{IsError: true, Blocks: []tool.Block{{Text: "thread_not_found", IsText: true}}, Whole: object()}}
	large := structured(object("messages", []value.Value{}, "rest", strings.Repeat("x", 64<<10)))
	for name, c := range map[string]struct {
		reply   reply
		because string
		data    string
	}{
		"a server failure": {fails(tool.ServerFailure, 7*time.Second), "server_failure", `"retry_after_ms":7000`},
		"no answer":        {fails(tool.TimedOut, -1), "timed_out", ""},
		"a tool error":     {errs, "tool_error", `"message":"thread_not_found"`},
		"no list":          {reply{result: structured(object("ok", false))}, "no_list", `/messages`},
		"nothing to read":  {reply{result: &tool.Result{Whole: object()}}, "no_list", ""},
		"too large":        {reply{result: large}, "too_large", "64 KiB"},
		"not allowed":      {fails(tool.NotAllowed, -1), "tool_not_offered", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ask("r-1", approval)
			d.tick()
			d.chat.says("U-priya", "approve", "1")
			d.chat.will("thread_replies", c.reply)
			d.clock.advance(5 * time.Second)
			d.tick()
			events := d.events(store.EventFilter{Type: "reading_failed"})
			if len(events) != 1 || events[0].RunID != "" {
				t.Fatalf("the events are %+v", events)
			}
			data := value.JSON(events[0].Data)
			for _, part := range []string{`"server":"chat"`, `"tool":"thread_replies"`, `"conversation":"C1/1"`, `"because":"` + c.because + `"`, c.data} {
				if !strings.Contains(data, part) {
					t.Errorf("reading_failed is %s, without %s", data, part)
				}
			}
			d.tickFor(time.Minute)
			if d.told() != "delivered reading_failed answered" {
				t.Errorf("the reading does not go on: %s", d.told())
			}
			d.sound()
		})
	}
}

// A read whose arguments do not render, or are too large, is not sent.
func TestReadsThatAreNotSent(t *testing.T) {
	t.Parallel()
	for because, oldest := range map[string]string{
		"too_large":  strings.Repeat("{{ sent.conversation }}", 70),
		"unworkable": "{{ sent.id | money }}",
	} {
		d := newDesk(t)
		source := strings.Replace(approval, `{{ since | default: "0" }}`, oldest, 1)
		d.ask("r-1", strings.Replace(source, "{{ sent.conversation }}/{{ sent.id }}", "{{ sent.id }}", 1))
		d.chat.will("post_message", reply{result: structured(object("channel", strings.Repeat("C", 256), "ts", "one"))})
		d.tickFor(6 * time.Second)
		if got := d.data("reading_failed"); !strings.Contains(got, `"because":"`+because+`"`) || len(d.chat.made("thread_replies")) > 0 || d.told() != "delivered reading_failed" {
			t.Errorf("%s: %s, told as %s", because, got, d.told())
		}
		d.sound()
	}
}

func TestWhichRequestAReplyAnswers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", inChannel)
	d.tick()
	d.ask("r-2", inChannel)
	d.tick()
	d.chat.says("U-priya", "approve", "")
	d.tickFor(6 * time.Second)
	if d.told() != "delivered delivered reply_refused told" {
		t.Fatalf("told as %s", d.told())
	}
	refused := d.events(store.EventFilter{Type: "reply_refused"})
	if refused[0].RunID != "r-1" || value.JSON(refused[0].Data) != `{"reply":"3","because":"several_requests"}` {
		t.Errorf("refused as %+v", refused[0])
	}
	made := d.chat.made("post_message")
	if !strings.Contains(made[2].arguments, `to answer one, reply to its message"`) || !strings.Contains(made[2].arguments, `"thread_ts":"1"`) {
		t.Errorf("told by %s", made[2].arguments)
	}
	// The refused reply is listed no more than once; a new one, after one of the two
	// has ended, is the other's.
	if _, err := d.EndRequest("r-1", run.Cancelled()); err != nil {
		t.Fatal(err)
	}
	d.chat.says("U-priya", "revise", "")
	d.tickFor(20 * time.Second)
	if ended := d.run("r-2"); ended.Status != store.Succeeded || value.JSON(ended.Output) != `{"verdict":"revise"}` {
		t.Errorf("the other ends as %+v, told as %s", ended, d.told())
	}
	d.sound()
}

func TestRepliesInThreadsOfOneConversation(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	inThreads := strings.Replace(inChannel, "text: /text", "text: /text, to: /thread_ts", 1)
	d.ask("r-1", inThreads)
	d.tick()
	d.ask("r-2", inThreads)
	d.tick()
	d.chat.says("U-priya", "approve", "2")
	d.chat.says("U-priya", "revise", "1")
	d.chat.says("U-priya", "approve", "1")
	d.chat.says("U-priya", "approve", "99")
	d.tickFor(6 * time.Second)
	first, second := d.run("r-1"), d.run("r-2")
	if value.JSON(first.Output) != `{"verdict":"revise"}` || value.JSON(second.Output) != `{"verdict":"approve"}` {
		t.Errorf("they end as %s and %s", value.JSON(first.Value()), value.JSON(second.Value()))
	}
	if got := d.data("replies_read"); !strings.HasSuffix(got, `"replies":2,"answered":2,"refused":0}`) {
		t.Errorf("replies_read is %s", got)
	}
	d.sound()
}

// What stood in a conversation before a request's own message is no reply to it.
func TestOlderMessagesAreNoReplies(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"oldest_first", "newest_first"} {
		d := newDesk(t)
		d.chat.says("U-priya", "approve", "")
		d.ask("r-1", strings.Replace(inChannel, "oldest_first", order, 1))
		d.tick()
		if order == "newest_first" {
			listed := []value.Value{object("ts", "2", "user", "U-bot", "text", "?"), object("ts", "1", "user", "U-priya", "text", "approve")}
			d.chat.will("thread_replies", reply{result: structured(object("messages", listed))})
		}
		d.tickFor(6 * time.Second)
		if d.told() != "delivered" || d.data("replies_read") != "" {
			t.Errorf("%s: told as %s", order, d.told())
		}
		d.sound()
	}
}

// A reply that was dealt with is not dealt with again by a tool that lists it at
// each read, nor is one that answered an earlier request taken by a later one.
func TestAReplyTakenOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	deaf := strings.Replace(inChannel, `, oldest: '{{ since | default: "0" }}'`, "", 1)
	d.ask("r-1", deaf)
	d.tick()
	d.chat.says("U-priya", "hm", "")
	d.tickFor(5 * time.Minute)
	if got := strings.Count(d.data("reply_refused"), "reply"); d.request("r-1").Refused != 1 || got != 1 {
		t.Errorf("%d are refused", d.request("r-1").Refused)
	}
	d.chat.says("U-priya", "approve", "")
	d.tickFor(time.Minute)
	if d.run("r-1").Status != store.Succeeded {
		t.Fatalf("told as %s", d.told())
	}
	d.ask("r-2", deaf)
	// The tool lists its newest messages, and the request's own is not among them.
	listed := structured(object("messages", []value.Value{object("ts", "4", "user", "U-priya", "text", "approve")}))
	d.chat.will("thread_replies", reply{result: listed}, reply{result: listed})
	d.tickFor(20 * time.Second)
	if d.run("r-2").Status != store.Started {
		t.Errorf("a reply is taken twice: %s", d.told())
	}
	d.sound()
}

func TestRefusedRepliesAndWhatIsTold(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.tick()
	d.chat.says("U-priya", strings.Repeat("x", request.MaxReply+1), "1")
	d.chat.says("U-priya", "revise "+strings.Repeat("x", 21), "1")
	for range 12 {
		d.chat.says("U-priya", "", "1")
	}
	d.tickFor(6 * time.Second)
	if stands := d.request("r-1"); stands.Refused != store.MostRefused || stands.Told != store.MostTold {
		t.Errorf("%d are refused and %d told", stands.Refused, stands.Told)
	}
	if got := strings.Count(d.told(), "reply_refused"); got != store.MostRefused || strings.Count(d.told(), "told") != store.MostTold {
		t.Errorf("told as %s", d.told())
	}
	var texts []string
	for _, made := range d.chat.made("post_message")[1:] {
		v, _ := value.ParseJSON([]byte(made.arguments), 10)
		text, _ := value.Lookup(v, "/text")
		texts = append(texts, text.(string))
	}
	const how = "To answer, reply with one of approve, revise; what follows is kept as the note"
	if len(texts) != 3 || texts[0] != "Expected a reply of at most 8 KiB. "+how || !strings.HasPrefix(texts[1], "note: ") || !strings.HasSuffix(texts[1], ". "+how) || texts[2] != how {
		t.Errorf("the party is told\n%s", strings.Join(texts, "\n"))
	}
	for _, because := range []string{"too_large", "does_not_match", "unread"} {
		if !strings.Contains(d.data("reply_refused"), because) {
			t.Errorf("no reply is refused as %s", because)
		}
	}
	d.chat.says("U-priya", "approve", "1")
	d.tickFor(20 * time.Second)
	if d.run("r-1").Status != store.Succeeded {
		t.Errorf("then the answer is not taken: %s", d.told())
	}
	d.sound()
}

func TestTellings(t *testing.T) {
	t.Parallel()
	mixed := strings.Replace(telling, "'{{ message }}'", "'{{ message | money }}'", 1)
	for name, c := range map[string]struct {
		tell string
		will []reply
		want string
		made int
	}{
		"nobody is told":              {"", nil, "delivered reply_refused", 1},
		"that do not render":          {mixed, nil, "delivered reply_refused", 1},
		"too large":                   {strings.Replace(telling, "'{{ message }}'", "'"+strings.Repeat("{{ message }}", 300)+"'", 1), nil, "delivered reply_refused", 1},
		"that fail":                   {telling, []reply{{}, fails(tool.ServerFailure, -1)}, "delivered reply_refused telling_failed", 2},
		"that the tool refuses":       {telling, []reply{{}, {result: &tool.Result{IsError: true, Whole: object()}}}, "delivered reply_refused telling_failed", 2},
		"through a tool of their own": {strings.Replace(telling, "    with:", "    tool: post_reply\n    with:", 1), nil, "delivered reply_refused told", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ask("r-1", strings.Replace(approval, telling, c.tell, 1))
			d.chat.will("post_message", c.will...)
			d.tick()
			d.chat.says("U-priya", "hm", "1")
			d.tickFor(10 * time.Minute)
			if d.told() != c.want || len(d.chat.made("post_message")) != c.made {
				t.Errorf("told as %s, with %d calls", d.told(), len(d.chat.made("post_message")))
			}
			if own := len(d.chat.made("post_reply")); (own == 1) != strings.Contains(c.tell, "post_reply") {
				t.Errorf("the telling's own tool is called %d times", own)
			}
			if failed := d.data("telling_failed"); strings.Contains(c.want, "telling_failed") != strings.HasPrefix(failed, `{"run_id":"r-1"`) {
				t.Errorf("telling_failed is %s", failed)
			}
			d.sound()
		})
	}
}

// A telling that was cut off is over; nobody is told after a request has ended.
func TestTellingsThatAreCutOff(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.tick()
	d.chat.says("U-priya", "hm", "1")
	d.chat.will("thread_replies", reply{})
	d.clock.advance(5 * time.Second)
	// A worker that reads and dies before it tells.
	gone := d.own()
	started, _, err := gone.StartReading(store.Conversation{Server: "chat", Tool: "thread_replies", Key: "C1/1"}, d.clock.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	refused := store.ReplyOutcome{RunID: "r-1", Reply: "2", Refused: &store.Event{Type: "reply_refused", Data: object("reply", "2")}, Telling: "How"}
	if _, err := gone.EndReading(started, store.ReadEnd{Due: func(*store.Reading) time.Time { return d.clock.Now().Add(time.Hour) }, Outcomes: []store.ReplyOutcome{refused}}); err != nil {
		t.Fatal(err)
	}
	due, err := d.Due(10, func(string) bool { return false })
	if err != nil || len(due.Tellings) != 1 {
		t.Fatal(due, err)
	}
	if _, err := gone.StartTelling(due.Tellings[0], d.clock.Now().Add(time.Minute), store.Event{Type: "telling_started"}); err != nil {
		t.Fatal(err)
	}
	d.tickFor(3 * time.Minute)
	if d.told() != "delivered" {
		t.Fatalf("while its process lives: %s", d.told())
	}
	gone.Close()
	d.tickFor(3 * time.Minute)
	if d.told() != "delivered telling_failed" || len(d.chat.made("post_message")) != 1 {
		t.Errorf("told as %s", d.told())
	}
	d.sound()
}

// A read that was cut off is made again.
func TestReadsThatAreCutOff(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.tick()
	d.chat.says("U-priya", "approve", "1")
	d.clock.advance(5 * time.Second)
	gone := d.own()
	if _, _, err := gone.StartReading(store.Conversation{Server: "chat", Tool: "thread_replies", Key: "C1/1"}, d.clock.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	d.tickFor(3 * time.Minute)
	if len(d.chat.made("thread_replies")) > 0 {
		t.Fatal("it is made twice while its process lives")
	}
	gone.Close()
	d.tickFor(2 * time.Minute)
	if d.run("r-1").Status != store.Succeeded {
		t.Errorf("told as %s", d.told())
	}
	d.sound()
}

// A reply that comes as the request is answered elsewhere, or after it expired,
// changes nothing.
func TestAReplyTooLate(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]func(d *desk) error{
		"answered": func(d *desk) error {
			_, err := request.Answer(d.Store, "r-1", request.Given{Answer: object("verdict", "revise")}, run.Answered)
			return err
		},
		"expired": func(d *desk) error {
			d.clock.advance(48 * time.Hour)
			return nil
		},
	} {
		d := newDesk(t)
		d.ask("r-1", approval)
		d.tick()
		d.chat.says("U-priya", "approve", "1")
		d.chat.will("thread_replies", reply{during: func() {
			if err := during(d); err != nil {
				t.Error(err)
			}
		}})
		d.tickFor(time.Minute)
		if strings.Contains(d.told(), string(worker.Answered)) || value.JSON(d.run("r-1").Output) == `{"verdict":"approve"}` {
			t.Errorf("%s: told as %s", name, d.told())
		}
		d.sound()
	}
}

// Many requests share a conversation without being read one by one.
func TestOneReadForMany(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for i := range 20 {
		d.ask(fmt.Sprintf("r-%d", i), inChannel)
	}
	d.tick()
	d.clock.advance(5 * time.Second)
	d.tick()
	if got := len(d.chat.made("thread_replies")); got != 1 {
		t.Errorf("they are read %d times", got)
	}
	d.sound()
}
