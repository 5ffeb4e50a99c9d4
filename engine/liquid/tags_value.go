package liquid

// This file holds the tags that make and print values: assign, increment,
// decrement, cycle and echo.

import (
	"strings"
)

// assignNode gives a value a name, outside all loops.
type assignNode struct {
	at    int
	name  string
	slot  int
	value filtered
}

func (p *parser) assign(t token) {
	m := p.arguments(t)
	n := &assignNode{at: m.at}
	if n.name = m.identifier(); n.name == "" {
		m.fail(m.at, "Expected a name")
		return
	}
	m.skipBlank()
	if m.peek() != '=' {
		m.fail(m.at, "Expected = after the name")
		return
	}
	m.at++
	n.value = m.filteredValue()
	n.slot = p.slot(n.name)
	if p.assigns == nil {
		p.assigns = make(map[string]int)
	}
	p.assigns[n.name]++
	p.add(n)
}

func (n *assignNode) render(s *state) {
	v := n.value.value(s, false)
	kept := &s.slots[n.slot]
	kept.origin, kept.known = "", false
	if len(n.value.filters) == 0 {
		kept.origin, kept.known = s.origin(n.value.only)
	}
	kept.assigned, kept.isAssigned = v, true
}

// counterNode counts up or down and prints the count. Its name is shared with
// the values the template is given.
type counterNode struct {
	at   int
	name string
	slot int
	up   bool
}

func (p *parser) counter(t token, up bool) {
	m := p.arguments(t)
	at := m.at
	name := m.identifier()
	if p.counters == nil {
		p.counters = make(map[string]bool)
	}
	p.counters[name] = true
	p.add(&counterNode{at, name, p.slot(name), up})
}

func (n *counterNode) render(s *state) {
	kept := &s.slots[n.slot]
	number, ok := numberOf(kept.given)
	if !ok {
		number = 0
	}
	kept.isGiven, kept.isCounter = true, true
	s.at = n.at
	if n.up {
		s.writeValue(number)
		kept.given = number + 1
		return
	}
	kept.given = number - 1
	s.writeValue(number - 1)
}

// cycleNode prints one of its values, the next one each time.
type cycleNode struct {
	group  operand
	values []filtered
	key    string // tells this cycle from others of its group
}

func (p *parser) cycle(t token) {
	m := p.arguments(t)
	n := &cycleNode{}
	start := m.at
	group := m.value()
	m.skipBlank()
	if group != nil && m.peek() == ':' {
		n.group = group
		m.at++
	} else if !m.failed {
		m.at = start
	}
	var key strings.Builder
	for !m.atEnd() && !m.failed {
		v := m.filteredValue()
		if m.failed {
			return
		}
		if len(n.values) > 0 {
			key.WriteByte(',')
		}
		key.WriteString(m.source[v.at:v.end])
		n.values = append(n.values, v)
		m.skipTo(",")
	}
	if len(n.values) == 0 {
		m.fail(t.begin, "Expected the values to cycle through")
		return
	}
	n.key = key.String()
	p.add(n)
}

func (n *cycleNode) render(s *state) {
	group := undefined
	if n.group != nil {
		group = n.group.eval(s, false)
	}
	key := s.scriptText(group) + ":" + n.key
	if s.cycles == nil {
		s.cycles = make(map[string]int)
	}
	next := s.cycles[key]
	s.cycles[key] = (next + 1) % len(n.values)
	// 0 and false print nothing here, as in the reference.
	v := plain(n.values[next].value(s, false))
	s.at = n.values[next].at
	if scriptTruthy(v) {
		s.writeValue(v)
	}
}

// outputNode prints a value.
type outputNode struct {
	value filtered
}

func (n *outputNode) render(s *state) {
	v := n.value.value(s, false)
	s.at = n.value.at
	if text, ok := v.(string); ok {
		s.write(text)
		return
	}
	s.writeValue(v)
}

// echo prints as an output does; without a value it prints nothing.
func (p *parser) echo(t token) {
	m := p.arguments(t)
	if m.atEnd() {
		p.nothing()
		return
	}
	p.output(m)
}
