package schema

// This file reads what a person types for a field of a value: a run's input, a
// tool's arguments, an answer.

import (
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// deepestTyped is how many levels a field that is typed as JSON may nest: past what
// a run's input takes, so that the run's own check says what is wrong.
const deepestTyped = 1_000

// Typed gives the value of a field from the text that was typed for it, by the
// schema as it is written: the choice that reads so, a text for a field that is
// one, and otherwise the JSON that the text is. A text may be typed as JSON too, in
// its quotes. What is no JSON is a text, for the schema to refuse. The path names
// the field from the root; an item of a list goes by its index.
func Typed(written value.Value, path []string, text string) value.Value {
	parsed, err := value.ParseJSON([]byte(text), deepestTyped)
	isJSON := err == nil
	if root, _ := written.(*value.Object); root != nil {
		field := fieldOf(root, at(root, path))
		for _, choice := range field.Choices {
			if choice == value.Value(text) || isJSON && value.Equal(choice, parsed) {
				return choice
			}
		}
		kinds := strings.Split(field.Type, " or ")
		if slices.Contains(kinds, "string") && (!isJSON || !slices.Contains(kinds, jsonType(parsed, kinds))) {
			return text
		}
	}
	if isJSON {
		return parsed
	}
	return text
}

// jsonType is the type of a value in the words of JSON Schema, a whole number's and
// a list's by what the field's types call it.
func jsonType(v value.Value, kinds []string) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case *value.Object:
		return "object"
	case []value.Value:
		for _, kind := range kinds {
			if strings.HasPrefix(kind, "array") {
				return kind
			}
		}
		return "array"
	}
	if _, whole := value.Whole(v); whole && slices.Contains(kinds, "integer") {
		return "integer"
	}
	return "number"
}

// IsList tells whether a list stands where a path leads to, where a value has
// nothing there yet and something is set at a name below it. Where the schema does
// not say, a list begins with the item 0; every other name makes an object.
func IsList(written value.Value, path []string, name string) bool {
	root, _ := written.(*value.Object)
	if of := at(root, path); of != nil {
		kinds := strings.Split(typeWords(root, of), " or ")
		list := slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(kind, "array") })
		object := slices.Contains(kinds, "object")
		if list != object {
			return list
		}
	}
	return name == "0"
}
