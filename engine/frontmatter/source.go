package frontmatter

// This file holds the text of the front matter as lines, for whoever must look
// at how something was written.

import (
	"strings"
	"unicode/utf8"
)

// source is the front matter's text with an index of its lines. Lines and
// columns in it count from 1, columns in Unicode code points.
type source struct {
	text   string
	starts []int // the offset of each line
	shift  int   // what its line numbers lie below those of the file
}

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

// offset gives where a position is in the text, at most the text's end.
func (s *source) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(s.starts) {
		return len(s.text)
	}
	at := s.starts[line-1]
	for ; column > 1 && at < len(s.text); column-- {
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
