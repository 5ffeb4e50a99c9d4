package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

var update = flag.Bool("update", false, "write what was found into the expected files")

// files are what a check of four files found, with everything a report can
// have to show.
var files = []*lint.File{
	{
		Path: "reasoning/review.md", Type: "reasoning", Refused: 2,
		Problems: []problem.Problem{
			{Line: 4, Column: 16, Pointer: "/config/temperature", Rule: problem.ValueType, Severity: problem.Refused, Message: "Expected number"},
			{Line: 12, Column: 22, Rule: problem.UnknownFilter, Severity: problem.Refused, Message: "Unknown filter moneyy; did you mean money?"},
		},
		Excerpts: []lint.Excerpt{
			{Text: "  temperature: warm", Column: 16},
			{Text: "東京\t{{ input.total | moneyy }}", Column: 22},
		},
		Rejection: problem.NewRejection(problem.InvalidInput, "The document has problems",
			problem.Issue{Pointer: "/source", Detail: "Line 4, /config/temperature: Expected number"},
			problem.Issue{Pointer: "/source", Detail: "Line 12: Unknown filter moneyy; did you mean money?"}),
	},
	{Path: "reasoning/clean.md", Type: "reasoning"},
	{Path: "reasoning/closed.md", Type: "reasoning", Err: errors.New("permission denied")},
	{
		Path: "interaction/\x1b[31m<b>.md", Type: "interaction", Warned: 2,
		Problems: []problem.Problem{
			{Line: 130, Pointer: "/output/schema/properties/a~1b", Rule: problem.SchemaPortable, Severity: problem.Warning, Message: "minimum is not enforced"},
			{Line: 131, Column: 41, Rule: problem.SchemaUnchecked, Severity: problem.Warning, Message: "format \u202e is not checked"},
		},
		Excerpts: []lint.Excerpt{
			{Text: "    minimum: 0 \x07"},
			{Text: "e\u0301🙂\u200b x x x x x x x x x x x x x x x x x x x x", Column: 41, CutLeft: true, CutRight: true},
		},
	},
}

var summary = lint.Summary{Files: 3, WithProblems: 2, Problems: 2, Warnings: 2, Unreadable: 1}

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, format := range Formats {
		for _, colour := range []bool{false, true} {
			var out bytes.Buffer
			printer := format.New(&out, Options{Colour: colour})
			for _, file := range files {
				if err := printer.File(file); err != nil {
					t.Fatal(err)
				}
			}
			if err := printer.Close(summary); err != nil {
				t.Fatal(err)
			}
			name := format.Name
			if colour {
				name += "-colour"
			}
			compare(t, filepath.Join("testdata", name+".golden"), out.Bytes())
		}
	}
}

func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: %s", path, diff)
	}
}

func TestJSONIsOneValue(t *testing.T) {
	t.Parallel()
	for n := range len(files) {
		var out bytes.Buffer
		printer := newJSON(&out, Options{})
		listed := 0
		for _, file := range files[:n] {
			if file.Err == nil {
				listed++
			}
			if err := printer.File(file); err != nil {
				t.Fatal(err)
			}
		}
		if err := printer.Close(summary); err != nil {
			t.Fatal(err)
		}
		var value struct {
			Files   []map[string]any
			Summary map[string]int
		}
		if err := json.Unmarshal(out.Bytes(), &value); err != nil {
			t.Fatalf("after %d files: %v\n%s", n, err, out.String())
		}
		if len(value.Files) != listed || value.Summary["problems"] != 2 {
			t.Errorf("after %d files: %v", n, value)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestAWriterThatFailsIsAnError(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for _, format := range Formats {
		printer := format.New(failing{full}, Options{})
		err := errors.Join(printer.File(files[0]), printer.Close(summary))
		if !errors.Is(err, full) {
			t.Errorf("%s: got %v", format.Name, err)
		}
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		summary lint.Summary
		want    string
	}{
		{lint.Summary{}, "No problems in 0 files"},
		{lint.Summary{Files: 1}, "No problems in 1 file"},
		{lint.Summary{Files: 17}, "No problems in 17 files"},
		{lint.Summary{Files: 17, WithProblems: 2, Problems: 3, Warnings: 1}, "3 problems, 1 warning in 2 of 17 files"},
		{lint.Summary{Files: 1, WithProblems: 1, Problems: 1}, "1 problem in 1 file"},
		{lint.Summary{Files: 5, WithProblems: 1, Warnings: 2}, "No problems, 2 warnings in 1 of 5 files"},
		{lint.Summary{Files: 5, Unreadable: 1}, "No problems in 5 files; 1 file could not be read"},
	} {
		if got := Sentence(c.summary); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTableOfFormats(t *testing.T) {
	t.Parallel()
	names := Names()
	if !slices.Contains(names, "text") || !slices.Contains(names, "json") || names[0] != "text" {
		t.Errorf("got %v", names)
	}
	for _, name := range names {
		if format, ok := ByName(name); !ok || format.Name != name || format.About == "" {
			t.Errorf("%s: got %v, %v", name, format, ok)
		}
	}
	if _, ok := ByName("xml"); ok {
		t.Error("xml is a format")
	}
}
