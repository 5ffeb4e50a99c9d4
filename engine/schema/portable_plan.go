package schema

// This file plans the portable form: it goes through the schema as written and
// says what each part becomes, or why it cannot.

import (
	"slices"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/value"
)

// maxForms bounds the parts of one portable form, each definition counted where
// it is used.
const maxForms = 20_000

// planner makes the forms of one schema. Where something is not portable it
// gives no form and keeps the first reason.
type planner struct {
	schema      *Schema
	definitions map[*definition]*form // nil while one is being made
	left        int
	reason      string
}

// refuse keeps why the schema is not portable.
func (p *planner) refuse(s *subschema, reason string) *form {
	if p.reason == "" {
		p.reason = reason
		if pointer := s.at.pointer(); pointer != "" {
			p.reason += " at " + pointer
		}
	}
	return nil
}

func (p *planner) root() *form {
	if p.bothDefinitions() {
		p.reason = "definitions under both $defs and definitions"
		return nil
	}
	root := p.form(p.schema.root, 0)
	// The root is one object, never a reference to one.
	if root != nil && root.kind == referenceForm && root.to.kind == objectForm {
		return p.inPlace(p.schema.root, root, nil)
	}
	return root
}

func (p *planner) bothDefinitions() bool {
	under := map[string]bool{}
	for _, d := range p.schema.definitions {
		under[d.under] = true
	}
	return len(under) > 1
}

// form gives the form of a schema. The outer types are those that a choice of
// anyOf or oneOf has from the schema it stands in.
func (p *planner) form(s *subschema, outer types) *form {
	if p.left--; p.left < 0 {
		return p.refuse(s, "a portable form of too many parts")
	}
	switch {
	case s.at.node.Kind != frontmatter.Mapping && !s.never:
		return p.refuse(s, "a value of any type")
	case s.never:
		return p.refuse(s, "a value that is never allowed")
	case s.nothing:
		return p.refuse(s, "not")
	case len(s.all) > 0:
		return p.refuse(s, "allOf")
	case s.list != nil && s.list.prefix != nil:
		return p.refuse(s, "prefixItems")
	case s.reference != nil:
		return p.reference(s)
	case len(s.any) > 0 || len(s.one) > 0:
		return p.choice(s, outer)
	case s.choice != nil || s.only != nil:
		return p.values(s, outer)
	}
	of := s.types
	if of == 0 {
		of = outer
	}
	if of == 0 {
		return p.refuse(s, "a value of any type")
	}
	return p.typed(s, of)
}

// typed gives the form of a schema that takes some types. An object or a list
// among others stands as a choice of its own.
func (p *planner) typed(s *subschema, of types) *form {
	parts := []types{of &^ (typeObject | typeArray), of & typeObject, of & typeArray}
	parts = slices.DeleteFunc(parts, func(t types) bool { return t == 0 })
	choices := make([]*form, len(parts))
	for i, part := range parts {
		var f *form
		switch part {
		case typeObject:
			f = p.object(s)
		case typeArray:
			f = p.list(s)
		default:
			f = &form{kind: scalarForm}
		}
		if f == nil {
			return nil
		}
		f.is, f.of, f.words = s, part, append(f.words, boundWords(s, part)...)
		choices[i] = f
	}
	if len(choices) == 1 {
		choices[0].words = append(described(s), choices[0].words...)
		return choices[0]
	}
	return &form{kind: choiceForm, is: s, of: of, words: described(s), choices: choices}
}

// described gives the schema's own description.
func described(s *subschema) []string {
	if text, _ := s.at.node.Get("description").Value().(string); text != "" {
		return []string{text}
	}
	return nil
}

func (p *planner) list(s *subschema) *form {
	switch {
	case s.list == nil || s.list.items == nil || always(s.list.items):
		return p.refuse(s, "a list of items of any type")
	case s.list.items.never:
		return p.refuse(s, "a list that holds no items")
	}
	items := p.form(s.list.items, 0)
	if items == nil {
		return nil
	}
	return &form{kind: listForm, items: items}
}

// always tells whether a schema is true.
func always(s *subschema) bool { return s.at.node.Kind != frontmatter.Mapping && !s.never }

