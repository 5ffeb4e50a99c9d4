package worker_test

// This file tests deliveries: every way in which an attempt ends, and when the next
// one is made.

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

func TestARequestIsSent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.clock.advance(3 * time.Second)
	if next := d.tick(); !next.Equal(began.Add(8 * time.Second)) {
		t.Errorf("next is due at %s", next)
	}
	sent := d.request("r-1")
	if sent.Delivery != store.Delivered || *sent.Sent != (store.Sent{Conversation: "C1", ID: "1"}) || sent.Conversation != "C1/1" || sent.ReadBy != "thread_replies" {
		t.Errorf("it stands as %+v", sent)
	}
	want := `{"channel":"C1","text":"The review of your campaign brief is ready:\n\nTwo figures have no source.","at":"2026-10-01T09:30:00.000Z","run":"r-1"}`
	if made := d.chat.made(""); len(made) != 1 || made[0].arguments != want || made[0].runID != "r-1" {
		t.Errorf("the tool is called with %+v", made)
	}
	started, ended := d.data("delivery_started"), d.data("delivery_succeeded")
	for _, part := range []string{`{"attempt":1,"server":"chat","tool":"post_message","arguments_bytes":` + fmt.Sprint(len(want)) + `,"arguments_digest":"`, `"arguments":` + want} {
		if !strings.Contains(started, part) {
			t.Errorf("delivery_started is %s, without %s", started, part)
		}
	}
	for _, part := range []string{`{"attempt":1,"server":"chat","tool":"post_message"`, `"result_bytes":`, `"result_digest":"`, `"sent":{"conversation":"C1","id":"1"},"conversation":"C1/1"`} {
		if !strings.Contains(ended, part) {
			t.Errorf("delivery_succeeded is %s, without %s", ended, part)
		}
	}
	if got := d.history("r-1"); got != "run_started interaction_requested delivery_started delivery_succeeded" || d.told() != "delivered" {
		t.Errorf("its history is %s, told as %s", got, d.told())
	}
	d.sound()
}

func TestAttemptsThatFail(t *testing.T) {
	t.Parallel()
	tired := reply{result: &tool.Result{IsError: true, Blocks: []tool.Block{{Text: "No such channel", IsText: true}}, Whole: object("isError", true)}}
	for name, c := range map[string]struct {
		reply   reply
		because string
		at      string // the seconds of the attempts
		data    string
	}{
		"a server failure":      {fails(tool.ServerFailure, -1), "server_failure", "0 60 180 420 900", `"message":"The tool server chat is tired"`},
		"a tool error":          {tired, "tool_error", "0 60 180 420 900", `"message":"No such channel"`},
		"no answer":             {fails(tool.TimedOut, -1), "timed_out", "0 60 180 420 900", ""},
		"arguments it refuses":  {fails(tool.ArgumentsRefused, -1), "arguments_refused", "0 60 180 420 900", ""},
		"too large an answer":   {fails(tool.TooLarge, -1), "too_large", "0 60 180 420 900", ""},
		"no such tool":          {fails(tool.NotListed, -1), "tool_not_offered", "0 60 180 420 900", ""},
		"not allowed any more":  {fails(tool.NotAllowed, -1), "tool_not_offered", "0 60 180 420 900", ""},
		"a refused key":         {fails(tool.KeyRefused, -1), "server_failure", "0 60 180 420 900", ""},
		"retry after 3 minutes": {fails(tool.ServerFailure, 3*time.Minute), "server_failure", "0 180 360 600 1080", `"retry_after_ms":180000`},
		"retry after a day":     {fails(tool.ServerFailure, 24*time.Hour), "server_failure", "0 480 960 1440 1920", `"retry_after_ms":86400000`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ask("r-1", approval)
			d.chat.will("post_message", c.reply, c.reply, c.reply, c.reply, c.reply)
			d.tickFor(time.Hour)
			if got := d.chat.seconds("post_message"); got != c.at {
				t.Errorf("attempts are made at %s, want %s", got, c.at)
			}
			arguments := map[string]bool{}
			for _, made := range d.chat.made("") {
				arguments[made.arguments] = true
			}
			failed := d.data("delivery_failed")
			if len(arguments) != 1 || strings.Count(failed, `"because":"`+c.because+`"`) != 5 || !strings.Contains(failed, c.data) {
				t.Errorf("%d kinds of arguments are sent, and the failures are\n%s", len(arguments), failed)
			}
			stands := d.request("r-1")
			if stands.Delivery != store.Undelivered || !stands.Closed.IsZero() || !stands.Due.Equal(stands.Expires) {
				t.Errorf("it stands as %+v", stands)
			}
			d.sound()
		})
	}
}

