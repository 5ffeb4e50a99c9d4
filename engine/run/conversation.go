package run

// This file is a run whose model calls tools: step after step, until the model
// answers or a bound is met (reasoning format, "Tools").

import (
	"context"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
)

// The bounds of a run that calls tools (reasoning format, "Limits on calls" and
// "Limits on time and failures").
const (
	mostCalls      = 25
	mostFailures   = 5
	sameCalls      = 2 // of one tool with the same arguments; the next is refused
	shortestBound  = 10 * time.Minute
	recordWarnings = 20
)

// conversation is a run whose model calls tools, while it is done.
type conversation struct {
	*Runner
	function  *definition.Reasoning
	rendering *definition.Rendering
	run       *store.Run
	owner     *store.Owner
	target    *model.Target

	offered  map[string]*tool.Offered // by the name the model knows it by
	call     *model.Call
	until    time.Time
	room     room
	idle     int        // steps of whose calls none was sent
	made     []exchange // the calls that were sent, in order
	called   called
	failures int   // of servers
	returned int64 // bytes the tools gave

	spent   *model.Outcome // all steps together
	waiting []store.Event  // to be recorded with the next
}

// converse does a run of a reasoning function that has tools, from its rendered
// prompt on.
func (r *Runner) converse(ctx context.Context, function *definition.Reasoning, rendering *definition.Rendering, run *store.Run, target *model.Target) store.Ending {
	owner, err := r.owner()
	if err != nil {
		return rejected(err)
	}
	c := &conversation{
		Runner: r, function: function, rendering: rendering, run: run, owner: owner, target: target,
		call: callOf(function, rendering, run.ID), offered: map[string]*tool.Offered{},
		room: room{left: r.inputTokens}, spent: &model.Outcome{},
	}
	while := max(shortestBound, model.CallTime(c.call.Settings.MaxOutputTokens))
	c.until = r.clock.Now().Add(while)
	bounded, cancel := r.clock.Within(ctx, while)
	defer cancel()
	offered, failure := r.tools.Offer(bounded, function.Tools)
	if failure != nil {
		return c.notOffered(ctx, failure)
	}
	var warnings []string
	for i := range offered {
		of := &offered[i]
		c.offered[of.ModelName] = of
		c.call.Tools = append(c.call.Tools, wire.Tool{Name: of.ModelName, Description: of.ModelDescription, InputSchema: of.InputSchema})
		warnings = append(warnings, of.Warnings()...)
	}
	ending := c.goOn(ctx, bounded, warnings)
	ending.Events = append(c.waiting, ending.Events...)
	return ending
}

// notOffered ends a run whose tools cannot be used.
func (c *conversation) notOffered(ctx context.Context, failure *tool.Failure) store.Ending {
	switch {
	case failure.Because != tool.Cancelled:
		return rejected(failure.Rejection())
	case ctx.Err() != nil:
		return interrupted("The run was interrupted before its model was called")
	}
	return c.pastBound()
}

func (c *conversation) pastBound() store.Ending {
	return unfinished(c.called, runBound, "it took longer than a run may")
}

// goOn makes steps until the run ends.
func (c *conversation) goOn(ctx, bounded context.Context, warnings []string) store.Ending {
	for {
		if ctx.Err() != nil {
			return interruptedAfter(c.called, "its model answered")
		}
		if !c.clock.Now().Before(c.until) {
			return c.pastBound()
		}
		last := c.isLast()
		outcome, err := c.step(ctx, last)
		if err != nil {
			c.waiting = append(c.waiting, callFailed(err, outcome)...)
			return c.modelFailed(err, outcome)
		}
		c.waiting = append(c.waiting, callAnswered(outcome))
		switch {
		case len(outcome.Answer.Calls) == 0:
			return c.finish(outcome, warnings)
		case last:
			ending := unfinished(c.called, noAnswer, "its model kept calling tools in the last step, which is made without them")
			ending.Record = spent(c.spent)
			return ending
		}
		before := len(c.made)
		if ending, ended := c.answer(ctx, bounded, outcome.Answer); ended {
			return ending
		}
		if len(c.made) == before {
			c.idle++
		}
	}
}

