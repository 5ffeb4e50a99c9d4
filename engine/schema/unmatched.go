package schema

// This file warns of required names that a schema does not have among its
// properties: a closed object that requires one matches nothing.

import (
	"github.com/beonauto/auto/engine/problem"
)

// Unmatched warns of each required name that can only be a slip: one that a closed
// object cannot have, and one that looks like a property that is there.
func Unmatched(s *Schema) []problem.Problem {
	var warnings []problem.Problem
	// A name that an open object requires is a slip where it stands for a property
	// that nothing requires.
	left, said := &guesses{left: mostGuesses}, 0
	var check func(s *subschema)
	check = func(s *subschema) {
		if o := s.object; o != nil && len(o.names) > 0 {
			for i, name := range o.required {
				if o.properties[name] != nil || said > maxSaid {
					continue
				}
				near := left.nearest(name, o.names)
				message := clip(name) + " is required, and is none of the properties" + problem.DidYouMean(clip(near))
				if o.closed() {
					message = "Nothing matches: " + message
				} else if len(name) < shortestSlip || near == "" || o.requires(near) {
					continue
				}
				warning := requiredName(s, i, message)
				if said += len(warning.Pointer) + len(message); said > maxSaid {
					return
				}
				warnings = append(warnings, warning)
			}
		}
		for _, within := range s.within {
			check(within)
		}
	}
	check(s.root)
	return problem.Sort(warnings)
}

// shortestSlip is the fewest bytes of a name that is taken for another's slip.
const shortestSlip = 4

// requiredName is a warning about the i-th name that a schema requires.
func requiredName(s *subschema, i int, message string) problem.Problem {
	warning := problem.Problem{Rule: problem.SchemaValue, Severity: problem.Warning, Message: message}
	for at := range s.at.node.Keys {
		required := s.at.under(at)
		if required.key.Name == "required" && i < len(required.node.Items) {
			item := required.nth(i)
			warning.Line, warning.Column, warning.Pointer = item.node.Line, item.node.Column, item.pointer()
		}
	}
	return warning
}
