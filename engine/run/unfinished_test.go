package run_test

// This file makes runs that called tools again under their id, and ends those
// whose process went away (reasoning format, "When a tool-calling run cannot
// finish").

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// TestTheIDOfARunWithTools asks for each ended run a second time.
func TestTheIDOfARunWithTools(t *testing.T) {
	t.Parallel()
	refused := double.Fail(wire.OpenAI, 401, "invalid_api_key", "no")
	for _, c := range []struct {
		name    string
		with    equipped
		replies []double.Reply
		again   string // the kind and because; empty: it runs again or is given as recorded
		made    bool   // again
		words   string
	}{
		{name: "only read", replies: oneEach(1, refused), again: "tools_called only_read", words: "nothing was changed"},
		{name: "acted", replies: []double.Reply{calls("notes__post_message", `{}`), refused}, again: "tools_called ", words: "notes/post_message may have changed something"},
		{name: "both", replies: []double.Reply{calls("notes__echo", `{}`, "notes__post_message", `{}`), refused}, again: "tools_called ", words: "notes/echo and notes/post_message"},
		{name: "refused content", replies: oneEach(1, double.Give(wire.OpenAI, double.Answer{Refusal: "No."})), again: "tools_called only_read"},
		{name: "too long", replies: oneEach(1, double.Fail(wire.OpenAI, 413, "", "long")), again: "tools_called only_read"},
		{name: "success", replies: oneEach(1, say)},
		{name: "no call", replies: []double.Reply{refused}, made: true},
		{name: "no server", with: equipped{down: true}, replies: []double.Reply{say}, made: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, c.with, c.replies...)
			first := w.do(t, request(noted(""), spring))
			sent, received := w.everySent(), len(w.model.Requests())
			if c.again != "" {
				rejection := w.refuses(t, request(noted(""), spring))
				if got := rejection.Kind + " " + rejection.Because; got != c.again || rejection.Status != 409 || !strings.Contains(rejection.Detail, c.words) {
					t.Errorf("again it is %+v", rejection)
				}
			} else {
				second := w.do(t, request(noted(""), spring))
				if made := second.Attempt > first.Attempt; made != c.made {
					t.Errorf("again it is %s", value.JSON(second.Value()))
				}
			}
			if w.everySent() != sent || !c.made && len(w.model.Requests()) != received {
				t.Errorf("tools or the model were called again")
			}
		})
	}
}

// TestAStartedRunWithTools wants an id to be refused as tools_called while its
// run is at work, also before the first call.
func TestAStartedRunWithTools(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "runs.db")
	asked, release := make(chan struct{}), make(chan struct{})
	slow := say
	slow.Before = func() {
		close(asked)
		<-release
	}
	first := newWorkshop(t, equipped{file: file}, slow)
	var wait sync.WaitGroup
	wait.Go(func() { first.do(t, request(noted(""), spring)) })
	patience.Receive(t, asked)
	second := newWorkshop(t, equipped{file: file}, say)
	if rejection := second.refuses(t, request(noted(""), spring)); rejection.Kind != "tools_called" || rejection.Because != "" || !strings.Contains(rejection.Detail, "in progress") {
		t.Errorf("meanwhile it is %+v", rejection)
	}
	close(release)
	wait.Wait()
}

