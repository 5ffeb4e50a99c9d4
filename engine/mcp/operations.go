package mcp

// This file is the table of operations, and what they have in common.

import (
	"errors"
	"fmt"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// Operations gives every operation, in the order that a client lists them: what an
// agent meets first comes first. The table is made when it is asked for.
func Operations() []Operation {
	groups := [][]Operation{
		definitionOperations(),
		runOperations(),
		interactionOperations(),
		eventOperations(),
		modelOperations(),
		toolOperations(),
		guideOperations(),
	}
	var all []Operation
	for _, group := range groups {
		all = append(all, group...)
	}
	return all
}

// text gives an argument that is a text, empty when it was left out.
func (c *Call) text(name string) string {
	v, _ := c.Arguments.Get(name)
	text, _ := v.(string)
	return text
}

// whole gives an argument that is a whole number, 0 when it was left out.
func (c *Call) whole(name string) int64 {
	v, _ := c.Arguments.Get(name)
	number, _ := value.Whole(v)
	return number
}

// object makes an object of keys and their values in turn.
func object(pairs ...any) *value.Object {
	keys, values := make([]string, 0, len(pairs)/2), make([]value.Value, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		keys, values = append(keys, pairs[i].(string)), append(values, pairs[i+1])
	}
	return value.Build(keys, values)
}

// orNull is a text, or null for an empty one.
func orNull(text string) value.Value {
	if text == "" {
		return nil
	}
	return text
}

// instant is a time as JSON holds it, null for the zero time.
func instant(t time.Time) value.Value {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// textList is a list of texts.
func textList(texts []string) []value.Value {
	list := make([]value.Value, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// invalid is the rejection of an argument.
func invalid(pointer, expected string) error {
	return problem.NewRejection(problem.InvalidInput, "The arguments are not valid", problem.Issue{Pointer: pointer, Detail: expected})
}

// told gives an error of the engine as a rejection where an agent can do something
// about it: a name that no definition has, settings that do not stand, a store that is
// held, a cursor that no page gave.
func told(err error) error {
	var (
		settings *engine.SettingsError
		held     *store.HeldError
	)
	if rejection := noDefinition(err); rejection != nil {
		return rejection
	}
	switch {
	case errors.As(err, &settings):
		return problem.NewRejection(problem.Unavailable, fmt.Sprintf("%v; the operator of this playbook must correct them, and start this server again", settings))
	case errors.As(err, &held):
		return problem.NewRejection(problem.Unavailable, fmt.Sprintf("The store of this playbook is held by another program; try again later: %v", held))
	case errors.Is(err, engine.ErrCursor):
		return invalid("/cursor", "Expected the cursor that an earlier page gave")
	}
	return err
}
