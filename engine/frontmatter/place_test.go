package frontmatter

import (
	"strings"
	"sync"
	"testing"
	"unicode"
)

// texts are front matters whose every text is written in another way.
var texts = []string{
	"a: plain text\n",
	"a:   plain text   # and a comment\n",
	"a: plain text\n  that goes on\n\n\n    and on\n",
	"a:\n  plain text on\n  the next line\n",
	"a: 'quoted text'\n",
	"a: 'it''s quoted'\n",
	"a: 'quoted  \n  text\n\n  it''s\n\n\n  long'\n",
	"a: \"quoted text\"\n",
	"a: \"quoted \\\"text\\\" \\x41 \\u00e9 \\U0001F600 end\"\n",
	"a: \"one\\ntwo\\nthree\"\n",
	"a: \"one \\\n    two \\\n    three\"\n",
	"a: \"one\n  two\n\n  three\\\n\n  four\"\n",
	"a: \"x \\ud83d\\ude00 y\"\n",
	"a: |\n  one\n  two\n\n  three\n",
	"a: |\n\n\n  one\n    two\n  three\n",
	"a: |-  # comment\n     one\n       two\n",
	"a: |2\n    one\n  two\n",
	"a: |+2\n    one\n  two\n\n",
	"a:\n  b:\n    - |\n      one\n      two\n    - |1\n       one\n      two\n",
	"a: >\n  one\n  two\n\n  three\n\n\n  four\n",
	"a: >\n  one\n    two\n    three\n\n  four\n  five\n",
	"a: >-\n\n  one\n  two\n\n    three\n\n    four\n  five\n",
	"a: >\n  one\n  \ttwo\n  three\n",
	"a: [one, 'two', \"three\", four\n  five]\n",
	"é: 日本語 text\n",
	"é: \"日本語 \\t text\"\n",
	"a: b\u2028c d\n",
	"a:\n- one\n- two three\n-\n  four\n",
}

// TestPlaceFindsEveryCharacter looks each character of each text up in the file.
func TestPlaceFindsEveryCharacter(t *testing.T) {
	t.Parallel()
	for _, front := range texts {
		source := "---\n" + front + "---\n"
		document, problems := Read([]byte(source))
		if len(problems) > 0 {
			t.Errorf("%q: %v", front, problems)
			continue
		}
		lines := strings.Split(source, "\n")
		eachText(document.Root, func(n *Node, text string) {
			line, column := 1, 1
			for _, r := range text {
				atLine, atColumn := n.Place(line, column)
				if atLine < 1 || atLine > len(lines) {
					t.Fatalf("%q: %d:%d of %q is placed on line %d", front, line, column, text, atLine)
				}
				written := []rune(lines[atLine-1] + "\n")
				if atColumn < 1 || atColumn > len(written) {
					t.Fatalf("%q: %d:%d of %q is placed at %d:%d", front, line, column, text, atLine, atColumn)
				}
				got := written[atColumn-1]
				if escaped := got == '\\' || got == '\''; got != r && !escaped && !unicode.IsSpace(r) {
					t.Errorf("%q: %d:%d of %q is placed at %d:%d, which is %q, not %q", front, line, column, text, atLine, atColumn, got, r)
				}
				column++
				if r == '\n' {
					line, column = line+1, 1
				}
			}
		})
	}
}

func eachText(n *Node, visit func(n *Node, text string)) {
	if text, isText := n.Value().(string); isText && n.Kind == Scalar {
		visit(n, text)
	}
	for _, item := range n.Items {
		eachText(item, visit)
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, front  string
		line, column int
		wantLine     int
		wantColumn   int
	}{
		{"plain", "a: Hello {{ x }}\n", 1, 10, 2, 13},
		{"single quotes", "a: '{{ x }}'\n", 1, 4, 2, 8},
		{"a doubled quote", "a: 'it''s {{ x }}'\n", 1, 9, 2, 14},
		{"an escape", `a: "a\tb{{ x }}"` + "\n", 1, 4, 2, 9},
		{"a line end in double quotes", `a: "a\nb{{ x }}"` + "\n", 2, 2, 2, 9},
		{"literal", "a: |\n  one\n  {{ x }}\n", 2, 4, 4, 6},
		{"literal with its indentation", "a: |2\n   one\n  {{ x }}\n", 2, 4, 4, 6},
		{"folded", "a: >\n  one\n  {{ x }}\n", 1, 8, 4, 6},
		{"folded, next paragraph", "a: >\n  one\n\n  {{ x }}\n", 2, 4, 5, 6},
		{"past the end of a line", "a: |\n  one\n  two\n", 1, 4, 3, 6},
		{"past the end of the text", "a: one\n", 1, 99, 2, 7},
		{"past the last line", "a: one\n", 3, 1, 2, 7},
		{"no text", "a: 12\n", 1, 2, 2, 4},
		{"an empty text", "a: ''\n", 1, 1, 2, 4},
		{"before the text", "a: one\n", 0, 0, 2, 4},
	} {
		document, problems := Read(document(test.front))
		if len(problems) > 0 {
			t.Errorf("%s: %v", test.name, problems)
			continue
		}
		line, column := document.Root.Get("a").Place(test.line, test.column)
		if line != test.wantLine || column != test.wantColumn {
			t.Errorf("%s: %d:%d, want %d:%d", test.name, line, column, test.wantLine, test.wantColumn)
		}
	}
}

// TestPlaceManyPositions asks for so many positions in their order that walking
// anew for each would take minutes.
func TestPlaceManyPositions(t *testing.T) {
	t.Parallel()
	read, problems := Read(document("a: \"" + strings.Repeat("word \\n", 60_000) + "\"\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	node := read.Root.Get("a")
	for line := 1; line <= 60_000; line++ {
		if at, column := node.Place(line, 3); at != 2 || column != 5+7*(line-1)+2 {
			t.Fatalf("line %d is placed at %d:%d", line, at, column)
		}
	}
}

func TestPlaceManyLines(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"|", ">"} {
		read, problems := Read(document("a: " + mark + "\n" + strings.Repeat("\n", 60_000) + strings.Repeat("  word\n\n", 30_000)))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		node := read.Root.Get("a")
		for i := range 60_000 {
			if at, _ := node.Place(60_001+i/2*2, 3); at < 60_003 {
				t.Fatalf("%s: line %d is placed on line %d", mark, 60_001+i, at)
			}
		}
	}
}

// TestPlaceFromManyGoroutines asks forwards and backwards at the same time.
func TestPlaceFromManyGoroutines(t *testing.T) {
	t.Parallel()
	read, problems := Read(document("a: \"" + strings.Repeat("word \\n", 100) + "\"\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	node := read.Root.Get("a")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 200 {
				line := 1 + i%100
				if i >= 100 {
					line = 200 - i
				}
				if at, column := node.Place(line, 3); at != 2 || column != 5+7*(line-1)+2 {
					t.Errorf("line %d is placed at %d:%d", line, at, column)
				}
			}
		})
	}
	all.Wait()
}

func TestPlaceWithoutALine(t *testing.T) {
	t.Parallel()
	line, column := FromValue("a {{ x }}").Place(3, 7)
	if line != 3 || column != 7 {
		t.Errorf("%d:%d, want 3:7", line, column)
	}
	var none *Node
	if line, column = none.Place(1, 2); line != 1 || column != 2 {
		t.Errorf("%d:%d, want 1:2", line, column)
	}
}
