package playbook

import "testing"

func TestMeantPath(t *testing.T) {
	t.Parallel()
	const reasoning = "---\nmodel: anthropic/claude-sonnet-4-5\ninput: {}\n---\n"
	const interaction = "---\r\nto: ada\r\nexpires: P1D\r\n---\r\n"
	const page = "---\ntitle: How to\ndescription: A page\nto: everybody\n---\n\nmodel: x\ninput: y\n"
	for _, c := range []struct{ path, head, want string }{
		{"interactions/ask.md", interaction, "interaction/ask.md"},
		{"reasonings/sum.md", reasoning, "reasoning/sum.md"},
		{"Reasoning/sum.md", reasoning, "reasoning/sum.md"},
		{"old/lookups/sum.md", "---\ncall: {}\n", "lookup/sum.md"},
		{"interactions/notes.md", page, "interaction/notes.md"}, // to is a key of a definition
		{"interactions/notes.md", "# Notes\n", ""},
		{"interactions/README.md", interaction, ""},
		{"reasoning/draft.markdown", reasoning, "reasoning/draft.md"},
		{"drafts/sum.reasonig.md", reasoning, "drafts/sum.reasoning.md"},
		{"sum.reasoning.markdown", reasoning, "sum.reasoning.md"},
		{"sum.md", reasoning, "reasoning/sum.md"},
		{"sum.md", "\ufeff" + reasoning, "reasoning/sum.md"},
		{"notes/sum.md", interaction, "interaction/sum.md"},
		{"notes/sum.md", page, ""},
		{"notes/sum.md", "---\nmodel: Canon EOS\nlayout: photo\n---\n", ""},
		{"reasoning/My Sum.markdown", reasoning, "reasoning/my-sum.md"},
		{"Sum.reasonig.md", reasoning, "sum.reasoning.md"},
		{"notes/sum.txt", reasoning, ""},
		{"notes/.md", reasoning, ""},
		{"notes/sum.md", "", ""},
	} {
		if got := MeantPath(c.path, []byte(c.head)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.path, got, c.want)
		}
	}
}

func TestCheckName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"review": "", "approve-campaign-brief": "", "my_review": "", "review.v2": "",
		"Review":    ", such as review",
		"My Review": ", such as my-review",
		"überblick": ", such as berblick",
		"2nd":       "-", "東京": "-",
	} {
		found := CheckName(name)
		const message = "Expected a name of lowercase letters, digits and hyphens, a letter first"
		switch {
		case want == "" && len(found) > 0, want != "" && len(found) != 1:
			t.Errorf("%s: got %v", name, found)
		case want == "-" && found[0].Message != message, len(want) > 1 && found[0].Message != message+want:
			t.Errorf("%s: got %s", name, found[0].Message)
		}
	}
}
