package plan

// This file keeps what was given so far as one value, and gives it back, so that
// nothing that was typed is lost, not even half a number.

import (
	"slices"

	"github.com/beonauto/auto/engine/value"
)

// blankNames are the words that a draft says blanks with.
var blankNames = map[Blank]string{LeftOut: "left_out", Empty: "empty", Null: "null"}

// Draft gives what was given in an entry and within it.
func (e *Entry) Draft() value.Value {
	o := value.NewObject(3)
	if e.Touched {
		o.Set("touched", true)
	}
	if e.Blank != e.Field.Blanks()[0] {
		o.Set("blank", blankNames[e.Blank])
	}
	switch e.Field.Kind {
	case Choice:
		if e.Chosen >= 0 {
			o.Set("chosen", e.Field.Choices[e.Chosen].Value)
		}
	case Object:
		fields := value.NewObject(len(e.Fields))
		for _, each := range e.Fields {
			if draft := each.Draft().(*value.Object); draft.Len() > 0 {
				fields.Set(each.Field.Key, draft)
			}
		}
		if fields.Len() > 0 {
			o.Set("fields", fields)
		}
	case List:
		items := make([]value.Value, len(e.Items))
		for i, each := range e.Items {
			items[i] = each.Draft()
		}
		if len(items) > 0 {
			o.Set("items", items)
		}
	default:
		if e.Text != "" {
			o.Set("typed", e.Text)
		}
	}
	return o
}

// Restore gives an entry what a draft of it holds. What does not fit, such as a
// value that is no longer offered, is passed over.
func (e *Entry) Restore(draft value.Value) {
	o, ok := draft.(*value.Object)
	if !ok {
		return
	}
	touched, _ := o.Get("touched")
	e.Touched = touched == value.Value(true)
	if named, has := o.Get("blank"); has {
		for blank, name := range blankNames {
			if named == value.Value(name) && slices.Contains(e.Field.Blanks(), blank) {
				e.Blank = blank
			}
		}
	}
	switch e.Field.Kind {
	case Choice:
		if chosen, has := o.Get("chosen"); has {
			if at := slices.IndexFunc(e.Field.Choices, func(c Option) bool { return value.Equal(c.Value, chosen) }); at >= 0 {
				e.Chosen = at
			}
		}
	case Object:
		held, _ := o.Get("fields")
		fields, _ := held.(*value.Object)
		for _, each := range e.Fields {
			if draft, has := fields.Get(each.Field.Key); has {
				each.Restore(draft)
			}
		}
	case List:
		held, _ := o.Get("items")
		items, _ := held.([]value.Value)
		for _, draft := range items {
			if item := e.Add(len(e.Items)); item != nil {
				item.Restore(draft)
			}
		}
	default:
		typed, _ := o.Get("typed")
		if text, ok := typed.(string); ok && len(text) <= MaxAnswer {
			e.Text = text
		}
	}
}
