package schema

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
)

const fixtures = "../../fixtures/schema/"

// corpusCase is a case of the corpus with what Ajv says of it.
type corpusCase struct {
	Name     string          `json:"name"`
	Schema   json.RawMessage `json:"schema"`
	Instance json.RawMessage `json:"instance"`

	expected verdict
	override string // why the format says otherwise than Ajv
}

// verdict is a line of expected.jsonl or overrides.jsonl.
type verdict struct {
	Name    string `json:"name"`
	Valid   bool   `json:"valid"`
	Refused string `json:"refused"`
	Why     string `json:"why"`
	Errors  []struct {
		Pointer string `json:"pointer"`
		Keyword string `json:"keyword"`
	} `json:"errors"`
}

func lines[T any](t testing.TB, name string) []T {
	t.Helper()
	file, err := os.Open(fixtures + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []T
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var one T
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			t.Fatalf("%s: %v in %.80s", name, err, scanner.Bytes())
		}
		all = append(all, one)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// corpus reads the cases, each with the verdict it must get.
func corpus(t testing.TB) []corpusCase {
	t.Helper()
	cases, expected := lines[corpusCase](t, "cases.jsonl"), lines[verdict](t, "expected.jsonl")
	if len(cases) != len(expected) {
		t.Fatalf("%d cases, %d expected lines", len(cases), len(expected))
	}
	overrides := map[string]verdict{}
	for _, override := range lines[verdict](t, "overrides.jsonl") {
		if override.Why == "" {
			t.Errorf("%s: an override without a reason", override.Name)
		}
		overrides[override.Name] = override
	}
	for i := range cases {
		if cases[i].Name != expected[i].Name {
			t.Fatalf("case %d is %q, its expected line %q", i, cases[i].Name, expected[i].Name)
		}
		cases[i].expected = expected[i]
		if override, ok := overrides[cases[i].Name]; ok {
			if override.Valid == expected[i].Valid && override.Refused == expected[i].Refused {
				t.Errorf("%s: the override says what Ajv says", override.Name)
			}
			cases[i].expected, cases[i].override = override, override.Why
			delete(overrides, override.Name)
		}
	}
	for name := range overrides {
		t.Errorf("an override for %q, which is no case", name)
	}
	return cases
}

func parse(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON([]byte(text), 100_000)
	if err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return v
}

// compiled gives the schema of a JSON text that keeps the rules.
func compiled(t testing.TB, text string) *Schema {
	t.Helper()
	s, problems := FromValue(parse(t, text))
	if s == nil {
		t.Fatalf("%.200s: %v", text, problems)
	}
	return s
}

func TestCorpusAgreesWithAjv(t *testing.T) {
	t.Parallel()
	cases := corpus(t)
	if len(cases) < 450 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		s, problems := FromValue(parse(t, string(c.Schema)))
		if refused := c.expected.Refused != ""; (s == nil) != refused {
			t.Errorf("%s: problems %v, want refused: %q", c.Name, problems, c.expected.Refused)
			continue
		}
		if s == nil {
			continue
		}
		issues, err := s.Validate(parse(t, string(c.Instance)))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if valid := len(issues) == 0; valid != c.expected.Valid {
			t.Errorf("%s: issues %v, want valid: %v", c.Name, issues, c.expected.Valid)
			continue
		}
		if c.override == "" {
			samePlaces(t, c, issues)
		}
	}
}

// samePlaces compares where the issues are with where Ajv's errors are. Where
// a schema offers forms the two report differently by design.
func samePlaces(t *testing.T, c corpusCase, issues []Issue) {
	t.Helper()
	var want, got []string
	for _, e := range c.expected.Errors {
		if e.Keyword == "anyOf" || e.Keyword == "oneOf" {
			return
		}
		want = append(want, e.Pointer)
	}
	for _, issue := range issues {
		pointer := issue.Pointer
		switch issue.keyword {
		case "items":
			return // items: false, which Ajv reports at each item
		case "required", "additionalProperties", "uniqueItems", "propertyNames":
			// Ajv reports these at the object or list itself.
			pointer = pointer[:strings.LastIndexByte(pointer, '/')]
		}
		got = append(got, pointer)
	}
	slices.Sort(want)
	slices.Sort(got)
	if want, got = slices.Compact(want), slices.Compact(got); !slices.Equal(want, got) {
		t.Errorf("%s: issues at %q, Ajv's at %q", c.Name, got, want)
	}
}
