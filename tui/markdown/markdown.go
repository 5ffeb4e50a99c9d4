// Package markdown draws the Markdown of a message as lines of a terminal: the
// blocks and marks that people write in messages, each in the style of its meaning.
//
// It never fetches or opens anything, never reads HTML, and lets nothing through
// that would steer the terminal. Its work is bounded by the length of the text.
package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/theme"
)

const (
	least  = 8 // the fewest cells that text is wrapped to
	levels = 6 // of quotes and lists within each other; deeper ones are text
)

// Lines draws text in lines of at most width cells.
func Lines(text string, width int, t *theme.Theme) []string {
	d := &drawer{theme: t}
	return d.blocks(cells.Lines(text), max(width, least), 0)
}

// Gist gives how a text begins, on one line and without marks, its blocks with a dot
// between them.
func Gist(text string) string {
	const enough = 400 // bytes, more than a line shows
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "")
	}
	var parts []string
	for _, line := range Lines(text, enough, theme.New(colorprofile.NoTTY, true)) {
		if line = strings.TrimSpace(ansi.Strip(line)); line != "" && strings.Trim(line, "─ ") != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " · ")
}

// drawer draws blocks.
type drawer struct{ theme *theme.Theme }

// blocks draws the blocks of some lines, an empty line between two.
func (d *drawer) blocks(source []string, width, level int) []string {
	var drawn []string
	for at := 0; at < len(source); {
		if blank(source[at]) {
			at++
			continue
		}
		block, used := d.block(source[at:], width, level)
		if len(drawn) > 0 {
			drawn = append(drawn, "")
		}
		drawn = append(drawn, block...)
		at += used
	}
	return drawn
}

// block draws the block that begins with the first line, and says how many lines it
// took.
func (d *drawer) block(source []string, width, level int) (drawn []string, used int) {
	line := source[0]
	trimmed := strings.TrimLeft(line, " ")
	indent := len(line) - len(trimmed)
	switch {
	case indent >= 4:
		return d.indented(source, width)
	case fence(trimmed) != "":
		return d.fenced(source, width)
	case heading(trimmed) > 0:
		depth := heading(trimmed)
		words := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(trimmed[depth:]), "#"))
		return d.heading(words, width), 1
	case isRule(trimmed):
		return []string{d.theme.Line.Render(strings.Repeat("─", width))}, 1
	case strings.HasPrefix(trimmed, ">") && level < levels:
		return d.quote(source, width, level)
	case level < levels && itemOf(line).found:
		return d.list(source, width, level)
	case len(source) > 1 && isTable(source):
		return d.table(source, width)
	}
	return d.paragraph(source, width, level)
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// heading gives the level of a heading with #, 0 for a line that is none.
func heading(trimmed string) int {
	depth := len(trimmed) - len(strings.TrimLeft(trimmed, "#"))
	if depth < 1 || depth > 6 || depth < len(trimmed) && trimmed[depth] != ' ' {
		return 0
	}
	return depth
}

func (d *drawer) heading(words string, width int) []string {
	return d.wrapped(words, width, mark(strong|title))
}

// isRule tells whether a line is a rule: three or more of one of - * _.
func isRule(trimmed string) bool {
	packed := strings.ReplaceAll(strings.TrimSpace(trimmed), " ", "")
	return len(packed) >= 3 && strings.Trim(packed, packed[:1]) == "" && strings.Contains("-*_", packed[:1])
}

// fence gives the characters that open fenced code, empty for a line that does not.
func fence(trimmed string) string {
	for _, c := range [...]string{"`", "~"} {
		count := len(trimmed) - len(strings.TrimLeft(trimmed, c))
		if count >= 3 && (c == "~" || !strings.Contains(trimmed[count:], "`")) {
			return trimmed[:count]
		}
	}
	return ""
}

