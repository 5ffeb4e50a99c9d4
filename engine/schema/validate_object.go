package schema

// This file checks objects: what they lack, what they should not have, and
// each property.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

func (w *work) object(rules *objectRules, object *value.Object, out *findings, partial bool) bool {
	if rules == nil {
		return true
	}
	matches := w.counts(rules, object, out, partial)
	if !partial && (matches || out != nil) {
		matches = w.missing(rules, object, out) && matches
	}
	for _, name := range rules.names {
		if w.over || (!matches && out == nil) {
			return false
		}
		if v, has := object.Get(name); has {
			w.into(name)
			matches = w.check(rules.properties[name], v, out, false) && matches
			w.back()
		} else if !w.spend(1) {
			return false
		}
	}
	if rules.additional == nil && rules.keys == nil {
		return matches
	}
	for i := range object.Len() {
		if !w.spend(1) || (!matches && out == nil) {
			return false
		}
		key, v := object.At(i)
		w.into(key)
		if rules.additional != nil && rules.properties[key] == nil {
			matches = w.additional(rules, object, key, v, out) && matches
		}
		if rules.keys != nil && (matches || out != nil) {
			matches = w.key(rules.keys, key, out) && matches
		}
		w.back()
	}
	return matches
}

func (w *work) counts(rules *objectRules, object *value.Object, out *findings, partial bool) bool {
	matches := true
	length := int64(object.Len())
	if rules.min.set && length < rules.min.n && !partial {
		matches = w.fail(out, Issue{keyword: "minProperties", Message: "Expected at least " + things(rules.min.n, "property", "properties")})
	}
	if rules.max.set && length > rules.max.n {
		matches = w.fail(out, Issue{keyword: "maxProperties", Message: "Expected at most " + things(rules.max.n, "property", "properties")})
	}
	return matches
}

func (w *work) missing(rules *objectRules, object *value.Object, out *findings) bool {
	matches := true
	if !w.spend(len(rules.required) / 4) {
		return false
	}
	for _, name := range rules.required {
		if object.Has(name) {
			continue
		}
		if matches = false; out == nil {
			return false
		}
		w.into(name)
		w.fail(out, Issue{keyword: "required", Message: "Missing property"})
		w.back()
	}
	return matches
}

// additional checks a property that properties does not name; the way leads to
// it already.
func (w *work) additional(rules *objectRules, object *value.Object, key string, v value.Value, out *findings) bool {
	if !rules.closed() {
		return w.check(rules.additional, v, out, false)
	}
	if out == nil {
		return false
	}
	message := "Unknown property"
	if near, ok := w.meant(rules, object, key); ok {
		message += problem.DidYouMean(clip(near))
	}
	return w.fail(out, Issue{keyword: "additionalProperties", Message: message})
}

// mostGuessed is the number of properties up to which a guess is made at what
// an unknown one may have meant.
const mostGuessed = 200

// meant finds the property that a mistyped one most likely stands for: one
// that the object does not have.
func (w *work) meant(rules *objectRules, object *value.Object, key string) (string, bool) {
	if len(rules.names) > mostGuessed || len(key) > clipped || !w.spend(len(rules.names)*16) {
		return "", false
	}
	free := make([]string, 0, len(rules.names))
	for _, name := range rules.names {
		if len(name) <= clipped && !object.Has(name) {
			free = append(free, name)
		}
	}
	return problem.Nearest(key, free)
}

// key checks the name of a property; the way leads to the property already.
func (w *work) key(keys *subschema, key string, out *findings) bool {
	if out == nil {
		return w.check(keys, key, nil, false)
	}
	found := &findings{once: out.once}
	if w.check(keys, key, found, false) {
		return true
	}
	for _, issue := range found.issues {
		message := "Property name: " + lowerFirst(issue.Message)
		if issue.keyword == "not" {
			message = "Unknown property"
		}
		w.fail(out, Issue{keyword: "propertyNames", Message: message})
	}
	return false
}

func lowerFirst(sentence string) string {
	first, size := utf8.DecodeRuneInString(sentence)
	var lowered strings.Builder
	lowered.WriteRune(unicode.ToLower(first))
	lowered.WriteString(sentence[size:])
	return lowered.String()
}
