package form

// This file takes the mouse: a click goes to a field, takes an option or presses a
// button, but never sends; the wheel scrolls.

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/tui/cells"
)

// perTurn is how many lines a turn of the wheel scrolls.
const perTurn = 3

func (f *Form) wheel(button tea.MouseButton) {
	by := map[tea.MouseButton]int{tea.MouseWheelUp: -perTurn, tea.MouseWheelDown: perTurn}[button]
	switch f.state {
	case Reviewing:
		f.review.top += by
	case Editing:
		f.top, f.away = f.top+by, true
	}
}

// click takes a click on a cell that is counted from the form's first.
func (f *Form) click(x, y int) {
	f.said = ""
	switch f.state {
	case Reviewing:
		f.clickReview(x, y)
	case Editing:
		f.clickField(x, f.top+y)
	}
}

// clickField takes a click on a line of the form, whether it is shown or not.
func (f *Form) clickField(x, y int) {
	at := 0
	for i, b := range f.blocks() {
		if i > 0 && f.options.Height >= roomy {
			at++
		}
		if y >= at+len(b.lines) || b.stop < 0 || y < at {
			at += len(b.lines)
			continue
		}
		f.goTo(b.stop)
		s := f.here()
		switch s.kind {
		case addStop:
			f.add(s.entry)
		case reviewStop:
			f.startReview(false)
		}
		for _, each := range b.spots {
			if y-at == each.line && x >= each.from && x < each.to {
				f.choose(s.entry, each.option, true)
			}
		}
		return
	}
}

// clickReview goes to what is wrong, or points at a button; only enter sends.
func (f *Form) clickReview(x, y int) {
	lines := strings.Split(f.viewReview(), "\n")
	r := &f.review
	switch {
	case y < 0 || y >= len(lines):
	case len(r.faults) > 0:
		line := 2 // below the title
		for i, each := range r.faults {
			tall := 1 + len(cells.Wrap(each.words, max(f.options.Width, minWidth)-6))
			if r.top+y >= line && r.top+y < line+tall {
				r.at = i
				f.back(each.entry)
				return
			}
			line += tall
		}
	case y == len(lines)-1 && f.over:
		if x < len("[ Back ]") {
			f.back(nil)
		}
	case y == len(lines)-1 && x < len("[ Send ]"):
		r.at = 0
	case y == len(lines)-1 && x < len("[ Send ]  [ Back ]"):
		f.back(nil)
	}
}
