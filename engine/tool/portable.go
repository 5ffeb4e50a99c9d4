package tool

import (
	"slices"

	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file finds the parts of a tool's schema that not every provider takes.

// unportable are the keywords that a provider may refuse in the schema of a tool,
// or not enforce while the model writes arguments.
var unportable = []string{
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType",
	"minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "prefixItems", "additionalItems", "unevaluatedItems",
	"minProperties", "maxProperties", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
	"oneOf", "not", "if", "then", "else",
	"$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
}

// rootOnly are keywords that a provider may refuse at the root of the schema
// alone, which it wants to be one object.
var rootOnly = []string{"anyOf", "allOf"}

// How the value of a keyword holds schemas.
var (
	holdsOne   = []string{"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "additionalItems"}
	holdsList  = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	holdsNamed = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}
)

// mostWarnings is how many parts are looked for: a record shows fewer (reasoning
// format, "What a run records").
const mostWarnings = 100

// Warnings names the parts of the tool's schema that a provider may refuse or not
// enforce (reasoning format, "What the model sees"), in the schema's order, such
// as graph__search inputSchema#/properties/query/maxLength.
func (o *Offered) Warnings() []string {
	w := &schemaWalk{}
	w.schema(o.InputSchema, "", 64)
	all := make([]string, 0, len(w.found))
	for _, pointer := range w.found {
		all = append(all, o.ModelName+" inputSchema#"+pointer)
	}
	return all
}

// longestKey is the most bytes of a key that a warning names.
const longestKey = 200

// within is the pointer to what a key holds, the key cut where it is very long.
func within(pointer, key string) string { return value.Join(pointer, transport.Cut(key, longestKey)) }

type schemaWalk struct{ found []string }

func (w *schemaWalk) schema(v value.Value, pointer string, levels int) {
	o, ok := v.(*value.Object)
	if !ok || levels == 0 {
		return
	}
	for i := range o.Len() {
		if len(w.found) >= mostWarnings {
			return
		}
		key, held := o.At(i)
		at := within(pointer, key)
		if slices.Contains(unportable, key) || pointer == "" && slices.Contains(rootOnly, key) {
			w.found = append(w.found, at)
		}
		list, isList := held.([]value.Value)
		named, isObject := held.(*value.Object)
		switch {
		case isList && slices.Contains(holdsList, key):
			for i, item := range list {
				w.schema(item, value.JoinIndex(at, i), levels-1)
			}
		case isObject && slices.Contains(holdsNamed, key):
			for i := range named.Len() {
				name, property := named.At(i)
				w.schema(property, within(at, name), levels-1)
			}
		case isObject && slices.Contains(holdsOne, key):
			w.schema(held, at, levels-1)
		}
	}
}
