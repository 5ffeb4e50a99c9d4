package model

import (
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// This file makes what a call asks for out of a definition's schema or shape.

// SchemaOutput asks for JSON of output.schema. It works out the portable form,
// so a definition makes it once.
func SchemaOutput(s *schema.Schema) *Output { return outputOf(s, s.Validate) }

// ShapeOutput asks for JSON of output.shape: the shape's schema, and the rules
// it adds.
func ShapeOutput(shape *schema.OutputShape) *Output {
	return outputOf(shape.Schema(), shape.Validate)
}

func outputOf(s *schema.Schema, validate func(value.Value) ([]schema.Issue, error)) *Output {
	output := &Output{Schema: s.Value(), Check: func(answer value.Value) ([]problem.Issue, error) {
		found, err := validate(answer)
		issues := make([]problem.Issue, len(found))
		for i, issue := range found {
			issues[i] = problem.Issue{Pointer: issue.Pointer, Detail: issue.Message}
		}
		return issues, err
	}}
	if portable, _ := s.Portable(); portable != nil {
		output.Portable = portable
	}
	return output
}
