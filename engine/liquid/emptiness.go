package liquid

// This file tells whether a template could ever render anything outside its
// system block.

import "github.com/beonauto/auto/engine/problem"

// checkMessage reports a message that is empty whatever the input.
func (p *parser) checkMessage() {
	if prints, _ := canPrint(p.template.nodes); !prints {
		p.report(0, problem.EmptyMessage, "The message is empty whatever the input")
	}
}

// canPrint tells whether nodes could print more than white space, and whether
// nothing after them is ever reached.
func canPrint(nodes []node) (prints, ends bool) {
	for _, n := range nodes {
		switch n := n.(type) {
		case flowNode:
			return prints, true
		case *textNode:
			prints = prints || !blankText(n.text)
		case *outputNode:
			prints = prints || valuePrints(&n.value)
		case *counterNode:
			return true, false
		case *cycleNode:
			for i := range n.values {
				prints = prints || valuePrints(&n.values[i])
			}
		case *ifNode:
			prints = prints || ifPrints(n)
		case *caseNode:
			prints = prints || casePrints(n)
		case *forNode:
			inside, _ := canPrint(n.nodes)
			without, _ := canPrint(n.others)
			prints = prints || without || (inside && !neverHasItems(n.collection))
		case *tablerowNode:
			prints = prints || !neverHasItems(n.collection)
		case *systemNode:
			if _, ends := canPrint(n.nodes); ends {
				return prints, true
			}
		}
		if prints {
			return true, false
		}
	}
	return false, false
}

// valuePrints tells whether a value could print: any but a blank literal.
func valuePrints(f *filtered) bool {
	l, ok := f.only.(*literal)
	if !ok || len(f.filters) > 0 {
		return true
	}
	switch v := plain(l.value).(type) {
	case nil:
		return false
	case string:
		return !blankText(v)
	}
	return true
}

func ifPrints(n *ifNode) bool {
	for i := range n.branches {
		b := &n.branches[i]
		l, constant := b.condition.only.(*literal)
		constant = constant && len(b.condition.filters) == 0
		if constant && truthy(l.value) == b.negated {
			continue // never taken
		}
		if prints, _ := canPrint(b.nodes); prints {
			return true
		}
		if constant {
			return false // always taken
		}
	}
	prints, _ := canPrint(n.others)
	return prints
}

func casePrints(n *caseNode) bool {
	for i := range n.branches {
		if prints, _ := canPrint(n.branches[i].nodes); prints && len(n.branches[i].values) > 0 {
			return true
		}
	}
	prints, _ := canPrint(n.others)
	return prints
}

// neverHasItems tells a literal that a loop finds nothing in.
func neverHasItems(o operand) bool {
	l, ok := o.(*literal)
	if !ok {
		return false
	}
	text, isText := plain(l.value).(string)
	return !isText || text == ""
}
