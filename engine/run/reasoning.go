package run

import (
	"context"
	"fmt"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// reason does a run of a reasoning function from its checked input on.
func (r *Runner) reason(ctx context.Context, function *definition.Reasoning, request Request, input *value.Object) store.Ending {
	rendering, err := function.Render(input, definition.Request{Name: request.Name, RunID: request.ID, Moment: r.now().UTC()})
	if err != nil {
		return r.rejected(err)
	}
	if _, err := r.models.Resolve(function.Model); err != nil {
		return r.modelFailed(err, nil)
	}
	if len(function.Tools) > 0 {
		rejection := problem.NewRejection(problem.Unavailable,
			fmt.Sprintf("%s cannot be used: this version runs no function that calls tools", function.Tools[0]))
		rejection.Kind, rejection.Because = "tool_not_offered", "tool_server_not_configured"
		return r.rejected(rejection)
	}
	call := callOf(function, rendering, request.ID)
	outcome, err := r.models.Call(ctx, call)
	if err != nil {
		return withEvent(r.modelFailed(err, outcome), callFailed(err, outcome))
	}
	output := value.Value(outcome.Answer.Text)
	if outcome.HasValue {
		output = outcome.Value
	}
	record, fits := recordOf(function, rendering, outcome, output)
	if !fits {
		rejection := problem.NewRejection(problem.Conflict,
			"The answer is too large for the 1 MiB a run records; lower config.max_output_tokens")
		rejection.Kind = "unworkable"
		ending := r.rejected(rejection)
		ending.Record = spent(outcome)
		return withEvent(ending, callAnswered(outcome))
	}
	return withEvent(succeeded(output, record), callAnswered(outcome))
}

// withEvent puts an event before those of the ending.
func withEvent(ending store.Ending, event store.Event) store.Ending {
	ending.Events = append([]store.Event{event}, ending.Events...)
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
	if !output.JSON {
		return nil
	}
	asked, validate := output.Schema, output.Schema.Validate
	if output.Shape != nil {
		asked, validate = output.Shape.Schema(), output.Shape.Validate
	}
	wanted := &model.Output{Schema: asked.Value(), Check: checkWith(validate)}
	if portable, _ := asked.Portable(); portable != nil {
		wanted.Portable = portable
	}
	return wanted
}

// checkWith checks an answer's depth, and then what a schema or a shape asks.
func checkWith(validate func(value.Value) ([]schema.Issue, error)) func(value.Value) ([]problem.Issue, error) {
	return func(answer value.Value) ([]problem.Issue, error) {
		if value.Depth(answer, schema.AnswerLevels) > schema.AnswerLevels {
			return []problem.Issue{{Detail: fmt.Sprintf("Expected at most %d levels", schema.AnswerLevels)}}, nil
		}
		found, err := validate(answer)
		if err != nil {
			return nil, fmt.Errorf("checking the answer: %w", err)
		}
		issues := make([]problem.Issue, len(found))
		for i, issue := range found {
			issues[i] = problem.Issue{Pointer: issue.Pointer, Detail: issue.Message}
		}
		return issues, nil
	}
}
