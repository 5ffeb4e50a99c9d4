package frontmatter

// This file runs the YAML library over the front matter, and over its parts
// when the whole cannot be read.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/problem"
)

// readYAML reads the front matter's text, whose first line is the given line of
// the file. It gives the mapping, or nil and the part of it that can be read.
func readYAML(text string, firstLine int, found *findings) (root, partial *Node) {
	if len(text) > MaxFrontMatter {
		found.add(1, 1, "", problem.TooLarge, "Expected front matter of at most 512 KiB")
		return nil, nil
	}
	text, hidden := hide(text)
	whole := newSource(text, firstLine)
	document, broken := load(whole)
	if broken != nil && document == nil {
		return nil, recoverParts(whole, hidden, broken, found)
	}
	if broken != nil {
		found.add(broken.line+whole.shift, broken.column, "", broken.rule, broken.message)
	}
	return newComposer(whole, hidden, found).root(document), nil
}

// load reads one YAML document. The document is nil without a fault when there
// is nothing but white space and comments; it is there with a fault when another
// document follows it.
func load(source *source) (*yaml.Node, *fault) {
	limits := &limits{}
	loader, err := yaml.NewLoader(strings.NewReader(source.text), yaml.WithPlugin(limits, aliases{}))
	if err != nil {
		panic("frontmatter: the YAML library refuses its options: " + err.Error())
	}
	tell := func(err error) *fault {
		if limits.reached {
			f := faultOf(err, source)
			return &fault{line: f.line, column: f.column, rule: problem.TooDeep, message: levelsMessage}
		}
		f := faultOf(err, source)
		return &f
	}
	document, second := &yaml.Node{}, &yaml.Node{}
	switch err := loader.Load(document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, tell(err)
	}
	switch err := loader.Load(second); {
	case errors.Is(err, io.EOF):
		return document, nil
	case err != nil:
		return nil, tell(err)
	}
	return document, &fault{line: second.Line, column: second.Column, rule: problem.YAMLFeature, message: secondMessage}
}

// libraryLevels is where the library is stopped. It counts the nesting of flow
// collections and of blocks apart; the composer's own count reports each place
// that is a little too deep.
const libraryLevels = 200

var levelsMessage = fmt.Sprintf("Expected at most %d levels of mappings and lists", MaxLevels)

// limits stops the library before it nests deeply enough to cost anything.
type limits struct {
	reached bool
}

var errTooDeep = errors.New("the YAML nests too deeply")

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

// BeginDocument keeps yaml.AliasDataContext.
func (aliases) BeginDocument() error { return nil }

// DefineAnchor keeps yaml.AliasDataContext.
func (aliases) DefineAnchor(string, *yaml.Node) error { return nil }

// ResolveAlias keeps yaml.AliasDataContext.
func (aliases) ResolveAlias(string) (*yaml.Node, bool, error) { return nowhere, true, nil }

// EndDocument keeps yaml.AliasDataContext.
func (aliases) EndDocument() error { return nil }
