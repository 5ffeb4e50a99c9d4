package frontmatter

// This file says in the formats' words what the YAML library could not read.

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/problem"
)

// fault is a syntax error: a place in a source, and what is wrong there.
type fault struct {
	line, column int // in the source
	rule         problem.Rule
	message      string
	open         bool // a quote or a bracket is not closed, so that what follows may be part of it
}

// trouble is an error of the library with what is known about its place.
type trouble struct {
	source  *source
	outline outline
	mark    yaml.Mark // where the library stopped
	context yaml.Mark // where what it was reading starts
}

// rest is the text from a mark to the end of its line.
func (t *trouble) rest(mark yaml.Mark) string {
	line := t.source.line(mark.Line)
	start := t.source.offset(mark.Line, mark.Column) - t.source.offset(mark.Line, 1)
	return line[min(max(start, 0), len(line)):]
}

// first tells whether a mark is the first thing on its line.
func (t *trouble) first(mark yaml.Mark) bool {
	line := t.source.line(mark.Line)
	start := t.source.offset(mark.Line, mark.Column) - t.source.offset(mark.Line, 1)
	return strings.Trim(line[:min(max(start, 0), len(line))], " \t") == ""
}

func at(mark yaml.Mark, message string) fault {
	return fault{line: mark.Line, column: mark.Column, message: message}
}

// Sentences that more than one error comes down to.
const (
	tabMessage       = "Expected spaces as indentation, not a tab"
	directiveMessage = "Expected a key: a line that starts with % is a YAML directive, which is not allowed"
	colonMessage     = "Expected a key, a colon and a space, such as description: Reviews a brief"
	spaceMessage     = "Expected a space after the colon"
	quotesMessage    = "Expected quotes around a value that starts with "
	templateMessage  = "Expected quotes around the template, such as '{{ input.brief }}'"
	blockMessage     = "Expected the text on the lines below, indented, not beside the | or >"
	secondMessage    = "Expected one YAML document, not a second one"
	fallbackMessage  = "Expected YAML here: check the indentation, the quotes and the brackets"
)

// faults is how each message of the library is told. The library gives only
// text, so this is the one place that knows it; a message that is not listed
// is told as fallbackMessage. It is made at the first fault: no other start pays
// for it.
var faults = sync.OnceValue(func() map[string]func(t *trouble) fault {
	return map[string]func(t *trouble) fault{
		"found a comment without preceding whitespace": func(t *trouble) fault {
			return at(t.mark, "Expected a space before #")
		},
		"found character that cannot start any token":                  startFault,
		"did not find expected alphabetic or numeric character":        func(t *trouble) fault { return at(t.context, quotesMessage+firstCharacter(t.rest(t.context))) },
		"block sequence entries are not allowed in this context":       func(t *trouble) fault { return at(t.mark, "Expected the list on the lines below its key") },
		"mapping keys are not allowed in this context":                 func(t *trouble) fault { return at(t.mark, quotesMessage+"?") },
		"mapping values are not allowed in this context":               valueFault,
		"could not find expected ':'":                                  colonFault,
		"found unexpected content after document-end marker":           func(t *trouble) fault { return at(t.mark, "Expected nothing after the ... that ends the YAML") },
		"found an indentation indicator equal to 0":                    func(t *trouble) fault { return at(t.mark, "Expected an indentation of 1 to 9") },
		"did not find expected comment or line break":                  blockFault,
		"found a tab character where an indentation space is expected": tabFault,
		"found a tab character that violates indentation":              tabFault,
		"found mixed spaces and tabs in indentation":                   tabFault,
		"found tabs where space indentation is required":               tabFault,
		"found unexpected document indicator":                          quoteFault,
		"found unexpected end of stream":                               quoteFault,
		"found unknown escape character":                               escapeFault,
		"did not find expected hexadecimal number":                     digitsFault,
		"found invalid Unicode character escape code":                  characterFault,
		"did not find the expected '>'":                                tagFault,
		"did not find expected whitespace or line break":               tagFault,
		"found undefined tag handle":                                   tagFault,
		"found unknown directive name":                                 directiveFault,
		"found incompatible YAML document":                             directiveFault,
		"could not find expected directive name":                       directiveFault,
		"found unexpected non-alphabetical character":                  directiveFault,
		"found extremely long version number":                          directiveFault,
		"did not find expected version number":                         directiveFault,
		"did not find expected digit or '.' character":                 directiveFault,
		"did not find expected whitespace":                             directiveFault,
		"found duplicate %YAML directive":                              directiveFault,
		"found duplicate %TAG directive":                               directiveFault,
		"did not find expected <document start>":                       documentFault,
		"did not find expected <document end> before directive":        directiveFault,
		"did not find expected node content":                           contentFault,
		"did not find expected '-' indicator": func(t *trouble) fault {
			return keyFault(t, "Expected the next item of the list, which starts with -, or less indentation")
		},
		"did not find expected key":        func(t *trouble) fault { return keyFault(t, "Expected a key indented like the keys above it") },
		"did not find expected ',' or ']'": flowFault,
		"did not find expected ',' or '}'": flowFault,
	}
})

