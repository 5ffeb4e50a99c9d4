package markdown

// This file draws lists.

import (
	"strings"

	"github.com/beonauto/auto/tui/cells"
)

// item is the start of a line that may begin an item of a list.
type item struct {
	found   bool
	indent  int    // of the mark
	mark    string // - or 12.
	ordered bool
	words   string // what follows the mark
}

// itemOf reads the start of a line.
func itemOf(line string) item {
	trimmed := strings.TrimLeft(line, " ")
	i := item{indent: len(line) - len(trimmed)}
	switch {
	case trimmed == "":
		return i
	case strings.ContainsRune("-*+", rune(trimmed[0])):
		i.mark = trimmed[:1]
	default:
		digits := len(trimmed) - len(strings.TrimLeft(trimmed, "0123456789"))
		if digits < 1 || digits > 9 || digits == len(trimmed) || !strings.ContainsRune(".)", rune(trimmed[digits])) {
			return i
		}
		i.mark, i.ordered = trimmed[:digits+1], true
	}
	rest := trimmed[len(i.mark):]
	if rest != "" && rest[0] != ' ' || isRule(trimmed) {
		return i
	}
	i.words, i.found = strings.TrimLeft(rest, " "), true
	return i
}

// interrupts tells whether the item ends the paragraph before it.
func (i item) interrupts() bool {
	return i.found && i.words != "" && (!i.ordered || i.mark == "1." || i.mark == "1)")
}

// list draws the list that the first line begins.
func (d *drawer) list(source []string, width, level int) (drawn []string, at int) {
	first := itemOf(source[0])
	loose := false
	for at < len(source) {
		begun := itemOf(source[at])
		if !begun.found || begun.ordered != first.ordered || begun.indent < first.indent || begun.indent > first.indent+3 {
			break
		}
		lines, used, gap := itemLines(source[at:], begun)
		at += used
		if len(drawn) > 0 && loose {
			drawn = append(drawn, "")
		}
		loose = loose || gap
		drawn = append(drawn, d.item(begun, lines, width, level)...)
	}
	return drawn, at
}

// itemLines gives the lines of an item without its indent, how many lines of the
// source they took, and whether an empty line ends them.
func itemLines(source []string, begun item) (lines []string, used int, gap bool) {
	inside := begun.indent + len(begun.mark) + 1
	lines = []string{begun.words}
	for used = 1; used < len(source); used++ {
		line := source[used]
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case blank(line):
			gap = true
			lines = append(lines, "")
			continue
		case indent >= inside:
			line = line[inside:]
		case indent > begun.indent+1 && itemOf(line).found:
			line = line[indent:] // a list within, not quite as far in as it should be
		case gap || itemOf(line).found || startsBlock(strings.TrimLeft(line, " ")):
			return lines, used, gap
		}
		gap = false
		lines = append(lines, line)
	}
	return lines, used, false
}

func (d *drawer) item(begun item, lines []string, width, level int) []string {
	mark := "•"
	if begun.ordered {
		mark = begun.mark
	}
	for box, drawn := range map[string]string{"[ ]": "☐", "[x]": "☑", "[X]": "☑"} {
		if rest, ok := strings.CutPrefix(lines[0], box+" "); ok {
			mark, lines[0] = drawn, rest
		}
	}
	lead := cells.Width(mark) + 1
	drawn := d.items(lines, max(width-lead, least), level+1)
	if len(drawn) == 0 {
		drawn = []string{""}
	}
	for i := range drawn {
		switch {
		case i == 0:
			drawn[i] = d.theme.Accent.Render(mark) + " " + drawn[i]
		case drawn[i] != "":
			drawn[i] = strings.Repeat(" ", lead) + drawn[i]
		}
	}
	return drawn
}

// items draws the blocks of an item: a list within stands right below its words.
func (d *drawer) items(source []string, width, level int) []string {
	var drawn []string
	gap := false
	for at := 0; at < len(source); {
		if blank(source[at]) {
			gap = true
			at++
			continue
		}
		block, used := d.block(source[at:], width, level)
		if len(drawn) > 0 && gap {
			drawn = append(drawn, "")
		}
		gap = false
		drawn = append(drawn, block...)
		at += used
	}
	return drawn
}
