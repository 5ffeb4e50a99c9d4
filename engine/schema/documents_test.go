package schema

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the documents give into their golden files")

// report compiles the schema of a document, wherever it stands, and lists the
// problems or, when there are none, the warnings.
func report(t *testing.T, source []byte) string {
	t.Helper()
	document, outside := frontmatter.Read(source)
	if document.Root == nil {
		t.Fatal("no front matter")
	}
	var found []problem.Problem
	if node := document.Root.Get("input").Get("schema"); node != nil {
		_, found = Compile(node, "/input/schema", Options{ObjectRoot: true})
	} else {
		var s *Schema
		s, found = Compile(document.Root.Get("output").Get("schema"), "/output/schema", Options{})
		if (s == nil) != (len(found)+len(outside) > 0) {
			t.Errorf("a schema: %v, with problems %v and %v", s != nil, found, outside)
		}
		if s != nil {
			found = Warnings(s)
		}
	}
	var text strings.Builder
	for _, p := range problem.Sort(append(outside, found...)) {
		if p.Line < 1 || p.Column < 1 {
			t.Errorf("%s has no place: column %d", p, p.Column)
		}
		text.WriteString(p.String() + "\n")
	}
	return text.String()
}

func TestDocumentsGiveTheirReports(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob(fixtures + "*/*.md")
	if err != nil || len(documents) < 15 {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	for _, path := range documents {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, golden := report(t, source), strings.TrimSuffix(path, ".md")+".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if difference := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); difference != "" {
				t.Errorf("(-want +got)\n%s", difference)
			}
		})
	}
}
