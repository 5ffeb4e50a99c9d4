package definition

// This file lets random documents at the whole check: whatever they hold, it
// must never panic, report within the file, and say the same thing twice.

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// documentSeeds are the documents of the fixtures and of the playbooks.
func documentSeeds(f *testing.F) [][]byte {
	f.Helper()
	var seeds [][]byte
	for _, root := range []string{"../../fixtures/definitions", "../../playbooks"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
				return err
			}
			source, err := os.ReadFile(path)
			seeds = append(seeds, source)
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	if len(seeds) < 20 {
		f.Fatalf("%d documents to start from", len(seeds))
	}
	return seeds
}

func FuzzDocument(f *testing.F) {
	for _, source := range documentSeeds(f) {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, kind := range Types {
			result := Check(source, kind, Surroundings{})
			checkProblems(t, source, result)
			if again := Check(source, kind, Surroundings{}); !reflect.DeepEqual(again.Problems, result.Problems) {
				t.Fatalf("%s %q: problems %v, then %v", kind.Name, source, result.Problems, again.Problems)
			}
			if result.Definition != nil {
				renderSmall(t, source, result.Definition)
			}
		}
	})
}

// checkProblems holds that problems stand in the file, rise, and are each
// there once.
func checkProblems(t *testing.T, source []byte, result *Result) {
	t.Helper()
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(source), "\ufeff"))
	last := strings.Count(text, "\n") + 1
	type said struct {
		line             int
		pointer, message string
	}
	seen := map[said]bool{}
	line, refuses := 1, false
	for _, p := range result.Problems {
		if p.Line < line || p.Line > last || p.Column < 0 || p.Message == "" || p.Rule == "" || p.Severity == "" || !utf8.ValidString(p.Message) {
			t.Fatalf("%q: %+v after line %d of %d", source, p, line, last)
		}
		if key := (said{p.Line, p.Pointer, p.Message}); seen[key] {
			t.Fatalf("%q: %v is there twice", source, p)
		} else {
			seen[key] = true
		}
		if _, err := value.Tokens(p.Pointer); err != nil {
			t.Fatalf("%q: %q is no pointer", source, p.Pointer)
		}
		line, refuses = p.Line, refuses || p.Severity == problem.Refused
	}
	if refuses != (result.Definition == nil) {
		t.Fatalf("%q: definition %v with problems %v", source, result.Definition, result.Problems)
	}
}

// renderSmall renders a definition that compiled: what comes back is a
// rendering or a rejection.
func renderSmall(t *testing.T, source []byte, d *Definition) {
	t.Helper()
	input := value.NewObject(2)
	input.Set("brief", "We launch in November")
	input.Set("items", []value.Value{1.5, "two", nil, true})
	checked, err := d.Input.Apply(input)
	if err == nil {
		_, err = d.Function.Render(checked, Request{
			Name: "ask", RunID: "0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a", Moment: time.Date(2026, 11, 1, 9, 30, 0, 0, time.UTC),
		})
	}
	if err != nil && !errors.As(err, new(*problem.Rejection)) {
		t.Fatalf("%q: %v is no rejection", source, err)
	}
}
