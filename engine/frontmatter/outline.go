package frontmatter

// This file follows the outline of YAML that the library could not read: where
// texts and brackets open, and whether they close. It only ever words a problem
// that is known to be there, so it may be as rough as eyes are.

import "strings"

// opening is a quote or a bracket that does not close where it should.
type opening struct {
	mark     byte // ", ', [ or {
	line, at int  // where it opens, at being a byte of that line
	next     int  // the line that it should have closed before
	template bool // it is the {{ of a template without quotes
}

// outline is what a look over the text finds.
type outline struct {
	unclosed  *opening    // the first one, nil when all close
	continues map[int]int // for a line that goes on with a plain text: the line that text starts on
}

type outliner struct {
	source *source
	found  outline
	line   int    // the line being looked at
	text   string // its text
	at     int    // how far it was looked at, in bytes
	indent int    // the indentation of the block that the position is in
}

func outlineOf(source *source) outline {
	o := &outliner{source: source, found: outline{continues: map[int]int{}}}
	for o.next(); o.line <= len(source.starts) && o.found.unclosed == nil; o.next() {
		if !blank(o.text) {
			o.block()
		}
	}
	return o.found
}

func (o *outliner) next() {
	o.line++
	o.text, o.at = o.source.line(o.line), 0
}

// block looks over one line outside of brackets and quotes, and over the lines
// that belong to the value that starts on it.
func (o *outliner) block() {
	o.indent = -1
	for o.found.unclosed == nil {
		for o.at < len(o.text) && (o.text[o.at] == ' ' || o.text[o.at] == '\t') {
			o.at++
		}
		rest := o.text[o.at:]
		if rest == "" || rest[0] == '#' {
			return
		}
		start := o.at
		switch first := rest[0]; {
		case (first == '-' || first == '?' || first == ':') && (len(rest) == 1 || rest[1] == ' ' || rest[1] == '\t'):
			o.indent = start
			o.at++
			continue
		case first == '&' || first == '!' || first == '*':
			word := strings.IndexAny(rest, " \t")
			if word < 0 {
				return
			}
			o.at += word
			continue
		case first == '|' || first == '>':
			o.skipIndented()
			return
		case first == '"' || first == '\'':
			if !o.quoted(first) {
				return
			}
		case first == '[' || first == '{':
			if !o.flow() {
				return
			}
		default:
			if !o.plain() {
				o.continuation()
				return
			}
		}
		if !o.colon() {
			return
		}
		o.indent = start
	}
}

// colon steps over the colon that makes what came before it a key.
func (o *outliner) colon() bool {
	rest := strings.TrimLeft(o.text[o.at:], " \t")
	if rest == "" || rest[0] != ':' || len(rest) > 1 && rest[1] != ' ' && rest[1] != '\t' {
		return false
	}
	o.at = len(o.text) - len(rest) + 1
	return true
}

// plain steps to the colon that ends a plain key, and tells whether there is one.
func (o *outliner) plain() bool {
	for i := o.at; i < len(o.text); i++ {
		switch o.text[i] {
		case ':':
			if i+1 == len(o.text) || o.text[i+1] == ' ' || o.text[i+1] == '\t' {
				o.at = i
				return true
			}
		case '#':
			if i > 0 && (o.text[i-1] == ' ' || o.text[i-1] == '\t') {
				return false
			}
		}
	}
	return false
}

// continuation notes the lines that go on with the plain text of this line.
func (o *outliner) continuation() {
	start := o.line
	for o.line < len(o.source.starts) {
		following := o.source.line(o.line + 1)
		if !blank(following) && indentation(following) <= o.indent {
			return
		}
		o.next()
		if !blank(o.text) {
			o.found.continues[o.line] = start
		}
	}
}

// skipIndented steps over the text of a block scalar.
func (o *outliner) skipIndented() {
	for o.line < len(o.source.starts) {
		following := o.source.line(o.line + 1)
		if strings.TrimLeft(following, " ") != "" && indentation(following) <= o.indent {
			return
		}
		o.next()
	}
}

