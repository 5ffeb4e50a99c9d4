package markdown

// This file reads the marks within a line, and wraps the words they stand on.

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/tui/cells"
)

// mark is what text is marked as.
type mark uint8

const (
	strong mark = 1 << iota
	stressed
	code
	address
	struck
	title
)

// span is text with its marks.
type span struct {
	text  string
	marks mark
}

const nesting = 6 // of marks within each other; deeper ones are text

// spansOf reads the marks of a line.
func spansOf(line string) []span {
	r := &inline{}
	r.read(line, 0, 0)
	return r.spans
}

// inline reads a line.
type inline struct {
	spans []span
	plain strings.Builder
}

func (r *inline) flush(marks mark) {
	if r.plain.Len() > 0 {
		r.spans = append(r.spans, span{r.plain.String(), marks})
		r.plain.Reset()
	}
}

// pairs are the marks that enclose text, the longer ones first.
var pairs = []struct {
	sign  string
	marks mark
}{{"**", strong}, {"__", strong}, {"~~", struck}, {"*", stressed}, {"_", stressed}}

// read reads text under marks. A sign whose partner is missing once is not looked for
// again in the text, so that the work stays in proportion to its length.
func (r *inline) read(text string, marks mark, depth int) {
	missing := map[string]bool{}
	find := func(from int, sign string) int {
		if missing[sign] || depth >= nesting {
			return -1
		}
		at := strings.Index(text[from:], sign)
		if at < 0 {
			missing[sign] = true
			return -1
		}
		return from + at
	}
	for i := 0; i < len(text); {
		if used := r.special(text, i, marks, depth, find); used > 0 {
			i += used
			continue
		}
		r.plain.WriteByte(text[i])
		i++
	}
	r.flush(marks)
}

// special reads what begins at a character that may be more than itself, and says
// how many bytes that took; 0 where it is itself.
func (r *inline) special(text string, i int, marks mark, depth int, find func(int, string) int) int {
	switch text[i] {
	case '\\':
		if i+1 < len(text) && strings.IndexByte("\\`*_{}[]()#+-.!~|<>\"'&", text[i+1]) >= 0 {
			r.plain.WriteByte(text[i+1])
			return 2
		}
	case '`':
		return r.codeSpan(text, i, marks, find)
	case '*', '_', '~':
		return r.enclosed(text, i, marks, depth, find)
	case '!':
		if strings.HasPrefix(text[i+1:], "[") {
			if used := r.link(text, i+1, marks, depth, find); used > 0 {
				return used + 1
			}
		}
	case '[':
		return r.link(text, i, marks, depth, find)
	case '<':
		end := find(i, ">")
		if end > 0 && isAddress(text[i+1:end]) {
			r.flush(marks)
			r.spans = append(r.spans, span{text[i+1 : end], marks | address})
			return end + 1 - i
		}
	case 'h':
		if i == 0 || !isWord(text[i-1]) {
			if url := bareAddress(text[i:]); url != "" {
				r.flush(marks)
				r.spans = append(r.spans, span{url, marks | address})
				return len(url)
			}
		}
	case '&':
		for name, character := range entities {
			if strings.HasPrefix(text[i:], name) {
				r.plain.WriteString(character)
				return len(name)
			}
		}
	}
	return 0
}

// entities are the characters that people write by name.
var entities = map[string]string{"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": `"`, "&nbsp;": "\u00a0"}

func (r *inline) codeSpan(text string, i int, marks mark, find func(int, string) int) int {
	ticks := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
	sign := text[i : i+ticks]
	end := find(i+ticks, sign)
	if end < 0 {
		r.plain.WriteString(sign)
		return ticks
	}
	r.flush(marks)
	words := text[i+ticks : end]
	if trimmed := strings.TrimSpace(words); trimmed != "" {
		words = trimmed
	}
	r.spans = append(r.spans, span{words, marks | code})
	return end + ticks - i
}

func (r *inline) enclosed(text string, i int, marks mark, depth int, find func(int, string) int) int {
	for _, pair := range pairs {
		size := len(pair.sign)
		if !strings.HasPrefix(text[i:], pair.sign) || marks&pair.marks != 0 {
			continue
		}
		start := i + size
		if start >= len(text) || text[start] == ' ' || pair.sign[0] == '_' && i > 0 && isWord(text[i-1]) {
			continue
		}
		end := find(start+1, pair.sign)
		if end < 0 || text[end-1] == ' ' {
			continue
		}
		if after := end + size; pair.sign[0] == '_' && after < len(text) && isWord(text[after]) {
			continue
		}
		r.flush(marks)
		r.read(text[start:end], marks|pair.marks, depth+1)
		return end + size - i
	}
	// Signs that enclose nothing are taken together.
	run := len(text[i:]) - len(strings.TrimLeft(text[i:], text[i:i+1]))
	r.plain.WriteString(text[i : i+run])
	return run
}

