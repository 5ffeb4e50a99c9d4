package acceptance_test

// This file has several processes share the work, and the world change while a
// request waits.

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/store"
)

// A process that takes long over a call, but lives, keeps it: no other one makes the
// call, however much time has passed.
func TestASlowProcessIsNotTakenForDead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ tool, said string }{
		"sending": {post, ""}, "reading": {read, rightReply}, "telling": {post, wrongReply},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.ask("r-1")
			slow, other := p.handBy(nil), p.hand()
			if c.said != "" {
				other.tick(t)
				p.chat.reply(owner, p.message("r-1"), owner, c.said)
				p.Advance(time.Minute)
			}
			before := len(p.chat.called(c.tool))
			stops := p.chat.hold(c.tool, beforeIt)
			done := make(chan struct{})
			go func() {
				defer close(done)
				slow.tick(t)
			}()
			patience.Receive(t, stops.reached)
			for range 5 {
				p.Advance(61 * time.Second)
				other.tick(t)
			}
			if made := len(p.chat.called(c.tool)) - before; made != 1 {
				t.Errorf("the call was made %d times", made)
			}
			close(stops.let)
			patience.Receive(t, done)
			p.goOn("r-1", c.said)
			if attempts := p.request("r-1").Attempts; len(attempts) != 1 || attempts[0].Because != "" {
				t.Errorf("the attempts are %+v", attempts)
			}
			p.sound()
		})
	}
}

// A worker that is stopped waits five seconds for a call under way. The attempt then
// counts as lost, like that of a process that is gone.
func TestAWorkerStoppedInACall(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ask("r-1")
	h := p.hand()
	stops := p.chat.hold(post, beforeIt)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := h.Tick(ctx)
		done <- err
	}()
	patience.Receive(t, stops.reached)
	stop()
	p.await(t, 5*time.Second)
	p.Advance(5 * time.Second)
	if err := patience.Receive(t, done); err != nil {
		t.Error(err)
	}
	attempts := p.request("r-1").Attempts
	if len(attempts) != 1 || attempts[0].Because != "lost" {
		t.Fatalf("the attempts are %+v", attempts)
	}
	p.goOn("r-1", "")
	p.mustEnd("r-1", `{"verdict":"revise","note":"name a goal"}`)
}

// A request goes on as it was asked, whatever becomes of its document.
func TestTheDocumentChangesMeanwhile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.auto(0, running("r-1")...)
	source := p.read("interaction/" + function + ".md")
	p.write("interaction/"+function+".md", strings.NewReplacer("enum: [approve, revise]", "enum: [yes, 'no']", "thread_replies", "channel_history").Replace(source))
	p.auto(0, running("r-2")...) // and is asked anew beside it
	p.chat.reply(owner, p.message("r-1"), owner, rightReply)
	p.Advance(2 * time.Minute)
	p.auto(0, "work", "--once")
	p.mustEnd("r-1", `{"verdict":"approve","note":"ready to launch"}`)
	if _, said := p.auto(1, "answer", "r-2", "verdict=approve"); !strings.Contains(said, "Expected one of yes, no") {
		t.Errorf("the other request: %s", said)
	}
	p.auto(0, "answer", "r-2", "verdict=yes")
	p.mustEnd("r-2", `{"verdict":"yes"}`)
}

// A tool that the playbook may not use any more fails the attempt, and the request
// stays open for an answer.
func TestTheToolGoesAwayMeanwhile(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]string{
		"the server":      "",
		"the tool":        "    allowed: [thread_replies]\n",
		"the server down": "down",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.ask("r-1")
			because := "tool_not_offered"
			switch settings {
			case "":
				p.write("auto.yaml", "")
			case "down":
				p.chat.down()
				because = "server_failure"
			default:
				p.write("auto.yaml", p.chat.settings()+settings)
			}
			out, _ := p.auto(0, "work", "--once")
			request := p.request("r-1")
			if len(request.Attempts) != 1 || request.Attempts[0].Because != because || request.Delivery != store.Retrying {
				t.Errorf("it is %s after %+v:\n%s", request.Delivery, request.Attempts, out)
			}
			if !strings.Contains(out, because) {
				t.Errorf("auto work says %q", out)
			}
			p.auto(0, "answer", "r-1", "verdict=approve")
			p.mustEnd("r-1", `{"verdict":"approve"}`)
		})
	}
}
