package liquid

// This file renders a template: the state of one render, and its results.

import (
	"math"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// Rendered is what a template renders, in document order and untrimmed.
type Rendered struct {
	Instructions    string // what stands in the system block
	HasInstructions bool   // whether there is a system block and it was reached
	Message         string // everything else
}

// state is one render.
type state struct {
	template *Template
	limits   Limits
	deadline time.Time
	steps    int     // of work until the next look at the clock
	memory   float64 // charged so far

	out     []byte // what is being printed
	counted int    // bytes of it whose characters have been counted
	units   int    // characters counted
	other   []byte // the message, while the instructions are printed
	// hasInstructions and instructions are set once the system block is done.
	hasInstructions bool
	instructions    string
	inSystem        bool
	otherCounted    int
	otherUnits      int

	slots     []slot
	frames    []frame
	cycles    map[string]int
	continues map[string]any
	args      []any  // of the filter that is being called
	scratch   []byte // for text that is being made
	at        int    // the place to name when the render stops

	printing          bool // text is being made for the output, whose length is limited
	broken, continued bool
	halves            bool // some text may hold half a UTF-16 pair
}

// slot keeps the value of a name outside loops. An assigned value hides the
// given one; a counter replaces it.
type slot struct {
	given, assigned     any
	isGiven, isAssigned bool
	isCounter           bool
	// origin is the pointer of an assigned value that was read as it is.
	origin string
	known  bool
}

// frame is one loop that is running.
type frame struct {
	variable string
	item     any
	loop     *loop
	from     operand // the list it goes over; nil when items have no pointer
	source   int     // the item's index in that list
}

var states = sync.Pool{New: func() any { return new(state) }}

func (t *Template) start(variables map[string]value.Value, limits Limits) *state {
	s := states.Get().(*state)
	limits = limits.filled()
	*s = state{
		template: t, limits: limits, deadline: limits.Clock().Add(limits.Time), steps: clockSteps,
		out: s.out[:0], other: s.other[:0], scratch: s.scratch[:0], args: s.args[:0],
		slots: s.slots[:0], frames: s.frames[:0], halves: t.halves,
	}
	s.open(limits.Account)
	for _, name := range t.names {
		given, ok := variables[name]
		s.slots = append(s.slots, slot{given: given, isGiven: ok})
	}
	for range t.loops {
		s.frames = append(s.frames, frame{})
	}
	return s
}

// open goes on with what the renders before have used. The clock is looked at
// with the first step, since each of them may be too short for a look.
func (s *state) open(account *Account) {
	if account == nil {
		return
	}
	if account.deadline.IsZero() {
		account.deadline = s.deadline
		if account.Time > 0 {
			account.deadline = s.limits.Clock().Add(account.Time)
		}
	}
	s.deadline, s.memory, s.steps = account.deadline, account.memory, 0
}

// keptBytes is the largest buffer that a later render may reuse.
const keptBytes = 1 << 20

// end gives the state back, and turns a stop into the error of the render.
func (s *state) end(err *error) {
	if account := s.limits.Account; account != nil {
		account.memory = s.memory
	}
	if r := recover(); r != nil {
		st, ok := r.(*stop)
		if !ok {
			panic(r)
		}
		*err = s.template.failure(st)
	}
	clear(s.slots[:cap(s.slots)])
	clear(s.frames[:cap(s.frames)])
	clear(s.args[:cap(s.args)])
	if cap(s.out)+cap(s.other)+cap(s.scratch) < keptBytes {
		states.Put(s)
	}
}

func (t *Template) failure(st *stop) *RenderError {
	at := position{text: t.text, line: 1, column: 1}
	at.advance(st.at)
	return &RenderError{Line: at.line, Column: at.column, Kind: st.kind, Path: st.path, Message: st.message}
}

// Render renders the template with the given variables. It gives a
// *RenderError when the template reads what is not there, a filter refuses its
// value or a limit is reached. A template with problems must not be rendered.
func (t *Template) Render(variables map[string]value.Value, limits Limits) (rendered Rendered, err error) {
	s := t.start(variables, limits)
	defer s.end(&err)
	s.render(t.nodes)
	return Rendered{
		Instructions: s.instructions, HasInstructions: s.hasInstructions, Message: s.printed(),
	}, nil
}

// Value gives the value of a template that is one output and nothing else, as
// a JSON value that shares what it can with the variables. It fails as Render
// does, and when there is no value, as for the first item of an empty list.
func (t *Template) Value(variables map[string]value.Value, limits Limits) (v value.Value, err error) {
	s := t.start(variables, limits)
	defer s.end(&err)
	if t.lone == nil {
		s.render(t.nodes)
		return s.printed(), nil
	}
	v = plain(t.lone.value(s, false))
	s.at = t.lone.at
	if v == undefined {
		s.fail(MissingField, "The output has no value")
	}
	return s.jsonValue(v, 0), nil
}

// jsonValue turns what only templates know into JSON: a range into a list,
// words and loops into their plain values, what is not there or not finite
// into null. A value that needs no change is given as it is.
func (s *state) jsonValue(v any, depth int) value.Value {
	s.deep(depth)
	s.step(1)
	switch v := v.(type) {
	case undefinedKind:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	case string:
		if s.halves {
			return string(joinHalves(nil, v, true))
		}
	case *loop:
		return v.object()
	case word:
		return plain(v)
	case *numberRange:
		return v.list(s)
	case []any:
		if s.isJSON(v, depth) {
			return v
		}
		changed := make([]value.Value, len(v))
		for i, item := range v {
			changed[i] = s.jsonValue(item, depth+1)
		}
		return changed
	case *value.Object:
		if s.isJSON(v, depth) {
			return v
		}
		changed := value.NewObject(v.Len())
		for i := range v.Len() {
			key, item := v.At(i)
			changed.Set(key, s.jsonValue(item, depth+1))
		}
		return changed
	}
	return v
}

// isJSON tells whether a value holds nothing that only templates know.
func (s *state) isJSON(v any, depth int) bool {
	s.deep(depth)
	s.step(1)
	switch v := v.(type) {
	case undefinedKind, *loop, word, *numberRange:
		return false
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case string:
		return !s.halves
	case []any:
		for _, item := range v {
			if !s.isJSON(item, depth+1) {
				return false
			}
		}
	case *value.Object:
		for i := range v.Len() {
			if _, item := v.At(i); !s.isJSON(item, depth+1) {
				return false
			}
		}
	}
	return true
}

// render renders nodes until one of them leaves the loop around them.
func (s *state) render(nodes []node) {
	for _, n := range nodes {
		s.step(1)
		n.render(s)
		if s.broken || s.continued {
			return
		}
	}
}

// write prints text.
func (s *state) write(text string) {
	s.out = append(s.out, text...)
	if len(s.out) > s.limits.Length {
		s.checkLength()
	}
}

// writeValue prints a value as an output does.
func (s *state) writeValue(v any) {
	if s.limits.RefuseStructures {
		s.refuseStructure(v)
	}
	s.printing = true
	s.out = s.appendText(s.out, v, s.limits.Length, 0)
	s.printing = false
	if len(s.out) > s.limits.Length {
		s.checkLength()
	}
}

func (s *state) refuseStructure(v any) {
	what := ""
	if _, ok := listLength(v); ok {
		what = "a list"
	} else if _, ok := v.(*value.Object); ok {
		what = "an object"
	} else {
		return
	}
	s.fail(Structure, "Expected text beside other text, not "+what+"; use json")
}

// toInstructions lets what follows be printed into the instructions.
func (s *state) toInstructions() {
	s.out, s.other = s.other[:0], s.out
	s.otherCounted, s.otherUnits = s.counted, s.units
	s.counted, s.units = 0, 0
	s.inSystem = true
}

func (s *state) toMessage() {
	s.instructions, s.hasInstructions = s.printed(), true
	s.out, s.other = s.other, s.out
	s.counted, s.units = s.otherCounted, s.otherUnits
	s.inSystem = false
}

// printed is what has been printed, halves of UTF-16 pairs made whole.
func (s *state) printed() string {
	if s.halves {
		return string(joinHalves(nil, string(s.out), true))
	}
	return string(s.out)
}

// value works out an expression and its filters.
func (f *filtered) value(s *state, lenient bool) any {
	v := f.expression.value(s, lenient || f.lenient)
	for i := range f.filters {
		v = f.filters[i].apply(s, v)
	}
	return v
}

func (e *expression) value(s *state, lenient bool) any {
	if e.only != nil {
		return e.only.eval(s, lenient)
	}
	var room [8]any
	stack := room[:0]
	pop := func() any {
		if len(stack) == 0 {
			return undefined
		}
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	for _, t := range e.terms {
		switch {
		case t.operand != nil:
			stack = append(stack, t.operand.eval(s, lenient))
		case t.op == opNot:
			stack = append(stack, s.apply(opNot, undefined, pop()))
		default:
			right := pop()
			left := pop()
			stack = append(stack, s.apply(t.op, left, right))
		}
	}
	if len(stack) == 0 {
		return undefined
	}
	return stack[0]
}

func (c *filterCall) apply(s *state, v any) any {
	for i := range c.args {
		a := &c.args[i]
		given := undefined
		if a.value != nil {
			given = a.value.eval(s, false)
		}
		if a.named {
			given = []any{a.name, given}
		}
		s.args = append(s.args, given)
	}
	s.at = c.at
	v = c.filter.apply(s, v, s.args)
	s.args = s.args[:0]
	return v
}

func (l *literal) eval(*state, bool) any { return l.value }

// eval makes the range, which charges its items before there are any.
func (r *rangeOf) eval(s *state, _ bool) any {
	low := toNumber(plain(r.low.eval(s, false)))
	high := toNumber(plain(r.high.eval(s, false)))
	s.at = r.at
	s.charge(high - low + 1)
	size := math.Ceil(high - low + 1)
	switch {
	case !(size > 0):
		return &numberRange{start: low}
	case math.Abs(low) > 1<<52 || math.Abs(high) > 1<<52:
		s.failMemory() // counting by one does not end where numbers are that large
	}
	return &numberRange{start: low, count: int(size)}
}
