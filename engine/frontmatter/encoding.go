package frontmatter

// This file reads bytes as text: the byte-order mark, line ends, and the
// characters that no document may hold.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/problem"
)

var byteOrderMark = []byte("\ufeff")

// replacement stands for what no document may hold.
const replacement = string(utf8.RuneError)

// normalize gives a source as text without its byte-order mark and with \n as
// its only line end. What no document may hold is reported with its place, once
// a line, and replaced, so that the rest can be read.
func normalize(bytesOf []byte, found *findings) string {
	if utf8Of, is := fromUTF16(bytesOf); is {
		found.add(1, 1, "", problem.Encoding, "Expected text in UTF-8; this file is UTF-16")
		bytesOf = utf8Of
	}
	bytesOf = bytes.TrimPrefix(bytesOf, byteOrderMark)
	if len(bytesOf) > MaxDocument {
		found.add(1, 1, "", problem.TooLarge, "Expected a file of at most 8 MiB")
		bytesOf = wholeCharacters(bytesOf[:MaxDocument])
	}
	if clean(bytesOf) {
		return string(bytesOf)
	}
	var text strings.Builder
	text.Grow(normalizedBytes(bytesOf))
	line, start := 1, 0 // start is where the line starts in text
	seen := seenOnLine{}
	for i := 0; i < len(bytesOf); {
		r, size := rune(bytesOf[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(bytesOf[i:])
		}
		switch {
		case r == '\n' || r == '\r':
			if r == '\r' && i+1 < len(bytesOf) && bytesOf[i+1] == '\n' {
				size = 2
			}
			text.WriteByte('\n')
			line, start = line+1, text.Len()
		case r == utf8.RuneError && size == 1:
			if !found.full() && seen.first(line, r) {
				found.add(line, 1+utf8.RuneCountInString(text.String()[start:]), "", problem.Encoding, "Expected text in UTF-8")
			}
			text.WriteString(replacement)
		case refused(r):
			if !found.full() && seen.first(line, r) {
				found.add(line, 1+utf8.RuneCountInString(text.String()[start:]), "", problem.Encoding,
					fmt.Sprintf("Expected text without control characters such as U+%04X", r))
			}
			text.WriteString(replacement)
		default:
			text.Write(bytesOf[i : i+size])
		}
		i += size
	}
	return text.String()
}

// fromUTF16 gives what a source says that is UTF-16, so that it has one problem and
// not one a line: one with UTF-16's byte-order mark, or that starts with characters
// of which every other byte is NUL.
func fromUTF16(source []byte) ([]byte, bool) {
	var order binary.ByteOrder
	switch {
	case len(source) < 4 || len(source) > 2*MaxDocument:
		return nil, false
	case source[0] == 0xff && source[1] == 0xfe, source[0] != 0 && source[1] == 0 && source[2] != 0 && source[3] == 0:
		order = binary.LittleEndian
	case source[0] == 0xfe && source[1] == 0xff, source[0] == 0 && source[1] != 0 && source[2] == 0 && source[3] != 0:
		order = binary.BigEndian
	default:
		return nil, false
	}
	units := make([]uint16, len(source)/2)
	for i := range units {
		units[i] = order.Uint16(source[2*i:])
	}
	return []byte(string(utf16.Decode(units))), true
}

// normalizedBytes is how many bytes a source takes at most once it is
// normalized: what is refused grows to its replacement.
func normalizedBytes(source []byte) int {
	size := len(source)
	for i := 0; i < len(source); {
		if b := source[i]; b < utf8.RuneSelf {
			if refused(rune(b)) {
				size += len(replacement) - 1
			}
			i++
			continue
		}
		r, width := utf8.DecodeRune(source[i:])
		if r == utf8.RuneError && width == 1 || refused(r) {
			size += len(replacement) - width
		}
		i += width
	}
	return size
}

// seenOnLine remembers which characters were reported on a line.
type seenOnLine struct {
	line  int
	runes []rune
}

func (s *seenOnLine) first(line int, r rune) bool {
	if s.line != line {
		s.line, s.runes = line, s.runes[:0]
	}
	for _, before := range s.runes {
		if before == r {
			return false
		}
	}
	s.runes = append(s.runes, r)
	return true
}

// wholeCharacters drops a character that was cut at the end.
func wholeCharacters(text []byte) []byte {
	for back := 1; back <= utf8.UTFMax && back <= len(text); back++ {
		if last := text[len(text)-back:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return text[:len(text)-back]
			}
			break
		}
	}
	return text
}

// clean tells whether a source is UTF-8 without carriage returns and refused
// characters, so that it is text as it stands.
func clean(text []byte) bool {
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf {
			if b < ' ' && b != '\t' && b != '\n' || b == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 || refused(r) {
			return false
		}
		i += size
	}
	return true
}

// refused tells whether r is a control character other than a tab or a line
// end, or no character at all. U+0085, a line end elsewhere, is an ordinary
// character here.
func refused(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t' && r != '\n' && r != '\r'
	case r >= 0x7f && r < 0xa0:
		return r != 0x85
	}
	return r == 0xfffe || r == 0xffff
}
