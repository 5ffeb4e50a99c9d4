package frontmatter

// This file checks what the library lets pass: the lines of a quoted text or a
// flow collection must be indented more than the block they stand in.

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/problem"
)

// cursor finds the offsets of positions that come in the order of the text.
type cursor struct {
	line, column, offset int
}

// offset gives where a node starts in the text. Asked in the order of the text
// it takes no longer than the text is.
func (c *composer) offset(n *yaml.Node) int {
	at := &c.cursor
	if at.line != n.Line || at.column > n.Column {
		*at = cursor{line: n.Line, column: 1, offset: c.source.offset(n.Line, 1)}
	}
	text := c.source.text
	for ; at.column < n.Column && at.offset < len(text); at.column++ {
		if text[at.offset] < utf8.RuneSelf {
			at.offset++
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at.offset:])
		at.offset += size
	}
	return at.offset
}

// blockIndent is the indentation of a block's entries: the column of its first
// one. A block with an anchor or a tag starts with that, and is refused anyway.
func blockIndent(n *yaml.Node, around int) int {
	if n.Anchor != "" || n.Tag == "!" || n.Style&yaml.TaggedStyle != 0 {
		return around
	}
	return n.Column - 1
}

// checkQuoted reports a line of a quoted text that is not indented.
func (c *composer) checkQuoted(n *yaml.Node, quote byte, indent int) {
	start := c.offset(n)
	text := c.source.text[start:]
	if len(text) == 0 || text[0] != quote {
		return // it has an anchor or a tag
	}
	end := closingQuote(text, quote)
	if end < 0 || strings.IndexByte(text[:end], '\n') < 0 {
		return
	}
	for line, last := n.Line+1, n.Line+strings.Count(text[:end], "\n"); line <= last; line++ {
		written := c.source.line(line)
		if strings.Trim(written, " \t") == "" || indentation(written) > indent {
			continue
		}
		f := openFault(c.source, opening{mark: quote, line: n.Line, at: start - c.source.offset(n.Line, 1)})
		c.reportAt(f.line, f.column, problem.YAMLSyntax, f.message)
		return
	}
}

// closingQuote finds the end of the quoted text that text starts with.
func closingQuote(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i
		}
	}
	return -1
}

// flowCheck is the outermost flow collection being read, and how far the
// indentation of its lines was looked at.
type flowCheck struct {
	open *yaml.Node
	line int
}

// enterFlow notes a flow collection that stands in no other, and tells whether
// it is one.
func (c *composer) enterFlow(n *yaml.Node) bool {
	if n.Style&yaml.FlowStyle == 0 || c.flow.open != nil {
		return false
	}
	c.flow = flowCheck{open: n, line: n.Line}
	return true
}

func (c *composer) leaveFlow() { c.flow = flowCheck{} }

// checkFlowLine reports the first line of a flow collection, up to the one that
// n starts on, that is not indented more than the block around it.
func (c *composer) checkFlowLine(n *yaml.Node, indent int) {
	if c.flow.open == nil {
		return
	}
	for c.flow.line < n.Line {
		c.flow.line++
		written := c.source.line(c.flow.line)
		if blank(written) || indentation(written) > indent {
			continue
		}
		message := tabMessage
		if written[indentation(written)] != '\t' {
			message = bracketMessage(c.bracket(), c.flow.open.Line+c.source.shift)
		}
		c.reportAt(c.flow.line, 1+indentation(written), problem.YAMLSyntax, message)
		c.flow.line = len(c.source.starts) + 1 // once is enough
	}
}

// bracket is the one the outermost flow collection opens with.
func (c *composer) bracket() byte {
	if c.flow.open.Kind == yaml.MappingNode {
		return '{'
	}
	return '['
}
