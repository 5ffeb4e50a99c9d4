package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file makes one call of a tool.

// Call is one call of a tool.
type Call struct {
	Server    string
	Tool      string
	Arguments *value.Object // nil is {}
	RunID     string        // sent as metadata; empty for a call outside a run
	// WaitsOut says that a 429 whose Retry-After is short is waited out, once: a
	// run does, a delivery comes back later instead.
	WaitsOut bool
}

// Call calls a tool, and gives its result or how it failed. It does not ask
// whether the server lists the tool. Whatever the failure's Because, its Sent
// tells whether the call may have had an effect.
func (s *Servers) Call(ctx context.Context, call Call) (*Result, *Failure) {
	if failure := s.Check(call.Server, call.Tool); failure != nil {
		return nil, failure
	}
	of := s.byName[call.Server]
	if call.Arguments == nil {
		call.Arguments = &value.Object{}
	}
	if size := ArgumentBytes(call.Arguments); size > MostArguments {
		failure := of.failureOf(ArgumentsRefused, refusedArguments(
			fmt.Sprintf("The arguments take %d bytes, more than the %s of a call", size, transport.Size(MostArguments))))
		failure.Tool = call.Tool
		return nil, failure
	}
	return of.call(ctx, call)
}

// ArgumentBytes is the size of a call's arguments as JSON.
func ArgumentBytes(arguments *value.Object) int { return len(value.JSON(arguments)) }

// attempt is one request for a call.
type attempt struct {
	id        value.Value
	raw       *value.Object
	requestID string
	err       error
}

func (s *server) call(ctx context.Context, call Call) (*Result, *Failure) {
	started := s.clock.Now()
	a, took := s.attempt(ctx, call, s.bounds.Answer)
	if fault, limited := a.err.(*transport.Fault); limited && fault.Kind == transport.RateLimited && call.WaitsOut &&
		fault.RetryAfter >= 0 && fault.RetryAfter <= s.bounds.Wait && took < s.bounds.Answer {
		if s.clock.Sleep(ctx, fault.RetryAfter) != nil {
			a.err = errCancelled
		} else {
			// Both answers together are waited for no longer than one would be.
			a, _ = s.attempt(ctx, call, s.bounds.Answer-took)
		}
	}
	duration := s.clock.Now().Sub(started)
	if a.err != nil {
		failure := s.ofCall(call.Tool, a.err)
		failure.Tool, failure.JSONRPCID, failure.Duration = call.Tool, a.id, duration
		return nil, failure
	}
	result := s.resultOf(a.raw)
	result.JSONRPCID, result.Duration = a.id, duration
	result.RequestID = s.requestID(a.raw, a.requestID)
	return result, nil
}

// attempt sends a call, and sends it again over a new connection when the old one
// turns out to be gone before anything was sent, or, of a tool that only reads, when
// the server says that it has not looked at it. It tells how long the answer took.
func (s *server) attempt(ctx context.Context, call Call, within time.Duration) (a attempt, took time.Duration) {
	for range 2 {
		connection, err := s.connect(ctx)
		if err != nil {
			return attempt{err: unsent(err)}, 0
		}
		from := s.clock.Now()
		a = attempt{id: connection.nextID()}
		a.err = s.bounded(ctx, within, func(ctx context.Context) (err error) {
			a.raw, a.requestID, err = connection.call(ctx, a.id, call.Tool, call.Arguments, call.RunID)
			return err
		})
		took = s.clock.Now().Sub(from)
		fault, ok := a.err.(*transport.Fault)
		if !ok || !connection.broken() || !fault.Unsent && !(fault.Untouched && s.onlyReads(call.Tool)) {
			return a, took
		}
	}
	return a, took
}

// unsent marks what failed before anything was sent.
func unsent(err error) error {
	late, isLate := err.(*timeout)
	fault := *transport.FaultOf(err)
	fault.Unsent = true
	if isLate {
		late.Fault = &fault
		return late
	}
	if err == errCancelled {
		return errCancelledUnsent
	}
	return &fault
}

// errCancelledUnsent is errCancelled before anything was sent.
var errCancelledUnsent = func() *transport.Fault {
	fault := *errCancelled
	fault.Unsent = true
	return &fault
}()

// ofCall gives the failure of a call.
func (s *server) ofCall(tool string, err error) *Failure {
	fault := transport.FaultOf(err)
	_, late := err.(*timeout)
	var because Because
	switch {
	case err == errCancelled || err == errCancelledUnsent:
		because = Cancelled
	case late:
		because = TimedOut
	case err == errNotListed:
		return notListed(s.settings.Name, tool, nil, s.whyNot(tool))
	default:
		because = ofCall[fault.Kind]
	}
	failure := s.failureOf(because, fault)
	failure.Sent = !fault.Unsent
	// The words of a refusal may be those of the arguments, on several lines.
	failure.Message = strings.TrimSpace(failure.Message)
	return failure
}
