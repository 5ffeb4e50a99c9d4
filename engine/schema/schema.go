// Package schema is what the formats know of JSON Schema: which schemas a
// definition may hold (reasoning format, "Answers that are JSON"), whether a
// value matches one, which parts of it a provider may refuse or not enforce,
// the output shapes, and the form of a schema that every provider takes (model
// settings, "The portable form").
//
// It never fetches anything: a reference leads nowhere but to a definition of
// the same schema. It never runs a regular expression, asserts no format, and
// does at most a bounded amount of work for any schema and any value.
package schema

import (
	"slices"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// The bounds of a schema and of the answers it is for (reasoning format,
// "Answers that are JSON").
const (
	MaxBytes  = 65_536 // of a schema as JSON
	MaxLevels = 64     // of objects and lists in a schema
	MaxEnum   = 1_000  // values in one enum

	// AnswerLevels is how many levels of objects and lists an answer may nest.
	// Whoever reads an answer checks it, with value.Depth, before Validate.
	AnswerLevels = 128
)

// Options are what one place of a definition asks of a schema beyond what
// holds for every schema.
type Options struct {
	// ObjectRoot asks for type: object at the root, as input.schema needs it.
	ObjectRoot bool
	// Key is the key that the schema stands under, for what it lacks at its root.
	Key frontmatter.Key
}

// Schema is a schema that keeps every rule, ready to check values with. It
// never changes and is safe for concurrent use.
type Schema struct {
	root        *subschema
	draft       draft
	definitions []*definition
	written     value.Value
	// combines says that two rules may apply to one place of a value, so that
	// one issue may be found twice.
	combines bool
}

// Value gives the schema as it was written, its keys in order.
func (s *Schema) Value() value.Value { return s.written }

// Compile checks a schema against the rules of the format and makes it ready
// for use. The pointer is the schema's place in the front matter, such as
// /output/schema. It gives every problem, sorted and each once, and a Schema
// only when there are none, here or where the front matter was read.
func Compile(node *frontmatter.Node, pointer string, options Options) (*Schema, []problem.Problem) {
	if node == nil || node.Refused {
		return nil, nil // reported where the front matter was read
	}
	c := &compiler{draft: draftOf(node), guesses: guesses{left: mostGuesses}}
	at, written := &spot{node: node, root: pointer, key: options.Key}, node.Value()
	c.size(at, written)
	root := c.subschema(at, 1)
	c.resolve()
	if options.ObjectRoot {
		c.objectRoot(at)
	}
	if len(c.problems) > 0 || unreadable(node) {
		return nil, problem.Sort(c.problems)
	}
	return &Schema{
		root: root, draft: c.draft, definitions: c.definitions,
		written: written, combines: c.combines,
	}, nil
}

// unreadable tells whether a value could not be made out anywhere in the schema,
// which was reported where the front matter was read.
func unreadable(node *frontmatter.Node) bool {
	return node.Refused || slices.ContainsFunc(node.Items, unreadable)
}

// FromValue compiles a schema that was never in a file, such as a tool's. Its
// problems have no lines.
func FromValue(v value.Value) (*Schema, []problem.Problem) {
	return Compile(frontmatter.FromValue(v), "", Options{})
}
