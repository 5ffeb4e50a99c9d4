package worker_test

// This file tests that words meant for one request never answer another, whatever a
// tool lists again.

import (
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// lists gives a read that lists these messages, each the ts and the words of one by
// the owner.
func lists(pairs ...string) reply {
	messages := []value.Value{}
	for i := 0; i < len(pairs); i += 2 {
		messages = append(messages, object("ts", pairs[i], "user", "U-priya", "text", pairs[i+1]))
	}
	return reply{result: structured(object("messages", messages))}
}

// A message that an earlier read listed is older than a request that came after it,
// though its own message is not listed.
func TestAMessageThatWasListedBeforeARequest(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", strings.Replace(inChannel, "expires: P2D", "expires: P2D\nfrom: U-omar", 1))
	d.tick()
	d.chat.will("thread_replies", lists("90", "approve", "91", "approve"))
	d.tickFor(6 * time.Second)
	d.ask("r-2", inChannel)
	d.chat.will("thread_replies", lists("90", "approve", "91", "approve"), lists("91", "approve", "92", "hello"), lists("91", "approve", "92", "hello", "93", "approve"))
	if _, err := d.EndRequest("r-1", run.Cancelled()); err != nil {
		t.Fatal(err)
	}
	d.tickFor(20 * time.Second)
	if d.run("r-2").Status != store.Started || d.request("r-2").Refused != 1 {
		t.Errorf("what was listed before it answers it: %s", d.told())
	}
	d.tickFor(20 * time.Second)
	if answered := d.data("request_answered"); !strings.Contains(answered, `"reply":"93"`) {
		t.Errorf("what came after it does not: %s, %s", d.told(), answered)
	}
	d.sound()
}

// A chat that does not say who wrote the playbook's own messages tells by their places
// alone what is older than a request.
func TestOwnMessagesThatNameNobody(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.chat.says("U-priya", "approve", "")
	d.ask("r-1", inChannel)
	d.tick()
	listed := []value.Value{object("ts", "1", "user", "U-priya", "text", "approve"), object("ts", "2", "text", "Is it ready?")}
	d.chat.will("thread_replies", reply{result: structured(object("messages", listed))})
	d.tickFor(6 * time.Second)
	if d.run("r-1").Status != store.Started || d.data("replies_read") != "" {
		t.Errorf("what stood there before answers it: %s", d.told())
	}
	d.sound()
}

// A reply to one of two requests that was answered elsewhere meanwhile does not
// answer the other when the tool lists it again.
func TestAReplyToARequestThatWasAnsweredMeanwhile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", inChannel)
	d.tick()
	d.ask("r-2", inChannel)
	d.tick()
	ambiguous := lists("90", "approve")
	ambiguous.during = func() {
		given := request.Given{Answer: object("verdict", "revise"), By: request.Caller{ID: "user_1"}}
		if _, err := request.Answer(d.Store, "r-1", given, run.Answered); err != nil {
			t.Error(err)
		}
	}
	d.chat.will("thread_replies", ambiguous, lists("90", "approve"))
	d.tickFor(16 * time.Second)
	if d.run("r-2").Status != store.Started {
		t.Errorf("it answers the other: %s", d.told())
	}
	d.sound()
}

// A reply past those that are recorded stays refused when the tool lists it again.
func TestAReplyPastThoseThatAreRecorded(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", inChannel)
	d.tick()
	d.ask("r-2", inChannel)
	d.tick()
	for range store.MostRefused + 1 {
		d.chat.says("U-priya", "approve", "")
	}
	deaf := d.chat.made("")
	d.tickFor(6 * time.Second)
	if d.request("r-1").Refused != store.MostRefused || len(deaf) != 2 {
		t.Fatalf("%d are refused", d.request("r-1").Refused)
	}
	if _, err := d.EndRequest("r-1", run.Cancelled()); err != nil {
		t.Fatal(err)
	}
	d.chat.will("thread_replies", lists("13", "approve"))
	d.tickFor(12 * time.Second)
	if d.run("r-2").Status != store.Started {
		t.Errorf("it answers the other: %s", d.told())
	}
	d.sound()
}
