package liquid

// This file builds the tree: a stack of open blocks, and the problems found on
// the way.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/problem"
)

const templateSyntax = problem.TemplateSyntax

// node is a part of a template that renders itself.
type node interface {
	render(s *state)
}

// parser builds a template. It goes on after a problem wherever what follows
// can still be understood.
type parser struct {
	template *Template
	options  Options
	src      source
	into     *[]node // where the next node goes
	open     []block
	base     int        // blocks below it belong outside the liquid tag that is being read
	loops    []loopName // the loops around the next expression
	faults   []fault
	names    int
	reading  markup // of the tag or output that is being read
	closer   string // of the same, as }}; empty where a line end closes it
	made     arena
	// stray counts the tags that belong to a block whose start was refused or
	// mistyped, so that they are not reported again.
	stray     map[string]int
	aborted   bool
	system    bool            // a system block has been seen
	tags      int             // how many tags there are
	assigns   map[string]int  // how often a name is assigned
	counters  map[string]bool // the names that are counted up or down
	loopNames map[string]bool // the variables of loops
	dropped   []*[]node       // nodes that are read but never rendered
	guesses   int             // unknown words compared so far
	liquids   int             // how many liquid tags are around the next token
	leaves    bool            // a break or a continue has been seen
}

// fault is a problem by its byte offset.
type fault struct {
	at       int
	rule     problem.Rule
	severity problem.Severity
	message  string
}

// block is a tag whose end has not come yet.
type block struct {
	tag   *Tag
	at    int
	outer *[]node // where nodes went before it
	loops int     // how many loops were around it
	node  node
	elses int // how many else it has had
}

// clauseTaker is a block's node that takes tags within the block, such as
// else. It tells whether it knows the tag.
type clauseTaker interface {
	clause(p *parser, b *block, t token) bool
}

// loopName is a loop around an expression: its variable, and the name of its
// own fields, forloop or tablerowloop.
type loopName struct {
	variable, fields string
}

func newParser(text string, options Options) *parser {
	if options.MaxLength == 0 {
		options.MaxLength = DefaultSource
	}
	if options.MaxNames == 0 {
		options.MaxNames = DefaultNames
	}
	t := &Template{text: text}
	p := &parser{template: t, options: options}
	p.into = &t.nodes
	return p
}

// readableFactor is how much longer than allowed a template may be and still
// be read for its other problems.
const readableFactor = 2

// checkLength reports a template that is too long, and tells whether to read
// it all the same.
func (p *parser) checkLength() bool {
	text, limit := p.template.text, p.options.MaxLength
	// A UTF-16 unit takes at most three bytes.
	if len(text) <= limit || len(text) <= 3*limit && units(text) <= limit {
		return true
	}
	p.report(0, problem.TemplateSize, "The template is longer than "+grouped(limit)+" characters")
	return len(text) <= readableFactor*limit
}

// run reads the tokens of one source into the current block.
func (p *parser) run(src source) {
	before, base := p.src, p.base
	p.src, p.base = src, len(p.open)
	for !p.aborted {
		t := src.next()
		if t.kind == endToken {
			break
		}
		p.closer = t.closer()
		switch t.kind {
		case textToken:
			p.singleBraces(t)
			if t.from < t.to {
				p.text(t.from, p.template.text[t.from:t.to])
			} else {
				p.nothing()
			}
		case outputToken:
			p.output(p.markup(t.from, t.to))
			p.countNames(t)
		case tagToken:
			p.tags++
			p.countTag(t)
			p.tag(t)
			p.countNames(t)
		}
	}
	for len(p.open) > p.base {
		b := &p.open[len(p.open)-1]
		if !p.aborted {
			p.report(b.at, templateSyntax, b.tag.Name+" is not closed; expected end"+b.tag.Name)
		}
		p.close()
	}
	p.src, p.base = before, base
}

func (p *parser) add(n node) {
	if *p.into == nil {
		*p.into = make([]node, 0, 4)
	}
	*p.into = append(*p.into, n)
}

func (p *parser) markup(from, to int) *markup {
	p.reading = markup{scanner: scanner{source: p.template.text, at: from, end: to}, parser: p, start: from}
	return &p.reading
}

// arguments is the markup of a tag's arguments.
func (p *parser) arguments(t token) *markup { return p.markup(t.args, t.to) }

// push opens a block whose nodes go to a list of their own.
func (p *parser) push(b block, into *[]node) {
	if len(p.open) >= nestingLimit {
		p.tooDeep(b.at, "Tags nest")
		return
	}
	b.outer, b.loops = p.into, len(p.loops)
	p.open = append(p.open, b)
	p.into = into
}

// close ends the innermost block.
func (p *parser) close() {
	b := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	p.into, p.loops = b.outer, p.loops[:b.loops]
	p.add(b.node)
}

// innermost gives the open block that the next tag may belong to, nil when
// there is none.
func (p *parser) innermost() *block {
	if len(p.open) > p.base {
		return &p.open[len(p.open)-1]
	}
	return nil
}

// report adds a problem at a byte offset.
func (p *parser) report(at int, rule problem.Rule, message string) {
	p.faults = append(p.faults, fault{at, rule, problem.Refused, message})
}

// warn notes what the language lets pass and yet cannot be meant.
func (p *parser) warn(at int, rule problem.Rule, message string) {
	p.faults = append(p.faults, fault{at, rule, problem.Warning, message})
}

