package ignore

// This file matches one name against one segment of a pattern.

import "strings"

// matchName matches a glob without slashes against a name: *, ?, [classes]
// and backslash escapes, byte by byte as git does. Like matchPath it goes back
// to the last star only.
func matchName(glob, name string) bool {
	back, backName := -1, 0
	at, i := 0, 0
	for i < len(name) {
		if at < len(glob) && glob[at] == '*' {
			back, backName = at, i
			at++
			continue
		}
		if next, ok := matchOne(glob, at, name[i]); ok {
			at, i = next, i+1
			continue
		}
		if back < 0 {
			return false
		}
		backName++
		at, i = back+1, backName
	}
	return strings.Trim(glob[at:], "*") == ""
}

// matchOne matches one byte against the glob's element at a place, and gives
// the place after that element.
func matchOne(glob string, at int, b byte) (next int, ok bool) {
	if at >= len(glob) {
		return at, false
	}
	switch glob[at] {
	case '?':
		return at + 1, true
	case '[':
		return matchClass(glob, at, b)
	case '\\':
		if at+1 >= len(glob) {
			return at, false // a backslash at the end makes the pattern invalid
		}
		return at + 2, glob[at+1] == b
	}
	return at + 1, glob[at] == b
}

// matchClass matches a byte against the class that opens at a place. A
// class that never closes matches nothing, as in git.
func matchClass(glob string, at int, b byte) (next int, ok bool) {
	at++
	negated := at < len(glob) && (glob[at] == '!' || glob[at] == '^')
	if negated {
		at++
	}
	matched := false
	for first := true; ; first = false {
		if at >= len(glob) {
			return at, false
		}
		if glob[at] == ']' && !first {
			return at + 1, matched != negated
		}
		if name, after, ok := namedClass(glob, at); ok {
			matched = matched || inNamedClass(name, b)
			at = after
			continue
		}
		low, after, ok := classByte(glob, at)
		if !ok {
			return at, false
		}
		high := low
		if after+1 < len(glob) && glob[after] == '-' && glob[after+1] != ']' {
			if high, after, ok = classByte(glob, after+1); !ok {
				return at, false
			}
		}
		matched = matched || low <= b && b <= high
		at = after
	}
}

func classByte(glob string, at int) (b byte, next int, ok bool) {
	if glob[at] == '\\' {
		at++
	}
	if at >= len(glob) {
		return 0, at, false
	}
	return glob[at], at + 1, true
}

// longestClass is how far the end of a POSIX class is looked for. None has so
// long a name.
const longestClass = 16

// namedClass reads a POSIX class such as [:alpha:] inside a class.
func namedClass(glob string, at int) (name string, next int, ok bool) {
	rest, found := strings.CutPrefix(glob[at:], "[:")
	if !found {
		return "", at, false
	}
	end := strings.Index(rest[:min(len(rest), longestClass)], ":]")
	if end < 0 {
		return "", at, false
	}
	return rest[:end], at + len("[:") + end + len(":]"), true
}

func inNamedClass(name string, b byte) bool {
	lower, upper, digit := 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9'
	switch name {
	case "alnum":
		return lower || upper || digit
	case "alpha":
		return lower || upper
	case "blank":
		return b == ' ' || b == '\t'
	case "cntrl":
		return b < ' ' || b == 0x7F
	case "digit":
		return digit
	case "graph":
		return ' ' < b && b < 0x7F
	case "lower":
		return lower
	case "print":
		return ' ' <= b && b < 0x7F
	case "punct":
		return ' ' < b && b < 0x7F && !lower && !upper && !digit
	case "space":
		return b == ' ' || '\t' <= b && b <= '\r'
	case "upper":
		return upper
	case "xdigit":
		return digit || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
	}
	return false
}