func TestAnAttemptAfterFailures(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.chat.will("post_message", fails(tool.TimedOut, -1), fails(tool.TimedOut, -1))
	d.tickFor(4 * time.Minute)
	stands := d.request("r-1")
	if stands.Delivery != store.Delivered || len(stands.Attempts) != 3 || d.told() != "delivery_failed delivery_failed delivered" {
		t.Errorf("it stands as %+v, told as %s", stands, d.told())
	}
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", notification)
	d.tick()
	if ended := d.run("r-1"); ended.Status != store.Succeeded || value.JSON(ended.Output) != "{}" || !ended.Final {
		t.Errorf("delivered it ends as %s", value.JSON(ended.Value()))
	}
	if got := d.history("r-1"); got != "run_started interaction_requested delivery_started delivery_succeeded run_succeeded" {
		t.Errorf("its history is %s", got)
	}
	d.ask("r-2", notification)
	for range request.MaxAttempts {
		d.chat.will("post_message", fails(tool.ServerFailure, -1))
	}
	d.tickFor(time.Hour)
	if ended := d.run("r-2"); ended.Status != store.Rejected || ended.Reason != "unanswered" || ended.Kind != "undelivered" || !ended.Final {
		t.Errorf("undelivered it ends as %s", value.JSON(ended.Value()))
	}
	if !strings.HasSuffix(d.told(), "delivery_failed undelivered") {
		t.Errorf("told as %s", d.told())
	}
	d.sound()
}

// A request whose document this program cannot work from, or whose arguments are too
// large, is not tried at all.
func TestDeliveriesThatAreRefused(t *testing.T) {
	t.Parallel()
	large := strings.Replace(approval, "at: '{{ now }}'", "at: '{{ message }}', once: '{{ message }}', more: '{{ message }}'", 1)
	for name, c := range map[string]struct {
		source, because, ends string
		takesAnswer           bool
	}{
		"a document with problems": {"---\nto: nobody\n---\n", "unworkable", "", true},
		"too large":                {large, "too_large", "", true},
		"a notification":           {"---\nto: nobody\n---\n", "unworkable", "undelivered", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			input := object("owner", "U-priya", "review", strings.Repeat("x", 7<<10))
			if _, _, err := d.owner.Start(store.Beginning{ID: "r-1", Type: "interaction", Name: "approve", Source: []byte(c.source), Input: input}); err != nil {
				t.Fatal(err)
			}
			asking := store.Asking{To: "U-priya", Answerer: "U-priya", Message: "x", Server: "chat", Tool: "post_message", Expires: began.Add(time.Hour), Due: began}
			if c.takesAnswer {
				asking.AnswerSchema = object("type", "object")
			}
			if _, err := d.owner.Ask("r-1", asking); err != nil {
				t.Fatal(err)
			}
			d.tickFor(30 * time.Minute)
			if got := d.data("delivery_refused"); !strings.Contains(got, `"because":"`+c.because+`"`) || strings.Contains(got, "\n") || len(d.chat.made("")) > 0 {
				t.Errorf("refused as %s, after %d calls", got, len(d.chat.made("")))
			}
			if stands, ended := d.request("r-1"), d.run("r-1"); ended.Kind != c.ends || c.takesAnswer && stands.Delivery != store.Undelivered {
				t.Errorf("it stands as %+v, and the run as %+v", stands, ended)
			}
			d.sound()
		})
	}
}

// A request that is answered, cancelled or expires while an attempt is under way
// records the attempt's end and nothing more.
func TestWhatHappensDuringAnAttempt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		during func(d *desk) error
		reply  reply
		want   string
	}{
		"answered": {func(d *desk) error {
			given := request.Given{Answer: object("verdict", "approve"), By: request.Caller{ID: "user_1"}}
			_, err := request.Answer(d.Store, "r-1", given, run.Answered)
			return err
		}, reply{}, "delivery_started request_answered run_succeeded delivery_succeeded"},
		"cancelled": {func(d *desk) error {
			_, err := d.EndRequest("r-1", run.Cancelled())
			return err
		}, fails(tool.ServerFailure, -1), "delivery_started run_rejected delivery_failed"},
		"expired": {func(d *desk) error {
			d.clock.advance(48 * time.Hour)
			_, err := d.another(d.own()).Tick(context.Background())
			return err
		}, reply{}, "delivery_started run_rejected delivery_succeeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ask("r-1", approval)
			c.reply.during = func() {
				if err := c.during(d); err != nil {
					t.Error(err)
				}
			}
			d.chat.will("post_message", c.reply)
			d.tickFor(time.Hour)
			if got := d.history("r-1"); got != "run_started interaction_requested "+c.want {
				t.Errorf("its history is %s", got)
			}
			if len(d.chat.made("")) != 1 {
				t.Errorf("the calls are %+v", d.chat.made(""))
			}
			d.sound()
		})
	}
}

