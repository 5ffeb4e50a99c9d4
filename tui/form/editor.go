package form

// This file edits the text of a field: a cursor between characters as a reader sees
// them, lines that wrap, and texts of bounded size.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/form/plan"
	"github.com/beonauto/auto/tui/safe"
)

// mark is where the person is within a field.
type mark struct {
	cursor int    // bytes before the cursor in the text
	goal   int    // the column that up and down keep to; -1 for the cursor's own
	option int    // the option that is pointed at; -1 for none
	filter string // what was typed to find an option
}

func (f *Form) markOf(e *plan.Entry) *mark {
	m := f.marks[e]
	if m == nil {
		m = &mark{cursor: len(e.Text), goal: -1, option: -1}
		f.marks[e] = m
	}
	return m
}

// arrive is the person's coming to a field: at the option that was chosen, if any.
func (m *mark) arrive(e *plan.Entry) { m.option, m.goal, m.filter = e.Chosen, -1, "" }

// cluster gives the first character of a text as a reader sees it, its size in
// bytes and its width in cells as it is shown.
func cluster(text string) (size, width int) {
	if text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
		return 1, 1 // a control character is shown as one that takes a cell
	}
	first, width := cells.Cluster(text)
	if shown := safe.Line(first); shown != first {
		width = cells.Width(shown)
	}
	return len(first), width
}

// before gives where the character before a place starts.
func before(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	if start == at {
		return max(at-1, 0)
	}
	last := start
	for start < at {
		last = start
		size, _ := cluster(text[start:at])
		start += size
	}
	return last
}

// after gives where the character after a place starts.
func after(text string, at int) int {
	if at >= len(text) {
		return len(text)
	}
	size, _ := cluster(text[at:])
	return at + size
}

// wordBefore gives where the word before a place starts.
func wordBefore(text string, at int) int {
	for _, inWord := range [...]bool{false, true} {
		for at > 0 {
			r, size := utf8.DecodeLastRuneInString(text[:at])
			if isWord(r) != inWord {
				break
			}
			at -= size
		}
	}
	return at
}

