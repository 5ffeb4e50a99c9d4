package frontmatter

// This file hides from the YAML library what it reads otherwise than YAML 1.2
// does, each character behind one of a private area, so that every position
// stays where it is.

import "strings"

// hidden is what was hidden; nil when nothing was.
type hidden struct {
	restore *strings.Replacer
}

// separators are the characters that the library takes for ends of lines.
var separators = []string{"\u0085", "\u2028", "\u2029"}

// hide replaces what the library would misread.
func hide(text string) (string, *hidden) {
	if !strings.ContainsAny(text, "\u0085\u2028\u2029") {
		return text, nil
	}
	var there, back []string
	stand := '\ue000'
	for _, separator := range separators {
		for strings.ContainsRune(text, stand) {
			stand++
		}
		there = append(there, separator, string(stand))
		back = append(back, string(stand), separator)
		stand++
	}
	return strings.NewReplacer(there...).Replace(text), &hidden{restore: strings.NewReplacer(back...)}
}

// plain puts back what was hidden in a text.
func (h *hidden) plain(text string) string {
	if h == nil {
		return text
	}
	return h.restore.Replace(text)
}

// doubleQuoted puts back what was hidden in a text in double quotes.
func (h *hidden) doubleQuoted(text string) string { return h.plain(text) }
