package liquid

// This file reads names and properties.

import (
	"math"
	"strconv"

	"github.com/beonauto/auto/engine/value"
)

// place is where a name's value is kept.
type place struct {
	kind  placeKind
	index int // of the slot, or of the loop
	loops int // how many loops are around a computed name
}

type placeKind uint8

const (
	slotPlace     placeKind = iota // outside loops
	itemPlace                      // the item of a loop
	fieldsPlace                    // forloop or tablerowloop
	computedPlace                  // known only when it is read
)

// eval reads the path. Computed keys are worked out first, and must be there
// even where the path itself may be missing.
func (p *path) eval(s *state, lenient bool) any {
	if p.computed {
		return p.evalComputed(s, lenient)
	}
	v := p.base(s, lenient)
	if v == undefined {
		return s.absent(p, 0, nil, lenient)
	}
	for i := range p.segments {
		if g := &p.segments[i]; g.expr == nil {
			v = s.named(v, g.name)
		} else {
			v = s.property(v, g.key(nil, i))
		}
		if v == undefined {
			return s.absent(p, i+1, nil, lenient)
		}
	}
	return v
}

func (p *path) evalComputed(s *state, lenient bool) any {
	keys := make([]any, len(p.segments))
	for i := range p.segments {
		if expr := p.segments[i].expr; expr != nil {
			keys[i] = plain(expr.eval(s, false))
		} else {
			keys[i] = p.segments[i].name
		}
	}
	v := p.base(s, lenient)
	if v == undefined {
		return s.absent(p, 0, keys, lenient)
	}
	for i, key := range keys {
		if v = s.property(v, key); v == undefined {
			return s.absent(p, i+1, keys, lenient)
		}
	}
	return v
}

// base gives the value that the properties are read from.
func (p *path) base(s *state, lenient bool) any {
	if p.of != nil {
		return p.of.eval(s, lenient)
	}
	where := p.place
	if where.kind == computedPlace {
		where = s.find(s.scriptText(plain(p.root.eval(s, false))), where.loops)
	}
	switch where.kind {
	case itemPlace:
		return s.frames[where.index].item
	case fieldsPlace:
		return s.frames[where.index].loop
	}
	if where.index < 0 {
		return undefined
	}
	kept := &s.slots[where.index]
	switch {
	case kept.isAssigned:
		return kept.assigned
	case kept.isGiven:
		return kept.given
	case p.name == "size":
		return 0.0 // what the reference finds no name for is read from an empty object
	}
	return undefined
}

// find looks for a computed name as resolve does for a written one.
func (s *state) find(name string, loops int) place {
	for i := loops - 1; i >= 0; i-- {
		f := &s.frames[i]
		if f.loop == nil {
			continue
		}
		if f.variable == name {
			return place{kind: itemPlace, index: i}
		}
		if (name == "forloop" && f.loop.columns == nil) || (name == "tablerowloop" && f.loop.columns != nil) {
			return place{kind: fieldsPlace, index: i}
		}
	}
	if slot, ok := s.template.slot(name); ok {
		return place{kind: slotPlace, index: slot}
	}
	return place{kind: slotPlace, index: -1}
}

// named reads a property by its name, as property does.
func (s *state) named(v any, name string) any {
	if object, ok := v.(*value.Object); ok {
		if own, ok := object.Get(name); ok {
			return own
		}
		if name != "size" {
			return undefined
		}
		return float64(object.Len())
	}
	return s.property(v, name)
}

// property reads one property, undefined when the value has none of that name.
// Only null, and what is not there, has every property: itself.
func (s *state) property(v, key any) any {
	switch v := v.(type) {
	case nil, undefinedKind:
		return v
	case *value.Object:
		return s.named(v, s.scriptText(key))
	case []any:
		if index, ok := s.listKey(key, len(v)); ok {
			return v[index]
		}
		return lengthProperty(key, len(v))
	case *numberRange:
		if index, ok := s.listKey(key, v.count); ok {
			return v.at(index)
		}
		return lengthProperty(key, v.count)
	case string:
		return s.textProperty(v, key)
	case *loop:
		return v.property(s.scriptText(key))
	}
	return undefined
}

func lengthProperty(key any, length int) any {
	if key == "size" || key == "length" {
		return float64(length)
	}
	return undefined
}

