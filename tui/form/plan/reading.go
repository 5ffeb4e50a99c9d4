package plan

// This file reads what was given as an answer, and finds the entry that each thing
// that is wrong is about.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/value"
)

// nameOfItem names an item of a list by its place.
func (e *Entry) nameOfItem(at int) string {
	name := e.Field.Label
	if name == "" {
		name = "Item"
	}
	return name + " " + strconv.Itoa(at+1)
}

// Reading is an answer as it was given, with everything that is wrong with it.
type Reading struct {
	Answer value.Value
	// Complete says that the whole of what was given is in the answer: a number or
	// JSON that cannot be read is not.
	Complete bool
	Issues   []problem.Issue // at pointers under Root

	places map[string]*Entry
	typed  bool // what cannot be read stands as the text that was typed
}

// Read reads entries as an answer and checks it.
func (p *Plan) Read(root *Entry) *Reading { return p.read(root, true) }

// Peek reads entries without checking the whole answer against its schema.
func (p *Plan) Peek(root *Entry) *Reading { return p.read(root, false) }

// Typed gives all that was typed, for keeping and not for sending: what is no answer
// yet, such as JSON that lacks a brace, stands in it as text.
func (p *Plan) Typed(root *Entry) value.Value {
	r := &Reading{places: map[string]*Entry{}, typed: true}
	typed, _ := r.value(root, Root, map[string]bool{})
	return typed
}

func (p *Plan) read(root *Entry, check bool) *Reading {
	r := &Reading{Complete: true, places: map[string]*Entry{}}
	own := map[string]bool{} // the pointers of what cannot be read
	answer, given := r.value(root, Root, own)
	r.Answer = answer
	switch {
	case !given && len(r.Issues) == 0:
		r.Complete = false
		r.Issues = append(r.Issues, problem.Issue{Pointer: Root, Detail: missing})
	case given && check:
		for _, issue := range p.Check(answer) {
			if !covered(own, issue.Pointer) {
				r.Issues = append(r.Issues, r.worded(issue))
			}
		}
	}
	return r
}

// missing is what is said of a field that must be filled in.
const missing = "Expected an answer here"

// worded says of a property that is missing what a person can do about it.
func (r *Reading) worded(issue problem.Issue) problem.Issue {
	if e := r.places[issue.Pointer]; e != nil && issue.Detail == "Missing property" {
		issue.Detail = missing
	}
	return issue
}

// covered tells whether what a pointer names could not be read in the first place.
func covered(own map[string]bool, pointer string) bool {
	for {
		if own[pointer] {
			return true
		}
		cut := strings.LastIndexByte(pointer, '/')
		if cut <= 0 {
			return false
		}
		pointer = pointer[:cut]
	}
}

// value gives the value of an entry, and false when it is left out.
func (r *Reading) value(e *Entry, pointer string, own map[string]bool) (value.Value, bool) {
	r.places[pointer] = e
	if !e.Given() && !(e.Field.Fixed()) {
		switch e.Blank {
		case Null:
			return nil, true
		case LeftOut:
			r.blankPlaces(e, pointer)
			return nil, false
		}
	}
	f := e.Field
	switch f.Kind {
	case Choice:
		return f.Choices[e.Chosen].Value, true
	case Text:
		return e.Text, true
	case Object:
		o := value.NewObject(len(e.Fields))
		for _, each := range e.Fields {
			if v, given := r.value(each, value.Join(pointer, each.Field.Key), own); given {
				o.Set(each.Field.Key, v)
			}
		}
		return o, true
	case List:
		list := []value.Value{}
		for _, each := range e.Items {
			if v, given := r.value(each, value.JoinIndex(pointer, len(list)), own); given {
				list = append(list, v)
			}
		}
		return list, true
	}
	v, reason := ReadText(f, e.Text)
	if reason != "" && r.typed {
		return e.Text, true
	}
	if reason != "" {
		own[pointer] = true
		r.Complete = false
		r.Issues = append(r.Issues, problem.Issue{Pointer: pointer, Detail: reason})
	}
	// In a list, what cannot be read keeps its place, so that the others keep theirs.
	return v, reason == "" || e.Place() >= 0 || e.Parent == nil
}

// blankPlaces notes where the fields of an object that is left out would be.
func (r *Reading) blankPlaces(e *Entry, pointer string) {
	for _, each := range e.Fields {
		at := value.Join(pointer, each.Field.Key)
		r.places[at] = each
		r.blankPlaces(each, at)
	}
}

// ReadText reads what was typed in a Number or in JSON, and gives a reason when it
// cannot be read.
func ReadText(f *Field, typed string) (value.Value, string) {
	typed = strings.TrimSpace(typed)
	if f.Kind == Number {
		if n, ok := value.ReadNumber(typed); ok {
			return n, ""
		}
		if f.Whole {
			return nil, "Expected integer"
		}
		return nil, "Expected number"
	}
	v, err := value.ParseJSON([]byte(typed), request.MaxAnswerLevels)
	switch err := err.(type) {
	case nil:
		return v, ""
	case *value.SyntaxError:
		return nil, fmt.Sprintf("Expected JSON: line %d, column %d: %s", err.Line, err.Column, err.Reason)
	}
	return nil, fmt.Sprintf("Expected at most %d levels", request.MaxAnswerLevels)
}

// Find gives the entry that a pointer is about, or the nearest one that holds it;
// nil for one that is not about the answer.
func (r *Reading) Find(pointer string) *Entry {
	for strings.HasPrefix(pointer, Root) {
		if e := r.places[pointer]; e != nil {
			return e
		}
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
	return nil
}

// At gives the first thing that is wrong with each entry, and what is wrong with the
// answer as a whole, or with nothing that any entry holds.
func (r *Reading) At(issues []problem.Issue) (at map[*Entry]string, rest []problem.Issue) {
	at = map[*Entry]string{}
	for _, issue := range issues {
		e := r.Find(issue.Pointer)
		switch {
		case e == nil:
			rest = append(rest, issue)
		case at[e] == "":
			at[e] = r.about(e, issue)
		}
	}
	return at, rest
}

// about says where within an entry something is wrong, for one that holds more than
// the form shows, such as JSON.
func (r *Reading) about(e *Entry, issue problem.Issue) string {
	if r.places[issue.Pointer] == e {
		return issue.Detail
	}
	for pointer, at := range r.places {
		if rest, within := strings.CutPrefix(issue.Pointer, pointer+"/"); at == e && within {
			return "/" + rest + ": " + issue.Detail
		}
	}
	return issue.Detail
}
