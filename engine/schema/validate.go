package schema

// This file checks values against a schema. A value is first checked without
// any record, since most values match; only one that does not is gone through
// again, to say everything that is wrong with it.

import (
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
)

// Issue is one thing about a value that the schema does not take.
type Issue struct {
	Pointer string // JSON Pointer into the value; a missing property's own
	Message string // a short sentence without a full stop

	keyword string        // the keyword that was not kept
	types   types         // what type expected
	values  []value.Value // what enum or const expected
}

// ErrTooMuchWork is a value that would take more steps to check against its
// schema than any schema written in earnest takes.
var ErrTooMuchWork = errors.New("checking the value against the schema takes too much work")

// The bounds of one check. A step is one schema applied to one value, or as
// much other work.
const (
	maxSteps  = 2_000_000
	maxNested = 20_000 // schemas within schemas at one time
)

// Validate checks a value against the schema. It gives every distinct issue,
// in the order of the schema's rules, objects before what they hold; none for
// a value that matches. The error is ErrTooMuchWork.
func (s *Schema) Validate(v value.Value) ([]Issue, error) { return s.validate(v, false) }

// ValidateFields checks the fields an object names as input.default may name
// them (reasoning format, "How a document is checked"): the top-level fields
// that required lists may be missing, since the input may supply them.
func (s *Schema) ValidateFields(o *value.Object) ([]Issue, error) { return s.validate(o, true) }

func (s *Schema) validate(v value.Value, partial bool) ([]Issue, error) {
	quick := work{left: maxSteps}
	matches := quick.check(s.root, v, nil, partial)
	switch {
	case quick.over:
		return nil, ErrTooMuchWork
	case matches:
		return nil, nil
	}
	thorough, found := work{left: maxSteps}, &findings{once: s.combines}
	thorough.check(s.root, v, found, partial)
	if thorough.over {
		return nil, ErrTooMuchWork
	}
	return found.issues, nil
}

// Matches tells whether a value matches the schema, without saying why not.
// The error is ErrTooMuchWork.
func (s *Schema) Matches(v value.Value) (bool, error) {
	quick := work{left: maxSteps}
	matches := quick.check(s.root, v, nil, false)
	if quick.over {
		return false, ErrTooMuchWork
	}
	return matches, nil
}

// work is one check of a value: how much may still be done, and the way to the
// place that is being checked.
type work struct {
	left   int
	over   bool
	nested int
	way    []step
}

// step is a key or, when the key is not used, an index.
type step struct {
	key   string
	index int // -1 for a key
}

// findings collects issues. A nil findings asks only whether there are any.
type findings struct {
	issues []Issue
	once   bool // whether an issue may be found twice, and is to be kept once
	seen   map[said]struct{}
}

// said is what makes an issue distinct.
type said struct{ pointer, message string }

// fewIssues is the number of issues up to which they are compared one by one.
const fewIssues = 8

func (f *findings) add(issue Issue) {
	if f.once && f.has(issue) {
		return
	}
	f.issues = append(f.issues, issue)
	if f.seen != nil {
		f.seen[said{issue.Pointer, issue.Message}] = struct{}{}
	}
}

func (f *findings) has(issue Issue) bool {
	if len(f.issues) <= fewIssues {
		return slices.ContainsFunc(f.issues, func(i Issue) bool {
			return i.Pointer == issue.Pointer && i.Message == issue.Message
		})
	}
	if f.seen == nil {
		f.seen = make(map[said]struct{}, 2*len(f.issues))
		for _, i := range f.issues {
			f.seen[said{i.Pointer, i.Message}] = struct{}{}
		}
	}
	_, has := f.seen[said{issue.Pointer, issue.Message}]
	return has
}

// spend takes steps, and tells whether there were any left.
func (w *work) spend(steps int) bool {
	w.left -= steps
	if w.left < 0 {
		w.over = true
	}
	return !w.over
}

func (w *work) pointer() string {
	var space [128]byte
	pointer := space[:0]
	for _, s := range w.way {
		if s.index < 0 {
			pointer = append(pointer, value.Join("", s.key)...)
		} else {
			pointer = strconv.AppendInt(append(pointer, '/'), int64(s.index), 10)
		}
	}
	return string(pointer)
}

// into goes to a property, item to an item, and back returns.
func (w *work) into(key string) { w.way = append(w.way, step{key: key, index: -1}) }
func (w *work) item(index int)  { w.way = append(w.way, step{index: index}) }
func (w *work) back()           { w.way = w.way[:len(w.way)-1] }

// issueSteps is what one issue costs, for the memory it takes.
const issueSteps = 12

// fail records an issue at the place that is being checked, and gives false.
func (w *work) fail(out *findings, issue Issue) bool {
	if out != nil {
		issue.Pointer = w.pointer()
		if w.spend(issueSteps + len(issue.Pointer)/16) {
			out.add(issue)
		}
	}
	return false
}

// check tells whether a value matches a subschema. It goes on after the first
// thing that does not only when there are findings to record it in. A partial
// object may lack properties.
func (w *work) check(s *subschema, v value.Value, out *findings, partial bool) bool {
	if w.nested++; w.nested > maxNested {
		w.over = true
	}
	matches := w.spend(1) && w.apply(s, v, out, partial)
	w.nested--
	return matches && !w.over
}

