package markdown

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/theme"
)

var plain = theme.New(colorprofile.NoTTY, true)

func drawn(text string, width int) string {
	lines := Lines(text, width, plain)
	for i := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ source, want string }{
		"heading":         {"# The brief #\n## Goal", "The brief\n\nGoal"},
		"underlined":      {"The brief\n===\ntext", "The brief\n\ntext"},
		"paragraph":       {"one\ntwo\n\nthree", "one two\n\nthree"},
		"line ended":      {"one  \ntwo\\\nthree", "one\ntwo\nthree"},
		"wrapped":         {"a word and another one that is long", "a word and another\none that is long"},
		"long word":       {"https://example.com/a/very/long/path", "https://example.com/\na/very/long/path"},
		"bullets":         {"- one\n- two\n  more\n  - inner\n- three", "• one\n• two more\n  • inner\n• three"},
		"numbers":         {"1. one\n2. two\n10. ten", "1. one\n2. two\n10. ten"},
		"loose":           {"- one\n\n- two", "• one\n\n• two"},
		"tasks":           {"- [ ] open\n- [x] done", "☐ open\n☑ done"},
		"quote":           {"> said\n> so\n\nanswer", "▎ said so\n\nanswer"},
		"code":            {"```go\nfunc main() {}\n\tx\n```\nafter", "│ func main() {}\n│     x\n\nafter"},
		"open code":       {"```\nx", "│ x"},
		"indented code":   {"    a\n\n    b\nc", "│ a\n│\n│ b\n\nc"},
		"rule":            {"a\n\n***", "a\n\n────────────────────"},
		"list then text":  {"text\n- one\n\nafter", "text\n\n• one\n\nafter"},
		"year":            {"It was in\n1984. A year", "It was in 1984. A\nyear"},
		"minus":           {"-5 degrees", "-5 degrees"},
		"table":           {"| a | n |\n|---|--:|\n| xx | 1 |\n| y | 22 |", "a    n\n──  ──\nxx   1\ny   22"},
		"table too wide":  {"|a|b|c|d|e|\n|-|-|-|-|-|\n|1|2|3|4|5|", "a 1\nb 2\nc 3\nd 4\ne 5"},
		"no table":        {"a | b", "a | b"},
		"nothing":         {"", ""},
		"escaped":         {`\*not\* a \# heading`, "*not* a # heading"},
		"marks":           {"**bold** _it_ ~~no~~ `x*y*`", "bold it no x*y*"},
		"mark within":     {"**a *b* c**", "a b c"},
		"snake_case":      {"the file_name_here", "the file_name_here"},
		"lone marks":      {"5 * 3 * 2 ** x", "5 * 3 * 2 ** x"},
		"entity":          {"a &amp; b &lt; c", "a & b < c"},
		"html is text":    {"<b>bold</b>", "<b>bold</b>"},
		"link":            {"[the brief](http://x.y/z)", "the brief\n(http://x.y/z)"},
		"link to itself":  {"[http://x.y](http://x.y)", "http://x.y"},
		"image":           {"![logo](http://x.y)", "logo (http://x.y)"},
		"address":         {"see <http://x.y>.", "see http://x.y."},
		"bare address":    {"(see http://x.y).", "(see http://x.y)."},
		"brackets":        {"a [b] c", "a [b] c"},
		"a list's quote":  {"- > said", "• ▎ said"},
		"code in a list":  {"- a\n\n  ```\n  x\n  ```", "• a\n\n  │ x"},
		"carriage return": {"a\r\nb\r\n\r\nc", "a b\n\nc"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := drawn(c.source, 20); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestGist(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"# Launch\n\nThe **brief** is\nready.\n\n---\n- one": "Launch · The brief is ready. · • one",
		"":                       "",
		strings.Repeat("é", 500): strings.Repeat("é", 200),
	} {
		if got := Gist(source); got != want {
			t.Errorf("Gist(%q) = %q, want %q", source, got, want)
		}
	}
}

func TestNothingSteersTheTerminalAndLinesFit(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"\x1b[2J\x1b]52;c;aGk=\x07 text", "# \u202eheading", "[a](http://x\x1b]8;;y\x1b\\)", "`\x1b[31m`", "```\n\x1b[A\n```",
		"| \x1b | b |\n|-|-|\n| 営業部 | 👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧 |", strings.Repeat("営", 500), strings.Repeat("> ", 500) + "deep",
		strings.Repeat("- ", 500) + "deep", strings.Repeat("x", 8000), "**" + strings.Repeat("bold ", 100) + "**",
	} {
		for _, width := range []int{1, 8, 33, 80} {
			for _, line := range Lines(source, width, plain) {
				// What deep quotes and lists take stands beside the least width of text.
				if wide := cells.Width(line); wide > max(width, least+2*levels) {
					t.Errorf("a line of %q takes %d cells of %d: %q", source[:min(len(source), 20)], wide, width, line)
				}
				for _, r := range ansi.Strip(line) {
					if unicode.IsControl(r) || r == '\u202e' {
						t.Errorf("a line of %q holds %U", source[:min(len(source), 20)], r)
					}
				}
			}
		}
	}
}

func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	const size = 8 << 10
	for _, part := range []string{"*", "**a ", "[", "[a](", "`", "``a`", "_a", "> ", "- ", "|", "a|b\n-|-\n", "<", "&", "\\", "~~a", "1. ", "  - a\n", "***a** "} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			effort.AtMost(t, 2*time.Second, func() { Lines(strings.Repeat(part, size/len(part)), 40, plain) })
		})
	}
}

func FuzzLines(f *testing.F) {
	f.Add("# a\n- b\n  - c\n> d\n\n|a|b|\n|-|-|\n|`c`|**d**|", 20)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if len(text) > 2048 {
			return
		}
		for _, line := range Lines(text, width%200, plain) {
			for _, r := range ansi.Strip(line) {
				if unicode.IsControl(r) {
					t.Fatalf("%q holds %U", line, r)
				}
			}
		}
	})
}
