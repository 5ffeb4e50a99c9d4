package schema

// This file tells what a template may read of a value that matches a schema:
// it knows a property to be absent only where every reading of the schema says
// so.

import "github.com/beonauto/auto/engine/liquid"

// Shape is what a schema says of a value before there is one, in the words of
// the template language that asks.
type Shape = liquid.Shape

// Shape gives what the schema says of a value that matches it, for checking a
// template; nil, which knows nothing, for no schema.
func (s *Schema) Shape() Shape {
	if s == nil {
		return nil
	}
	return &shape{is: []*subschema{s.root}}
}

// ShapeWith is Shape for a value whose given properties are always there.
func (s *Schema) ShapeWith(given []string) Shape {
	if s == nil {
		return nil
	}
	return &shape{is: []*subschema{s.root}, given: given}
}

// shape is a value that matches every subschema of is and, of each group of
// oneOf, at least one shape.
type shape struct {
	is    []*subschema
	oneOf [][]*shape
	given []string // properties that are there whatever the subschemas say
}

// looks bounds the subschemas that one look into a shape goes through. Past
// it nothing is known.
const looks = 2_000

// Property gives what is known of a property, and false for one that a closed
// object does not have.
func (s *shape) Property(name string) (Shape, bool) {
	look := &look{left: looks, wants: typeObject, name: name}
	return look.result(look.at(s))
}

// PropertyNames gives the properties that the schema names, for a guess at the
// one that was meant.
func (s *shape) PropertyNames() []string {
	look := &look{left: looks}
	var names []string
	for _, each := range look.inPlace(s.is) {
		if each.object != nil {
			names = append(names, each.object.names...)
		}
	}
	for _, group := range s.oneOf {
		for _, form := range group {
			for _, each := range look.inPlace(form.is) {
				if each.object != nil {
					names = append(names, each.object.names...)
				}
			}
		}
	}
	return names
}

// Items gives what is known of each item of a list.
func (s *shape) Items() Shape {
	look := &look{left: looks, wants: typeArray}
	items, _ := look.result(look.at(s))
	return items
}

// look is one question about a shape: its property of a name, or its items.
type look struct {
	left  int
	wants types // the type of value that has what is asked for
	name  string
}

// result turns what was found into a Shape that is nil when nothing is known.
func (l *look) result(found *shape, absent bool) (Shape, bool) {
	switch {
	case l.left < 0 || found == nil && !absent:
		return nil, true
	case absent:
		return nil, false
	}
	return found, true
}

// at gives what is known of the part asked for: nil for nothing, and whether
// it is known to be absent.
func (l *look) at(s *shape) (found *shape, absent bool) {
	part := &shape{}
	groups := s.oneOf
	for _, each := range l.inPlace(s.is) {
		own, never := l.own(each)
		if never {
			return nil, true
		}
		if own != nil {
			part.is = append(part.is, own.is...)
			part.oneOf = append(part.oneOf, own.oneOf...)
		}
		for _, forms := range [2][]*subschema{each.any, each.one} {
			if len(forms) > 0 {
				groups = append(groups[:len(groups):len(groups)], alternatives(forms))
			}
		}
	}
	for _, group := range groups {
		known, never := l.either(group)
		if never {
			return nil, true
		}
		if known != nil {
			part.oneOf = append(part.oneOf, known)
		}
	}
	if len(part.is) == 0 && len(part.oneOf) == 0 {
		return nil, false
	}
	return part, false
}

func alternatives(forms []*subschema) []*shape {
	group := make([]*shape, len(forms))
	for i, form := range forms {
		group[i] = &shape{is: []*subschema{form}}
	}
	return group
}

// either asks every shape of a group that may be the right type of value. The
// part is absent when all of them lack it, and known when all that have it know
// it.
func (l *look) either(group []*shape) (known []*shape, absent bool) {
	asked, lacking := 0, 0
	for _, form := range group {
		if l.left < 0 {
			return nil, false
		}
		if !l.possible(form) {
			continue
		}
		asked++
		found, never := l.at(form)
		switch {
		case never:
			lacking++
		case found == nil:
			return nil, false
		default:
			known = append(known, found)
		}
	}
	return known, asked > 0 && lacking == asked
}

// possible tells whether a shape may be a value of the type that has what is
// asked for. Texts and lists have a size, and lists a first and a last item.
func (l *look) possible(s *shape) bool {
	wants := l.wants
	if wants == typeObject {
		switch l.name {
		case "size":
			wants |= typeString | typeArray
		case "first", "last":
			wants |= typeArray
		}
	}
	for _, each := range l.inPlace(s.is) {
		// enum and const hold only scalars.
		scalar := each.choice != nil || each.only != nil
		if each.never || !each.types.allows(wants) || scalar && !scalarOf(each).allows(wants) {
			return false
		}
	}
	return true
}

// scalarOf gives the types of the values that enum and const name.
func scalarOf(s *subschema) types {
	var all types
	for _, values := range [2]*choice{s.choice, s.only} {
		if values != nil {
			all |= values.types()
		}
	}
	return all
}

// inPlace gives the subschemas and every one that a $ref or allOf of theirs
// applies to the same value, each once.
func (l *look) inPlace(subschemas []*subschema) []*subschema {
	var all []*subschema
	seen := make(map[*subschema]bool, len(subschemas))
	var add func(s *subschema)
	add = func(s *subschema) {
		if l.left--; l.left < 0 || seen[s] {
			return
		}
		seen[s] = true
		all = append(all, s)
		if s.reference != nil {
			add(s.reference.definition.is)
		}
		for _, part := range s.all {
			add(part)
		}
	}
	for _, s := range subschemas {
		add(s)
	}
	return all
}

// own gives what the keywords of one subschema say of the part.
func (l *look) own(s *subschema) (found *shape, absent bool) {
	if l.wants == typeArray {
		return ownItems(s.list), false
	}
	o := s.object
	if o == nil {
		return nil, false
	}
	if property, ok := o.properties[l.name]; ok {
		return &shape{is: []*subschema{property}}, false
	}
	switch {
	case o.additional == nil:
		return nil, false
	case o.additional.never:
		return nil, o.lists
	}
	return &shape{is: []*subschema{o.additional}}, false
}

func ownItems(rules *listRules) *shape {
	switch {
	case rules == nil || rules.items == nil:
		return nil
	case len(rules.prefix) == 0:
		return &shape{is: []*subschema{rules.items}}
	}
	forms := rules.prefix
	if !rules.items.never {
		forms = append(forms[:len(forms):len(forms)], rules.items)
	}
	return &shape{oneOf: [][]*shape{alternatives(forms)}}
}
