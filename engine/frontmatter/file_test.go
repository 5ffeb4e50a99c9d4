package frontmatter

import (
	"testing"

	"github.com/beonauto/auto/engine/value"
)

func TestReadYAML(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":                              `{}`,
		"# The settings\n":              `{}`,
		"\ufeffa: 014\r\nb: [yes, 1]\n": `{"a":14,"b":["yes",1]}`,
		"---\na: 1\n":                   `{"a":1}`,
	} {
		root, problems := ReadYAML([]byte(source))
		if len(problems) > 0 || value.JSON(root.Value()) != want {
			t.Errorf("%q reads as %s with %v, want %s", source, value.JSON(root.Value()), problems, want)
		}
	}
	for source, want := range map[string]string{
		"# one\na: 1\nb: &x 2\n": "Line 3, /b: ",
		"a: 1\na: 2\n":           "Line 2, /a: ",
		"- a\n":                  "Line 1: ",
		"a: [\n":                 "Line 2: ",
	} {
		_, problems := ReadYAML([]byte(source))
		if len(problems) != 1 || problems[0].String()[:len(want)] != want {
			t.Errorf("%q gives %v, want one at %s", source, problems, want)
		}
	}
}
