package frontmatter

// This file holds the text of the front matter as lines, for whoever must look
// at how something was written.

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// source is the front matter's text with an index of its lines. Lines and
// columns in it count from 1, columns in Unicode code points.
type source struct {
	text   string
	starts []int // the offset of each line
	shift  int   // what its line numbers lie below those of the file

	last atomic.Pointer[reached] // where offset was asked last; it only saves time
}

// reached is a position with its offset.
type reached struct{ line, column, at int }

// manyColumns is from how many columns on a position is worth remembering.
const manyColumns = 256

func newSource(text string, firstLine int) *source {
	starts := make([]int, 1, 1+strings.Count(text, "\n"))
	for at := 0; ; {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
		starts = append(starts, at)
	}
	return &source{text: text, starts: starts, shift: firstLine - 1}
}

// line gives a line without its end, empty when there is none.
func (s *source) line(number int) string {
	if number < 1 || number > len(s.starts) {
		return ""
	}
	rest := s.text[s.starts[number-1]:]
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		return rest[:end]
	}
	return rest
}

// offset gives where a position is in the text, at most the text's end. Asked
// for the positions of a long line in their order, it walks over it once.
func (s *source) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(s.starts) {
		return len(s.text)
	}
	at, passed := s.starts[line-1], 1
	if last := s.last.Load(); last != nil && last.line == line && last.column <= column {
		at, passed = last.at, last.column
	}
	if column-passed >= manyColumns {
		defer func() { s.last.Store(&reached{line, column, at}) }()
	}
	for left := column - passed; left > 0 && at < len(s.text); left-- {
		if s.text[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, size := utf8.DecodeRuneInString(s.text[at:])
		at += size
	}
	return at
}

// indentation counts the spaces a line starts with.
func indentation(line string) int {
	return len(line) - len(strings.TrimLeft(line, " "))
}

// blank tells whether a line holds nothing, or only a comment.
func blank(line string) bool {
	rest := strings.TrimLeft(line, " \t")
	return rest == "" || rest[0] == '#'
}
