package schema

// This file checks a portable form before it is used: that it keeps to the
// part of JSON Schema it is made of, and that answers made for the schema as
// written survive the way through it.

import (
	"slices"

	"github.com/beonauto/auto/engine/value"
)

const cannotBeMade = "a schema that no answer could be made for, such as one whose bounds contradict each other"

// selfCheck says why the form may not be used, and nothing when it may.
func (p *Portable) selfCheck(written *Schema) string {
	if !inSubset(p.sent, true) {
		return "a form outside what every provider takes"
	}
	form, problems := FromValue(p.sent)
	if len(problems) > 0 {
		return "a form that is no schema: " + problems[0].Message
	}
	for _, full := range []bool{false, true} {
		sampler := &sampler{full: full, left: maxSamples, work: work{left: maxSteps}}
		answer, made := sampler.make(p.root, nil, 0)
		if !made {
			if full {
				break // what is optional can still be left out
			}
			return cannotBeMade
		}
		sent := p.Write(answer)
		if matches, err := form.Matches(sent); err != nil || !matches {
			return "a form that an answer of the schema does not match"
		}
		read, issues := p.Read(sent)
		if matches, err := written.Matches(read); err != nil || !matches || len(issues) > 0 {
			return "a form from which an answer does not read back"
		}
	}
	return ""
}

// inSubset tells whether a schema keeps to what every provider takes: closed
// objects that require every property, lists of one kind of item, scalars,
// enum, anyOf and references to definitions at the root.
func inSubset(schema value.Value, root bool) bool {
	object, ok := schema.(*value.Object)
	if !ok {
		return false
	}
	for i := range object.Len() {
		key, v := object.At(i)
		switch key {
		case "type", "description", "required", "additionalProperties":
		case "enum":
			if list, ok := v.([]value.Value); !ok || len(list) == 0 {
				return false
			}
		case "$ref":
			if object.Len() > 1 {
				return false
			}
		case "items":
			if !inSubset(v, false) {
				return false
			}
		case "anyOf":
			list, ok := v.([]value.Value)
			if !ok || slices.ContainsFunc(list, func(each value.Value) bool { return !inSubset(each, false) }) {
				return false
			}
		case "properties", "$defs":
			members, ok := v.(*value.Object)
			if !ok || key == "$defs" && !root {
				return false
			}
			for j := range members.Len() {
				if _, member := members.At(j); !inSubset(member, false) {
					return false
				}
			}
		default:
			return false
		}
	}
	kind, _ := object.Get("type")
	if kind == value.Value("object") {
		return closedAndRequired(object)
	}
	return !root
}

// closedAndRequired tells whether an object's schema takes exactly the
// properties it names.
func closedAndRequired(schema *value.Object) bool {
	additional, _ := schema.Get("additionalProperties")
	listed, _ := schema.Get("properties")
	properties, ok := listed.(*value.Object)
	if !ok || additional != value.Value(false) {
		return false
	}
	named, _ := schema.Get("required")
	required, _ := named.([]value.Value)
	if len(required) != properties.Len() {
		return false
	}
	for _, name := range required {
		if text, ok := name.(string); !ok || !properties.Has(text) {
			return false
		}
	}
	return true
}
