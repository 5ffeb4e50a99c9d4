package problem

import (
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
