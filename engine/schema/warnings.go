package schema

// This file warns of the parts of an output schema that a provider refuses or
// does not enforce, and of those that nothing checks (reasoning format,
// "Answers that are JSON"). A schema with warnings is a good schema: it only
// may not work alike with every model.

import (
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
)

// The providers that a warning is about, as it names them.
const (
	anthropicModels   = " (anthropic, bedrock, bedrock-anthropic, vertex-anthropic)"
	strictOutputs     = " (azure, openai)"
	objectOnlyOutputs = " (anthropic, azure, bedrock, bedrock-anthropic, openai, vertex-anthropic)"
)

// takenFormats are the formats that Anthropic models accept.
var takenFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}

// Warnings gives the warnings of an output schema, by line, each once: all of
// them, however many a definition shows (problem.ShownWarnings).
func Warnings(s *Schema) []problem.Problem {
	w := &warner{draft: s.draft, known: s.draft.keywordNames(), guesses: guesses{left: mostGuesses}}
	w.rootObject(s)
	w.subschema(s.root)
	return problem.Sort(w.warnings)
}

type warner struct {
	draft    draft
	warnings []problem.Problem
	said     int
	known    []string // the keywords a schema may use
	guesses  guesses
}

func (w *warner) warn(line, column int, pointer string, rule problem.Rule, message string) {
	if w.said += len(pointer) + len(message); w.said > maxSaid {
		return
	}
	w.warnings = append(w.warnings, problem.Problem{
		Line: line, Column: column, Pointer: pointer,
		Rule: rule, Severity: problem.Warning, Message: message,
	})
}

// about warns of a key, at its own place.
func (w *warner) about(at *spot, rule problem.Rule, message string) {
	w.warn(at.key.Line, at.key.Column, at.pointer(), rule, message)
}

// rootObject warns of a root that is not one object.
func (w *warner) rootObject(s *Schema) {
	if s.root.types == typeObject {
		return
	}
	at := s.root.at
	line, column := at.begins()
	w.warn(line, column, at.pointer(), problem.SchemaPortable,
		"The root is not type: object, all that strict structured outputs and answers through a tool call accept"+objectOnlyOutputs)
}

// subschema warns of what one schema holds, and goes on to those within it.
func (w *warner) subschema(s *subschema) {
	node := s.at.node
	if node.Kind != frontmatter.Mapping {
		return
	}
	w.closedObject(s)
	for i := range node.Keys {
		at := s.at.under(i)
		w.keyword(s, &at)
	}
	for _, within := range s.within {
		w.subschema(within)
	}
}

func (w *warner) keyword(s *subschema, at *spot) {
	name := at.key.Name
	row := w.draft.keywordNamed(name)
	switch {
	case row == nil:
		w.about(at, problem.SchemaUnchecked, clip(name)+" is sent to the provider but not checked by the runtime"+w.guesses.at(name, w.known))
	case row.duty == unchecked:
		w.about(at, problem.SchemaUnchecked, name+" is sent to the provider but not checked by the runtime")
	case row.duty != describes && name != "$ref" && !definitionsKeyword(name) && s.reference != nil && w.draft == draft07:
		w.about(at, problem.SchemaUnchecked, name+" is sent to the provider but not checked by the runtime: draft-07 ignores what stands beside $ref")
		return
	}
	switch {
	case row == nil:
	case row.duty == bounds && !(name == "uniqueItems" && !s.list.unique):
		w.about(at, problem.SchemaPortable, name+" is not enforced while Anthropic models write the answer; an answer outside it fails as output_invalid"+anthropicModels)
	case name == "oneOf":
		w.about(at, problem.SchemaPortable, "oneOf reaches Anthropic models as anyOf; an answer that matches more than one choice fails as output_invalid"+anthropicModels)
	case name == "format":
		if format, _ := at.node.Value().(string); !slices.Contains(takenFormats, format) {
			w.about(at, problem.SchemaPortable, "format "+shown(format)+" is not accepted by Anthropic models, which take "+strings.Join(takenFormats, ", ")+anthropicModels)
		}
	}
}

func definitionsKeyword(name string) bool { return name == "$defs" || name == "definitions" }

// closedObject warns of an object that may have more properties than it lists,
// and of each property that it may leave out.
func (w *warner) closedObject(s *subschema) {
	rules := s.object
	if rules == nil {
		rules = &objectRules{}
	}
	if s.types&typeObject == 0 && !rules.lists && rules.additional == nil {
		return
	}
	if !rules.closed() {
		const message = "OpenAI and Azure accept only closed objects, with additionalProperties: false" + strictOutputs
		node := s.at.node
		i := slices.IndexFunc(node.Keys, func(k frontmatter.Key) bool { return k.Name == "additionalProperties" })
		if i >= 0 {
			at := s.at.under(i)
			w.about(&at, problem.SchemaPortable, message)
		} else {
			line, column := s.at.begins()
			w.warn(line, column, s.at.pointer()+"/additionalProperties", problem.SchemaPortable, message)
		}
	}
	for _, name := range rules.names {
		if !rules.requires(name) {
			w.about(rules.properties[name].at, problem.SchemaPortable,
				clip(name)+" is optional, and OpenAI and Azure accept only required properties; list it in required and allow null"+strictOutputs)
		}
	}
}
