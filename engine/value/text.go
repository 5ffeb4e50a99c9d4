package value

// This file measures text.

import "unicode/utf8"

// UTF16Len counts text in UTF-16 units, as JavaScript's length does.
func UTF16Len(text string) int {
	units := 0
	for _, r := range text {
		units++
		if r > 0xFFFF {
			units++
		}
	}
	return units
}

// Characters counts text in Unicode code points.
func Characters(text string) int { return utf8.RuneCountInString(text) }
