package definition

// This file compiles the templates of a document, each with the names that its
// place gives.

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
)

// scope is what the templates of one place may read, by root name. A nil
// shape reads as anything.
type scope map[string]liquid.Shape

// with gives the scope and more names.
func (s scope) with(more scope) scope {
	all := maps.Clone(s)
	maps.Copy(all, more)
	return all
}

// closed is the shape of an object that has these properties and no other.
type closed map[string]liquid.Shape

// Property gives the shape of a property, and false for one it does not have.
func (c closed) Property(name string) (liquid.Shape, bool) {
	shape, ok := c[name]
	return shape, ok
}

// PropertyNames gives the names of the properties.
func (c closed) PropertyNames() []string { return slices.Sorted(maps.Keys(c)) }

// Items gives nothing: the object is no list.
func (c closed) Items() liquid.Shape { return nil }

// inputScope is what to, from, the message and the arguments of a call read
// (interaction format, "Templates and pointers"; reasoning format, "The
// template").
func (r *reader) inputScope() scope {
	return scope{"input": r.definition.Input.shape(), "today": nil, "now": nil}
}

// shape gives what is known of the input, in which a default is always there.
func (i Input) shape() liquid.Shape {
	if i.Schema == nil {
		return nil
	}
	if i.Default == nil {
		return i.Schema.Shape()
	}
	given := make([]string, i.Default.Len())
	for n := range given {
		given[n], _ = i.Default.At(n)
	}
	return i.Schema.ShapeWith(given)
}

// shapeOf gives what a schema says of a value to the template language; nil
// when there is no schema, or none that says anything.
func shapeOf(s *schema.Schema) liquid.Shape {
	if s == nil {
		return nil
	}
	return s.Shape()
}

// Template is a compiled template and where it stands in its document.
type Template struct {
	*liquid.Template
	Pointer string // of the text in the front matter; empty for the body
	place   func(line, column int) (fileLine, fileColumn int)
}

// Line gives the line of the file that a line of the template stands on.
func (t *Template) Line(line int) int {
	fileLine, _ := t.place(line, 1)
	return fileLine
}

// body compiles the text after the front matter.
func (r *reader) body(options liquid.Options) *Template {
	first := r.document.BodyLine
	return r.compile(r.document.Body, "", options, func(line, column int) (int, int) { return line + first - 1, column })
}

func (r *reader) compile(source, pointer string, options liquid.Options, placing func(int, int) (int, int)) *Template {
	template, problems := liquid.Parse(source, options)
	for _, p := range problems {
		p.Line, p.Column = placing(p.Line, p.Column)
		p.Pointer = pointer
		r.add(p)
	}
	return &Template{Template: template, Pointer: pointer, place: placing}
}

// templateText compiles a text of the front matter that is a template.
func (r *reader) templateText(at place, source string, reads scope) *Template {
	r.refuseEnvironment(at, source)
	return r.compile(source, at.pointer, liquid.Options{Names: reads}, at.node.Place)
}

// filledText reads a text that is not empty.
func (r *reader) filledText(at place) (string, bool) {
	text, ok := r.text(at)
	if ok && strings.TrimSpace(text) == "" {
		r.refuse(at, problem.ValueRange, "Expected text that is not empty")
		return "", false
	}
	return text, ok
}

// pageTemplate compiles a template that a person reads on a page, where a ${
// is the price that follows it.
func (r *reader) pageTemplate(at place, reads scope) *Template {
	source, ok := r.filledText(at)
	if !ok {
		return nil
	}
	return r.compile(source, at.pointer, liquid.Options{Names: reads}, at.node.Place)
}

// textTemplate compiles a template that renders text and no structure, which
// is checked at once where it reads no input.
func (r *reader) textTemplate(at place, reads scope) *Template {
	source, ok := r.filledText(at)
	if !ok {
		return nil
	}
	compiled := r.templateText(at, source, reads)
	r.refuseMixed(compiled, sample(reads))
	return compiled
}

// refuseEnvironment reports each line with a ${ in a template of the front
// matter, since a document is never filled from the environment.
func (r *reader) refuseEnvironment(at place, source string) {
	for number, line := range strings.Split(source, "\n") {
		column := strings.Index(line, "${")
		if column < 0 {
			continue
		}
		fileLine, fileColumn := at.node.Place(number+1, utf8.RuneCountInString(line[:column])+1)
		r.add(problem.Problem{
			Line: fileLine, Column: fileColumn, Pointer: at.pointer, Rule: problem.Environment,
			Message: "${ is not allowed: a document is never filled from the environment",
		})
	}
}
