package engine

// This file is what a schema says of the fields of a value that a person writes by
// hand: a run's input, a tool's arguments, an answer.

import (
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// Field is a field of the values that a schema describes.
type Field = schema.Field

// Fields gives the fields that a schema names, as it is written and in its order.
func Fields(written value.Value) []Field { return schema.Fields(written) }

// Typed gives the value of a field from the text that was typed for it, by the
// schema as it is written; nil says nothing of any field. The path names the field
// from the root.
func Typed(written value.Value, path []string, text string) value.Value {
	return schema.Typed(written, path, text)
}

// IsListField tells whether a list stands where a path leads to, where nothing is
// there yet and something is set at a name below it.
func IsListField(written value.Value, path []string, name string) bool {
	return schema.IsList(written, path, name)
}

// InputSchema gives the schema of a document's input, as it is written; nil where it
// has none or the document has problems.
func InputSchema(source []byte, typeName string) value.Value {
	result := check(source, typeName, Surroundings{})
	if result.Definition == nil || result.Definition.Input.Schema == nil {
		return nil
	}
	return result.Definition.Input.Schema.Value()
}
