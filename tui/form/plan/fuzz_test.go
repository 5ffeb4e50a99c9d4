package plan_test

import (
	"testing"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/form/plan"
)

// FuzzPlan makes plans of anything that is JSON: never a panic, never more fields
// than a plan may have, and what was given is read the same from a draft.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","required":["a"],"properties":{"a":{"enum":["x","y"]},"b":{"type":["integer","null"]}}}`,
		`{"$ref":"#"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		`{"allOf":[{"$ref":"#/allOf/0"}]}`, `{"allOf":{"a":1},"properties":[],"required":{},"enum":3,"type":[[]]}`,
		`{"$defs":{"a":{"properties":{"l":{"$ref":"#/$defs/b"},"r":{"$ref":"#/$defs/b"}}},"b":{"properties":{"l":{"$ref":"#/$defs/c"},"r":{"$ref":"#/$defs/c"}}},"c":{"type":"null"}},"$ref":"#/$defs/a"}`,
		`{"oneOf":[{"const":1,"title":3},{"const":1.0},{"anyOf":[{"type":"null"}]}],"default":{},"examples":{}}`,
		`{"type":"string","minLength":1e300,"maxLength":-1,"title":"\u001b[31m"}`,
		`{"type":"array","items":{"type":"object","properties":{"":{"type":"array","items":true}}},"minItems":2}`,
		`true`, `false`, `null`, `[]`, `"x"`, `{"properties":{"a":3,"b":null,"c":[{}]}}`,
		`{"type":"number","multipleOf":1e-400,"minimum":9007199254740993}`,
	} {
		f.Add(seed, "1")
	}
	f.Fuzz(func(t *testing.T, text, typed string) {
		written, err := value.ParseJSON([]byte(text), 500)
		if err != nil {
			return
		}
		p := plan.New(written)
		root := p.Entry()
		fields := 0
		root.Each(func(e *plan.Entry) {
			if fields++; fields > 100 {
				return
			}
			_ = e.Label()
			switch e.Field.Kind {
			case plan.Choice:
				e.Chosen = len(e.Field.Choices) - 1
			case plan.List:
				e.Add(0)
				e.Add(1)
			case plan.Object:
				e.NextBlank()
			default:
				e.Text = typed
			}
		})
		if fields > 1_100 {
			t.Fatalf("%d fields", fields)
		}
		reading := p.Read(root)
		if reading.Complete && len(reading.Issues) == 0 && !p.Unchecked {
			if again := p.Check(reading.Answer); len(again) > 0 {
				t.Fatalf("an answer without issues has these: %v", again)
			}
		}
		at, rest := reading.At(reading.Issues)
		if len(reading.Issues) > 0 && len(at)+len(rest) == 0 {
			t.Fatal("an issue is shown nowhere")
		}
		if len(root.Summary()) == 0 && p.Root.Kind != plan.Object {
			t.Fatal("nothing is said of the answer")
		}
		again := p.Entry()
		again.Restore(root.Draft())
		if value.JSON(p.Peek(again).Answer) != value.JSON(p.Peek(root).Answer) {
			t.Fatalf("a draft lost something: %s", value.JSON(root.Draft()))
		}
	})
}
