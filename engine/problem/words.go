package problem

// This file lists words as a sentence does.

import "strings"

// AnyOf lists words of which one is meant: text, number or null.
func AnyOf(words []string) string { return listed(words, "or") }

// AllOf lists words that are all meant: text, number and null.
func AllOf(words []string) string { return listed(words, "and") }

// listed joins words with commas, and with a word of its own before the last.
func listed(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
