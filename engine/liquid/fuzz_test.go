package liquid

// This file lets random templates at the engine: it must never panic, always
// end, keep its limits, and say the same thing twice.

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/value"
)

// seeds are the templates of the corpus.
func seeds(f *testing.F) []string {
	f.Helper()
	var templates []string
	for _, name := range []string{"cases.jsonl", "overrides.jsonl"} {
		file, err := os.Open("../../fixtures/liquid/" + name)
		if err != nil {
			f.Fatal(err)
		}
		scanner := bufio.NewScanner(file)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			var c struct{ Template string }
			if err := json.Unmarshal(scanner.Bytes(), &c); err != nil {
				f.Fatal(err)
			}
			templates = append(templates, c.Template)
		}
		if err := errors.Join(scanner.Err(), file.Close()); err != nil {
			f.Fatal(err)
		}
	}
	return templates
}

func FuzzTemplate(f *testing.F) {
	for i, text := range seeds(f) {
		if i%7 == 0 { // the fuzzer finds its way from fewer, and starts sooner
			f.Add(text)
		}
	}
	for _, c := range hostileRenders {
		f.Add(c.text)
	}
	input, err := value.ParseJSON([]byte(`{"a": [1, "b", null, {"c": [true, 2.5]}], "s": "héllo 😀", "n": 3, "e": [], "o": {"k": "v", "2": 0}}`), 10)
	if err != nil {
		f.Fatal(err)
	}
	variables := map[string]value.Value{"input": input, "today": "2026-10-01", "now": "2026-10-01T12:00:00.000Z"}
	options := []Options{{}, {Names: promptNames, System: true, Message: true}}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range options {
			template, problems := Parse(text, o)
			line := 1
			for _, p := range problems {
				if p.Line < line || p.Column < 1 || p.Message == "" || p.Rule == "" || !utf8.ValidString(p.Message) {
					t.Fatalf("%q: problem %+v after line %d", text, p, line)
				}
				line = p.Line
			}
			limits := Limits{Memory: 20_000, Length: 5_000, Time: 50 * time.Millisecond, Clock: fastClock()}
			rendered, err := template.Render(variables, limits)
			if err != nil && !errors.As(err, new(*RenderError)) {
				t.Fatalf("%q: %T", text, err)
			}
			if len(rendered.Message) > 3*limits.Length || len(rendered.Instructions) > 3*limits.Length {
				t.Fatalf("%q: %d and %d bytes", text, len(rendered.Message), len(rendered.Instructions))
			}
			if utf8.ValidString(text) && !utf8.ValidString(rendered.Message) {
				t.Fatalf("%q renders %q", text, rendered.Message)
			}
			limits.Clock = fastClock()
			again, errAgain := template.Render(variables, limits)
			if again != rendered || (err == nil) != (errAgain == nil) {
				t.Fatalf("%q renders %q, then %q", text, rendered.Message, again.Message)
			}
			if v, err := template.Value(variables, limits); err == nil {
				_ = value.JSON(v)
			}
		}
	})
}