func (p *planner) object(s *subschema) *form {
	rules := s.object
	if rules == nil {
		rules = &objectRules{}
	}
	for _, name := range rules.required {
		if rules.properties[name] == nil {
			return p.refuse(s, "required names "+shown(name)+", which has no schema in properties,")
		}
	}
	switch {
	case len(rules.names) > 0 || rules.closed():
		return p.properties(s, rules)
	case rules.lists || rules.additional == nil || always(rules.additional):
		return p.refuse(s, "an object of any keys")
	}
	return p.mapping(rules)
}

func (p *planner) properties(s *subschema, rules *objectRules) *form {
	f := &form{kind: objectForm}
	nullable := false
	for _, name := range rules.names {
		property, required := rules.properties[name], rules.requires(name)
		named := rules.keys == nil || (&work{left: maxSteps}).check(rules.keys, name, nil, false)
		if !required && (property.never || property.nothing || !named) {
			continue // it can only be left out
		}
		is := p.form(property, 0)
		if is == nil {
			return nil
		}
		each := formProperty{name: name, is: is, optional: !required, nullable: (&work{left: maxSteps}).check(property, nil, nil, false)}
		nullable = nullable || each.optional && each.nullable
		f.properties = append(f.properties, each)
	}
	if nullable && (rules.min.set || rules.max.set) {
		return p.refuse(s, "minProperties or maxProperties beside optional properties that allow null")
	}
	return f
}

func (p *planner) mapping(rules *objectRules) *form {
	values := p.form(rules.additional, 0)
	if values == nil {
		return nil
	}
	keys := &form{kind: scalarForm, of: typeString}
	if rules.keys != nil {
		if keys = p.keys(rules.keys); keys == nil {
			return nil
		}
	}
	return &form{kind: mapForm, items: values, keys: keys}
}

// keys gives the form of a map's keys: texts, with what propertyNames says of
// them in words or as an enum.
func (p *planner) keys(s *subschema) *form {
	for s.reference != nil && len(boundWords(s, typeString)) == 0 && s.types == 0 && s.choice == nil && s.only == nil {
		s = s.reference.definition.is
	}
	f := &form{kind: scalarForm, is: s, of: typeString, words: append(described(s), boundWords(s, typeString)...)}
	switch {
	case s.never, s.nothing, s.reference != nil, len(s.all)+len(s.any)+len(s.one) > 0, !s.types.allows(typeString):
		return p.refuse(s, "rules for the keys of a map that cannot be put into words")
	case s.choice == nil && s.only == nil:
		return f
	}
	for _, v := range taken(s, 0) {
		if _, isText := v.(string); isText {
			f.values = append(f.values, v)
		}
	}
	if f.values == nil {
		return p.refuse(s, "rules for the keys of a map that cannot be put into words")
	}
	return f
}

// taken gives the values of enum and const that type and the outer types take,
// each once.
func taken(s *subschema, outer types) []value.Value {
	var values []value.Value
	for _, set := range [2]*choice{s.choice, s.only} {
		if set == nil {
			continue
		}
		for _, v := range set.values {
			fits := s.types.allows(typeOf(v)) && outer.allows(typeOf(v)) &&
				(s.choice == nil || s.choice.has(v)) && (s.only == nil || s.only.has(v))
			if fits && !slices.ContainsFunc(values, func(seen value.Value) bool { return value.Equal(seen, v) }) {
				values = append(values, v)
			}
		}
	}
	return values
}

// values gives the form of enum or const: one kind of value, beside which null
// may be a choice.
func (p *planner) values(s *subschema, outer types) *form {
	values := taken(s, outer)
	kept := slices.DeleteFunc(slices.Clone(values), func(v value.Value) bool { return v == nil })
	null := len(kept) < len(values)
	of := kindsOf(kept)
	if within(of, typeNumber) && of&typeNumber != 0 || of == typeInteger && s.types&typeNumber != 0 {
		of = typeNumber
	}
	if len(of.list()) > 1 {
		return p.refuse(s, "an enum that mixes kinds of value")
	}
	nothing := &form{kind: scalarForm, is: s, of: typeNull}
	some := &form{kind: scalarForm, is: s, of: of, values: kept, words: boundWords(s, of)}
	switch {
	case len(values) == 0:
		return p.refuse(s, "an enum of no value that its type takes")
	case of == 0:
		nothing.words = described(s)
		return nothing
	case null:
		return &form{kind: choiceForm, is: s, of: of | typeNull, words: described(s), choices: []*form{some, nothing}}
	}
	some.words = append(described(s), some.words...)
	return some
}

