package problem

// This file finds the word an author may have meant.

import (
	"strings"
	"unicode/utf8"
)

// longestGuess is the most letters of a word that a guess is made for: longer
// ones are no slips of the finger.
const longestGuess = 64

// Nearest gives the known word that a mistyped one most likely stands for, and
// false when none is near: about one slip for every four letters, a letter
// added, left out, changed or swapped with its neighbour. Case does not count.
// Of two as near, the first known one is given.
func Nearest(word string, known []string) (string, bool) {
	letters := utf8.RuneCountInString(word)
	if letters < 2 || letters > longestGuess {
		return "", false
	}
	typed := []rune(strings.ToLower(word))
	best, bestSlips := "", max(1, (letters+2)/4)+1
	for _, candidate := range known {
		if length := len(candidate); length > 4*longestGuess || candidate == word {
			continue
		}
		meant := []rune(strings.ToLower(candidate))
		if difference := len(meant) - len(typed); difference >= bestSlips || -difference >= bestSlips {
			continue
		}
		if found := slips(typed, meant); found < bestSlips && found < len(meant) {
			best, bestSlips = candidate, found
		}
	}
	return best, best != ""
}

// slips counts the letters added, left out, changed or swapped between two
// words.
func slips(a, b []rune) int {
	older, old, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := range a {
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(old[j]+cost, old[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], older[j-1]+1)
			}
		}
		older, old, next = old, next, older
	}
	return old[len(b)]
}