func (w *work) apply(s *subschema, v value.Value, out *findings, partial bool) bool {
	if s.never || s.nothing {
		return w.fail(out, Issue{keyword: "not", Message: "Not allowed"})
	}
	matches := w.kind(s, v, out)
	if !matches && out == nil {
		return false
	}
	switch v := v.(type) {
	case string:
		matches = w.text(s.text, v, out) && matches
	case float64, value.Exact:
		matches = w.number(s.number, v, out) && matches
	case []value.Value:
		matches = w.list(s.list, v, out) && matches
	case *value.Object:
		matches = w.object(s.object, v, out, partial) && matches
	}
	if s.reference != nil && (matches || out != nil) {
		matches = w.check(s.reference.definition.is, v, out, partial) && matches
	}
	for _, part := range s.all {
		if !matches && out == nil {
			return false
		}
		matches = w.check(part, v, out, partial) && matches
	}
	if len(s.any) > 0 && (matches || out != nil) {
		matches = w.anyOf(s.any, v, out, partial) && matches
	}
	if len(s.one) > 0 && (matches || out != nil) {
		matches = w.oneOf(s.one, v, out, partial) && matches
	}
	return matches
}

// kind checks type, enum and const. Of a value that is neither of the type nor
// one of the values, only the values are said.
func (w *work) kind(s *subschema, v value.Value, out *findings) bool {
	matches := true
	for _, values := range [2]*choice{s.choice, s.only} {
		if values != nil && !values.has(v) {
			if matches = false; out == nil {
				return false
			}
			w.fail(out, Issue{keyword: "enum", Message: values.expected, values: values.values})
		}
	}
	if s.types != 0 && s.types&typeOf(v) == 0 {
		if matches {
			w.fail(out, Issue{keyword: "type", Message: s.expectedType, types: s.types})
		}
		matches = false
	}
	return matches
}

func (w *work) text(rules *textRules, text string, out *findings) bool {
	if rules == nil {
		return true
	}
	matches := true
	// A text has at most as many characters as bytes, and at least a quarter.
	if rules.max.set && int64(len(text)) > rules.max.n {
		w.spend(len(text) / 256)
		if int64(utf8.RuneCountInString(text)) > rules.max.n {
			matches = w.fail(out, Issue{keyword: "maxLength", Message: "Expected at most " + things(rules.max.n, "character", "characters")})
		}
	}
	if rules.min.set && int64(len(text)) < 4*min(rules.min.n, 1<<60) {
		w.spend(len(text) / 256)
		if int64(utf8.RuneCountInString(text)) < rules.min.n {
			matches = w.fail(out, Issue{keyword: "minLength", Message: "Expected at least " + things(rules.min.n, "character", "characters")})
		}
	}
	return matches
}

// exactSteps is what comparing a number with very many digits costs, for each
// 64 of them.
func exactSteps(v value.Value) int {
	if exact, ok := v.(value.Exact); ok {
		return 1 + len(exact)/64
	}
	return 1
}

func (w *work) number(rules *numberRules, v value.Value, out *findings) bool {
	if rules == nil || !w.spend(exactSteps(v)) {
		return rules == nil
	}
	matches := true
	limit := func(b *bound, broken bool, keyword, words string) {
		if broken {
			matches = w.fail(out, Issue{keyword: keyword, Message: words + shown(b.written)})
		}
	}
	if b := rules.minimum; b != nil {
		limit(b, b.compare(v) < 0, "minimum", "Expected at least ")
	}
	if b := rules.maximum; b != nil {
		limit(b, b.compare(v) > 0, "maximum", "Expected at most ")
	}
	if b := rules.above; b != nil {
		limit(b, b.compare(v) <= 0, "exclusiveMinimum", "Expected more than ")
	}
	if b := rules.below; b != nil {
		limit(b, b.compare(v) >= 0, "exclusiveMaximum", "Expected less than ")
	}
	if b := rules.multiple; b != nil {
		w.spend(4)
		limit(b, !b.divides(v), "multipleOf", "Expected a multiple of ")
	}
	return matches
}

func (w *work) list(rules *listRules, list []value.Value, out *findings) bool {
	if rules == nil {
		return true
	}
	matches := true
	length := int64(len(list))
	if rules.min.set && length < rules.min.n {
		matches = w.fail(out, Issue{keyword: "minItems", Message: "Expected at least " + things(rules.min.n, "item", "items")})
	}
	most, keyword := rules.max, "maxItems"
	if rules.items != nil && rules.items.never && (!most.set || int64(len(rules.prefix)) < most.n) {
		most, keyword = count{n: int64(len(rules.prefix)), set: true}, "items"
	}
	if most.set && length > most.n {
		matches = w.fail(out, Issue{keyword: keyword, Message: "Expected at most " + things(most.n, "item", "items")})
	}
	if rules.unique && w.spend(uniqueSteps*weight(list)) {
		if index, again := repeated(list); again {
			w.item(index)
			matches = w.fail(out, Issue{keyword: "uniqueItems", Message: "Listed twice"})
			w.back()
		}
	}
	for i, item := range list {
		if w.over || (!matches && out == nil) {
			return false
		}
		each := rules.items
		if i < len(rules.prefix) {
			each = rules.prefix[i]
		} else if each == nil || each.never {
			break
		}
		w.item(i)
		matches = w.check(each, item, out, false) && matches
		w.back()
	}
	return matches
}

// uniqueSteps is what it costs to tell one item from all the others.
const uniqueSteps = 4

// weight is how many steps it takes to look at all of a value.
func weight(v value.Value) int {
	steps := 1
	switch v := v.(type) {
	case string:
		steps += len(v) / 64
	case value.Exact:
		steps += len(v) / 64
	case []value.Value:
		for _, item := range v {
			steps += weight(item)
		}
	case *value.Object:
		for i := range v.Len() {
			key, item := v.At(i)
			steps += 1 + len(key)/64 + weight(item)
		}
	}
	return steps
}
