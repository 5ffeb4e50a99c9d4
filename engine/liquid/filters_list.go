package liquid

// This file holds the filters on lists. Each charges the items it goes over.

import (
	"math"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// chargedList gives the items of a value, charged by their number.
func (s *state) chargedList(v any) []any {
	if length, ok := listLength(v); ok {
		s.charge(float64(length))
		return s.list(v)
	}
	list := s.list(v)
	s.charge(float64(len(list)))
	return list
}

func joinFilter(s *state, v any, args []any) any {
	list := s.list(v)
	separator := " "
	if given := plain(argument(args, 0)); !isNil(given) {
		separator = s.text(given)
	}
	size := float64(units(separator)) * float64(max(len(list)-1, 0))
	for _, item := range list {
		size += float64(s.scriptLength(item))
	}
	s.charge(size)
	return s.joinList(list, separator)
}

// scriptLength is the length of String(v), for charging.
func (s *state) scriptLength(v any) int {
	s.step(1)
	if text, ok := v.(string); ok {
		return units(text)
	}
	return units(s.scriptText(v))
}

func firstFilter(s *state, v any, _ []any) any { return s.extreme(v, 0) }
func lastFilter(s *state, v any, _ []any) any  { return s.extreme(v, -1) }

// extreme gives the first or last item of a list or unit of a text; the empty
// text for what has neither.
func (s *state) extreme(v any, index int) any {
	v = plain(v)
	if text, ok := v.(string); ok {
		if text == "" {
			return text
		}
		if index < 0 {
			index = units(text) - 1
		}
		unit, _ := s.unitAt(text, index)
		return unit
	}
	if length, ok := listLength(v); ok {
		if length == 0 {
			return undefined
		}
		return s.property(v, float64(index))
	}
	if object, ok := v.(*value.Object); ok {
		length, _ := object.Get("length")
		if number, isNumber := numberOf(length); isNumber {
			if index < 0 {
				number += float64(index)
			} else {
				number = float64(index)
			}
			if item, ok := object.Get(value.FormatNumber(number)); ok {
				return item
			}
			return undefined
		}
	}
	return ""
}

func reverseFilter(s *state, v any, _ []any) any {
	list := s.chargedList(plain(v))
	reversed := make([]any, len(list))
	for i, item := range list {
		reversed[len(list)-1-i] = item
	}
	return reversed
}

func sortFilter(s *state, v any, args []any) any {
	return s.sortBy(v, args, func(a, b any) int {
		below, above := s.less(a, b)
		switch {
		case below:
			return -1
		case above:
			return 1
		}
		return 0
	})
}

func sortNaturalFilter(s *state, v any, args []any) any {
	return s.sortBy(v, args, func(a, b any) int {
		return compareUnits(lower(s.scriptText(a)), lower(s.scriptText(b)))
	})
}

// keyed is an item with the value it is sorted by.
type keyed struct{ item, key any }

// sortBy sorts items by themselves or by a property, null and missing ones last.
func (s *state) sortBy(v any, args []any, compare func(a, b any) int) any {
	list := s.chargedList(plain(v))
	sorted := make([]any, len(list))
	compareKeys := func(a, b any) int {
		s.step(1)
		switch noA, noB := isNil(a), isNil(b); {
		case noA && noB:
			return 0
		case noA:
			return 1
		case noB:
			return -1
		}
		return compare(a, b)
	}
	property := argument(args, 0)
	if !scriptTruthy(property) {
		copy(sorted, list)
		stableSort(sorted, compareKeys)
		return sorted
	}
	path := strings.Split(s.text(property), ".")
	items := make([]keyed, len(list))
	for i, item := range list {
		s.step(1)
		items[i] = keyed{item, s.field(item, path)}
	}
	stableSort(items, func(a, b keyed) int { return compareKeys(a.key, b.key) })
	for i := range items {
		sorted[i] = items[i].item
	}
	return sorted
}

// sortedRun is the length of list up to which insertion does the whole sort.
const sortedRun = 63

// stableSort sorts in place. Values of mixed types have no order of their own,
// so how they come to lie depends on the steps taken: up to 63 items these are
// the steps of the reference's engine.
func stableSort[T any](items []T, compare func(a, b T) int) {
	if risingRun(items, compare) == len(items) {
		return
	}
	for start := 0; start < len(items); start += sortedRun {
		insertionSort(items[start:min(start+sortedRun, len(items))], compare)
	}
	if len(items) <= sortedRun {
		return
	}
	from, to := items, make([]T, len(items))
	for width := sortedRun; width < len(items); width *= 2 {
		for start := 0; start < len(items); start += 2 * width {
			middle, end := min(start+width, len(items)), min(start+2*width, len(items))
			merge(to[start:end], from[start:middle], from[middle:end], compare)
		}
		from, to = to, from
	}
	if &from[0] != &items[0] {
		copy(items, from)
	}
}

// risingRun is the length of the start of items that is in order.
func risingRun[T any](items []T, compare func(a, b T) int) int {
	run := min(1, len(items))
	for run < len(items) && compare(items[run], items[run-1]) >= 0 {
		run++
	}
	return run
}

// insertionSort finds the run that items start with, turns it round when it
// falls, and puts each later item in its place by halving.
func insertionSort[T any](items []T, compare func(a, b T) int) {
	run := risingRun(items, compare)
	if run == 1 && len(items) > 1 {
		for run < len(items) && compare(items[run], items[run-1]) < 0 {
			run++
		}
		slices.Reverse(items[:run])
	}
	for ; run < len(items); run++ {
		pivot, left, right := items[run], 0, run
		for left < right {
			middle := left + (right-left)/2
			if compare(pivot, items[middle]) < 0 {
				right = middle
			} else {
				left = middle + 1
			}
		}
		copy(items[left+1:run+1], items[left:run])
		items[left] = pivot
	}
}

func merge[T any](to, left, right []T, compare func(a, b T) int) {
	for i := range to {
		if len(right) == 0 || (len(left) > 0 && compare(right[0], left[0]) >= 0) {
			to[i], left = left[0], left[1:]
		} else {
			to[i], right = right[0], right[1:]
		}
	}
}

func mapFilter(s *state, v any, args []any) any {
	list := s.chargedList(plain(v))
	path := strings.Split(s.text(argument(args, 0)), ".")
	fields := make([]any, len(list))
	for i, item := range list {
		s.step(1)
		fields[i] = s.field(item, path)
	}
	return fields
}

func sumFilter(s *state, v any, args []any) any {
	var path []string
	if property := argument(args, 0); scriptTruthy(property) {
		path = strings.Split(s.text(property), ".")
	}
	total := 0.0
	for _, item := range s.list(v) {
		s.step(1)
		if number := toNumber(s.field(item, path)); !math.IsNaN(number) {
			total += number
		}
	}
	return total
}

func compactFilter(s *state, v any, _ []any) any {
	list := s.chargedList(plain(v))
	kept := make([]any, 0, len(list))
	for _, item := range list {
		if !isNil(plain(item)) {
			kept = append(kept, item)
		}
	}
	return kept
}

func concatFilter(s *state, v any, args []any) any {
	return s.concat(s.list(v), s.list(argumentOr(args, 0, nil)))
}

func pushFilter(s *state, v any, args []any) any {
	return s.concat(s.list(v), []any{argument(args, 0)})
}

func (s *state) concat(first, second []any) any {
	s.charge(float64(len(first) + len(second)))
	all := make([]any, 0, len(first)+len(second))
	return append(append(all, first...), second...)
}

func unshiftFilter(s *state, v any, args []any) any {
	list := s.chargedList(plain(v))
	all := make([]any, 0, len(list)+1)
	return append(append(all, argument(args, 0)), list...)
}

func popFilter(s *state, v any, _ []any) any {
	list := s.chargedList(plain(v))
	return append([]any{}, list[:max(len(list)-1, 0)]...)
}

func shiftFilter(s *state, v any, _ []any) any {
	list := s.chargedList(plain(v))
	return append([]any{}, list[min(1, len(list)):]...)
}

// matches tells whether an item's value is the expected one; with none
// expected, whether it counts as true.
func (s *state) matches(v, expected any) bool {
	s.step(1)
	if expected == undefined {
		return truthy(v)
	}
	return s.equal(v, expected, 0)
}

func (s *state) choose(v any, args []any, include bool) any {
	list := s.chargedList(plain(v))
	path := s.fieldPath(argument(args, 0))
	chosen := []any{}
	for _, item := range list {
		if s.matches(s.read(item, path), argument(args, 1)) == include {
			chosen = append(chosen, item)
		}
	}
	return chosen
}

func whereFilter(s *state, v any, args []any) any  { return s.choose(v, args, true) }
func rejectFilter(s *state, v any, args []any) any { return s.choose(v, args, false) }

// search gives the index of the first item that matches, -1 when none does.
func (s *state) search(list []any, args []any) int {
	path := s.fieldPath(argument(args, 0))
	for i, item := range list {
		if s.matches(s.read(item, path), argument(args, 1)) {
			return i
		}
	}
	return -1
}

func hasFilter(s *state, v any, args []any) any { return s.search(s.list(v), args) >= 0 }

func findItemFilter(s *state, v any, args []any) any {
	list := s.list(v)
	if i := s.search(list, args); i >= 0 {
		return list[i]
	}
	return undefined
}

func findIndexFilter(s *state, v any, args []any) any {
	if i := s.search(s.list(v), args); i >= 0 {
		return float64(i)
	}
	return undefined
}

func groupByFilter(s *state, v any, args []any) any {
	list := s.items(v)
	path := s.fieldPath(argument(args, 0))
	s.charge(float64(len(list)))
	places := make(map[any]int)
	groups := []any{}
	var members [][]any
	for _, item := range list {
		s.step(1)
		name := s.read(item, path)
		key := mapKey(name)
		at, known := places[key]
		if !known {
			at = len(groups)
			places[key] = at
			group := value.NewObject(2)
			group.Set("name", name)
			groups, members = append(groups, group), append(members, nil)
		}
		members[at] = append(members[at], item)
	}
	for i, group := range groups {
		group.(*value.Object).Set("items", members[i])
	}
	return groups
}

func uniqFilter(s *state, v any, _ []any) any {
	list := s.chargedList(plain(v))
	seen := make(map[any]bool)
	kept := []any{}
	for _, item := range list {
		s.step(1)
		if key := mapKey(item); !seen[key] {
			seen[key] = true
			kept = append(kept, item)
		}
	}
	return kept
}

// notANumber stands for NaN as a key, which Go's maps would never find again.
type notANumber struct{}

// mapKey tells values apart as JavaScript's Map and Set do: lists and objects
// by identity, numbers by value.
func mapKey(v any) any {
	switch v := v.(type) {
	case []any:
		return identity(v)
	case value.Exact:
		return v.Float()
	case float64:
		if math.IsNaN(v) {
			return notANumber{}
		}
	}
	return v
}
