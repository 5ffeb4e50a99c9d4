package frontmatter

// This file maps positions inside a text value to positions in the file.

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// style is how a scalar is written.
type style uint8

const (
	plain style = iota
	quoted
	literal
	folded
)

func styleOf(s yaml.Style) style {
	switch {
	case s&yaml.LiteralStyle != 0:
		return literal
	case s&yaml.FoldedStyle != 0:
		return folded
	case s&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return quoted
	}
	return plain
}

// lines is the text of the front matter, for finding a line of it.
type lines struct {
	text  string
	first int // the line of the file that text starts on
}

func newLines(text string, first int) *lines { return &lines{text: text, first: first} }

// at gives a line of the file, empty when the front matter does not have it.
func (l *lines) at(line int) string {
	rest := l.text
	for skip := line - l.first; skip > 0; skip-- {
		_, after, more := strings.Cut(rest, "\n")
		if !more {
			return ""
		}
		rest = after
	}
	rest, _, _ = strings.Cut(rest, "\n")
	return rest
}

// Place gives the position in the file of a position inside this text, such as
// a problem of a template that is written in the front matter. Lines and
// columns count from 1, columns in Unicode code points. In a literal block both
// are exact. A node without a line gives the position back as it is.
func (n *Node) Place(line, column int) (int, int) {
	if n == nil || n.Line == 0 || n.lines == nil {
		return line, column
	}
	switch n.style {
	case literal, folded:
		for at := n.Line + 1; at < n.Line+200; at++ {
			content := n.lines.at(at)
			if trimmed := strings.TrimLeft(content, " "); trimmed != "" {
				return n.Line + line, len(content) - len(trimmed) + column
			}
		}
		return n.Line + line, column
	case quoted:
		if line == 1 {
			return n.Line, n.Column + column
		}
	}
	if line == 1 {
		return n.Line, n.Column + column - 1
	}
	return n.Line + line - 1, column
}

// hideLineSeparators replaces the characters that the YAML library takes for
// line ends and YAML 1.2 does not, and gives what puts them back.
func hideLineSeparators(text string) (string, *strings.Replacer) {
	if !strings.ContainsAny(text, "\u0085\u2028\u2029") {
		return text, nil
	}
	var hide, restore []string
	stand := '\ue000'
	for _, separator := range []string{"\u0085", "\u2028", "\u2029"} {
		for strings.ContainsRune(text, stand) {
			stand++
		}
		hide = append(hide, separator, string(stand))
		restore = append(restore, string(stand), separator)
		stand++
	}
	return strings.NewReplacer(hide...).Replace(text), strings.NewReplacer(restore...)
}
