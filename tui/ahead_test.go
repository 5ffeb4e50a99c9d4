package tui

// This file tests what is typed for a form that is not there yet, since the request is
// still being read.

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/engine/value"
)

// hold sends keys and keeps the commands that follow from them.
func (r *driver) hold(keys ...string) (held []tea.Cmd) {
	for _, key := range keys {
		_, cmd := r.inbox.Update(keyOf(key))
		held = append(held, cmd)
	}
	return held
}

func (r *driver) release(held []tea.Cmd) {
	r.t.Helper()
	for _, cmd := range held {
		r.do(cmd)
	}
}

func TestTypingAheadOfTheForm(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.inbox.list.Select(r.desk.requests[3].RunID)
	held := r.hold("j", "j", "a", "r", "enter")
	for _, key := range "cy n" { // cancels, where it is no text
		if key == ' ' {
			held = append(held, r.hold("space")...)
			continue
		}
		held = append(held, r.hold(string(key))...)
	}
	_, cmd := r.inbox.Update(tea.PasteMsg{Content: "pasted"})
	held = append(held, cmd)
	r.shows("Opening the form…", "esc back")
	r.hides("Cancel this request")
	r.release(held)
	r.shows("answer check-terms", "(•) revise", "cy npasted")

	// A review is not gone through unseen.
	r = drive(t, office(), 80, 24, plain())
	r.release(r.hold("j", "a", "a", "ctrl+s", "enter", "enter"))
	if len(r.desk.answers) != 0 {
		t.Errorf("sent unseen: %v", r.desk.answers)
	}
	// esc goes back, and what was typed for the form is none for the list.
	r = drive(t, office(), 80, 24, plain())
	held = r.hold("j", "j", "a", "q", "c", "esc")
	r.release(held)
	r.shows("5 open")
	r.hides("Cancel this request")
}

func TestAnswerWhatCouldNotBeReadAtFirst(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("j", "j", "k")
	r.desk.failing = errHeld
	r.press("j", "a")
	r.shows("The request cannot be read", "esc back")
	for _, key := range "r" {
		r.press(string(key))
	}
	r.press("enter")
	r.write("typed meanwhile")
	r.desk.failing = nil
	r.pass(time.Second)
	r.shows("answer check-terms", "(•) revise", "typed meanwhile")
	for _, draft := range r.inbox.Drafts() {
		if !strings.Contains(value.JSON(draft), "typed meanwhile") {
			t.Errorf("kept %s", value.JSON(draft))
		}
	}
	// A run that is gone takes no answer, and the keys are those of the list again.
	r = drive(t, office(), 80, 24, plain())
	held := r.hold("j", "a", "x")
	r.desk.requests = nil
	r.release(held)
	r.press("q")
	r.shows("5 open")
}
