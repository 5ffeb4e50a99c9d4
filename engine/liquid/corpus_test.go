package liquid_test

// This file checks the engine against the corpus in fixtures/liquid: what
// LiquidJS gives for each of its templates, and what the format asks for
// where it goes its own way.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/google/go-cmp/cmp"
)

const corpusFolder = "../../fixtures/liquid"

// corpusCase is one template of the corpus with what it must give.
type corpusCase struct {
	Name     string          `json:"name"`
	Template string          `json:"template"`
	Input    json.RawMessage `json:"input"`
	// of overrides.jsonl
	Because string `json:"because"`
	System  bool   `json:"system"`
	Expect  answer `json:"expect"`
}

// answer is what a template gives: text, or an error on a line.
type answer struct {
	Name         string  `json:"name"`
	Out          string  `json:"out"`
	Error        string  `json:"error"` // parse, render or either; empty when it renders
	Line         int     `json:"line"`  // 0: any line
	Instructions *string `json:"instructions"`
	Message      *string `json:"message"`
}

// readLines reads a file of the corpus, one JSON value a line.
func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(corpusFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	var items []T
	lines := bufio.NewScanner(bytes.NewReader(source))
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		var item T
		if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
			t.Fatalf("%s, line %d: %v", name, number, err)
		}
		items = append(items, item)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return items
}

// corpus reads the cases with what LiquidJS gives for each.
func corpus(t testing.TB) []corpusCase {
	t.Helper()
	cases := readLines[corpusCase](t, "cases.jsonl")
	expected := readLines[answer](t, "expected.jsonl")
	if len(cases) != len(expected) {
		t.Fatalf("%d cases but %d expected lines: renew expected.jsonl", len(cases), len(expected))
	}
	for i := range cases {
		if cases[i].Name != expected[i].Name {
			t.Fatalf("case %d is %s but its expected line is that of %s", i+1, cases[i].Name, expected[i].Name)
		}
		cases[i].Expect = expected[i]
	}
	return cases
}

// corpusVariables reads the variables of a case.
func corpusVariables(t testing.TB, input json.RawMessage) map[string]value.Value {
	t.Helper()
	if input == nil {
		var err error
		if input, err = os.ReadFile(filepath.Join(corpusFolder, "input.json")); err != nil {
			t.Fatal(err)
		}
	}
	v, err := value.ParseJSON(input, 100)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]value.Value{"input": v, "today": "2026-10-01", "now": "2026-10-01T12:00:00.000Z"}
}

// corpusOptions are the names that a reasoning template may read.
func corpusOptions(system bool) liquid.Options {
	return liquid.Options{Names: map[string]liquid.Shape{"input": nil, "today": nil, "now": nil}, System: system}
}

// patient are the format's limits without its time limit, which a busy machine
// would reach.
var patient = liquid.Limits{Time: time.Minute}

// check runs one case and reports how the engine's answer differs, or nothing.
func (c corpusCase) check(variables map[string]value.Value) string {
	template, problems := liquid.Parse(c.Template, corpusOptions(c.System))
	if problems := problem.Refusals(problems); len(problems) > 0 {
		return c.checkProblems(problems)
	}
	if c.Expect.Error == "parse" {
		return fmt.Sprintf("is not refused, want a problem on line %d", c.Expect.Line)
	}
	rendered, err := template.Render(variables, patient)
	if err != nil {
		return c.checkError(err)
	}
	if c.Expect.Error != "" {
		return fmt.Sprintf("renders %q, want an error on line %d", rendered.Message, c.Expect.Line)
	}
	want := liquid.Rendered{Message: c.Expect.Out}
	if c.Expect.Message != nil {
		want.Message = *c.Expect.Message
	}
	if c.Expect.Instructions != nil {
		want.Instructions, want.HasInstructions = *c.Expect.Instructions, true
	}
	if difference := cmp.Diff(want, rendered); difference != "" {
		return "renders differently (-want +got):\n" + difference
	}
	return ""
}

func (c corpusCase) checkProblems(problems []problem.Problem) string {
	var said []string
	for _, p := range problems {
		said = append(said, p.String())
		if p.Line < 1 || p.Column < 0 || p.Message == "" || p.Pointer != "" {
			return fmt.Sprintf("gives a problem without a proper place or message: %+v", p)
		}
	}
	if c.Expect.Error != "parse" && c.Expect.Error != "either" {
		return "is refused: " + strings.Join(said, "; ")
	}
	for _, p := range problems {
		if c.Expect.Line == 0 || p.Line == c.Expect.Line {
			return ""
		}
	}
	return fmt.Sprintf("has no problem on line %d: %s", c.Expect.Line, strings.Join(said, "; "))
}

