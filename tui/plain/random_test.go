package plain_test

// This file talks at random: the prompts never hang or panic, and what they send was
// read out before, was agreed to, and matches its schema.

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

func TestRandomTalk(t *testing.T) {
	t.Parallel()
	schemas := []string{
		brief, campaign, `{}`, `false`, `{"type":"array","items":{"type":"boolean"},"minItems":2}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":["object","null"],"properties":{"b":{"enum":["x","y",null]}}},"c":{"type":"array","items":{"type":"object","required":["d"],"properties":{"d":{"type":"integer"}}}}}}`,
		`{"type":["string","null"],"minLength":2}`, `{"const":1}`, `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}}}}`,
	}
	words := []string{"1", "2", "answer", "yes", "no", "y", "", "", "back", "help", "clear", "empty", "null", "<<", ".", "approve", "12", "-1", "x", `{"a":1}`, "[true,false]", "list", "more", "read", "cancel", "Zoë", "quit", "\x1b[A", `\back`, strings.Repeat("long", 50)}
	sent := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		text := schemas[r.IntN(len(schemas))]
		o := asks(t, text)
		lines := []string{"1", "answer"}
		for range r.IntN(120) {
			at := r.IntN(len(words))
			if words[at] == "quit" && r.IntN(6) > 0 {
				at = 3
			}
			lines = append(lines, words[at])
		}
		heard := talk(t, o, lines...)
		if len(o.given) == 0 {
			continue
		}
		sent++
		written, _ := value.ParseJSON([]byte(text), 100)
		rules, _ := schema.FromValue(written)
		answer, err := value.ParseJSON([]byte(o.given[0]), 100)
		if err != nil {
			t.Fatal(err)
		}
		if issues, err := rules.Validate(answer); err != nil || len(issues) > 0 {
			t.Fatalf("seed %d: sent %s with %v\n%s", seed, o.given[0], issues, heard)
		}
		before, _, _ := strings.Cut(heard, "\nSent. ")
		if !strings.HasSuffix(before, "Send? yes or no: yes") && !strings.HasSuffix(before, "Send? yes or no: y") {
			t.Fatalf("seed %d: sent without a yes\n%s", seed, heard)
		}
		if !strings.Contains(before, "As JSON:\n"+value.IndentedJSON(answer, "  ")+"\nSend?") {
			t.Fatalf("seed %d: what was sent was not read out\n%s", seed, heard)
		}
	}
	if sent < 20 {
		t.Errorf("only %d answers were sent", sent)
	}
}
