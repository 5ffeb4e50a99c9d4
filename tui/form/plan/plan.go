// Package plan makes the fields of an answer from the answer's JSON Schema, keeps
// what a person gives in them, and reads it back as the answer with everything
// that is wrong with it. The form of the terminal and the plain prompts are two
// faces of it.
//
// It never draws, never asks and never decides: it knows no terminal. Whether an
// answer matches is the say of engine/schema alone.
package plan

import (
	"fmt"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// MaxAnswer is the most bytes of an answer as JSON, and so of any text in it.
const MaxAnswer = request.MaxAnswer

// Root is the pointer of the whole answer, under which every issue stands as in a
// rejection of the runtime.
const Root = "/answer"

// TooCostly is the issue of an answer that takes too much work to check.
const TooCostly = "Expected an answer that takes less work to check"

// Plan is the fields of one answer. It never changes.
type Plan struct {
	Root *Field
	// Unchecked says that the schema cannot be read here, so that only the runtime
	// can tell whether an answer matches.
	Unchecked bool

	schema *schema.Schema
}

// New makes the plan of a schema. There is one for every value: what no field can
// hold, even the whole answer, is given as JSON.
func New(written value.Value) *Plan {
	p := &Plan{}
	if value.Depth(written, schema.MaxLevels) <= schema.MaxLevels && value.JSONSize(written, schema.MaxBytes) <= schema.MaxBytes {
		p.schema, _ = schema.FromValue(written)
	}
	p.Unchecked = p.schema == nil
	p.Root = newBuilder(written).field([]value.Value{written}, place{required: true})
	return p
}

// Check gives everything that is wrong with an answer, at pointers under Root, in
// the words of the runtime.
func (p *Plan) Check(answer value.Value) []problem.Issue {
	switch {
	case value.Depth(answer, request.MaxAnswerLevels) > request.MaxAnswerLevels:
		return []problem.Issue{{Pointer: Root, Detail: fmt.Sprintf("Expected at most %d levels", request.MaxAnswerLevels)}}
	case value.JSONSize(answer, MaxAnswer) > MaxAnswer:
		return []problem.Issue{{Pointer: Root, Detail: fmt.Sprintf("Expected at most %d KiB as JSON", MaxAnswer>>10)}}
	case p.schema == nil:
		return nil
	}
	found, err := p.schema.Validate(answer)
	if err != nil {
		return []problem.Issue{{Pointer: Root, Detail: TooCostly}}
	}
	issues := make([]problem.Issue, len(found))
	for i, issue := range found {
		issues[i] = problem.Issue{Pointer: Root + issue.Pointer, Detail: issue.Message}
	}
	return issues
}
