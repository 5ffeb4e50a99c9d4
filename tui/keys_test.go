package tui

// This file tests the table of keys, and the documentation that is made from it.

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestEveryKeyOfAScreenIsItsOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, b := range bindings {
		for _, on := range b.on {
			for _, key := range b.keys {
				id := fmt.Sprint(on, key)
				if seen[id] {
					t.Errorf("%s has two meanings on a screen", key)
				}
				seen[id] = true
			}
		}
	}
}

// TestTheDocumentation wants the screens and the keys in the documentation as they
// are. -update writes them.
func TestTheDocumentation(t *testing.T) {
	t.Parallel()
	const path = "../docs/inbox.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	put := func(name, words string) {
		t.Helper()
		before, rest, ok := strings.Cut(page, "<!-- "+name+" -->\n")
		_, after, ended := strings.Cut(rest, "<!-- end of "+name+" -->")
		if !ok || !ended {
			t.Fatalf("%s has no place for %s", path, name)
		}
		page = before + "<!-- " + name + " -->\n\n" + words + "\n<!-- end of " + name + " -->" + after
	}
	put("keys", KeyTable())
	for _, view := range views {
		if !strings.Contains(page, "<!-- screen "+view.name+" -->") {
			continue
		}
		r := drive(t, office(), 80, 24, plain())
		view.reach(r)
		var b strings.Builder
		gap := false
		for line := range strings.SplitSeq(r.screen(), "\n") {
			line = strings.TrimRight(line, " ")
			if !gap || line != "" { // of empty lines one is enough
				b.WriteString(line + "\n")
			}
			gap = line == ""
		}
		put("screen "+view.name, "```text\n"+b.String()+"```\n")
	}
	switch {
	case page == string(text):
	case *update:
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not as the inbox is; go test ./tui -update writes it anew", path)
	}
}
