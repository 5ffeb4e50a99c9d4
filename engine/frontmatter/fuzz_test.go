package frontmatter

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
)

// FuzzFrontMatter holds what is true of every source: reading ends without a
// panic, problems are in order and within the file, the body is the file's, and
// front matter that has no problems keeps its values when it is written as JSON,
// which is YAML too.
func FuzzFrontMatter(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add([]byte("---\n" + c.source + "---\nBody {{ input.x }}\n"))
	}
	for _, front := range texts {
		f.Add(document(front))
	}
	for _, source := range []string{"", "---", "\ufeff---\r\na: 1\r---\rx", "---\na: \x00\xff\n---\n", "---\na: \"\\ud83d\\ude00\"\n---\n", " ---\n\n---"} {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		document, problems := Read(source)
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(source), "\ufeff"))
		last := strings.Count(text, "\n") + 1
		line := 1
		for _, p := range problems {
			if p.Line < line || p.Line > last || p.Column < 1 || p.Message == "" || p.Rule == "" {
				t.Fatalf("%+v after line %d, in a file of %d lines", p, line, last)
			}
			line = p.Line
		}
		if document.BodyLine < 1 || document.BodyLine > last || !utf8.ValidString(document.Body) {
			t.Fatalf("the body is on line %d of %d", document.BodyLine, last)
		}
		if utf8.Valid(source) && !strings.HasSuffix(strings.ToValidUTF8(text, ""), document.Body) && len(problems) == 0 {
			t.Fatalf("the body is %q", document.Body)
		}
		for _, root := range []*Node{document.Root, document.Partial} {
			if root != nil {
				checkTree(t, root, last)
			}
		}
		if len(problems) == 0 {
			written := value.JSON(document.Root.Value())
			again, problems := Read([]byte("---\n" + written + "\n---\n"))
			readable := len(written) < MaxFrontMatter && clean([]byte(written)) // an escape may give any character
			if readable && (len(problems) > 0 || value.JSON(again.Root.Value()) != written) {
				t.Fatalf("%s reads as %s, %v", written, value.JSON(again.Root.Value()), problems)
			}
		}
	})
}

// checkTree holds that a tree is whole and its places are in the file.
func checkTree(t *testing.T, n *Node, last int) {
	if n.Line < 1 || n.Line > last || n.Column < 1 {
		t.Fatalf("a node at %d:%d of %d lines", n.Line, n.Column, last)
	}
	if n.Kind == Mapping && len(n.Keys) != len(n.Items) {
		t.Fatalf("%d keys and %d values", len(n.Keys), len(n.Items))
	}
	for i, key := range n.Keys {
		if key.Line < 1 || key.Line > last || key.Column < 1 || n.Get(key.Name) != n.Items[i] {
			t.Fatalf("a key %+v", key)
		}
	}
	if text, isText := n.scalar.(string); isText {
		for _, place := range [][2]int{{1, 1}, {1, len(text)}, {strings.Count(text, "\n") + 1, 1}, {9, 9}} {
			if line, column := n.Place(place[0], place[1]); line < 1 || column < 1 || line > last+place[0] {
				t.Fatalf("%v of %q is at %d:%d", place, text, line, column)
			}
		}
	}
	for _, item := range n.Items {
		checkTree(t, item, last)
	}
}
