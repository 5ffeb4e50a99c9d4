package frontmatter

// This file finds the front matter and the body in a document.

import (
	"strings"

	"github.com/beonauto/auto/engine/problem"
)

// parts is a document split at its two lines of ---.
type parts struct {
	hasFront  bool
	front     string // what stands between the two lines
	frontLine int    // the line front starts on
	body      string
	bodyLine  int
}

const noFrontMatter = "Expected front matter: a line of --- at the start of the file, the fields, and another line of ---"

func split(text string, found *findings) parts {
	first, rest, _ := strings.Cut(text, "\n")
	if !isMarker(first) {
		found.add(1, 1, "", problem.FrontMatter, noFrontMatter)
		return parts{body: text, bodyLine: 1}
	}
	line := 2
	for at := 0; ; line++ {
		end := strings.IndexByte(rest[at:], '\n')
		current := rest[at:]
		if end >= 0 {
			current = rest[at : at+end]
		}
		if isMarker(current) {
			p := parts{hasFront: true, front: rest[:at], frontLine: 2, bodyLine: line + 1}
			if end >= 0 {
				p.body = rest[at+end+1:]
			}
			return p
		}
		if end < 0 {
			break
		}
		at += end + 1
	}
	found.add(1, 1, "", problem.FrontMatter, "Expected a line of --- after the fields, which closes the front matter")
	return parts{body: rest, bodyLine: 2}
}

// isMarker tells whether a line is the --- that opens and closes front matter.
func isMarker(line string) bool {
	return strings.HasPrefix(line, "---") && strings.Trim(line[3:], " \t") == ""
}
