package frontmatter

// This file reads YAML: the library's nodes become ours, and everything the
// formats refuse in them becomes a problem.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// readYAML reads the front matter's text, whose first line is the given line of
// the file. It gives nil when there is no mapping to give.
func readYAML(text string, firstLine int, found *findings) *Node {
	if len(text) > MaxFrontMatter {
		found.add(1, 1, "", problem.TooLarge, fmt.Sprintf("Expected front matter of at most %d bytes", MaxFrontMatter))
		return nil
	}
	text, restore := hideLineSeparators(text)
	composer := &composer{found: found, shift: firstLine - 1, lines: newLines(text, firstLine), restore: restore}
	limits := &limits{}
	loader, err := yaml.NewLoader(strings.NewReader(text), yaml.WithPlugin(limits), yaml.WithPlugin(aliases{}))
	if err != nil {
		panic("frontmatter: the YAML library refuses its options: " + err.Error())
	}
	var document yaml.Node
	if err := loader.Load(&document); err != nil {
		if !errors.Is(err, io.EOF) {
			composer.syntax(err, limits)
			return nil
		}
		return &Node{Kind: Mapping, Line: 1, Column: 1}
	}
	var second yaml.Node
	if err := loader.Load(&second); err == nil {
		found.add(second.Line+composer.shift, second.Column, "", problem.YAMLFeature, "Expected one YAML document, not a second one")
	} else if !errors.Is(err, io.EOF) {
		composer.syntax(err, limits)
	}
	return composer.root(&document)
}

// limits stops the library before it nests deeply enough to cost anything.
type limits struct {
	reached bool
}

// libraryLevels is where the library is stopped. It counts flow and block
// nesting apart, and our own count reports what lies between.
const libraryLevels = 500

var errTooDeep = errors.New("too deep")

// CheckDepth keeps yaml.LoaderLimitsPlugin.
func (l *limits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > libraryLevels {
		l.reached = true
		return errTooDeep
	}
	return nil
}

// CheckAlias keeps yaml.LoaderLimitsPlugin. No alias is ever followed.
func (l *limits) CheckAlias(int, int) error { return nil }

// aliases resolves every alias to one empty node, so that an alias whose anchor
// is missing is like any other: refused, and no reason to stop reading.
type aliases struct{}

var nowhere = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}

// NewAliasDataContext keeps yaml.AliasDataPlugin.
func (aliases) NewAliasDataContext(yaml.AliasDataServices) (yaml.AliasDataContext, error) {
	return aliases{}, nil
}

// BeginDocument, DefineAnchor, ResolveAlias and EndDocument keep
// yaml.AliasDataContext.
func (aliases) BeginDocument() error                          { return nil }
func (aliases) DefineAnchor(string, *yaml.Node) error         { return nil }
func (aliases) ResolveAlias(string) (*yaml.Node, bool, error) { return nowhere, true, nil }
func (aliases) EndDocument() error                            { return nil }

type composer struct {
	found   *findings
	shift   int // what a line of the front matter's text lies above a line of the file
	lines   *lines
	restore *strings.Replacer // nil when nothing was hidden
}

func (c *composer) report(n *yaml.Node, pointer string, rule problem.Rule, message string) {
	c.found.add(n.Line+c.shift, n.Column, pointer, rule, message)
}

func (c *composer) root(document *yaml.Node) *Node {
	if len(document.Content) == 0 {
		return &Node{Kind: Mapping, Line: 1, Column: 1}
	}
	top := document.Content[0]
	root := c.node(top, nil, "", 1)
	if root.Kind == Mapping {
		root.Line, root.Column = 1, 1
		return root
	}
	if root.Kind == Scalar && root.scalar == nil && !root.Refused {
		return &Node{Kind: Mapping, Line: 1, Column: 1}
	}
	c.report(top, "", problem.FrontMatter, "Expected a mapping: a field and its value on each line, such as description: Reviews a brief")
	return nil
}

// node makes the node of n, which stands at a pointer and a level. An empty
// value takes its place from its key.
func (c *composer) node(n, key *yaml.Node, pointer string, level int) *Node {
	c.features(n, pointer)
	made := &Node{Line: n.Line + c.shift, Column: n.Column, lines: c.lines}
	if key != nil && n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&quotedStyles == 0 {
		made.Line, made.Column = key.Line+c.shift, key.Column
	}
	switch n.Kind {
	case yaml.AliasNode:
		made.Refused = true
	case yaml.ScalarNode:
		c.scalar(made, n, pointer)
	case yaml.SequenceNode:
		made.Kind = List
		if c.tooDeep(n, pointer, level) {
			made.Refused = true
			return made
		}
		made.Items = make([]*Node, len(n.Content))
		for i, item := range n.Content {
			made.Items[i] = c.node(item, nil, value.JoinIndex(pointer, i), level+1)
		}
	case yaml.MappingNode:
		made.Kind = Mapping
		if c.tooDeep(n, pointer, level) {
			made.Refused = true
			return made
		}
		c.mapping(made, n, pointer, level)
	}
	return made
}

