package frontmatter

// This file reads bytes as text: the byte-order mark, line ends, and the
// characters that no document may hold.

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/problem"
)

var byteOrderMark = []byte("\ufeff")

// normalize gives a source as text without its byte-order mark and with \n as
// its only line end. What no document may hold is reported with its place and
// replaced, so that the rest can be read.
func normalize(source []byte, found *findings) string {
	source = bytes.TrimPrefix(source, byteOrderMark)
	if len(source) > MaxDocument {
		found.add(1, 1, "", problem.TooLarge, fmt.Sprintf("Expected a file of at most %d bytes", MaxDocument))
		source = source[:MaxDocument]
		for len(source) > 0 && !utf8.RuneStart(source[len(source)-1]) {
			source = source[:len(source)-1]
		}
		if len(source) > 0 && source[len(source)-1] >= utf8.RuneSelf {
			source = source[:len(source)-1]
		}
	}
	if clean(source) {
		return string(source)
	}
	var text bytes.Buffer
	text.Grow(len(source))
	line, column := 1, 1
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRune(source[i:])
		switch {
		case r == '\r':
			if i+1 < len(source) && source[i+1] == '\n' {
				size = 2
			}
			r = '\n'
		case r == utf8.RuneError && size == 1:
			found.add(line, column, "", problem.Encoding, "Expected UTF-8 text")
		case refusedCharacter(r):
			found.add(line, column, "", problem.Encoding, fmt.Sprintf("Expected text without the control character U+%04X", r))
			r = utf8.RuneError
		}
		text.WriteRune(r)
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
		i += size
	}
	return text.String()
}

// clean tells whether a source is UTF-8 without carriage returns and control
// characters, so that it is text as it stands.
func clean(source []byte) bool {
	for i := 0; i < len(source); {
		b := source[i]
		if b < utf8.RuneSelf {
			if b < ' ' && b != '\t' && b != '\n' || b == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(source[i:])
		if r == utf8.RuneError && size == 1 || refusedCharacter(r) {
			return false
		}
		i += size
	}
	return true
}

// refusedCharacter tells whether r is a control character other than a tab or
// a line end. U+0085, a line end elsewhere, is an ordinary character here.
func refusedCharacter(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t' && r != '\n' && r != '\r'
	case r >= 0x7f && r < 0xa0:
		return r != 0x85
	}
	return r == 0xfffe || r == 0xffff
}
