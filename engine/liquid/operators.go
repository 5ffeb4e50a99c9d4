package liquid

// This file holds the operators of conditions.

import (
	"strings"
	"unsafe"

	"github.com/beonauto/auto/engine/value"
)

// operator is one of the language's operators.
type operator uint8

const (
	opNone operator = iota
	opEqual
	opUnequal
	opGreater
	opLess
	opGreaterEqual
	opLessEqual
	opContains
	opNot
	opAnd
	opOr
)

// operatorTexts are tried in this order, so a longer one stands before the one
// it starts with.
var operatorTexts = [...]struct {
	text string
	op   operator
	word bool // must not run on into a longer word
}{
	{"==", opEqual, false},
	{"!=", opUnequal, false},
	{">=", opGreaterEqual, false},
	{"<=", opLessEqual, false},
	{">", opGreater, false},
	{"<", opLess, false},
	{"and", opAnd, true},
	{"or", opOr, true},
	{"contains", opContains, true},
	{"not", opNot, true},
}

// precedence says which of two operators binds first: comparisons before not,
// not before and and or. Equal ones group from the right.
func (o operator) precedence() int {
	switch o {
	case opAnd, opOr:
		return 0
	case opNot:
		return 1
	}
	return 2
}

// apply gives the operator's value. Left is undefined for not.
func (s *state) apply(op operator, left, right any) any {
	switch op {
	case opEqual:
		return s.equal(left, right, 0)
	case opUnequal:
		return !s.equal(left, right, 0)
	case opContains:
		return s.contains(plain(left), right)
	case opNot:
		return !truthy(right)
	case opAnd:
		return truthy(left) && truthy(right)
	case opOr:
		return truthy(left) || truthy(right)
	}
	// nil, empty and blank are neither more nor less than anything.
	if _, is := left.(word); is {
		return false
	}
	if _, is := right.(word); is {
		return false
	}
	if l, ok := left.(float64); ok {
		if r, ok := right.(float64); ok {
			return compareNumbers(op, l, r)
		}
	}
	left, right = s.primitive(left), s.primitive(right)
	if l, ok := left.(string); ok {
		if r, ok := right.(string); ok {
			return compareNumbers(op, float64(compareUnits(l, r)), 0)
		}
	}
	return compareNumbers(op, toNumber(left), toNumber(right))
}

func compareNumbers(op operator, left, right float64) bool {
	switch op {
	case opGreater:
		return left > right
	case opLess:
		return left < right
	case opGreaterEqual:
		return left >= right
	}
	return left <= right
}

// equal is the language's ==: words compare in their own way, lists item by
// item, objects only with themselves, and no value with one of another type.
func (s *state) equal(a, b any, depth int) bool {
	if w, is := a.(word); is {
		return s.matchesWord(w, b)
	}
	if w, is := b.(word); is {
		return s.matchesWord(w, a)
	}
	a, b = plain(a), plain(b)
	if left, ok := a.(string); ok {
		right, ok := b.(string)
		return ok && left == right
	}
	length, isList := listLength(a)
	if !isList {
		return same(a, b)
	}
	if other, ok := listLength(b); !ok || other != length {
		return false
	}
	s.deep(depth)
	left, _ := s.listOf(a)
	right, _ := s.listOf(b)
	for i := range left {
		s.step(1)
		if !s.equal(left[i], right[i], depth+1) {
			return false
		}
	}
	return true
}

// matchesWord tells whether a value is nil, empty or blank.
func (s *state) matchesWord(w word, v any) bool {
	if w == nilWord {
		return isNil(plain(v))
	}
	if w == blankWord {
		if v == false || isNil(plain(v)) {
			return true
		}
		if text, ok := v.(string); ok {
			return trimStart(text) == ""
		}
	}
	if _, is := v.(word); is {
		return false
	}
	switch v := plain(v).(type) {
	case string:
		return v == ""
	case *value.Object:
		return v.Len() == 0
	default:
		length, isList := listLength(v)
		return isList && length == 0
	}
}

func (s *state) contains(within, part any) bool {
	if list, ok := s.listOf(within); ok {
		for _, item := range list {
			s.step(1)
			if s.equal(item, part, 0) {
				return true
			}
		}
		return false
	}
	if text, ok := within.(string); ok {
		s.step(len(text) / 64)
		return strings.Contains(text, s.scriptText(plain(part)))
	}
	return false
}

// listIdentity tells one list from another with the same items, as JavaScript
// does where it compares references.
type listIdentity struct {
	first  *any
	length int
}

func identity(list []any) listIdentity { return listIdentity{unsafe.SliceData(list), len(list)} }
