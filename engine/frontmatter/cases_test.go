package frontmatter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// The cases under fixtures/frontmatter are front matters with what the npm
// package yaml makes of them, under YAML 1.2 and the core schema. A line of
// overrides.jsonl names a case where the formats ask for something else, the
// lines that are right, and why.

var update = flag.Bool("update", false, "write the golden files anew")

const fixtures = "../../fixtures/frontmatter"

type yamlCase struct {
	name, source string
	reference    value.Value   // when the reference has no errors
	errorLines   []int         // lines of the front matter with an error, an anchor, an alias or a tag
	override     *caseOverride // nil when the reference is right
}

type caseOverride struct {
	Name    string `json:"name"`
	Lines   []int  `json:"lines"`
	Because string `json:"because"`
}

func readCases(t testing.TB) []yamlCase {
	t.Helper()
	overrides := map[string]*caseOverride{}
	eachLine(t, "overrides.jsonl", func(line []byte) {
		override := &caseOverride{}
		if err := json.Unmarshal(line, override); err != nil || override.Because == "" {
			t.Fatalf("overrides.jsonl: %s: %v", line, err)
		}
		overrides[override.Name] = override
	})
	var cases []yamlCase
	eachLine(t, "cases.jsonl", func(line []byte) {
		var read struct{ Name, Source string }
		if err := json.Unmarshal(line, &read); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, yamlCase{name: read.Name, source: read.Source, override: overrides[read.Name]})
	})
	at := 0
	eachLine(t, "expected.jsonl", func(line []byte) {
		read, err := value.ParseJSON(line, 200)
		if err != nil {
			t.Fatal(err)
		}
		c := &cases[at]
		if name, _ := value.Lookup(read, "/name"); name != c.name {
			t.Fatalf("expected.jsonl has %v where cases.jsonl has %s", name, c.name)
		}
		c.reference, _ = value.Lookup(read, "/value")
		c.errorLines = errorLines(read)
		at++
	})
	if at != len(cases) || at < 400 {
		t.Fatalf("%d cases and %d expectations", len(cases), at)
	}
	return cases
}

// errorLines gives the lines of everything the formats refuse in a reference.
func errorLines(read value.Value) []int {
	var lines []int
	for _, of := range []string{"errors", "anchors", "aliases", "tags"} {
		list, _ := value.Lookup(read, "/"+of)
		for _, item := range list.([]value.Value) {
			if line, found := value.Lookup(item, "/line"); found {
				item = line
			}
			whole, _ := value.Whole(item)
			lines = append(lines, int(whole))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func eachLine(t testing.TB, name string, visit func(line []byte)) {
	t.Helper()
	file, err := os.Open(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		visit(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// problemLines gives the lines of problems as lines of the front matter.
func problemLines(problems []problem.Problem) []int {
	lines := []int{}
	for _, p := range problems {
		lines = append(lines, p.Line-1)
	}
	return slices.Compact(lines)
}

// asReference gives a value as JavaScript has it: every number a float64, and
// an empty front matter null.
func asReference(v value.Value) value.Value {
	switch v := v.(type) {
	case value.Exact:
		return v.Float()
	case []value.Value:
		list := make([]value.Value, len(v))
		for i, item := range v {
			list[i] = asReference(item)
		}
		return list
	case *value.Object:
		object := value.NewObject(v.Len())
		for i := range v.Len() {
			key, item := v.At(i)
			object.Set(key, asReference(item))
		}
		return object
	}
	return v
}

func TestCasesAgreeWithTheReference(t *testing.T) {
	t.Parallel()
	overridden := 0
	for _, c := range readCases(t) {
		read, problems := Read([]byte("---\n" + c.source + "---\nBody\n"))
		if read.Body != "Body\n" || read.BodyLine != 3+strings.Count(c.source, "\n") {
			t.Errorf("%s: body %q on line %d", c.name, read.Body, read.BodyLine)
		}
		lines := problemLines(problems)
		if c.override != nil {
			overridden++
			if !slices.Equal(lines, c.override.Lines) {
				t.Errorf("%s: problems on lines %v, want %v\n%s\n%v", c.name, lines, c.override.Lines, c.source, problems)
			}
			continue
		}
		switch {
		case len(lines) == 0 && len(c.errorLines) == 0:
			got, want := value.JSON(asReference(read.Root.Value())), value.JSON(asReference(c.reference))
			if want == "null" {
				want = "{}"
			}
			if got != want {
				t.Errorf("%s: value %s, want %s\n%s", c.name, got, want, c.source)
			}
		case len(lines) == 0 || len(c.errorLines) == 0 || lines[0] != c.errorLines[0]:
			t.Errorf("%s: problems on lines %v, want the first on the first of %v\n%s\n%v", c.name, lines, c.errorLines, c.source, problems)
		}
	}
	if overridden == 0 {
		t.Error("no case has an override")
	}
}

// TestCaseProblems keeps what is said about every written case that has
// problems, so that a change of words or places is seen.
func TestCaseProblems(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	for _, c := range readCases(t) {
		_, problems := Read([]byte("---\n" + c.source + "---\nBody\n"))
		if len(problems) == 0 || !strings.HasPrefix(c.name, "written") || len(c.source) > 500 {
			continue
		}
		fmt.Fprintf(&said, "%s\n", strings.TrimSuffix(strings.ReplaceAll("    "+c.source, "\n", "\n    "), "\n    "))
		for _, p := range problems {
			fmt.Fprintf(&said, "%d:%d %s [%s]\n", p.Line, p.Column, strings.TrimPrefix(p.String(), fmt.Sprintf("Line %d", p.Line)), p.Rule)
		}
		said.WriteByte('\n')
	}
	golden := filepath.Join(fixtures, "problems.txt")
	if *update {
		if err := os.WriteFile(golden, said.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(said.Bytes(), want) {
		t.Errorf("the problems have changed; run the test with -update and look at the difference of %s", golden)
	}
}
