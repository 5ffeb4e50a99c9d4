package tui

// This file begins what the first screen needs before the inbox is shown.

import (
	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/tui/cells"
)

// Prepare begins to read the list, which Init then waits for, so that it is read while
// the terminal is made ready.
func (m *Inbox) Prepare() {
	go cells.Warm()
	read, first := m.guard(m.read()), make(chan tea.Msg, 1)
	go func() { first <- read() }()
	m.begun = func() tea.Msg { return <-first }
}

// begin reads the list, or goes on with what Prepare began.
func (m *Inbox) begin() tea.Cmd {
	if m.begun == nil {
		return m.read()
	}
	begun := m.begun
	m.begun = nil
	return begun
}
