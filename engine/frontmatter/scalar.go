package frontmatter

// This file gives plain scalars their values by the YAML 1.2 core schema.

import (
	"math/big"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// resolve gives the value of a plain scalar, and false for a number that is not
// finite.
func resolve(text string) (value.Value, bool) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil, true
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	switch first := text[0]; {
	case first >= '0' && first <= '9', first == '-', first == '+', first == '.':
	default:
		return text, true
	}
	if len(text) > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'o') {
		return resolveBased(text)
	}
	if isInfinite(text) {
		return nil, false
	}
	if !isDecimal(text) {
		return text, true
	}
	return value.ReadNumber(text)
}

// resolveBased reads 0x1F and 0o17, which take no sign.
func resolveBased(text string) (value.Value, bool) {
	base, digits := 16, "0123456789abcdefABCDEF"
	if text[1] == 'o' {
		base, digits = 8, "01234567"
	}
	if strings.Trim(text[2:], digits) != "" {
		return text, true
	}
	if len(text) > 300 {
		return nil, false
	}
	number, ok := new(big.Int).SetString(text[2:], base)
	if !ok {
		return text, true
	}
	return value.ReadNumber(number.String())
}

func isInfinite(text string) bool {
	switch text {
	case ".nan", ".NaN", ".NAN":
		return true
	}
	if text[0] == '+' || text[0] == '-' {
		text = text[1:]
	}
	switch text {
	case ".inf", ".Inf", ".INF":
		return true
	}
	return false
}

// isDecimal tells whether text is a number of the core schema in base ten:
// 014, -1, 1., .5, +1.5e-3.
func isDecimal(text string) bool {
	rest := text
	if rest[0] == '-' || rest[0] == '+' {
		rest = rest[1:]
	}
	whole := leadingDigits(rest)
	rest = rest[whole:]
	fraction := 0
	if strings.HasPrefix(rest, ".") {
		fraction = leadingDigits(rest[1:])
		rest = rest[1+fraction:]
	}
	if whole == 0 && fraction == 0 {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	rest = rest[1:]
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		rest = rest[1:]
	}
	return rest != "" && leadingDigits(rest) == len(rest)
}

func leadingDigits(text string) int {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return i
		}
	}
	return len(text)
}
