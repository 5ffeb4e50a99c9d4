package run

// This file does a run of a reasoning function: prompt, call, answer.

import (
	"context"
	"slices"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// reason does a run of a reasoning function from its checked input on.
func (r *Runner) reason(ctx context.Context, function *definition.Reasoning, run *store.Run, input *value.Object) store.Ending {
	rendering, err := function.Render(input, definition.Request{Name: run.Name, RunID: run.ID, Moment: run.Started})
	if err != nil {
		return rejected(err)
	}
	target, err := r.models.Resolve(function.Model)
	if err != nil {
		return modelFailed(err, nil, model.Tools{})
	}
	if len(function.Tools) > 0 {
		return r.converse(ctx, function, rendering, run, target)
	}
	call := callOf(function, rendering, run.ID)
	call.Room.InputTokens = r.inputTokens
	outcome, err := r.models.Call(ctx, call)
	if err != nil {
		return withEvents(modelFailed(err, outcome, model.Tools{}), callFailed(err, outcome)...)
	}
	return withEvents(answeredWith(function, rendering, outcome), callAnswered(outcome))
}

// answeredWith ends a run with what its model answered.
func answeredWith(function *definition.Reasoning, rendering *definition.Rendering, outcome *model.Outcome) store.Ending {
	output := value.Value(outcome.Answer.Text)
	if outcome.HasValue {
		output = outcome.Value
	}
	record, fits := recordOf(function, rendering, outcome, output)
	if !fits {
		rejection := problem.NewRejection(problem.Conflict,
			"The answer is too large for the 1 MiB a run records; lower config.max_output_tokens")
		rejection.Kind = "unworkable"
		ending := rejected(rejection)
		ending.Record = spent(outcome)
		return ending
	}
	return succeeded(output, record)
}

// withEvents puts events before those of the ending.
func withEvents(ending store.Ending, events ...store.Event) store.Ending {
	ending.Events = append(slices.Clone(events), ending.Events...)
	return ending
}

func callOf(function *definition.Reasoning, rendering *definition.Rendering, runID string) *model.Call {
	call := &model.Call{
		Model: function.Model,
		Settings: wire.Settings{
			MaxOutputTokens: definition.DefaultMaxOutputTokens,
			Temperature:     function.Config.Temperature,
			TopP:            function.Config.TopP,
			Seed:            function.Config.Seed,
			StopSequences:   function.Config.StopSequences,
			Reasoning:       function.Config.Reasoning,
		},
		Messages: []wire.Message{{Role: wire.User, Text: *rendering.Message}},
		Output:   outputOf(function.Output),
		Options:  function.ProviderOptions,
		RunID:    runID,
	}
	if most := function.Config.MaxOutputTokens; most != nil {
		call.Settings.MaxOutputTokens = *most
	}
	if rendering.Instructions != nil {
		call.Instructions = *rendering.Instructions
	}
	return call
}

// outputOf is the JSON a function asks for; nil for text.
func outputOf(output definition.Output) *model.Output {
	switch {
	case !output.JSON:
		return nil
	case output.Shape != nil:
		return model.ShapeOutput(output.Shape)
	}
	return model.SchemaOutput(output.Schema)
}
