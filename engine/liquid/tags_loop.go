package liquid

// This file holds for and tablerow, and the tags that leave a loop.

import (
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// Where rendering goes on after a node.
type flow uint8

const (
	onward     flow = iota
	breaking        // leave the loop
	continuing      // next item
)

type flowNode flow

func (n flowNode) render(s *state) {
	if flow(n) == breaking {
		s.broken = true
	} else {
		s.continued = true
	}
}

// loopNode is what for and tablerow have in common.
type loopNode struct {
	at         int
	depth      int // how many loops are around it
	variable   string
	collection operand
	written    string // the collection as it is written
	options    []loopOption
	nodes      []node
}

// loopOption is a named argument, such as limit: 2. One without a value is true.
type loopOption struct {
	at    int
	name  string
	value operand
}

type forNode struct {
	loopNode
	others []node
	key    string // what offset: continue remembers its place by
}

func (p *parser) forBlock(tag *Tag, t token) {
	n := &forNode{}
	if !p.loopHead(&n.loopNode, t) {
		n.collection = nilLiteral
	} else if n.variable == "" {
		p.report(t.begin, templateSyntax, "Expected for name in list")
	}
	n.key = n.variable + "-" + n.written
	p.push(block{tag: tag, at: t.begin, node: n}, &n.nodes)
	p.enterLoop(loopName{n.variable, "forloop"})
}

func (n *forNode) clause(p *parser, _ *block, t token) bool {
	if t.name != "else" {
		return false
	}
	p.noArguments(t, templateSyntax)
	p.loops = p.loops[:n.depth]
	p.into = &n.others
	return true
}

func (p *parser) enterLoop(name loopName) {
	if p.loopNames == nil {
		p.loopNames = make(map[string]bool)
	}
	p.loopNames[name.variable], p.loopNames[name.fields] = true, true
	p.loops = append(p.loops, name)
	p.template.loops = max(p.template.loops, len(p.loops))
}

// loopHead reads name in list and the options after it.
func (p *parser) loopHead(n *loopNode, t token) bool {
	n.at, n.depth = t.begin, len(p.loops)
	m := p.arguments(t)
	n.variable = m.identifier()
	in := m.identifier()
	if in != "in" {
		m.fail(t.begin, "Expected "+t.name+" name in list")
		return false
	}
	m.skipBlank()
	start := m.at
	if n.collection = m.value(); n.collection == nil {
		m.fail(t.begin, "Expected "+t.name+" name in list")
		return false
	}
	n.written = m.source[start:m.at]
	if t.name == "for" {
		p.loops = append(p.loops, loopName{"continue", ""})
		defer func() { p.loops = p.loops[:n.depth] }()
	}
	for !m.failed {
		m.skipBlank()
		if m.peek() == ',' {
			m.at++
			m.skipBlank()
		}
		option := loopOption{at: m.at, name: m.identifier()}
		if option.name == "" {
			if rest := m.source[m.at:m.end]; mistypedEnd(rest) != "" && strings.Contains(rest, "{") {
				m.fail(m.at, "Expected "+t.name+" name in list")
			} else if strings.HasPrefix(rest, "|") {
				p.warn(m.at, problem.TemplateSyntax, "Filters are not read here: give their result a name with assign, and go through that")
			}
			break
		}
		if option.name == "if" {
			p.warn(option.at, problem.TemplateSyntax, t.name+" takes no condition, and passes over none: put an if into it")
		}
		m.skipBlank()
		if m.peek() == ':' {
			m.at++
			option.value = m.value()
		}
		n.setOption(option)
	}
	return true
}

// optionsCompared is among how many options one that is given again is found.
// Past it both are worked out, and the later one still counts.
const optionsCompared = 64

// setOption adds an option; one given again takes the later value.
func (n *loopNode) setOption(option loopOption) {
	for i := range n.options[:min(len(n.options), optionsCompared)] {
		if n.options[i].name == option.name {
			n.options[i].value = option.value
			return
		}
	}
	n.options = append(n.options, option)
}

// readOptions works out every option, known or not, in the order written.
func (n *loopNode) readOptions(s *state, use func(name string, v any)) {
	for _, option := range n.options {
		v := any(true)
		if option.value != nil {
			if v = option.value.eval(s, false); v == undefined {
				continue
			}
		}
		use(option.name, v)
	}
}

// items gives what a loop goes over: the items of a list, the pairs of key and
// value of an object, one text, or nothing.
func (s *state) items(v any) []any {
	switch v := plain(v).(type) {
	case []any:
		return v
	case *numberRange:
		return v.list(s)
	case string:
		if v != "" {
			return []any{v}
		}
	case *value.Object:
		s.charge(float64(v.Len()))
		pairs := make([]any, v.Len())
		for i := range pairs {
			key, item := v.At(i)
			pairs[i] = []any{key, item}
		}
		return pairs
	}
	return nil
}

func (n *forNode) render(s *state) {
	s.at = n.at
	collection := n.collection.eval(s, false)
	if r, ok := collection.(*numberRange); ok && len(n.options) == 0 {
		n.renderRange(s, r)
		return
	}
	list := s.items(collection)
	if len(list) == 0 {
		s.render(n.others)
		return
	}
	offset, limit, reversed := undefined, undefined, false
	if len(n.options) > 0 {
		offset, limit, reversed = n.modifiers(s)
	}
	first := 0
	if offset != undefined {
		first = clampPlace(toInteger(offset), len(list))
		list = list[first:]
	}
	if limit != undefined {
		list = list[:clampPlace(toInteger(limit), len(list))]
	}
	if offset == undefined || !scriptTruthy(offset) {
		offset = 0.0
	}
	s.remember(n.key, offset, len(list))
	frame := s.enter(&n.loopNode, collection, len(list), nil)
	for i := range list {
		at := i
		if reversed {
			at = len(list) - 1 - i
		}
		frame.item, frame.source = list[at], first+at
		frame.loop.index = i
		if s.iterate(n) {
			break
		}
	}
	s.leave()
}

// renderRange goes over a range without writing its numbers out.
func (n *forNode) renderRange(s *state, r *numberRange) {
	if r.count == 0 {
		s.render(n.others)
		return
	}
	s.remember(n.key, 0.0, r.count)
	frame := s.enter(&n.loopNode, r, r.count, nil)
	for i := range r.count {
		frame.item = r.at(i)
		frame.loop.index = i
		if s.iterate(n) {
			break
		}
	}
	s.leave()
}

// iterate renders the content once, and tells whether the loop was left.
func (s *state) iterate(n *forNode) bool {
	s.broken, s.continued = false, false
	s.step(1)
	s.render(n.nodes)
	if n.variable == "forloop" && !s.broken {
		s.at = n.at
		s.refuse("forloop cannot be the name of an item")
	}
	return s.broken
}

// enter starts a loop's frame over a collection.
func (s *state) enter(n *loopNode, collection any, length int, columns any) *frame {
	f := &s.frames[n.depth]
	*f = frame{variable: n.variable}
	if _, ok := listLength(collection); ok {
		f.from = n.collection
	}
	f.loop = &loop{length: length, name: n.variable + "-" + n.written, columns: columns}
	return f
}

func (s *state) leave() { s.broken, s.continued = false, false }

// modifiers reads offset, limit and reversed. offset: continue is where the
// last loop with the same variable and list stopped.
func (n *forNode) modifiers(s *state) (offset, limit any, reversed bool) {
	s.frames[n.depth] = frame{item: s.remembered(n.key)}
	offset, limit = undefined, undefined
	n.readOptions(s, func(name string, v any) {
		switch name {
		case "offset":
			offset = v
		case "limit":
			limit = v
		case "reversed":
			reversed = true
		}
	})
	return offset, limit, reversed
}

// remember keeps where a loop stops, for offset: continue.
func (s *state) remember(key string, offset any, length int) {
	if s.continues == nil {
		if !s.template.continues {
			return
		}
		s.continues = make(map[string]any)
	}
	s.continues[key] = s.add(offset, float64(length))
}

// nowhere is what offset: continue starts from when no loop came before it.
var nowhere = new(value.Object)

func (s *state) remembered(key string) any {
	if v, ok := s.continues[key]; ok && scriptTruthy(v) {
		return v
	}
	return nowhere
}

type tablerowNode struct {
	loopNode
}

func (p *parser) tablerowBlock(tag *Tag, t token) {
	n := &tablerowNode{}
	if !p.loopHead(&n.loopNode, t) {
		n.collection = nilLiteral
	}
	p.push(block{tag: tag, at: t.begin, node: n}, &n.nodes)
	p.enterLoop(loopName{n.variable, "tablerowloop"})
}

func (n *tablerowNode) render(s *state) {
	s.at = n.at
	collection := n.collection.eval(s, false)
	list := s.items(collection)
	offset, limit, columns := any(0.0), any(float64(len(list))), any(nil)
	n.readOptions(s, func(name string, v any) {
		switch name {
		case "offset":
			if scriptTruthy(v) {
				offset = v
			}
		case "limit":
			limit = v
		case "cols":
			columns = v
		}
	})
	first := clampPlace(toInteger(offset), len(list))
	list = slice(list, offset, s.add(offset, limit))
	if !scriptTruthy(columns) {
		columns = float64(len(list))
	}
	frame := s.enter(&n.loopNode, collection, len(list), columns)
	for i, item := range list {
		frame.item, frame.source = item, first+i
		frame.loop.index = i
		s.step(1)
		s.openCell(frame.loop)
		s.render(n.nodes)
		s.write("</td>")
	}
	if len(list) > 0 {
		s.write("</tr>")
	}
}

// nothingNode stands for what renders nothing.
type nothingNode struct{}

func (nothingNode) render(*state) {}

// nothing adds what renders nothing where that can be seen: after a break, the
// cells of a tablerow that follow still render their first node, as in the
// reference.
func (p *parser) nothing() {
	for i := range p.loops {
		if p.loops[i].fields == "tablerowloop" {
			p.add(nothingNode{})
			return
		}
	}
}

// openCell starts a cell, and a row where one is due.
func (s *state) openCell(l *loop) {
	if l.column() == 0 {
		if l.row() != 1 {
			s.write("</tr>")
		}
		s.write(`<tr class="row` + value.FormatNumber(l.row()) + `">`)
	}
	s.write(`<td class="col` + value.FormatNumber(l.column()+1) + `">`)
}
