package problem

// This file lists words as a sentence does.

import "strings"

// AnyOf lists words of which one is meant: text, number or null.
func AnyOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
