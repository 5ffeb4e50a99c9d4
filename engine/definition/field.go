package definition

// This file reads a mapping by its table of fields, and reports what is wrong
// with its keys and values, each in its place.

import (
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
)

// field is one key of a mapping in the front matter: how the documentation
// describes it and how it is read into a T. The tables of fields feed the
// checks, the documentation and completion alike.
type field[T any] struct {
	name     string
	required bool
	takes    string // what it takes, in words
	within   []FieldText
	read     func(r *reader, at place, into *T)
}

// FieldText describes a key of a type's front matter.
type FieldText struct {
	Name     string
	Required bool
	Takes    string
	Within   []FieldText // the keys of the mapping it takes, if it takes one
}

// describe gives the texts of a table of fields.
func describe[T any](fields []field[T]) []FieldText {
	texts := make([]FieldText, len(fields))
	for i, f := range fields {
		texts[i] = FieldText{Name: f.name, Required: f.required, Takes: f.takes, Within: f.within}
	}
	return texts
}

// place is one value of the front matter: its node, its pointer and the key it
// stands under, which has no line for the root and for a list's items.
type place struct {
	node    *frontmatter.Node
	pointer string
	key     frontmatter.Key
}

// child is the place of a key that the mapping has.
func (p place) child(key string) (place, bool) {
	node := p.node.Get(key)
	if node == nil {
		return place{}, false
	}
	found, _ := p.node.KeyOf(key)
	return place{node: node, pointer: join(p.pointer, key), key: found}, true
}

// read goes through a mapping by its table: each key it knows is read, each
// other one and each required one that is missing is a problem. It tells
// whether the place holds a mapping at all.
func read[T any](r *reader, at place, fields []field[T], into *T) bool {
	if at.node.Kind != frontmatter.Mapping {
		r.refuse(at, problem.ValueType, "Expected a mapping"+ofRequired(fields))
		return false
	}
	var texts []FieldText
	for i, key := range at.node.Keys {
		known := slices.IndexFunc(fields, func(f field[T]) bool { return f.name == key.Name })
		if known < 0 {
			if texts == nil {
				texts = describe(fields)
			}
			r.unknownKey(at, key, texts)
			continue
		}
		fields[known].read(r, place{node: at.node.Items[i], pointer: join(at.pointer, key.Name), key: key}, into)
	}
	for _, f := range fields {
		if f.required && at.node.Get(f.name) == nil {
			r.missing(at, f.name, "Missing key")
		}
	}
	return true
}

