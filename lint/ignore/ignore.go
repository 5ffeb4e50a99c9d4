// Package ignore reads .gitignore files and tells what they leave out, by the
// rules of gitignore(5).
//
// It never touches the file system: whoever walks a folder hands it the text
// of each file and asks about each entry, parents before their children.
package ignore

import "strings"

// Decision is what the patterns of one file say about a path.
type Decision int

// The decisions: no pattern matches, the last that matches leaves the path
// out, or the last that matches takes it back in.
const (
	Undecided Decision = iota
	Ignored
	Kept
)

// Rules are the patterns of one .gitignore file. They are immutable.
type Rules struct {
	patterns []pattern
}

// pattern is one line of a .gitignore file.
type pattern struct {
	segments []string // the parts between slashes; the segment ** stands for any number of folders
	keep     bool     // the line starts with !
	folder   bool     // the line ends with a slash: it matches folders only
}

// longestPattern is the most bytes of a pattern that is read: twice the longest
// path there is, for a backslash before each byte. A longer one matches nothing.
const longestPattern = 8 << 10

// Parse reads the text of a .gitignore file. Every text is one: a line that
// git cannot use matches nothing.
func Parse(text string) *Rules {
	rules := &Rules{}
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		if p, ok := parseLine(strings.TrimSuffix(line, "\r")); ok {
			rules.patterns = append(rules.patterns, p)
		}
	}
	return rules
}

func parseLine(line string) (pattern, bool) {
	if strings.HasPrefix(line, "#") || len(line) > longestPattern {
		return pattern{}, false
	}
	line = trimSpaces(line)
	var p pattern
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		p.keep, line = true, rest
	}
	if rest, ok := strings.CutSuffix(line, "/"); ok {
		p.folder, line = true, rest
	}
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return pattern{}, false
	}
	p.segments = strings.Split(line, "/")
	if !anchored {
		p.segments = []string{"**", line}
	}
	return p, true
}

// trimSpaces drops the spaces at a line's end, except one that a backslash
// stands before.
func trimSpaces(line string) string {
	trimmed := strings.TrimRight(line, " ")
	backslashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if backslashes%2 == 1 && len(trimmed) < len(line) {
		return trimmed + " "
	}
	return trimmed
}

// Decide tells what the rules say about a path, given relative to the folder
// that holds their file, as its names from the outermost on.
func (r *Rules) Decide(path []string, folder bool) Decision {
	for i := len(r.patterns) - 1; i >= 0; i-- {
		p := &r.patterns[i]
		if p.folder && !folder || !p.matches(path) {
			continue
		}
		if p.keep {
			return Kept
		}
		return Ignored
	}
	return Undecided
}

// matches tells whether a pattern matches a path.
func (p *pattern) matches(path []string) bool {
	if len(p.segments) == 2 && p.segments[0] == "**" && p.segments[1] != "**" {
		return len(path) > 0 && matchName(p.segments[1], path[len(path)-1])
	}
	return matchPath(p.segments, path)
}

// matchPath matches a pattern's segments against a path's names. It keeps one
// place to go back to, so its work is bounded by the product of the lengths.
func matchPath(segments, path []string) bool {
	at, back, backPath := 0, -1, 0
	for i := 0; ; {
		switch {
		case at < len(segments) && segments[at] == "**":
			if at == len(segments)-1 {
				// At the end ** is everything inside a folder, not the folder.
				return i < len(path)
			}
			back, backPath = at, i
			at++
			continue
		case i == len(path):
			return at == len(segments)
		case at < len(segments) && matchName(segments[at], path[i]):
			at++
			i++
			continue
		}
		if back < 0 {
			return false
		}
		backPath++
		at, i = back+1, backPath
	}
}
