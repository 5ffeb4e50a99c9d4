package liquid

// This file makes text of values, in the two ways the language has: as an
// output prints them, and as JavaScript's String does. Lists may hold lists
// many times over, so each step is counted and the text bounded.

import (
	"github.com/beonauto/auto/engine/value"
)

const objectText = "[object Object]"

// text is the text an output prints: nothing for null, and the items of a list
// one after the other.
func (s *state) text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil, undefinedKind:
		return ""
	case bool:
		if v {
			return "true"
		}
		return "false"
	case *value.Object:
		return objectText
	}
	start := len(s.scratch)
	s.scratch = s.appendText(s.scratch, v, s.textBound(), 0)
	text := string(s.scratch[start:])
	s.scratch = s.scratch[:start]
	return s.joined(text)
}

// appendText appends an output's text of v, at most about bound bytes.
func (s *state) appendText(to []byte, v any, bound, depth int) []byte {
	switch v := v.(type) {
	case string:
		return append(to, v...)
	case float64:
		return value.AppendNumber(to, v)
	case value.Exact:
		return value.AppendNumber(to, v.Float())
	case nil, undefinedKind:
		return to
	case bool:
		if v {
			return append(to, "true"...)
		}
		return append(to, "false"...)
	case *value.Object:
		return append(to, objectText...)
	case []any:
		s.deep(depth)
		for _, item := range v {
			to = s.appendText(to, item, bound, depth+1)
			s.grow(to, bound)
		}
		return to
	case *numberRange:
		for i := range v.count {
			to = s.appendText(to, v.at(i), bound, depth)
			s.grow(to, bound)
		}
		return to
	}
	return s.appendText(to, plain(v), bound, depth)
}

// grow counts one item of a text that is being made, and bounds it.
func (s *state) grow(text []byte, bound int) {
	s.step(1)
	if len(text) <= bound {
		return
	}
	if s.printing {
		s.out = text
		s.checkLength()
		return
	}
	s.failMemory()
}

// deep stops a walk into lists that a template nested without end.
func (s *state) deep(depth int) {
	if depth > valueDepthLimit {
		s.fail(LimitReached, "A list nests more than "+grouped(valueDepthLimit)+" levels deep")
	}
}

// scriptText is JavaScript's String(v): null is written out, and the items of
// a list stand between commas.
func (s *state) scriptText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil:
		return "null"
	case undefinedKind:
		return "undefined"
	case []any, *numberRange:
		list, _ := s.listOf(v)
		return s.joinList(list, ",")
	case word, *loop, *value.Object:
		return objectText
	}
	return s.text(v)
}

// joinList is JavaScript's list.join: null and undefined leave their place empty.
func (s *state) joinList(list []any, separator string) string {
	start := len(s.scratch)
	s.scratch = s.appendJoined(s.scratch, list, separator, 0)
	text := string(s.scratch[start:])
	s.scratch = s.scratch[:start]
	return s.joined(text)
}

func (s *state) appendJoined(to []byte, list []any, separator string, depth int) []byte {
	s.deep(depth)
	bound := s.textBound()
	for i, item := range list {
		if i > 0 {
			to = append(to, separator...)
		}
		switch item := item.(type) {
		case nil, undefinedKind:
		case string:
			to = append(to, item...)
		case []any, *numberRange:
			inner, _ := s.listOf(item)
			to = s.appendJoined(to, inner, ",", depth+1)
		case word, *loop:
			to = append(to, objectText...)
		default:
			to = s.appendText(to, item, bound, depth)
		}
		s.grow(to, bound)
	}
	return to
}
