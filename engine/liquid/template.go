package liquid

// This file is the face of the package: options, templates and what they say
// about themselves.

import (
	"slices"

	"github.com/beonauto/auto/engine/problem"
)

// Options say what a place in a document lets its template do.
type Options struct {
	// Names are the names the template may read, each with the shape of its
	// value. With a nil map names are not checked.
	Names map[string]Shape
	// System tells whether the template may hold a system block.
	System bool
	// Message tells whether the template must be able to render text outside
	// its system block.
	Message bool
	// MaxLength is the longest template, in UTF-16 units; DefaultSource when 0.
	MaxLength int
	// MaxNames is the most names in tags and outputs; DefaultNames when 0.
	MaxNames int
}

// Shape is what is known of a value before there is one. A nil Shape knows
// nothing, and lets everything be read.
type Shape interface {
	// Property gives the shape of a property, and false when the value is a
	// closed object that cannot have it.
	Property(name string) (Shape, bool)
	// Items gives the shape of each item of a list; nil when nothing is known.
	Items() Shape
}

// PropertyNames is implemented by shapes that can list their properties, so
// that a problem can name the one that was meant.
type PropertyNames interface {
	PropertyNames() []string
}

// Declarations is implemented by shapes that know which properties are written
// down of a value that may have others too.
type Declarations interface {
	// Undeclared tells that nothing says a value has a property. The types are
	// those that a value which never has it may be of, such as string; empty for
	// an object that may have it all the same.
	Undeclared(name string) (types string, undeclared bool)
	// Optional tells that a property is declared and that a value may lack it.
	Optional(name string) bool
}

// Template is a parsed template. It never changes, so any number of renders
// may use it at once.
type Template struct {
	text  string
	nodes []node
	names []string       // of the values kept outside loops, by slot
	read  []bool         // whether an expression reads the name of a slot
	slots map[string]int // the slot of each name, once there are many
	// readsAny is set when a name is computed, as in {{ [input.key] }}.
	readsAny bool
	lone     *filtered
	loops    int  // the deepest nesting of loops
	halves   bool // a literal holds half a UTF-16 pair
	// continues is set when a loop goes on where another one stopped.
	continues bool
}

// Reads tells whether the template reads a name its place gives, such as
// input. One that computes a name may read any.
func (t *Template) Reads(name string) bool {
	slot, ok := t.slot(name)
	return t.readsAny || (ok && t.read[slot])
}

// fewNames is up to how many names a look-up goes through them all.
const fewNames = 8

// slot gives the slot of a name, and false when the template does not use it.
func (t *Template) slot(name string) (int, bool) {
	if len(t.names) > fewNames {
		slot, ok := t.slots[name]
		return slot, ok
	}
	slot := slices.Index(t.names, name)
	return slot, slot >= 0
}

// addSlot makes a slot for a new name.
func (t *Template) addSlot(name string) int {
	slot := len(t.names)
	t.names, t.read = append(t.names, name), append(t.read, false)
	if slot == fewNames {
		t.slots = make(map[string]int, 4*fewNames)
		for i, known := range t.names {
			t.slots[known] = i
		}
	} else if slot > fewNames {
		t.slots[name] = slot
	}
	return slot
}

// Lone tells whether the template is one output and nothing else, once the
// white space that dashes ask to trim is gone. Value then gives what it reads.
func (t *Template) Lone() bool { return t.lone != nil }

// Source is the text the template was parsed from.
func (t *Template) Source() string { return t.text }

// Parse reads a template and gives every problem in it, in the order of their
// places, without a pointer. The template renders only when there are none;
// with problems it is good for Reads and Lone alone.
func Parse(text string, options Options) (*Template, []problem.Problem) {
	p := newParser(text, options)
	if p.checkLength() {
		p.run(&lexer{parser: p, text: text})
		p.finish()
	}
	return p.template, p.found()
}
