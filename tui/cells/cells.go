// Package cells measures text as a terminal draws it, and makes lines that take as
// many cells as they may.
//
// Text from outside becomes safe to show in Line and Lines. Nothing here styles
// text, but a line that is measured or cut may be styled.
package cells

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/tui/safe"
)

// byCluster tells that the terminal draws what belongs together, such as a flag, a family
// or a heart in red, as one character of two cells.
var byCluster atomic.Bool

// ByCluster says whether the process's terminal draws what belongs together as one
// character, as those do that know Unicode's core mode (2027). Others go on by as many
// cells as the parts take. Lines that were measured before are to be made anew.
func ByCluster(whether bool) { byCluster.Store(whether) }

// method is how the terminal measures text. What draws the screen measures in the same
// way, or the ends of lines would be lost.
func method() ansi.Method {
	if byCluster.Load() {
		return ansi.GraphemeWidth
	}
	return ansi.WcWidth
}

// most is how many marks may stand on one character; more are left out, since they
// would be drawn over other lines.
const most = 4

// Line gives text from outside as one line that steers no terminal.
func Line(text string) string { return fitting(safe.Line(text)) }

// Lines gives the lines of text from outside, none of which steers a terminal.
func Lines(text string) []string { return strings.Split(fitting(safe.Text(text)), "\n") }

// fitting is text whose characters take the cells that they are measured by.
func fitting(text string) string {
	if strings.IndexFunc(text, isMark) >= 0 {
		text = thinned(text)
	}
	if !byCluster.Load() && strings.ContainsRune(text, joiner) {
		text = parted(text)
	}
	return text
}

const joiner = '\u200d'

// parted is text with pictures that are joined to one, such as a family, as the pictures
// that they are made of: a terminal that draws no more than those would cut the one in
// two at the end of a line. Joiners of letters stay, which some scripts are written with.
func parted(text string) string {
	var b strings.Builder
	for i, r := range text {
		if r == joiner {
			if next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(joiner):]); unicode.IsSymbol(next) {
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// thinned is text with at most a few marks on each character.
func thinned(text string) string {
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
			return method().StringWidth(line)
		}
	}
	return len(line)
}

// Cluster gives the first character of a text as a reader sees it, and its width.
func Cluster(text string) (first string, width int) {
	return ansi.FirstGraphemeCluster(text, method())
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
	return method().Truncate(line, width, "…")
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
		if cut := method().TruncateLeft(line, left, "…"); Width(cut) <= width {
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

// Break gives a line over lines of at most width cells, broken wherever it must be, with
// every space kept.
func Break(line string, width int) []string {
	return strings.Split(method().Hardwrap(line, max(width, 2), true), "\n")
}

// Wrap gives a line over lines of at most width cells, broken between words and,
// where a word is wider than a line, inside it.
func Wrap(line string, width int) []string {
	width = max(width, 2) // the widest character
	if Width(line) <= width {
		return []string{line}
	}
	return strings.Split(method().Wrap(line, width, " "), "\n")
}
