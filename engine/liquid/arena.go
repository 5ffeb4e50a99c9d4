package liquid

// This file hands out the small parts of a tree in pieces, since a template
// has many of them and they all live as long as it does.

// arena keeps room for the parts that templates are mostly made of.
type arena struct {
	texts    []textNode
	outputs  []outputNode
	paths    []path
	literals []literal
	segments []segment
	filters  []filterCall
	args     []filterArgument
}

// one hands out a place in a piece of memory, making a larger piece when that
// is used up.
func one[T any](piece *[]T) *T {
	if len(*piece) == cap(*piece) {
		*piece = make([]T, 0, min(max(2*cap(*piece), 4), 64))
	}
	*piece = (*piece)[:len(*piece)+1]
	return &(*piece)[len(*piece)-1]
}

// several hands out a list of its own that holds the given items.
func several[T any](piece *[]T, items []T) []T {
	if len(items) == 0 {
		return nil
	}
	if len(*piece)+len(items) > cap(*piece) {
		*piece = make([]T, 0, max(min(max(2*cap(*piece), 4), 64), len(items)))
	}
	start := len(*piece)
	*piece = append(*piece, items...)
	return (*piece)[start:len(*piece):len(*piece)]
}

// text adds a text node.
func (p *parser) text(at int, text string) {
	n := one(&p.made.texts)
	*n = textNode{at, text}
	p.add(n)
}

// output adds the output of a value.
func (p *parser) output(m *markup) {
	n := one(&p.made.outputs)
	n.value = m.filteredValue()
	p.add(n)
}
