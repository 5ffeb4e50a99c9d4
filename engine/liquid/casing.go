package liquid

// This file changes the case of text as JavaScript does, which knows letters
// that become several and a sigma that looks different at the end of a word.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// upper is JavaScript's toUpperCase.
func upper(text string) string {
	if isASCII(text) {
		return strings.ToUpper(text)
	}
	changed := make([]byte, 0, len(text)+8)
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		at, special := slices.BinarySearchFunc(wideUppers, r, func(w wideUpper, r rune) int { return int(w.from - r) })
		switch {
		case r < utf8.RuneSelf:
			changed = append(changed, byte(unicode.ToUpper(r)))
		case special:
			changed = append(changed, wideUppers[at].to...)
		case r == utf8.RuneError || (r >= 0xD800 && r <= 0xDFFF):
			changed = append(changed, text[i:i+size]...)
		default:
			changed = utf8.AppendRune(changed, unicode.ToUpper(r))
		}
		i += size
	}
	return string(changed)
}

// lower is JavaScript's toLowerCase.
func lower(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	changed := make([]byte, 0, len(text)+8)
	for i := 0; i < len(text); {
		r, size := decode(text[i:])
		switch {
		case r < utf8.RuneSelf:
			changed = append(changed, byte(unicode.ToLower(r)))
		case r == 'Σ':
			if endsWord(text, i, i+size) {
				changed = append(changed, "ς"...)
			} else {
				changed = append(changed, "σ"...)
			}
		case r == 'İ':
			changed = append(changed, "i̇"...)
		case r == utf8.RuneError || (r >= 0xD800 && r <= 0xDFFF):
			changed = append(changed, text[i:i+size]...)
		default:
			changed = utf8.AppendRune(changed, unicode.ToLower(r))
		}
		i += size
	}
	return string(changed)
}

// endsWord tells whether the letter between two offsets has a letter before it
// and none after it, signs that belong to letters aside.
func endsWord(text string, from, to int) bool {
	before := false
	for i := from; i > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !caseIgnorable(r) {
			before = cased(r)
			break
		}
		i -= size
	}
	if !before {
		return false
	}
	for _, r := range text[to:] {
		if !caseIgnorable(r) {
			return !cased(r)
		}
	}
	return true
}

func cased(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r)
}

func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '·', '’', '^', '`', '¨', '\u00AD':
		return true
	}
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// wideUpper is a letter whose upper case is more than one letter.
type wideUpper struct {
	from rune
	to   string
}

