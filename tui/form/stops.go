package form

// This file says where in the form the person can be, and goes from one such place
// to another.

import (
	"slices"

	"github.com/beonauto/auto/tui/form/plan"
)

// stopKind is what there is to do at a stop.
type stopKind uint8

const (
	fieldStop  stopKind = iota // give a value
	groupStop                  // say that an object is nothing
	addStop                    // add an item to a list
	reviewStop                 // go on to the review
)

// stop is a place where the person can be.
type stop struct {
	kind  stopKind
	entry *plan.Entry // of addStop the list; of reviewStop nil
}

// arrange finds the stops again, after items came or went, and stays where the
// person is.
func (f *Form) arrange() {
	var here stop
	if f.focus < len(f.stops) {
		here = f.stops[f.focus]
	}
	f.stops = f.stops[:0]
	f.addStops(f.root)
	f.stops = append(f.stops, stop{kind: reviewStop})
	f.focus = min(f.focus, len(f.stops)-1)
	if at := slices.Index(f.stops, here); at >= 0 {
		f.focus = at
	}
}

func (f *Form) addStops(e *plan.Entry) {
	switch {
	case e.Field.Fixed():
	case e.Field.Kind == plan.Object:
		if isGroupStop(e) {
			f.stops = append(f.stops, stop{groupStop, e})
		}
		for _, each := range e.Fields {
			f.addStops(each)
		}
	case e.Field.Kind == plan.List:
		for _, each := range e.Items {
			f.addStops(each)
		}
		f.stops = append(f.stops, stop{addStop, e})
	default:
		f.stops = append(f.stops, stop{fieldStop, e})
	}
}

// isGroupStop tells whether there is anything to do with an object as a whole.
func isGroupStop(e *plan.Entry) bool {
	return e.Field.Nullable || len(e.Fields) == 0
}

// here is the stop where the person is.
func (f *Form) here() stop { return f.stops[f.focus] }

// goTo goes to a stop and leaves the one where the person is.
func (f *Form) goTo(at int) {
	f.leave()
	f.focus = min(max(at, 0), len(f.stops)-1)
	if s := f.here(); s.kind == fieldStop {
		f.markOf(s.entry).arrive(s.entry)
	}
}

// leave takes note that the person was at a stop.
func (f *Form) leave() {
	s := f.here()
	if s.entry == nil {
		return
	}
	s.entry.Touched = true
	f.markOf(s.entry).filter = ""
	f.history.last = change{}
}

// goToEntry goes to the stop of an entry, or the nearest one of what holds it.
func (f *Form) goToEntry(e *plan.Entry) {
	for at := e; at != nil; at = at.Parent {
		if i := slices.IndexFunc(f.stops, func(s stop) bool { return s.entry == at }); i >= 0 {
			f.goTo(i)
			return
		}
		if first := firstWithin(f.stops, at); first >= 0 {
			f.goTo(first)
			return
		}
	}
}

// firstWithin finds the first stop inside an entry.
func firstWithin(stops []stop, e *plan.Entry) int {
	return slices.IndexFunc(stops, func(s stop) bool {
		for at := s.entry; at != nil; at = at.Parent {
			if at == e {
				return true
			}
		}
		return false
	})
}

// itemAround gives the innermost item of a list that an entry is or is in; nil for
// none.
func itemAround(e *plan.Entry) *plan.Entry {
	for at := e; at != nil; at = at.Parent {
		if at.Place() >= 0 {
			return at
		}
	}
	return nil
}

// add adds an item at the end of a list and goes to it; it gives false, and says why,
// where the list is full.
func (f *Form) add(list *plan.Entry) bool {
	if list.Full() {
		f.said = "The list takes no more items"
		return false
	}
	f.remember(list, false)
	item := list.Add(len(list.Items))
	f.arrange()
	f.changed(list)
	f.goToEntry(item)
	if f.here().kind == groupStop && len(item.Fields) > 0 {
		f.goTo(f.focus + 1) // where there is something to type
	}
	return true
}

// remove takes the item where the person is out of its list.
func (f *Form) remove() {
	item := itemAround(f.here().entry)
	if item == nil {
		return
	}
	list, name := item.Parent, item.Label()
	place := item.Place()
	f.remember(list, false)
	item.Remove()
	list.Touched = true
	f.focus = 0
	f.arrange()
	f.changed(list)
	if place < len(list.Items) {
		f.goToEntry(list.Items[place])
	} else {
		f.focus = slices.Index(f.stops, stop{addStop, list})
	}
	f.said = name + " was removed; ctrl+z brings it back"
}

// move moves the item where the person is within its list.
func (f *Form) move(by int) {
	item := itemAround(f.here().entry)
	if item == nil || !item.CanMove(by) {
		return
	}
	f.remember(item.Parent, false)
	item.Move(by)
	f.arrange()
	f.changed(item.Parent)
}
