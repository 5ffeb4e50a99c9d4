package liquid

// This file counts and cuts text in UTF-16 units, as JavaScript sees it. Half a
// pair can stand alone there; here it is kept as the three bytes its number
// would have in UTF-8, until halves meet again or the text is printed.

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// decode reads one code point of text, or a lone half of a pair, which utf8
// does not know.
func decode(text string) (rune, int) {
	if text[0] < utf8.RuneSelf {
		return rune(text[0]), 1
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 && isHalf(text) {
		return rune(text[0]&0x0F)<<12 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), 3
	}
	return r, size
}

func isHalf(text string) bool {
	return len(text) >= 3 && text[0] == 0xED && text[1] >= 0xA0 && text[1] <= 0xBF && text[2]&0xC0 == 0x80
}

func appendHalf(to []byte, half rune) []byte {
	return append(to, 0xE0|byte(half>>12), 0x80|byte(half>>6&0x3F), 0x80|byte(half&0x3F))
}

// units is the length of text in UTF-16 units.
func units(text string) int {
	total := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			total++
			continue
		}
		r, size := decode(text[i:])
		if r > 0xFFFF {
			total++
		}
		total++
		i += size
	}
	return total
}

// points is the length of text in code points.
func points(text string) int {
	total := 0
	for i := 0; i < len(text); total++ {
		_, size := decode(text[i:])
		i += size
	}
	return total
}

// pointOffset is the byte offset of the code point after count others, or the
// end of the text.
func pointOffset(text string, count float64) int {
	at := 0
	for i := 0.0; i < count && at < len(text); i++ {
		_, size := decode(text[at:])
		at += size
	}
	return at
}

// unitAt gives the text of one UTF-16 unit, and false past the end.
func (s *state) unitAt(text string, index int) (string, bool) {
	if index < 0 {
		return "", false
	}
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		if index == 0 && r <= 0xFFFF {
			return text[i : i+size], true
		}
		if r > 0xFFFF {
			if index < 2 {
				return s.half(r, index), true
			}
			index--
		}
		index--
		i += size
	}
	return "", false
}

// half gives the first or second half of a pair as a text of its own.
func (s *state) half(r rune, which int) string {
	s.halves = true
	r -= 0x10000
	if which == 0 {
		return string(appendHalf(nil, 0xD800+(r>>10)))
	}
	return string(appendHalf(nil, 0xDC00+(r&0x3FF)))
}

// splitUnits cuts text into its UTF-16 units.
func (s *state) splitUnits(text string) []string {
	parts := make([]string, 0, len(text))
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		if r > 0xFFFF {
			parts = append(parts, s.half(r, 0), s.half(r, 1))
		} else {
			parts = append(parts, text[i:i+size])
		}
		i += size
	}
	return parts
}

// eachUnit gives the UTF-16 units of text as a list, of which there may be
// millions: those of ASCII share one value each.
func (s *state) eachUnit(text string) []any {
	list := make([]any, 0, units(text))
	ascii := asciiTexts()
	for i := 0; i < len(text); {
		s.step(1)
		if text[i] < utf8.RuneSelf {
			list = append(list, ascii[text[i]])
			i++
			continue
		}
		r, size := decode(text[i:])
		if r > 0xFFFF {
			list = append(list, s.half(r, 0), s.half(r, 1))
		} else {
			list = append(list, text[i:i+size])
		}
		i += size
	}
	return list
}

// asciiTexts are the texts of one ASCII character.
var asciiTexts = sync.OnceValue(func() *[utf8.RuneSelf]any {
	var texts [utf8.RuneSelf]any
	for i := range texts {
		texts[i] = string(rune(i))
	}
	return &texts
})

// joined brings together halves that have come to stand side by side.
func (s *state) joined(text string) string {
	if !s.halves || !strings.Contains(text, "\xED") {
		return text
	}
	return string(joinHalves(nil, text, false))
}

// joinHalves appends text with neighbouring halves made one character; lone
// ones stay or, for printing, become U+FFFD.
func joinHalves(to []byte, text string, replace bool) []byte {
	for i := 0; i < len(text); {
		if text[i] != 0xED || !isHalf(text[i:]) {
			to = append(to, text[i])
			i++
			continue
		}
		r, _ := decode(text[i:])
		if r < 0xDC00 && i+3 < len(text) && isHalf(text[i+3:]) {
			if low, _ := decode(text[i+3:]); low >= 0xDC00 {
				to = utf8.AppendRune(to, 0x10000+(r-0xD800)<<10+(low-0xDC00))
				i += 6
				continue
			}
		}
		if replace {
			to = append(to, "\uFFFD"...)
		} else {
			to = append(to, text[i:i+3]...)
		}
		i += 3
	}
	return to
}

// compareUnits orders texts by their UTF-16 units. That is the order of their
// bytes, but for characters past U+FFFF, whose halves sort before U+E000.
func compareUnits(a, b string) int {
	shorter := min(len(a), len(b))
	for i := range shorter {
		if a[i] == b[i] {
			continue
		}
		if a[i] >= 0xEE && b[i] >= 0xEE && (a[i] >= 0xF0) != (b[i] >= 0xF0) {
			return int(b[i]) - int(a[i])
		}
		return int(a[i]) - int(b[i])
	}
	return len(a) - len(b)
}

// isSpace tells what JavaScript's \s and trim take for white space.
func isSpace(r rune) bool {
	switch {
	case r == ' ' || (r >= '\t' && r <= '\r'):
		return true
	case r < 0xA0:
		return false
	case r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A, r == 0x2028, r == 0x2029,
		r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}

func trimStart(text string) string { return strings.TrimLeftFunc(text, isSpace) }
func trimEnd(text string) string   { return strings.TrimRightFunc(text, isSpace) }
func trimSpace(text string) string { return strings.TrimFunc(text, isSpace) }

// cleanUTF8 replaces what is no UTF-8 as JavaScript's decoder does: one U+FFFD
// for each longest start of a character.
func cleanUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	clean := make([]byte, 0, len(text)+8)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != utf8.RuneError || size > 1 {
			clean = append(clean, text[i:i+size]...)
			i += size
			continue
		}
		clean = append(clean, "\uFFFD"...)
		i += brokenStart(text[i:])
	}
	return string(clean)
}

// brokenStart is the length of the longest start of a UTF-8 sequence that text
// begins with, at least 1.
func brokenStart(text string) int {
	first, low, high, more := text[0], byte(0x80), byte(0xBF), 0
	switch {
	case first >= 0xC2 && first <= 0xDF:
		more = 1
	case first >= 0xE0 && first <= 0xEF:
		more = 2
		if first == 0xE0 {
			low = 0xA0
		} else if first == 0xED {
			high = 0x9F
		}
	case first >= 0xF0 && first <= 0xF4:
		more = 3
		if first == 0xF0 {
			low = 0x90
		} else if first == 0xF4 {
			high = 0x8F
		}
	}
	size := 1
	for size <= more && size < len(text) && text[size] >= low && text[size] <= high {
		size++
		low, high = 0x80, 0xBF
	}
	return size
}