// faultOf tells an error of the library.
func faultOf(err error, source *source) fault {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return fault{line: 1, column: 1, rule: problem.YAMLSyntax, message: fallbackMessage}
	}
	t := &trouble{source: source, outline: outlineOf(source), mark: load.Mark, context: load.ContextMark}
	if t.context.Line == 0 {
		t.context = t.mark
	}
	for _, line := range []int{t.mark.Line, t.context.Line} {
		if column := oddIndentation(source.line(line)); column > 0 {
			return fault{line: line, column: column, rule: problem.YAMLSyntax, message: NoBreakSpace}
		}
	}
	told, known := faults()[load.Message]
	if !known {
		told = func(t *trouble) fault { return at(t.mark, fallbackMessage) }
	}
	f := told(t)
	// What is not closed explains every error on the lines after it.
	if open := t.outline.unclosed; open != nil && open.line <= f.line {
		if open.template || open.mark == '"' || open.mark == '\'' || open.line < t.mark.Line {
			f = openFault(source, *open)
		}
		f.open = f.open || !open.template
	}
	if f.rule == "" {
		f.rule = problem.YAMLSyntax
	}
	f.line = max(f.line, 1)
	return f
}

// NoBreakSpace is the message for a no-break space that looks like indentation.
const NoBreakSpace = "Expected spaces as indentation, not a no-break space"

// oddIndentation gives the column of a no-break space among those that a line
// starts with; 0 when there is none.
func oddIndentation(line string) int {
	rest := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(rest, "\u00a0") {
		return 0
	}
	return 1 + len(line) - len(rest)
}

// openFault tells of a quote or a bracket that does not close where it should.
func openFault(source *source, open opening) fault {
	column := 1 + utf8.RuneCountInString(source.line(open.line)[:open.at])
	switch {
	case open.template:
		return fault{line: open.line, column: column, message: templateMessage}
	case open.mark == '"' || open.mark == '\'':
		return fault{line: open.line, column: column, open: true,
			message: closingQuoteMessage(string(open.mark))}
	}
	return fault{line: open.next, column: 1 + indentation(source.line(open.next)), open: true,
		message: bracketMessage(open.mark, open.line+source.shift)}
}

func closingQuoteMessage(quote string) string {
	return "Expected a closing " + quote + " for the text that starts here"
}

func bracketMessage(mark byte, line int) string {
	closing := ']'
	if mark == '{' {
		closing = '}'
	}
	return fmt.Sprintf("Expected %c before this line, or more indentation: the %c of line %d is open", closing, mark, line)
}

func startFault(t *trouble) fault {
	switch rest := t.rest(t.mark); {
	case strings.HasPrefix(rest, "\t"):
		return at(t.mark, tabMessage)
	case strings.HasPrefix(rest, "%"):
		if line := t.source.line(t.mark.Line); strings.HasSuffix(line[:len(line)-len(rest)], "{") {
			return at(t.mark, templateMessage)
		}
		return at(t.mark, quotesMessage+"%")
	case rest != "":
		return at(t.mark, quotesMessage+firstCharacter(rest))
	}
	return at(t.mark, fallbackMessage)
}

func firstCharacter(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 || r == utf8.RuneError {
		return "this character"
	}
	return string(r)
}

// valueFault is a colon where no key can end: a second one within a value, or
// one on a line that goes on with the text of a line above.
func valueFault(t *trouble) fault {
	line := t.mark.Line
	start, continued := t.outline.continues[line]
	if !continued {
		rest := t.source.line(line)
		if strings.HasPrefix(strings.TrimLeft(rest, " "), "- ") {
			return at(t.mark, fallbackMessage)
		}
		return at(t.mark, "Expected quotes around a value that holds a colon and a space")
	}
	text := t.source.line(start)
	column := 1 + utf8.RuneCountInString(text[:indentation(text)])
	if _, value, isKey := strings.Cut(text, ": "); isKey && strings.TrimSpace(value) != "" || strings.HasPrefix(strings.TrimLeft(text, " "), "- ") {
		return fault{line: start, column: column, message: fmt.Sprintf(
			"Expected one value: line %d is indented as more of it, but looks like a key", line+t.source.shift)}
	}
	return lineWithoutKey(t.source, start)
}

// lineWithoutKey tells of a line that should be a key and its value.
func lineWithoutKey(source *source, line int) fault {
	text := source.line(line)
	column := 1 + indentation(text)
	if colon := strings.IndexByte(text, ':'); colon > 0 && colon+1 < len(text) && !strings.HasPrefix(text[colon:], "://") {
		return fault{line: line, column: 2 + utf8.RuneCountInString(text[:colon]), message: spaceMessage}
	}
	return fault{line: line, column: column, message: colonMessage}
}

// colonFault is a line without the colon of a key. The library notices it at
// the token after, so the place is that of its context.
func colonFault(t *trouble) fault { return lineWithoutKey(t.source, t.context.Line) }

