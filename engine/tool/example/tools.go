package example

import (
	"fmt"
	"slices"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// This file is the notes' tools, as the server lists and calls them.

// tool is one tool of the server.
type tool struct {
	name        string
	description string
	reads       bool
	arguments   []argument
	call        func(n *Notes, given *value.Object) (*value.Object, error)
}

// argument is an argument of a tool. One that is not text is a whole number.
type argument struct {
	name        string
	description string
	required    bool
	whole       bool
}

var (
	title = argument{name: "title", description: "The note's title", required: true}
	text  = argument{name: "text", description: "The text", required: true}
)

const mostFound = 50

// tools are the server's tools. They are made when they are asked for, so that a
// program that links the server pays nothing for it.
func tools() []tool {
	return []tool{
		{"list_notes", "Lists the titles of all notes, each with its first line", true, nil,
			func(n *Notes, _ *value.Object) (*value.Object, error) {
				return object("notes", notesValue(n.list(), "first_line")), nil
			}},
		{"read_note", "Reads one note in full", true, []argument{title},
			func(n *Notes, given *value.Object) (*value.Object, error) {
				named := stringOf(given, "title")
				text, err := n.read(named)
				if err != nil {
					return nil, err
				}
				return object("title", named, "text", text), nil
			}},
		{"search_notes", "Finds the notes whose title or text holds every one of some words", true, []argument{
			{name: "words", description: "The words, in any order and in any case", required: true},
			{name: "limit", description: fmt.Sprintf("The most notes to give, from 1 to %d; 10 when left out", mostFound), whole: true},
		}, func(n *Notes, given *value.Object) (*value.Object, error) {
			limit := 10
			if v, ok := given.Get("limit"); ok {
				whole, _ := value.Whole(v)
				if whole < 1 || whole > mostFound {
					return nil, refusal(fmt.Sprintf("Expected limit to be from 1 to %d", mostFound))
				}
				limit = int(whole)
			}
			return object("notes", notesValue(n.search(stringOf(given, "words"), limit), "line")), nil
		}},
		{"add_note", "Adds a note under a title that no note has yet", false, []argument{title, text},
			func(n *Notes, given *value.Object) (*value.Object, error) {
				named := stringOf(given, "title")
				if err := n.add(named, stringOf(given, "text")); err != nil {
					return nil, err
				}
				return object("title", named, "added", true), nil
			}},
		{"append_note", "Adds a line at the end of a note", false, []argument{title, text},
			func(n *Notes, given *value.Object) (*value.Object, error) {
				named := stringOf(given, "title")
				whole, err := n.extend(named, stringOf(given, "text"))
				if err != nil {
					return nil, err
				}
				return object("title", named, "text", whole), nil
			}},
	}
}

// object builds an object from keys and values in turn.
func object(pairs ...any) *value.Object {
	o := value.NewObject(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func stringOf(o *value.Object, key string) string {
	v, _ := o.Get(key)
	text, _ := v.(string)
	return text
}

func notesValue(notes []note, key string) value.Value {
	all := make([]value.Value, 0, len(notes))
	for _, n := range notes {
		all = append(all, object("title", n.title, key, n.text))
	}
	return all
}

// listed is the tool as the server lists it.
func (t *tool) listed() *value.Object {
	properties, required := &value.Object{}, []value.Value{}
	for _, a := range t.arguments {
		kind := "string"
		if a.whole {
			kind = "integer"
		}
		properties.Set(a.name, object("type", kind, "description", a.description))
		if a.required {
			required = append(required, a.name)
		}
	}
	schema := object("type", "object", "properties", properties)
	if len(required) > 0 {
		schema.Set("required", required)
	}
	schema.Set("additionalProperties", false)
	annotations := object("readOnlyHint", t.reads)
	if !t.reads {
		annotations.Set("destructiveHint", false)
	}
	return object("name", t.name, "description", t.description, "inputSchema", schema, "annotations", annotations)
}

// check tells what is wrong with the arguments of a call; empty when nothing is.
func (t *tool) check(given *value.Object) string {
	known := []string{}
	for _, a := range t.arguments {
		known = append(known, a.name)
		v, ok := given.Get(a.name)
		if !ok {
			if a.required {
				return "Expected the argument " + a.name
			}
			continue
		}
		_, isText := v.(string)
		_, isWhole := value.Whole(v)
		switch {
		case a.whole && !isWhole:
			return "Expected the argument " + a.name + " to be a whole number"
		case !a.whole && !isText:
			return "Expected the argument " + a.name + " to be text"
		}
	}
	for _, name := range given.Keys() {
		if slices.Contains(known, name) {
			continue
		}
		if near, ok := problem.Nearest(name, known); ok {
			return "Unknown argument " + name + "; did you mean " + near + "?"
		}
		return "Unknown argument " + name
	}
	return ""
}
