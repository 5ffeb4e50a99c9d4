package frontmatter

import (
	"fmt"
	"strings"
	"testing"

	goccy "github.com/goccy/go-yaml"
	"go.yaml.in/yaml/v4"
)

// typical is front matter as people write it, about 800 bytes.
const typical = `description: Scores an inbound lead from the form's answers
model: openai/gpt-5-mini
config:
  max_output_tokens: 2000
  temperature: 0.2
  stop_sequences: ["END", '###']
input:
  schema:
    type: object
    properties:
      company: { type: string, maxLength: 200 }
      employees: { type: integer, minimum: 0 }
      # the free text of the form
      notes:
        type: [string, "null"]
        description: What they wrote, as is
    required: [company, employees]
    additionalProperties: false
  default:
    notes: null
    employees: 0
output:
  format: json
  schema:
    type: object
    properties:
      score: { type: integer, minimum: 0, maximum: 100 }
      reason: { type: string }
    required: [score, reason]
    additionalProperties: false
`

func document(front string) []byte {
	return []byte("---\n" + front + "---\n\nBrief: {{ input.brief }}\n")
}

func BenchmarkRead(b *testing.B) {
	source := document(typical)
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := Read(source); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkReadBroken(b *testing.B) {
	source := document(strings.Replace(typical, "[company, employees]", "[company, employees", 1))
	b.ReportAllocs()
	for b.Loop() {
		Read(source)
	}
}

// The peers read the same front matter into Go values, without places.

func BenchmarkPeerUnmarshal(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var v any
		if err := yaml.Unmarshal([]byte(typical), &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPeerNode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(typical), &n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPeerGoccy(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var v any
		if err := goccy.Unmarshal([]byte(typical), &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadLarge(b *testing.B) {
	for name, front := range map[string]string{
		"items": "a: [" + strings.Repeat("1,", MaxFrontMatter/2-10) + "1]\n",
		"keys": func() string {
			var all strings.Builder
			for i := range 20_000 {
				fmt.Fprintf(&all, "key%d: 1\n", i)
			}
			return all.String()
		}(),
	} {
		b.Run(name, func(b *testing.B) {
			source := document(front)
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				Read(source)
			}
		})
	}
}