func (d *drawer) fenced(source []string, width int) ([]string, int) {
	open := fence(strings.TrimLeft(source[0], " "))
	at := 1
	for ; at < len(source); at++ {
		trimmed := strings.TrimSpace(source[at])
		if len(trimmed) >= len(open) && strings.Trim(trimmed, open[:1]) == "" {
			return d.code(source[1:at], width), at + 1
		}
	}
	return d.code(source[1:], width), at
}

func (d *drawer) indented(source []string, width int) ([]string, int) {
	var code []string
	end := 0
	for at, line := range source {
		if !blank(line) && !strings.HasPrefix(line, "    ") {
			break
		}
		code = append(code, strings.TrimPrefix(line, "    "))
		if !blank(line) {
			end = at + 1
		}
	}
	return d.code(code[:end], width), end
}

// code draws code behind a line. A line that is too long goes on below, since its end may
// matter as much as its start.
func (d *drawer) code(lines []string, width int) []string {
	bar := d.theme.Line.Render("│") + " "
	var drawn []string
	for _, line := range lines {
		for _, part := range broken(line, width-2) {
			drawn = append(drawn, bar+render(d.theme.Code, part))
		}
	}
	return drawn
}

// broken cuts a line into parts of a width, wherever it must.
func broken(line string, width int) []string {
	if cells.Width(line) <= width {
		return []string{line}
	}
	var parts []string
	var part strings.Builder
	wide := 0
	for _, cluster := range clusters(line) {
		w := cells.Width(cluster)
		if wide+w > width && wide > 0 {
			parts = append(parts, part.String())
			part.Reset()
			wide = 0
		}
		part.WriteString(cluster)
		wide += w
	}
	return append(parts, part.String())
}

func (d *drawer) quote(source []string, width, level int) ([]string, int) {
	var inner []string
	at := 0
	for ; at < len(source) && !blank(source[at]); at++ {
		trimmed := strings.TrimLeft(source[at], " ")
		words, quoted := strings.CutPrefix(trimmed, ">")
		if !quoted && startsBlock(trimmed) {
			break
		}
		inner = append(inner, strings.TrimPrefix(words, " "))
	}
	bar := d.theme.Line.Render("▎") + " "
	drawn := d.blocks(inner, max(width-2, least), level+1)
	for i := range drawn {
		drawn[i] = bar + drawn[i]
	}
	return drawn, at
}

// startsBlock tells whether a line ends the paragraph before it.
func startsBlock(trimmed string) bool {
	return heading(trimmed) > 0 || fence(trimmed) != "" || isRule(trimmed) || strings.HasPrefix(trimmed, ">")
}

func (d *drawer) paragraph(source []string, width, level int) ([]string, int) {
	at := 1
	for ; at < len(source) && !blank(source[at]); at++ {
		trimmed := strings.TrimLeft(source[at], " ")
		if under := strings.TrimRight(trimmed, " "); strings.Trim(under, "=") == "" || strings.Trim(under, "-") == "" {
			return d.heading(joined(source[:at]), width), at + 1
		}
		if startsBlock(trimmed) || level < levels && itemOf(source[at]).interrupts() {
			break
		}
	}
	var drawn []string
	for _, line := range strings.Split(joined(source[:at]), "\n") {
		drawn = append(drawn, d.wrapped(line, width, 0)...)
	}
	return drawn, at
}

// joined gives the lines of a paragraph as one, with \n only where its author
// ended a line on purpose.
func joined(source []string) string {
	var b strings.Builder
	for i, line := range source {
		trimmed := strings.TrimSpace(line)
		last := i == len(source)-1
		cut, onPurpose := strings.CutSuffix(trimmed, `\`)
		if !last && onPurpose {
			trimmed = cut
		}
		b.WriteString(trimmed)
		switch {
		case last:
		case onPurpose || strings.HasSuffix(line, "  "):
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// render styles text, and leaves an empty one empty.
func render(style lipgloss.Style, text string) string {
	if text == "" {
		return ""
	}
	return style.Render(text)
}
