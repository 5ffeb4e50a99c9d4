// Package safe makes words from outside fit to be shown in a terminal: the
// titles of a schema, the message of a request, the answer of a server. What a
// terminal would act on, an escape sequence or another control character,
// becomes a character that can be seen.
//
// It never shortens, wraps or colours anything, and never judges what the words
// say.
package safe

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// replaced stands for what has no picture of its own.
const replaced = '\uFFFD'

// Line gives text as one line: line ends and tabs become spaces, and every
// other control character one that is seen.
func Line(text string) string { return neutral(text, false) }

// Text gives text with its line ends, \n alone, and its tabs as four spaces.
// Every other control character becomes one that is seen.
func Text(text string) string { return neutral(text, true) }

// JSON gives JSON text with every character that a terminal would act on, or not
// show, as an escape: it says the same value.
func JSON(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	for _, r := range text {
		if r == '\n' || (r >= 0x20 && r != 0x7f && !acts(r)) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

func neutral(text string, lines bool) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		switch {
		case r == '\r' && strings.HasPrefix(text[end:], "\n"):
			// The line feed after it ends the line.
		case r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			if lines {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		case r == '\t' && lines:
			b.WriteString("    ")
		case r == '\t':
			b.WriteByte(' ')
		case r < 0x20:
			b.WriteRune('\u2400' + r) // the pictures of control characters
		case r == 0x7f:
			b.WriteRune('\u2421')
		case acts(r) || (r == utf8.RuneError && size == 1):
			b.WriteRune(replaced)
		default:
			b.WriteString(text[i:end])
		}
		i = end
	}
	return b.String()
}

// acts tells whether a character past ASCII does something instead of being
// seen: a control character of the upper half, or one that turns the direction
// of the words around it, by which they would read as others.
func acts(r rune) bool {
	switch {
	case r >= 0x80 && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
		return true
	case r == 0x200b, r == 0x2060, r == 0xfeff: // without width, and without a purpose here
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return false
}

// plain tells whether text holds nothing but printable ASCII, as most does.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < 0x20 || text[i] >= 0x7f {
			return false
		}
	}
	return true
}
