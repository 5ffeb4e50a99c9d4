package form

// This file takes back what was done last, so that a key pressed by mistake loses
// nothing.

import (
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/form/plan"
)

// mostRemembered is how many changes can be taken back.
const mostRemembered = 100

// history is what was given before each change.
type history struct {
	before []moment
	last   change
}

// moment is what was given at a time, and where the person was.
type moment struct {
	draft value.Value
	focus int
}

// change is what was changed, and whether by typing: what is typed in one go is
// taken back in one.
type change struct {
	entry  *plan.Entry
	typing bool
}

// remember takes note of what is given, before an entry changes.
func (f *Form) remember(e *plan.Entry, typing bool) {
	now := change{e, typing}
	if typing && f.history.last == now {
		return
	}
	f.history.last = now
	f.history.before = append(f.history.before, moment{f.root.Draft(), f.focus})
	if over := len(f.history.before) - mostRemembered; over > 0 {
		f.history.before = f.history.before[over:]
	}
}

// undo takes back the last change.
func (f *Form) undo() {
	last := len(f.history.before) - 1
	if last < 0 {
		f.said = "There is nothing to take back"
		return
	}
	was := f.history.before[last]
	f.history = history{before: f.history.before[:last]}
	f.root = f.plan.Entry()
	f.root.Restore(was.draft)
	f.marks = map[*plan.Entry]*mark{}
	f.refused, f.outside, f.edits = nil, nil, nil
	f.stops, f.focus = nil, was.focus
	f.arrange()
	f.check()
}