// ofRequired names the keys that a mapping cannot be without, where there are
// some: of server, tool and with.
func ofRequired[T any](fields []field[T]) string {
	var names []string
	for _, f := range fields {
		if f.required {
			names = append(names, f.name)
		}
	}
	switch last := len(names) - 1; last {
	case -1:
		return ""
	case 0:
		return " of " + names[0]
	default:
		return " of " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
}

// unknownKey reports a key at its own line, with the one that was meant where
// that can be told.
func (r *reader) unknownKey(at place, key frontmatter.Key, known []FieldText) {
	message := "Unknown key"
	switch meant := meantKey(key.Name, known); {
	case strings.HasPrefix(key.Name, "\u00a0"):
		message = frontmatter.NoBreakSpace
	case meant != "":
		message += problem.DidYouMean(meant)
	case at.pointer == "":
		message += r.elsewhere(key.Name)
	}
	r.add(problem.Problem{
		Line: key.Line, Column: key.Column, Pointer: join(at.pointer, key.Name),
		Rule: problem.UnknownKey, Message: message,
	})
}

// elsewhere ends the message about a key that other tools have, where a document
// says the same without one; it gives nothing for any other key.
func (r *reader) elsewhere(name string) string {
	switch name {
	case "name", "id", "slug":
		return "; the name of the file is the name"
	case "type", "kind":
		return "; the folder or the ending of the file tells the type"
	case "title", "summary":
		return problem.DidYouMean("description")
	case "version":
		return "; each change to a document makes a version"
	case "prompt", "template", "message", "user", "body", "text", "content", "question":
		return "; it is written below the front matter"
	case "system", "system_prompt", "instructions":
		if r.definition.Type.Name == reasoningName {
			return "; it is written below the front matter, between {% system %} and {% endsystem %}"
		}
	case "timeout":
		if r.definition.Type.Name == reasoningName {
			return "; the time of a call follows from config.max_output_tokens"
		}
	}
	return ""
}

// otherNames are what the interfaces of providers and of tools call a key.
var otherNames = map[string]string{
	"answer":                "output",
	"answer_schema":         "output",
	"args":                  "with",
	"arguments":             "with",
	"assignee":              "to",
	"channel":               "deliver",
	"deadline":              "expires",
	"due":                   "expires",
	"expires_in":            "expires",
	"inputs":                "input",
	"max_completion_tokens": "max_output_tokens",
	"max_tokens":            "max_output_tokens",
	"outputs":               "output",
	"parameters":            "input",
	"provider":              "model",
	"reasoning_effort":      "reasoning",
	"recipient":             "to",
	"stop":                  "stop_sequences",
	"timeout":               "expires",
	"variables":             "input",
}

// schemaKeywords are the keywords that open a schema, which stands under the key
// schema.
var schemaKeywords = []string{"additionalProperties", "items", "properties", "required", "type"}

// meantKey gives the key that was most likely meant by an unknown one: a known
// key that reads like it, else one a level deeper, such as config.temperature.
func meantKey(name string, known []FieldText) string {
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.Name
	}
	if near, ok := problem.Nearest(name, names); ok {
		return near
	}
	if other, named := otherNames[name]; named {
		name = other
	}
	var meant []string
	for _, f := range known {
		switch {
		case f.Name == name:
			return name
		case f.Name == "schema" && slices.Contains(schemaKeywords, name):
			return "schema." + name
		case slices.ContainsFunc(f.Within, func(inner FieldText) bool { return inner.Name == name }):
			meant = append(meant, f.Name+"."+name)
		}
	}
	return strings.Join(meant, " or ")
}

// missing reports a key that a mapping lacks, at the key's own pointer and on
// the line where the mapping begins for its author: its own key's, the first
// one's of a list's item, and line 1 for the root.
func (r *reader) missing(at place, key, message string) {
	r.missingAs(problem.MissingKey, at, key, message)
}

func (r *reader) missingAs(rule problem.Rule, at place, key, message string) {
	if r.partial {
		return
	}
	line, column := at.key.Line, at.key.Column
	if line == 0 {
		line, column = at.node.Line, at.node.Column
	}
	if at.pointer == "" {
		line, column = 1, 1
	}
	r.add(problem.Problem{Line: line, Column: column, Pointer: join(at.pointer, key), Rule: rule, Message: message})
}

// refuse reports what is wrong with the value at a place, unless the front
// matter already did.
func (r *reader) refuse(at place, rule problem.Rule, message string) {
	if at.node.Refused {
		return
	}
	r.add(problem.Problem{Line: at.node.Line, Column: at.node.Column, Pointer: at.pointer, Rule: rule, Message: message})
}

// refuseKey reports that a key of a mapping may not be there, on the key's
// own line.
func (r *reader) refuseKey(at place, name string, rule problem.Rule, message string) {
	key, _ := at.node.KeyOf(name)
	r.add(problem.Problem{Line: key.Line, Column: key.Column, Pointer: join(at.pointer, name), Rule: rule, Message: message})
}

func (r *reader) add(p problem.Problem) {
	if p.Severity == "" {
		p.Severity = problem.Refused
	}
	r.problems = append(r.problems, p)
}

// oneOf is the message for a value that is none of a few words.
func oneOf(words []string) string { return "Expected one of " + strings.Join(words, ", ") }
