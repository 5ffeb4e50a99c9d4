package report

// This file knows what a terminal does with text: its colours, the width of
// characters, and those that must never reach it.

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// A Style is a way a terminal can draw text.
type Style string

// The styles of a report, as parameters of the escape sequence that starts
// them.
const (
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "1;31"
	Green  Style = "32"
	Yellow Style = "1;33"
	Cyan   Style = "36"
)

// Paint gives text in a style, or as it is where colour is off.
func Paint(colour bool, style Style, text string) string {
	if !colour || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Visible gives text in which every character that could steer a terminal or
// pass for another place in the line is written as an escape: control
// characters, line ends, marks that turn the direction of writing, and bytes
// that are not UTF-8.
func Visible(text string) string {
	clean := true
	for _, r := range text {
		if hidden(r) || r == utf8.RuneError {
			clean = false
			break
		}
	}
	if clean {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		b.WriteString(visibleRune(r, text[i:i+size]))
		i += size
	}
	return b.String()
}

// VisibleLines is Visible for text of several lines, whose line ends and tabs
// stay.
func VisibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j, part := range parts {
			parts[j] = Visible(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

func visibleRune(r rune, source string) string {
	switch {
	case r == utf8.RuneError && len(source) == 1:
		return `\x` + strconv.FormatUint(uint64(source[0])|0x100, 16)[1:]
	case hidden(r):
		quoted := strconv.QuoteRuneToASCII(r)
		return quoted[1 : len(quoted)-1]
	}
	return source
}

func hidden(r rune) bool {
	switch {
	case r < ' ', 0x7F <= r && r < 0xA0: // control characters
		return true
	case r < 0x061C:
		return false
	}
	return r == 0x061C || 0x200E <= r && r <= 0x200F || 0x2028 <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069
}

// VisibleJSON is JSON text in which what VisibleLines would write as an escape is
// written as JSON's own, so that it reads as the same value.
func VisibleJSON(text string) string {
	if strings.IndexFunc(text, hiddenInLine) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hiddenInLine(r) {
			b.WriteString(`\u`)
			b.WriteString(strconv.FormatInt(int64(r)|0x10000, 16)[1:])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hiddenInLine is hidden for text of several lines, which JSON is.
func hiddenInLine(r rune) bool { return r != '\n' && hidden(r) }

// Width is how many cells of a terminal text takes, whatever the locale.
func Width(text string) int {
	condition := runewidth.Condition{StrictEmojiNeutral: true}
	return condition.StringWidth(text)
}

// tabStop is how far apart the tab stops of shown source are.
const tabStop = 4

// expand gives a line of source with its tabs as spaces and nothing that
// steers a terminal, and the cell at which its column-th character starts; -1
// for the column 0.
func expand(line string, column int) (text string, cell int) {
	var b strings.Builder
	cell = -1
	start, cells := 0, 0 // what was written from start on is not counted in cells yet
	for i, character := 0, 1; ; character++ {
		if character == column {
			cell = cells + Width(b.String()[start:])
		}
		if i >= len(line) {
			return b.String(), cell
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		if r == '\t' {
			cells += Width(b.String()[start:])
			spaces := tabStop - cells%tabStop
			b.WriteString("    "[:spaces])
			cells, start = cells+spaces, b.Len()
		} else {
			b.WriteString(visibleRune(r, line[i:i+size]))
		}
		i += size
	}
}
