package model

import (
	"context"
	"errors"
	"time"

	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/value"
)

// This file is a call from its reference to its answer.

// Call calls the model that a reference names. The outcome is never nil: it
// holds what is known when the call ends, also when it fails. The error is a
// *Failure.
func (c *Client) Call(ctx context.Context, call *Call) (*Outcome, error) {
	outcome := &Outcome{Requested: call.Model, Resolved: call.Model, Settings: call.Settings}
	target, err := c.Resolve(call.Model)
	if err != nil {
		return outcome, err
	}
	outcome.Resolved = target.Resolved
	warnings, failure := c.checkOptions(target, call.Options)
	if failure != nil {
		return outcome, failure
	}
	outcome.warn(warnings...)

	started := c.clock.Now()
	while := CallTime(call.Settings.MaxOutputTokens)
	if !call.Room.Until.IsZero() {
		while = min(while, max(0, call.Room.Until.Sub(started)))
	}
	ctx, cancel := c.clock.Within(ctx, while)
	defer cancel()
	asking := &asking{
		sending: sending{client: c, target: target, call: call, redact: c.redactorOf(promptOf(call)...), deadline: started.Add(while)},
		outcome: outcome,
	}
	failure = asking.ask(ctx)
	outcome.Duration = c.clock.Now().Sub(started)
	if failure != nil {
		return outcome, failure
	}
	return outcome, nil
}

// AsFailure gives the failure behind an error of this package.
func AsFailure(err error) (*Failure, bool) {
	var failure *Failure
	ok := errors.As(err, &failure)
	return failure, ok
}

// promptOf are the parts of a prompt that no message may repeat in full.
func promptOf(call *Call) []string {
	parts := []string{call.Instructions}
	for _, message := range call.Messages {
		parts = append(parts, message.Text)
		for _, asked := range message.Calls {
			parts = append(parts, asked.Unread, value.JSON(asked.Input))
		}
		for _, result := range message.Results {
			parts = append(parts, result.Text)
		}
	}
	return parts
}

func (o *Outcome) warn(warnings ...string) {
	for _, warning := range warnings {
		if len(o.Warnings) == shownWarnings {
			return
		}
		repeated := false
		for _, earlier := range o.Warnings {
			repeated = repeated || earlier == warning
		}
		if !repeated {
			o.Warnings = append(o.Warnings, warning)
		}
	}
}

// answered adds what a request that the model answered used.
func (o *Outcome) answered(got *sent) {
	o.Answer = got.answer
	o.Answered = got.answer.Model
	o.Usage = o.Usage.Plus(got.answer.Usage)
	o.HasUsage = true
	o.RequestBytes += int64(len(got.request.Body))
	if got.cost != nil {
		total := *got.cost
		if o.CostUSD != nil {
			total += *o.CostUSD
		}
		o.CostUSD = &total
	}
}

// wireCall is the call as its format writes it: the schema only where the
// provider is asked for JSON in its own way.
func (a *asking) wireCall(messages []wire.Message) *wire.Call {
	call := &wire.Call{
		Model: a.target.Model, Settings: a.call.Settings, Instructions: a.call.Instructions,
		Messages: messages, Tools: a.call.Tools, Options: a.call.Options,
	}
	switch a.outcome.OutputMode {
	case PortableMode:
		call.Schema = a.call.Output.Portable.Form()
	case DescribedMode:
		call.Instructions = described(call.Instructions, a.call.Output.Schema)
	}
	return call
}

// request builds and sends one request of the call, and adds its warnings.
func (a *asking) request(ctx context.Context, messages []wire.Message) (*sent, *wire.ErrorReply, *Failure, time.Duration) {
	started := a.client.clock.Now()
	request, err := wire.Build(&a.target.Provider.Endpoint, a.wireCall(messages))
	if err != nil {
		failure := a.failure(DefinitionInvalid)
		failure.reason, failure.words = unwritable, err.Error()
		return nil, nil, failure, 0
	}
	for _, warning := range request.Warnings {
		a.outcome.warn(warning.String())
	}
	got, reply, failure := a.send(ctx, request)
	return got, reply, failure, a.client.clock.Now().Sub(started)
}
