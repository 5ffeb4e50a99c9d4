package value

// This file prints and reads numbers as JavaScript does, and compares decimals
// exactly.

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// FormatNumber prints a float64 as JavaScript's String(number) does: 1, 2.5,
// 1e+21, 1e-7, NaN, Infinity. Negative zero prints as 0.
func FormatNumber(number float64) string {
	return string(AppendNumber(nil, number))
}

// AppendNumber appends FormatNumber's text.
func AppendNumber(to []byte, number float64) []byte {
	switch {
	case number == 0:
		return append(to, '0')
	case math.IsNaN(number):
		return append(to, "NaN"...)
	case math.IsInf(number, 1):
		return append(to, "Infinity"...)
	case math.IsInf(number, -1):
		return append(to, "-Infinity"...)
	}
	if number == math.Trunc(number) && math.Abs(number) < 1<<53 {
		return strconv.AppendInt(to, int64(number), 10)
	}
	size := math.Abs(number)
	if size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(to, number, 'f', -1, 64)
	}
	start := len(to)
	to = strconv.AppendFloat(to, number, 'e', -1, 64)
	// Go writes a two-digit exponent at least, JavaScript the shortest.
	if e := strings.LastIndexByte(string(to[start:]), 'e'); e >= 0 {
		digits := start + e + 2
		if digits < len(to)-1 && to[digits] == '0' {
			to = append(to[:digits], to[digits+1:]...)
		}
	}
	return to
}

// ReadNumber reads a literal in JSON's number syntax (a leading + or zeros are
// allowed too, for YAML's sake). It gives a float64 when that holds the same
// decimal number when printed in its shortest form, an Exact otherwise, and
// false when the literal is no number or is past the range of a float64.
func ReadNumber(literal string) (Value, bool) {
	// Go's own syntax has more: 1_000, 0x1p-2, inf.
	if strings.Trim(literal, "0123456789+-.eE") != "" {
		return nil, false
	}
	number, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return nil, false
	}
	// Fifteen significant digits always survive the way through a float64.
	if len(literal) <= 15 && number != 0 {
		return number, true
	}
	if number == 0 {
		// 1e-400 reads as zero without being it.
		mantissa, _, _ := strings.Cut(strings.ToLower(literal), "e")
		if strings.ContainsAny(mantissa, "123456789") {
			return exact(literal), true
		}
		return 0.0, true
	}
	if Decimal(literal).Equal(Decimal(strconv.FormatFloat(number, 'e', -1, 64))) {
		return number, true
	}
	return exact(literal), true
}

// exact writes a literal in JSON's number syntax: no plus sign, no zeros in
// front, a digit on both sides of the point.
func exact(literal string) Exact {
	sign, rest := "", strings.TrimPrefix(literal, "+")
	if strings.HasPrefix(rest, "-") {
		sign, rest = "-", rest[1:]
	}
	end := strings.IndexAny(rest, "eE")
	if end < 0 {
		end = len(rest)
	}
	mantissa, exponent := rest[:end], rest[end:]
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if point && fraction != "" {
		whole += "." + fraction
	}
	return Exact(sign + whole + exponent)
}

// Decimal is a decimal literal taken at its mathematical value, for comparing
// numbers that a float64 would round. Its exponent may be of any size: nothing
// here grows with it.
type Decimal string

// DecimalOf gives the decimal of a number value, and false when v is none.
func DecimalOf(v Value) (Decimal, bool) {
	switch v := v.(type) {
	case float64:
		return Decimal(strconv.FormatFloat(v, 'e', -1, 64)), true
	case Exact:
		return Decimal(v), true
	}
	return "", false
}

// parts gives the sign, the digits without zeros at either end, and the power
// of ten of the last digit. Zero has no digits.
func (d Decimal) parts() (negative bool, digits string, power int64) {
	text := strings.ToLower(string(d))
	mantissa, exponent, _ := strings.Cut(text, "e")
	if exponent != "" {
		power, _ = strconv.ParseInt(exponent, 10, 64) // saturates at the ends of the range
		power = max(min(power, 1<<40), -1<<40)
	}
	switch {
	case strings.HasPrefix(mantissa, "-"):
		negative, mantissa = true, mantissa[1:]
	case strings.HasPrefix(mantissa, "+"):
		mantissa = mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	power -= int64(len(fraction))
	digits = strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(digits, "0")
	power += int64(len(digits) - len(trimmed))
	if trimmed == "" {
		return false, "", 0
	}
	return negative, trimmed, power
}

// Equal tells whether two literals are the same number.
func (d Decimal) Equal(other Decimal) bool { return d.Compare(other) == 0 }

// Compare gives -1, 0 or 1 as d is less than, equal to or greater than other.
func (d Decimal) Compare(other Decimal) int {
	leftNegative, left, leftPower := d.parts()
	rightNegative, right, rightPower := other.parts()
	sign := func(negative bool, digits string) int {
		switch {
		case digits == "":
			return 0
		case negative:
			return -1
		}
		return 1
	}
	leftSign, rightSign := sign(leftNegative, left), sign(rightNegative, right)
	if leftSign != rightSign || leftSign == 0 {
		return min(max(leftSign-rightSign, -1), 1)
	}
	// The place of the first digit decides, then the digits themselves.
	if l, r := int64(len(left))+leftPower, int64(len(right))+rightPower; l != r {
		if l < r {
			return -leftSign
		}
		return leftSign
	}
	return leftSign * strings.Compare(left, right)
}

// Whole tells whether the number has no fraction.
func (d Decimal) Whole() bool {
	_, digits, power := d.parts()
	return digits == "" || power >= 0
}

// exponentLimit bounds the powers of ten that MultipleOf works out: far past
// any float64, and small enough to stay in microseconds.
const exponentLimit = 1_000

// MultipleOf tells whether d is a whole multiple of step, exactly: 0.07 is one
// of 0.01. It gives false as its second result, without any arithmetic, when
// the two lie more than a thousand powers of ten apart.
func (d Decimal) MultipleOf(step Decimal) (is, known bool) {
	_, digits, power := d.parts()
	_, stepDigits, stepPower := step.parts()
	if digits == "" {
		return true, true
	}
	if stepDigits == "" {
		return false, true
	}
	shift := power - stepPower
	if shift > exponentLimit || shift < -exponentLimit || len(digits) > exponentLimit || len(stepDigits) > exponentLimit {
		return false, false
	}
	number, _ := new(big.Int).SetString(digits, 10)
	divisor, _ := new(big.Int).SetString(stepDigits, 10)
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(shift, -shift)), nil)
	if shift >= 0 {
		number.Mul(number, scale)
	} else {
		divisor.Mul(divisor, scale)
	}
	return new(big.Int).Rem(number, divisor).Sign() == 0, true
}

// Canonical gives one text for each number, however it was written: 1.10, 11e-1
// and 1.1 have the same.
func (d Decimal) Canonical() string {
	negative, digits, power := d.parts()
	if digits == "" {
		return "0"
	}
	if negative {
		digits = "-" + digits
	}
	return digits + "e" + strconv.FormatInt(power, 10)
}

// Grouped writes a whole number with commas between its thousands, as messages
// count: 65,536.
func Grouped(number int64) string {
	digits := strconv.FormatInt(number, 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
