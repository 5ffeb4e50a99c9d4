// Package cells measures text as a terminal draws it, and makes lines that take as
// many cells as they may.
//
// Text from outside becomes safe to show in Line and Lines. Nothing here styles
// text, but a line that is measured or cut may be styled.
package cells

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/tui/safe"
)

// most is how many marks may stand on one character; more are left out, since they
// would be drawn over other lines.
const most = 4

// Line gives text from outside as one line that steers no terminal.
func Line(text string) string { return thinned(safe.Line(text)) }

// Lines gives the lines of text from outside, none of which steers a terminal.
func Lines(text string) []string { return strings.Split(thinned(safe.Text(text)), "\n") }

// thinned is text with at most a few marks on each character.
func thinned(text string) string {
	if strings.IndexFunc(text, isMark) < 0 {
		return text
	}
	var b strings.Builder
	marks := 0
	for _, r := range text {
		if !isMark(r) {
			marks = 0
		} else if marks++; marks > most {
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isMark tells whether a character is drawn over the one before it.
func isMark(r rune) bool { return r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me) }

// Warm measures a character of which the first takes long, since a table is made for it:
// where that is done meanwhile, nobody waits for it.
func Warm() { ansi.StringWidthWc("…") }

// Width is how many cells a line takes, whatever its styles.
func Width(line string) int {
	for i := 0; i < len(line); i++ {
		if line[i] < ' ' || line[i] > '~' {
			return ansi.StringWidth(line)
		}
	}
	return len(line)
}

// Cut gives a line in at most width cells, ending in … where something was left
// out.
func Cut(line string, width int) string {
	switch {
	case width <= 0:
		return ""
	case Width(line) <= width:
		return line
	}
	return ansi.Truncate(line, width, "…")
}

// CutStart gives a line in at most width cells, beginning with … where something
// was left out, so that its end is seen.
func CutStart(line string, width int) string {
	wide := Width(line)
	switch {
	case width <= 0:
		return ""
	case wide <= width:
		return line
	}
	for left := wide - width + 1; ; left++ {
		if cut := ansi.TruncateLeft(line, left, "…"); Width(cut) <= width {
			return cut
		}
	}
}

// Fill gives a line in exactly width cells.
func Fill(line string, width int) string {
	line = Cut(line, width)
	if missing := width - Width(line); missing > 0 {
		return line + strings.Repeat(" ", missing)
	}
	return line
}

// FillStart is Fill with the line at the end of the cells.
func FillStart(line string, width int) string {
	line = Cut(line, width)
	if missing := width - Width(line); missing > 0 {
		return strings.Repeat(" ", missing) + line
	}
	return line
}

// Wrap gives a line over lines of at most width cells, broken between words and,
// where a word is wider than a line, inside it.
func Wrap(line string, width int) []string {
	width = max(width, 2) // the widest character
	if Width(line) <= width {
		return []string{line}
	}
	return strings.Split(ansi.Wrap(line, width, " "), "\n")
}
