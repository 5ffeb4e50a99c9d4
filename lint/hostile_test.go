package lint_test

// This file checks documents that were made to cost time.

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/lint"
	"github.com/beonauto/auto/lint/report"
)

// TestHostileDocuments wants little work, and problems, for what nobody writes by
// mistake.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	model := "model: anthropic/claude-sonnet-4-5\n"
	front := func(yaml string) string { return "---\n" + model + yaml + "\n---\n\nHello.\n" }
	body := func(template string) string { return "---\n" + model + "---\n\n" + template }
	keys := func(count int) string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, "key%d: %d\n", i, i)
		}
		return b.String()
	}
	for name, source := range map[string]string{
		"zeros":                   strings.Repeat("\x00", 5<<20),
		"one long line":           strings.Repeat("x", 5<<20),
		"long template":           body(strings.Repeat("words ", 1<<20)),
		"many lists":              front("input: " + strings.Repeat("[", 60_000)),
		"many mappings":           front("input: " + strings.Repeat("{a: ", 20_000)),
		"many keys":               front(keys(20_000)),
		"many duplicates":         front(strings.Repeat("a: 1\n", 20_000)),
		"many anchors":            front(strings.Repeat("a: &a [*a]\n", 5_000)),
		"nested tags":             body(strings.Repeat("{% if input.a %}", 20_000)),
		"nested parentheses":      body("{{ " + strings.Repeat("(", 60_000)),
		"open outputs":            body(strings.Repeat("{{ ", 100_000)),
		"many unknown filters":    body(strings.Repeat("{{ input.a | nope }}", 3_000)),
		"invalid text":            body(strings.Repeat("\xff\xfe", 1<<20)),
		"a long number":           front("config: { temperature: 1" + strings.Repeat("0", 1<<20) + " }"),
		"a large exponent":        front("input:\n  schema: { type: object, properties: { a: { multipleOf: 1e1000001 } } }"),
		"a schema that loops":     front("input:\n  schema: { type: object, $defs: { a: { $ref: '#/$defs/a' } }, properties: { b: { $ref: '#/$defs/a' } } }"),
		"only opening":            "---\n",
		"nothing":                 "",
		"carriage returns":        "---\r" + strings.Repeat("a: 1\r", 100_000),
		"an unfinished quotation": front(`description: "` + strings.Repeat(`\`, 1<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := lint.Options{Type: "reasoning", Paths: []string{"-"}, Stdin: strings.NewReader(source), Excerpts: true}
			targets, err := lint.Find(options)
			if err != nil {
				t.Fatal(err)
			}
			format, _ := report.ByName("text")
			printer := format.New(io.Discard, report.Options{})
			// The linter checks on goroutines of its own: the same check is held to a bound here.
			effort.AtMost(t, 5*time.Second, func() { engine.Check([]byte(source), "reasoning", engine.Surroundings{}) })
			summary, err := lint.Run(t.Context(), options, targets, printer.File)
			if err != nil {
				t.Fatal(err)
			}
			if summary.Problems == 0 {
				t.Error("no problem is reported")
			}
		})
	}
}
