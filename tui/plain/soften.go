package plain

// This file turns the marks of Markdown into words, for a message that is heard.

import (
	"regexp"
	"strings"
	"sync"

	"github.com/beonauto/auto/tui/safe"
)

// mark is a mark within a line and what is said instead.
type mark struct {
	pattern *regexp.Regexp
	instead string
}

// marks are compiled once they are needed: no other command is to wait for them.
var marks = sync.OnceValue(func() []mark {
	return []mark{
		{regexp.MustCompile(`!\[([^\]\n]*)\]\(([^)\s]+)[^)\n]*\)`), "image $1, $2"},
		{regexp.MustCompile(`\[([^\]\n]+)\]\(([^)\s]+)[^)\n]*\)`), "$1, link $2"},
		{regexp.MustCompile(`<((?:https?|mailto):[^>\s]+)>`), "$1"},
		{regexp.MustCompile(`\*\*([^*\n]+)\*\*`), "$1"},
		{regexp.MustCompile(`(^|[^\w])__([^_\n]+)__($|[^\w])`), "$1$2$3"},
		{regexp.MustCompile(`\*([^*\s][^*\n]*)\*`), "$1"},
		{regexp.MustCompile(`(^|[^\w])_([^_\s][^_\n]*)_($|[^\w])`), "$1$2$3"},
		{regexp.MustCompile(`~~([^~\n]+)~~`), "struck out: $1"},
		{regexp.MustCompile("`([^`\n]+)`"), "$1"},
	}
})

// Softened gives a Markdown text as it is read aloud: headings and lists by their
// words, links by their address, code between two words that say so.
func Softened(text string) string {
	var out []string
	fence := ""
	for _, line := range strings.Split(safe.Text(text), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "" && strings.HasPrefix(trimmed, fence):
			fence = ""
			out = append(out, "End of code.")
		case fence != "":
			out = append(out, line)
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
			out = append(out, "Code:")
		default:
			if said, keep := softLine(trimmed); keep {
				out = append(out, said)
			}
		}
	}
	if fence != "" {
		out = append(out, "End of code.")
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// softLine softens a line, and tells whether it says anything.
func softLine(line string) (string, bool) {
	switch level := len(line) - len(strings.TrimLeft(line, "#")); {
	case level >= 1 && level <= 6 && strings.HasPrefix(line[level:], " "):
		return "Heading: " + inline(strings.TrimRight(strings.TrimSpace(line[level:]), "# ")), true
	case strings.HasPrefix(line, ">"):
		said, _ := softLine(strings.TrimSpace(line[1:]))
		return "Quote: " + said, true
	case isRule(line):
		return "", true
	case strings.HasPrefix(line, "|") && strings.Trim(line, "|:- ") == "":
		return "", false // the line below a table's head
	case strings.HasPrefix(line, "|"):
		var cells []string
		for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			cells = append(cells, inline(strings.TrimSpace(cell)))
		}
		return strings.Join(cells, ", "), true
	}
	for _, bullet := range [...]string{"- [ ] ", "* [ ] "} {
		if rest, is := strings.CutPrefix(line, bullet); is {
			return "To do: " + inline(rest), true
		}
	}
	for _, bullet := range [...]string{"- [x] ", "* [x] "} {
		if rest, is := strings.CutPrefix(line, bullet); is {
			return "Done: " + inline(rest), true
		}
	}
	for _, bullet := range [...]string{"- ", "* ", "+ "} {
		if rest, is := strings.CutPrefix(line, bullet); is {
			return "- " + inline(rest), true
		}
	}
	return inline(line), true
}

// isRule tells whether a line draws a rule.
func isRule(line string) bool {
	bare := strings.ReplaceAll(line, " ", "")
	return len(bare) >= 3 && (strings.Trim(bare, "-") == "" || strings.Trim(bare, "*") == "" || strings.Trim(bare, "_") == "")
}

// aside is where a character stands while marks are looked for that a backslash
// says is none.
const aside = '\uE000'

func inline(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '\\' && i+1 < len(text) && strings.IndexByte("\\`*_{}[]()#+-.!~|<>", text[i+1]) >= 0 {
			i++
			b.WriteRune(aside + rune(text[i]))
		} else {
			b.WriteByte(c)
		}
	}
	text = b.String()
	for _, each := range marks() {
		text = each.pattern.ReplaceAllString(text, each.instead)
	}
	return strings.Map(func(r rune) rune {
		if r > aside && r < aside+0x80 {
			return r - aside
		}
		return r
	}, text)
}
