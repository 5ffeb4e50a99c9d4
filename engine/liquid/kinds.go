package liquid

// This file holds the kinds of value that only a template knows, beside the
// JSON values of package value.

import (
	"math"

	"github.com/beonauto/auto/engine/value"
)

// undefinedKind is the type of undefined: what a filter gives when it finds
// nothing. It prints as nothing, and reading it by name is a missing field.
type undefinedKind struct{}

var undefined any = undefinedKind{}

// word is one of the three literals that compare in their own way. As a plain
// value nil is null, and empty and blank are the empty string.
type word uint8

const (
	nilWord word = iota
	emptyWord
	blankWord
)

// numberRange is a list of numbers that is not written out until someone needs
// its items: (1..1000) in a for loop never is.
type numberRange struct {
	start float64
	count int
	items []any
}

func (r *numberRange) at(i int) any { return r.start + float64(i) }

// list writes the range out.
func (r *numberRange) list(s *state) []any {
	if r.items == nil {
		r.items = make([]any, r.count)
		for i := range r.items {
			if i%1024 == 0 {
				s.step(clockSteps)
			}
			r.items[i] = r.at(i)
		}
	}
	return r.items
}

// loop is what forloop and tablerowloop read.
type loop struct {
	index, length int
	name          string
	columns       any // of a tablerow; nil for a plain loop
}

// property reads a field of forloop or tablerowloop.
func (l *loop) property(name string) any {
	switch name {
	case "index":
		return float64(l.index + 1)
	case "index0", "i":
		return float64(l.index)
	case "first":
		return l.index == 0
	case "last":
		return l.index == l.length-1
	case "rindex":
		return float64(l.length - l.index)
	case "rindex0":
		return float64(l.length - l.index - 1)
	case "length":
		return float64(l.length)
	case "name":
		return l.name
	}
	if l.columns == nil {
		return undefined
	}
	switch name {
	case "cols":
		return l.columns
	case "row":
		return l.row()
	case "col":
		return l.column() + 1
	case "col0":
		return l.column()
	case "col_first":
		return l.column() == 0
	case "col_last":
		last, isNumber := numberOf(l.columns)
		return isNumber && l.column()+1 == last
	}
	return undefined
}

func (l *loop) row() float64    { return math.Floor(float64(l.index)/toNumber(l.columns)) + 1 }
func (l *loop) column() float64 { return math.Mod(float64(l.index), toNumber(l.columns)) }

// object is what the loop's own fields make as JSON.
func (l *loop) object() *value.Object {
	o := value.NewObject(4)
	o.Set("i", float64(l.index))
	o.Set("length", float64(l.length))
	o.Set("name", l.name)
	if l.columns != nil {
		o.Set("cols", l.columns)
	}
	return o
}

// plain gives what filters and tags work on: the plain value of a word or a
// loop, and any other value itself.
func plain(v any) any {
	switch v := v.(type) {
	case word:
		if v == nilWord {
			return nil
		}
		return ""
	case *loop:
		return value.JSON(v.object())
	}
	return v
}

// isNil tells null and undefined from every other value.
func isNil(v any) bool { return v == nil || v == undefined }

// listOf gives the items of a list or a range.
func (s *state) listOf(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case *numberRange:
		return v.list(s), true
	}
	return nil, false
}

// listLength gives the number of items of a list or a range.
func listLength(v any) (int, bool) {
	switch v := v.(type) {
	case []any:
		return len(v), true
	case *numberRange:
		return v.count, true
	}
	return 0, false
}

// truthy is how conditions see a value: only false, null and undefined are not.
func truthy(v any) bool {
	v = plain(v)
	return v != false && v != nil && v != undefined
}
