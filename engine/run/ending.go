package run

// This file is how a run ends: as succeeded, rejected or failed, with the event
// that says so (reasoning format, "How a run ends").

import (
	"errors"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// ShownBytes is the most bytes of JSON that an event shows of an output; of a
// larger one it gives the size.
const ShownBytes = 2 * 1024

// succeeded ends a run with its output.
func succeeded(output value.Value, record *value.Object) store.Ending {
	data := value.NewObject(1)
	if text := value.JSON(output); len(text) <= ShownBytes {
		data.Set("output", output)
	} else {
		data.Set("output_bytes", float64(len(text)))
	}
	return store.Ending{
		Status: store.Succeeded, Output: output, Record: record, Final: true,
		Events: []store.Event{{Type: "run_succeeded", Data: data}},
	}
}

// rejected ends a run that a rejection explains, or one that broke down.
// Only an invalid input stands for the run's id: every other run may be made
// again under it.
func rejected(err error) store.Ending {
	var rejection *problem.Rejection
	if !errors.As(err, &rejection) {
		return failed(problem.NewRejection(problem.Failed, "The run broke down: "+err.Error()))
	}
	return store.Ending{
		Status: store.Rejected, Rejection: rejection,
		Final:  rejection.Type == problem.TypeBase+string(problem.InvalidInput),
		Events: []store.Event{{Type: "run_rejected", Data: rejectionData(rejection)}},
	}
}

// failed ends a run that broke down or was interrupted.
func failed(rejection *problem.Rejection) store.Ending {
	return store.Ending{
		Status: store.Failed, Rejection: rejection,
		Events: []store.Event{{Type: "run_failed", Data: rejectionData(rejection)}},
	}
}

// interrupted ends a run whose caller or process went away.
func interrupted(detail string) store.Ending {
	rejection := problem.NewRejection(problem.Cancelled, detail)
	rejection.Kind = "interrupted"
	return failed(rejection)
}

// cutOff ends a run whose process went away and that called no tool.
func cutOff() store.Ending {
	return interrupted("The process that did the run ended before the run did")
}

// modelFailed ends a run whose model call has no usable answer. The tools are
// those that the run had called, for the words.
func modelFailed(err error, outcome *model.Outcome, tools model.Tools) store.Ending {
	failure, ok := model.AsFailure(err)
	if !ok {
		return rejected(err)
	}
	var ending store.Ending
	rejection := failure.Rejection(tools)
	switch {
	case failure.Kind == model.Cancelled:
		ending = interrupted("The run was interrupted before its model answered")
	case rejection == nil:
		ending = failed(problem.NewRejection(problem.Failed, failure.Error()))
	default:
		ending = rejected(rejection)
	}
	if outcome != nil && outcome.HasUsage {
		ending.Record = spent(outcome)
	}
	return ending
}

func rejectionData(rejection *problem.Rejection) *value.Object {
	data := value.NewObject(4)
	data.Set("type", rejection.Type)
	if rejection.Kind != "" {
		data.Set("kind", rejection.Kind)
	}
	if rejection.Because != "" {
		data.Set("because", rejection.Because)
	}
	data.Set("detail", rejection.Detail)
	return data
}
