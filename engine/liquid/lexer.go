package liquid

// This file cuts a template into text, outputs and tags, and takes away the
// white space that dashes ask to.

import (
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	textToken
	outputToken
	tagToken
)

// token is a piece of a template. Its places are byte offsets.
type token struct {
	kind       tokenKind
	begin, end int // with its delimiters
	// The markup between the delimiters, blanks and dashes at its ends aside; in
	// a text token what is left of it after trimming.
	from, to int
	name     string // of a tag
	args     int    // where a tag's arguments start
	line     bool   // a tag that ends with its line, in a liquid tag
}

// closer is what ends a tag or an output. Empty for a tag that ends with its
// line, and for text.
func (t token) closer() string {
	switch {
	case t.kind == outputToken:
		return outputCloser
	case t.kind == tagToken && !t.line:
		return tagCloser
	}
	return ""
}

const (
	outputCloser = "}}"
	tagCloser    = "%}"
)

// notClosed says that a tag or an output has no end.
func notClosed(closer string) string {
	if closer == outputCloser {
		return "Expected }} to end the output"
	}
	return "Expected %} to end the tag"
}

// mistypedEnds are what stands where a tag or an output should end, the longer ones
// first.
var mistypedEnds = []string{"}}", "%}", "% }", "}"}

// mistypedEnd gives the one of mistypedEnds that a text begins with, empty when there is
// none.
func mistypedEnd(text string) string {
	for _, end := range mistypedEnds {
		if strings.HasPrefix(text, end) {
			return end
		}
	}
	return ""
}

// source gives the tokens of a template, or of a liquid tag's lines.
type source interface {
	next() token
	// retreat makes the next token start at a place within the last one, whose
	// end turned out to belong to something else.
	retreat(to int)
}

// lexer reads the tokens of a whole template.
type lexer struct {
	parser *parser
	text   string
	at     int
	trim   bool // the tag or output before asks for the text to start trimmed
	// The ends that were found last, so that what starts again within them is
	// not searched again: of an output, and of a tag.
	outputEnd, tagEnd int
	retreated         bool // the next token starts within the last one
	unclosed          int  // how many outputs had no end
}

func (l *lexer) retreat(to int) { l.at, l.trim, l.retreated = to, false, true }

// unclosedLimit is after how many outputs without an end the rest is not read.
const unclosedLimit = 50

func (l *lexer) next() token {
	for l.at < len(l.text) && !l.parser.aborted {
		if !l.opens(l.at) {
			return l.plainText()
		}
		l.trim = false
		if l.text[l.at+1] == '{' {
			if t, ok := l.output(); ok {
				return t
			}
		} else if t, ok := l.tag(); ok {
			return t
		}
	}
	return token{kind: endToken, begin: len(l.text), end: len(l.text)}
}

// opens tells whether a tag or an output starts at a place.
func (l *lexer) opens(at int) bool {
	return at+1 < len(l.text) && l.text[at] == '{' && (l.text[at+1] == '{' || l.text[at+1] == '%')
}

// nextOpening gives the place of the next tag or output, or the end.
func (l *lexer) nextOpening(from int) int {
	for from < len(l.text) {
		brace := strings.IndexByte(l.text[from:], '{')
		if brace < 0 {
			break
		}
		if from += brace; l.opens(from) {
			return from
		}
		from++
	}
	return len(l.text)
}

func (l *lexer) plainText() token {
	t := token{kind: textToken, begin: l.at, end: l.nextOpening(l.at)}
	t.from, t.to = t.begin, t.end
	if l.trim {
		l.trim = false
		t.from += blankPrefix(l.text[t.from:t.to])
	}
	if t.end+2 < len(l.text) && l.text[t.end+2] == '-' {
		t.to -= blankSuffix(l.text[t.from:t.to])
	}
	l.at = t.end
	return t
}

func (l *lexer) output() (token, bool) {
	begin := l.at
	if !l.retreated || l.outputEnd <= begin+3 {
		l.outputEnd = l.findOutputEnd(begin)
	}
	l.retreated = false
	if l.outputEnd > 0 {
		return l.delimited(outputToken, begin, l.outputEnd), true
	}
	t, known := l.notClosed(outputToken, begin)
	if l.unclosed++; l.unclosed > unclosedLimit {
		l.parser.aborted = true
	}
	if known {
		return t, true
	}
	// A quote that is never closed hides the real end.
	if end := strings.Index(l.text[begin:], "}}"); end >= 0 && begin+end < l.nextOpening(begin+2) {
		l.at = begin + end + 2
	} else {
		l.at = l.nextOpening(begin + 2)
	}
	return token{}, false
}

// notClosed reports a tag or an output without an end: at its start, or where its
// end is mistyped on the same line, which it is then read up to.
func (l *lexer) notClosed(kind tokenKind, begin int) (token, bool) {
	closer := token{kind: kind}.closer()
	line, _, _ := strings.Cut(l.text[begin:l.nextOpening(begin+2)], "\n")
	sc := scanner{source: line, at: 2, end: len(line)}
	open := -1 // a quote that nothing on the line closes
	for sc.at < sc.end {
		found := mistypedEnd(line[sc.at:])
		quote := line[sc.at]
		switch {
		case found == closer && open >= 0:
			l.parser.report(begin+open, templateSyntax, "Expected "+line[open:open+1]+" to end the text before "+closer)
			return token{}, false
		case found != "":
			l.parser.report(begin+sc.at, templateSyntax, notClosed(closer)+", found "+found)
			t := token{kind: kind, begin: begin, end: begin + sc.at + len(found)}
			t.from, t.to, l.trim = inner(l.text, begin+2, begin+sc.at)
			l.at = t.end
			return t, true
		case quote != '"' && quote != '\'':
			sc.at++
		case strings.IndexByte(line[sc.at+1:], quote) >= 0:
			sc.at = sc.quoted()
		default:
			open = sc.at
			sc.at++
		}
	}
	l.parser.report(begin, templateSyntax, notClosed(closer))
	return token{}, false
}

