package liquid

// This file finds values that are written in text between single braces, which is
// how other languages write them.

import (
	"strings"

	"github.com/beonauto/auto/engine/problem"
)

// singleBraces warns of a value in text that has single braces at one of its sides
// or both, such as { input.brief }}: it is sent as it is written. What is no
// property of a name that the template may read is left alone, as JSON is.
func (p *parser) singleBraces(t token) {
	if len(p.options.Names) == 0 {
		return
	}
	text := p.template.text[t.begin:t.end]
	for at := 0; at < len(text); at++ {
		brace := strings.IndexByte(text[at:], '{')
		if brace < 0 {
			return
		}
		at += brace
		value, length := p.bracedValue(text[at:])
		if length == 0 {
			continue
		}
		p.warn(t.begin+at, problem.TemplateSyntax, "Expected {{ "+value+" }}, found "+text[at:at+length]+", which is sent as it is")
		at += length - 1
	}
}

// bracedValue gives the path that stands alone between the braces that a text begins
// with, and the length of all of it; 0 when there is none.
func (p *parser) bracedValue(text string) (path string, length int) {
	sc := scanner{source: text, at: 1, end: len(text)}
	sc.skipBlank()
	start := sc.at
	if _, known := p.options.Names[sc.identifier()]; !known || sc.peek() != '.' {
		return "", 0
	}
	for sc.peek() == '.' {
		sc.at++
		if sc.identifier() == "" {
			return "", 0
		}
	}
	path = text[start:sc.at]
	sc.skipBlank()
	if strings.Contains(text[:sc.at], "\n") || sc.peek() != '}' {
		return "", 0
	}
	for sc.peek() == '}' && sc.at-len(path) < longestBraced {
		sc.at++
	}
	return path, sc.at
}

// longestBraced is the most characters around a value in single braces.
const longestBraced = 20
