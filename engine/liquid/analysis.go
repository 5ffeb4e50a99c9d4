package liquid

// This file goes over a finished tree and finds what it reads: names its place
// does not give, and properties that closed values cannot have.

import (
	"maps"
	"slices"

	"github.com/beonauto/auto/engine/problem"
)

// analysis is one walk over the tree. The first walk learns the shapes of
// assigned names, the second reports.
type analysis struct {
	parser    *parser
	reporting bool
	loops     []loopShape
	// assigned are the shapes a name is given, one for each assign walked over;
	// nil stands for any value.
	assigned map[string][]Shape
	// lenient is set where a missing field is null and ends no render.
	lenient bool
	// conditions are the conditions around a place, those of loops that may have
	// no items left out.
	conditions int
	missed     []missed
}

// loopShape is what is known inside a loop.
type loopShape struct {
	node *loopNode
	item Shape
}

// analyze reports unknown names and properties, and notes what is read.
func (p *parser) analyze() {
	a := &analysis{parser: p}
	if p.options.Names != nil && len(p.assigns) > 0 {
		a.assigned = make(map[string][]Shape)
		a.all()
	}
	a.reporting = true
	a.all()
	a.warnMissed()
}

func (a *analysis) all() {
	a.nodes(a.parser.template.nodes)
	for _, dropped := range a.parser.dropped {
		a.nodes(*dropped)
	}
}

func (a *analysis) nodes(nodes []node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *outputNode:
			a.filtered(&n.value)
		case *assignNode:
			a.filtered(&n.value)
			a.assign(n)
		case *cycleNode:
			a.operand(n.group)
			for i := range n.values {
				a.filtered(&n.values[i])
			}
		case *ifNode:
			for i := range n.branches {
				a.condition(&n.branches[i].condition)
			}
			a.conditions++
			for i := range n.branches {
				a.nodes(n.branches[i].nodes)
			}
			a.nodes(n.others)
			a.conditions--
		case *caseNode:
			a.filtered(&n.target)
			a.conditions++
			for i := range n.branches {
				for _, v := range n.branches[i].values {
					a.operand(v)
				}
				a.nodes(n.branches[i].nodes)
			}
			a.nodes(n.others)
			a.conditions--
		case *forNode:
			a.loop(&n.loopNode)
			a.conditions++
			a.nodes(n.others)
			a.conditions--
		case *tablerowNode:
			a.loop(&n.loopNode)
		case *systemNode:
			a.nodes(n.nodes)
		}
	}
}

func (a *analysis) loop(n *loopNode) {
	a.operand(n.collection)
	a.loops = append(a.loops, loopShape{node: n})
	for _, option := range n.options {
		a.operand(option.value)
	}
	if shape := a.shapeOf(n.collection); shape != nil {
		a.loops[len(a.loops)-1].item = shape.Items()
	}
	a.nodes(n.nodes)
	a.loops = a.loops[:len(a.loops)-1]
}

// condition goes over what if, elsif and unless ask, which may read what is
// missing.
func (a *analysis) condition(f *filtered) { a.filteredAs(f, true) }

func (a *analysis) filtered(f *filtered) { a.filteredAs(f, f.lenient) }

func (a *analysis) filteredAs(f *filtered, lenient bool) {
	a.lenient = lenient
	a.operand(f.only)
	for i := range f.terms {
		a.operand(f.terms[i].operand)
	}
	a.lenient = false
	for i := range f.filters {
		for _, arg := range f.filters[i].args {
			a.operand(arg.value)
		}
	}
}

func (a *analysis) operand(o operand) {
	switch o := o.(type) {
	case *rangeOf:
		a.operand(o.low)
		a.operand(o.high)
	case *path:
		a.operand(o.of)
		a.operand(o.root)
		if o.computed {
			a.keys(o)
		}
		if a.reporting {
			a.name(o)
			a.walk(o, true)
		}
	}
}

// keys goes over the keys that are worked out when a path is read, which must be
// there whatever the path may lack.
func (a *analysis) keys(p *path) {
	lenient := a.lenient
	a.lenient = false
	for i := range p.segments {
		a.operand(p.segments[i].expr)
	}
	a.lenient = lenient
}

// name notes a name that is read, and reports one that nothing gives.
func (a *analysis) name(p *path) {
	t := a.parser.template
	if p.of != nil {
		return
	}
	if p.root != nil {
		t.readsAny = true
		return
	}
	if p.place.kind != slotPlace {
		return
	}
	t.read[p.place.index] = true
	names := a.parser.options.Names
	if names == nil {
		return
	}
	if _, given := names[p.name]; given || a.parser.creates(p.name) {
		return
	}
	if a.parser.loopNames[p.name] {
		a.parser.report(p.at, problem.UnknownName, shown(p.name)+" is read outside its loop")
		return
	}
	if len(p.segments) == 0 && findFilter(p.name) != nil {
		a.parser.report(p.at, problem.UnknownName, "Unknown name "+p.name+"; a filter is written after |")
		return
	}
	if message := a.foreignName(p); message != "" {
		a.parser.report(p.at, problem.UnknownName, message)
		return
	}
	if message, foreign := foreignSign(p.name + " "); foreign {
		a.parser.report(p.at, problem.UnknownName, message)
		return
	}
	if outer := a.outer(p.name); outer != "" {
		a.parser.report(p.at, problem.UnknownName, "Unknown name "+shown(p.name)+problem.DidYouMean(outer+"."+shown(p.name)))
		return
	}
	a.parser.report(p.at, problem.UnknownName, "Unknown name "+shown(p.name)+a.parser.guess(p.name, a.known))
}

