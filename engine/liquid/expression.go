package liquid

// This file holds the tree of an expression and how it is read from markup.

import (
	"strconv"
	"strings"
)

// operand is a value inside an expression: a literal, a path or a range.
type operand interface {
	// eval gives the operand's value. A lenient path gives null for a field
	// that is not there.
	eval(s *state, lenient bool) any
}

// literal is a value written in the template.
type literal struct{ value any }

// path reads a name and its properties, or the properties of a literal.
type path struct {
	at       int
	of       operand // what the properties belong to; nil when the path starts with a name
	root     operand // the name, when it is not written plainly: ["a b"] or [input.key]
	name     string  // the name, when it is written plainly or in quotes
	place    place   // where the name's value is kept
	segments []segment
	computed bool // some key is worked out when it is read, and no literal
}

// segment is one property of a path.
type segment struct {
	at   int
	name string  // the key, when it is written as text
	expr operand // the key otherwise
}

// rangeOf is (low..high).
type rangeOf struct {
	at        int
	low, high operand
}

// expression is operands and operators in the order they are worked off.
// Nearly all have one operand and nothing else.
type expression struct {
	only  operand
	terms []term // nil when there is only one operand
}

// term is an operand, or an operator on the operands before it.
type term struct {
	operand operand
	op      operator
}

// filtered is an expression with the filters that its value goes through.
type filtered struct {
	expression
	at, end int
	filters []filterCall
	// lenient is set when default comes first: the value may then be missing.
	lenient bool
}

// filterCall is one filter with its arguments.
type filterCall struct {
	at     int
	filter *Filter
	args   []filterArgument
}

// filterArgument is an argument as it is written. A named one reaches the filter as a pair of its name
// and its value.
type filterArgument struct {
	named bool
	name  string
	value operand // nil when nothing is written, which is undefined
}

// markup reads the expressions of one tag or output. The first fault ends it.
type markup struct {
	scanner
	parser *parser
	start  int // where the markup starts
	depth  int
	failed bool
}

// fail reports a fault once; all that follows it in the same markup is silent.
func (m *markup) fail(at int, message string) {
	if m.failed {
		return
	}
	m.failed = true
	m.parser.syntaxFault(m.start, at, m.end, message)
}

// filteredValue reads an expression and its filters.
func (m *markup) filteredValue() filtered {
	f := filtered{at: m.at}
	var room [4]filterCall
	filters := room[:0]
	f.expression = m.expression()
	if f.only == nil && f.terms == nil {
		message := "Expected a value"
		if m.peek() == '{' && m.at == m.start {
			message = "Expected two braces, found {{{"
		} else if m.at == m.start {
			if meant := handlebars(m.source[m.at:m.end]); meant != "" {
				message = meant
			}
		}
		m.fail(m.at, message)
		return f
	}
	for !m.failed {
		call, more := m.filterCall()
		if !more {
			break
		}
		if call.filter != nil {
			filters = append(filters, call)
		}
	}
	f.filters = several(&m.parser.made.filters, filters)
	f.end = m.at
	f.lenient = len(f.filters) > 0 && f.filters[0].filter.Name == "default"
	return f
}

// expression reads operands and operators and puts them in working order.
func (m *markup) expression() expression {
	var terms []term
	var waiting []operator
	var first operand
	for !m.failed && !m.atEnd() {
		if op := m.operator(); op != opNone {
			if first != nil {
				terms, first = append(terms, term{operand: first}), nil
			}
			for len(waiting) > 0 && waiting[len(waiting)-1].precedence() > op.precedence() {
				terms = append(terms, term{op: waiting[len(waiting)-1]})
				waiting = waiting[:len(waiting)-1]
			}
			waiting = append(waiting, op)
			continue
		}
		next := m.value()
		if next == nil {
			break
		}
		if terms == nil && waiting == nil && first == nil {
			first = next
			continue
		}
		if first != nil {
			terms, first = append(terms, term{operand: first}), nil
		}
		terms = append(terms, term{operand: next})
	}
	if first != nil {
		return expression{only: first}
	}
	for i := len(waiting) - 1; i >= 0; i-- {
		terms = append(terms, term{op: waiting[i]})
	}
	return expression{terms: terms}
}

