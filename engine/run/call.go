package run

// This file does a run of a function that asks a system: an interaction with
// call, or a lookup (interaction format, "Asking a system").

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// The bounds of a call (interaction format, "Bounds").
const (
	callBound    = 70 * time.Second
	outputLevels = 512
	longestSaid  = 500 // bytes of a tool's own words in an ending
)

// asking is a run that calls one tool, while it is done.
type asking struct {
	*Runner
	run    *store.Run
	tool   *tool.Tool
	called called
	// use makes of the tool's answer what becomes of the run; it is true for one that
	// waits, and then has recorded the answer's event.
	use func(got *tool.Result, event store.Event) (store.Ending, bool)
}

// ask does a run of a function with a call from its checked input on.
func (r *Runner) ask(ctx context.Context, function definition.Function, call *definition.Call, answer *schema.Schema, run *store.Run, input *value.Object) store.Ending {
	rendering, err := function.Render(input, definition.Request{Name: run.Name, RunID: run.ID, Moment: run.Started})
	if err != nil {
		return rejected(err)
	}
	bounded, cancel := r.clock.Within(ctx, callBound)
	defer cancel()
	a := &asking{Runner: r, run: run}
	a.use = func(got *tool.Result, _ store.Event) (store.Ending, bool) {
		return afterCalls(a.called, a.answered(got, call.Read, answer)), false
	}
	ending, _ := a.asks(ctx, bounded, call.Tool, rendering.Arguments)
	return ending
}

// asks finds the tool and calls it. It is true for a run that waits.
func (a *asking) asks(ctx, bounded context.Context, of definition.Tool, arguments *value.Object) (store.Ending, bool) {
	var failure *tool.Failure
	if a.tool, failure = a.tools.Tool(bounded, of.Server, of.Name); failure != nil {
		return a.notSent(ctx, failure), false
	}
	return a.send(ctx, bounded, arguments)
}

// notSent ends a run whose call never left. It may be made again under its id.
func (a *asking) notSent(ctx context.Context, failure *tool.Failure) store.Ending {
	if failure.Because == tool.Cancelled && ctx.Err() != nil {
		return interrupted("The run was interrupted before its tool was called")
	}
	rejection := failure.Rejection()
	if rejection.Kind == "" {
		rejection.Kind, rejection.Because = tool.KindServerFailed, string(tool.Failing)
		if failure.Because == tool.TimedOut || failure.Because == tool.Cancelled {
			rejection.Because = string(tool.Unreachable)
		}
	}
	return rejected(rejection)
}

// send records the call, makes it and records what came of it. It is true for a run
// that waits.
func (a *asking) send(ctx, bounded context.Context, arguments *value.Object) (store.Ending, bool) {
	owner, err := a.owner()
	if err != nil {
		return rejected(err), false
	}
	call := toolCall{number: 1, of: a.tool}
	if err := a.record(owner, a.run.ID, a.startedEvent(call, arguments)); err != nil {
		return rejected(err), false
	}
	got, failure := a.tools.Call(bounded, tool.Call{Server: a.tool.Server, Tool: a.tool.Name, Arguments: arguments, RunID: a.run.ID, WaitsOut: true})
	if failure == nil || failure.Sent {
		a.called.add(a.tool.String(), a.tool.Reads)
	}
	if failure != nil {
		return withEvents(a.failed(ctx, failure), a.failedEvent(call, failure)), false
	}
	answered := a.answeredEvent(call, got, len(got.Shown()))
	if got.IsError {
		return withEvents(unfinished(a.called, toolError, "the tool returned an error: "+transport.Line(got.Shown(), longestSaid)), answered), false
	}
	ending, waits := a.use(got, answered)
	if waits {
		return ending, true
	}
	return withEvents(ending, answered), false
}

// failed ends a run whose call has no result.
func (a *asking) failed(ctx context.Context, failure *tool.Failure) store.Ending {
	switch {
	case failure.Because == tool.ArgumentsRefused:
		return afterCalls(a.called, rejected(unworkable("The tool "+a.tool.String()+" refused the arguments: "+failure.Message)))
	case failure.Because == tool.Cancelled && ctx.Err() != nil:
		return interruptedAfter(a.called, "its tool answered")
	case !failure.Sent:
		return a.notSent(ctx, failure)
	case failure.Because == tool.Cancelled:
		return unfinished(a.called, serverFailed, fmt.Sprintf("the call took longer than the %d seconds of a run", int(callBound.Seconds())))
	}
	return unfinished(a.called, serverFailed, failure.Message)
}

// answered ends a run whose tool answered, with the part of the answer that the
// document reads.
func (a *asking) answered(got *tool.Result, read string, answer *schema.Schema) store.Ending {
	whole, has := got.Answer()
	if !has {
		return rejected(unworkable("The tool " + a.tool.String() + " answered without anything to read"))
	}
	part, has := value.Lookup(whole, read)
	if !has {
		return rejected(unworkable("The answer of " + a.tool.String() + " holds nothing at " + read))
	}
	if value.Depth(part, outputLevels) > outputLevels {
		return rejected(unworkable(fmt.Sprintf("The answer of %s is nested more than %d levels deep", a.tool.String(), outputLevels)))
	}
	record := value.NewObject(2)
	record.Set("tool", a.tool.String())
	record.Set("duration_ms", float64(got.Duration.Milliseconds()))
	if size := len(value.JSON(part)) + len(value.JSON(record)); size > RecordBytes {
		return rejected(unworkable(fmt.Sprintf("The answer of %s is too large for the 1 MiB a run records: it takes %s bytes; point read at a smaller part, or ask the tool for less", a.tool.String(), value.Grouped(int64(size)))))
	}
	if err := a.check(part, answer); err != nil {
		return rejected(err)
	}
	return succeeded(part, record)
}

// check holds the part against output.schema.
func (a *asking) check(part value.Value, answer *schema.Schema) error {
	found, err := answer.Validate(part)
	if err != nil {
		return unworkable("The answer of " + a.tool.String() + " takes too much work to check against output.schema")
	}
	if len(found) == 0 {
		return nil
	}
	issues := make([]problem.Issue, len(found))
	for i, issue := range found {
		issues[i] = problem.Issue{Pointer: issue.Pointer, Detail: issue.Message}
	}
	var rejection *problem.Rejection
	refused := unworkable("The answer of " + a.tool.String() + " does not match output.schema")
	if errors.As(refused, &rejection) {
		rejection.Issues = problem.Limited(issues)
	}
	return refused
}

// unworkable is a run that trying again does not change.
func unworkable(detail string) error {
	rejection := problem.NewRejection(problem.Conflict, detail)
	rejection.Kind = "unworkable"
	return rejection
}
