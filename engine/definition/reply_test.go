package definition

// This file tests what a reply rule holds for whoever reads replies by it.

import (
	"slices"
	"strings"
	"testing"
)

const asking = `---
to: '{{ input.owner }}'
expires: P2D
deliver: agent
%reply%output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { enum: [revise, approve, Wait] }
      note: { type: string }
---
Reply **approve**, or **revise** with a note.
`

// A rule keeps the values of a word in the schema's order, written or made.
func TestReplyRuleKeepsTheOrderOfValues(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{"", "reply: { verdict: { from: word, words: { approve: [yes, ok] } }, note: rest }\n"} {
		source := []byte(strings.Replace(asking, "%reply%", reply, 1))
		result := Check(source, interactionType, Surroundings{})
		if result.Definition == nil {
			t.Fatal(result.Problems)
		}
		rule := result.Definition.Function.(*Interaction).Reply
		if got := rule.Parts[0].Values; !slices.Equal(got, []string{"revise", "approve", "Wait"}) {
			t.Errorf("with %q the values are %v", reply, got)
		}
		if rule.Made != (reply == "") {
			t.Errorf("with %q Made is %v", reply, rule.Made)
		}
	}
}
