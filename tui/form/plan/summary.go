package plan

// This file says in words what an answer holds.

import (
	"strings"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/safe"
)

// Line is one line of an answer in words.
type Line struct {
	Level int    // how far it stands in
	Label string // the field
	Says  string // what was given, in one or more lines; empty for an object
	Quiet bool   // nothing was given
}

// Summary says what was given, one line for each field and item.
func (e *Entry) Summary() []Line {
	var lines []Line
	e.Each(func(each *Entry) {
		if each.Parent == nil && each.Field.Kind == Object && len(each.Fields) > 0 {
			return
		}
		if within := each.Parent; within != nil && within.Field.Kind == Object && within.Parent != nil && !within.included() {
			return
		}
		says, quiet := each.says()
		lines = append(lines, Line{Level: each.Level(), Label: each.Label(), Says: says, Quiet: quiet})
	})
	return lines
}

// included tells whether an object is in the answer with its fields.
func (e *Entry) included() bool {
	for at := e; at.Parent != nil; at = at.Parent {
		if !at.Given() && at.Blank != Empty {
			return false
		}
	}
	return true
}

// says puts an entry into words.
func (e *Entry) says() (words string, quiet bool) {
	if !e.Given() && !e.Field.Fixed() {
		switch e.Blank {
		case Null:
			return "Nothing (null)", true
		case Empty:
			return map[Kind]string{Text: "An empty text", List: "An empty list", Object: "Nothing in it"}[e.Field.Kind], true
		}
		return "Left out", true
	}
	switch e.Field.Kind {
	case Choice:
		return e.Field.Choices[e.Chosen].Label, false
	case List:
		return counted(int64(len(e.Items)), int64(len(e.Items)), "item", "items"), false
	case Object:
		return "", false
	case Number:
		if n, reason := ReadText(e.Field, e.Text); reason == "" {
			return value.JSON(n), false
		}
		return label(e.Text), false
	case JSON:
		if v, reason := ReadText(e.Field, e.Text); reason == "" {
			return label(value.JSON(v)), false
		}
		return label(e.Text), false
	}
	if strings.TrimSpace(e.Text) == "" {
		return label(value.JSON(e.Text)), false
	}
	return safe.Text(e.Text), false
}
