package cells

import (
	"strings"
	"testing"
	"unicode"
)

var hostile = []string{
	"\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x1b\\", "\u009b31m", "a\rb", "a\bb", "x\x00y",
	"user\u202etxt.exe", "\u2066hidden\u2069", "\ufeffbom", "soft\u00adhyphen", "zero\u200bwidth", "\xff\xfe",
	"tag\U000e0041", "line\u2028sep", "e" + strings.Repeat("\u0301", 500), "\u3164", strings.Repeat("\x1b[A", 1000),
}

func TestNothingSteersATerminal(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		for _, line := range append(Lines(text), Line(text)) {
			marks := 0
			for _, r := range line {
				if unicode.IsControl(r) || r == '\u202E' || r == '\u2066' || r == '\uFEFF' {
					t.Errorf("%q keeps %U: %q", text, r, line)
				}
				if isMark(r) {
					marks++
				}
			}
			if marks > most {
				t.Errorf("%q keeps %d marks on a character", text, marks)
			}
		}
	}
}

func TestWhatPeopleWriteStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Ready to launch?", "Größe: 3 µm – “fine”", "営業部の承認", "ok ✅ 👍🏽 🇩🇪", "مرحبا", "cafe\u0301", "می‌خواهم", "नमस्ते", "ක්\u200dෂ",
	} {
		if got := Line(text); got != text {
			t.Errorf("Line(%q) = %q", text, got)
		}
	}
}

// TestTextTakesItsCells tests both ways that terminals draw text, of which a process has
// one: it is not run beside other tests.
func TestTextTakesItsCells(t *testing.T) {
	const family = "👩\u200d👩\u200d👧"
	if got := Line(family + " ✔️"); got != "👩👩👧 ✔️" || Width(got) != 8 {
		t.Errorf("a family is %q, of %d cells", got, Width(got))
	}
	takeTheirCells(t)
	ByCluster(true)
	defer ByCluster(false)
	if got := Line(family + " ✔️"); got != family+" ✔️" || Width(got) != 5 {
		t.Errorf("a family is %q, of %d cells, where it is one character", got, Width(got))
	}
	takeTheirCells(t)
}

func takeTheirCells(t *testing.T) {
	t.Helper()
	for _, text := range []string{"", "short", "a rather long line of words", "営業部の承認を待つ", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "cafe\u0301 cafe\u0301 cafe\u0301", "🇩🇪🇩🇪 👍🏽 ✔️ नमस्ते"} {
		text = Line(text)
		for _, width := range []int{1, 2, 5, 9, 40} {
			if got := Width(Fill(text, width)); got != width {
				t.Errorf("Fill(%q, %d) takes %d cells", text, width, got)
			}
			if got := Width(FillStart(text, width)); got != width {
				t.Errorf("FillStart(%q, %d) takes %d cells", text, width, got)
			}
			if got := Width(CutStart(text, width)); got > width {
				t.Errorf("CutStart(%q, %d) takes %d cells", text, width, got)
			}
			for _, line := range Wrap(text, max(width, 4)) { // the widest character is of four
				if Width(line) > max(width, 4) {
					t.Errorf("Wrap(%q, %d) has a line of %d cells: %q", text, width, Width(line), line)
				}
			}
		}
	}
	if got := strings.Join(Break("ab  cd", 3), "|"); got != "ab | cd" {
		t.Errorf("got %q", got)
	}
	if got := Cut("approve-brief", 8); got != "approve…" {
		t.Errorf("got %q", got)
	}
	if got := CutStart("approve-brief", 6); got != "…brief" {
		t.Errorf("got %q", got)
	}
}
