package frontmatter

// This file makes our nodes from the library's, and reports what the formats
// refuse in them.

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// maxKeyCharacters is the most characters of a key (YAML 1.2, "Implicit keys").
const maxKeyCharacters = 1024

const (
	mappingMessage = "Expected a mapping: a key and its value on each line, such as description: Reviews a brief"
	keyMessage     = "Expected a key that is text"
	finiteMessage  = "Expected a finite number"
)

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

type composer struct {
	found  *findings
	source *source
	hidden *hidden
	path   []step
	cursor cursor
	slab   []Node // room for the next nodes
	flow   bool   // within a flow collection
}

// step is one token of the pointer to the node being made.
type step struct {
	name  string
	index int // in a list; -1 under a key
}

func newComposer(source *source, hidden *hidden, found *findings) *composer {
	return &composer{found: found, source: source, hidden: hidden, path: make([]step, 0, 8)}
}

func (c *composer) pointer() string {
	pointer := ""
	for _, step := range c.path {
		if step.index < 0 {
			pointer = value.Join(pointer, step.name)
		} else {
			pointer = value.JoinIndex(pointer, step.index)
		}
	}
	return pointer
}

func (c *composer) report(n *yaml.Node, rule problem.Rule, message string) {
	c.reportAt(n.Line, n.Column, rule, message)
}

func (c *composer) reportAt(line, column int, rule problem.Rule, message string) {
	if c.found.full() {
		return
	}
	c.found.add(line+c.source.shift, column, c.pointer(), rule, message)
}

// root makes the mapping of a document, and gives nil when it is none.
func (c *composer) root(document *yaml.Node) *Node {
	empty := &Node{Kind: Mapping, Line: 1, Column: 1}
	if document == nil || len(document.Content) == 0 {
		return empty
	}
	top := document.Content[0]
	for line := 1; line <= min(top.Line, len(c.source.starts)); line++ {
		text := c.source.line(line)
		if strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "...") && line < top.Line {
			c.reportAt(line, 1, problem.YAMLFeature, secondMessage)
			return nil
		}
	}
	root := c.node(top, nil, -1, 1)
	switch {
	case root.Kind == Mapping:
		root.Line, root.Column = 1, 1
		return root
	case root.Refused:
		return nil
	case root.Kind == Scalar && root.scalar == nil:
		return empty
	}
	if text, isText := root.scalar.(string); isText && root.style == plain && !strings.ContainsAny(text, " \n") {
		f := lineWithoutKey(c.source, top.Line)
		c.reportAt(f.line, f.column, problem.FrontMatter, f.message)
		return nil
	}
	c.report(top, problem.FrontMatter, mappingMessage)
	return nil
}

// node makes the node of n: the value of a key, if any, inside a block of the
// given indentation, at a level of nesting.
func (c *composer) node(n, key *yaml.Node, indent, level int) *Node {
	c.features(n)
	c.checkValueIndent(n, indent)
	made := c.room()
	made.Line, made.Column, made.source, made.indent = n.Line+c.source.shift, n.Column, c.source, indent
	switch n.Kind {
	case yaml.AliasNode:
		made.Refused = true
	case yaml.ScalarNode:
		if key != nil && isEmpty(n) {
			made.Line, made.Column = key.Line+c.source.shift, key.Column
		}
		c.scalar(made, n, indent)
	case yaml.SequenceNode, yaml.MappingNode:
		made.Kind = List
		if n.Kind == yaml.MappingNode {
			made.Kind = Mapping
		}
		switch {
		case level > MaxLevels:
			c.report(n, problem.TooDeep, levelsMessage)
			made.Refused = true
		case isTemplate(n):
			c.report(n, problem.YAMLFeature, templateMessage)
			made.Refused = true
		default:
			c.collection(made, n, indent, level)
		}
	}
	return made
}

// room gives an empty node. Nodes of one document live and die together, so
// they are made many at a time.
func (c *composer) room() *Node {
	if len(c.slab) == 0 {
		c.slab = make([]Node, slabNodes)
	}
	made := &c.slab[0]
	c.slab = c.slab[1:]
	return made
}

const slabNodes = 32

func (c *composer) collection(made *Node, n *yaml.Node, indent, level int) {
	outermost := n.Style&yaml.FlowStyle != 0 && !c.flow
	switch {
	case outermost:
		c.checkLayout(n, indent)
		c.flow = true
	case !c.flow:
		indent = blockIndent(n, indent)
	}
	if made.Kind == Mapping {
		c.mapping(made, n, indent, level)
	} else {
		made.Items = make([]*Node, len(n.Content))
		for i, item := range n.Content {
			c.path = append(c.path, step{index: i})
			made.Items[i] = c.node(item, nil, indent, level+1)
			c.path = c.path[:len(c.path)-1]
		}
	}
	if outermost {
		c.flow = false
	}
}