// syntaxFault reports what is wrong in markup that ends at a place. Where the
// fault is that another tag or output starts within it, or that its own end is
// mistyped there, reading goes on from there.
func (p *parser) syntaxFault(start, at, end int, message string) {
	rest := p.template.text[at:end]
	switch found := mistypedEnd(rest); {
	case at < start:
	case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "{%"):
		message = "Expected the end of this tag or output before " + rest[:2]
		p.src.retreat(at)
	case found != "" && p.closer != "":
		message = notClosed(p.closer) + ", found " + found
		p.src.retreat(at + len(found))
	}
	p.report(at, templateSyntax, message)
}

// tooDeep reports what nests past the limit, and ends the reading: what
// follows would only say it again.
func (p *parser) tooDeep(at int, what string) {
	if !p.aborted {
		p.report(at, problem.TooDeep, what+" more than "+grouped(nestingLimit)+" levels deep")
	}
	p.aborted = true
}

// countTag counts a tag's own name: if, endif and the like are keywords too
// (reasoning format, "Limits"). The # of a comment is none. So a template has
// no room for as many nested tags as the parser could read; nestingLimit is
// there for what holds few names, such as parentheses.
func (p *parser) countTag(t token) {
	if t.name != "#" {
		p.countName(t.from)
	}
}

// countName counts the name that stands at a place, and reports the first one
// too many.
func (p *parser) countName(at int) {
	if !p.manyNames() {
		return
	}
	if p.names++; p.names > p.options.MaxNames {
		p.report(at, problem.TemplateSize, "Tags and outputs hold more than "+grouped(p.options.MaxNames)+" names")
	}
}

// manyNames tells whether names are still to be counted: a short template has
// no room for too many, and one that has too many is counted no further.
func (p *parser) manyNames() bool {
	return len(p.template.text) >= 2*p.options.MaxNames && p.names <= p.options.MaxNames
}

// countNames counts the names in an output or in a tag's arguments: every
// variable, property, filter and keyword, such as and, limit or nil. Text and
// numbers are none.
func (p *parser) countNames(t token) {
	if !p.manyNames() || t.name == "#" || t.name == "liquid" {
		return // a liquid tag's lines are tags that are counted themselves
	}
	sc := scanner{source: p.template.text, at: t.from, end: t.to}
	if t.kind == tagToken {
		sc.at = t.args
	}
	if l, whole := p.src.(*lexer); whole && l.retreated {
		sc.end = max(min(sc.end, l.at), sc.at)
	}
	for p.names <= p.options.MaxNames {
		c, size := sc.classAt(sc.at)
		switch {
		case size == 0:
			return
		case c&classQuote != 0:
			sc.at = sc.quoted()
			continue
		case c&classWord == 0:
			sc.at += size
			continue
		}
		start := sc.at
		if word := sc.identifier(); strings.Trim(word, "0123456789-") != "" {
			p.countName(start)
		}
	}
}

// slot gives the place where the value of a name outside loops is kept.
func (p *parser) slot(name string) int {
	if slot, ok := p.template.slot(name); ok {
		return slot
	}
	return p.template.addSlot(name)
}

// resolve finds where a path's name is kept: in the nearest loop that gives
// it, or outside all loops.
func (p *parser) resolve(read *path) {
	if read.root != nil {
		read.place = place{kind: computedPlace, loops: len(p.loops)}
		return
	}
	for i := len(p.loops) - 1; i >= 0; i-- {
		switch read.name {
		case p.loops[i].variable:
			if p.loops[i].fields == "" {
				p.template.continues = true
			}
			read.place = place{kind: itemPlace, index: i}
			return
		case p.loops[i].fields:
			read.place = place{kind: fieldsPlace, index: i}
			return
		}
	}
	read.place = place{kind: slotPlace, index: p.slot(read.name)}
}

// found gives the problems in order, each with its line and column. One sweep
// over the text serves them all.
func (p *parser) found() []problem.Problem {
	if len(p.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(p.faults, func(a, b fault) int { return cmp.Compare(a.at, b.at) })
	problems := make([]problem.Problem, len(p.faults))
	at := position{text: p.template.text, line: 1, column: 1}
	for i, f := range p.faults {
		at.advance(f.at)
		problems[i] = problem.Problem{Line: at.line, Column: at.column, Rule: f.rule, Severity: f.severity, Message: f.message}
	}
	return problem.Sort(problems)
}

// position walks over a text and counts lines and columns.
type position struct {
	text         string
	at           int
	line, column int
}

func (p *position) advance(to int) {
	to = min(to, len(p.text))
	for {
		newline := strings.IndexByte(p.text[p.at:to], '\n')
		if newline < 0 {
			break
		}
		p.at += newline + 1
		p.line, p.column = p.line+1, 1
	}
	p.column += utf8.RuneCountInString(p.text[p.at:to])
	p.at = to
}

// shownLength is how much of an author's word a message repeats.
const shownLength = 60

// shown shortens an author's word for a message.
func shown(word string) string {
	if utf8.RuneCountInString(word) <= shownLength {
		return strings.ToValidUTF8(word, "\uFFFD")
	}
	return strings.ToValidUTF8(word[:pointOffset(word, shownLength)], "\uFFFD") + "…"
}

// quotedWord shows a word that could be mistaken for part of the sentence.
func quotedWord(word string) string { return strconv.Quote(shown(word)) }

// finish checks the whole tree once it is built.
func (p *parser) finish() {
	t := p.template
	if p.aborted {
		return
	}
	p.analyze()
	if p.options.Message && p.understood() {
		p.checkMessage()
	}
	if len(t.nodes) == 1 && p.tags == 0 {
		if n, ok := t.nodes[0].(*outputNode); ok {
			t.lone = &n.value
		}
	}
}

// understood tells whether every tag and output was read as it was meant.
func (p *parser) understood() bool {
	return !slices.ContainsFunc(p.faults, func(f fault) bool {
		return f.rule == templateSyntax || f.rule == problem.UnknownTag
	})
}
