// Package mcp is an agent's way into a playbook: the operations of the runtime, each
// a tool of an MCP server, which engine/mcp/server is.
//
// It hands each operation to the engine. It adds no rule of the formats, never calls
// a tool server or a model but through the engine, and knows nothing of the protocol.
package mcp

import (
	"context"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
)

// Operation is one tool that the server offers.
type Operation struct {
	Name        string // such as run_definition
	Title       string // for people
	Description string // for the model that chooses among tools
	// Input and Output are the JSON Schemas, as JSON text, of the arguments and of
	// the structured content; both of type object.
	Input, Output string
	Reads         bool // it changes nothing
	Destructive   bool // it may undo or overwrite something
	Idempotent    bool // the same arguments again change nothing further
	OpenWorld     bool // it reaches systems beyond the playbook
	// Do does the operation. The arguments match Input. A *problem.Rejection becomes
	// a result that is an error, with the problem document; any other error is the
	// server's failure.
	Do func(ctx context.Context, call *Call) (*value.Object, error)
}

// Call is one call of an operation.
type Call struct {
	Arguments *value.Object
	Runtime   *engine.Runtime
	// Ask asks the person through the client's form. It is nil for a client that
	// answers no forms. With some clients the call ends with the question and is done
	// again, from its beginning, once it is answered: ask before anything is changed,
	// and give an error of Ask as it is, or wrapped.
	Ask func(ctx context.Context, question Question) (Reply, error)
}

// Question is a question to the person, with one field to answer it in.
type Question struct {
	Text    string
	Field   string   // the name of the answer's property
	Choices []Choice // none: the answer is free text
}

// Choice is one answer that a question offers.
type Choice struct {
	Value string
	Label string
}

// Reply is what the person made of a question.
type Reply struct {
	Answered bool   // false: they declined or cancelled
	Value    string // of the choice, or the text
}
