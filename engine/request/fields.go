package request

// This file is the fields of an answer for people who write one by hand: what the
// answer schema says of each, and a field's value from the text that was typed.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// Field is a field of an answer, as its schema describes it: its name with a dot
// before what an object holds and [] for a list's items, its type in the words of
// JSON Schema, and its choices.
type Field = tool.Argument

// Fields gives the fields of the answer to a request, in the order of its schema,
// those of nested objects after their own. There are none for a notification.
func Fields(asked *store.Request) []Field {
	return (&tool.Tool{InputSchema: asked.AnswerSchema}).Arguments()
}

// deepestTyped is how many levels a field that is typed as JSON may nest.
const deepestTyped = MaxAnswerLevels + 1

// Typed gives the value of a field of an answer from the text that was typed for it:
// the choice that reads so, a text for a field that is one, and otherwise the JSON
// that the text is. What is no JSON is a text, for the answer schema to refuse. The
// path names the field from the root; an item of a list goes by its index.
func Typed(asked *store.Request, path []string, text string) value.Value {
	parsed, err := value.ParseJSON([]byte(text), deepestTyped)
	isJSON := err == nil
	for _, field := range Fields(asked) {
		if item, ok := strings.CutPrefix(field.Type, "array of "); ok && isAt(field.Name+"[]", path) {
			field = Field{Type: item} // an item of a list of plain values
		} else if !isAt(field.Name, path) {
			continue
		}
		for _, choice := range field.Choices {
			if choice == value.Value(text) || isJSON && value.Equal(choice, parsed) {
				return choice
			}
		}
		kinds := strings.Split(field.Type, " or ")
		if _, isText := parsed.(string); slices.Contains(kinds, "string") && (!isJSON || isText || !slices.Contains(kinds, jsonType(parsed, kinds))) {
			return text
		}
		break
	}
	if isJSON {
		return parsed
	}
	return text
}

// isAt tells whether a field's name is that of a path.
func isAt(name string, path []string) bool {
	var b strings.Builder
	for i, key := range path {
		if _, err := strconv.Atoi(key); err == nil && i > 0 {
			b.WriteString("[]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(key)
	}
	return name == b.String()
}

// jsonType is the type of a value in the words of JSON Schema, a whole number's by
// what the field's types call it.
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
		return "array"
	}
	if _, whole := value.Whole(v); whole && slices.Contains(kinds, "integer") {
		return "integer"
	}
	return "number"
}
