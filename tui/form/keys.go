package form

// This file says what each key does, and does it.

import (
	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/tui/form/plan"
)

// Key is a key, or some that go together, and what it does, for a line of help.
type Key struct {
	Press string
	Does  string
}

// Keys gives the keys that mean something where the person is, the most wanted
// first.
func (f *Form) Keys() []Key {
	if f.state == Reviewing {
		return f.reviewKeys()
	}
	keys := append([]Key{}, f.keysHere()...)
	s := f.here()
	if s.entry != nil && itemAround(s.entry) != nil {
		keys = append(keys, Key{"ctrl+d", "remove the item"}, Key{"alt+↑/↓", "move the item"})
	}
	if s.entry != nil && len(s.entry.Field.Blanks()) > 1 && !s.entry.Given() {
		keys = append(keys, Key{"ctrl+n", "left out, empty or null"})
	}
	if s.kind != reviewStop {
		keys = append(keys, Key{"ctrl+s", "review"})
	}
	return append(keys, Key{"esc", "back"}, Key{"tab", "next field"}, Key{"shift+tab", "field before"}, Key{"ctrl+z", "take back"})
}

// keysHere are the keys of the kind of stop alone.
func (f *Form) keysHere() []Key {
	s := f.here()
	switch s.kind {
	case addStop:
		return []Key{{"enter", "add an item"}}
	case reviewStop:
		return []Key{{"enter", "review"}}
	case groupStop:
		return []Key{{"enter", "go on"}}
	}
	switch field := s.entry.Field; {
	case field.Kind == plan.Choice && len(field.Choices) > fewOptions:
		return []Key{{"a letter", "find"}, {"↑/↓", "move"}, {"enter", "choose"}}
	case field.Kind == plan.Choice && f.inOneLine(s.entry):
		return []Key{{"←/→", "move"}, {"enter", "choose"}, {"a letter", "choose"}}
	case field.Kind == plan.Choice:
		return []Key{{"↑/↓", "move"}, {"enter", "choose"}, {"a letter", "choose"}}
	case field.Kind == plan.Number:
		return []Key{{"enter", "go on"}}
	}
	keys := []Key{{"enter", "go on"}, {"ctrl+j", "new line"}}
	if f.options.Editor != nil {
		keys = append(keys, Key{"ctrl+e", "open the editor"})
	}
	return keys
}

// press takes a key while the fields are shown.
func (f *Form) press(msg tea.KeyPressMsg) tea.Cmd {
	key, text := msg.String(), msg.Text
	if msg.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper) != 0 {
		text = ""
	}
	s := f.here()
	switch key {
	case "esc":
		f.escape()
		return nil
	case "ctrl+s":
		f.startReview(true)
		return nil
	case "tab":
		f.goTo((f.focus + 1) % len(f.stops))
		return nil
	case "shift+tab":
		f.goTo((f.focus + len(f.stops) - 1) % len(f.stops))
		return nil
	case "ctrl+d":
		f.remove()
		return nil
	case "alt+up":
		f.move(-1)
		return nil
	case "alt+down":
		f.move(1)
		return nil
	case "ctrl+n":
		f.nextBlank()
		return nil
	case "ctrl+z":
		f.undo()
		return nil
	case "ctrl+e":
		return f.openEditor()
	}
	if f.stopKey(s, key, text) {
		return nil
	}
	switch key {
	case "enter":
		f.enter()
	case "up":
		f.goTo(f.focus - 1)
	case "down":
		f.goTo(f.focus + 1)
	case "pgup":
		f.goTo(f.focus - max(f.options.Height/4, 1))
	case "pgdown":
		f.goTo(f.focus + max(f.options.Height/4, 1))
	}
	return nil
}

// stopKey takes a key by the kind of stop, and tells whether it meant anything there.
func (f *Form) stopKey(s stop, key, text string) bool {
	switch {
	case s.kind == addStop && (key == "enter" || key == "space" || key == "+"):
		f.add(s.entry)
	case s.kind == addStop && text != "":
		if f.add(s.entry) {
			f.stopKey(f.here(), key, text)
		}
	case s.kind == reviewStop && text != "" && key != "space":
		f.said = "Nothing is typed here: shift+tab goes back to the fields"
	case s.kind != fieldStop:
		return false
	case s.entry.Field.Kind == plan.Choice:
		return f.choiceKey(s.entry, key, text)
	default:
		return f.textKey(s.entry, key, text)
	}
	return true
}

// textKey takes a key at a field that is typed in.
func (f *Form) textKey(e *plan.Entry, key, text string) bool {
	m := f.markOf(e)
	m.cursor = min(m.cursor, len(e.Text))
	if to, has := moves[key]; has {
		m.cursor, m.goal = to(e.Text, m.cursor), -1
		return true
	}
	if to, has := cuts[key]; has {
		if key == "backspace" && e.Text == "" && e.Blank != e.Field.Blanks()[0] {
			f.remember(e, false)
			e.Blank = e.Field.Blanks()[0]
			f.changed(e)
			return true
		}
		f.cut(e, to(e.Text, m.cursor))
		return true
	}
	switch key {
	case "up":
		return m.vertical(e.Text, f.textWidth(e), -1)
	case "down":
		return m.vertical(e.Text, f.textWidth(e), 1)
	case "ctrl+j", "alt+enter", "shift+enter", "ctrl+enter":
		if e.Field.Kind != plan.Number {
			f.insert(e, "\n")
		}
		return true
	}
	if text == "" {
		return false
	}
	f.insert(e, clean(text))
	return true
}

// escape goes back: out of a search, or out of the form. It decides nothing.
func (f *Form) escape() {
	if s := f.here(); s.kind == fieldStop && f.markOf(s.entry).filter != "" {
		f.markOf(s.entry).arrive(s.entry)
		return
	}
	f.leave()
	f.state = Left
}

// enter goes on from a stop.
func (f *Form) enter() {
	if f.here().kind == reviewStop {
		f.startReview(false)
		return
	}
	f.goTo(f.focus + 1)
}

// nextBlank changes what a blank field counts as.
func (f *Form) nextBlank() {
	e := f.here().entry
	switch {
	case e == nil:
	case e.Given():
		f.said = "Something is given here: take it away first"
	case len(e.Field.Blanks()) < 2:
		f.said = "While it is blank, this field is left out"
	default:
		f.remember(e, false)
		e.NextBlank()
		e.Touched = true
		f.changed(e)
	}
}

// openEditor opens the person's editor on the text of a field.
func (f *Form) openEditor() tea.Cmd {
	s := f.here()
	if f.options.Editor == nil || s.kind != fieldStop {
		return nil
	}
	switch s.entry.Field.Kind {
	case plan.Text:
		f.edits = s.entry
		return f.options.Editor(s.entry.Text, ".md")
	case plan.JSON:
		f.edits = s.entry
		return f.options.Editor(s.entry.Text, ".json")
	}
	return nil
}
