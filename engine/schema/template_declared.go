package schema

// This file tells which properties a schema writes down of a value that may have
// others too. It knows that a property is not among them only where every part
// of the schema has been looked at.

import (
	"slices"

	"github.com/beonauto/auto/engine/liquid"
)

// every is the set of all types.
const every = typeNull | typeBoolean | typeInteger | typeNumber | typeString | typeArray | typeObject

// Undeclared tells that the schema names its properties and not this one, or that
// its values are of types that never have it: those types.
func (s *shape) Undeclared(name string) (of string, undeclared bool) {
	look := &look{left: looks}
	kinds := look.kinds(s)
	switch {
	case kinds == 0 || slices.Contains(s.given, name):
		return "", false
	case kinds&typeObject == 0:
		has := kinds&typeString != 0 && liquid.TextProperty(name) || kinds&typeArray != 0 && liquid.ListProperty(name)
		if has || look.left < 0 {
			return "", false
		}
		if kinds&typeNumber != 0 {
			kinds &^= typeInteger
		}
		return kinds.named(), true
	case name == "size", kinds&(typeString|typeArray) != 0 && liquid.ListProperty(name):
		return "", false
	}
	lists, all := look.leavesOut(s, name)
	return "", lists && all && look.left >= 0
}

// Optional tells that the schema names a property and does not require it.
func (s *shape) Optional(name string) bool {
	if len(s.oneOf) > 0 || slices.Contains(s.given, name) {
		return false
	}
	look, named := &look{left: looks}, false
	for _, each := range look.inPlace(s.is) {
		if len(each.any)+len(each.one) > 0 {
			return false
		}
		if o := each.object; o != nil {
			if o.requires(name) {
				return false
			}
			named = named || o.properties[name] != nil
		}
	}
	return named && look.left >= 0
}

// kinds gives the types that a value of the shape may be of, or more.
func (l *look) kinds(s *shape) types {
	kinds := every
	for _, each := range l.inPlace(s.is) {
		if each.types != 0 {
			own := each.types
			if own&typeNumber != 0 {
				own |= typeInteger
			}
			kinds &= own
		}
		if each.choice != nil || each.only != nil {
			kinds &= scalarOf(each)
		}
	}
	return kinds
}

// leavesOut tells whether any part of a shape lists properties, and whether every
// part leaves out the one that is asked for: none names it, asks for it or says
// what else may be there.
func (l *look) leavesOut(s *shape, name string) (lists, all bool) {
	groups := s.oneOf
	for _, each := range l.inPlace(s.is) {
		if o := each.object; o != nil {
			if o.properties[name] != nil || o.requires(name) || o.additional != nil || o.keys != nil {
				return false, false
			}
			lists = lists || len(o.names) > 0
		}
		for _, forms := range [2][]*subschema{each.any, each.one} {
			if len(forms) > 0 {
				groups = append(groups[:len(groups):len(groups)], alternatives(forms))
			}
		}
	}
	for _, group := range groups {
		for _, form := range group {
			if l.left < 0 || l.kinds(form)&typeObject == 0 {
				continue
			}
			named, out := l.leavesOut(form, name)
			if !out || !named && !l.asks(form) {
				return false, false
			}
			lists = lists || named
		}
	}
	return lists, true
}

// asks tells whether a form says something of an object: one that says nothing
// may be meant for anything.
func (l *look) asks(s *shape) bool {
	return len(s.oneOf) > 0 || slices.ContainsFunc(l.inPlace(s.is), func(each *subschema) bool {
		return each.object != nil || len(each.any)+len(each.one) > 0
	})
}
