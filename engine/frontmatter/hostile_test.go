package frontmatter

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/engine/problem"
)

// hostile gives sources that are made to cost time, memory or stack.
func hostile() map[string]string {
	front := func(yaml string) string { return "---\n" + yaml + "\n---\nBody\n" }
	fill := func(prefix, item, suffix string) string {
		return front(prefix + strings.Repeat(item, (MaxFrontMatter-100-len(prefix)-len(suffix))/len(item)) + suffix)
	}
	var siblings strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&siblings, "key%d: 1\n", i)
	}
	var stairs strings.Builder
	for i := range 600 {
		stairs.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return map[string]string{
		"60 KB of [":            front("a: " + strings.Repeat("[", 60_000)),
		"60 KB of {":            front("a: " + strings.Repeat("{", 60_000)),
		"60 KB of {a: ":         front("a: " + strings.Repeat("{a: ", 15_000)),
		"60 KB of - ":           front("a:\n  " + strings.Repeat("- ", 30_000)),
		"60 KB of ? ":           front(strings.Repeat("? ", 30_000)),
		"60 KB of ? [":          front(strings.Repeat("? [", 20_000)),
		"60 KB of : ":           front(strings.Repeat(": ", 30_000)),
		"stairs":                front(stairs.String()),
		"20,000 keys":           front(siblings.String()),
		"20,000 keys, broken":   front(siblings.String() + "a: @b\nc: @d"),
		"one key again":         fill("", "a: 1\n", ""),
		"one item again":        fill("a: [", "1,", "1]"),
		"an open list":          fill("a: [", "1,", ""),
		"open lists":            fill("a: [", "[],", "@"),
		"open quotes":           fill("a: [", `"b",`, "\"c"),
		"anchors":               fill("a: [", "&a ,", "1]"),
		"aliases":               fill("a: [", "*a,", "1]"),
		"a doubling of aliases": front("a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]"),
		"infinities":            fill("a: [", ".inf,", "1]"),
		"commas":                fill("a: [", ",", "]"),
		"colons":                fill("a: 1\n", ":", ""),
		"empty keys":            fill("", ": \n", ""),
		"a long number":         fill("a: ", "1", ""),
		"a long exponent":       fill("a: 1e", "1", ""),
		"a long hexadecimal":    fill("a: 0x", "f", ""),
		"zeros":                 fill("a: ", "0", ""),
		"a long word":           fill("a: ", "x", ""),
		"long words":            fill("a: ", "x ", ""),
		"a long key":            fill("", "x", ": 1"),
		"a quote that is open":  fill("a: '", "x", ""),
		"escapes":               fill(`a: "`, `\u0041`, `"`),
		"pairs of escapes":      fill(`a: "`, `\ud83d\ude00`, `"`),
		"lines of a text":       fill("a: |\n", "  x\n", ""),
		"lines of a quote":      fill("a: '\n", " x\n", " '"),
		"lines of a quote, bad": fill("a: '\n", "x\n", "'"),
		"empty lines":           fill("a: 1\n", "\n", ""),
		"spaces":                fill("a: 1\n", " ", ""),
		"tabs":                  fill("a: 1\n", "\t", ""),
		"comments":              fill("a: 1\n", "#\n", ""),
		"directives":            fill("", "%a\n", ""),
		"documents":             fill("a: 1\n", "--- a\n", ""),
		"separators":            fill("a: ", "\u2028", ""),
		"a 5 MB line":           front("a: " + strings.Repeat("x", 5<<20)),
		"a 5 MB body":           front("a: 1") + strings.Repeat("hello\n", 5<<20/6),
		"5 MB of NUL":           strings.Repeat("\x00", 5<<20),
		"5 MB of lines of NUL":  strings.Repeat("\x00\n", 5<<19),
		"5 MB of no UTF-8":      strings.Repeat("\xff", 5<<20),
		"5 MB of CR":            strings.Repeat("\r", 5<<20),
		"5 MB of markers":       strings.Repeat("---\n", 5<<18),
		"5 MB of near markers":  "---\n" + strings.Repeat("--\n", 5<<20/3),
		"20 MB":                 front("a: 1") + strings.Repeat("hello\n", 20<<20/6),
	}
}

// TestHostileSources holds that none costs more than a moment. The bounds are
// far above what is measured, since the machine may be busy.
func TestHostileSources(t *testing.T) {
	if effort.Raced {
		t.Skip("what reading costs means nothing under the race detector")
	}
	for name, source := range hostile() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var (
			document *Document
			problems []problem.Problem
		)
		effort.AtMost(t, 5*time.Second, func() { document, problems = Read([]byte(source)) })
		runtime.ReadMemStats(&after)
		spent := (after.TotalAlloc - before.TotalAlloc) >> 20
		t.Logf("%-24s %4d MB %6d problems", name, spent, len(problems))
		if spent > 200 {
			t.Errorf("%s: took %d MB", name, spent)
		}
		last := strings.Count(source, "\n") + 1
		if strings.Contains(source, "\r") {
			last = len(source)
		}
		for _, p := range problems {
			if p.Line < 1 || p.Line > last {
				t.Errorf("%s: a problem on line %d of %d", name, p.Line, last)
				break
			}
		}
		if document == nil || len(problems) > MaxProblems {
			t.Errorf("%s: %d problems", name, len(problems))
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, source string
		problems     int
	}{
		{"front matter of the largest size", "---\na: " + strings.Repeat("x", MaxFrontMatter-4) + "\n---\n", 0},
		{"front matter that is larger", "---\na: " + strings.Repeat("x", MaxFrontMatter-3) + "\n---\n", 1},
		{"a file of the largest size", "---\na: 1\n---\n" + strings.Repeat("x", MaxDocument-13), 0},
		{"a file that is larger", "---\na: 1\n---\n" + strings.Repeat("é", MaxDocument/2), 1},
	} {
		document, problems := Read([]byte(test.source))
		if len(problems) != test.problems {
			t.Errorf("%s: %v", test.name, told(problems))
		}
		for _, p := range problems {
			if p.Rule != problem.TooLarge || p.Line != 1 {
				t.Errorf("%s: %v", test.name, p)
			}
		}
		if strings.Contains(document.Body, "\ufffd") {
			t.Errorf("%s: the body ends within a character", test.name)
		}
	}
}
