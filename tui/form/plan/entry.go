package plan

// This file keeps what a person gave in each field.

import (
	"slices"
	"strings"
)

// Entry is what was given in one field, and the entries of the fields or items it
// holds. It changes as a person types.
type Entry struct {
	Field  *Field
	Parent *Entry // nil at the root

	// Text is what was typed in a Number, a Text or JSON, exactly as it was typed.
	Text string
	// Chosen is the place of a Choice's value among its options; -1 for none.
	Chosen int
	// Blank is what the field counts as while nothing is given in it.
	Blank Blank
	// Touched says that the person has been here, so that what is wrong is shown.
	Touched bool

	Fields []*Entry // of an Object, in the order of its fields
	Items  []*Entry // of a List
}

// Entry gives the empty entries of the plan.
func (p *Plan) Entry() *Entry { return newEntry(p.Root, nil) }

func newEntry(f *Field, parent *Entry) *Entry {
	e := &Entry{Field: f, Parent: parent, Chosen: -1, Blank: f.Blanks()[0]}
	if f.Fixed() {
		e.Chosen = 0
	}
	for _, each := range f.Fields {
		e.Fields = append(e.Fields, newEntry(each, e))
	}
	return e
}

// Given tells whether something was given here, or somewhere within.
func (e *Entry) Given() bool {
	switch e.Field.Kind {
	case Choice:
		return e.Chosen >= 0 && !e.Field.Fixed()
	case Object:
		return slices.ContainsFunc(e.Fields, (*Entry).said)
	case List:
		return len(e.Items) > 0
	case JSON, Number:
		return strings.TrimSpace(e.Text) != ""
	}
	return e.Text != ""
}

// said tells whether something was given here, or the person said what it is to
// count as while nothing is.
func (e *Entry) said() bool { return e.Given() || e.Blank != e.Field.Blanks()[0] }

// NextBlank makes the field count as the next thing that it may while it is blank.
func (e *Entry) NextBlank() {
	blanks := e.Field.Blanks()
	e.Blank = blanks[(slices.Index(blanks, e.Blank)+1)%len(blanks)]
}

// Clear takes away what was given here and within.
func (e *Entry) Clear() {
	empty := newEntry(e.Field, e.Parent)
	empty.Touched = e.Touched
	*e = *empty
	for _, each := range e.Fields {
		each.Parent = e
	}
}

// mostItems is how many items a list takes by hand.
const mostItems = 500

// Full tells whether a list takes no more items.
func (e *Entry) Full() bool {
	most := int64(mostItems)
	if e.Field.Most >= 0 {
		most = min(most, e.Field.Most)
	}
	return int64(len(e.Items)) >= most
}

// Add adds an empty item at a place of a list and gives it; nil when the list is
// full.
func (e *Entry) Add(at int) *Entry {
	if e.Field.Kind != List || e.Full() {
		return nil
	}
	item := newEntry(e.Field.Item, e)
	e.Items = slices.Insert(e.Items, min(max(at, 0), len(e.Items)), item)
	return item
}

// Place is where the entry stands among its parent's items; -1 for one that is no
// item.
func (e *Entry) Place() int {
	if e.Parent == nil || e.Parent.Field.Kind != List {
		return -1
	}
	return slices.Index(e.Parent.Items, e)
}

// Remove takes an item out of its list.
func (e *Entry) Remove() {
	if at := e.Place(); at >= 0 {
		e.Parent.Items = slices.Delete(e.Parent.Items, at, at+1)
	}
}

// CanMove tells whether an item has so many places before or after it.
func (e *Entry) CanMove(by int) bool {
	at := e.Place()
	return at >= 0 && at+by >= 0 && at+by < len(e.Parent.Items)
}

// Move moves an item by some places in its list, if it can.
func (e *Entry) Move(by int) {
	if !e.CanMove(by) {
		return
	}
	at := e.Place()
	items := slices.Delete(e.Parent.Items, at, at+1)
	e.Parent.Items = slices.Insert(items, at+by, e)
}

// Each calls visit with the entry and all within it, each before what it holds.
func (e *Entry) Each(visit func(*Entry)) {
	visit(e)
	for _, each := range e.Fields {
		each.Each(visit)
	}
	for _, each := range e.Items {
		each.Each(visit)
	}
}

// Level is how many objects and lists hold the entry; the root object holds its
// fields at no level of its own.
func (e *Entry) Level() int {
	level := -1
	for at := e; at.Parent != nil; at = at.Parent {
		level++
	}
	if root := e.root(); root.Field.Kind == List && e != root {
		level++ // the list itself is shown
	}
	return max(level, 0)
}

// root is the entry that holds all others.
func (e *Entry) root() *Entry {
	for e.Parent != nil {
		e = e.Parent
	}
	return e
}

// Label is the name of the entry for a person, never empty.
func (e *Entry) Label() string {
	if e.Field.Label != "" && e.Place() < 0 {
		return e.Field.Label
	}
	if at := e.Place(); at >= 0 {
		return e.nameOfItem(at)
	}
	return "Answer"
}

// Path names an entry with what holds it, such as People, Item 2, Name.
func (e *Entry) Path() string {
	names := []string{e.Label()}
	for at := e.Parent; at != nil && at.Parent != nil; at = at.Parent {
		names = append(names, at.Label())
	}
	slices.Reverse(names)
	return strings.Join(names, ", ")
}
