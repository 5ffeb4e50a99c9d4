package plan

// This file reads which JSON types a value may have.

import (
	"slices"

	"github.com/beonauto/auto/engine/value"
)

// types is a set of JSON types; an integer is a number.
type types uint8

const (
	isNull types = 1 << iota
	isBoolean
	isNumber
	isText
	isList
	isObject
)

var typeNames = map[string]types{
	"null": isNull, "boolean": isBoolean, "number": isNumber, "integer": isNumber,
	"string": isText, "array": isList, "object": isObject,
}

// types gives the types that every part allows, whether a number must be whole,
// and whether any part says anything about types at all.
func (g *gathered) types() (allowed types, whole, said bool) {
	allowed = isNull | isBoolean | isNumber | isText | isList | isObject
	for _, v := range g.all("type") {
		named, isList := v.([]value.Value)
		if !isList {
			named = []value.Value{v}
		}
		these, wholeOnly := types(0), true
		for _, each := range named {
			name, _ := each.(string)
			these |= typeNames[name]
			wholeOnly = wholeOnly && name != "number"
		}
		allowed &= these
		whole = whole || (wholeOnly && slices.Contains(named, value.Value("integer")))
		said = true
	}
	return allowed, whole, said
}

// guess gives the type of a value whose schema names none, by what else the schema
// says of it.
func (g *gathered) guess() types {
	switch {
	case g.has("properties", "required"):
		return isObject
	case g.has("items", "prefixItems", "minItems", "maxItems", "uniqueItems"):
		return isList
	case g.has("minLength", "maxLength", "format", "pattern"):
		return isText
	case g.has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
		return isNumber
	}
	return 0
}
