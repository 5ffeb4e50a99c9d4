package tui

// This file keeps a fault of the program from leaving the terminal as the inbox had
// it: the inbox ends in order, and gives what happened and what was typed.

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// A Crash is a panic, as an error that ended the inbox. Sent to the inbox as a
// message, it ends it.
type Crash struct {
	What  string
	Stack []byte
}

func (c *Crash) Error() string { return c.What }

// Caught gives the crash of what recover gave, called in the function that recovered.
func Caught(panicked any) *Crash {
	return &Crash{What: fmt.Sprint(panicked), Stack: debug.Stack()}
}

// Crash is why the inbox ended, nil when nothing failed in it.
func (m *Inbox) Crash() *Crash { return m.crash }

// guard gives a command whose panic becomes a message.
func (m *Inbox) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if panicked := recover(); panicked != nil {
				msg = Caught(panicked)
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			guarded := make(tea.BatchMsg, len(batch))
			for i := range batch {
				guarded[i] = m.guard(batch[i])
			}
			return guarded
		}
		return msg
	}
}

// Update takes a message and gives the commands that follow from it.
func (m *Inbox) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	model = m
	defer func() {
		if panicked := recover(); panicked != nil {
			cmd = m.crashed(Caught(panicked))
		}
	}()
	if crash, ok := msg.(*Crash); ok {
		return m, m.crashed(crash)
	}
	return m, m.guard(m.take(msg))
}

// View draws the screen.
func (m *Inbox) View() (view tea.View) {
	defer func() {
		if panicked := recover(); panicked != nil {
			m.crashed(Caught(panicked))
			if m.options.Stop != nil {
				m.options.Stop()
			}
		}
	}()
	return m.draw()
}

// crashed ends the inbox. What was typed is gathered now, as far as that goes.
func (m *Inbox) crashed(crash *Crash) tea.Cmd {
	if m.crash == nil {
		m.crash, m.closed = crash, true
		func() {
			defer func() { recover() }() // the form itself may be what failed
			m.keepDraft()
		}()
		m.form = nil
	}
	return tea.Quit
}