func (c corpusCase) checkError(err error) string {
	var failed *liquid.RenderError
	switch {
	case !errors.As(err, &failed):
		return fmt.Sprintf("fails with %T, want a *RenderError: %v", err, err)
	case c.Expect.Error == "" || c.Expect.Error == "parse":
		return fmt.Sprintf("fails to render: line %d: %v", failed.Line, err)
	case failed.Message == "" || failed.Kind == "":
		return fmt.Sprintf("fails without a message or a kind: %+v", failed)
	case c.Expect.Line != 0 && failed.Line != c.Expect.Line:
		return fmt.Sprintf("fails on line %d, want line %d: %v", failed.Line, c.Expect.Line, err)
	}
	return ""
}

// runCorpus runs cases as parallel subtests and logs how many hold.
func runCorpus(t *testing.T, cases []corpusCase) {
	variables := corpusVariables(t, nil)
	var held atomic.Int64
	t.Run("cases", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				read := variables
				if c.Input != nil {
					read = corpusVariables(t, c.Input)
				}
				if fault := c.check(read); fault != "" {
					t.Fatalf("%s\n%s\n%s", c.Template, fault, c.Because)
				}
				held.Add(1)
			})
		}
	})
	t.Logf("%d of %d cases hold", held.Load(), len(cases))
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	cases := corpus(t)
	if len(cases) < 1_600 {
		t.Errorf("the corpus has shrunk to %d cases", len(cases))
	}
	runCorpus(t, cases)
}

func TestCorpusOverrides(t *testing.T) {
	t.Parallel()
	cases := readLines[corpusCase](t, "overrides.jsonl")
	for _, c := range cases {
		if c.Because == "" {
			t.Errorf("%s does not say why the format stands above LiquidJS", c.Name)
		}
	}
	runCorpus(t, cases)
}

// Every name stands for one case, and no template is there twice.
func TestCorpusIsWellFormed(t *testing.T) {
	t.Parallel()
	names, templates := map[string]bool{}, map[string]string{}
	for _, c := range append(corpus(t), readLines[corpusCase](t, "overrides.jsonl")...) {
		if names[c.Name] {
			t.Errorf("two cases are called %s", c.Name)
		}
		names[c.Name] = true
		key := c.Template + "\x00" + string(c.Input) + fmt.Sprint(c.System)
		if first, again := templates[key]; again {
			t.Errorf("%s and %s have the same template", first, c.Name)
		}
		templates[key] = c.Name
	}
}

// The limits of the format that LiquidJS does not have. Their templates are
// too long to stand in a file.
func TestCorpusLimits(t *testing.T) {
	t.Parallel()
	ten := "0123456789"
	double := `{% assign x = "` + ten + `" %}{% for i in (1..15) %}{% assign x = x | append: x %}{% endfor %}`
	for _, c := range []corpusCase{
		{Name: "most output", Template: "{% for i in (1..20000) %}" + ten + "{% endfor %}", Expect: answer{Out: strings.Repeat(ten, 20_000)}},
		{Name: "output one too long", Template: "{% for i in (1..20000) %}" + ten + "{% endfor %}\n", Expect: answer{Error: "render"}},
		{Name: "output of a loop", Template: "{% for i in (1..21000) %}" + ten + "{% endfor %}", Expect: answer{Error: "render", Line: 1}},
		{Name: "output of one value", Template: "a\n" + double + "\n{{ x }}", Expect: answer{Error: "render", Line: 3}},
		{Name: "most names", Template: strings.Repeat("{{ input.n }}", 500), Expect: answer{Out: strings.Repeat("3", 500)}},
		{Name: "too many names", Template: strings.Repeat("{{ input.n }}", 501), Expect: answer{Error: "parse"}},
		{Name: "longest template", Template: strings.Repeat("a", 65_536), Expect: answer{Out: strings.Repeat("a", 65_536)}},
		{Name: "template too long", Template: strings.Repeat("a", 65_537), Expect: answer{Error: "parse"}},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if fault := c.check(corpusVariables(t, nil)); fault != "" {
				t.Fatal(fault)
			}
		})
	}
}
