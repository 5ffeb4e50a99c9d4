package tui

// This file tests that a fault of the program ends the inbox in order, with what was
// typed.

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/desk"
)

// brittle is a desk that panics.
type brittle struct {
	*memory
	list, request bool
}

func (b *brittle) List() ([]desk.Row, error) {
	if b.list {
		panic("the list broke")
	}
	return b.memory.List()
}

func (b *brittle) Request(id string) (*engine.AskedRequest, error) {
	if b.request {
		panic(errors.New("the request broke"))
	}
	return b.memory.Request(id)
}

func TestAPanicEndsTheInboxInOrder(t *testing.T) {
	t.Parallel()
	typed := func(t *testing.T, r *driver) {
		t.Helper()
		if len(r.inbox.Drafts()) != 1 || value.JSON(r.inbox.Drafts()[r.desk.requests[3].RunID]) != `{"verdict":"revise"}` {
			t.Errorf("what was typed is %v", r.inbox.Drafts())
		}
	}
	for name, test := range map[string]struct {
		fails func(*driver)
		what  string
	}{
		"in a command": {func(r *driver) {
			r.inbox.desk.(*brittle).list = true
			r.pass(1e9)
		}, "the list broke"},
		"in a command of several": {func(r *driver) {
			r.inbox.desk.(*brittle).list = true
			r.send(tickMsg(start))
		}, "the list broke"},
		"in an update": {func(r *driver) {
			r.inbox.list = nil
			r.send(tea.WindowSizeMsg{Width: 90, Height: 30})
		}, "nil pointer"},
		"in the drawing": {func(r *driver) {
			r.inbox.reader = nil
			r.send(tea.PasteMsg{Content: "x"}) // nothing but the drawing reads it
			r.inbox.View()
		}, "nil pointer"},
		"in other work": {func(r *driver) { r.send(&Crash{What: "the work broke"}) }, "the work broke"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, stopped := office(), false
			options := plain()
			options.Stop = func() { stopped = true }
			r := drive(t, d, 120, 24, options)
			r.inbox.desk = &brittle{memory: d}
			r.press("a", "r")
			d.changes++
			test.fails(r)
			crash := r.inbox.Crash()
			if crash == nil || !strings.Contains(crash.Error(), test.what) {
				t.Fatalf("it ended by %v, want %s", crash, test.what)
			}
			if name != "in other work" && !strings.Contains(string(crash.Stack), "panic") {
				t.Errorf("the stack is\n%s", crash.Stack)
			}
			if !r.quit && !stopped {
				t.Error("the program goes on")
			}
			if content := r.inbox.View().Content; content != "" {
				t.Errorf("it still draws %q", content)
			}
			typed(t, r)
		})
	}
}

func TestPreparedList(t *testing.T) {
	t.Parallel()
	d := office()
	options := plain()
	r := &driver{t: t, desk: d}
	options.FixedProfile = true
	options.Now, options.Tick = drive(t, d, 80, 24, options).inbox.options.Now, drive(t, d, 80, 24, options).inbox.options.Tick
	r.inbox = New(d, options)
	before := d.lists
	r.inbox.Prepare()
	r.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	r.hides("Reading", "Nothing waits") // nothing that would only flash
	r.do(r.inbox.Init())
	r.shows("5 open", "▌ approve-campaign-brief")
	if d.lists != before+1 {
		t.Errorf("the list was read %d times", d.lists-before)
	}

	r.inbox = New(&brittle{memory: d, list: true}, options)
	r.inbox.Prepare()
	r.do(r.inbox.Init())
	if crash := r.inbox.Crash(); crash == nil || crash.What != "the list broke" || !r.quit {
		t.Errorf("it ended by %v", crash)
	}
}
