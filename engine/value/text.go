package value

// This file measures text.

import "unicode/utf8"

// Characters counts text in Unicode code points.
func Characters(text string) int { return utf8.RuneCountInString(text) }
