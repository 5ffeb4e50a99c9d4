package schema

// This file counts a portable form against what the strictest provider takes,
// each definition counted where it is used.

import (
	"github.com/beonauto/auto/engine/value"
)

// The most that a portable form may hold (model settings, "The portable form").
const (
	portableUnions     = 16      // properties that may be null or are a choice of types
	portableLevels     = 10      // of objects
	portableProperties = 5_000   // properties
	portableEnum       = 1_000   // values of enum
	portableCharacters = 120_000 // of property names and values of enum
)

// extent is how large a form is.
type extent struct{ unions, levels, properties, enum, characters, forms int }

// plenty is more than any limit; extents do not grow past it.
const plenty = 1 << 30

func (e *extent) add(other extent) {
	e.unions = min(e.unions+other.unions, plenty)
	e.levels = max(e.levels, other.levels)
	e.properties = min(e.properties+other.properties, plenty)
	e.enum = min(e.enum+other.enum, plenty)
	e.characters = min(e.characters+other.characters, plenty)
	e.forms = min(e.forms+other.forms, plenty)
}

// property counts one property of a name, but not what it holds.
func (e *extent) property(name string, union bool) {
	e.properties++
	e.characters += value.Characters(name)
	if union {
		e.unions++
	}
}

// tooLarge says which limit the form is past, and nothing when it keeps them
// all.
func (p *Portable) tooLarge() string {
	size := p.root.extent(map[*form]extent{})
	if p.wrapped {
		size.levels++
		size.property(wrapperKey, p.root.union())
	}
	for _, limit := range []struct {
		is, most int
		reason   string
	}{
		{size.levels, portableLevels, "more than 10 levels of objects"},
		{size.unions, portableUnions, "more than 16 properties that may be null or are a choice of types"},
		{size.properties, portableProperties, "more than 5,000 properties"},
		{size.enum, portableEnum, "more than 1,000 values of enum"},
		{size.characters, portableCharacters, "more than 120,000 characters of property names and values of enum"},
		{size.forms, maxForms, "a portable form of too many parts"},
	} {
		if limit.is > limit.most {
			return limit.reason
		}
	}
	return ""
}

// extent counts a form; known are those counted before.
func (f *form) extent(known map[*form]extent) extent {
	if size, ok := known[f]; ok {
		return size
	}
	size := extent{forms: 1, enum: len(f.values)}
	for _, v := range f.values {
		if text, ok := v.(string); ok {
			size.characters += value.Characters(text)
		} else {
			size.characters += len(value.JSON(v))
		}
	}
	for _, property := range f.properties {
		size.property(property.name, property.union())
	}
	if f.kind == mapForm {
		size.property(entryKey, false)
		size.property(entryValue, f.items.union())
	}
	for _, within := range f.within() {
		size.add(within.extent(known))
	}
	if f.kind == objectForm || f.kind == mapForm {
		size.levels++
	}
	known[f] = size
	return size
}