// isLast tells whether the next step is the last, which is made without tools:
// all calls are used, or the budget does not cover a step after it. Of steps whose
// calls are all refused, which use none, a model has as many as calls.
func (c *conversation) isLast() bool {
	return len(c.made) >= mostCalls || c.idle >= mostCalls || c.room.onlyOneMore()
}

// step calls the model once more.
func (c *conversation) step(ctx context.Context, last bool) (*model.Outcome, error) {
	call := *c.call
	call.Room = model.Room{InputTokens: c.room.inputLeft(), ContextWindow: c.room.window, Until: c.until}
	if last {
		call.Tools = nil
		call.Messages = []wire.Message{{Role: wire.User, Text: fenced(*c.rendering.Message, c.made, c.newMarker)}}
	}
	outcome, err := c.models.Call(ctx, &call)
	c.room.take(outcome)
	c.spend(outcome)
	return outcome, err
}

// spend adds a step to what the run used.
func (c *conversation) spend(outcome *model.Outcome) {
	c.spent.Usage = c.spent.Usage.Plus(outcome.Usage)
	c.spent.HasUsage = c.spent.HasUsage || outcome.HasUsage
	c.spent.Duration += outcome.Duration
	c.spent.Warnings = append(c.spent.Warnings, outcome.Warnings...)
	if outcome.CostUSD != nil {
		cost := *outcome.CostUSD
		if c.spent.CostUSD != nil {
			cost += *c.spent.CostUSD
		}
		c.spent.CostUSD = &cost
	}
}

// finish ends a run whose model answered.
func (c *conversation) finish(outcome *model.Outcome, warnings []string) store.Ending {
	whole := *outcome
	whole.Usage, whole.CostUSD, whole.Duration = c.spent.Usage, c.spent.CostUSD, c.spent.Duration
	whole.Warnings = distinct(append(c.spent.Warnings, warnings...), recordWarnings)
	return afterCalls(c.called, answeredWith(c.function, c.rendering, &whole))
}

// distinct gives the first so many texts, each once.
func distinct(texts []string, most int) []string {
	var kept []string
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] && len(kept) < most {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}

// modelFailed ends a run one of whose steps has no usable answer.
func (c *conversation) modelFailed(err error, outcome *model.Outcome) store.Ending {
	facts := model.Tools{Called: len(c.called) > 0, Acted: c.called.acted(), ResultBytes: c.returned, InputTokens: c.room.counted}
	ending := modelFailed(err, outcome, facts)
	if ending.Record != nil {
		ending.Record = spent(c.spent)
	}
	failure, ok := model.AsFailure(err)
	if !ok || len(c.called) == 0 {
		return ending
	}
	switch {
	case failure.Kind == model.Cancelled:
		return interruptedAfter(c.called, "its model answered")
	case ending.Rejection.Type != problem.TypeBase+string(problem.Unavailable):
		return afterCalls(c.called, ending)
	}
	because, issues := modelUnavailable, ending.Rejection.Issues
	switch {
	case failure.Kind == model.OutputInvalid:
		because = outputInvalid
	case failure.Kind == model.TimedOut && !c.clock.Now().Before(c.until):
		return c.pastBound()
	}
	record := ending.Record
	ending = unfinished(c.called, because, failure.Reason())
	ending.Record, ending.Rejection.Issues = record, issues
	return ending
}

// append records events of the run, with what waits to be recorded. They are
// durable when it returns.
func (c *conversation) append(events ...store.Event) error {
	c.waiting = append(c.waiting, events...)
	if err := c.record(c.owner, c.run.ID, c.waiting...); err != nil {
		return err
	}
	c.waiting = nil
	return nil
}
