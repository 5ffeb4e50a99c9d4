package problem

import (
	"strings"
	"testing"
)

func TestListedWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"text"}, "text"},
		{[]string{"text", "json"}, "text or json"},
		{[]string{"reasoning", "interaction", "lookup"}, "reasoning, interaction or lookup"},
	} {
		if got := AnyOf(c.words); got != c.want {
			t.Errorf("%q: got %q, want %q", c.words, got, c.want)
		}
		if got, want := AllOf(c.words), strings.Replace(c.want, " or ", " and ", 1); got != want {
			t.Errorf("%q: got %q, want %q", c.words, got, want)
		}
	}
}