// foreignName is the message for an unknown name that is a word of another
// template language; empty for any other.
func (a *analysis) foreignName(p *path) string {
	switch {
	case p.name == "this":
		return "Unknown name this; an item of a loop has the name that its for gives it"
	case p.name == "loop" && len(a.loops) > 0:
		return "Unknown name loop; did you mean forloop?"
	case len(p.segments) == 0 && (p.name == "else" || len(a.parser.blocksWith(p.name)) > 0):
		return "Unknown name " + p.name + "; expected {% " + p.name + " %}"
	}
	return ""
}

// outer gives the name that has an unknown name among its properties, as input
// has them; empty when none has, or when many words were guessed already.
func (a *analysis) outer(name string) string {
	if a.parser.guesses >= guessLimit {
		return ""
	}
	for _, outer := range slices.Sorted(maps.Keys(a.parser.options.Names)) {
		if shape, lists := a.parser.options.Names[outer].(PropertyNames); lists && slices.Contains(shape.PropertyNames(), name) {
			a.parser.guesses++
			return outer
		}
	}
	return ""
}

// creates tells whether the template itself gives a name a value.
func (p *parser) creates(name string) bool { return p.assigns[name] > 0 || p.counters[name] }

// known lists the names that could be read here.
func (a *analysis) known() []string {
	var names []string
	for name := range a.parser.options.Names {
		names = append(names, name)
	}
	for name := range a.parser.assigns {
		names = append(names, name)
	}
	for name := range a.parser.counters {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, l := range a.loops {
		names = append(names, l.node.variable, "forloop", "tablerowloop")
	}
	return names
}

// assign learns the shape a name is given.
func (a *analysis) assign(n *assignNode) {
	if a.reporting {
		return
	}
	var shape Shape
	if len(n.value.filters) == 0 {
		shape = a.shapeOf(n.value.only)
	}
	a.assigned[n.name] = append(a.assigned[n.name], shape)
}

// shapeOf gives the shape of a value that is a path; nil when nothing is known.
func (a *analysis) shapeOf(o operand) Shape {
	if p, ok := o.(*path); ok {
		return a.walk(p, false)
	}
	return nil
}

// base gives the shape of a path's name, and whether that is a name the
// template is given.
func (a *analysis) base(p *path) (Shape, bool) {
	if p.of != nil {
		return nil, false
	}
	switch p.place.kind {
	case itemPlace:
		if p.place.index < len(a.loops) && a.loops[p.place.index].node.variable == p.name {
			return a.loops[p.place.index].item, false
		}
	case slotPlace:
		shape, given := a.parser.options.Names[p.name]
		switch made := a.parser.assigns[p.name]; {
		case a.parser.counters[p.name]:
		case made == 0:
			return shape, given
		case !given && made == len(a.assigned[p.name]):
			return eitherOf(a.assigned[p.name]), false
		}
	}
	return nil, false
}

// walk goes along a path's properties and gives the shape it ends at. A
// property that cannot be there is reported.
func (a *analysis) walk(p *path, report bool) Shape {
	shape, given := a.base(p)
	for i := range p.segments {
		if shape == nil {
			return nil
		}
		segment := &p.segments[i]
		name := segment.name
		items := shape.Items()
		if segment.expr != nil || (items != nil && (name == "first" || name == "last")) {
			shape = items
			continue
		}
		property, may := shape.Property(name)
		if !may && name == "size" && !(given && i == 0) {
			return nil // the number of an object's properties
		}
		if !may {
			if report {
				a.unknownProperty(segment, shape)
			}
			return nil
		}
		if report {
			a.declared(p, i, shape)
		}
		shape = property
	}
	return shape
}

func (a *analysis) unknownProperty(segment *segment, shape Shape) {
	guess := ""
	if lister, ok := shape.(PropertyNames); ok {
		guess = a.parser.guess(segment.name, lister.PropertyNames)
	}
	a.parser.report(segment.at, problem.UnknownProperty, "Unknown property "+shown(segment.name)+guess)
}

// either is the shape of a value that has one of several.
type either []Shape

// eitherOf gives the shape of a name that is assigned in several places; nil
// when one of them may give it any value.
func eitherOf(shapes []Shape) Shape {
	if len(shapes) == 0 || slices.Contains(shapes, nil) {
		return nil
	}
	if len(shapes) == 1 {
		return shapes[0]
	}
	return either(shapes)
}

func (e either) Property(name string) (Shape, bool) {
	var properties []Shape
	for _, shape := range e {
		if property, may := shape.Property(name); may {
			properties = append(properties, property)
		}
	}
	return eitherOf(properties), len(properties) > 0
}

func (e either) Items() Shape {
	items := make([]Shape, len(e))
	for i, shape := range e {
		items[i] = shape.Items()
	}
	return eitherOf(items)
}
