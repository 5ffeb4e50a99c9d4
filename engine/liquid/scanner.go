package liquid

// This file reads the words inside tags and outputs.

import (
	"strings"
	"unicode/utf8"
)

// scanner reads the markup between two delimiters. Places are byte offsets
// into the whole template.
type scanner struct {
	source string
	at     int // the next byte to read
	end    int // where the markup ends
}

// Classes of ASCII characters in markup.
const (
	classWord  = 1 << iota // may stand in a name
	classBlank             // separates
	classDigit
	classSign
	classQuote
)

// class of an ASCII character; other characters are asked for by wide.
func class(b byte) uint8 {
	switch {
	case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b == '?':
		return classWord
	case b >= '0' && b <= '9':
		return classWord | classDigit
	case b == '-':
		return classWord | classSign
	case b == '+':
		return classSign
	case b == ' ', b >= '\t' && b <= '\r':
		return classBlank
	case b == '"', b == '\'':
		return classQuote
	}
	return 0
}

// wide tells the class of a character past ASCII: blank, a word's, or neither,
// as the curly double quotes are.
func wide(r rune) uint8 {
	switch {
	case r == 0xA0, r == 0x1680, r == 0x180E, r >= 0x2000 && r <= 0x200A, r == 0x2028, r == 0x2029,
		r == 0x202F, r == 0x205F, r == 0x3000:
		return classBlank
	case r == '“', r == '”':
		return 0
	}
	return classWord
}

// classAt gives the class of the character at a place, and its size in bytes;
// nothing for the end of the markup.
func (sc *scanner) classAt(at int) (uint8, int) {
	if at >= sc.end {
		return 0, 0
	}
	b := sc.source[at]
	if b < utf8.RuneSelf {
		return class(b), 1
	}
	r, size := utf8.DecodeRuneInString(sc.source[at:sc.end])
	return wide(r), size
}

// peek gives the next byte, 0 at the end.
func (sc *scanner) peek() byte { return sc.peekAt(0) }

func (sc *scanner) peekAt(ahead int) byte {
	if sc.at+ahead >= sc.end {
		return 0
	}
	return sc.source[sc.at+ahead]
}

func (sc *scanner) atEnd() bool { return sc.at >= sc.end }

func (sc *scanner) skipBlank() {
	for sc.at < sc.end {
		b := sc.source[sc.at]
		if b == ' ' || (b >= '\t' && b <= '\r') {
			sc.at++
			continue
		}
		if b < utf8.RuneSelf {
			return
		}
		c, size := sc.classAt(sc.at)
		if c&classBlank == 0 {
			return
		}
		sc.at += size
	}
}

// identifier reads a name after any blanks; the empty string when there is none.
func (sc *scanner) identifier() string {
	sc.skipBlank()
	start := sc.at
	for sc.at < sc.end {
		c, size := sc.classAt(sc.at)
		if c&classWord == 0 {
			break
		}
		sc.at += size
	}
	return sc.source[start:sc.at]
}

// keyword reads one of the words of the language, which must not run on into a
// longer name.
func (sc *scanner) keyword(text string) bool {
	if !strings.HasPrefix(sc.source[sc.at:sc.end], text) {
		return false
	}
	if c, _ := sc.classAt(sc.at + len(text)); c&classWord != 0 {
		return false
	}
	sc.at += len(text)
	return true
}

// operator reads an operator after any blanks.
func (sc *scanner) operator() operator {
	sc.skipBlank()
	if sc.at >= sc.end {
		return opNone
	}
	switch sc.source[sc.at] {
	case '=', '!', '<', '>', 'a', 'o', 'c', 'n':
	default:
		return opNone
	}
	rest := sc.source[sc.at:sc.end]
	for _, candidate := range operatorTexts {
		if !strings.HasPrefix(rest, candidate.text) {
			continue
		}
		if candidate.word && !sc.keyword(candidate.text) {
			return opNone
		} else if !candidate.word {
			sc.at += len(candidate.text)
		}
		return candidate.op
	}
	return opNone
}