var wideUppers = []wideUpper{
	{0x00DF, "\u0053\u0053"},
	{0x0149, "\u02bc\u004e"},
	{0x01F0, "\u004a\u030c"},
	{0x0390, "\u0399\u0308\u0301"},
	{0x03B0, "\u03a5\u0308\u0301"},
	{0x0587, "\u0535\u0552"},
	{0x1E96, "\u0048\u0331"},
	{0x1E97, "\u0054\u0308"},
	{0x1E98, "\u0057\u030a"},
	{0x1E99, "\u0059\u030a"},
	{0x1E9A, "\u0041\u02be"},
	{0x1F50, "\u03a5\u0313"},
	{0x1F52, "\u03a5\u0313\u0300"},
	{0x1F54, "\u03a5\u0313\u0301"},
	{0x1F56, "\u03a5\u0313\u0342"},
	{0x1F80, "\u1f08\u0399"},
	{0x1F81, "\u1f09\u0399"},
	{0x1F82, "\u1f0a\u0399"},
	{0x1F83, "\u1f0b\u0399"},
	{0x1F84, "\u1f0c\u0399"},
	{0x1F85, "\u1f0d\u0399"},
	{0x1F86, "\u1f0e\u0399"},
	{0x1F87, "\u1f0f\u0399"},
	{0x1F88, "\u1f08\u0399"},
	{0x1F89, "\u1f09\u0399"},
	{0x1F8A, "\u1f0a\u0399"},
	{0x1F8B, "\u1f0b\u0399"},
	{0x1F8C, "\u1f0c\u0399"},
	{0x1F8D, "\u1f0d\u0399"},
	{0x1F8E, "\u1f0e\u0399"},
	{0x1F8F, "\u1f0f\u0399"},
	{0x1F90, "\u1f28\u0399"},
	{0x1F91, "\u1f29\u0399"},
	{0x1F92, "\u1f2a\u0399"},
	{0x1F93, "\u1f2b\u0399"},
	{0x1F94, "\u1f2c\u0399"},
	{0x1F95, "\u1f2d\u0399"},
	{0x1F96, "\u1f2e\u0399"},
	{0x1F97, "\u1f2f\u0399"},
	{0x1F98, "\u1f28\u0399"},
	{0x1F99, "\u1f29\u0399"},
	{0x1F9A, "\u1f2a\u0399"},
	{0x1F9B, "\u1f2b\u0399"},
	{0x1F9C, "\u1f2c\u0399"},
	{0x1F9D, "\u1f2d\u0399"},
	{0x1F9E, "\u1f2e\u0399"},
	{0x1F9F, "\u1f2f\u0399"},
	{0x1FA0, "\u1f68\u0399"},
	{0x1FA1, "\u1f69\u0399"},
	{0x1FA2, "\u1f6a\u0399"},
	{0x1FA3, "\u1f6b\u0399"},
	{0x1FA4, "\u1f6c\u0399"},
	{0x1FA5, "\u1f6d\u0399"},
	{0x1FA6, "\u1f6e\u0399"},
	{0x1FA7, "\u1f6f\u0399"},
	{0x1FA8, "\u1f68\u0399"},
	{0x1FA9, "\u1f69\u0399"},
	{0x1FAA, "\u1f6a\u0399"},
	{0x1FAB, "\u1f6b\u0399"},
	{0x1FAC, "\u1f6c\u0399"},
	{0x1FAD, "\u1f6d\u0399"},
	{0x1FAE, "\u1f6e\u0399"},
	{0x1FAF, "\u1f6f\u0399"},
	{0x1FB2, "\u1fba\u0399"},
	{0x1FB3, "\u0391\u0399"},
	{0x1FB4, "\u0386\u0399"},
	{0x1FB6, "\u0391\u0342"},
	{0x1FB7, "\u0391\u0342\u0399"},
	{0x1FBC, "\u0391\u0399"},
	{0x1FC2, "\u1fca\u0399"},
	{0x1FC3, "\u0397\u0399"},
	{0x1FC4, "\u0389\u0399"},
	{0x1FC6, "\u0397\u0342"},
	{0x1FC7, "\u0397\u0342\u0399"},
	{0x1FCC, "\u0397\u0399"},
	{0x1FD2, "\u0399\u0308\u0300"},
	{0x1FD3, "\u0399\u0308\u0301"},
	{0x1FD6, "\u0399\u0342"},
	{0x1FD7, "\u0399\u0308\u0342"},
	{0x1FE2, "\u03a5\u0308\u0300"},
	{0x1FE3, "\u03a5\u0308\u0301"},
	{0x1FE4, "\u03a1\u0313"},
	{0x1FE6, "\u03a5\u0342"},
	{0x1FE7, "\u03a5\u0308\u0342"},
	{0x1FF2, "\u1ffa\u0399"},
	{0x1FF3, "\u03a9\u0399"},
	{0x1FF4, "\u038f\u0399"},
	{0x1FF6, "\u03a9\u0342"},
	{0x1FF7, "\u03a9\u0342\u0399"},
	{0x1FFC, "\u03a9\u0399"},
	{0xFB00, "\u0046\u0046"},
	{0xFB01, "\u0046\u0049"},
	{0xFB02, "\u0046\u004c"},
	{0xFB03, "\u0046\u0046\u0049"},
	{0xFB04, "\u0046\u0046\u004c"},
	{0xFB05, "\u0053\u0054"},
	{0xFB06, "\u0053\u0054"},
	{0xFB13, "\u0544\u0546"},
	{0xFB14, "\u0544\u0535"},
	{0xFB15, "\u0544\u053b"},
	{0xFB16, "\u054e\u0546"},
	{0xFB17, "\u0544\u053d"},
}
