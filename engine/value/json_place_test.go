package value

import (
	"errors"
	"testing"
)

func TestParseJSONTellsThePlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text         string
		line, column int
	}{
		{`{"a": }`, 1, 7},
		{"{\n  \"a\": tru\n}", 2, 11},
		{"{\n  \"a\": \"x\",\n}", 3, 1},
		{`[1, 2 3]`, 1, 7},
		{`{"a": [1, {"b": 01}]}`, 1, 18},
		{`{"a" 1}`, 1, 6},
		{`{a: 1}`, 1, 2},
		{"[\n\n1,,2]", 3, 3},
		{`nul`, 1, 4},
		{`{"a": 1} x`, 1, 10},
		{``, 1, 1},
		{`{"a": "x`, 1, 9},
	} {
		_, err := ParseJSON([]byte(c.text), 10)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: got %v", c.text, err)
			continue
		}
		if syntax.Line != c.line || syntax.Column != c.column {
			t.Errorf("%q: got %v, want line %d, column %d", c.text, syntax, c.line, c.column)
		}
	}
}