// TestACutOffRunWithTools ends runs whose process went away by what their history
// says they called.
func TestACutOffRunWithTools(t *testing.T) {
	t.Parallel()
	started := func(number float64, tool string, reads bool) store.Event {
		data := value.Build([]string{"number", "server", "tool"}, []value.Value{number, "notes", tool})
		if reads {
			data.Set("read_only", true)
		}
		return store.Event{Type: "tool_call_started", Data: data}
	}
	unsent := func(number float64) store.Event {
		return store.Event{Type: "tool_call_failed", Data: value.Build([]string{"number", "sent"}, []value.Value{number, false})}
	}
	for name, c := range map[string]struct {
		events []store.Event
		kind   string
		again  string
	}{
		"nothing":                {nil, "interrupted", ""},
		"a call":                 {[]store.Event{started(1, "echo", true)}, "tools_unfinished", "tools_called only_read"},
		"a call that acts":       {[]store.Event{started(1, "echo", true), started(2, "post_message", false)}, "effect_unknown", "tools_called "},
		"a call that never left": {[]store.Event{started(1, "post_message", false), unsent(1)}, "interrupted", ""},
		"an earlier one that never left": {
			[]store.Event{started(1, "post_message", false), unsent(1), started(1, "post_message", false)}, "effect_unknown", "tools_called "},
	} {
		for _, way := range []string{"asked for again", "settled"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "runs.db")
				gone := newWorkshop(t, equipped{file: file})
				asked := request(noted(""), spring)
				if _, _, err := gone.owner.Start(store.Beginning{
					ID: asked.ID, Type: "reasoning", Name: "review", Source: asked.Source, Input: asked.Input.(*value.Object), Events: []store.Event{{Type: "run_started"}},
				}); err != nil {
					t.Fatal(err)
				}
				if len(c.events) > 0 {
					if _, err := gone.owner.Append(asked.ID, c.events...); err != nil {
						t.Fatal(err)
					}
				}
				if err := gone.owner.Close(); err != nil {
					t.Fatal(err)
				}
				w := newWorkshop(t, equipped{file: file}, say)
				if way == "settled" {
					if settled, err := w.Settle(); settled != 1 || err != nil {
						t.Fatalf("Settle gives %d, %v", settled, err)
					}
				}
				if c.again == "" {
					if ended := w.do(t, asked); ended.Status != store.Succeeded || ended.Attempt != 2 {
						t.Errorf("the run is %s", value.JSON(ended.Value()))
					}
					return
				}
				rejection := w.refuses(t, asked)
				if got := rejection.Kind + " " + rejection.Because; got != c.again {
					t.Errorf("again it is %+v", rejection)
				}
				ended, err := w.house.store.Get(asked.ID)
				if err != nil || ended.Kind != c.kind || ended.Rejection.Because != "interrupted" || !ended.Final {
					t.Errorf("the run is %s, %v", value.JSON(ended.Value()), err)
				}
				if w.everySent() != 0 || len(w.model.Requests()) != 0 {
					t.Errorf("tools or the model were called")
				}
			})
		}
	}
}

// TestInterruptedAfterACall interrupts a run while its model thinks over what a tool
// answered.
func TestInterruptedAfterACall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorkshop(t, equipped{}, calls("notes__post_message", `{}`), double.Reply{Fault: double.Silence, Waiting: cancel})
	ended, err := w.Do(ctx, request(noted(""), spring))
	if err != nil || ended.Status != store.Failed || ended.Kind != "interrupted" || !strings.Contains(ended.Rejection.Detail, "notes/post_message may have changed something") {
		t.Errorf("the run is %+v, %v", ended, err)
	}
	if rejection := w.refuses(t, request(noted(""), spring)); rejection.Kind != "tools_called" {
		t.Errorf("again it is %+v", rejection)
	}
}

// TestACallThatCannotBeRecorded takes a run away from its process before its call,
// and wants none to be sent.
func TestACallThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	for _, typeName := range []string{"reasoning", "lookup"} {
		w := newWorkshop(t, equipped{})
		take := sync.OnceFunc(func() {
			other, err := w.house.store.Own("auto work")
			if err == nil {
				t.Cleanup(func() { other.Close() })
				w.owner.Close()
				_, err = other.TakeOver("review-1")
			}
			if err != nil {
				t.Error(err)
			}
		})
		asked := asks("lookup", calling("post_message", ""), "{}")
		if typeName == "reasoning" {
			asked = request(noted(""), spring)
			first := calls("notes__post_message", `{}`)
			first.Before = take
			w.model.Script(first, say)
		} else {
			w.beforeList = take
		}
		if _, err := w.Do(t.Context(), asked); !errors.Is(err, store.ErrNotClaimed) {
			t.Errorf("%s: Do gives %v", typeName, err)
		}
		if sent := w.everySent(); sent != 0 {
			t.Errorf("%s: %d calls were sent", typeName, sent)
		}
	}
}