// filterCall reads | and a filter, and tells whether there was one.
func (m *markup) filterCall() (filterCall, bool) {
	m.skipBlank()
	if m.atEnd() || m.peek() == ')' || m.peek() == ',' {
		return filterCall{}, false
	}
	if m.peek() != '|' {
		m.fail(m.at, m.meant(m.at, "Expected | before a filter"))
		return filterCall{}, false
	}
	bar := m.at
	m.at++
	m.skipBlank()
	call := filterCall{at: m.at}
	name := m.identifier()
	if name == "" {
		if m.atEnd() {
			m.parser.warn(bar, templateSyntax, "Expected the name of a filter after |, which does nothing here")
		} else {
			m.fail(m.at, m.meant(m.at-1, "Expected the name of a filter"))
		}
		return filterCall{}, false
	}
	m.skipBlank()
	switch m.peek() {
	case ':':
		call.args = m.arguments()
	case '|', ')', ',':
	default:
		if !m.atEnd() {
			m.fail(m.at, "Expected : before the arguments of "+shown(name))
			return filterCall{}, false
		}
	}
	if m.failed {
		return filterCall{}, false
	}
	call.filter = m.parser.filter(call.at, name, len(call.args))
	return call, true
}

// meant is the message for a fault at a place: what to write where another
// language's sign stands there, otherwise the given one.
func (m *markup) meant(at int, otherwise string) string {
	if message, foreign := foreignSign(m.source[at:m.end]); foreign {
		return message
	}
	return otherwise
}

// arguments reads what follows the colon of a filter.
func (m *markup) arguments() []filterArgument {
	var room [4]filterArgument
	args := room[:0]
	for {
		m.at++
		m.skipBlank()
		start := m.at
		if key := m.value(); key != nil {
			end := m.at
			m.skipBlank()
			if m.peek() == ':' {
				name := m.source[start:end]
				m.at++
				args = append(args, filterArgument{named: true, name: name, value: m.value()})
			} else {
				args = append(args, filterArgument{value: key})
			}
		}
		if m.failed {
			return nil
		}
		m.skipBlank()
		switch m.peek() {
		case ',':
			continue
		case '|', ')':
		default:
			if !m.atEnd() {
				m.fail(m.at, m.meant(start, "Expected a comma between arguments"))
			}
		}
		return several(&m.parser.made.args, args)
	}
}

// value reads one operand after any blanks; nil when there is none.
func (m *markup) value() operand {
	m.skipBlank()
	if m.failed || m.atEnd() {
		return nil
	}
	start := m.at
	base := m.literal()
	if base == nil && m.peek() == '(' {
		base = m.parenthesis()
	}
	if m.failed {
		return nil
	}
	if base == nil {
		return m.namedPath(start)
	}
	if b := m.peek(); b == '.' || b == '[' {
		p := &path{at: start, of: base}
		if m.properties(p); len(p.segments) > 0 {
			return p
		}
	}
	return base
}

// Literals that need no memory of their own.
var (
	trueLiteral  = &literal{true}
	falseLiteral = &literal{false}
	nilLiteral   = &literal{nilWord}
	emptyLiteral = &literal{emptyWord}
	blankLiteral = &literal{blankWord}
)

