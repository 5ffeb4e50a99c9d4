package lint_test

// This file checks the documents under fixtures/definitions, each against the
// report that it must give: <type>/<topic>/<name>.md beside <name>.txt.

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/lint"
)

var update = flag.Bool("update", false, "write what was found into the expected files")

const fixtures = "../fixtures/definitions"

func TestFixtures(t *testing.T) {
	t.Parallel()
	documents, reports := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(fixtures, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		base := strings.TrimSuffix(path, filepath.Ext(path))
		switch filepath.Ext(path) {
		case ".md":
			documents[base] = true
		case ".txt":
			reports[base] = true
		default:
			t.Errorf("%s is neither a document nor a report", path)
		}
		return nil
	})
	if os.IsNotExist(err) {
		t.Skip("there are no fixtures")
	}
	if err != nil {
		t.Fatal(err)
	}
	for base := range reports {
		if !documents[base] {
			t.Errorf("%s.txt has no document", base)
		}
	}
	for base := range documents {
		name, _ := filepath.Rel(fixtures, base)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			checkFixture(t, base, strings.Split(filepath.ToSlash(name), "/"))
		})
	}
}

// checkFixture compares a document's report with the expected one. Its type
// is the first folder of its path.
func checkFixture(t *testing.T, base string, names []string) {
	t.Helper()
	if len(names) != 3 {
		t.Fatalf("%s.md is not <type>/<topic>/<name>.md", base)
	}
	options := lint.Options{
		Dir: filepath.Dir(base), Paths: []string{filepath.Base(base) + ".md"},
		Type: names[0], All: true,
	}
	expect(t, base+".txt", reportOf(t, options))
}

// expect compares a report with the expected one, which stands in a file.
func expect(t *testing.T, expected, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(expected, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(expected)
	if err != nil {
		t.Fatalf("%v; write it with -update and read it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the report is not the expected one (-want +got):\n%s", diff)
	}
}
