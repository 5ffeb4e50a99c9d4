package problem

import "unicode/utf8"

// nearestLength is the longest word that Nearest compares, in code points.
// Nobody mistypes a longer one by a letter or two.
const nearestLength = 64

// Nearest gives the known word that an author most likely meant by an unknown
// one: the first of those with the fewest letters added, left out, changed or
// swapped, as long as that is no more than a third of the word. It gives the
// empty string when no word is that near.
func Nearest(word string, known []string) string {
	letters := utf8.RuneCountInString(word)
	if letters == 0 || letters > nearestLength {
		return ""
	}
	typed := []rune(word)
	best, nearest := max(1, letters/3)+1, ""
	var rows [3][nearestLength + 1]int
	var other [nearestLength]rune
	for _, candidate := range known {
		count := 0
		for _, r := range candidate {
			if count == nearestLength {
				count = 2 * nearestLength
				break
			}
			other[count] = r
			count++
		}
		if count == 0 || count-letters >= best || letters-count >= best {
			continue
		}
		if d := distance(typed, other[:count], best, &rows); d < best && d < max(letters, count) {
			best, nearest = d, candidate
			if d == 0 {
				break
			}
		}
	}
	return nearest
}

// distance counts the edits between two words, where swapping two neighbours is
// one edit. It stops at limit, which it then gives.
func distance(a, b []rune, limit int, rows *[3][nearestLength + 1]int) int {
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := 0; j <= len(b); j++ {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			edits := min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				edits = min(edits, before[j-2]+1)
			}
			row[j] = edits
			least = min(least, edits)
		}
		if least >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}

// DidYouMean gives the end of a message about an unknown word, such as
// "; did you mean money?", and the empty string when no known word is near.
func DidYouMean(word string, known []string) string {
	if nearest := Nearest(word, known); nearest != "" {
		return "; did you mean " + nearest + "?"
	}
	return ""
}
