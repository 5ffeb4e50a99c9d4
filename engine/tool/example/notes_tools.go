package example

import (
	"fmt"

	"github.com/beonauto/auto/engine/value"
)

// This file is the notes' tools, as the server lists and calls them.

var (
	title = argument{name: "title", description: "The note's title", required: true}
	text  = argument{name: "text", description: "The text", required: true}
)

const mostFound = 50

// tools are the server's tools. They are made when they are asked for, so that a
// program that links the server pays nothing for it.
func (n *Notes) tools() []tool {
	return []tool{
		{"list_notes", "Lists the titles of all notes, each with its first line", true, nil,
			func(*value.Object) (*value.Object, error) {
				return object("notes", notesValue(n.list(), "first_line")), nil
			}},
		{"read_note", "Reads one note in full", true, []argument{title},
			func(given *value.Object) (*value.Object, error) {
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
		}, func(given *value.Object) (*value.Object, error) {
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
			func(given *value.Object) (*value.Object, error) {
				named := stringOf(given, "title")
				if err := n.add(named, stringOf(given, "text")); err != nil {
					return nil, err
				}
				return object("title", named, "added", true), nil
			}},
		{"append_note", "Adds a line at the end of a note", false, []argument{title, text},
			func(given *value.Object) (*value.Object, error) {
				named := stringOf(given, "title")
				whole, err := n.extend(named, stringOf(given, "text"))
				if err != nil {
					return nil, err
				}
				return object("title", named, "text", whole), nil
			}},
	}
}

func notesValue(notes []note, key string) value.Value {
	all := make([]value.Value, 0, len(notes))
	for _, n := range notes {
		all = append(all, object("title", n.title, key, n.text))
	}
	return all
}
