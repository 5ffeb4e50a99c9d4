package definition

// This file is the type lookup: one call of a tool that only reads. Its call is
// an interaction's (interaction format, "Asking a system").

import (
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// Lookup is a function that reads what a system holds: its call names a tool
// that its server marks reads.
type Lookup struct {
	Call   *Call
	Answer *schema.Schema // of the part of the tool's answer that the function gives
}

var lookupAnswerFields = []field[Lookup]{
	{name: "schema", required: true, takes: "A JSON Schema of what the function gives", read: func(r *reader, at place, into *Lookup) {
		into.Answer = r.schema(at, schema.Options{})
	}},
}

var lookupFields = []field[Lookup]{
	{name: "description", takes: "Text of 1 to 1,000 characters", read: func(r *reader, at place, _ *Lookup) { description(r, at) }},
	{name: "call", required: true, takes: "The tool the function reads with", within: describe(callFields), read: func(r *reader, at place, into *Lookup) {
		into.Call = r.call(at)
	}},
	{name: "input", takes: "What the function takes", within: describe(interactionInputFields), read: func(*reader, place, *Lookup) {}},
	{name: "output", required: true, takes: "What the function gives", within: describe(lookupAnswerFields), read: func(*reader, place, *Lookup) {}},
}

var lookupType = &Type{
	Name:   "lookup",
	About:  "What a system holds: one call of a tool that only reads, and the part of its answer that is wanted",
	Fields: describe(lookupFields),
	read:   readLookup,
}

// readLookup reads the input schema first, since the arguments' templates are
// checked against it.
func readLookup(r *reader) Function {
	function := &Lookup{}
	root, ok := r.root()
	if !ok {
		r.body(liquid.Options{Names: r.inputScope()})
		return function
	}
	if at, has := root.child("input"); has {
		read(r, at, interactionInputFields, &r.definition.Input)
	}
	if at, has := root.child("output"); has {
		read(r, at, lookupAnswerFields, function)
	}
	read(r, root, lookupFields, function)
	r.checkMark(root, function.Call, true)
	r.refuseBody("beside call")
	return function
}

// Render gives the arguments of the call.
func (l *Lookup) Render(input *value.Object, request Request) (*Rendering, error) {
	variables := moments(request.Moment)
	variables["input"] = input
	return l.Call.render(variables)
}