func blockFault(t *trouble) fault {
	if strings.HasPrefix(t.source.line(t.context.Line), "%") {
		return directiveFault(t)
	}
	return at(t.mark, blockMessage)
}

func tabFault(t *trouble) fault { return at(t.mark, tabMessage) }

func documentFault(t *trouble) fault {
	if strings.HasPrefix(t.source.text, "%") {
		return directiveFault(t)
	}
	return keyFault(t, "Expected this line indented like the first one")
}

func directiveFault(t *trouble) fault {
	for line := 1; line <= len(t.source.starts); line++ {
		if strings.HasPrefix(t.source.line(line), "%") {
			return fault{line: line, column: 1, rule: problem.YAMLFeature, message: directiveMessage, open: true}
		}
	}
	return at(t.mark, directiveMessage)
}

func quoteFault(t *trouble) fault {
	quote := firstCharacter(t.rest(t.context))
	f := at(t.context, closingQuoteMessage(quote))
	f.open = true
	return f
}

// escape gives the mark of the escape at or before where the library stopped,
// and the text from there.
func (t *trouble) escape() (yaml.Mark, string) {
	line := t.source.line(t.mark.Line)
	before := line[:len(line)-len(t.rest(t.mark))]
	if rest := t.rest(t.mark); !strings.HasPrefix(rest, `\`) {
		if start := strings.LastIndexByte(before, '\\'); start >= 0 {
			mark := t.mark
			mark.Column = 1 + utf8.RuneCountInString(line[:start])
			return mark, line[start:]
		}
	}
	return t.mark, t.rest(t.mark)
}

func escapeFault(t *trouble) fault {
	mark, escape := t.escape()
	_, size := utf8.DecodeRuneInString(escape[min(1, len(escape)):])
	return at(mark, "Unknown escape "+escape[:min(1+size, len(escape))]+`; write \\ for a backslash, or single quotes around the text`)
}

func digitsFault(t *trouble) fault {
	mark, escape := t.escape()
	digits := map[string]int{`\x`: 2, `\u`: 4, `\U`: 8}[escape[:min(2, len(escape))]]
	if digits == 0 {
		return at(mark, fallbackMessage)
	}
	return at(mark, fmt.Sprintf("Expected %d hexadecimal digits after %s", digits, escape[:2]))
}

func characterFault(t *trouble) fault {
	mark, escape := t.escape()
	return at(mark, "Expected the escape of a whole character, which "+escape[:min(escapeLength(escape+"  "), len(escape))]+" is not")
}

func tagFault(t *trouble) fault {
	tag, _, _ := strings.Cut(t.rest(t.context), " ")
	if !strings.HasPrefix(tag, "!") {
		tag = "!"
	}
	f := at(t.context, "Tags such as "+clip(tag)+" are not allowed")
	f.rule = problem.YAMLFeature
	return f
}

func contentFault(t *trouble) fault {
	rest := t.rest(t.mark)
	if rest == "" {
		return at(t.mark, "Expected a value")
	}
	return at(t.mark, "Expected a value before "+firstCharacter(rest))
}

func flowFault(t *trouble) fault {
	rest := t.rest(t.mark)
	if strings.HasPrefix(rest, ":") {
		return commaFault(t)
	}
	switch rest := firstCharacter(rest); rest {
	case "]", "}":
		return at(t.mark, "Expected the other bracket, not "+rest)
	}
	return at(t.mark, "Expected a comma, or the closing bracket")
}

// commaFault is a second colon in an entry of a flow collection. When its key
// starts the line, the comma is missing at the end of a line above.
func commaFault(t *trouble) fault {
	line := t.mark.Line
	before := strings.TrimLeft(strings.TrimSuffix(t.source.line(line), t.rest(t.mark)), " \t")
	if strings.ContainsAny(before, ",:{[") {
		return at(t.mark, "Expected a comma before this entry")
	}
	for line--; line > 1 && blank(t.source.line(line)); {
		line--
	}
	return fault{line: line, column: 1 + utf8.RuneCountInString(t.source.line(line)), message: "Expected a comma at the end of this line"}
}

// keyFault is something else where a block goes on. When it is the first thing
// on its line the indentation is wrong; otherwise a value before it has ended.
func keyFault(t *trouble, indented string) fault {
	rest := t.rest(t.mark)
	switch {
	case strings.HasPrefix(rest, ":"):
		return at(t.mark, spaceMessage)
	case !t.first(t.mark):
		switch first := firstCharacter(rest); first {
		case "]", "}", ",":
			return at(t.mark, "Expected the line to end before "+first)
		}
		return at(t.mark, "Expected the line to end after the value, or quotes around all of it")
	case strings.HasPrefix(rest, "- ") || rest == "-":
		return at(t.mark, "Expected a key here, not an item of a list: check the indentation")
	}
	return at(t.mark, indented)
}

func clip(text string) string {
	const most = 40
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
