package report

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"plain", "plain"},
		{"übergröße 東京 🙂", "übergröße 東京 🙂"},
		{"a\x1b[31mb", `a\x1b[31mb`},
		{"a\nb\tc\rd", `a\nb\tc\rd`},
		{"\x00\x7f\u009b", `\x00\x7f\u009b`},
		{"a\u202eb\u2066c\u200fd\u2028e", `a\u202eb\u2066c\u200fd\u2028e`},
		{"a\xffb", `a\xffb`},
		{"a\ufffdb", "a\ufffdb"},
		{"", ""},
	} {
		if got := Visible(c.text); got != c.want {
			t.Errorf("Visible(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	if got, want := VisibleLines("a\tb\n\x1bc\r\n"), "a\tb\n\\x1bc\\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line   string
		column int
		text   string
		cell   int
	}{
		{"abc", 1, "abc", 0},
		{"abc", 3, "abc", 2},
		{"abc", 4, "abc", 3},
		{"abc", 0, "abc", -1},
		{"\tx", 2, "    x", 4},
		{"ab\tx", 4, "ab  x", 4},
		{"abcd\tx", 6, "abcd    x", 8},
		{"東京x", 3, "東京x", 4},
		{"東\tx", 3, "東  x", 4},
		{"e\u0301x", 3, "e\u0301x", 1},
		{"👩\u200d👩\u200d👧x", 6, "👩\u200d👩\u200d👧x", 2},
		{"a\x1bx", 3, `a\x1bx`, 5},
		{"a\xffx", 3, `a\xffx`, 5},
	} {
		text, cell := expand(c.line, c.column)
		if text != c.text || cell != c.cell {
			t.Errorf("expand(%q, %d) = %q, %d, want %q, %d", c.line, c.column, text, cell, c.text, c.cell)
		}
	}
}

func TestVisibleJSONIsTheSameValue(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain é 😀", "a\u007fb\u009b31m\u202e\u2028\u061c\u2066 \ufeff", "\x1b]0;\a"} {
		written, err := json.MarshalIndent(map[string]string{text: text}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		shown := VisibleJSON(string(written))
		if VisibleLines(shown) != shown {
			t.Errorf("%q shows as %q", text, shown)
		}
		var read map[string]string
		if err := json.Unmarshal([]byte(shown), &read); err != nil || read[text] != text {
			t.Errorf("%q reads as %q, %v", text, read, err)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff\t東京")
	f.Fuzz(func(t *testing.T, text string) {
		shown := Visible(text)
		if strings.ContainsFunc(shown, hidden) {
			t.Errorf("%q is shown as %q", text, shown)
		}
		for column := range 10 {
			expand(text, column)
		}
	})
}