// findOutputEnd gives the end of an output, past its }} and outside quotes; 0
// when it has none.
func (l *lexer) findOutputEnd(begin int) int {
	sc := scanner{source: l.text, at: begin + 2, end: len(l.text)}
	for sc.at < sc.end {
		switch sc.source[sc.at] {
		case '"', '\'':
			sc.at = sc.quoted()
			continue
		case '}':
			if sc.at > begin+2 && sc.source[sc.at-1] == '}' {
				return sc.at + 1
			}
		}
		sc.at++
	}
	return 0
}

func (l *lexer) tag() (token, bool) {
	begin := l.at
	l.retreated = false
	if l.tagEnd >= 0 && l.tagEnd <= begin {
		// The two characters of {%} may be shared by both delimiters.
		if l.tagEnd = strings.Index(l.text[begin+1:], "%}"); l.tagEnd >= 0 {
			l.tagEnd += begin + 1
		}
	}
	if l.tagEnd < 0 {
		t, known := l.notClosed(tagToken, begin)
		if !known {
			l.at = l.nextOpening(begin + 2)
			return t, false
		}
		return l.named(t)
	}
	return l.named(l.delimited(tagToken, begin, l.tagEnd+2))
}

// named reads the name of a tag, and reports that it has none.
func (l *lexer) named(t token) (token, bool) {
	l.readName(&t)
	if t.name == "" {
		l.parser.report(t.begin, templateSyntax, "Expected the name of a tag")
		return token{}, false
	}
	return t, true
}

func (l *lexer) readName(t *token) {
	sc := scanner{source: l.text, at: t.from, end: t.to}
	t.name = tagName(&sc)
	t.args = sc.at
}

// tagName reads a tag's name and the blanks after it. A comment's is #.
func tagName(sc *scanner) string {
	sc.skipBlank()
	name := ""
	if sc.peek() == '#' {
		name = "#"
		sc.at++
	} else {
		name = sc.identifier()
	}
	sc.skipBlank()
	return name
}

// delimited makes the token between two places, and moves on past it.
func (l *lexer) delimited(kind tokenKind, begin, end int) token {
	t := token{kind: kind, begin: begin, end: end, from: begin + 2, to: end - 2}
	t.from, t.to, l.trim = inner(l.text, t.from, t.to)
	l.at = end
	return t
}

// inner takes the dashes and blanks off the ends of markup, and tells whether
// the text after it is to be trimmed.
func inner(text string, from, to int) (int, int, bool) {
	if from >= to {
		return from, max(from, to), false
	}
	right := text[to-1] == '-'
	left := text[from] == '-'
	if right {
		to--
	}
	if left {
		from++
	}
	if from < to {
		from += blankPrefix(text[from:to])
		to -= blankSuffix(text[from:to])
	}
	return from, max(from, to), right
}

func blankPrefix(text string) int {
	sc := scanner{source: text, end: len(text)}
	sc.skipBlank()
	return sc.at
}

func blankSuffix(text string) int {
	end := len(text)
	for end > 0 {
		b := text[end-1]
		if b < utf8.RuneSelf {
			if class(b)&classBlank == 0 {
				break
			}
			end--
			continue
		}
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if wide(r)&classBlank == 0 {
			break
		}
		end -= size
	}
	return len(text) - end
}

// rawEnd finds the {% endraw %} of a raw block that starts at a place: where
// the content ends and where the tag does. A dash before endraw makes it
// another word.
func rawEnd(text string, from int) (content, end int, ok bool) {
	at := from
	for {
		open := strings.Index(text[at:], "{%")
		if open < 0 {
			return 0, 0, false
		}
		content = at + open
		at = content + 2
		for {
			sc := scanner{source: text, at: at, end: len(text)}
			if sc.identifier() != "endraw" {
				break
			}
			at = sc.at
			percent, closes := nextDelimiter(text, at)
			if percent < 0 {
				return 0, 0, false
			}
			if closes {
				return content, percent + 2, true
			}
			at = percent + 1
		}
	}
}

// nextDelimiter gives the place of the percent sign of the next {% or %}, and
// which of the two it is; -1 when there is none.
func nextDelimiter(text string, from int) (percent int, closes bool) {
	for at := from; at < len(text); at++ {
		found := strings.IndexByte(text[at:], '%')
		if found < 0 {
			break
		}
		at += found
		if at > from && text[at-1] == '{' {
			return at, false
		}
		if at+1 < len(text) && text[at+1] == '}' {
			return at, true
		}
	}
	return -1, false
}

// lines reads the tags of a liquid tag, one a line.
type lines struct {
	parser  *parser
	text    string
	at, end int
}

func (l *lines) retreat(int) {}

func (l *lines) next() token {
	for {
		sc := scanner{source: l.text, at: l.at, end: l.end}
		sc.skipBlank()
		if sc.atEnd() {
			l.at = l.end
			return token{kind: endToken, begin: l.end, end: l.end}
		}
		t := token{kind: tagToken, begin: sc.at, end: l.end, line: true}
		if newline := strings.IndexByte(l.text[sc.at:l.end], '\n'); newline >= 0 {
			t.end = sc.at + newline + 1
		}
		l.at = t.end
		t.from, t.to, _ = inner(l.text, t.begin, t.end)
		sc = scanner{source: l.text, at: t.from, end: t.to}
		t.name = tagName(&sc)
		t.args = sc.at
		if t.name != "" {
			return t
		}
		l.parser.report(t.begin, templateSyntax, "Expected the name of a tag at the start of a line")
	}
}
