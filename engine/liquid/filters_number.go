package liquid

// This file holds the filters on numbers. What is no number counts as 0.

import (
	"math"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// numberArgument is a filter's number argument; NaN when it is not written.
func numberArgument(args []any, index int) float64 {
	if index < len(args) {
		return count(args[index])
	}
	return math.NaN()
}

func absFilter(_ *state, v any, _ []any) any   { return math.Abs(count(v)) }
func ceilFilter(_ *state, v any, _ []any) any  { return math.Ceil(count(v)) }
func floorFilter(_ *state, v any, _ []any) any { return math.Floor(count(v)) }

func plusFilter(_ *state, v any, args []any) any  { return count(v) + numberArgument(args, 0) }
func minusFilter(_ *state, v any, args []any) any { return count(v) - numberArgument(args, 0) }
func timesFilter(_ *state, v any, args []any) any { return count(v) * numberArgument(args, 0) }

func dividedByFilter(_ *state, v any, args []any) any {
	quotient := count(v) / numberArgument(args, 0)
	if len(args) > 1 && scriptTruthy(count(args[1])) {
		return math.Floor(quotient)
	}
	return quotient
}

func moduloFilter(_ *state, v any, args []any) any {
	by := numberArgument(args, 0)
	return math.Mod(math.Mod(count(v), by)+by, by)
}

func atLeastFilter(_ *state, v any, args []any) any {
	most := count(v)
	for _, a := range args {
		most = math.Max(most, count(a))
	}
	return most
}

func atMostFilter(_ *state, v any, args []any) any {
	least := count(v)
	for _, a := range args {
		least = math.Min(least, count(a))
	}
	return least
}

// roundFilter rounds half up, on the number's decimal digits.
func roundFilter(_ *state, v any, args []any) any {
	number, places := count(v), 0.0
	if len(args) > 0 {
		places = count(args[0])
	}
	scaled := shiftDecimal(math.Abs(number), places)
	if !(scaled <= 1<<53-1) {
		return number
	}
	rounded := math.Floor(scaled)
	if scaled-rounded >= 0.5 {
		rounded++
	}
	rounded = shiftDecimal(rounded, -places)
	if number < 0 {
		return -rounded
	}
	return rounded
}

// shiftDecimal moves the decimal point of a number as it prints.
func shiftDecimal(number, places float64) float64 {
	if places == 0 {
		return number
	}
	if places != math.Trunc(places) || math.IsInf(places, 0) || math.IsInf(number, 0) {
		return math.NaN()
	}
	mantissa, exponent, _ := strings.Cut(value.FormatNumber(number), "e")
	power, _ := strconv.Atoi(exponent)
	places = max(min(places, 1e6), -1e6)
	shifted, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(power+int(places)), 64)
	return shifted
}

func toIntegerFilter(_ *state, v any, _ []any) any { return toNumber(v) }

// moneyFilter formats US dollars.
func moneyFilter(s *state, v any, _ []any) any {
	text, ok := v.(string)
	if number, isNumber := numberOf(v); isNumber {
		text, ok = value.FormatNumber(number), true
	}
	trimmed := trimSpace(text)
	unsigned := strings.TrimLeft(trimmed, "+-")
	if !ok || len(trimmed)-len(unsigned) > 1 || strings.ContainsAny(unsigned, "eE") || !isDecimal(unsigned) {
		s.refuse("money takes a number, or text that is a decimal number")
	}
	number, _ := strconv.ParseFloat(trimmed, 64)
	return dollars(number)
}

func dollars(number float64) string {
	sign := "$"
	if number < 0 {
		sign = "-$"
	}
	number = math.Abs(number)
	if math.IsInf(number, 0) {
		return sign + "∞"
	}
	digits := plainDigits(number)
	whole, cents, fractional := strings.Cut(digits, ".")
	if !fractional {
		return sign + groupThousands(whole)
	}
	whole, cents = roundCents(whole, cents)
	return sign + groupThousands(whole) + "." + cents
}

// groupThousands puts commas between the thousands of any number of digits.
func groupThousands(digits string) string {
	if len(digits) <= 3 {
		return digits
	}
	first := (len(digits)-1)%3 + 1
	text := make([]byte, 0, len(digits)*4/3+1)
	text = append(text, digits[:first]...)
	for i := first; i < len(digits); i += 3 {
		text = append(append(text, ','), digits[i:i+3]...)
	}
	return string(text)
}

// plainDigits writes a number without an exponent, in its shortest form.
func plainDigits(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

// roundCents rounds a decimal number half up to two places.
func roundCents(whole, fraction string) (string, string) {
	for len(fraction) < 3 {
		fraction += "0"
	}
	up := fraction[2] >= '5'
	digits := []byte(whole + fraction[:2])
	for i := len(digits) - 1; up && i >= 0; i-- {
		if digits[i] == '9' {
			digits[i] = '0'
			continue
		}
		digits[i]++
		up = false
	}
	text := string(digits)
	if up {
		text = "1" + text
	}
	return text[:len(text)-2], text[len(text)-2:]
}
