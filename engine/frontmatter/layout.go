package frontmatter

// This file checks what the library lets pass: the lines of a quoted text or a
// flow collection must be indented more than the block they stand in.

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/problem"
)

const indentedTextMessage = "Expected every line of this text to be indented more than its key"

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
	if hasProperties(n) {
		return around
	}
	return n.Column - 1
}

// checkLayout reports the first line of a quoted text or of a flow collection
// that is not indented more than the block around it. It looks at what stands
// in no other flow collection.
func (c *composer) checkLayout(n *yaml.Node, indent int) {
	if c.flow || hasProperties(n) {
		return
	}
	start := c.offset(n)
	line := c.source.starts[n.Line-1]
	o := &outliner{source: c.source, line: n.Line, text: c.source.line(n.Line), at: start - line, indent: indent}
	if o.at >= len(o.text) {
		return
	}
	switch mark := o.text[o.at]; mark {
	case '"', '\'':
		o.quoted(mark)
	case '[', '{':
		o.flow()
	}
	open := o.found.unclosed
	switch {
	case open == nil || open.template || open.next > len(c.source.starts):
	case open.mark == '"' || open.mark == '\'':
		c.reportAt(open.line, 1+utf8.RuneCountInString(c.source.line(open.line)[:open.at]), problem.YAMLSyntax, indentedTextMessage)
	default:
		f := openFault(c.source, *open)
		if strings.HasPrefix(strings.TrimLeft(c.source.line(open.next), " "), "\t") {
			f.message = tabMessage
		}
		c.reportAt(f.line, f.column, problem.YAMLSyntax, f.message)
	}
}

// checkValueIndent reports a value that starts a line without being indented
// more than its key. Only the items of a list may stand below their key.
func (c *composer) checkValueIndent(n *yaml.Node, indent int) {
	if c.flow || n.Column > indent+1 || isEmpty(n) || n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle == 0 {
		return
	}
	c.report(n, problem.YAMLSyntax, "Expected this value to be indented more than its key")
}

// hasProperties tells whether a node starts with an anchor or a tag.
func hasProperties(n *yaml.Node) bool {
	return n.Anchor != "" || n.Tag == "!" || n.Style&yaml.TaggedStyle != 0
}

// isEmpty tells whether a node is a value that was left out. The library says
// that it stands at whatever comes next.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&quotedStyles == 0
}
