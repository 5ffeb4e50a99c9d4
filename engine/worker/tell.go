package worker

// This file tells a party whose reply was no answer how to answer (interaction
// format, "replies.tell"). A telling is one call, which is not made again.

import (
	"context"
	"errors"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// The events of a telling. They are the playbook's, and name the run in their data.
const (
	tellingStarted   = "telling_started"
	tellingSucceeded = "telling_succeeded"
	tellingFailed    = "telling_failed"
)

// untold is a telling that is not to be sent.
const untold = unusable("Nobody is told")

// telling gives the tool that tells a request's party, and its arguments. The error
// says why nobody is told.
func telling(function *definition.Interaction, asked *store.Request, message string) (*tool.Tool, *value.Object, error) {
	if function.Replies == nil || function.Replies.Tell == nil || asked.Sent == nil {
		return nil, nil, untold
	}
	of := &tool.Tool{Server: asked.Server, Name: asked.Tool}
	if named := function.Replies.Tell.Tool; named != "" {
		of.Name = named
	}
	variables := aboutSent(asked.To, asked.Sent)
	variables["message"] = message
	arguments, err := bounded(function.Replies.Tell.With, variables)
	return of, arguments, err
}

// sendTelling sends a telling, if its request is still open.
func (w *Worker) sendTelling(calls context.Context, g *store.Telling) error {
	asked, err := w.asked(g.RunID)
	if errors.Is(err, store.ErrNotFound) {
		return ours(w.patiently(func() error { return w.store.DropTelling(g) }))
	}
	if err != nil {
		return err
	}
	_, function, err := w.function(asked)
	if err != nil && !isUnusable(err) {
		return err
	}
	var of *tool.Tool
	var arguments *value.Object
	if err == nil {
		of, arguments, err = telling(function, asked, g.Message)
	}
	if err != nil || !asked.Closed.IsZero() {
		return ours(w.patiently(func() error { return w.store.DropTelling(g) }))
	}
	owner, err := w.own()
	if err != nil {
		return err
	}
	announced := store.Event{Type: tellingStarted, Data: aboutTelling(g, w.tools.StartedData(of, arguments))}
	err = w.patiently(func() error {
		begun, err := owner.StartTelling(g, w.clock.Now().Add(lostAfter), announced)
		if err == nil {
			g = begun
		}
		return err
	})
	if err != nil {
		return ours(err)
	}
	result, failure := w.tools.Call(calls, tool.Call{Server: of.Server, Tool: of.Name, Arguments: arguments, RunID: g.RunID})
	fact, sent, data := w.outcomeOfTelling(function, of, result, failure)
	fact.Reply = g.Reply
	ended := store.Event{Type: tellingSucceeded, Data: aboutTelling(g, data)}
	if fact.Did == TellingFailed {
		ended.Type = tellingFailed
	}
	if err := w.patiently(func() error { return owner.EndTelling(g, sent, ended) }); err != nil {
		return ours(err)
	}
	w.tell(asked, fact)
	return nil
}

// outcomeOfTelling says what came of a telling, the identity of its message where that is known,
// and what is recorded of it.
func (w *Worker) outcomeOfTelling(function *definition.Interaction, of *tool.Tool, result *tool.Result, failure *tool.Failure) (fact Fact, sent string, data *value.Object) {
	fact = Fact{Did: Told, Server: of.Server, Tool: of.Name}
	switch {
	case failure != nil:
		fact.Did, fact.Because, fact.Words = TellingFailed, becauseOf(failure), failure.Message
		if failure.Because == tool.Cancelled {
			fact.Words = interruption
		}
		data = w.tools.FailedData(of, failure)
	case result.IsError:
		fact.Did, fact.Because, fact.Words = TellingFailed, toolError, transport.Line(result.Shown(), longestWords)
		data = w.tools.AnsweredData(of, result, len(result.Shown()))
	default:
		data = w.tools.AnsweredData(of, result, len(result.Shown()))
		if pointers := function.Deliver.Sent; pointers != nil {
			if as := sentOf(pointers, result); as != nil {
				sent = as.ID
			}
		}
		return fact, sent, data
	}
	data.Set("because", fact.Because)
	data.Set("message", fact.Words)
	return fact, "", data
}

// loseTelling records that a telling was cut off. It is not made again: the party
// may have been told.
func (w *Worker) loseTelling(g *store.Telling) error {
	data := aboutTelling(g, value.NewObject(2))
	data.Set("because", request.Lost)
	data.Set("message", "The process that told the party ended before the tool answered")
	err := w.patiently(func() error { return w.store.LoseTelling(g, store.Event{Type: tellingFailed, Data: data}) })
	if errors.Is(err, store.ErrInProgress) {
		return ours(w.patiently(func() error { return w.store.PutOffTelling(g, w.clock.Now().Add(lostAfter)) }))
	}
	if err != nil {
		return ours(err)
	}
	asked, err := w.asked(g.RunID)
	if err != nil {
		return ours(err)
	}
	w.tell(asked, Fact{Did: TellingFailed, Reply: g.Reply, Because: request.Lost, Words: "The process that told the party ended before the tool answered"})
	return nil
}

// aboutTelling puts the run and the reply before what is said of a call.
func aboutTelling(g *store.Telling, of *value.Object) *value.Object {
	data := value.NewObject(of.Len() + 2)
	data.Set("run_id", g.RunID)
	data.Set("reply", g.Reply)
	for i := range of.Len() {
		data.Set(of.At(i))
	}
	return data
}
