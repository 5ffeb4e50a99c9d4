package frontmatter

// This file finds the front matter and the body in a document.

import (
	"strings"

	"github.com/beonauto/auto/engine/problem"
)

// halves is a document split at its two lines of ---.
type halves struct {
	hasFront  bool
	front     string // what stands between the two lines
	frontLine int    // the line front starts on
	body      string
	bodyLine  int
}

const (
	noFrontMessage  = "Expected front matter: --- on the first line, keys such as description, then another line of ---"
	firstMessage    = "Expected --- on the first line, without empty lines or spaces before it"
	unclosedMessage = "Expected a line of --- after the keys, which ends the front matter"
	closingMessage  = "Expected --- alone on this line, which ends the front matter"
)

// split takes a text apart. A text whose front matter does not end is all body
// but for the line that opened it; one without front matter is all body.
func split(text string, found *findings) halves {
	opening, offset := 1, 0
	first, rest, more := strings.Cut(text, "\n")
	for !isMarker(first) {
		// An empty line or a space before the --- is a slip; anything else means
		// that there is no front matter.
		trimmed := strings.TrimSpace(first)
		if isMarker(trimmed) {
			found.add(opening, 1, "", problem.FrontMatter, firstMessage)
			break
		}
		if trimmed != "" || rest == "" {
			found.add(1, 1, "", problem.FrontMatter, noFrontMessage)
			return halves{body: text, bodyLine: 1}
		}
		offset = len(text) - len(rest)
		opening++
		first, rest, more = strings.Cut(text[offset:], "\n")
		if isMarker(first) {
			found.add(1, 1, "", problem.FrontMatter, firstMessage)
		}
	}
	if !more {
		found.add(opening, 1, "", problem.FrontMatter, unclosedMessage)
		return halves{bodyLine: opening}
	}
	return splitAtEnd(rest, opening, found)
}

// splitAtEnd takes apart what follows the line that opens the front matter.
func splitAtEnd(rest string, opening int, found *findings) halves {
	line := opening + 1
	near, nearLine := -1, 0
	for at := 0; ; line++ {
		current, _, more := strings.Cut(rest[at:], "\n")
		if isMarker(current) {
			return halvesAt(rest, at, opening, line)
		}
		if near < 0 && isNearMarker(current) {
			near, nearLine = at, line
		}
		if !more {
			break
		}
		at += len(current) + 1
	}
	if near >= 0 {
		found.add(nearLine, 1, "", problem.FrontMatter, closingMessage)
		return halvesAt(rest, near, opening, nearLine)
	}
	found.add(opening, 1, "", problem.FrontMatter, unclosedMessage)
	return halves{body: rest, bodyLine: opening + 1}
}

func halvesAt(rest string, at, opening, line int) halves {
	_, body, more := strings.Cut(rest[at:], "\n")
	if more {
		line++
	}
	return halves{hasFront: true, front: rest[:at], frontLine: opening + 1, body: body, bodyLine: line}
}

// isMarker tells whether a line is the --- that opens and closes front matter.
func isMarker(line string) bool {
	return strings.HasPrefix(line, "---") && strings.Trim(line[3:], " \t") == ""
}

// isNearMarker tells whether a line was probably meant to close front matter:
// the wrong number of hyphens, another kind of dash, or the end of YAML.
func isNearMarker(line string) bool {
	line = strings.TrimSpace(line)
	if line == "..." {
		return true
	}
	count := 0
	for _, r := range line {
		switch r {
		case '-', '–', '—', '−':
			count++
		default:
			return false
		}
	}
	return count >= 2 || line == "—"
}
