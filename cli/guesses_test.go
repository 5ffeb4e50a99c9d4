package cli

import (
	"slices"
	"strings"
	"testing"
)

// TestGuessesAreTrue wants every guess to be of a command that is not there, and to
// name one that is.
func TestGuessesAreTrue(t *testing.T) {
	t.Parallel()
	paths := map[string]bool{}
	for _, command := range Commands() {
		paths[strings.TrimPrefix(strings.TrimPrefix(command.CommandPath(), program), " ")] = true
	}
	seen := map[string]bool{}
	for _, g := range guesses {
		if !paths[g.under] {
			t.Errorf("%s is no command", g.under)
		}
		words := strings.Fields(g.instead)
		words = slices.DeleteFunc(words, func(word string) bool { return word == "…" || strings.HasPrefix(word, "--") })
		if !paths[strings.Join(words, " ")] {
			t.Errorf("%s names no command", g.instead)
		}
		for _, word := range g.words {
			path := strings.TrimPrefix(g.under+" "+word, " ")
			if paths[path] || seen[path] {
				t.Errorf("%s is a command, or is guessed twice", path)
			}
			seen[path] = true
		}
	}
}

// TestGuessedFlagsAreTrue wants the flags that guesses name to be somebody's.
func TestGuessedFlagsAreTrue(t *testing.T) {
	t.Parallel()
	for _, g := range flagGuesses {
		found := false
		for _, command := range Commands() {
			command.InheritedFlags()
			found = found || command.Flags().Lookup(g.instead) != nil || command.PersistentFlags().Lookup(g.instead) != nil
		}
		if !found {
			t.Errorf("no command has --%s", g.instead)
		}
	}
}
