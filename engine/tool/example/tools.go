package example

// This file is what a tool of either server is: how it is listed, and how the
// arguments of a call are checked.

import (
	"slices"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// tool is one tool of the server.
type tool struct {
	name        string
	description string
	reads       bool
	arguments   []argument
	call        func(given *value.Object) (*value.Object, error)
}

// argument is an argument of a tool. One that is not text is a whole number.
type argument struct {
	name        string
	description string
	required    bool
	whole       bool
}

// object builds an object from keys and values in turn.
func object(pairs ...any) *value.Object {
	o := value.NewObject(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func stringOf(o *value.Object, key string) string {
	v, _ := o.Get(key)
	text, _ := v.(string)
	return text
}

// listed is the tool as the server lists it.
func (t *tool) listed() *value.Object {
	properties, required := &value.Object{}, []value.Value{}
	for _, a := range t.arguments {
		kind := "string"
		if a.whole {
			kind = "integer"
		}
		properties.Set(a.name, object("type", kind, "description", a.description))
		if a.required {
			required = append(required, a.name)
		}
	}
	schema := object("type", "object", "properties", properties)
	if len(required) > 0 {
		schema.Set("required", required)
	}
	schema.Set("additionalProperties", false)
	annotations := object("readOnlyHint", t.reads)
	if !t.reads {
		annotations.Set("destructiveHint", false)
	}
	return object("name", t.name, "description", t.description, "inputSchema", schema, "annotations", annotations)
}

// check tells what is wrong with the arguments of a call; empty when nothing is.
func (t *tool) check(given *value.Object) string {
	known := []string{}
	for _, a := range t.arguments {
		known = append(known, a.name)
		v, ok := given.Get(a.name)
		if !ok {
			if a.required {
				return "Expected the argument " + a.name
			}
			continue
		}
		_, isText := v.(string)
		_, isWhole := value.Whole(v)
		switch {
		case a.whole && !isWhole:
			return "Expected the argument " + a.name + " to be a whole number"
		case !a.whole && !isText:
			return "Expected the argument " + a.name + " to be text"
		}
	}
	for _, name := range given.Keys() {
		if slices.Contains(known, name) {
			continue
		}
		return "Unknown argument " + name + problem.OrNear(name, known)
	}
	return ""
}