// quoted steps over a quoted text, and tells whether it closes.
func (o *outliner) quoted(quote byte) bool {
	open := opening{mark: quote, line: o.line, at: o.at}
	o.at++
	for {
		for ; o.at < len(o.text); o.at++ {
			switch {
			case o.text[o.at] == '\\' && quote == '"':
				o.at++
			case o.text[o.at] != quote:
			case quote == '\'' && strings.HasPrefix(o.text[o.at+1:], "'"):
				o.at++
			default:
				o.at++
				return true
			}
		}
		if !o.within(open, 0) {
			return false
		}
	}
}

// within steps to the next line of what is open, depth collections deep, and
// tells whether that line still belongs to it: it must be indented more than
// the block around. Only the bracket that closes the outermost collection may
// stand as far left as the block.
func (o *outliner) within(open opening, depth int) bool {
	for {
		o.next()
		if o.line > len(o.source.starts) || o.line == len(o.source.starts) && o.text == "" {
			break
		}
		rest := strings.TrimLeft(o.text, " \t")
		if rest == "" || rest[0] == '#' && depth > 0 {
			continue
		}
		spaces := indentation(o.text)
		if spaces > o.indent || depth == 1 && spaces == o.indent && (rest[0] == ']' || rest[0] == '}') {
			return true
		}
		break
	}
	open.next = o.line
	o.found.unclosed = &open
	return false
}

// flow steps over a flow collection, and tells whether it closes.
func (o *outliner) flow() bool {
	stack := []opening{{mark: o.text[o.at], line: o.line, at: o.at}}
	if rest := o.text[o.at:]; strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "{%") {
		stack[0].template = true
		o.found.unclosed = &stack[0]
		return false
	}
	o.at++
	token := tokenStart
	for {
		for o.at < len(o.text) {
			c := o.text[o.at]
			switch {
			case c == ' ' || c == '\t':
			case c == '#' && (o.at == 0 || o.text[o.at-1] == ' ' || o.text[o.at-1] == '\t'):
				o.at = len(o.text)
				continue
			case (c == '"' || c == '\'') && token == tokenStart:
				if !o.quoted(c) {
					return false
				}
				token = tokenClosed
				continue
			case (c == '&' || c == '!' || c == '*') && token == tokenStart:
				o.at = o.wordEnd()
				continue
			case (c == '[' || c == '{') && token == tokenStart:
				stack = append(stack, opening{mark: c, line: o.line, at: o.at})
			case c == ']' || c == '}':
				if (c == ']') != (stack[len(stack)-1].mark == '[') {
					return false // the library tells that
				}
				stack, token = stack[:len(stack)-1], tokenClosed
				if len(stack) == 0 {
					o.at++
					return true
				}
			case c == ',':
				token = tokenStart
			case (c == ':' || c == '?') && (token == tokenClosed && c == ':' || o.indicates()):
				token = tokenStart
			default:
				token = tokenPlain
			}
			o.at++
		}
		if !o.within(stack[len(stack)-1], len(stack)) {
			return false
		}
	}
}

// What comes before a position in a flow collection.
const (
	tokenStart  = iota // an indicator: a quote or a bracket here opens something
	tokenPlain         // plain text, which goes on
	tokenClosed        // a quoted text or a collection, after which a colon needs no space
)

// indicates tells whether the colon or question mark here stands for itself:
// nothing that could go on with a plain text follows.
func (o *outliner) indicates() bool {
	return o.at+1 == len(o.text) || strings.IndexByte(" \t,[]{}", o.text[o.at+1]) >= 0
}

// wordEnd is where an anchor, an alias or a tag in a flow collection ends.
func (o *outliner) wordEnd() int {
	if end := strings.IndexAny(o.text[o.at:], " \t,[]{}"); end >= 0 {
		return max(o.at+end, o.at+1)
	}
	return len(o.text)
}
