package worker_test

// This file tests the bounds and the moments of requests on their very edge, in the
// numbers of the format's page.

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// A request takes an answer until it expires, and not at that moment.
func TestAnAnswerAsTheRequestExpires(t *testing.T) {
	t.Parallel()
	given := request.Given{Answer: object("verdict", "approve"), By: request.Caller{ID: "user_1"}}
	for before, taken := range map[time.Duration]bool{time.Millisecond: true, 0: false} {
		d := newDesk(t)
		asked := d.ask("r-1", unread)
		d.clock.advance(asked.Expires.Sub(began) - before)
		_, err := request.Answer(d.Store, "r-1", given, run.Answered)
		var rejection *problem.Rejection
		if (err == nil) != taken || err != nil && (!errors.As(err, &rejection) || rejection.Status != 409) {
			t.Errorf("%s before it expires an answer gives %v", before, err)
		}
		if d.tick(); (d.run("r-1").Kind == "expired") == taken {
			t.Errorf("%s before it expires the run is %+v", before, d.run("r-1"))
		}
		d.sound()

		d = newDesk(t)
		asked = d.ask("r-1", approval)
		d.tick()
		d.chat.says("U-priya", "approve", "1")
		d.chat.will("thread_replies", reply{during: func() { d.clock.advance(asked.Expires.Sub(d.clock.Now()) - before) }})
		d.clock.advance(5 * time.Second)
		if d.tick(); (d.run("r-1").Status == store.Succeeded) != taken {
			t.Errorf("%s before it expires a reply leads to %s", before, d.told())
		}
		d.sound()
	}
}

// Ten refused replies are recorded, and three of them are told of.
func TestTheNumberOfRefusedReplies(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.tick()
	for range 11 {
		d.chat.says("U-priya", "hm", "1")
	}
	d.tickFor(10 * time.Minute)
	if got, told := strings.Count(d.data("reply_refused"), "unread"), len(d.chat.made("post_message"))-1; got != 10 || told != 3 || d.request("r-1").Refused != 10 {
		t.Errorf("%d are recorded and %d told", got, told)
	}
	d.sound()
}

// A telling is the playbook's own, though the chat names the answerer as its sender.
func TestATellingIsNoReply(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", inChannel)
	d.tick()
	d.chat.says("U-priya", "hm", "")
	d.tickFor(6 * time.Second)
	if d.told() != "delivered reply_refused told" {
		t.Fatalf("told as %s", d.told())
	}
	d.chat.will("thread_replies", lists("3", "approve"))
	d.tickFor(10 * time.Second)
	if d.run("r-1").Status != store.Started || d.request("r-1").Refused != 1 {
		t.Errorf("it is taken for one: %s", d.told())
	}
	d.sound()
}

// A reply that names its request answers it wherever it is listed; one that names
// none answers what is left open by those before it.
func TestTheOrderOfReplies(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.tick()
	pinned := object("ts", "9", "user", "U-priya", "text", "approve", "thread_ts", "1")
	listed := []value.Value{pinned, object("ts", "1", "user", "U-bot", "text", "Is it ready?")}
	d.chat.will("thread_replies", reply{result: structured(object("messages", listed))})
	d.tickFor(6 * time.Second)
	if d.run("r-1").Status != store.Succeeded {
		t.Errorf("listed before its request: %s", d.told())
	}
	d.sound()

	d = newDesk(t)
	inThreads := strings.Replace(inChannel, "text: /text", "text: /text, to: /thread_ts", 1)
	d.ask("r-1", inThreads)
	d.tick()
	d.ask("r-2", inThreads)
	d.tick()
	d.chat.says("U-priya", "approve", "1")
	d.chat.says("U-priya", "revise", "")
	d.tickFor(6 * time.Second)
	if got := value.JSON(d.run("r-2").Output); got != `{"verdict":"revise"}` || d.run("r-1").Status != store.Succeeded {
		t.Errorf("after the answer to the other: %s, told as %s", got, d.told())
	}
	d.sound()
}

// An attempt counts as cut off a minute after it started, and is counted before it is
// sent.
func TestAnAttemptUnderWay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.chat.will("post_message", reply{during: func() {
		under := d.request("r-1")
		if len(under.Attempts) != 1 || under.Delivery != store.Delivering || !under.Attempts[0].Until.Equal(began.Add(time.Minute)) || !under.Due.Equal(began.Add(time.Minute)) {
			t.Errorf("it stands as %+v", under)
		}
		if got := d.history("r-1"); got != "run_started interaction_requested delivery_started" {
			t.Errorf("its history is %s", got)
		}
	}})
	d.tick()
	d.sound()
}

// Requests that share a conversation are read at the longest of their waits, for as
// long as the one that wants it is open.
func TestTheWaitOfAConversation(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", strings.Replace(inChannel, "  read:\n", "  wait: PT10M\n  read:\n", 1))
	d.tick()
	d.ask("r-2", inChannel)
	d.tickFor(1250 * time.Second)
	if got := d.chat.seconds("thread_replies"); got != "600 1200" {
		t.Errorf("it is read at %s", got)
	}
	for _, id := range []string{"r-1", "r-2"} {
		if _, err := d.EndRequest(id, run.Cancelled()); err != nil {
			t.Fatal(err)
		}
	}
	d.tickFor(50 * time.Second)
	d.ask("r-3", inChannel)
	d.tickFor(20 * time.Second)
	if got := d.chat.seconds("thread_replies"); got != "600 1200 1305 1315" {
		t.Errorf("after it has ended it is read at %s", got)
	}
	d.sound()
}

// The arguments of a read take 16 KiB, and no byte more.
func TestTheArgumentsOfARead(t *testing.T) {
	t.Parallel()
	read := func(pad int) (bytes int, told string) {
		d := newDesk(t)
		d.ask("r-1", strings.Replace(approval, "ts: '{{ sent.id }}', oldest", "ts: '{{ sent.id }}', pad: '"+strings.Repeat("x", pad)+"', oldest", 1))
		d.tickFor(6 * time.Second)
		if made := d.chat.made("thread_replies"); len(made) > 0 {
			bytes = len(made[0].arguments)
		}
		return bytes, d.told()
	}
	least, _ := read(0)
	if bytes, _ := read(16384 - least); bytes != 16384 {
		t.Errorf("16 KiB are sent as %d bytes", bytes)
	}
	if bytes, told := read(16385 - least); bytes != 0 || told != "delivered reading_failed" {
		t.Errorf("a byte more is sent as %d bytes, told as %s", bytes, told)
	}
}
