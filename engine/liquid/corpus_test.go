package liquid

// This file compares the engine with every case of the corpus.

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// corpusCase is a line of cases.jsonl or overrides.jsonl with what it must give.
type corpusCase struct {
	Name     string          `json:"name"`
	Template string          `json:"template"`
	Input    json.RawMessage `json:"input"`
	System   bool            `json:"system"`
	Expect   expectation     `json:"expect"`
}

// expectation is what a case gives: text, the two texts of a template with a
// system block, or an error on a line.
type expectation struct {
	Name         string  `json:"name"`
	Out          *string `json:"out"`
	Message      *string `json:"message"`
	Instructions *string `json:"instructions"`
	Error        string  `json:"error"`
	Line         int     `json:"line"`
}

const corpusDir = "../../fixtures/liquid"

// readLines gives each line of a corpus file read as JSON.
func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	file, err := os.Open(filepath.Join(corpusDir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var lines []T
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		var line T
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lines = append(lines, line)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// corpus gives every case with its input and what it must give.
func corpus(t testing.TB) []corpusCase {
	t.Helper()
	cases := readLines[corpusCase](t, "cases.jsonl")
	expected := readLines[expectation](t, "expected.jsonl")
	if len(cases) != len(expected) {
		t.Fatalf("%d cases, %d expectations", len(cases), len(expected))
	}
	for i := range cases {
		if cases[i].Name != expected[i].Name {
			t.Fatalf("case %d is %s, its expectation %s", i, cases[i].Name, expected[i].Name)
		}
		cases[i].Expect = expected[i]
	}
	return append(cases, readLines[corpusCase](t, "overrides.jsonl")...)
}

func corpusInput(t testing.TB) value.Value {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpusDir, "input.json"))
	if err != nil {
		t.Fatal(err)
	}
	return parseJSON(t, string(text))
}

func parseJSON(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON([]byte(text), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// promptNames are the names a prompt reads.
var promptNames = map[string]Shape{"input": nil, "today": nil, "now": nil}

func promptVariables(input value.Value) map[string]value.Value {
	return map[string]value.Value{"input": input, "today": "2026-10-01", "now": "2026-10-01T12:00:00.000Z"}
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	common := corpusInput(t)
	for _, c := range corpus(t) {
		input := common
		if c.Input != nil {
			input = parseJSON(t, string(c.Input))
		}
		c.check(t, input)
	}
}

func (c corpusCase) check(t *testing.T, input value.Value) {
	t.Helper()
	template, problems := Parse(c.Template, Options{Names: promptNames, System: c.System})
	if len(problems) > 0 {
		// What the reference finds while rendering may be found when parsing.
		if (c.Expect.Error != "parse" && c.Expect.Error != "either") || !onLine(problems, c.Expect.Line) {
			t.Errorf("%s: %q\ngave problems %v\nwant %s", c.Name, c.Template, problems, c.Expect)
		}
		return
	}
	rendered, err := template.Render(promptVariables(input), Limits{})
	if err != nil {
		failure := err.(*RenderError)
		if (c.Expect.Error != "render" && c.Expect.Error != "either") || (c.Expect.Line != 0 && failure.Line != c.Expect.Line) {
			t.Errorf("%s: %q\nstopped on line %d: %v\nwant %s", c.Name, c.Template, failure.Line, err, c.Expect)
		}
		return
	}
	switch {
	case c.Expect.Out != nil && rendered.Message == *c.Expect.Out:
	case c.Expect.Message != nil && rendered.Message == *c.Expect.Message &&
		rendered.HasInstructions == (c.Expect.Instructions != nil) &&
		(!rendered.HasInstructions || rendered.Instructions == *c.Expect.Instructions):
	default:
		t.Errorf("%s: %q\ngave %+q\nwant %s", c.Name, c.Template, rendered, c.Expect)
	}
}

func onLine(problems []problem.Problem, line int) bool {
	for _, p := range problems {
		if line == 0 || p.Line == line {
			return true
		}
	}
	return false
}

func (e expectation) String() string {
	text, err := json.Marshal(e)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