// What is told of a failed attempt says when the next one is made, and that a
// notification was given up, only where that is so.
func TestWhatIsToldOfAFailedAttempt(t *testing.T) {
	t.Parallel()
	cancel := func(d *desk) { _, _ = d.EndRequest("r-1", run.Cancelled()) }
	for name, c := range map[string]struct {
		source   string
		failures int
		during   func(d *desk) // what happens in the last of the attempts
		told     string
		next     time.Duration // since the start, of the last attempt; 0 for none
	}{
		"tried again":            {notification, 1, nil, "delivery_failed", time.Minute},
		"cancelled meanwhile":    {notification, 1, cancel, "delivery_failed", 0},
		"cancelled in the last":  {notification, request.MaxAttempts, cancel, strings.Repeat("delivery_failed ", 4) + "delivery_failed", 0},
		"over before the next":   {strings.Replace(notification, "P2D", "PT1M", 1), 1, nil, "delivery_failed", 0},
		"just over for the next": {strings.Replace(notification, "P2D", "PT61S", 1), 1, nil, "delivery_failed", time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ask("r-1", c.source)
			for i := range c.failures {
				failing := fails(tool.ServerFailure, -1)
				if i == c.failures-1 && c.during != nil {
					failing.during = func() { c.during(d) }
				}
				d.chat.will("post_message", failing)
				d.tick()
				if i < c.failures-1 {
					d.clock.advance(8 * time.Minute)
				}
			}
			if d.told() != c.told {
				t.Errorf("told %s", d.told())
			}
			next := d.facts[c.failures-1].Next
			if next.IsZero() != (c.next == 0) || c.next > 0 && next.Sub(began) != c.next {
				t.Errorf("the next attempt is told for %s", next)
			}
		})
	}
}

// An attempt whose process is gone is lost a minute after it started, and never
// while its process lives.
func TestAttemptsThatAreLost(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	gone := d.own()
	if _, err := gone.StartAttempt("r-1", 1, began.Add(request.LostAfter), store.Event{Type: "delivery_started"}); err != nil {
		t.Fatal(err)
	}
	d.tickFor(5 * time.Minute)
	if d.told() != "" || len(d.chat.made("")) > 0 {
		t.Fatalf("while its process lives: %s, %+v", d.told(), d.chat.made(""))
	}
	gone.Close()
	d.tickFor(time.Minute)
	if d.told() != "delivery_failed delivered" {
		t.Errorf("told as %s", d.told())
	}
	stands := d.request("r-1")
	if len(stands.Attempts) != 2 || stands.Attempts[0].Because != request.Lost || stands.Delivery != store.Delivered {
		t.Errorf("it stands as %+v", stands)
	}
	d.sound()

	d = newDesk(t)
	d.ask("r-1", approval)
	gone = d.own()
	if _, err := gone.StartAttempt("r-1", 1, began.Add(request.LostAfter), store.Event{Type: "delivery_started"}); err != nil {
		t.Fatal(err)
	}
	gone.Close()
	d.tickFor(10 * time.Minute)
	if got := d.chat.seconds("post_message"); got != "120" {
		t.Errorf("after one that was lost at a minute it is attempted at %s", got)
	}
	d.ask("r-2", approval)
	gone = d.own()
	if _, err := gone.StartAttempt("r-2", 1, d.clock.Now().Add(request.LostAfter), store.Event{Type: "delivery_started"}); err != nil {
		t.Fatal(err)
	}
	gone.Close()
	if _, err := d.EndRequest("r-2", run.Cancelled()); err != nil {
		t.Fatal(err)
	}
	d.tickFor(10 * time.Minute)
	if got := d.history("r-2"); got != "run_started interaction_requested delivery_started run_rejected delivery_failed" {
		t.Errorf("one of a run that was cancelled: %s", got)
	}
	d.sound()
}

