package run

// This file makes the calls that a model asks for in one step (reasoning format,
// "Limits on calls").

import (
	"context"
	"fmt"

	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// answer makes the calls of a step, one after the other in the model's order,
// since a later one may build on what an earlier one changed. It tells whether
// the run ended with them.
func (c *conversation) answer(ctx, bounded context.Context, answer *wire.Answer) (store.Ending, bool) {
	if c.room.window == 0 {
		c.room.window = c.window(bounded, c.target)
	}
	share, limited := c.room.share(len(answer.Calls))
	results := make([]wire.ToolResult, 0, len(answer.Calls))
	for _, asked := range answer.Calls {
		result := wire.ToolResult{ID: asked.ID, Name: asked.Name}
		if refusal := c.refusal(asked); refusal != "" {
			result.Text, result.Error = refusal, true
		} else if ending, ended := c.send(ctx, bounded, asked, &result, share, limited); ended {
			return ending, true
		}
		c.room.add(len(result.Text))
		results = append(results, result)
	}
	c.call.Messages = append(c.call.Messages,
		wire.Message{Role: wire.Assistant, Text: answer.Text, Calls: answer.Calls, Native: answer.Native},
		wire.Message{Role: wire.ToolResults, Results: results})
	return store.Ending{}, false
}

// refusal says why a call is not sent, in the words that the model reads; it is
// empty for one that is.
func (c *conversation) refusal(asked wire.ToolCall) string {
	of, known := c.offered[asked.Name]
	arguments, readable := argumentsOf(asked)
	switch {
	case !known:
		return fmt.Sprintf("Not called: there is no tool %s. Call one of the tools you are offered", asked.Name)
	case len(c.made) >= mostCalls:
		return fmt.Sprintf("Not called: a run makes at most %d calls, and all of them are used. Answer from the results you have", mostCalls)
	case !readable:
		return "Not called: the arguments are not a JSON object"
	}
	if size := tool.ArgumentBytes(arguments); size > tool.MostArguments {
		return fmt.Sprintf("Not called: the arguments take %s bytes, more than the %s bytes of a call. Send less", value.Grouped(int64(size)), value.Grouped(tool.MostArguments))
	}
	same, first := 0, 0
	for _, made := range c.made {
		if made.name == of.String() && value.Equal(made.arguments, arguments) {
			same++
			if first == 0 {
				first = made.number
			}
		}
	}
	if same >= sameCalls {
		return fmt.Sprintf("Not called: you have called %s with these arguments %d times already. Read the result of call %d of this run, the first of them, above", asked.Name, same, first)
	}
	return ""
}

// argumentsOf reads what a model wrote as a call's arguments.
func argumentsOf(asked wire.ToolCall) (*value.Object, bool) {
	if asked.Unread != "" {
		return nil, false
	}
	if asked.Input == nil {
		return value.NewObject(0), true
	}
	arguments, ok := asked.Input.(*value.Object)
	return arguments, ok
}

// send makes a call that may be made: recorded before it is sent, and with what
// came of it after. It tells whether the run ended with it.
func (c *conversation) send(ctx, bounded context.Context, asked wire.ToolCall, result *wire.ToolResult, share int, limited bool) (store.Ending, bool) {
	switch {
	case ctx.Err() != nil:
		return interruptedAfter(c.called, "its model answered"), true
	case !c.clock.Now().Before(c.until):
		return c.pastBound(), true
	}
	of := c.offered[asked.Name]
	arguments, _ := argumentsOf(asked)
	call := toolCall{number: len(c.made) + 1, id: asked.ID, of: &of.Tool}
	if err := c.append(c.startedEvent(call, arguments)); err != nil {
		// It is not sent, so the run's end must not bring it into the history.
		c.waiting = c.waiting[:len(c.waiting)-1]
		return afterCalls(c.called, rejected(err)), true
	}
	got, failure := c.tools.Call(bounded, tool.Call{Server: of.Server, Tool: of.Name, Arguments: arguments, RunID: c.run.ID, WaitsOut: true})
	if failure == nil || failure.Sent {
		c.called.add(of.String(), of.Reads)
	}
	var event store.Event
	if failure != nil {
		result.Text, result.Error = failure.Shown(), true
		event = c.failedEvent(call, failure)
	} else {
		result.Text, result.Error = got.Shown(), got.IsError
		c.returned += int64(len(result.Text))
		if limited {
			result.Text, _ = tool.Cut(result.Text, share)
		}
		event = c.answeredEvent(call, got, len(result.Text))
	}
	c.made = append(c.made, exchange{call.number, of.String(), arguments, result.Text, result.Error})
	if err := c.append(event); err != nil {
		return afterCalls(c.called, rejected(err)), true
	}
	return c.afterCall(ctx, failure)
}

// afterCall ends a run whose caller went away, whose time is over or whose servers
// failed too often.
func (c *conversation) afterCall(ctx context.Context, failure *tool.Failure) (store.Ending, bool) {
	switch {
	case failure == nil:
		return store.Ending{}, false
	case failure.Because == tool.Cancelled && ctx.Err() != nil:
		return interruptedAfter(c.called, "its model answered"), true
	case failure.Because == tool.Cancelled:
		return c.pastBound(), true
	case failure.Because != tool.ArgumentsRefused: // every other failure is the server's
		c.failures++
	}
	if c.failures >= mostFailures {
		return unfinished(c.called, serverFailed, fmt.Sprintf("its tool servers failed on %d of its calls, the last time with: %s", c.failures, failure.Message)), true
	}
	return store.Ending{}, false
}
