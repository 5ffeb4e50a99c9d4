package safe_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/beonauto/auto/tui/safe"
)

func TestWordsFromOutside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, line, lines string }{
		{"plain", "Approve the brief", "Approve the brief", "Approve the brief"},
		{"empty", "", "", ""},
		{"accents and wide characters", "Crème 日本 👩‍👩‍👧 é", "Crème 日本 👩‍👩‍👧 é", "Crème 日本 👩‍👩‍👧 é"},
		{"line ends", "a\r\nb\rc\nd\u2028e\u0085f", "a b c d e f", "a\nb\nc\nd\ne\nf"},
		{"tab", "a\tb", "a b", "a    b"},
		{"colour", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m", "␛[31mred␛[0m"},
		{"title of the window", "\x1b]0;owned\x07", "␛]0;owned␇", "␛]0;owned␇"},
		{"upper half", "\u009b31m", "�31m", "�31m"},
		{"NUL and DEL", "a\x00b\x7f", "a␀b␡", "a␀b␡"},
		{"direction", "a\u202Etxt.exe", "a�txt.exe", "a�txt.exe"},
		{"no width", "ap\u200bprove", "ap�prove", "ap�prove"},
		{"not UTF-8", "a\xffb", "a�b", "a�b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := safe.Line(c.text); got != c.line {
				t.Errorf("Line: got %q, want %q", got, c.line)
			}
			if got := safe.Text(c.text); got != c.lines {
				t.Errorf("Text: got %q, want %q", got, c.lines)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	text := "{\n  \"a\": \"x\u202e\u009b\U000e0041é\"\n}"
	if got, want := safe.JSON(text), "{\n  \"a\": \"x\\u202e\\u009b\\udb40\\udc41é\"\n}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var before, after any
	if json.Unmarshal([]byte(text), &before) != nil || json.Unmarshal([]byte(safe.JSON(text)), &after) != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("%v became %v", before, after)
	}
}

func FuzzNothingActs(f *testing.F) {
	f.Add("\x1b[2J\x1b]52;c;aGk=\x07")
	f.Add("a\u009b\u202e\xc2")
	f.Fuzz(func(t *testing.T, text string) {
		line, lines := safe.Line(text), safe.Text(text)
		for _, r := range line {
			if unicode.IsControl(r) {
				t.Fatalf("Line left %U in %q", r, line)
			}
		}
		for _, r := range strings.ReplaceAll(lines, "\n", "") {
			if unicode.IsControl(r) {
				t.Fatalf("Text left %U in %q", r, lines)
			}
		}
		if safe.Line(line) != line || safe.Text(lines) != lines {
			t.Fatal("What was made safe changes when it is made so again")
		}
	})
}
