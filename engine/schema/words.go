package schema

// This file puts values and counts into the words of messages, and tells what
// mistyped and foreign words may have meant.

import (
	"strings"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// clipped is the most characters of a name or a value that a message repeats.
const clipped = 64

// clip cuts a long text with an ellipsis.
func clip(text string) string {
	if len(text) <= clipped {
		return text
	}
	characters := 0
	for i := range text {
		if characters == clipped {
			return text[:i] + "…"
		}
		characters++
	}
	return text
}

// guesses finds what mistyped words may have meant, and stops once it has
// compared as many words as a document written by hand needs.
type guesses struct{ left int }

// mostGuesses is how many words one schema's guesses compare.
const mostGuesses = 50_000

// at gives the end of a message about an unknown word: the known word it is
// nearest to, or nothing.
func (g *guesses) at(word string, known []string) string {
	return problem.DidYouMean(clip(g.nearest(word, known)))
}

// nearest gives the known word that a word is nearest to; empty for none.
func (g *guesses) nearest(word string, known []string) string {
	if g.left -= len(known); g.left < 0 {
		return ""
	}
	near, _ := problem.Nearest(word, known)
	return near
}

// shown writes a value as a person would say it: a text without quotes, unless
// it would read as something else.
func shown(v value.Value) string {
	text, ok := v.(string)
	if !ok {
		return clip(value.JSON(v))
	}
	if text == "" || text != strings.TrimSpace(text) || strings.ContainsAny(text, ",\"\n\r\t") || !utf8.ValidString(text) {
		return clip(value.JSON(text))
	}
	if _, number := value.ReadNumber(text); number || text == "true" || text == "false" || text == "null" {
		return value.JSON(text)
	}
	return clip(text)
}

// things counts in words, such as 1 item or 2,000 characters.
func things(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return value.Grouped(n) + " " + many
}

// named lists the types of a set, such as string or null.
func (t types) named() string {
	var names []string
	for _, each := range typeNames {
		if t&each.is != 0 && each.is != typeNull {
			names = append(names, each.name)
		}
	}
	if t&typeNull != 0 {
		names = append(names, "null") // it reads best at the end
	}
	return problem.AnyOf(names)
}

// mostListed is the most values that one message names.
const mostListed = 20

// expectedValues says which values were expected.
func expectedValues(values []value.Value) string {
	words := make([]string, 0, min(len(values), mostListed))
	for _, v := range values {
		if len(words) == mostListed-1 && len(values) > mostListed {
			words = append(words, value.Grouped(int64(len(values)-len(words)))+" others")
			break
		}
		words = append(words, shown(v))
	}
	switch len(words) {
	case 0:
		return "Expected nothing"
	case 1:
		return "Expected " + words[0]
	}
	return "Expected one of " + strings.Join(words, ", ")
}

// foreignTypes are the names that other languages have for the types.
var foreignTypes = []struct{ meant, written string }{
	{"string", " str text char varchar date datetime enum "}, {"integer", " int long "}, {"number", " float double decimal "},
	{"boolean", " bool "}, {"object", " dict map mapping record struct json "}, {"array", " list tuple "}, {"null", " none None nil "},
}

// foreignType gives the type that a name of another language stands for; empty for
// none.
func foreignType(name string) string {
	for _, t := range foreignTypes {
		if name != "" && !strings.Contains(name, " ") && strings.Contains(t.written, " "+name+" ") {
			return t.meant
		}
	}
	return ""
}
