package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine"
)

// overviewOf gives the overview that is written from the document of a function.
func overviewOf(t *testing.T, source string) string {
	t.Helper()
	folder := t.TempDir()
	mkdir(t, filepath.Join(folder, "reasoning"))
	if err := os.WriteFile(filepath.Join(folder, "reasoning", "review.md"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := open(t, folder, "", nil).DefinitionNamed("reasoning", "review")
	if err != nil {
		t.Fatal(err)
	}
	if refused := engine.Check([]byte(source), "reasoning", engine.Surroundings{}).Rejection; refused != nil {
		t.Fatal(refused.Issues)
	}
	return found.Written
}

func TestTheOverviewOfADocument(t *testing.T) {
	t.Parallel()
	const source = `---
description: Reviews a campaign brief
model: anthropic/claude-sonnet-4-5
input:
  schema:
    type: object
    required: [brief, tone]
    properties:
      brief: { type: string, maxLength: 5000, description: The brief as its owner wrote it. }
      tone: { type: string, enum: [plain, warm] }
      rules: { type: array, minItems: 1, items: { type: string } }
      budget: { type: [integer, "null"], minimum: 1 }
      owner: { type: object, properties: { name: { type: string }, mail: { type: string } } }
  default: { tone: plain }
output:
  format: json
  schema:
    type: object
    required: [ready]
    properties:
      ready: { type: boolean, description: Whether it may go ahead }
      score: { type: integer, minimum: 1, maximum: 10 }
tools: [notes/search_notes, graph/*]
---
{% system %}Be {{ input.tone | downcase }}.{% endsystem %}
{% for rule in input.rules %}
- {{ rule }}
{% endfor %}
{{ input.brief }}
`
	const want = "Reviews a campaign brief\n\n" +
		"**It needs**\n\n" +
		"- **brief**: text of at most 5000 characters. The brief as its owner wrote it.\n" +
		"- **tone**: one of plain, warm; plain when left out.\n" +
		"- **rules**: list of at least 1 item, each text; may be left out.\n" +
		"- **budget**: whole number of at least 1 or nothing; may be left out.\n" +
		"- **owner**: object of name and mail; may be left out.\n\n" +
		"**It gives**\n\n" +
		"- **ready**: yes or no. Whether it may go ahead.\n" +
		"- **score**: whole number from 1 to 10; may be left out.\n\n" +
		"**It asks** the model anthropic/claude-sonnet-4-5, which may call notes/search_notes and every tool of graph.\n\n" +
		"```mermaid\nflowchart TD\n  function[\"review\"] --> model[\"anthropic/claude-sonnet-4-5\"]\n  model --> tool1[\"notes/search_notes\"]\n  model --> tool2[\"every tool of graph\"]\n```\n\n" +
		"**What the model is told, as instructions**\n\nBe **tone**.\n\n" +
		"**What the model is asked**\n\n_For each rule of input.rules:_\n\n- **rule**\n\n**brief**"
	if got := overviewOf(t, source); got != want {
		t.Errorf("the overview is\n%s\nwant\n%s", got, want)
	}
}

func TestTheOverviewOfALittleDocument(t *testing.T) {
	t.Parallel()
	const want = "This function has no description yet.\n\n**It needs** no input that it names.\n\n**It gives** text.\n\n**It asks** the model x/y.\n\n**What the model is asked**\n\nHi"
	if got := overviewOf(t, "---\nmodel: x/y\n---\nHi\n"); got != want {
		t.Errorf("the overview is\n%s", got)
	}
	for shape, words := range map[string]string{"series": "lines over time", "categories": "named values", "table": "columns and rows", "text": "as JSON"} {
		if got := overviewOf(t, "---\nmodel: x/y\noutput: { format: json, shape: "+shape+" }\n---\nHi\n"); !strings.Contains(got, words) {
			t.Errorf("%s: %s", shape, got)
		}
	}
}

func TestALongOverviewSaysWhereItGoesOn(t *testing.T) {
	t.Parallel()
	source := "---\nmodel: x/y\n---\n" + strings.Repeat("A line of forty characters, and no more.\n", 300)
	got := overviewOf(t, source)
	if !strings.HasSuffix(got, "…\n\n_It goes on in line 203 of the document._") || len(got) > 9000 {
		t.Errorf("the overview ends %q", got[len(got)-120:])
	}
}

func TestOnlyReasoningHasAWrittenOverview(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	mkdir(t, filepath.Join(folder, "interaction"))
	if err := os.WriteFile(filepath.Join(folder, "interaction", "approve.md"), []byte(approve), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := open(t, folder, "", nil).DefinitionNamed("interaction", "approve")
	if err != nil || found.Written != "" {
		t.Errorf("the overview is %q, %v", found.Written, err)
	}
}
