package problem

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	filters := []string{"append", "money", "map", "minus", "round", "strip", "rstrip", "where"}
	for _, test := range []struct{ word, want string }{
		{"moneyy", "money"},
		{"mnoey", "money"},
		{"mone", "money"},
		{"Where", "where"},
		{"appned", "append"},
		{"stripp", "strip"},
		{"mop", "map"},
		{"money", "money"},
		{"x", ""},
		{"", ""},
		{"translate", ""},
		{strings.Repeat("a", 65), ""},
	} {
		if got := Nearest(test.word, filters); got != test.want {
			t.Errorf("Nearest(%q) = %q, want %q", test.word, got, test.want)
		}
	}
	if got := Nearest("naïf", []string{"naïve", "naïfs"}); got != "naïfs" {
		t.Errorf("Nearest counts letters, not bytes: got %q", got)
	}
	if got := Nearest("ab", []string{strings.Repeat("b", 200)}); got != "" {
		t.Errorf("a long word is never near: got %q", got)
	}
}

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	if got := DidYouMean("moneyy", []string{"money"}); got != "; did you mean money?" {
		t.Errorf("got %q", got)
	}
	if got := DidYouMean("zzz", []string{"money"}); got != "" {
		t.Errorf("got %q", got)
	}
}
