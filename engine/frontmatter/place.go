package frontmatter

// This file maps positions inside a text value to positions in the file.

import (
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
	switch n.style {
	case literal:
		indent, first := n.blockContent()
		at := first + line - 1
		return at + n.source.shift, min(indent+column, 1+utf8.RuneCountInString(n.source.line(at)))
	case folded:
		return n.placeFolded(line, column)
	}
	w := &walk{source: n.source, style: n.style, left: utf8.RuneCountInString(text), at: n.source.offset(n.Line-n.source.shift, n.Column)}
	return w.find(line, column)
}

// blockContent gives the indentation of a block scalar's text and the line of
// the source that it starts on.
func (n *Node) blockContent() (indent, first int) {
	header := n.Line - n.source.shift
	_, indicators, _ := strings.Cut(n.source.line(header)[n.source.offset(header, n.Column)-n.source.offset(header, 1):], string("|>"[n.style-literal]))
	for _, indicator := range strings.TrimRight(indicators, " \t") {
		if indicator >= '1' && indicator <= '9' {
			return max(n.indent, 0) + int(indicator-'0'), header + 1
		}
		if indicator != '+' && indicator != '-' {
			break
		}
	}
	for line := header + 1; line <= len(n.source.starts); line++ {
		if text := n.source.line(line); strings.TrimLeft(text, " ") != "" {
			return indentation(text), header + 1
		}
	}
	return n.indent + 1, header + 1
}

// placeFolded follows how the lines of a folded block scalar are joined.
func (n *Node) placeFolded(line, column int) (int, int) {
	indent, first := n.blockContent()
	textLine, textColumn := 1, 1            // where the text is that the next line of the source gives
	placed, from := first, 1                // the line of the source that holds the position, and where it starts in the text
	breaks, before, more := 0, false, false // empty lines since, whether there was a line, whether it was indented more
	for at := first; at <= len(n.source.starts); at++ {
		written := n.source.line(at)
		if strings.TrimLeft(written, " ") == "" && len(written) <= indent {
			breaks++
			continue
		}
		if indentation(written) < indent {
			break
		}
		content := written[indent:]
		deeper := content[0] == ' ' || content[0] == '\t'
		switch {
		case !before:
			textLine, textColumn = textLine+breaks, 1
		case more || deeper:
			textLine, textColumn = textLine+breaks+1, 1
		case breaks > 0:
			textLine, textColumn = textLine+breaks, 1
		default:
			textColumn++ // the space that joins the two lines
		}
		if textLine > line || textLine == line && textColumn > column {
			break
		}
		placed, from = at, textColumn
		if textLine < line {
			from = 1
		}
		textColumn += utf8.RuneCountInString(content)
		breaks, before, more = 0, true, deeper
	}
	end := 1 + utf8.RuneCountInString(n.source.line(placed))
	return placed + n.source.shift, min(indent+1+max(column-from, 0), end)
}

// walk reads a plain or quoted text from the source, one character of the text
// at a time.
type walk struct {
	source *source
	style  style
	at     int // the offset of the next character's writing
	left   int // how many characters of the text are still to come
}

// find gives the place in the file of a position in the text.
func (w *walk) find(line, column int) (int, int) {
	if w.style != plain {
		w.at++
	}
	textLine, textColumn := 1, 1
	for ; w.left > 0 && textLine == line && textColumn < column || textLine < line; w.left-- {
		if w.left == 0 {
			break
		}
		start := w.at
		if w.next() {
			if textLine == line {
				w.at = start // the position is past the end of its line
				break
			}
			textLine, textColumn = textLine+1, 1
			continue
		}
		textColumn++
	}
	return w.source.position(w.at)
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