// isTemplate tells whether a mapping is what YAML makes of {{ name }}: one with
// a mapping as its first key, and nothing between the two brackets.
func isTemplate(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle == 0 || len(n.Content) == 0 {
		return false
	}
	first := n.Content[0]
	return first.Kind == yaml.MappingNode && first.Style&yaml.FlowStyle != 0 && first.Line == n.Line && first.Column == n.Column+1
}

// features reports what a node is written with that the formats refuse.
func (c *composer) features(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		c.report(n, problem.YAMLFeature, "Aliases such as *"+c.shown(n.Value)+" are not allowed")
		return
	}
	if n.Anchor != "" {
		c.report(n, problem.YAMLFeature, "Anchors such as &"+c.shown(n.Anchor)+" are not allowed")
	}
	if n.Tag == "!" || n.Style&yaml.TaggedStyle != 0 {
		tag := n.Tag
		if !strings.HasPrefix(tag, "!") {
			tag = "!<" + tag + ">"
		}
		c.report(n, problem.YAMLFeature, "Tags such as "+c.shown(tag)+" are not allowed")
	}
}

// shown is a name as a message holds it.
func (c *composer) shown(name string) string { return clip(c.hidden.plain(name)) }

func (c *composer) scalar(made *Node, n *yaml.Node, indent int) {
	made.style = styleOf(n.Style)
	switch made.style {
	case doubleQuoted:
		c.checkLayout(n, indent)
		made.scalar = c.hidden.doubleQuoted(n.Value)
		return
	case singleQuoted:
		c.checkLayout(n, indent)
	case plain:
		v, finite := resolve(n.Value)
		if !finite {
			c.report(n, problem.NumberRange, finiteMessage)
			made.Refused = true
			return
		}
		if _, isText := v.(string); !isText {
			made.scalar = v
			return
		}
	}
	made.scalar = c.hidden.plain(n.Value)
}

// mapping adds the keys and values of n to made. Of a key that appears twice
// the first one counts.
func (c *composer) mapping(made *Node, n *yaml.Node, indent, level int) {
	pairs := len(n.Content) / 2
	if made.Keys == nil {
		made.Keys, made.Items = make([]Key, 0, pairs), make([]*Node, 0, pairs)
		if pairs >= manyKeys {
			made.places = make(map[string]int, pairs)
		}
	}
	braces := n.Style&yaml.FlowStyle != 0 && (pairs != 1 || n.Line != n.Content[0].Line || n.Column != n.Content[0].Column)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, item := n.Content[i], n.Content[i+1]
		if !braces {
			c.checkKeyLength(key)
		}
		name, named := c.key(key)
		if !named {
			c.node(item, key, indent, level+1)
			continue
		}
		c.path = append(c.path, step{name: name, index: -1})
		again := made.find(name) >= 0
		if again {
			c.report(key, problem.DuplicateKey, duplicateMessage(name))
		}
		value := c.node(item, key, indent, level+1)
		c.path = c.path[:len(c.path)-1]
		if !again {
			made.put(Key{Name: name, Line: key.Line + c.source.shift, Column: key.Column}, value)
		}
	}
}

func duplicateMessage(name string) string { return "Expected the key " + clip(name) + " only once" }

// checkKeyLength reports a key without braces around it that is too long.
func (c *composer) checkKeyLength(n *yaml.Node) {
	if len(n.Value) > maxKeyCharacters && value.Characters(n.Value) > maxKeyCharacters {
		c.report(n, problem.YAMLSyntax, fmt.Sprintf("Expected a key of at most %d characters", maxKeyCharacters))
	}
}

// key gives a key's name as JSON has it, and false when it has none.
func (c *composer) key(n *yaml.Node) (string, bool) {
	c.features(n)
	switch n.Kind {
	case yaml.AliasNode:
		return "", false
	case yaml.ScalarNode:
	default:
		if isTemplate(n) {
			c.report(n, problem.YAMLFeature, templateMessage)
		} else {
			c.report(n, problem.YAMLFeature, keyMessage)
		}
		return "", false
	}
	switch style := styleOf(n.Style); {
	case style == doubleQuoted:
		return c.hidden.doubleQuoted(n.Value), true
	case style != plain:
		return c.hidden.plain(n.Value), true
	case n.Value == "<<":
		c.report(n, problem.YAMLFeature, "Merge keys are not allowed")
		return "", false
	}
	v, finite := resolve(n.Value)
	if !finite {
		c.report(n, problem.NumberRange, finiteMessage)
		return "", false
	}
	if _, isText := v.(string); isText && n.Value != "?" {
		return c.hidden.plain(n.Value), true
	}
	if number, isNumber := value.Number(v); isNumber {
		return value.FormatNumber(number), true
	}
	if v == nil || n.Value == "?" {
		c.report(n, problem.YAMLFeature, keyMessage)
		return "", false
	}
	return value.JSON(v), true
}
