package liquid

// This file turns values into numbers, booleans and whole numbers as
// JavaScript does, and compares them so. Text is made in text.go, where its
// size is bounded.

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// numberOf gives v when it is a number, without turning anything into one.
func numberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case value.Exact:
		return v.Float(), true
	}
	return 0, false
}

// toNumber is JavaScript's Number(v).
func toNumber(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case value.Exact:
		return v.Float()
	case string:
		return parseNumber(v)
	case nil:
		return 0
	case bool:
		if v {
			return 1
		}
		return 0
	case word:
		return 0 // of null, and of the empty string
	case []any:
		return listNumber(v)
	case *numberRange:
		switch v.count {
		case 0:
			return 0
		case 1:
			return v.start
		}
	}
	return math.NaN()
}

// listNumber is Number of a list's text: that of its only item, as deep as
// that goes, and 0 for an empty list. More items make a text with commas.
func listNumber(list []any) float64 {
	for range nestingLimit {
		if len(list) == 0 {
			return 0
		}
		if len(list) > 1 {
			return math.NaN()
		}
		switch item := list[0].(type) {
		case []any:
			list = item
		case float64, value.Exact, string, *numberRange:
			return toNumber(item)
		case nil, undefinedKind:
			return 0
		default:
			return math.NaN() // "true" and "[object Object]" are no numbers
		}
	}
	return math.NaN()
}

// count is the number that arithmetic filters take: anything that is none is 0.
func count(v any) float64 {
	number := toNumber(plain(v))
	if math.IsNaN(number) || number == 0 { // negative zero counts as zero too
		return 0
	}
	return number
}

// parseNumber is JavaScript's Number of a text.
func parseNumber(text string) float64 {
	text = trimSpace(text)
	if text == "" {
		return 0
	}
	if len(text) > 2 && text[0] == '0' {
		base := 0
		switch text[1] {
		case 'x', 'X':
			base = 16
		case 'o', 'O':
			base = 8
		case 'b', 'B':
			base = 2
		}
		if base > 0 {
			return parseInteger(text[2:], base)
		}
	}
	unsigned := text
	if unsigned[0] == '+' || unsigned[0] == '-' {
		unsigned = unsigned[1:]
	}
	if unsigned == "Infinity" {
		if text[0] == '-' {
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	if !isDecimal(unsigned) {
		return math.NaN()
	}
	number, _ := strconv.ParseFloat(text, 64) // out of range gives the infinity that JavaScript gives
	return number
}

// integerLength is the most digits parseInteger reads: any longer text is far
// past the range of a number, or starts with zeros that nobody writes.
const integerLength = 1100

func parseInteger(digits string, base int) float64 {
	for i := range len(digits) {
		digit := int(digits[i] | 0x20)
		switch {
		case digits[i] >= '0' && digits[i] <= '9':
			digit = int(digits[i] - '0')
		case digit >= 'a' && digit <= 'f':
			digit -= 'a' - 10
		default:
			return math.NaN()
		}
		if digit >= base {
			return math.NaN()
		}
	}
	if len(digits) > integerLength {
		return math.Inf(1)
	}
	whole, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return math.NaN()
	}
	number, _ := new(big.Float).SetInt(whole).Float64()
	return number
}

// isDecimal tells a decimal literal without a sign: digits with or without a
// point, then perhaps an exponent.
func isDecimal(text string) bool {
	digits := func(s string) int {
		i := 0
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i
	}
	whole := digits(text)
	rest := text[whole:]
	fraction := 0
	if strings.HasPrefix(rest, ".") {
		fraction = digits(rest[1:])
		rest = rest[1+fraction:]
	}
	if whole+fraction == 0 {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	rest = rest[1:]
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	return rest != "" && digits(rest) == len(rest)
}

// toInteger is JavaScript's way to take a place in a list: whole, NaN being 0.
func toInteger(v any) float64 {
	number := toNumber(v)
	if math.IsNaN(number) {
		return 0
	}
	return math.Trunc(number)
}

// clampPlace turns a slice argument into a place in a list of length items:
// negative ones count from the end.
func clampPlace(place float64, length int) int {
	if place < 0 {
		return int(max(float64(length)+place, 0))
	}
	return int(min(place, float64(length)))
}

// slice is JavaScript's list.slice(from, to); to is undefined for the end.
func slice(list []any, from, to any) []any {
	start := clampPlace(toInteger(from), len(list))
	end := len(list)
	if to != undefined {
		end = clampPlace(toInteger(to), len(list))
	}
	if start >= end {
		return nil
	}
	return list[start:end:end]
}

// scriptTruthy is JavaScript's own truth, which also calls 0, NaN and the
// empty text false. A few arguments of filters go by it.
func scriptTruthy(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0 && !math.IsNaN(v)
	case value.Exact:
		return v.Float() != 0
	case string:
		return v != ""
	}
	return !isNil(v)
}

// add is JavaScript's +, which joins texts and adds everything else.
func (s *state) add(a, b any) any {
	a, b = s.primitive(a), s.primitive(b)
	_, left := a.(string)
	_, right := b.(string)
	if left || right {
		return s.scriptText(a) + s.scriptText(b)
	}
	return toNumber(a) + toNumber(b)
}

// primitive turns lists, objects and the template's own kinds into the text or
// null that JavaScript compares and adds.
func (s *state) primitive(v any) any {
	switch v := v.(type) {
	case word, *loop:
		return plain(v)
	case []any, *numberRange, *value.Object:
		return s.scriptText(v)
	}
	return v
}

// less tells whether a < b, and whether b < a. Both are false when either is
// no number.
func (s *state) less(a, b any) (bool, bool) {
	left, leftIs := a.(float64)
	right, rightIs := b.(float64)
	if leftIs && rightIs {
		return left < right, right < left
	}
	a, b = s.primitive(a), s.primitive(b)
	if left, ok := a.(string); ok {
		if right, ok := b.(string); ok {
			order := compareUnits(left, right)
			return order < 0, order > 0
		}
	}
	left, right = toNumber(a), toNumber(b)
	return left < right, right < left
}

// same is JavaScript's ===.
func same(a, b any) bool {
	if left, ok := numberOf(a); ok {
		right, ok := numberOf(b)
		return ok && left == right
	}
	switch a := a.(type) {
	case []any:
		other, ok := b.([]any)
		return ok && identity(a) == identity(other)
	case *value.Object, *numberRange, *loop, string, bool, nil, undefinedKind, word:
		if _, ok := b.([]any); ok {
			return false
		}
		return a == b
	}
	return false
}