// number gives the end of a number that starts here, and false when there is
// none. A point belongs to it unless another follows, as in a range.
func (sc *scanner) number() (int, bool) {
	at := sc.at
	if c, _ := sc.classAt(at); c&classSign != 0 {
		at++
	}
	digits, point := false, false
	for at < sc.end {
		b := sc.source[at]
		if b >= '0' && b <= '9' {
			digits = true
		} else if b == '.' && !(at+1 < sc.end && sc.source[at+1] == '.') {
			if point || !digits {
				return 0, false
			}
			point = true
		} else {
			break
		}
		at++
	}
	if !digits {
		return 0, false
	}
	if c, _ := sc.classAt(at); c&classWord != 0 {
		return 0, false
	}
	return at, true
}

// quoted skips a text in quotes and gives its end. One that is never closed
// ends with the markup.
func (sc *scanner) quoted() int {
	quote := sc.source[sc.at]
	at := sc.at + 1
	for at < sc.end {
		switch sc.source[at] {
		case quote:
			return at + 1
		case '\\':
			at++
		}
		at++
	}
	return sc.end
}

// skipTo goes past the next text after at least one more character, and tells
// whether it was there. Otherwise it goes to the end.
func (sc *scanner) skipTo(text string) bool {
	// The text may begin before the place: only its last character must be new.
	from := max(sc.at+1-len(text), 0)
	if from < sc.end {
		if found := strings.Index(sc.source[from:sc.end], text); found >= 0 && sc.at < sc.end {
			sc.at = from + found + len(text)
			return true
		}
	}
	sc.at = max(sc.at, sc.end)
	return false
}

// unquote gives the text a quoted literal stands for. The quotes are its first
// and last characters, whatever they are.
func unquote(literal string) string {
	_, first := utf8.DecodeRuneInString(literal)
	_, last := utf8.DecodeLastRuneInString(literal)
	if len(literal) < first+last {
		return ""
	}
	inner := literal[first : len(literal)-last]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return unescape(inner, literal[len(literal)-last:])
}

// unescape reads JavaScript's escapes. The closing quote is what an escape at
// the very end would read.
func unescape(inner, closing string) string {
	text := make([]byte, 0, len(inner))
	source := inner + closing
	for i := 0; i < len(inner); {
		if source[i] != '\\' {
			text = append(text, source[i])
			i++
			continue
		}
		i++
		switch b := source[i]; {
		case strings.IndexByte("bfnrtv", b) >= 0:
			text = append(text, "\b\f\n\r\t\v"[strings.IndexByte("bfnrtv", b)])
			i++
		case b == 'u':
			i++
			unit := rune(0)
			for digits := 0; digits < 4 && i < len(source) && isHex(source[i]); digits++ {
				unit = unit*16 + hexValue(source[i])
				i++
			}
			text = appendUnit(text, unit)
		case b >= '0' && b <= '7':
			unit := rune(0)
			for digits := 0; digits < 3 && i < len(source) && source[i] >= '0' && source[i] <= '7'; digits++ {
				unit = unit*8 + rune(source[i]-'0')
				i++
			}
			text = appendUnit(text, unit)
		default:
			_, size := utf8.DecodeRuneInString(source[i:])
			text = append(text, source[i:i+size]...)
			i += size
		}
	}
	return string(joinHalves(nil, string(text), false))
}

func appendUnit(to []byte, unit rune) []byte {
	if unit >= 0xD800 && unit <= 0xDFFF {
		return appendHalf(to, unit)
	}
	return utf8.AppendRune(to, unit)
}

func isHex(b byte) bool {
	return (b >= '0' && b <= '9') || (b|0x20 >= 'a' && b|0x20 <= 'f')
}

func hexValue(b byte) rune {
	if b <= '9' {
		return rune(b - '0')
	}
	return rune(b|0x20) - 'a' + 10
}