// choice gives the form of anyOf or oneOf.
func (p *planner) choice(s *subschema, outer types) *form {
	choices := s.any
	if choices == nil {
		choices = s.one
	}
	beside := len(s.any) > 0 && len(s.one) > 0 || s.choice != nil || s.only != nil || s.structured()
	if beside {
		return p.refuse(s, "a oneOf or anyOf beside other keywords than a description, bounds and a type")
	}
	shared := s.types
	if shared == 0 {
		shared = outer
	}
	f := &form{kind: choiceForm, is: s, words: described(s)}
	for _, each := range choices {
		if each.never || each.nothing {
			continue
		}
		own, known := p.typesOf(each)
		if shared != 0 && known && !within(own, shared) {
			return p.refuse(each, "a choice of another type than stands beside the oneOf or anyOf")
		}
		made := p.form(each, shared)
		if made == nil {
			return nil
		}
		f.of |= made.of
		f.choices = append(f.choices, made)
	}
	if len(f.choices) == 0 {
		return p.refuse(s, "a oneOf or anyOf without a choice that is ever allowed")
	}
	f.words = append(f.words, boundWords(s, f.of)...)
	return f
}

// structured tells whether a schema says what an object or a list holds, more
// than how much.
func (s *subschema) structured() bool {
	o, l := s.object, s.list
	return o != nil && (o.lists || o.required != nil || o.additional != nil || o.keys != nil) ||
		l != nil && (l.items != nil || l.prefix != nil)
}

// within tells whether every type of one set is in another; an integer is a
// number.
func within(t, in types) bool {
	if in&typeNumber != 0 {
		in |= typeInteger
	}
	return t&^in == 0
}

// typesOf gives the types a schema names, through references and choices, and
// false when it names none.
func (p *planner) typesOf(s *subschema) (types, bool) {
	if p.left--; p.left < 0 {
		return 0, false
	}
	switch {
	case s.types != 0:
		return s.types, true
	case s.reference != nil:
		if made := p.definitions[s.reference.definition]; made != nil {
			return made.of, true
		}
		return p.typesOf(s.reference.definition.is)
	case s.choice != nil:
		return kindsOf(s.choice.values), true
	case s.only != nil:
		return kindsOf(s.only.values), true
	}
	var all types
	for _, each := range slices.Concat(s.any, s.one) {
		own, known := p.typesOf(each)
		if !known {
			return 0, false
		}
		all |= own
	}
	return all, all != 0
}

// kindsOf gives the types of values, each by the narrowest one.
func kindsOf(values []value.Value) types {
	var all types
	for _, v := range values {
		kind := typeOf(v)
		if kind&typeInteger != 0 {
			kind = typeInteger
		}
		all |= kind
	}
	return all
}

// reference gives the form of a $ref: a reference too, or the definition in its
// place when words stand beside it.
func (p *planner) reference(s *subschema) *form {
	d := s.reference.definition
	if s.types != 0 || s.choice != nil || s.only != nil || len(s.any)+len(s.one) > 0 || s.structured() {
		return p.refuse(s, "keywords beside a $ref other than a description and bounds")
	}
	to, begun := p.definitions[d]
	if begun && to == nil {
		return p.refuse(d.is, "a definition that refers to itself")
	}
	if !begun {
		p.definitions[d] = nil
		if to = p.form(d.is, 0); to == nil {
			return nil
		}
		p.definitions[d] = to
	}
	f := &form{kind: referenceForm, is: s, of: to.of, name: d.name, to: to}
	if words := append(described(s), boundWords(s, to.of)...); len(words) > 0 {
		return p.inPlace(s, f, words)
	}
	return f
}

// inPlace gives what a reference leads to, in the reference's own place, with
// words added.
func (p *planner) inPlace(s *subschema, f *form, words []string) *form {
	for f.kind == referenceForm {
		f = f.to
	}
	placed := *f
	placed.is = s
	placed.words = append(slices.Clone(f.words), words...)
	return &placed
}
