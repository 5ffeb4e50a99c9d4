package form

// This file draws one field that is chosen or typed in.

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/form/plan"
	"github.com/beonauto/auto/tui/safe"
)

// field draws a field, and gives the line that has to be seen.
func (f *Form) field(e *plan.Entry, focused bool) (lines []string, caret int, spots []spot) {
	lines = append(lines, f.name(e, focused))
	lines = append(lines, f.hints(e, focused)...)
	var body []string
	at := 0
	if e.Field.Kind == plan.Choice {
		body, at, spots = f.choices(e, focused)
	} else {
		body, at = f.typed(e, focused)
	}
	caret = len(lines) + at
	for i := range spots {
		spots[i].line += len(lines)
	}
	lines = append(lines, body...)
	lines = append(lines, f.problem(e)...)
	return lines, caret, spots
}

// typed draws what is typed in a field, as lines beside a border.
func (f *Form) typed(e *plan.Entry, focused bool) (lines []string, caret int) {
	border := f.theme.Line.Render("│ ")
	if focused {
		border = f.theme.Accent.Render("│ ")
	}
	least, most := 1, 3
	if e.Field.Long && e.Place() < 0 && f.options.Height >= 20 {
		least = 3
	}
	if focused {
		most = max(f.options.Height/2, 3)
	}
	wanted := 0
	if !focused {
		wanted = most
	}
	all := rows(e.Text, f.textWidth(e), wanted)
	here, first := 0, 0
	if focused {
		here = rowOf(all, min(f.markOf(e).cursor, len(e.Text)))
		first = min(max(here-most/2, 0), max(len(all)-most, 0))
	}
	last := min(first+most, len(all))
	for i := first; i < last; i++ {
		lines = append(lines, border+f.row(e, all, i, focused && i == here))
	}
	if !e.Given() && e.Text == "" {
		lines[0] = border + f.placeholder(e, focused)
	}
	for len(lines) < least {
		lines = append(lines, border)
	}
	if len(all) > last && !focused {
		lines = append(lines, f.theme.Dim.Render("  … "+counted(value.Characters(e.Text), "character", "characters")+" in all"))
	}
	if count := f.counter(e, focused); count != "" {
		lines = append(lines, f.theme.Dim.Render("  "+count))
	}
	return lines, here - first
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return value.Grouped(int64(n)) + " " + many
}

// placeholder draws a field in which nothing was typed.
func (f *Form) placeholder(e *plan.Entry, focused bool) string {
	words := blankWords(e)
	style := f.theme.Dim
	if e.Blank != e.Field.Blanks()[0] {
		style = f.theme.Caution
	}
	if focused {
		return f.theme.Cursor.Render(" ") + style.Render(words)
	}
	return style.Render(words)
}

// row draws one line of a text, with the cursor if it is there.
func (f *Form) row(e *plan.Entry, all []row, i int, hasCursor bool) string {
	text := e.Text[all[i].start:all[i].end]
	if !hasCursor {
		return f.theme.Input.Render(safe.Line(text))
	}
	at := min(f.markOf(e).cursor, len(e.Text)) - all[i].start
	if at >= len(text) {
		return f.theme.Input.Render(safe.Line(text)) + f.theme.Cursor.Render(" ")
	}
	size, _ := cluster(text[at:])
	return f.theme.Input.Render(safe.Line(text[:at])) + f.theme.Cursor.Render(safe.Line(text[at:at+size])) + f.theme.Input.Render(safe.Line(text[at+size:]))
}

// counter counts the characters of a text that is near a bound or past it.
func (f *Form) counter(e *plan.Entry, focused bool) string {
	field := e.Field
	if field.Kind != plan.Text || e.Text == "" {
		return ""
	}
	n := int64(value.Characters(e.Text))
	switch {
	case field.Most >= 0 && (n > field.Most || (focused && n*5 >= field.Most*4)):
		return value.Grouped(n) + " of " + counted(int(field.Most), "character", "characters")
	case focused && n < field.Least:
		return value.Grouped(n) + " of at least " + counted(int(field.Least), "character", "characters")
	case focused && len(e.Text) > plan.MaxAnswer*4/5:
		return size(len(e.Text)) + " of " + size(plan.MaxAnswer)
	}
	return ""
}