// wordAfter gives where the word after a place ends.
func wordAfter(text string, at int) int {
	rest := text[at:]
	start := strings.IndexFunc(rest, isWord)
	if start < 0 {
		return len(text)
	}
	if end := strings.IndexFunc(rest[start:], func(r rune) bool { return !isWord(r) }); end >= 0 {
		return at + start + end
	}
	return len(text)
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// row is one line of a text as it is shown: the bytes of it, without a line end.
type row struct{ start, end int }

// rows breaks a text into lines of at most width cells, between words where it can.
// A space at the end of a line may stand one cell past it. It gives about as many
// lines as are wanted, and all of them for 0.
func rows(text string, width, wanted int) []row {
	width = max(width, 2)
	var all []row
	start, used, space := 0, 0, -1
	for i := 0; i < len(text); {
		if wanted > 0 && len(all) > wanted {
			return all
		}
		if text[i] == '\n' {
			all = append(all, row{start, i})
			i++
			start, used, space = i, 0, -1
			continue
		}
		size, wide := cluster(text[i:])
		switch {
		case text[i] == ' ':
			if used+wide > width+1 {
				all = append(all, row{start, i})
				start, used = i, 0
			}
			space = i + size
		case used+wide > width && space > start:
			all = append(all, row{start, space})
			start = space
			used, space = widthOf(text[start:i]), -1
			if used+wide > width { // a character of several cells, too wide beside its word
				all = append(all, row{start, i})
				start, used = i, 0
			}
		case used+wide > width:
			all = append(all, row{start, i})
			start, used, space = i, 0, -1
		}
		used += wide
		i += size
	}
	return append(all, row{start, len(text)})
}

func widthOf(text string) int {
	sum := 0
	for len(text) > 0 {
		size, wide := cluster(text)
		sum += wide
		text = text[size:]
	}
	return sum
}

// rowOf finds the line that a place is in: at a wrap, the one that begins there.
func rowOf(all []row, at int) int {
	for i := len(all) - 1; i > 0; i-- {
		if at >= all[i].start {
			return i
		}
	}
	return 0
}

// vertical moves the cursor by lines, and tells whether there was a line to go to.
func (m *mark) vertical(text string, width, by int) bool {
	all := rows(text, width, 0)
	here := rowOf(all, m.cursor)
	to := here + by
	if to < 0 || to >= len(all) {
		return false
	}
	if m.goal < 0 {
		m.goal = widthOf(text[all[here].start:m.cursor])
	}
	at, used := all[to].start, 0
	for at < all[to].end {
		size, wide := cluster(text[at:all[to].end])
		if used+wide > m.goal {
			break
		}
		used += wide
		at += size
	}
	// The end of a line that wraps is the beginning of the next one.
	if at == all[to].end && to+1 < len(all) && all[to+1].start == at && at > all[to].start {
		at = before(text, at)
	}
	m.cursor = at
	return true
}

// moves are the keys that move the cursor.
var moves = map[string]func(text string, at int) int{
	"left":       before,
	"right":      after,
	"ctrl+left":  wordBefore,
	"alt+left":   wordBefore,
	"alt+b":      wordBefore,
	"ctrl+right": wordAfter,
	"alt+right":  wordAfter,
	"alt+f":      wordAfter,
	"home":       func(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 },
	"end":        lineEnd,
	"ctrl+home":  func(string, int) int { return 0 },
	"ctrl+end":   func(text string, _ int) int { return len(text) },
}

func lineEnd(text string, at int) int {
	if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(text)
}

// cuts are the keys that take text away: up to where, from the cursor.
var cuts = map[string]func(text string, at int) int{
	"backspace":      before,
	"delete":         after,
	"ctrl+w":         wordBefore,
	"alt+backspace":  wordBefore,
	"ctrl+backspace": wordBefore,
	"ctrl+delete":    wordAfter,
	"alt+d":          wordAfter,
	"ctrl+u":         moves["home"],
	"ctrl+k":         lineEnd,
}

// insert puts text at the cursor. What would make the text larger than an answer
// may be is not taken at all.
func (f *Form) insert(e *plan.Entry, text string) {
	if text == "" {
		return
	}
	if total := len(e.Text) + len(text); total > plan.MaxAnswer {
		f.said = fmt.Sprintf("%s were not taken: an answer takes at most %s", size(len(text)), size(plan.MaxAnswer))
		return
	}
	f.remember(e, utf8.RuneCountInString(text) == 1)
	m := f.markOf(e)
	m.cursor = min(m.cursor, len(e.Text))
	e.Text = e.Text[:m.cursor] + text + e.Text[m.cursor:]
	m.cursor += len(text)
	m.goal = -1
	f.changed(e)
}

// cut takes away the text between the cursor and another place.
func (f *Form) cut(e *plan.Entry, to int) {
	m := f.markOf(e)
	if to == m.cursor {
		return
	}
	one := before(e.Text, m.cursor) == to || after(e.Text, m.cursor) == to
	f.remember(e, one)
	from := min(m.cursor, to)
	e.Text = e.Text[:from] + e.Text[max(m.cursor, to):]
	m.cursor, m.goal = from, -1
	f.changed(e)
}

// paste puts what was pasted into the field where the person is.
func (f *Form) paste(text string) {
	text = clean(text)
	if s := f.here(); s.kind == addStop && text != "" {
		f.add(s.entry) // which says it when there can be none
	}
	s := f.here()
	switch {
	case s.kind == reviewStop:
		f.said = "Nothing is typed here: shift+tab goes back to the fields"
	case s.kind != fieldStop:
	case s.entry.Field.Kind == plan.Choice:
		f.filterBy(s.entry, f.markOf(s.entry).filter+firstLine(text))
	case s.entry.Field.Kind == plan.Number:
		f.insert(s.entry, strings.TrimSpace(text))
	default:
		f.insert(s.entry, text)
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line[:min(len(line), longestFilter)]
}

// clean gives text from a clipboard or a file as a person means it: \n alone ends a
// line, and there is no control character but it and the tab.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r < 0x20 && r != '\n' && r != '\t', r >= 0x7f && r < 0xa0:
			return -1
		}
		return r
	}, text)
}

// withoutLastLineEnd takes away the line end that editors put at the end of a file.
func withoutLastLineEnd(text string) string { return strings.TrimSuffix(text, "\n") }

// size says how large a text is.
func size(bytes int) string {
	if bytes < 1<<10 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return value.Grouped(int64((bytes+1<<10-1)>>10)) + " KiB"
}
