package server

import (
	"fmt"
	"sync"

	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// This file is an operation as a tool of the protocol: how it is listed, and how
// the arguments of a call are checked.

// schemaLevels is how deeply the schema of an operation may nest.
const schemaLevels = 64

// tool is an operation with its schemas, which are read when they are needed.
type tool struct {
	mcp.Operation
	input, output func() (value.Value, error)
	checks        func() (*schema.Schema, error)
}

func newTool(operation mcp.Operation) *tool {
	t := &tool{Operation: operation}
	read := func(what, text string) func() (value.Value, error) {
		return sync.OnceValues(func() (value.Value, error) {
			v, err := value.ParseJSON([]byte(text), schemaLevels)
			if err != nil {
				return nil, fmt.Errorf("reading the %s schema of %s: %w", what, operation.Name, err)
			}
			return v, nil
		})
	}
	t.input, t.output = read("input", operation.Input), read("output", operation.Output)
	t.checks = sync.OnceValues(func() (*schema.Schema, error) {
		written, err := t.input()
		if err != nil {
			return nil, err
		}
		compiled, problems := schema.FromValue(written)
		if len(problems) > 0 {
			return nil, fmt.Errorf("reading the input schema of %s: %s", operation.Name, problems[0])
		}
		return compiled, nil
	})
	return t
}

// listed is the tool as tools/list shows it.
func (t *tool) listed() (*value.Object, error) {
	input, err := t.input()
	if err != nil {
		return nil, err
	}
	o := rpc.Object("name", t.Name, "title", t.Title, "description", t.Description, "inputSchema", input)
	if t.Output != "" {
		output, err := t.output()
		if err != nil {
			return nil, err
		}
		o.Set("outputSchema", output)
	}
	o.Set("annotations", rpc.Object(
		"title", t.Title,
		"readOnlyHint", t.Reads,
		"destructiveHint", t.Destructive && !t.Reads,
		"idempotentHint", t.Idempotent || t.Reads,
		"openWorldHint", t.OpenWorld,
	))
	return o, nil
}

// check gives the rejection of arguments that do not match the input schema, and
// nil for those that do.
func (t *tool) check(arguments *value.Object) error {
	checks, err := t.checks()
	if err != nil {
		return err
	}
	issues, err := checks.Validate(arguments)
	if err != nil {
		return problem.NewRejection(problem.InvalidInput, "The arguments take too much work to check")
	}
	if len(issues) == 0 {
		return nil
	}
	found := make([]problem.Issue, len(issues))
	for i, issue := range issues {
		found[i] = problem.Issue{Pointer: issue.Pointer, Detail: issue.Message}
	}
	return problem.NewRejection(problem.InvalidInput, "The arguments are not valid", problem.Limited(found)...)
}
