package lint_test

// This file measures a check of many documents, as a large repository has
// them.

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beonauto/auto/lint"
	"github.com/beonauto/auto/lint/report"
)

// document is a reasoning function of about 2 KB as teams write them; each
// number gives another one, and every tenth has two problems.
func document(number int) string {
	var b strings.Builder
	temperature, filter := "0.2", "money"
	if number%10 == 9 {
		temperature, filter = "warm", "moneyy"
	}
	fmt.Fprintf(&b, "---\ndescription: Reviews expense report %d against the travel policy\n", number)
	fmt.Fprintf(&b, "model: anthropic/claude-sonnet-4-5\nconfig:\n  max_output_tokens: %d\n  temperature: %s\n", 400+number, temperature)
	b.WriteString("input:\n  schema:\n    type: object\n    required: [employee, items]\n    additionalProperties: false\n    properties:\n")
	b.WriteString("      employee: { type: string, description: Who travelled }\n      vip: { type: boolean }\n")
	b.WriteString("      items:\n        type: array\n        items:\n          type: object\n          required: [label, amount]\n          properties:\n")
	b.WriteString("            label: { type: string }\n            amount: { type: number }\n            receipt: { type: [string, 'null'] }\n")
	for i := range number % 7 {
		fmt.Fprintf(&b, "            extra_%d: { type: string, description: 'Field %d, as the form asks for it' }\n", i, i)
	}
	b.WriteString("output:\n  format: json\n  schema:\n    type: object\n    additionalProperties: false\n    required: [verdict, reasons]\n    properties:\n")
	b.WriteString("      verdict: { type: string, enum: [approve, revise, reject] }\n      reasons: { type: array, items: { type: string } }\n---\n\n")
	b.WriteString("{% system %}\nYou review expenses against the policy of the company. Name every item that breaks a rule,\n")
	b.WriteString("with the rule and the amount. Do not invent facts.\n{% endsystem %}\n\nEmployee: {{ input.employee }}{% if input.vip %} (board member){% endif %}\nDate: {{ today }}\n\n")
	fmt.Fprintf(&b, "{%% assign total = 0 %%}\n{%% for item in input.items %%}\n- {{ item.label | clip: 80 }}: {{ item.amount | %s }}{%% unless item.receipt %%}, no receipt{%% endunless %%}\n{%% assign total = total | plus: item.amount %%}\n{%% endfor %%}\n\nTotal: {{ total | %s }}\n\n", filter, "money")
	for i := range 3 + number%4 {
		fmt.Fprintf(&b, "%d. A rule of the policy that the review must weigh, with the reason it is there.\n", i+1)
	}
	return b.String()
}

func BenchmarkLint1000(b *testing.B) {
	dir := b.TempDir()
	size := 0
	for i := range 1_000 {
		folder := filepath.Join(dir, fmt.Sprintf("book%02d", i%20), "reasoning")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			b.Fatal(err)
		}
		text := document(i)
		size += len(text)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("review-%04d.md", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	format, _ := report.ByName("text")
	for b.Loop() {
		options := lint.Options{Dir: dir, Excerpts: true}
		targets, err := lint.Find(options)
		if err != nil {
			b.Fatal(err)
		}
		printer := format.New(io.Discard, report.Options{})
		summary, err := lint.Run(b.Context(), options, targets, printer.File)
		if err != nil {
			b.Fatal(err)
		}
		if summary.Files != 1_000 || summary.Problems != 200 {
			b.Fatalf("found %+v", summary)
		}
	}
}
