package lint

// This file takes the source text at a problem out of a document, so that a
// report can show it after the document itself is gone from memory.

import (
	"unicode/utf8"

	"github.com/beonauto/auto/engine/problem"
)

// excerptBefore is how many characters of a line are kept before a problem,
// and excerptLength how many in all.
const (
	excerptBefore = 40
	excerptLength = 100
)

// An Excerpt is a line of the source, or the part of a long line that is
// around a problem. It may hold any characters, those that steer a terminal
// too.
type Excerpt struct {
	Text     string
	Column   int  // which character of Text the problem is at, from 1; 0 when only the line is known
	CutLeft  bool // the line goes on to the left
	CutRight bool // the line goes on to the right
}

// excerpts gives an excerpt for each of the problems, which rise by line and
// column. One for a line the source does not have, or that counts further
// problems, is empty.
func excerpts(source []byte, problems []problem.Problem) []Excerpt {
	list := make([]Excerpt, len(problems))
	at := newCursor(trimBOM(source))
	for i, p := range problems {
		if p.Rule != problem.TooMany && at.seekLine(p.Line) {
			list[i] = at.excerpt(p.Column)
		}
	}
	return list
}

// A cursor goes through a source once, line by line and forward in each line,
// however many problems there are.
type cursor struct {
	text   []byte // the line it is in, without its end
	rest   []byte // what follows that line
	line   int    // the number of the line, from 1
	passed int    // how many characters of the line it has passed
	offset int    // how many bytes those are
}

func newCursor(source []byte) *cursor {
	c := &cursor{line: 1}
	c.text, c.rest = cutLine(source)
	return c
}

// seekLine goes to a line, and tells whether the source has it.
func (c *cursor) seekLine(line int) bool {
	for c.line < line && len(c.rest) > 0 {
		c.text, c.rest = cutLine(c.rest)
		c.line++
		c.passed, c.offset = 0, 0
	}
	return c.line == line
}

// excerpt cuts the line to what is around a column, which counts characters
// from 1.
func (c *cursor) excerpt(column int) Excerpt {
	first := max(column-excerptBefore, 1) // the first character that is kept
	if len(c.text) <= utf8.UTFMax*excerptLength && utf8.RuneCount(c.text) <= excerptLength {
		first = 1
	}
	if first-1 < c.passed {
		c.passed, c.offset = 0, 0
	}
	c.offset = skip(c.text, c.offset, first-1-c.passed)
	c.passed = first - 1
	end := skip(c.text, c.offset, excerptLength)
	e := Excerpt{
		Text:     string(c.text[c.offset:end]),
		CutLeft:  c.offset > 0,
		CutRight: end < len(c.text),
	}
	// A column may stand just behind the last character, and no further.
	if column > 0 && column-first <= utf8.RuneCountInString(e.Text) {
		e.Column = column - first + 1
	}
	return e
}

func trimBOM(source []byte) []byte {
	if len(source) >= 3 && source[0] == 0xEF && source[1] == 0xBB && source[2] == 0xBF {
		return source[3:]
	}
	return source
}

// cutLine splits the first line off, at \n, \r\n or a lone \r.
func cutLine(source []byte) (line, rest []byte) {
	for i, b := range source {
		switch {
		case b == '\n':
			return source[:i], source[i+1:]
		case b == '\r' && i+1 < len(source) && source[i+1] == '\n':
			return source[:i], source[i+2:]
		case b == '\r':
			return source[:i], source[i+1:]
		}
	}
	return source, nil
}

// skip gives the offset that lies so many characters behind another.
func skip(line []byte, offset, characters int) int {
	for ; characters > 0 && offset < len(line); characters-- {
		_, size := utf8.DecodeRune(line[offset:])
		offset += size
	}
	return offset
}
