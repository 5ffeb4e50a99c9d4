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
// columns count from 1, columns in Unicode code points. In a literal block both
// are exact. A node without a line gives the position back as it is.
func (n *Node) Place(line, column int) (int, int) {
	if n == nil || n.Line == 0 || n.source == nil {
		return line, column
	}
	switch n.style {
	case literal, folded:
		for at := n.Line + 1; at < n.Line+200; at++ {
			content := n.source.line(at - n.source.shift)
			if trimmed := strings.TrimLeft(content, " "); trimmed != "" {
				return n.Line + line, len(content) - len(trimmed) + column
			}
		}
		return n.Line + line, column
	case singleQuoted, doubleQuoted:
		if line == 1 {
			return n.Line, n.Column + column
		}
	}
	if line == 1 {
		return n.Line, n.Column + column - 1
	}
	return n.Line + line - 1, column
}
