package frontmatter

// This file hides from the YAML library what it reads otherwise than YAML 1.2
// does. Each thing hides behind a character of a private area, written as often
// as the thing is long, so that every position stays where it is.

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden is what was hidden; nil when nothing was.
type hidden struct {
	restore *strings.Replacer // gives back the text as it was written
	decode  *strings.Replacer // does so too, and decodes pairs of escapes
}

// separators are the characters that the library takes for ends of lines.
var separators = []string{"\u0085", "\u2028", "\u2029"}

// pairLength is how long a character past U+FFFF is in JSON's escapes, such as
// \ud83d\ude00. The library refuses each half of it.
const pairLength = len(`\ud83d\ude00`)

// The private area that stands in for what is hidden.
const (
	firstStand = '\ue000'
	lastStand  = '\uf8ff'
)

// hide replaces what the library would misread.
func hide(text string) (string, *hidden) {
	pairs := escapedPairs(text)
	if len(pairs) == 0 && !strings.ContainsAny(text, strings.Join(separators, "")) {
		return text, nil
	}
	var there, back, decoded []string
	stand := firstStand
	hideOne := func(written, read string) {
		for stand <= lastStand && strings.ContainsRune(text, stand) {
			stand++
		}
		if stand > lastStand {
			return
		}
		token := strings.Repeat(string(stand), utf8.RuneCountInString(written))
		there = append(there, written, token)
		back = append(back, token, written)
		decoded = append(decoded, token, read)
		stand++
	}
	for _, separator := range separators {
		hideOne(separator, separator)
	}
	for _, pair := range pairs {
		hideOne(pair, decodePair(pair))
	}
	return strings.NewReplacer(there...).Replace(text),
		&hidden{restore: strings.NewReplacer(back...), decode: strings.NewReplacer(decoded...)}
}

// escapedPairs gives the different pairs of escapes in a text.
func escapedPairs(text string) []string {
	var pairs []string
	seen := map[string]bool{}
	for i := 0; ; {
		next := strings.Index(text[i:], `\u`)
		if next < 0 {
			return pairs
		}
		i += next
		if end := i + pairLength; end <= len(text) && isPair(text[i:end]) && !seen[text[i:end]] {
			seen[text[i:end]] = true
			pairs = append(pairs, text[i:end])
		}
		i += len(`\u`)
	}
}

// isPair tells whether text is the escapes of a high and a low surrogate.
func isPair(text string) bool {
	half := len(text) / 2
	return isEscape(text[:half], "89abAB") && isEscape(text[half:], "cdefCDEF")
}

func isEscape(text, second string) bool {
	return text[:2] == `\u` && (text[2] == 'd' || text[2] == 'D') &&
		strings.IndexByte(second, text[3]) >= 0 && strings.Trim(text[4:], hexadecimal) == ""
}

const hexadecimal = "0123456789abcdefABCDEF"

func decodePair(pair string) string {
	half := len(pair) / 2
	return string(utf16.DecodeRune(hexRune(pair[2:half]), hexRune(pair[half+2:])))
}

// hexRune reads hexadecimal digits.
func hexRune(digits string) rune {
	var r rune
	for i := range len(digits) {
		digit := digits[i]
		switch {
		case digit >= 'a':
			digit -= 'a' - 10
		case digit >= 'A':
			digit -= 'A' - 10
		default:
			digit -= '0'
		}
		r = r<<4 | rune(digit)
	}
	return r
}

// plain puts back what was hidden in a text, as it was written.
func (h *hidden) plain(text string) string {
	if h == nil {
		return text
	}
	return h.restore.Replace(text)
}

// doubleQuoted puts back what was hidden in a text in double quotes, in which
// a pair of escapes is one character.
func (h *hidden) doubleQuoted(text string) string {
	if h == nil {
		return text
	}
	return h.decode.Replace(text)
}