func (c *composer) tooDeep(n *yaml.Node, pointer string, level int) bool {
	if level <= MaxLevels {
		return false
	}
	c.report(n, pointer, problem.TooDeep, tooDeepMessage)
	return true
}

var tooDeepMessage = fmt.Sprintf("Expected at most %d levels of mappings and lists", MaxLevels)

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// features reports what a node is written with that the formats refuse.
func (c *composer) features(n *yaml.Node, pointer string) {
	if n.Kind == yaml.AliasNode {
		c.report(n, pointer, problem.YAMLFeature, "Aliases such as *"+n.Value+" are not allowed")
		return
	}
	if n.Anchor != "" {
		c.report(n, pointer, problem.YAMLFeature, "Anchors such as &"+n.Anchor+" are not allowed")
	}
	if n.Style&yaml.TaggedStyle != 0 {
		c.report(n, pointer, problem.YAMLFeature, "Tags such as "+n.Tag+" are not allowed")
	}
}

func (c *composer) scalar(made *Node, n *yaml.Node, pointer string) {
	made.style = styleOf(n.Style)
	if n.Style&quotedStyles != 0 {
		made.scalar = c.text(n)
		return
	}
	v, finite := resolve(n.Value)
	if !finite {
		c.report(n, pointer, problem.NumberRange, "Expected a finite number")
		made.Refused = true
		return
	}
	if _, ok := v.(string); ok {
		v = c.text(n)
	}
	made.scalar = v
}

func (c *composer) text(n *yaml.Node) string {
	if c.restore == nil {
		return n.Value
	}
	return c.restore.Replace(n.Value)
}

func (c *composer) mapping(made *Node, n *yaml.Node, pointer string, level int) {
	pairs := len(n.Content) / 2
	made.Keys, made.Items = make([]Key, 0, pairs), make([]*Node, 0, pairs)
	if pairs >= manyKeys {
		made.places = make(map[string]int, pairs)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, item := n.Content[i], n.Content[i+1]
		name, ok := c.key(key, pointer)
		at := pointer
		if ok {
			at = value.Join(pointer, name)
		}
		node := c.node(item, key, at, level+1)
		if !ok {
			continue
		}
		if made.find(name) >= 0 {
			c.report(key, at, problem.DuplicateKey, "Expected the key "+name+" only once")
			continue
		}
		if made.places != nil {
			made.places[name] = len(made.Keys)
		}
		made.Keys = append(made.Keys, Key{Name: name, Line: key.Line + c.shift, Column: key.Column})
		made.Items = append(made.Items, node)
	}
}

// key gives a key's name as JSON has it, and false when it has none.
func (c *composer) key(n *yaml.Node, pointer string) (string, bool) {
	c.features(n, pointer)
	switch n.Kind {
	case yaml.AliasNode:
		return "", false
	case yaml.ScalarNode:
	default:
		c.report(n, pointer, problem.YAMLFeature, "Expected a key that is text")
		return "", false
	}
	if n.Style&quotedStyles != 0 {
		return c.text(n), true
	}
	if n.Value == "<<" {
		c.report(n, pointer, problem.YAMLFeature, "Merge keys are not allowed")
		return "", false
	}
	v, finite := resolve(n.Value)
	if !finite {
		c.report(n, pointer, problem.NumberRange, "Expected a finite number")
		return "", false
	}
	switch v := v.(type) {
	case nil:
		c.report(n, pointer, problem.YAMLFeature, "Expected a key that is text")
		return "", false
	case string:
		return c.text(n), true
	default:
		number, isNumber := value.Number(v)
		if isNumber {
			return value.FormatNumber(number), true
		}
		return value.JSON(v), true
	}
}

// syntax reports an error of the library.
func (c *composer) syntax(err error, limits *limits) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		c.found.add(c.shift+1, 1, "", problem.YAMLSyntax, "Expected YAML")
		return
	}
	mark := load.Mark
	if limits.reached {
		c.found.add(mark.Line+c.shift, mark.Column, "", problem.TooDeep, tooDeepMessage)
		return
	}
	c.found.add(mark.Line+c.shift, mark.Column, "", problem.YAMLSyntax, "Expected YAML: "+load.Message)
}
