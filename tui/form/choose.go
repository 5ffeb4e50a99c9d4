package form

// This file chooses among the options of a field: by a letter of its own, by moving
// to one, or, where there are many, by typing a part of it.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/form/plan"
)

// fewOptions is how many options have letters of their own; more are found by what
// is typed.
const fewOptions = 8

const longestFilter = 200 // bytes

// letters gives each option its letter: the first of its label that no option before
// it has; 0 for none, and none at all where there are many options.
func letters(options []plan.Option) []rune {
	given := make([]rune, len(options))
	if len(options) > fewOptions {
		return given
	}
	taken := map[rune]bool{}
	for i, each := range options {
		for _, r := range each.Label {
			r = unicode.ToLower(r)
			if (unicode.IsLetter(r) || unicode.IsDigit(r)) && !taken[r] {
				taken[r], given[i] = true, r
				break
			}
		}
	}
	return given
}

// inOneLine tells whether the options stand beside each other, so that up and down
// go to other fields.
func (f *Form) inOneLine(e *plan.Entry) bool {
	if len(e.Field.Choices) > fewOptions {
		return false
	}
	wide := -optionGap
	for _, each := range e.Field.Choices {
		if each.Hint != "" {
			return false
		}
		wide += optionMark + cells.Width(each.Label) + optionGap
	}
	return wide <= f.optionWidth(e)
}

// The cells before an option's label, and between two options of a line.
const (
	optionMark = 4
	optionGap  = 3
)

// optionWidth is how many cells there are for options.
func (f *Form) optionWidth(e *plan.Entry) int { return f.width() - f.indent(e) - 2 }

// found gives the places of the options that a filter leaves: those that begin with
// it first.
func found(options []plan.Option, filter string) []int {
	filter = strings.ToLower(strings.TrimSpace(filter))
	var begin, hold []int
	for i, each := range options {
		label := strings.ToLower(each.Label)
		switch {
		case strings.HasPrefix(label, filter):
			begin = append(begin, i)
		case strings.Contains(label, filter):
			hold = append(hold, i)
		}
	}
	return append(begin, hold...)
}

// filterBy shows the options that hold some text, and points at the first.
func (f *Form) filterBy(e *plan.Entry, filter string) {
	m := f.markOf(e)
	if len(e.Field.Choices) <= fewOptions {
		return
	}
	m.filter = filter[:min(len(filter), longestFilter)]
	m.option = -1
	if left := found(e.Field.Choices, m.filter); m.filter != "" && len(left) > 0 {
		m.option = left[0]
	}
}

// pointAt moves to the option some places on among those that are shown, and tells
// whether there was one.
func (m *mark) pointAt(e *plan.Entry, by int) bool {
	shown := found(e.Field.Choices, m.filter)
	at := -1
	for i, each := range shown {
		if each == m.option {
			at = i
		}
	}
	if at < 0 && by < 0 {
		return false
	}
	to := at + by
	if to < 0 || to >= len(shown) {
		if by == 1 || by == -1 || len(shown) == 0 {
			return false
		}
		to = min(max(to, 0), len(shown)-1)
	}
	m.option = shown[to]
	return true
}

// choose takes an option; the chosen one of an optional field is let go again.
func (f *Form) choose(e *plan.Entry, option int, letGo bool) {
	switch {
	case option < 0 || option >= len(e.Field.Choices):
		return
	case e.Chosen == option && letGo && !e.Field.Required:
		f.remember(e, false)
		e.Chosen = -1
	case e.Chosen != option:
		f.remember(e, false)
		e.Chosen = option
	}
	f.markOf(e).option = option
	e.Touched = true
	f.changed(e)
}

// letGo chooses nothing.
func (f *Form) letGo(e *plan.Entry) {
	if e.Chosen >= 0 {
		f.remember(e, false)
		e.Chosen = -1
		f.changed(e)
	}
}

// choiceKey takes a key at a choice, and tells whether it meant anything there.
func (f *Form) choiceKey(e *plan.Entry, key, text string) bool {
	m := f.markOf(e)
	switch key {
	case "left":
		m.pointAt(e, -1)
		return true
	case "right":
		m.pointAt(e, 1)
		return true
	case "up":
		return !f.inOneLine(e) && m.pointAt(e, -1)
	case "down":
		return !f.inOneLine(e) && m.pointAt(e, 1)
	case "pgup":
		return m.pointAt(e, -windowOfOptions)
	case "pgdown":
		return m.pointAt(e, windowOfOptions)
	case "space":
		if m.filter == "" {
			f.choose(e, m.option, true)
			return true
		}
	case "backspace":
		if m.filter != "" {
			_, size := utf8.DecodeLastRuneInString(m.filter)
			f.filterBy(e, m.filter[:len(m.filter)-size])
			return true
		}
		f.letGo(e)
		return true
	case "delete":
		f.letGo(e)
		return true
	case "enter":
		if m.option >= 0 {
			f.choose(e, m.option, false)
		}
		return false // and go on
	}
	if text == "" {
		return false
	}
	r := unicode.ToLower([]rune(text)[0])
	for i, letter := range letters(e.Field.Choices) {
		if letter == r && letter != 0 {
			f.choose(e, i, false)
			return true
		}
	}
	f.filterBy(e, m.filter+text)
	return true
}
