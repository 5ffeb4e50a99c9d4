package request

// This file tests replies as people write them in chats and mails.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

func interaction(t testing.TB) *definition.Type {
	t.Helper()
	named, ok := definition.TypeNamed("interaction")
	if !ok {
		t.Fatal("there is no type interaction")
	}
	return named
}

// asks gives the function of a document whose reply rule, properties and required
// ones are these.
func asks(t testing.TB, reply, properties, required string) *definition.Interaction {
	t.Helper()
	if reply != "" {
		reply = "reply: " + reply + "\n"
	}
	source := fmt.Sprintf(`---
to: '{{ input.owner }}'
expires: P2D
deliver: agent
%sinput: { schema: { type: object, properties: { owner: { type: string } } } }
output:
  schema:
    type: object
    required: [%s]
    properties: { %s }
---
The review of your campaign brief is ready.
`, reply, required, properties)
	result := definition.Check([]byte(source), interaction(t), definition.Surroundings{})
	if result.Definition == nil {
		t.Fatalf("%v", result.Problems)
	}
	return result.Definition.Function.(*definition.Interaction)
}

const (
	verdict = "verdict: { type: string, enum: [approve, revise] }, note: { type: string, maxLength: 40 }"
	toldHow = "To answer, reply with one of approve, revise; what follows is kept as the note"
)

func TestRepliesByTheRule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply, properties, required string
		words                       string
		want                        string // the answer, or "because: telling"
	}{
		"a word alone":             {"{ verdict: word, note: rest }", verdict, "verdict", "approve", `{"verdict":"approve"}`},
		"a word and a note":        {"{ verdict: word, note: rest }", verdict, "verdict", "revise: name the job role", `{"verdict":"revise","note":"name the job role"}`},
		"a note on its own lines":  {"{ verdict: word, note: rest }", verdict, "verdict", " Revise\n\nname the role\nand the fee \n", `{"verdict":"revise","note":"name the role\nand the fee"}`},
		"shouted, in bold":         {"{ verdict: word, note: rest }", verdict, "verdict", "**APPROVE!**", `{"verdict":"approve"}`},
		"a word for a value":       {"{ verdict: { from: word, words: { approve: [Yes, ok] } }, note: rest }", verdict, "verdict", "“YES”, go", `{"verdict":"approve","note":"go"}`},
		"a no-break space":         {"{ verdict: word, note: rest }", verdict, "verdict", "approve\u00a0now", `{"verdict":"approve","note":"now"}`},
		"the whole reply":          {"{ verdict: word, note: text }", verdict, "verdict", "approve it", `{"verdict":"approve","note":"approve it"}`},
		"made from an enum":        {"", verdict, "verdict", "Approve, thanks", `{"verdict":"approve"}`},
		"made from a text":         {"", "comment: { type: string }", "comment", "  It reads\nwell ", `{"comment":"It reads\nwell"}`},
		"thumbs":                   {"", "vote: { enum: [👍, no] }", "vote", "👍 nice", `{"vote":"👍"}`},
		"thumbs that mean nothing": {"", "vote: { enum: [👍, no] }", "vote", "👎", "unread: To answer, reply with one of 👍, no"},
		"thumbs of a written rule": {"{ vote: { from: word, words: { yes: [👍, ok], no: [👎] } } }", "vote: { enum: [yes, no] }", "vote", "👎!", `{"vote":"no"}`},
		"two thumbs":               {"{ vote: word }", "vote: { enum: [👍, 👎] }", "vote", "👎.", `{"vote":"👎"}`},
		"drawn in another way":     {"{ vote: word }", "vote: { enum: [✔️, ✖️] }", "vote", "✖ not yet", `{"vote":"✖️"}`},
		"values that differ by case": {"", "vote: { enum: [A, a] }", "vote", "A.",
			"unread: To answer, reply with one of A, a"},
		"one of them exactly": {"", "vote: { enum: [A, a] }", "vote", "A", `{"vote":"A"}`},

		"another word":      {"{ verdict: word, note: rest }", verdict, "verdict", "maybe approve", "unread: " + toldHow},
		"a longer word":     {"{ verdict: word, note: rest }", verdict, "verdict", "approved", "unread: " + toldHow},
		"a word inside":     {"", "vote: { enum: [no, yes] }", "vote", "no-one minds", "unread: To answer, reply with one of no, yes"},
		"nothing":           {"{ verdict: word, note: rest }", verdict, "verdict", "", "unread: " + toldHow},
		"white space":       {"", "comment: { type: string }", "comment", " \n\t", "unread: To answer, reply in your own words; the whole reply is kept as the comment"},
		"punctuation alone": {"{ verdict: word, note: rest }", verdict, "verdict", "?!", "unread: " + toldHow},
		"a note too long": {"{ verdict: word, note: rest }", verdict, "verdict", "revise " + strings.Repeat("x", 41),
			"does_not_match: note: Expected at most 40 characters. " + toldHow},
		"a note that is needed": {"{ verdict: word, note: rest }", verdict, "verdict, note", "revise",
			"does_not_match: note: Missing property. " + toldHow},
		"one value only": {"{ go: word }", "go: { const: go }", "go", "stop", "unread: To answer, reply with go"},
		"a value of two words": {"{ verdict: { from: word, words: { needs work: [rework, again] } } }",
			"verdict: { enum: [fine, needs work] }", "verdict", "needs work", "unread: To answer, reply with one of fine, again"},
		"rest without a word": {"{ note: rest }", verdict, "note", "only",
			"does_not_match: note: Missing property. To answer, reply in your own words; what follows the first word is kept as the note"},
		"8 KiB": {"", "comment: { type: string }", "comment", strings.Repeat("é", 4096), `{"comment":"` + strings.Repeat("é", 4096) + `"}`},
		"past 8 KiB of fewer characters": {"", "comment: { type: string }", "comment", strings.Repeat("é", 4096) + "x",
			"too_large: Expected a reply of at most 8 KiB. To answer, reply in your own words; the whole reply is kept as the comment"},
		"past 8 KiB": {"{ verdict: word, note: rest }", verdict, "verdict", "approve " + strings.Repeat("x", 8185),
			"too_large: Expected a reply of at most 8 KiB. " + toldHow},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			function := asks(t, c.reply, c.properties, c.required)
			answer, refusal, err := ReadReply(function.Reply, function.Answer, c.words)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if refusal != nil {
				got = string(refusal.Because) + ": " + refusal.Telling
				if answer != nil {
					t.Error("a refused reply gives an answer")
				}
			} else {
				got = value.JSON(answer)
			}
			if got != c.want {
				t.Errorf("%q gives\n%s\nwant\n%s", c.words, got, c.want)
			}
		})
	}
}