// literal reads a word of the language, a text or a number.
func (m *markup) literal() operand {
	switch b := m.source[m.at]; b {
	case 't':
		if m.keyword("true") {
			return trueLiteral
		}
	case 'f':
		if m.keyword("false") {
			return falseLiteral
		}
	case 'n':
		if m.keyword("nil") || m.keyword("null") {
			return nilLiteral
		}
	case 'e':
		if m.keyword("empty") {
			return emptyLiteral
		}
	case 'b':
		if m.keyword("blank") {
			return blankLiteral
		}
	case '"', '\'':
		start := m.at
		m.at = m.quoted()
		text := unquote(m.source[start:m.at])
		if strings.IndexByte(text, 0xED) >= 0 {
			m.parser.template.halves = true
		}
		return m.parser.literal(text)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-':
		if end, ok := m.number(); ok {
			number, _ := strconv.ParseFloat(m.source[m.at:end], 64)
			m.at = end
			return m.parser.literal(number)
		}
	}
	return nil
}

func (p *parser) literal(v any) *literal {
	l := one(&p.made.literals)
	l.value = v
	return l
}

// parenthesis reads a range.
func (m *markup) parenthesis() operand {
	r := &rangeOf{at: m.at}
	m.at++
	if m.depth++; m.depth > nestingLimit {
		m.parser.tooDeep(m.at, "Parentheses nest")
		m.failed = true
		return nil
	}
	defer func() { m.depth-- }()
	if r.low = m.rangeEnd(); r.low == nil {
		return nil
	}
	m.skipBlank()
	if m.peek() != '.' || m.peekAt(1) != '.' {
		m.fail(m.at, "Expected .. and the end of a range; parentheses hold nothing else")
		return nil
	}
	m.at += 2
	if r.high = m.rangeEnd(); r.high == nil {
		return nil
	}
	m.skipBlank()
	if m.peek() != ')' {
		m.fail(m.at, "Expected ) after a range")
		return nil
	}
	m.at++
	return r
}

func (m *markup) rangeEnd() operand {
	v := m.value()
	if v == nil {
		m.fail(m.at, "Expected a value in a range")
	}
	return v
}

// namedPath reads a name and its properties; nil when there is no name.
func (m *markup) namedPath(start int) operand {
	p := one(&m.parser.made.paths)
	*p = path{at: start}
	if m.peek() == '.' && m.peekAt(1) != '.' {
		m.at++ // a dot before the name changes nothing
	}
	if m.peek() == '[' {
		root, ok := m.bracket()
		if !ok {
			return nil
		}
		p.name, p.root = root.name, root.expr
	} else if p.name = m.identifier(); p.name == "" {
		return nil
	}
	m.properties(p)
	if m.failed {
		return nil
	}
	m.parser.resolve(p)
	return p
}

// properties reads the .name and [key] parts that follow a path's start.
func (m *markup) properties(p *path) {
	var room [8]segment
	segments := room[:0]
	for !m.failed {
		var next segment
		if b := m.peek(); b == '[' {
			var ok bool
			if next, ok = m.bracket(); !ok {
				return
			}
		} else if b == '.' && m.peekAt(1) != '.' {
			m.at++
			m.skipBlank()
			next.at = m.at
			if next.name = m.identifier(); next.name == "" {
				break
			}
		} else {
			break
		}
		segments = append(segments, next)
		if _, written := next.expr.(*literal); next.expr != nil && !written {
			p.computed = true
		}
	}
	p.segments = several(&m.parser.made.segments, segments)
}

// bracket reads [key]. An empty one is the empty text.
func (m *markup) bracket() (segment, bool) {
	m.at++
	if m.depth++; m.depth > nestingLimit {
		m.parser.tooDeep(m.at, "Brackets nest")
		m.failed = true
		return segment{}, false
	}
	defer func() { m.depth-- }()
	key := segment{at: m.at}
	if v := m.value(); v != nil {
		key.expr = v
		if l, ok := v.(*literal); ok {
			if text, ok := l.value.(string); ok {
				key.name, key.expr = text, nil
			}
		}
	}
	if m.failed {
		return segment{}, false
	}
	if !m.skipTo("]") {
		m.fail(m.end, "Expected ] to end the key")
		return segment{}, false
	}
	return key, true
}
