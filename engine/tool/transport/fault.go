// Package transport is what the two kinds of tool servers, MCP and OpenAPI,
// share of a connection: HTTP whose answers are bounded and never redirected,
// and the faults that a server can be blamed for.
//
// It never knows a tool, never waits on its own but for a moment for the rest of
// an answer that nobody reads, and never decides what a fault means for a run.
package transport

import (
	"errors"
	"time"
)

// Kind is what went wrong between the runtime and a tool server.
type Kind uint8

// The kinds of faults.
const (
	// Failing is a server that answers, but not as its protocol says.
	Failing Kind = iota
	// Unreachable is a server that no connection could be made to.
	Unreachable
	// RateLimited is HTTP 429.
	RateLimited
	// KeyRefused is HTTP 401 or 403.
	KeyRefused
	// TooLarge is an answer larger than is read of one.
	TooLarge
	// ArgumentsRefused is a server that says the arguments are wrong.
	ArgumentsRefused
)

// Fault is an answer, or the lack of one, that a server can be blamed for. Its
// words may hold the server's own, so they want scrubbing before anyone reads
// them.
type Fault struct {
	Kind    Kind
	Message string // a sentence without a full stop
	Status  int    // the HTTP status; 0 when there was none
	// RetryAfter is how long the server asked to be left alone; negative when it
	// did not say.
	RetryAfter time.Duration
	// Unsent says that the request cannot have reached the server.
	Unsent bool
	// Hint is what only the operator reads: the address, and why nothing was heard
	// from it. It may be empty.
	Hint string
	// Untouched says that the request reached the server, which says that it has not
	// looked at it. What only reads may be sent again.
	Untouched bool
	// Code is the JSON-RPC error's code; 0 when the fault is none.
	Code int64
	// RequestID is the value of the header that carries the server's own id of
	// the request; empty when there is none.
	RequestID string
}

func (f *Fault) Error() string { return f.Message }

// NewFault gives a fault without an HTTP status.
func NewFault(kind Kind, message string) *Fault {
	return &Fault{Kind: kind, Message: message, RetryAfter: -1}
}

// FaultOf gives the fault in an error's chain; any other error is a Failing one
// in the error's own words.
func FaultOf(err error) *Fault {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault
	}
	return NewFault(Failing, err.Error())
}
