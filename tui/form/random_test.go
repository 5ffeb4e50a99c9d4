package form_test

// This file presses keys at random, in forms of schemas that nobody would write too:
// nothing panics, everything that is shown fits, and nothing is sent that the form
// itself calls wrong.

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/tui/form"
)

// hostile are schemas that a form must live with.
var hostile = []string{
	`{}`, `true`, `false`, `null`, `[]`, `{"type":"object"}`, `{"type":"object","additionalProperties":false}`, `{"type":"array"}`,
	`{"$ref":"#"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"again":{"$ref":"#/$defs/a"},"n":{"type":"integer"}}}}}`,
	`{"type":"array","items":{"type":"object","additionalProperties":false},"maxItems":2}`,
	`{"type":["object","null"],"properties":{"a":{"type":["object","null"],"properties":{"b":{"type":["array","null"],"items":{"type":["string","null"]}}}}}}`,
	`{"type":"array","items":{"type":["object","null"],"properties":{"x":{"enum":["a",null]}}}}`,
	`{"enum":["` + strings.Repeat("a very long choice ", 30) + `","b","\u001b[2J\n\t"]}`,
	`{"type":"string","title":"` + strings.Repeat("日本語", 60) + `","description":"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm","maxLength":3}`,
	`{"type":"object","properties":{"":{"type":"string"},"/~":{"type":"array","items":{"type":"number","multipleOf":0.01}}},"minProperties":2}`,
	`{"const":{"a":[1,2]}}`, `{"type":"null"}`, `{"type":"number","minimum":9007199254740993}`,
}

func TestRandomKeys(t *testing.T) {
	t.Parallel()
	schemas := append(slices.Sorted(maps.Values(answers)), hostile...)
	names := slices.Sorted(maps.Keys(special))
	controls := []string{"ctrl+n", "ctrl+d", "ctrl+j", "ctrl+s", "ctrl+w", "ctrl+k", "ctrl+u", "ctrl+e", "ctrl+z", "ctrl+z"}
	texts := []string{"'a", "'y", "'1", "'-", "'.5", "'e", "'日", "'\u0301", "'👩‍👩‍👧", `'{"a":1}`, "' "}
	sent := 0
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 3))
		sizes := [][2]int{{80, 24}, {40, 12}, {16, 3}, {1, 1}, {200, 60}}
		size := sizes[r.IntN(len(sizes))]
		options := form.Options{Width: size[0], Height: size[1], Editor: func(text, _ string) tea.Cmd {
			return func() tea.Msg { return form.EditedMsg{Text: text + "!\n"} }
		}}
		d := drive(t, schemas[r.IntN(len(schemas))], options)
		d.width, d.height = max(d.width, 16), max(d.height, 3) // the least that a form draws into
		for range 60 {
			switch r.IntN(12) {
			case 0:
				d.press(controls[r.IntN(len(controls))])
			case 1:
				d.Update(tea.PasteMsg{Content: strings.Repeat("pasted\x1b\r\n words ", r.IntN(40))})
			case 2:
				d.Update(tea.MouseClickMsg{X: r.IntN(90) - 5, Y: r.IntN(40) - 5, Button: tea.MouseLeft})
			case 3:
				d.Update(form.EditedMsg{Text: "edited"})
			case 4, 5, 6:
				d.press(texts[r.IntN(len(texts))])
			default:
				if name := names[r.IntN(len(names))]; name != "esc" || r.IntN(8) == 0 {
					d.press(name)
				}
			}
			_ = d.Keys()
			answer, issues := d.Answer()
			switch d.State() {
			case form.Sent:
				if sent++; len(issues) > 0 {
					t.Fatalf("seed %d: sent with %v: %v", seed, issues, answer)
				}
				d.Refuse([]problem.Issue{{Pointer: "/answer/a", Detail: "Expected something else"}})
			case form.Left:
				draft := d.Draft()
				d.Form = form.New(parse(t, `{"type":"object","properties":{"a":{"type":"string"}}}`), form.Options{Width: size[0], Height: size[1], Draft: draft})
			}
		}
	}
	if sent == 0 {
		t.Error("nothing was ever sent")
	}
}