// A request is delivered without what it was delivered as where the tool's answer
// does not say it, and takes no reply then.
func TestWhatIsNoIdentity(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer value.Value
		source string
		sent   bool
	}{
		"nothing there":         {object("channel", "C1"), approval, false},
		"a truth":               {object("channel", "C1", "ts", true), approval, false},
		"part of a number":      {object("channel", "C1", "ts", 1.5), approval, false},
		"empty":                 {object("channel", "", "ts", "1"), approval, false},
		"a control character":   {object("channel", "C\n1", "ts", "1"), approval, false},
		"257 bytes":             {object("channel", strings.Repeat("x", 257), "ts", "1"), approval, false},
		"too long a key":        {object("channel", strings.Repeat("x", 255), "ts", "1"), approval, true},
		"an empty key":          {object("channel", "C1", "ts", "1"), strings.Replace(approval, "'{{ sent.conversation }}/{{ sent.id }}'", "'{% if to == \"x\" %}x{% endif %}'", 1), true},
		"a blank key, left out": {object("channel", "  ", "ts", "1"), strings.Replace(approval, "  conversation: '{{ sent.conversation }}/{{ sent.id }}'\n", "", 1), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ask("r-1", c.source)
			d.chat.will("post_message", reply{result: structured(c.answer.(*value.Object))})
			d.tickFor(time.Hour)
			stands := d.request("r-1")
			if stands.Delivery != store.Delivered || (stands.Sent != nil) != c.sent || stands.Conversation != "" || len(d.chat.made("thread_replies")) > 0 {
				t.Errorf("it stands as %+v", stands)
			}
			if got := d.data("delivery_succeeded"); !strings.Contains(got, `"conversation":null`) {
				t.Errorf("delivery_succeeded is %s", got)
			}
			d.sound()
		})
	}
}

// Identities that are numbers are sent to the reading tool as numbers.
func TestNumbersStayNumbers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", strings.Replace(approval, `'{{ since | default: "0" }}'`, "'{{ since }}'", 1))
	d.chat.will("post_message", reply{result: structured(object("channel", 7.0, "ts", value.Exact("9007199254740993")))})
	listed := structured(object("messages", []value.Value{object("ts", 12.0, "user", "U-eve", "text", "hi")}))
	d.chat.will("thread_replies", reply{result: listed}, reply{result: listed})
	d.tickFor(16 * time.Second)
	var got []string
	for _, made := range d.chat.made("thread_replies") {
		got = append(got, made.arguments)
	}
	want := `{"channel":7,"ts":9007199254740993,"oldest":""}` + "\n" + `{"channel":7,"ts":9007199254740993,"oldest":12}`
	if strings.Join(got, "\n") != want {
		t.Errorf("it is read with\n%s", strings.Join(got, "\n"))
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", strings.Replace(strings.Replace(unread, "P2D", "PT1H", 1), "deliver:\n  server: chat\n  tool: post_message\n  with: { channel: C1, text: '{{ message }}', at: '{{ now }}', run: '{{ run_id }}' }\n", "deliver: agent\n", 1))
	if next := d.tick(); !next.Equal(began.Add(time.Hour)) {
		t.Errorf("next is due at %s", next)
	}
	d.clock.advance(time.Hour - time.Millisecond)
	d.tick()
	if d.told() != "" {
		t.Errorf("a millisecond before: %s", d.told())
	}
	d.clock.advance(time.Millisecond)
	if next := d.tick(); !next.IsZero() || d.told() != "expired" {
		t.Errorf("then: %s, next %s", d.told(), next)
	}
	if ended := d.run("r-1"); ended.Status != store.Rejected || ended.Kind != "expired" || !ended.Final {
		t.Errorf("it ends as %+v", ended)
	}
	d.sound()
}

// Arguments at the bound of a call are sent.
func TestArgumentsAtTheirBound(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asked := strings.Replace(unread, "text: '{{ message }}', at: '{{ now }}'", "text: '{{ message }}', at: "+strings.Repeat("x", definition.ArgumentBytes/2), 1)
	d.ask("r-1", asked)
	d.tick()
	if d.told() != "delivered" {
		t.Errorf("told as %s", d.told())
	}
}

// A server whose content is not recorded leaves sizes alone.
func TestContentThatIsNotRecorded(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", strings.Replace(approval, "server: chat", "server: mail", 1))
	d.tick()
	for _, data := range []string{d.data("delivery_started"), d.data("delivery_succeeded")} {
		if !strings.Contains(data, `_bytes":`) || strings.Contains(data, "digest") || strings.Contains(data, "figures") || strings.Contains(data, `"result":`) {
			t.Errorf("recorded is %s", data)
		}
	}
	if d.request("r-1").Sent == nil {
		t.Error("what it was delivered as is not known")
	}
}
