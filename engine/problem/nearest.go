package problem

// This file finds the word an author may have meant.

import (
	"math/bits"
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
	lower := strings.ToLower(word)
	search := search{typed: []rune(lower)}
	held := lettersOf(lower)
	best, bestSlips := "", max(1, (letters+2)/4)+1
	for _, candidate := range known {
		if length := len(candidate); length > 4*longestGuess || candidate == word {
			continue
		}
		meant := strings.ToLower(candidate)
		count := utf8.RuneCountInString(meant)
		if difference := count - len(search.typed); difference >= bestSlips || -difference >= bestSlips {
			continue
		}
		// Each letter that only one of them has takes a slip.
		others := lettersOf(meant)
		if bits.OnesCount64(held&^others) >= bestSlips || bits.OnesCount64(others&^held) >= bestSlips {
			continue
		}
		if found := search.slips(meant, bestSlips); found < bestSlips && found < count {
			best, bestSlips = candidate, found
		}
	}
	return best, best != ""
}

// OrNear ends a message about an unknown word with the known one that Nearest
// gives for it; it gives nothing where none is near.
func OrNear(word string, known []string) string {
	near, _ := Nearest(word, known)
	return DidYouMean(near)
}

// DidYouMean ends a message about an unknown word with the one that was meant; it
// gives nothing where that is empty.
func DidYouMean(meant string) string {
	if meant == "" {
		return ""
	}
	return "; did you mean " + meant + "?"
}

// lettersOf gives a set of the letters of a word, in which some share a place.
func lettersOf(word string) uint64 {
	var letters uint64
	for _, r := range word {
		letters |= 1 << (r & 63)
	}
	return letters
}

// search compares one word with many, in the same few buffers.
type search struct {
	typed, meant     []rune
	older, old, next []int
}

// slips counts the letters added, left out, changed or swapped between the
// typed word and another. It stops counting at enough.
func (s *search) slips(other string, enough int) int {
	s.meant = s.meant[:0]
	for _, r := range other {
		s.meant = append(s.meant, r)
	}
	a, b := apart(s.typed, s.meant)
	if len(s.next) <= len(b) {
		s.older, s.old, s.next = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	older, old, next := s.older, s.old, s.next
	for j := range len(b) + 1 {
		old[j] = j
	}
	least, leastBefore := 0, 0 // of the last two rows, below which none that follows goes
	for i := range a {
		next[0] = i + 1
		leastBefore, least = least, i+1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(old[j]+cost, old[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], older[j-1]+1)
			}
			least = min(least, next[j+1])
		}
		if min(least, leastBefore) >= enough {
			return enough
		}
		older, old, next = old, next, older
	}
	return old[len(b)]
}

// apart gives two words without the letters they start and end with alike.
func apart(a, b []rune) ([]rune, []rune) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}