// windowOfOptions is how many of many options are shown at once.
const windowOfOptions = 6

// choices draws the options of a choice.
func (f *Form) choices(e *plan.Entry, focused bool) (lines []string, caret int, spots []spot) {
	width := f.optionWidth(e)
	if len(e.Field.Choices) > fewOptions {
		return f.manyOptions(e, focused, width)
	}
	drawn := make([]string, len(e.Field.Choices))
	initials := letters(e.Field.Choices)
	for i := range e.Field.Choices {
		drawn[i] = f.option(e, i, initials[i], focused, width)
	}
	if f.inOneLine(e) {
		at := 0
		for i, each := range drawn {
			spots = append(spots, spot{0, at, at + cells.Width(each), i})
			at += cells.Width(each) + optionGap
		}
		return []string{strings.Join(drawn, strings.Repeat(" ", optionGap))}, 0, spots
	}
	for i, each := range e.Field.Choices {
		if i == f.markOf(e).option {
			caret = len(lines)
		}
		spots = append(spots, spot{len(lines), 0, width, i})
		lines = append(lines, drawn[i])
		if each.Hint != "" {
			for _, line := range cells.Wrap(strings.ReplaceAll(each.Hint, "\n", " "), width-4) {
				lines = append(lines, "    "+f.theme.Dim.Render(line))
			}
		}
	}
	return lines, caret, spots
}

// option draws one option with its letter.
func (f *Form) option(e *plan.Entry, i int, letter rune, focused bool, width int) string {
	mark := "( ) "
	if e.Chosen == i {
		mark = f.theme.Good.Render("(•)") + " "
	}
	label := cells.Cut(e.Field.Choices[i].Label, width-optionMark)
	style := f.theme.Text
	switch {
	case focused && f.markOf(e).option == i:
		return mark + f.theme.Selected.Render(label)
	case e.Chosen == i:
		style = f.theme.Strong
	}
	at, found := -1, 0
	if focused && letter != 0 {
		at, found = indexFold(label, letter)
	}
	if at < 0 {
		return mark + style.Render(label)
	}
	return mark + render(style, label[:at]) + f.theme.Key.Underline(true).Render(label[at:at+found]) + render(style, label[at+found:])
}

// render styles text, and leaves none as it is.
func render(style lipgloss.Style, text string) string {
	if text == "" {
		return ""
	}
	return style.Render(text)
}

// indexFold finds a letter, large or small.
func indexFold(text string, letter rune) (at, size int) {
	for i, r := range text {
		if strings.EqualFold(string(r), string(letter)) {
			return i, len(string(r))
		}
	}
	return -1, 0
}

// manyOptions draws what is chosen and, where the person is, the options that what
// was typed leaves.
func (f *Form) manyOptions(e *plan.Entry, focused bool, width int) (lines []string, caret int, spots []spot) {
	chosen := f.theme.Dim.Render(blankWords(e))
	if e.Chosen >= 0 {
		chosen = f.theme.Good.Render("(•)") + " " + f.theme.Strong.Render(cells.Cut(e.Field.Choices[e.Chosen].Label, width-4))
	}
	if !focused {
		return []string{chosen + f.theme.Dim.Render(" · one of "+value.Grouped(int64(len(e.Field.Choices))))}, 0, nil
	}
	m := f.markOf(e)
	left := found(e.Field.Choices, m.filter)
	find := f.theme.Dim.Render("Find: ") + f.theme.Input.Render(safe.Line(m.filter)) + f.theme.Cursor.Render(" ")
	lines = append(lines, chosen, find+f.theme.Dim.Render(fmt.Sprintf(" %s of %s", value.Grouped(int64(len(left))), value.Grouped(int64(len(e.Field.Choices))))))
	window := min(windowOfOptions, max(f.options.Height-6, 2))
	at := slices.Index(left, m.option)
	first := min(max(at-window/2, 0), max(len(left)-window, 0))
	caret = 1
	for _, i := range left[first:min(first+window, len(left))] {
		if i == m.option {
			caret = len(lines)
		}
		spots = append(spots, spot{len(lines), 0, width, i})
		lines = append(lines, f.option(e, i, 0, true, width))
	}
	return lines, caret, spots
}
