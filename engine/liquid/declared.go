package liquid

// This file warns of properties that a value may have and that nothing says it
// has, and of those that it may lack where one that is missing ends the render.

import (
	"slices"

	"github.com/beonauto/auto/engine/problem"
)

// missed is a property that may be missing where it is read.
type missed struct {
	at      int
	message string
}

// declared warns of a path's property that its shape does not declare, or that
// the value may lack.
func (a *analysis) declared(p *path, i int, shape Shape) {
	known, ok := shape.(Declarations)
	if !ok {
		return
	}
	name, at := p.segments[i].name, p.segments[i].at
	if types, undeclared := known.Undeclared(name); undeclared {
		a.undeclared(p, i, shape, types)
		return
	}
	if a.certain(p) && known.Optional(name) {
		message := shown(name) + " may be missing: add a default filter or an if, or list it in required"
		if !slices.ContainsFunc(a.missed, func(m missed) bool { return m.message == message }) {
			a.missed = append(a.missed, missed{at, message})
		}
	}
}

// undeclared warns of a property that nothing says a value has. Where what is
// missing ends no render, an author may read what callers add: there only what
// looks mistyped is told.
func (a *analysis) undeclared(p *path, i int, shape Shape, types string) {
	name, guess := p.segments[i].name, ""
	if types != "" {
		of := p.name
		if i > 0 {
			of = p.segments[i-1].name
		}
		if of == "" {
			of = "it"
		}
		a.parser.warn(p.segments[i].at, problem.UndeclaredProperty, shown(of)+" is "+types+", which has no property "+shown(name))
		return
	}
	if lister, ok := shape.(PropertyNames); ok {
		guess = a.parser.guess(name, lister.PropertyNames)
	}
	if guess != "" || !a.lenient {
		a.parser.warn(p.segments[i].at, problem.UndeclaredProperty, shown(name)+" is not among the properties of the schema"+guess)
	}
}

// certain tells whether each render reads a path where a missing field ends it:
// outside of every condition, and in loops only as a part of their items.
func (a *analysis) certain(p *path) bool {
	if a.lenient || a.conditions > 0 || p.of != nil || p.root != nil {
		return false
	}
	if p.place.kind == itemPlace {
		return p.place.index == len(a.loops)-1
	}
	return p.place.kind == slotPlace && len(a.loops) == 0
}

// warnMissed tells what may be missing, unless the template may end early or pass
// over items, for reasons that nothing here knows.
func (a *analysis) warnMissed() {
	if a.parser.leaves {
		return
	}
	for _, m := range a.missed {
		a.parser.warn(m.at, problem.OptionalProperty, m.message)
	}
}

// TextProperty tells whether a text may have a property of a name.
func TextProperty(name string) bool { return name == "size" || name == "length" || isIndex(name) }

// ListProperty tells whether a list may have a property of a name.
func ListProperty(name string) bool { return TextProperty(name) || name == "first" || name == "last" }

func isIndex(name string) bool {
	for _, b := range []byte(name) {
		if b < '0' || b > '9' {
			return false
		}
	}
	return name != ""
}

// Undeclared tells that none of the shapes declares a property.
func (e either) Undeclared(name string) (types string, undeclared bool) {
	for _, shape := range e {
		known, ok := shape.(Declarations)
		if !ok {
			return "", false
		}
		one, undeclared := known.Undeclared(name)
		if !undeclared {
			return "", false
		}
		types = one
	}
	return types, len(e) > 0
}

// Optional knows nothing: which of the shapes the value has is not told.
func (e either) Optional(string) bool { return false }
