package liquid

// This file holds if, unless and case.

import "strings"

// ifNode renders the first branch whose condition holds.
type ifNode struct {
	branches []branch
	others   []node
}

// branch is a condition and what depends on it.
type branch struct {
	condition filtered
	negated   bool // the first branch of unless
	nodes     []node
}

func (n *ifNode) render(s *state) {
	for i := range n.branches {
		b := &n.branches[i]
		if truthy(b.condition.value(s, true)) != b.negated {
			s.render(b.nodes)
			return
		}
	}
	s.render(n.others)
}

// ifBlock reads if and unless.
func (p *parser) ifBlock(tag *Tag, t token) {
	n := &ifNode{branches: []branch{{negated: tag.kind == unlessTag}}}
	n.branches[0].condition = p.arguments(t).filteredValue()
	p.push(block{tag: tag, at: t.begin, node: n}, &n.branches[0].nodes)
}

func (n *ifNode) clause(p *parser, b *block, t token) bool {
	switch t.name {
	case "elsif":
		if b.elses > 0 {
			n.afterElse(p, b, t)
			return true
		}
		n.branches = append(n.branches, branch{condition: p.arguments(t).filteredValue()})
		p.into = &n.branches[len(n.branches)-1].nodes
	case "else":
		if b.tag.kind == ifTag {
			p.noArguments(t, templateSyntax)
		}
		if b.elses++; b.elses > 1 {
			n.afterElse(p, b, t)
			return true
		}
		p.into = &n.others
	default:
		return false
	}
	return true
}

// afterElse is a clause after else. In if nothing may stand there; in unless
// it is read but never rendered.
func (n *ifNode) afterElse(p *parser, b *block, t token) {
	if b.tag.kind == ifTag {
		message := "Unexpected elsif after else"
		if t.name == "else" {
			message = "Unexpected second else"
		}
		p.report(t.begin, templateSyntax, message)
	}
	p.dropNodes()
}

// dropNodes lets the nodes that follow be read but never rendered.
func (p *parser) dropNodes() {
	p.into = new([]node)
	p.dropped = append(p.dropped, p.into)
}

// caseNode renders every branch that holds its value.
type caseNode struct {
	target   filtered
	branches []caseBranch
	others   []node
}

type caseBranch struct {
	values []operand
	nodes  []node
}

func (n *caseNode) render(s *state) {
	target := plain(n.target.value(s, false))
	hit := false
	for i := range n.branches {
		b := &n.branches[i]
		for _, v := range b.values {
			if s.equal(target, v.eval(s, false), 0) {
				s.render(b.nodes)
				hit = true
				break
			}
		}
	}
	if !hit {
		s.render(n.others)
	}
}

// caseBlock reads case. What stands before the first when is never rendered,
// and a when after else belongs to the else branch.
func (p *parser) caseBlock(tag *Tag, t token) {
	n := &caseNode{target: p.arguments(t).filteredValue()}
	p.push(block{tag: tag, at: t.begin, node: n}, nil)
	if !p.aborted {
		p.dropNodes()
	}
}

func (n *caseNode) clause(p *parser, b *block, t token) bool {
	switch t.name {
	case "when":
		if b.elses > 0 {
			return true
		}
		n.branches = append(n.branches, caseBranch{values: p.whenValues(t)})
		p.into = &n.branches[len(n.branches)-1].nodes
	case "else":
		if b.elses++; b.elses > 1 {
			p.dropNodes()
			return true
		}
		p.into = &n.others
	default:
		return false
	}
	return true
}

// whenValues reads the values of when, between commas or or.
func (p *parser) whenValues(t token) []operand {
	m := p.arguments(t)
	var values []operand
	for !m.atEnd() {
		v := m.value()
		if v == nil {
			m.fail(m.at, "Expected a value")
			return values
		}
		values = append(values, v)
		m.skipBlank()
		if m.peek() == ',' {
			m.at++
		} else {
			m.skipTo("or")
		}
	}
	return values
}

// blankText tells whether text holds only what the language calls white space.
func blankText(text string) bool { return strings.TrimFunc(text, isSpace) == "" }
