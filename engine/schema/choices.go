package schema

// This file checks anyOf and oneOf, and says what is wrong with a value that
// matches none of the choices they offer in a way that helps whoever wrote it.
//
// The choice that was most likely meant speaks: one for another type of value
// does not count, nor one that a fixed property (a const or an enum) rules out
// while it fits another choice; of the rest, the one with the fewest issues. When
// that does not decide, one sentence says what would decide: the types, the
// values, or that there are so many choices.

import (
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

func (w *work) anyOf(choices []*subschema, v value.Value, out *findings, partial bool) bool {
	if out == nil {
		for _, each := range choices {
			if w.check(each, v, nil, partial) {
				return true
			}
			if w.over {
				break
			}
		}
		return false
	}
	misses := make([][]Issue, 0, len(choices))
	for _, each := range choices {
		found := &findings{once: true}
		if w.check(each, v, found, partial) {
			return true
		}
		if w.over {
			return false
		}
		misses = append(misses, found.issues)
	}
	for _, issue := range w.likeliest(misses, len(choices)) {
		out.add(issue)
	}
	return false
}

func (w *work) oneOf(choices []*subschema, v value.Value, out *findings, partial bool) bool {
	matching := 0
	for _, each := range choices {
		if w.check(each, v, nil, partial) {
			matching++
		}
		if w.over {
			return false
		}
		// An object that may lack properties may come to match one choice alone.
		if matching > 0 && partial {
			return true
		}
		if matching > 1 {
			return w.fail(out, Issue{keyword: "oneOf", Message: "Expected to match only one of " + things(int64(len(choices)), "choice", "choices")})
		}
	}
	if matching == 1 || out == nil {
		return matching == 1
	}
	return w.anyOf(choices, v, out, partial)
}

// likeliest chooses what to say of a value that missed every choice, given what
// each had to say.
func (w *work) likeliest(misses [][]Issue, choices int) []Issue {
	here := w.pointer()
	if merged, ok := mergeAt(here, misses); ok {
		return []Issue{merged}
	}
	left := slices.DeleteFunc(slices.Clone(misses), func(issues []Issue) bool {
		return slices.ContainsFunc(issues, func(i Issue) bool {
			return i.Pointer == here && (i.keyword == "type" || i.keyword == "enum" || i.keyword == "not")
		})
	})
	if len(left) == 0 {
		left = misses
	}
	left, merged := byFixedProperty(here, left)
	if merged != nil {
		return []Issue{*merged}
	}
	if missing, ok := oneMissing(here, left); ok {
		return []Issue{missing}
	}
	if best := fewest(left); best != nil {
		return best
	}
	return []Issue{{Pointer: here, keyword: "anyOf", Message: "Expected to match one of " + things(int64(choices), "choice", "choices")}}
}

// mergeAt gives one issue for choices that each refuse the value itself for its
// type or for not being one of some values, and false for any others.
func mergeAt(pointer string, misses [][]Issue) (Issue, bool) {
	merged := Issue{Pointer: pointer, keyword: "type"}
	for _, issues := range misses {
		if len(issues) != 1 || issues[0].Pointer != pointer || (issues[0].types == 0 && issues[0].values == nil) {
			return Issue{}, false
		}
		merged.types |= issues[0].types
		for _, v := range issues[0].values {
			if !slices.ContainsFunc(merged.values, func(seen value.Value) bool { return value.Equal(seen, v) }) {
				merged.values = append(merged.values, v)
			}
			if len(merged.values) > MaxEnum {
				return Issue{}, false
			}
		}
	}
	switch {
	case merged.values == nil:
		merged.Message = "Expected " + merged.types.named()
	case merged.types == 0:
		merged.keyword = "enum"
		merged.Message = expectedValues(merged.values)
	default:
		merged.Message = expectedValues(merged.values) + " or " + merged.types.named()
	}
	return merged, true
}

// byFixedProperty leaves out the choices that a fixed property rules out. When a
// fixed property rules out every choice, it gives one issue with all the values
// that property may have.
func byFixedProperty(here string, misses [][]Issue) ([][]Issue, *Issue) {
	fixed := func(issue Issue) bool {
		return issue.keyword == "enum" && strings.HasPrefix(issue.Pointer, here+"/") && !strings.Contains(issue.Pointer[len(here)+1:], "/")
	}
	var fitting [][]Issue
	for _, issues := range misses {
		if !slices.ContainsFunc(issues, fixed) {
			fitting = append(fitting, issues)
		}
	}
	if len(fitting) > 0 || len(misses) == 0 {
		return fitting, nil
	}
	for _, candidate := range misses[0] {
		if !fixed(candidate) {
			continue
		}
		var same [][]Issue
		for _, issues := range misses {
			for _, issue := range issues {
				if issue.Pointer == candidate.Pointer && fixed(issue) {
					same = append(same, []Issue{issue})
					break
				}
			}
		}
		if len(same) == len(misses) {
			if merged, ok := mergeAt(candidate.Pointer, same); ok {
				return nil, &merged
			}
		}
	}
	return misses, nil
}

// oneMissing gives one issue for choices that each lack nothing but a property
// of their own.
func oneMissing(here string, misses [][]Issue) (Issue, bool) {
	if len(misses) < 2 {
		return Issue{}, false
	}
	var names []string
	for _, issues := range misses {
		if len(issues) != 1 || issues[0].keyword != "required" || !strings.HasPrefix(issues[0].Pointer, here+"/") {
			return Issue{}, false
		}
		tokens, err := value.Tokens(issues[0].Pointer[len(here):])
		if err != nil || len(tokens) != 1 {
			return Issue{}, false
		}
		if name := shown(tokens[0]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) < 2 || len(names) > mostListed {
		return Issue{}, false // the same property, which its own issue says, or too many
	}
	return Issue{Pointer: here, keyword: "anyOf", Message: "Expected one of the properties " + problem.AnyOf(names)}, true
}

// fewest gives the one list of issues that is shorter than every other, or
// that all the shortest agree on; nil when there is none.
func fewest(misses [][]Issue) []Issue {
	if len(misses) == 0 {
		return nil
	}
	best := slices.MinFunc(misses, func(a, b []Issue) int { return len(a) - len(b) })
	for _, other := range misses {
		if len(other) == len(best) && !slices.EqualFunc(best, other, func(a, b Issue) bool {
			return a.Pointer == b.Pointer && a.Message == b.Message
		}) {
			return nil
		}
	}
	return best
}
