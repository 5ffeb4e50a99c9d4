package definition

// This file compiles and renders the arguments of a tool's call, in which every
// text is a template.

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// ArgumentBytes is the most a call's arguments may take as JSON (interaction
// format, "Bounds").
const ArgumentBytes = 16 * 1024

// Arguments are the arguments of a tool's call as a document writes them:
// everything but text is sent as written, and each text is a template.
type Arguments struct {
	root argument
}

// argument is one value of them: a literal, a template, a list or a mapping.
type argument struct {
	literal  value.Value
	template *Template
	keys     []string
	items    []argument
	kind     frontmatter.Kind
}

// arguments compiles a mapping of arguments whose templates read these names.
func (r *reader) arguments(at place, reads scope) *Arguments {
	if !r.mapping(at) {
		return nil
	}
	left := mostValues
	compiled := &Arguments{root: r.argument(at, reads, &left)}
	if left < 0 {
		r.refuse(at, problem.CallArguments, "Expected at most 16 KiB as JSON; there are more than "+value.Grouped(mostValues)+" arguments")
		return nil
	}
	variables := sample(reads)
	compiled.root.each(func(t *Template) bool {
		r.refuseMixed(t, variables)
		return true
	})
	return compiled
}

// mostValues is how many values arguments may hold: as JSON each takes two
// bytes at least.
const mostValues = ArgumentBytes / 2

// argument compiles a value, of which so many are left.
func (r *reader) argument(at place, reads scope, left *int) argument {
	compiled := argument{kind: at.node.Kind}
	if *left--; *left < 0 {
		return compiled
	}
	switch at.node.Kind {
	case frontmatter.Mapping:
		for i, key := range at.node.Keys {
			compiled.keys = append(compiled.keys, key.Name)
			compiled.items = append(compiled.items, r.argument(place{node: at.node.Items[i], pointer: join(at.pointer, key.Name), key: key}, reads, left))
		}
	case frontmatter.List:
		for i, item := range at.node.Items {
			compiled.items = append(compiled.items, r.argument(place{node: item, pointer: value.JoinIndex(at.pointer, i)}, reads, left))
		}
	default:
		compiled.literal = at.node.Value()
		if source, ok := compiled.literal.(string); ok {
			compiled.template = r.templateText(at, source, reads)
		}
	}
	return compiled
}

// each visits every template of the arguments until visit says to stop.
func (a argument) each(visit func(*Template) bool) bool {
	if a.template != nil {
		return visit(a.template)
	}
	for _, item := range a.items {
		if !item.each(visit) {
			return false
		}
	}
	return true
}

// Reads tells whether any template of the arguments reads a name.
func (a *Arguments) Reads(name string) bool {
	return !a.root.each(func(t *Template) bool { return !t.Reads(name) })
}

// mostRendered is the most bytes of arguments, as JSON, that are rendered at
// all. It is far past ArgumentBytes, so that what is a little too large is said
// to the byte, and keeps many arguments that are each large out of memory.
const mostRendered = 16 * ArgumentBytes

// LargeArgumentsError is arguments of which no more is rendered, since they
// take more than so many bytes as JSON.
type LargeArgumentsError struct{ Bytes int }

func (e *LargeArgumentsError) Error() string {
	return fmt.Sprintf("the arguments take more than %s bytes", value.Grouped(int64(e.Bytes)))
}

// rendering is one rendering of arguments. The templates of all of them have
// the time and the memory of one, however many there are.
type rendering struct {
	variables map[string]value.Value
	account   *liquid.Account
	left      int // of mostRendered
}

// Render gives the arguments to send. The error is a *TemplateError or a
// *LargeArgumentsError.
func (a *Arguments) Render(variables map[string]value.Value) (*value.Object, error) {
	return a.renderOn(&liquid.Account{}, variables)
}

func (a *Arguments) renderOn(account *liquid.Account, variables map[string]value.Value) (*value.Object, error) {
	rendered, err := a.root.render(&rendering{variables, account, mostRendered})
	if err != nil {
		return nil, err
	}
	return rendered.(*value.Object), nil
}

func (a argument) render(within *rendering) (value.Value, error) {
	switch a.kind {
	case frontmatter.Mapping:
		items, err := a.renderItems(within)
		if err != nil {
			return nil, err
		}
		object := value.NewObject(len(items))
		for i, key := range a.keys {
			object.Set(key, items[i])
		}
		return object, nil
	case frontmatter.List:
		return a.renderItems(within)
	}
	if a.template == nil {
		return a.literal, nil
	}
	rendered, err := a.template.argument(within.account, within.variables)
	if err != nil {
		return nil, err
	}
	if within.left -= value.JSONSize(rendered, within.left); within.left < 0 {
		return nil, &LargeArgumentsError{Bytes: mostRendered}
	}
	return rendered, nil
}

func (a argument) renderItems(within *rendering) ([]value.Value, error) {
	items := make([]value.Value, len(a.items))
	for i, item := range a.items {
		rendered, err := item.render(within)
		if err != nil {
			return nil, err
		}
		items[i] = rendered
	}
	return items, nil
}

// sample gives a value for each name a place may read besides input, for
// rendering what reads no input when a document is checked.
func sample(reads scope) map[string]value.Value {
	moment := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	variables := moments(moment)
	for name := range reads {
		switch name {
		case "sent":
			sent := value.NewObject(2)
			sent.Set("conversation", "conversation")
			sent.Set("id", "id")
			variables[name] = sent
		case "answer_schema":
			variables[name] = value.NewObject(0)
		case "today", "now", "input":
		default:
			variables[name] = name
		}
	}
	return variables
}

// refuseMixed reports a template that reads no input and yet puts a structure
// inside a longer text (interaction format, "Templates and pointers"). One
// that reads input is checked when a run renders it.
func (r *reader) refuseMixed(t *Template, variables map[string]value.Value) {
	if t == nil || t.Template == nil || t.Reads("input") {
		return
	}
	var failure *liquid.RenderError
	if _, err := t.argument(&r.account, variables); errors.As(err, &failure) && failure.Kind == liquid.Structure {
		line, column := t.place(failure.Line, failure.Column)
		r.add(problem.Problem{Line: line, Column: column, Pointer: t.Pointer, Rule: problem.MixedText, Message: failure.Message})
	}
}

// refuseLarge reports arguments that read no input and are larger than a call
// may send.
func (r *reader) refuseLarge(at place, arguments *Arguments, reads scope) {
	if arguments == nil || arguments.Reads("input") {
		return
	}
	rendered, err := arguments.renderOn(&r.account, sample(reads))
	var large *LargeArgumentsError
	switch {
	case errors.As(err, &large):
		r.refuse(at, problem.CallArguments, fmt.Sprintf("Expected at most 16 KiB as JSON; the arguments take more than %s bytes", value.Grouped(int64(large.Bytes))))
		return
	case err != nil:
		return // what cannot be rendered is a matter of its own template
	}
	if size := value.JSONSize(rendered, math.MaxInt); size > ArgumentBytes {
		r.refuse(at, problem.CallArguments, fmt.Sprintf("Expected at most 16 KiB as JSON; the arguments take %s bytes", value.Grouped(int64(size))))
	}
}
