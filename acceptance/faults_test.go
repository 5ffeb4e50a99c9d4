package acceptance_test

// This file has the chat fail in every way, at each thing that a request wants of
// it.

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// fault is a way in which a call of a tool fails.
type fault struct {
	name    string
	of      string // as the chat's fault; empty for silence and for a chat that is down
	down    bool
	because string
	asks    time.Duration // of Retry-After
}

var faults = []fault{
	{name: "tool error", of: toolError, because: "tool_error"},
	{name: "arguments refused", of: double.Error + "-32602:No such channel", because: "arguments_refused"},
	{name: "server error", of: double.Error + "-32603:Internal error", because: "server_failure"},
	{name: "too many calls", of: double.Status + "429:150", because: "server_failure", asks: 150 * time.Second},
	{name: "bad gateway", of: double.Status + "502", because: "server_failure"},
	{name: "redirect", of: double.Redirect + "http://127.0.0.1:1/mcp", because: "server_failure"},
	{name: "silence", because: "timed_out"},
	{name: "garbage", of: double.Garbage, because: "server_failure"},
	{name: "wrong id", of: double.WrongID, because: "server_failure"},
	{name: "no result", of: double.NoResult, because: "server_failure"},
	{name: "huge answer", of: endless, because: "too_large"},
	{name: "connection refused", down: true, because: "server_failure"},
	{name: "connection cut", of: double.Die, because: "server_failure"},
	{name: "dying midway", of: double.Half, because: "server_failure"},
}

// during has a worker do what is due while calls of a tool fail.
func (f *fault) during(p *place, h *hand, tool string) {
	p.t.Helper()
	switch {
	case f.down:
		p.chat.down()
		h.tick(p.t)
		p.chat.up()
	case f.of != "":
		p.chat.fault(tool, f.of)
		h.tick(p.t)
		p.chat.behave(tool)
	default:
		silent := p.chat.hold(tool, beforeIt)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if _, err := h.Tick(context.Background()); err != nil {
				p.t.Error(err)
			}
		}()
		patience.Receive(p.t, silent.reached)
		p.Advance(29 * time.Second)
		select {
		case <-done:
			p.t.Error("the call was given up before 30 seconds")
		default:
		}
		p.Advance(time.Second)
		patience.Receive(p.t, done)
		close(silent.let)
	}
}

// last gives the last event of a type, of a run's or of the playbook's own.
func last(events []store.Event, of string) *value.Object {
	for _, e := range slices.Backward(events) {
		if e.Type == of {
			return e.Data
		}
	}
	return nil
}

func every(t *testing.T, faults []fault, try func(t *testing.T, p *place, h *hand, f *fault)) {
	for i := range faults {
		f := &faults[i]
		t.Run(strings.ReplaceAll(f.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.ask("r-1")
			try(t, p, p.hand(), f)
			p.sound()
		})
	}
}

// A request whose sending fails is sent again when its time has come, with the same
// arguments.
func TestDeliveryFails(t *testing.T) {
	t.Parallel()
	every(t, faults, func(t *testing.T, p *place, h *hand, f *fault) {
		f.during(p, h, post)
		failed := p.request("r-1")
		if failed.Delivery != store.Retrying || len(failed.Attempts) != 1 || failed.Attempts[0].Because != f.because {
			t.Fatalf("the request is %s after %+v, want because %s", failed.Delivery, failed.Attempts, f.because)
		}
		data := last(p.history("r-1"), "delivery_failed")
		because, _ := data.Get("because")
		words, _ := data.Get("message")
		if after, _ := data.Get("retry_after_ms"); because != f.because || words == "" || f.asks > 0 && after != float64(f.asks.Milliseconds()) {
			t.Errorf("the failure is recorded as %s", value.JSON(data))
		}
		wait := max(time.Minute, f.asks)
		next := h.tick(t)
		if got := next.Sub(failed.Attempts[0].Ended); got != wait {
			t.Errorf("it is sent again %s after it failed, want %s", got, wait)
		}
		p.Advance(next.Sub(p.Now()) - time.Millisecond)
		before := len(p.chat.called(post))
		if h.tick(t); len(p.chat.called(post)) != before {
			t.Error("it was sent again too soon")
		}
		p.Advance(time.Millisecond)
		h.tick(t)
		calls := p.chat.called(post)
		if len(calls) != before+1 || before > 0 && value.JSON(calls[0].arguments) != value.JSON(calls[before].arguments) {
			t.Errorf("the attempts are %v", calls)
		}
		if got, want := types(p.history("r-1")), "run_started interaction_requested delivery_started delivery_failed delivery_started delivery_succeeded"; got != want {
			t.Errorf("the history is %s, want %s", got, want)
		}
		p.mustSay("r-1", "auto: The review of your campaign brief is ready:")
		p.chat.reply(owner, p.message("r-1"), owner, "revise name a goal")
		p.Advance(time.Minute)
		h.tick(t)
		p.mustEnd("r-1", `{"verdict":"revise","note":"name a goal"}`)
	})
}

// A conversation that cannot be read is read again, and the reply is not lost.
func TestReadingFails(t *testing.T) {
	t.Parallel()
	ofReads := []fault{
		{name: "no list", of: noList, because: "no_list"},
		{name: "long answer", of: long, because: "too_large"},
	}
	every(t, append(ofReads, faults...), func(t *testing.T, p *place, h *hand, f *fault) {
		h.tick(t)
		p.chat.reply(owner, p.message("r-1"), owner, "approve")
		p.Advance(time.Minute)
		f.during(p, h, read)
		data := last(p.about(), "reading_failed")
		if because, _ := data.Get("because"); because != f.because {
			t.Errorf("the failure is recorded as %s, want because %s", value.JSON(data), f.because)
		}
		if p.run("r-1").Status != store.Started {
			t.Fatal("the run ended")
		}
		began := p.Now()
		if f.name == "silence" {
			began = began.Add(-30 * time.Second)
		}
		next := h.tick(t)
		if got, want := next.Sub(began), max(time.Minute, f.asks); got != want {
			t.Errorf("it is read again %s after it failed, want %s", got, want)
		}
		p.Advance(next.Sub(p.Now()))
		h.tick(t)
		p.mustEnd("r-1", `{"verdict":"approve"}`)
		if posts := len(p.chat.called(post)); posts != 1 {
			t.Errorf("%d messages were sent", posts)
		}
	})
}

// A telling that fails is not repeated, and the next reply is taken.
func TestTellingFails(t *testing.T) {
	t.Parallel()
	every(t, faults, func(t *testing.T, p *place, h *hand, f *fault) {
		h.tick(t)
		message := p.message("r-1")
		p.chat.reply(owner, message, owner, "Hm.")
		p.Advance(time.Minute)
		if f.down {
			p.chat.goDownAfter(read)
			h.tick(t)
			p.chat.up()
		} else {
			f.during(p, h, post)
		}
		if refused := p.request("r-1").Refused; refused != 1 {
			t.Errorf("%d replies were refused", refused)
		}
		data := last(p.about(), "telling_failed")
		if because, _ := data.Get("because"); because != f.because {
			t.Errorf("the failure is recorded as %s, want because %s", value.JSON(data), f.because)
		}
		p.chat.reply(owner, message, owner, "approve")
		p.Advance(h.tick(t).Sub(p.Now()))
		h.tick(t)
		p.mustEnd("r-1", `{"verdict":"approve"}`)
		if tellings := strings.Count(types(p.about()), "telling_started"); tellings != 1 {
			t.Errorf("it was told %d times", tellings)
		}
	})
}
