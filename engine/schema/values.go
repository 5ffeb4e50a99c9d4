package schema

// This file holds sets of values: those of enum and const, and the items of a
// list that must all differ. Looking one up takes the same time however many
// there are.

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/beonauto/auto/engine/value"
)

// choice is a set of scalar values.
type choice struct {
	values []value.Value
	keys   map[string]bool // of the values by their identity, once there are many

	expected string // what an issue says of any other value
}

// fewChoices is the number of values up to which a linear look-up is quicker.
const fewChoices = 8

func newChoice(values []value.Value) *choice {
	c := &choice{values: values, expected: expectedValues(values)}
	if len(values) > fewChoices {
		c.keys = make(map[string]bool, len(values))
		for _, v := range values {
			c.keys[string(identity(nil, v))] = true
		}
	}
	return c
}

// has tells whether a value is one of the set's.
func (c *choice) has(v value.Value) bool {
	switch v.(type) {
	case []value.Value, *value.Object:
		return false
	}
	if c.keys != nil {
		var space [64]byte
		return c.keys[string(identity(space[:0], v))]
	}
	for _, each := range c.values {
		if value.Equal(each, v) {
			return true
		}
	}
	return false
}

// types are the types of the set's values.
func (c *choice) types() types {
	var all types
	for _, v := range c.values {
		all |= typeOf(v)
	}
	return all
}

// typeOf gives the types that a value is of; a whole number is of two.
func typeOf(v value.Value) types {
	switch v := v.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case float64:
		if v == math.Trunc(v) {
			return typeInteger | typeNumber
		}
		return typeNumber
	case value.Exact:
		if value.Decimal(v).Whole() {
			return typeInteger | typeNumber
		}
		return typeNumber
	case string:
		return typeString
	case []value.Value:
		return typeArray
	}
	return typeObject
}

// identity appends bytes that two values share exactly when they are the same
// JSON value: numbers by their mathematical value, objects without regard to
// the order of their keys.
func identity(to []byte, v value.Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(to, 'n')
	case bool:
		if v {
			return append(to, 't')
		}
		return append(to, 'f')
	case float64:
		if v == 0 {
			v = 0 // zero has two signs
		}
		return binary.BigEndian.AppendUint64(append(to, 'd'), math.Float64bits(v))
	case value.Exact:
		return measured(append(to, 'e'), value.Decimal(v).Canonical())
	case string:
		return measured(append(to, 's'), v)
	case []value.Value:
		to = binary.AppendUvarint(append(to, '['), uint64(len(v)))
		for _, item := range v {
			to = identity(to, item)
		}
		return to
	case *value.Object:
		to = binary.AppendUvarint(append(to, '{'), uint64(v.Len()))
		for _, key := range slices.Sorted(slices.Values(v.Keys())) {
			item, _ := v.Get(key)
			to = identity(measured(to, key), item)
		}
		return to
	}
	return append(to, '?')
}

// nests tells whether a value is an object or a list.
func nests(v value.Value) bool { return typeOf(v)&(typeObject|typeArray) != 0 }

// measured appends a text behind its length, so that no text runs into the
// next.
func measured(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// fewItems is the number of scalars up to which they are compared one by one.
const fewItems = 16

// repeated finds the first item of a list that is the same as one before it.
func repeated(list []value.Value) (index int, found bool) {
	if len(list) <= fewItems && !slices.ContainsFunc(list, nests) {
		for i, item := range list {
			if slices.ContainsFunc(list[:i], func(before value.Value) bool { return value.Equal(before, item) }) {
				return i, true
			}
		}
		return 0, false
	}
	seen := make(map[string]struct{}, len(list))
	var key []byte
	for i, item := range list {
		key = identity(key[:0], item)
		if _, again := seen[string(key)]; again {
			return i, true
		}
		seen[string(key)] = struct{}{}
	}
	return 0, false
}
