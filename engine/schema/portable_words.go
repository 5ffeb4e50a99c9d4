package schema

// This file puts the rules that no provider enforces into the words of a
// description, such as: Must be at most 64 characters long.

import (
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// boundWords gives a sentence for each bound of a schema that is about a value
// of the types, in the order of the table of keywords.
func boundWords(s *subschema, of types) []string {
	var words []string
	say := func(c count, before, one, many, after string) {
		if c.set {
			words = append(words, before+things(c.n, one, many)+after+".")
		}
	}
	if rules := s.text; rules != nil && of&typeString != 0 {
		say(rules.min, "Must be at least ", "character", "characters", " long")
		say(rules.max, "Must be at most ", "character", "characters", " long")
	}
	if rules := s.number; rules != nil && of&(typeNumber|typeInteger) != 0 {
		for _, limit := range []struct {
			is     *bound
			before string
		}{
			{rules.minimum, "Must be at least "},
			{rules.maximum, "Must be at most "},
			{rules.above, "Must be more than "},
			{rules.below, "Must be less than "},
			{rules.multiple, "Must be a multiple of "},
		} {
			if limit.is != nil {
				words = append(words, limit.before+value.JSON(limit.is.written)+".")
			}
		}
	}
	if rules := s.list; rules != nil && of&typeArray != 0 {
		say(rules.min, "Must have at least ", "item", "items", "")
		say(rules.max, "Must have at most ", "item", "items", "")
		if rules.unique {
			words = append(words, "Must have no two items that are the same.")
		}
	}
	if rules := s.object; rules != nil && of&typeObject != 0 {
		one, many := "property", "properties"
		if !rules.lists {
			one, many = "entry", "entries"
		}
		after := ""
		if len(rules.required) < len(rules.names) {
			after = " other than null" // a property left out is written as null
		}
		say(rules.min, "Must have at least ", one, many, after)
		say(rules.max, "Must have at most ", one, many, after)
	}
	if format, _ := s.at.node.Get("format").Value().(string); format != "" && of&typeString != 0 {
		words = append(words, "Must be in the format "+format+".")
	}
	return words
}

// sentences joins a description and the rules put into words.
func sentences(words []string) string {
	var text strings.Builder
	for i, sentence := range words {
		sentence = strings.TrimSpace(sentence)
		if sentence == "" {
			continue
		}
		text.WriteString(sentence)
		if i+1 < len(words) {
			if !strings.ContainsAny(sentence[len(sentence)-1:], ".!?:") {
				text.WriteByte('.')
			}
			text.WriteByte(' ')
		}
	}
	return strings.TrimSuffix(text.String(), " ")
}
