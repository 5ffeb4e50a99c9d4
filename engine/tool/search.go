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
type Argument struct {
	Name        string // with a dot before what an object holds, and [] for a list's items
	Type        string // in the words of JSON Schema, such as string or array of number; any when it says nothing
	Required    bool
	Description string
	Choices     []value.Value // of its enum or const
	Default     value.Value
	HasDefault  bool
}

// The most levels and rows of the readable form.
const (
	argumentLevels = 4
	mostArguments  = 200
)

// Arguments gives the readable form of the schema of a tool's arguments: a row
// for each property, those of nested objects after their own.
func (t *Tool) Arguments() []Argument {
	root, _ := t.InputSchema.(*value.Object)
	table := &argumentTable{root: root}
	table.add(root, "", argumentLevels)
	return table.rows
}

type argumentTable struct {
	root *value.Object
	rows []Argument
}

func (a *argumentTable) add(schema *value.Object, prefix string, levels int) {
	properties, _ := schema.Get("properties")
	of, _ := properties.(*value.Object)
	required, _ := schema.Get("required")
	names, _ := required.([]value.Value)
	for i := range of.Len() {
		name, v := of.At(i)
		if len(a.rows) == mostArguments {
			return
		}
		property := a.resolve(v)
		row := Argument{Name: prefix + name, Type: a.typeOf(property), Required: slices.Contains(names, value.Value(name))}
		description, _ := property.Get("description")
		row.Description, _ = description.(string)
		choices, _ := property.Get("enum")
		row.Choices, _ = choices.([]value.Value)
		if only, ok := property.Get("const"); ok {
			row.Choices = []value.Value{only}
		}
		row.Default, row.HasDefault = property.Get("default")
		a.rows = append(a.rows, row)
		if levels == 0 {
			continue
		}
		a.add(property, row.Name+".", levels-1)
		if items, ok := property.Get("items"); ok {
			a.add(a.resolve(items), row.Name+"[].", levels-1)
		}
	}
}

// resolve follows references within the schema.
func (a *argumentTable) resolve(v value.Value) *value.Object {
	for range 8 {
		o, _ := v.(*value.Object)
		given, ok := o.Get("$ref")
		ref, _ := given.(string)
		if !ok || !strings.HasPrefix(ref, "#") {
			return o
		}
		v, _ = value.Lookup(a.root, ref[1:])
	}
	return nil
}

func (a *argumentTable) typeOf(of *value.Object) string {
	given, _ := of.Get("type")
	switch kind := given.(type) {
	case string:
		if items, ok := of.Get("items"); ok && kind == "array" {
			if inner := a.resolve(items); inner.Len() > 0 {
				if held, _ := inner.Get("type"); held != nil {
					if name, ok := held.(string); ok {
						return "array of " + name
					}
				}
			}
		}
		return kind
	case []value.Value:
		names := make([]string, 0, len(kind))
		for _, v := range kind {
			if name, ok := v.(string); ok {
				names = append(names, name)
			}
		}
		return strings.Join(names, " or ")
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		options, _ := of.Get(key)
		list, _ := options.([]value.Value)
		names := []string{}
		for _, option := range list {
			if name, _ := a.resolve(option).Get("type"); name != nil {
				if text, ok := name.(string); ok && !slices.Contains(names, text) {
					names = append(names, text)
				}
			}
		}
		if len(names) > 0 {
			return strings.Join(names, " or ")
		}
	}
	return "any"
}

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

// Try tells what a call would check: that the server is configured and can be
// reached, that the tool is allowed and listed, and how large the arguments are.
func (s *Servers) Try(ctx context.Context, call Call) (*Trial, *Failure) {
	t, failure := s.Tool(ctx, call.Server, call.Tool)
	if failure != nil {
		return nil, failure
	}
	if call.Arguments == nil {
		call.Arguments = &value.Object{}
	}
	trial := &Trial{Tool: t, ArgumentBytes: ArgumentBytes(call.Arguments)}
	compiled, problems := schema.FromValue(t.InputSchema)
	if compiled == nil || len(problems) > 0 {
		trial.Unchecked = true
		return trial, nil
	}
	issues, err := compiled.Validate(call.Arguments)
	trial.Issues, trial.Unchecked = issues, err != nil
	return trial, nil
}