// A telling stays short, however many values the schema lists.
func TestTellingsAreBounded(t *testing.T) {
	t.Parallel()
	values := make([]string, 1000)
	for i := range values {
		values[i] = fmt.Sprintf("v%d", i)
	}
	function := asks(t, "", "pick: { enum: ["+strings.Join(values, ", ")+"] }", "pick")
	_, refusal, err := ReadReply(function.Reply, function.Answer, "none of them")
	if err != nil || refusal == nil || !strings.HasSuffix(refusal.Telling, ", v18, 981 others") || len(refusal.Telling) > 200 {
		t.Errorf("told %+v, %v", refusal, err)
	}
	issues := make([]schema.Issue, 30)
	for i := range issues {
		issues[i] = schema.Issue{Pointer: fmt.Sprintf("/a~1b/%d", i), Message: "Not allowed"}
	}
	said := problemsOf(issues)
	if len(said) != 21 || said[0] != "a/b/0: Not allowed" || said[20] != "10 more problems are not shown" {
		t.Errorf("said %q", said)
	}
}

func TestAReplyToNoneOfSeveral(t *testing.T) {
	t.Parallel()
	refusal := RefuseAmbiguous()
	if refusal.Because != ReplyAmbiguous || !strings.Contains(refusal.Telling, "reply to its message") {
		t.Errorf("told %+v", refusal)
	}
}
