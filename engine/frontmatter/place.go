package frontmatter

// This file maps positions inside a text value to positions in the file.

import (
	"sort"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// style is how a scalar is written.
type style uint8

const (
	plain style = iota
	singleQuoted
	doubleQuoted
	literal
	folded
)

func styleOf(s yaml.Style) style {
	switch {
	case s&yaml.LiteralStyle != 0:
		return literal
	case s&yaml.FoldedStyle != 0:
		return folded
	case s&yaml.DoubleQuotedStyle != 0:
		return doubleQuoted
	case s&yaml.SingleQuotedStyle != 0:
		return singleQuoted
	}
	return plain
}

// Place gives the position in the file of a position inside this text, such as
// a problem of a template that is written in the front matter. Lines and
// columns count from 1, columns in Unicode code points. A position at or past
// the end of a line of the text is one at the end of that line in the file. A
// node that is no text gives its own place; a node without a line gives the
// position back as it is.
func (n *Node) Place(line, column int) (int, int) {
	if n == nil || n.Line == 0 || n.source == nil {
		return line, column
	}
	text, isText := n.scalar.(string)
	if !isText || text == "" {
		return n.Line, n.Column
	}
	line, column = max(line, 1), max(column, 1)
	if n.style != literal && n.style != folded {
		return n.walkTo(line, column)
	}
	at := n.trail.Load()
	if at == nil {
		at = n.blockTrail()
		n.trail.Store(at)
	}
	if n.style == literal {
		return at.place(n.source, at.first+line-1, column)
	}
	origin := at.origins[max(0, sort.Search(len(at.origins), func(i int) bool {
		from := at.origins[i]
		return from.line > line || from.line == line && from.column > column
	})-1)]
	if origin.line < line {
		column = 1
	}
	return at.place(n.source, origin.at, 1+max(column-origin.column, 0))
}

// trail is what Place has found out about a text. It only saves time.
type trail struct {
	walk walk // through a plain or quoted text, to where it was asked last

	indent  int      // of the text of a block scalar
	first   int      // the line of the source that it starts on
	origins []origin // of a folded one, rising
}

// origin is where a line of the source starts in a folded text.
type origin struct {
	at           int // the line of the source
	line, column int // in the text
}

// place gives the place in the file of a column of a block scalar's line.
func (t *trail) place(source *source, line, column int) (int, int) {
	return line + source.shift, min(t.indent+column, 1+utf8.RuneCountInString(source.line(line)))
}

// walkTo walks through a plain or quoted text. It goes on from where the last
// walk ended when the position lies beyond, so that asking for many positions
// in their order takes no longer than asking for the last.
func (n *Node) walkTo(line, column int) (int, int) {
	var w walk
	if last := n.trail.Load(); last != nil && (last.walk.line < line || last.walk.line == line && last.walk.column <= column) {
		w = last.walk
	} else {
		text, _ := n.scalar.(string)
		w = walk{
			source: n.source, style: n.style, line: 1, column: 1,
			at: n.source.offset(n.Line-n.source.shift, n.Column), left: utf8.RuneCountInString(text),
			fileLine: n.Line, fileColumn: n.Column,
		}
		w.placed = w.at
		if n.style != plain {
			w.at++
		}
	}
	w.to(line, column)
	w.keepPlace()
	n.trail.Store(&trail{walk: w})
	return w.fileLine, w.fileColumn
}

// blockTrail finds where the text of a block scalar is.
func (n *Node) blockTrail() *trail {
	header := n.Line - n.source.shift
	t := &trail{first: header + 1, indent: -1}
	written := n.source.text[n.source.offset(header, n.Column):]
	indicators, _, _ := strings.Cut(written, "\n")
	_, indicators, _ = strings.Cut(indicators, string("|>"[n.style-literal]))
	for _, indicator := range strings.TrimRight(indicators, " \t") {
		if indicator >= '1' && indicator <= '9' {
			t.indent = max(n.indent, 0) + int(indicator-'0')
		} else if indicator != '+' && indicator != '-' {
			break
		}
	}
	for line := t.first; t.indent < 0 && line <= len(n.source.starts); line++ {
		if text := n.source.line(line); strings.TrimLeft(text, " ") != "" {
			t.indent = indentation(text)
		}
	}
	t.indent = max(t.indent, 0)
	if n.style == folded {
		t.fold(n.source)
	}
	return t
}

// fold follows how the lines of a folded block scalar are joined.
func (t *trail) fold(source *source) {
	from := origin{at: t.first, line: 1, column: 1} // where the next line starts in the text
	empty, more := 0, false                         // the empty lines since the last one, and whether that one was indented more
	for ; from.at <= len(source.starts); from.at++ {
		written := source.line(from.at)
		if strings.TrimLeft(written, " ") == "" && len(written) <= t.indent {
			empty++
			continue
		}
		if indentation(written) < t.indent {
			break
		}
		content := written[t.indent:]
		deeper := content[0] == ' ' || content[0] == '\t'
		switch {
		case len(t.origins) == 0 || !more && !deeper && empty > 0:
			from.line, from.column = from.line+empty, 1
		case more || deeper:
			from.line, from.column = from.line+empty+1, 1
		default:
			from.column++ // the space that joins the two lines
		}
		t.origins = append(t.origins, from)
		from.column += utf8.RuneCountInString(content)
		empty, more = 0, deeper
	}
	if len(t.origins) == 0 {
		t.origins = []origin{{at: t.first, line: 1, column: 1}}
	}
}

// walk reads a plain or quoted text from the source, one character of the text
// at a time.
type walk struct {
	source       *source
	style        style
	line, column int // where in the text the next character is
	at           int // the offset of its writing
	left         int // how many characters are still to come

	// The place in the file of the offset placed, which at has gone past.
	placed, fileLine, fileColumn int
}

// keepPlace brings the place in the file up to the offset that was reached.
func (w *walk) keepPlace() {
	passed := w.source.text[w.placed:w.at]
	if lines := strings.Count(passed, "\n"); lines > 0 {
		w.fileLine, w.fileColumn = w.fileLine+lines, 1
		passed = passed[strings.LastIndexByte(passed, '\n')+1:]
	}
	w.fileColumn += utf8.RuneCountInString(passed)
	w.placed = w.at
}

// to walks to a position of the text, or to the end of its line.
func (w *walk) to(line, column int) {
	for w.left > 0 && (w.line < line || w.line == line && w.column < column) {
		start := w.at
		switch ends := w.next(); {
		case ends && w.line == line:
			w.at = start
			return
		case ends:
			w.line, w.column = w.line+1, 1
		default:
			w.column++
		}
		w.left--
	}
}

// next steps over what writes one character of the text, and tells whether that
// is a line end.
func (w *walk) next() bool {
	text := w.source.text[w.at:]
	if text == "" {
		return false
	}
	if length := foldLength(text); length > 0 {
		return w.fold(length)
	}
	switch {
	case w.style == singleQuoted && strings.HasPrefix(text, "''"):
		w.at += 2
	case w.style == doubleQuoted && strings.HasPrefix(text, "\\\n"):
		return w.joined(text[2:])
	case w.style == doubleQuoted && text[0] == '\\' && len(text) > 1:
		w.at += escapeLength(text)
		return text[1] == 'n'
	default:
		_, size := utf8.DecodeRuneInString(text)
		w.at += size
		if r, _ := utf8.DecodeRuneInString(text); w.style == doubleQuoted && r >= firstStand && r <= lastStand {
			if pair := strings.Repeat(text[:size], pairLength); strings.HasPrefix(text, pair) {
				w.at += len(pair) - size
			}
		}
	}
	return false
}

// foldLength is how long the white space is that text starts with, when it goes
// over the end of a line, and 0 when it does not.
func foldLength(text string) int {
	space := text[:len(text)-len(strings.TrimLeft(text, " \t\n"))]
	if strings.IndexByte(space, '\n') < 0 {
		return 0
	}
	return len(space)
}

// fold steps over white space that goes over the end of a line: one line end
// is written as a space, more of them are one less.
func (w *walk) fold(length int) bool {
	space := w.source.text[w.at : w.at+length]
	first := strings.IndexByte(space, '\n')
	rest := space[first+1:]
	second := strings.IndexByte(rest, '\n')
	if second < 0 {
		w.at += length
		return false
	}
	// Stop before the last line end when more of the text's are to come.
	w.at += first + 1
	if strings.Count(rest, "\n") == 1 {
		w.at += len(rest)
	} else {
		w.at += second
	}
	return true
}

// joined steps over a line end that is escaped, with what follows it. Only the
// empty lines after it are line ends of the text.
func (w *walk) joined(rest string) bool {
	w.at += len("\\\n")
	space := len(rest) - len(strings.TrimLeft(rest, " \t\n"))
	switch strings.Count(rest[:space], "\n") {
	case 0:
		w.at += space
		return w.next()
	case 1:
		w.at += space
	default:
		w.at += strings.IndexByte(rest, '\n')
	}
	return true
}

// escapeLength is how long an escape in double quotes is.
func escapeLength(text string) int {
	length := 2
	switch text[1] {
	case 'x':
		length = 4
	case 'u':
		length = 6
	case 'U':
		length = 10
	}
	return min(length, len(text))
}