// link reads [words](address), and shows both: what is opened is never hidden
// behind words.
func (r *inline) link(text string, i int, marks mark, depth int, find func(int, string) int) int {
	middle := find(i, "](")
	if middle < 0 || marks&address != 0 {
		return 0
	}
	end := find(middle, ")")
	if end < 0 {
		return 0
	}
	words := text[i+1 : middle]
	to, _, _ := strings.Cut(strings.TrimSpace(text[middle+2:end]), " ")
	to = strings.Trim(to, "<>")
	r.flush(marks)
	if words != to && words != "" {
		r.read(words, marks, depth+1)
		r.spans = append(r.spans, span{" (", marks}, span{to, marks | address}, span{")", marks})
	} else {
		r.spans = append(r.spans, span{to, marks | address})
	}
	return end + 1 - i
}

func isAddress(text string) bool {
	return !strings.Contains(text, " ") && (strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "mailto:"))
}

// bareAddress gives the web address that text begins with, without the punctuation
// of the sentence around it.
func bareAddress(text string) string {
	if !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
		return ""
	}
	end := strings.IndexAny(text, " <>\"`")
	if end < 0 {
		end = len(text)
	}
	url := strings.TrimRight(text[:end], ".,;:!?*_'")
	if strings.HasSuffix(url, ")") && !strings.Contains(url, "(") {
		url = url[:len(url)-1]
	}
	return url
}

func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// measured is how many cells spans take on one line.
func measured(spans []span) int {
	wide := 0
	for _, s := range spans {
		wide += cells.Width(s.text)
	}
	return wide
}

// wrapped draws a line of text over lines of a width, all of it under marks.
func (d *drawer) wrapped(text string, width int, marks mark) []string {
	w := &wrapper{drawer: d, width: max(width, 1)}
	for _, s := range spansOf(text) {
		s.marks |= marks
		w.add(s)
	}
	return w.done()
}

// wrapper fills lines with words.
type wrapper struct {
	drawer *drawer
	width  int
	lines  []string
	line   []span
	wide   int
	word   []span // the word that is being read, which may change its marks within
	size   int
	space  bool // a space stands before the word
	under  mark // of the space
}

func (w *wrapper) add(s span) {
	for s.text != "" {
		at := strings.IndexByte(s.text, ' ')
		if at != 0 {
			part := s.text
			if at > 0 {
				part = s.text[:at]
			}
			w.word = append(w.word, span{part, s.marks})
			w.size += cells.Width(part)
			s.text = s.text[len(part):]
			continue
		}
		w.place()
		w.space, w.under = true, s.marks
		s.text = strings.TrimLeft(s.text, " ")
	}
}

// place puts the word on the line, or on the next one.
func (w *wrapper) place() {
	if len(w.word) == 0 {
		return
	}
	if w.wide > 0 && w.wide+1+w.size > w.width {
		w.end()
	}
	if w.wide > 0 && w.space {
		w.line = append(w.line, span{" ", w.under})
		w.wide++
	}
	if w.size <= w.width {
		w.line = append(w.line, w.word...)
		w.wide += w.size
	} else {
		w.breakWord()
	}
	w.word, w.size, w.space = nil, 0, false
}

// breakWord places a word that is wider than a line.
func (w *wrapper) breakWord() {
	for _, s := range w.word {
		start := 0
		at := 0
		for _, cluster := range clusters(s.text) {
			wide := cells.Width(cluster)
			if w.wide+wide > w.width && w.wide > 0 {
				w.line = append(w.line, span{s.text[start:at], s.marks})
				w.end()
				start = at
			}
			at += len(cluster)
			w.wide += wide
		}
		w.line = append(w.line, span{s.text[start:], s.marks})
	}
}

func (w *wrapper) end() {
	var b strings.Builder
	for i := 0; i < len(w.line); {
		marks := w.line[i].marks
		text := ""
		for ; i < len(w.line) && w.line[i].marks == marks; i++ {
			text += w.line[i].text
		}
		b.WriteString(w.drawer.styled(text, marks))
	}
	w.lines = append(w.lines, b.String())
	w.line, w.wide = nil, 0
}

func (w *wrapper) done() []string {
	w.place()
	if len(w.line) > 0 || len(w.lines) == 0 {
		w.end()
	}
	return w.lines
}

// styled gives text in the style of its marks.
func (d *drawer) styled(text string, marks mark) string {
	if marks == 0 || text == "" {
		return text
	}
	style := lipgloss.NewStyle()
	switch {
	case marks&title != 0:
		style = d.theme.Heading
	case marks&code != 0:
		style = d.theme.Code
	case marks&address != 0:
		style = d.theme.Link
	}
	if marks&strong != 0 {
		style = style.Bold(true)
	}
	if marks&stressed != 0 {
		style = style.Italic(true)
	}
	if marks&struck != 0 {
		style = style.Strikethrough(true)
	}
	return style.Render(text)
}

// clusters splits text into the characters that a reader sees.
func clusters(text string) []string {
	var found []string
	for text != "" {
		cluster, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		if cluster == "" {
			break
		}
		found = append(found, cluster)
		text = text[len(cluster):]
	}
	return found
}
