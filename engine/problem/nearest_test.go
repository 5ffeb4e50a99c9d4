package problem

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"moneyy", []string{"minus", "money", "modulo"}, "money"},
		{"strin", []string{"array", "string"}, "string"},
		{"requierd", []string{"required"}, "required"},
		{"additionalproperties", []string{"additionalProperties"}, "additionalProperties"},
		{"colour", []string{"count", "color"}, "color"},
		{"fo", []string{"for"}, "for"},
		{"zebra", []string{"money", "minus"}, ""},
		{"x", []string{"y"}, ""},
		{"ab", []string{"cd"}, ""},
		{"cat", []string{"car", "can"}, "car"},
		{"größe", []string{"grösse", "größen"}, "größen"},
		{"", []string{"a"}, ""},
		{strings.Repeat("a", 10_000), []string{"a"}, ""},
	} {
		if got, ok := Nearest(c.word, c.known); got != c.want || ok != (c.want != "") {
			t.Errorf("Nearest(%.20q) = %q, %v, want %q", c.word, got, ok, c.want)
		}
	}
}

func TestOrNear(t *testing.T) {
	t.Parallel()
	if got, want := OrNear("strin", []string{"array", "string"}), "; did you mean string?"; got != want {
		t.Errorf("OrNear of a near word is %q, want %q", got, want)
	}
	if got := OrNear("zebra", []string{"array", "string"}); got != "" {
		t.Errorf("OrNear of a word that is near none is %q", got)
	}
}

// TestSlipsAreCountedAlike compares the count, which leaves out what cannot
// matter, with the plain one over words of few letters.
func TestSlipsAreCountedAlike(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := make([]rune, random.IntN(9))
		for i := range letters {
			letters[i] = []rune("abcé")[random.IntN(4)]
		}
		return string(letters)
	}
	one := search{}
	for range 20_000 {
		typed, other := word(), word()
		one.typed = []rune(typed)
		want := plainSlips(one.typed, []rune(other))
		for enough := 1; enough < 9; enough++ {
			if got := one.slips(other, enough); min(got, enough) != min(want, enough) {
				t.Fatalf("%q and %q are %d slips apart, counted up to %d as %d", typed, other, want, enough, got)
			}
		}
		if shared := lettersOf(typed) &^ lettersOf(other); want == 0 && shared != 0 {
			t.Fatalf("%q and %q have other letters", typed, other)
		}
	}
}

// plainSlips is the distance by its definition.
func plainSlips(a, b []rune) int {
	switch {
	case len(a) == 0:
		return len(b)
	case len(b) == 0:
		return len(a)
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j-1]+cost, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
