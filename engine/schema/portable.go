package schema

// This file gives the portable form of an output schema (model settings, "The
// portable form"): the schema rewritten into the part of JSON Schema that every
// provider's strict structured outputs take. The files beside it plan the
// rewriting, put rules into words, count the form's size, read answers back and
// check all that on an answer made for the purpose.

import (
	"slices"

	"github.com/beonauto/auto/engine/value"
)

// Portable is the portable form of a schema. It never changes and is safe for
// concurrent use.
type Portable struct {
	root    *form
	wrapped bool // whether the answer stands in an object as its value
	sent    *value.Object
}

// wrapperKey is the property that holds the answer when the root is not one
// object.
const wrapperKey = "value"

// Portable gives the portable form of the schema or, when there is none, why
// not, such as "a value of any type at /properties/note".
func (s *Schema) Portable() (*Portable, string) {
	plan := &planner{schema: s, definitions: map[*definition]*form{}, left: maxForms}
	root := plan.root()
	if root == nil {
		return nil, plan.reason
	}
	p := &Portable{root: root, wrapped: root.kind != objectForm}
	if reason := p.tooLarge(); reason != "" {
		return nil, reason
	}
	p.sent = p.write(s.definitions)
	if reason := p.selfCheck(s); reason != "" {
		return nil, reason
	}
	return p, ""
}

// Form gives the schema that a provider is sent, its keys in order.
func (p *Portable) Form() value.Value { return p.sent }

// write gives the JSON Schema of the form with those of the definitions that it
// uses.
func (p *Portable) write(definitions []*definition) *value.Object {
	root := p.root.schema()
	if p.wrapped {
		root = closedObject([]string{wrapperKey}, []value.Value{root})
	}
	used := map[string]*form{}
	p.root.collect(used)
	if len(used) > 0 {
		written := value.NewObject(len(used))
		for _, d := range definitions {
			if f := used[d.name]; f != nil {
				written.Set(d.name, f.schema())
			}
		}
		root.Set("$defs", written)
	}
	return root
}

// collect finds the definitions that a form refers to.
func (f *form) collect(used map[string]*form) {
	if f.kind == referenceForm {
		if used[f.name] == nil {
			used[f.name] = f.to
			f.to.collect(used)
		}
		return
	}
	for _, within := range f.within() {
		within.collect(used)
	}
}

// within gives the forms that a form holds.
func (f *form) within() []*form {
	var all []*form
	for _, property := range f.properties {
		all = append(all, property.is)
	}
	for _, one := range []*form{f.keys, f.items, f.to} {
		if one != nil {
			all = append(all, one)
		}
	}
	return append(all, f.choices...)
}

// formKind is what a form writes and reads.
type formKind uint8

const (
	scalarForm    formKind = iota
	objectForm             // a closed object whose every property is required
	listForm               // a list of items
	mapForm                // a map, as a list of entries
	choiceForm             // anyOf
	referenceForm          // a $ref to a definition
)

// form is the portable form of one schema.
type form struct {
	kind  formKind
	is    *subschema // the schema as it was written
	of    types      // the types of the values it is a form of
	words []string   // the sentences of its description

	values     []value.Value  // of a scalar: those it may be
	properties []formProperty // of an object
	items      *form          // of a list, or the values of a map
	keys       *form          // of a map
	choices    []*form
	name       string // of the definition that a reference names
	to         *form  // what the definition is
}

// formProperty is a property of an object.
type formProperty struct {
	name     string
	is       *form
	optional bool // the schema as written lets it be left out
	nullable bool // the schema as written lets it be null
}

// writesNull tells whether leaving the property out is written as null: when it
// may be left out and may not be null itself.
func (p formProperty) writesNull() bool { return p.optional && !p.nullable }

// union tells whether the property may be null or is a choice of types.
func (p formProperty) union() bool { return p.writesNull() || p.is.union() }

// union tells whether the form is a choice of types.
func (f *form) union() bool {
	switch f.kind {
	case choiceForm:
		return true
	case referenceForm:
		return f.to.union()
	case scalarForm:
		return len(f.of.list()) > 1
	}
	return false
}

// list gives the types of a set, each by its name; a number that may be an
// integer is a number.
func (t types) list() []string {
	if t&typeNumber != 0 {
		t &^= typeInteger
	}
	var names []string
	for _, each := range typeNames {
		if t&each.is != 0 && each.is != typeNull {
			names = append(names, each.name)
		}
	}
	if t&typeNull != 0 {
		names = append(names, "null")
	}
	return names
}

// schema gives the JSON Schema of the form.
func (f *form) schema() *value.Object {
	written := value.NewObject(6)
	if f.kind == referenceForm {
		written.Set("$ref", value.Join("#/$defs", f.name))
		return written
	}
	if description := sentences(f.words); description != "" {
		written.Set("description", description)
	}
	switch f.kind {
	case scalarForm:
		written.Set("type", typeValue(f.of))
		if f.values != nil {
			written.Set("enum", f.values)
		}
	case objectForm:
		names, schemas := make([]string, len(f.properties)), make([]value.Value, len(f.properties))
		for i, property := range f.properties {
			names[i], schemas[i] = property.name, property.schema()
		}
		object := closedObject(names, schemas)
		for i := range object.Len() {
			written.Set(object.At(i))
		}
	case listForm:
		written.Set("type", "array")
		written.Set("items", f.items.schema())
	case mapForm:
		written.Set("type", "array")
		written.Set("items", closedObject([]string{entryKey, entryValue}, []value.Value{f.keys.schema(), f.items.schema()}))
	case choiceForm:
		choices := make([]value.Value, len(f.choices))
		for i, choice := range f.choices {
			choices[i] = choice.schema()
		}
		written.Set("anyOf", choices)
	}
	return written
}

// The properties of a map's entries.
const (
	entryKey   = "key"
	entryValue = "value"
)

func typeValue(t types) value.Value {
	names := t.list()
	if len(names) == 1 {
		return names[0]
	}
	all := make([]value.Value, len(names))
	for i, name := range names {
		all[i] = name
	}
	return all
}

// closedObject gives the schema of an object that has all of these properties
// and no others.
func closedObject(names []string, schemas []value.Value) *value.Object {
	required := make([]value.Value, len(names))
	for i, name := range names {
		required[i] = name
	}
	return value.Build(
		[]string{"type", "properties", "required", "additionalProperties"},
		[]value.Value{"object", value.Build(slices.Clone(names), slices.Clone(schemas)), required, false},
	)
}

// schema gives the property's schema, which takes null for a property that is
// left out.
func (p formProperty) schema() *value.Object {
	written := p.is.schema()
	if !p.writesNull() {
		return written
	}
	null := value.Build([]string{"type"}, []value.Value{"null"})
	switch {
	case p.is.kind == scalarForm && p.is.values == nil:
		written.Set("type", typeValue(p.is.of|typeNull))
	case p.is.kind == choiceForm:
		choices, _ := written.Get("anyOf")
		written.Set("anyOf", append(slices.Clone(choices.([]value.Value)), null))
	default:
		written = orNull(written, null)
	}
	return written
}

// orNull gives the choice of a schema and null, with the schema's description.
func orNull(schema, null *value.Object) *value.Object {
	either, rest := value.NewObject(2), value.NewObject(schema.Len())
	for i := range schema.Len() {
		if key, v := schema.At(i); key == "description" {
			either.Set(key, v)
		} else {
			rest.Set(key, v)
		}
	}
	either.Set("anyOf", []value.Value{rest, null})
	return either
}