// listKey turns a key into an index of a list: a number, which counts from the
// end when negative, its digits as text, or first and last.
func (s *state) listKey(key any, length int) (int, bool) {
	index := 0.0
	switch key := key.(type) {
	case float64:
		if index = key; index < 0 {
			index += float64(length)
		}
	case value.Exact:
		index = key.Float()
	default:
		switch name := s.scriptText(key); name {
		case "first":
		case "last":
			index = float64(length - 1)
		default:
			whole, err := strconv.ParseUint(name, 10, 32)
			if err != nil || strconv.FormatUint(whole, 10) != name {
				return 0, false
			}
			index = float64(whole)
		}
	}
	if index < 0 || index >= float64(length) || index != math.Trunc(index) {
		return 0, false
	}
	return int(index), true
}

func (s *state) textProperty(text string, key any) any {
	switch key := key.(type) {
	case float64:
		if key == math.Trunc(key) && key >= 0 && key < float64(len(text)) {
			if unit, ok := s.unitAt(text, int(key)); ok {
				return unit
			}
		}
	case string:
		if key == "size" || key == "length" {
			return float64(units(text))
		}
		if key == "first" || key == "last" {
			return undefined
		}
		if index, ok := s.listKey(key, len(text)); ok {
			if unit, ok := s.unitAt(text, index); ok {
				return unit
			}
		}
	}
	return undefined
}

// absent ends the render because of a field that is not there, or gives null
// where that is allowed. Step 0 is the path's name, 1 its first property.
func (s *state) absent(p *path, step int, keys []any, lenient bool) any {
	if lenient {
		return nil
	}
	failure := &stop{at: p.at, kind: MissingField, message: shown(p.text(s, step, keys)) + " is missing"}
	if step > 0 {
		failure.at = p.segments[step-1].at
	}
	if pointer, known := s.pointer(p, step, keys); known {
		failure.path = pointer
	}
	panic(failure)
}

// text writes the path up to a step as an author would.
func (p *path) text(s *state, step int, keys []any) string {
	text := p.name
	if p.root != nil {
		text = s.scriptText(plain(p.root.eval(s, true)))
	}
	for i := range p.segments[:step] {
		key := p.segments[i].key(keys, i)
		name, isText := key.(string)
		switch {
		case !isText:
			text += "[" + s.scriptText(key) + "]"
		case text == "":
			text = name
		default:
			text += "." + name
		}
	}
	return text
}

// key gives the key of a path's i-th segment, out of the computed ones if the
// path has any.
func (g *segment) key(keys []any, i int) any {
	if i < len(keys) {
		return keys[i]
	}
	if l, ok := g.expr.(*literal); ok {
		return plain(l.value)
	}
	return g.name
}

// origin gives the pointer of a value that is read as it is.
func (s *state) origin(o operand) (string, bool) {
	p, ok := o.(*path)
	if !ok || p.computed {
		return "", false
	}
	return s.pointer(p, len(p.segments), nil)
}

// pointer gives the JSON Pointer of a path up to a step, and false when it
// does not lead into the values the template was given.
func (s *state) pointer(p *path, step int, keys []any) (string, bool) {
	if p.of != nil {
		return "", false
	}
	var pointer string
	var v any
	switch p.place.kind {
	case slotPlace:
		kept := &s.slots[p.place.index]
		switch {
		case kept.isAssigned && kept.known:
			pointer, v = kept.origin, kept.assigned
		case kept.isAssigned || kept.isCounter || !kept.isGiven:
			return "", false
		default:
			pointer, v = value.Join("", p.name), kept.given
		}
	case itemPlace:
		f := &s.frames[p.place.index]
		list, known := s.origin(f.from)
		if !known {
			return "", false
		}
		pointer, v = value.JoinIndex(list, f.source), f.item
	default:
		return "", false
	}
	for i := range p.segments[:step] {
		key := p.segments[i].key(keys, i)
		length, isList := listLength(v)
		if index, ok := s.listKey(key, length); isList && ok {
			pointer = value.JoinIndex(pointer, index)
		} else {
			pointer = value.Join(pointer, s.scriptText(key))
		}
		v = s.property(v, key)
	}
	return pointer, true
}
