package tool

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// This file is how a person finds a tool, reads it, and sees what a call of it
// would check.

// Found is what a server offers.
type Found struct {
	Server  string
	Tools   []Tool    // the best first when terms were given, else in the server's order
	Total   int       // how many tools it offers, whatever the terms
	Readers []string  // the names of those that read the replies to a request, of all it offers
	LeftOut []LeftOut // of an OpenAPI document, what is no tool; with terms, what they find
	Failure *Failure  // why it could not be asked; nil when it could
}

// Search asks every server for its tools, all at once, and gives those that the
// terms find, or all without terms. A tool is found by a term that its name, its
// server's name or its description holds, in any case.
func (s *Servers) Search(ctx context.Context, terms ...string) []Found {
	words := wordsOfTerms(terms)
	lists, failures := s.lists(ctx, s.names)
	all := make([]Found, 0, len(s.names))
	for _, name := range s.names {
		found := Found{Server: name, Total: len(lists[name]), Failure: failures[name]}
		type scored struct {
			tool  Tool
			score int
		}
		for _, reader := range ReadersOfReplies(lists[name]) {
			found.Readers = append(found.Readers, reader.Name)
		}
		var ranked []scored
		for _, t := range lists[name] {
			if score := score(&t, words); score > 0 || len(terms) == 0 {
				ranked = append(ranked, scored{t, score})
			}
		}
		slices.SortStableFunc(ranked, func(a, b scored) int { return b.score - a.score })
		for _, r := range ranked {
			found.Tools = append(found.Tools, r.tool)
		}
		for _, of := range s.byName[name].leftOutOf() {
			if len(terms) == 0 || score(&Tool{Name: of.Operation}, words) > 0 {
				found.LeftOut = append(found.LeftOut, of)
			}
		}
		all = append(all, found)
	}
	return all
}

// littleWords are those of a question that say nothing of a tool.
var littleWords = []string{"a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or", "it", "its", "is", "that", "this"}

func wordsOfTerms(terms []string) []string {
	var words []string
	for _, term := range terms {
		for _, word := range strings.FieldsFunc(strings.ToLower(term), notOfWord) {
			if !slices.Contains(littleWords, word) && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}

func notOfWord(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// score is how well words find a tool: 0 when none does. A word of one or two
// letters finds whole words alone.
func score(t *Tool, words []string) int {
	name, description := strings.ToLower(t.Name), strings.ToLower(t.Description)
	ofName, ofDescription := strings.FieldsFunc(name, notOfWord), strings.FieldsFunc(description, notOfWord)
	total := 0
	for _, word := range words {
		part := len(word) > 2
		switch {
		case slices.Contains(ofName, word):
			total += 6
		case part && strings.Contains(name, word):
			total += 4
		case word == t.Server:
			total += 2
		case slices.Contains(ofDescription, word) || part && strings.Contains(description, word):
			total++
		}
	}
	return total
}

// Argument is a row of the readable form of a tool's arguments.
type Argument = schema.Field

// Arguments gives the readable form of the schema of a tool's arguments: a row
// for each property, those of nested objects after their own.
func (t *Tool) Arguments() []Argument { return schema.Fields(t.InputSchema) }

// Trial is what a call would check, without the call.
type Trial struct {
	Tool          *Tool
	ArgumentBytes int
	// Issues are what the arguments do not match of the tool's schema. The server
	// judges them itself: a call with issues would be sent.
	Issues []schema.Issue
	// Unchecked says that the schema uses what the runtime does not check.
	Unchecked bool
}

// Try tells what a call of the tool would check of its arguments; nil stands for
// none.
func (t *Tool) Try(arguments *value.Object) *Trial {
	if arguments == nil {
		arguments = &value.Object{}
	}
	trial := &Trial{Tool: t, ArgumentBytes: ArgumentBytes(arguments)}
	compiled, problems := schema.FromValue(t.InputSchema)
	if compiled == nil || len(problems) > 0 {
		trial.Unchecked = true
		return trial
	}
	issues, err := compiled.Validate(arguments)
	trial.Issues, trial.Unchecked = issues, err != nil
	return trial
}
