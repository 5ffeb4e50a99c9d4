package schema

// This file is a schema for people who write a value by hand: its fields, in
// words, and which field a path leads to.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// Field is a field of the values that a schema describes.
type Field struct {
	Name        string // with a dot before what an object holds, and [] for a list's items
	Type        string // in the words of JSON Schema, such as string or array of number; any when it says nothing
	Required    bool
	Description string
	Choices     []value.Value // of its enum or const
	Default     value.Value
	HasDefault  bool
}

// The most levels and rows of a schema's fields, and the most bytes of a name and of
// a type: a schema may be a stranger's, and nobody writes longer ones by hand.
const (
	fieldLevels  = 4
	mostFields   = 200
	longestField = 1024
	longestType  = 100
)

// Fields gives the fields that a schema names, as it is written and in its order,
// those of nested objects after their own. What a schema means beyond its
// properties is not among them, and neither is a property with a name longer than
// anyone writes.
func Fields(written value.Value) []Field {
	root, _ := written.(*value.Object)
	table := &fieldTable{root: root}
	table.add(resolved(root, root), "", fieldLevels)
	return table.rows
}

type fieldTable struct {
	root *value.Object
	rows []Field
}

func (f *fieldTable) add(schema *value.Object, prefix string, levels int) {
	properties, _ := schema.Get("properties")
	of, _ := properties.(*value.Object)
	required, _ := schema.Get("required")
	names, _ := required.([]value.Value)
	for i := range of.Len() {
		name, v := of.At(i)
		if len(f.rows) == mostFields {
			return
		}
		if len(prefix)+len(name) > longestField {
			continue
		}
		property := resolved(f.root, v)
		row := fieldOf(f.root, property)
		row.Name, row.Required = prefix+name, slices.Contains(names, value.Value(name))
		f.rows = append(f.rows, row)
		if levels == 0 {
			continue
		}
		f.add(property, row.Name+".", levels-1)
		if items, ok := property.Get("items"); ok {
			f.add(resolved(f.root, items), row.Name+"[].", levels-1)
		}
	}
}

// fieldOf is what a schema says of its values, without their name.
func fieldOf(root, of *value.Object) Field {
	field := Field{Type: typeWords(root, of)}
	if len(field.Type) > longestType {
		field.Type = "any"
	}
	description, _ := of.Get("description")
	field.Description, _ = description.(string)
	choices, _ := of.Get("enum")
	field.Choices, _ = choices.([]value.Value)
	if only, ok := of.Get("const"); ok {
		field.Choices = []value.Value{only}
	}
	field.Default, field.HasDefault = of.Get("default")
	return field
}

// resolved follows references within the schema.
func resolved(root *value.Object, v value.Value) *value.Object {
	for range 8 {
		o, _ := v.(*value.Object)
		given, ok := o.Get("$ref")
		ref, _ := given.(string)
		if !ok || !strings.HasPrefix(ref, "#") {
			return o
		}
		v, _ = value.Lookup(root, ref[1:])
	}
	return nil
}

func typeWords(root, of *value.Object) string {
	given, _ := of.Get("type")
	switch kind := given.(type) {
	case string:
		if items, ok := of.Get("items"); ok && kind == "array" {
			if inner := resolved(root, items); inner.Len() > 0 {
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
	names := []string{}
	for _, part := range parts(root, of) {
		given, _ := part.Get("type")
		kinds, several := given.([]value.Value)
		if !several {
			kinds = []value.Value{given}
		}
		for _, kind := range kinds {
			if name, ok := kind.(string); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) > 0 {
		return strings.Join(names, " or ")
	}
	return "any"
}

// parts are the schemas inside one of which its values match one, or all.
func parts(root, of *value.Object) (found []*value.Object) {
	for _, key := range [...]string{"anyOf", "oneOf", "allOf"} {
		given, _ := of.Get(key)
		list, _ := given.([]value.Value)
		for _, part := range list {
			found = append(found, resolved(root, part))
		}
	}
	return found
}

// The most parts inside parts, and schemas, that are looked at for a path: a part
// may refer to a schema that holds it.
const (
	partLevels = 4
	mostLooks  = 1_000
)

// at gives the schema of what a path leads to, each name of it a property's or the
// index of a list's item; nil where the schema says nothing of it.
func at(root *value.Object, path []string) *value.Object {
	looks := mostLooks
	var descend func(of *value.Object, path []string, levels int) *value.Object
	descend = func(of *value.Object, path []string, levels int) *value.Object {
		if len(path) == 0 || of == nil {
			return of
		}
		if looks--; looks < 0 {
			return nil
		}
		if next := below(root, of, path[0]); next != nil {
			return descend(next, path[1:], partLevels)
		}
		if levels == 0 {
			return nil
		}
		for _, part := range parts(root, of) {
			if found := descend(part, path, levels-1); found != nil {
				return found
			}
		}
		return nil
	}
	return descend(resolved(root, root), path, partLevels)
}

// below is the schema of one property or item.
func below(root, of *value.Object, name string) *value.Object {
	properties, _ := of.Get("properties")
	if property, ok := value.Lookup(properties, value.Join("", name)); ok {
		return resolved(root, property)
	}
	if index, err := strconv.Atoi(name); err == nil && index >= 0 {
		first, _ := of.Get("prefixItems")
		if list, _ := first.([]value.Value); index < len(list) {
			return resolved(root, list[index])
		}
		if items, ok := of.Get("items"); ok {
			return resolved(root, items)
		}
	}
	others, _ := of.Get("additionalProperties")
	return resolved(root, others)
}
