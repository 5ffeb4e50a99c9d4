package lint

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/engine/problem"
)

func TestExcerpts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 50) + "X" + strings.Repeat("b", 200)
	for _, c := range []struct {
		name         string
		source       string
		line, column int
		want         Excerpt
	}{
		{"first line", "one\ntwo", 1, 2, Excerpt{Text: "one", Column: 2}},
		{"last line without an end", "one\ntwo", 2, 1, Excerpt{Text: "two", Column: 1}},
		{"behind the last character", "one", 1, 4, Excerpt{Text: "one", Column: 4}},
		{"past the line", "one", 1, 9, Excerpt{Text: "one"}},
		{"only the line is known", "one\n  two", 2, 0, Excerpt{Text: "  two"}},
		{"carriage returns", "one\r\ntwo\rthree\r\n", 3, 1, Excerpt{Text: "three", Column: 1}},
		{"line separators end no line", "one\u2028two\u0085three\nfour", 2, 1, Excerpt{Text: "four", Column: 1}},
		{"byte order mark", "\ufeffone", 1, 1, Excerpt{Text: "one", Column: 1}},
		{"characters, not bytes", "äöü", 1, 3, Excerpt{Text: "äöü", Column: 3}},
		{"no such line", "one", 7, 1, Excerpt{}},
		{"empty source", "", 1, 1, Excerpt{Column: 1}},
		{"bytes that are no text", "a\xffb", 1, 3, Excerpt{Text: "a\xffb", Column: 3}},
		{"a line that fits", long[:100], 1, 90, Excerpt{Text: long[:100], Column: 90}},
		{"long line", long, 1, 51, Excerpt{
			Text:   strings.Repeat("a", 40) + "X" + strings.Repeat("b", 59),
			Column: 41, CutLeft: true, CutRight: true,
		}},
		{"end of a long line", long, 1, 252, Excerpt{Text: strings.Repeat("b", 40), Column: 41, CutLeft: true}},
		{"long line without a column", long, 1, 0, Excerpt{Text: long[:100], CutRight: true}},
	} {
		found := excerpts([]byte(c.source), []problem.Problem{{Line: c.line, Column: c.column}})
		if diff := cmp.Diff(c.want, found[0]); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestExcerptsOfManyProblems(t *testing.T) {
	t.Parallel()
	problems := []problem.Problem{
		{Line: 1, Column: 3},
		{Line: 1, Column: 60},
		{Line: 1, Column: 5}, // out of order
		{Line: 3, Column: 1},
		{Line: 3, Rule: problem.TooMany},
	}
	source := strings.Repeat("0123456789", 8) + "\n\nlast"
	var texts []string
	for _, e := range excerpts([]byte(source), problems) {
		if e.Column == 0 {
			texts = append(texts, e.Text)
			continue
		}
		texts = append(texts, e.Text[e.Column-1:][:1])
	}
	if diff := cmp.Diff([]string{"2", "9", "4", "l", ""}, texts); diff != "" {
		t.Error(diff)
	}
}

func TestExcerptsOfOneLongLineStayFast(t *testing.T) {
	t.Parallel()
	source := []byte(strings.Repeat("x", 5<<20))
	problems := make([]problem.Problem, 5_000)
	for i := range problems {
		problems[i] = problem.Problem{Line: 1, Column: 1 + i*1_000}
	}
	effort.AtMost(t, 3*time.Second, func() { excerpts(source, problems) })
}
