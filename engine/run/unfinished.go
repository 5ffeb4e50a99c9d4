package run

// This file is how a run ends that called tools and could not finish, and what
// its id is worth from then on (reasoning format, "When a tool-calling run cannot
// finish").

import (
	"errors"
	"fmt"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
)

// What stopped a run, in the word that its ending carries.
const (
	serverFailed     = "server_failed"
	modelUnavailable = "model_unavailable"
	outputInvalid    = "output_invalid"
	runBound         = "run_bound"
	noAnswer         = "no_answer"
	toolError        = "tool_error"
	wasInterrupted   = "interrupted"
)

// The kinds of the endings, and of the refusal of their ids.
const (
	toolsUnfinished = "tools_unfinished"
	effectUnknown   = "effect_unknown"
	toolsCalled     = "tools_called"
	onlyRead        = "only_read"
)

// unfinished ends a run by what it called. The reason is a clause that follows a
// colon. A run that called nothing ends as plain unavailable, and may be made
// again under its id.
func unfinished(calls called, because, reason string) store.Ending {
	var rejection *problem.Rejection
	switch acting := calls.acting(); {
	case len(calls) == 0:
		rejection = problem.NewRejection(problem.Unavailable, "The run could not finish: "+reason+"; try again later")
	case acting == nil:
		rejection = problem.NewRejection(problem.Unavailable,
			fmt.Sprintf("The run called %s and could not finish: %s. It only read, so a new run may do the work again", inWords(calls.names()), reason))
		rejection.Kind = toolsUnfinished
	default:
		rejection = problem.NewRejection(problem.Conflict,
			fmt.Sprintf("The run called %s and could not finish: %s. %s may have changed something already; look at the run's history, and at what was changed, before you start a new run",
				inWords(calls.names()), reason, inWords(acting)))
		rejection.Kind = effectUnknown
	}
	rejection.Because = because
	ending := rejected(rejection)
	ending.Final = len(calls) > 0
	return ending
}

// afterCalls makes an ending that is not by what the run called stand for the
// run's id all the same, and say what running it again would do.
func afterCalls(calls called, ending store.Ending) store.Ending {
	if len(calls) == 0 || ending.Status == store.Succeeded {
		return ending
	}
	if acting := calls.acting(); acting != nil && ending.Rejection != nil {
		rejection := *ending.Rejection
		rejection.Detail += "; running it again calls " + inWords(acting) + " again, which may have changed something already"
		ending = restated(ending, &rejection)
	}
	ending.Final = true
	return ending
}

// restated is an ending in other words.
func restated(ending store.Ending, rejection *problem.Rejection) store.Ending {
	record := ending.Record
	if ending.Status == store.Failed {
		ending = failed(rejection)
	} else {
		ending = rejected(rejection)
	}
	ending.Record = record
	return ending
}

// interruptedAfter ends a run whose caller went away, by what it had called.
func interruptedAfter(calls called, before string) store.Ending {
	if len(calls) == 0 {
		return interrupted("The run was interrupted before " + before)
	}
	detail := "The run was interrupted after it had called " + inWords(calls.names())
	if acting := calls.acting(); acting != nil {
		detail += "; " + inWords(acting) + " may have changed something already"
	}
	ending := interrupted(detail)
	ending.Final = true
	return ending
}

// endCutOff ends a run whose process went away, by what it had called.
func (r *Runner) endCutOff(owner *store.Owner, id string) error {
	calls, err := r.calledBy(id)
	if err != nil {
		return err
	}
	ending := cutOff()
	if len(calls) > 0 {
		ending = unfinished(calls, wasInterrupted, "the process that did it ended before it did")
	}
	if _, err := owner.End(id, ending); err != nil {
		return fmt.Errorf("recording that run %s was cut off: %w", id, err)
	}
	return nil
}

// inProgress is the rejection of an id whose run a living process is at work on.
// One that may call tools says so, also before its first call.
func (r *Runner) inProgress(run *store.Run) error {
	rejection := problem.NewRejection(problem.Conflict, "A run with the id "+run.ID+" is in progress")
	version, err := r.store.Version(run.Type, run.Name, run.Version)
	if err != nil {
		return rejection
	}
	t, known := definition.TypeNamed(run.Type)
	if !known {
		return rejection
	}
	checked := definition.Check([]byte(version.Source), t, definition.Surroundings{})
	if checked.Definition != nil && callsTools(checked.Definition.Function) {
		rejection.Kind = toolsCalled
		rejection.Detail += ", and may have called its tools already"
	}
	return rejection
}

// recorded gives a run that stands under its id. The error is the rejection of an
// id whose run called tools and did not succeed: its work is never done again.
func (r *Runner) recorded(run *store.Run) (*store.Run, error) {
	if run.Status == store.Succeeded || run.Status == store.Started {
		return run, nil
	}
	// One that asked its party ended by what became of the request.
	if _, err := r.store.Request(run.ID); !errors.Is(err, store.ErrNotFound) {
		return run, err
	}
	calls, err := r.calledBy(run.ID)
	if err != nil || len(calls) == 0 {
		return run, err
	}
	detail := fmt.Sprintf("Run %s called %s and did not succeed, so it is not made again under its id", run.ID, inWords(calls.names()))
	rejection := problem.NewRejection(problem.Conflict, detail)
	rejection.Kind = toolsCalled
	if acting := calls.acting(); acting == nil {
		rejection.Because = onlyRead
		rejection.Detail += "; nothing was changed, since every tool it called only reads; start a new run under a new id"
	} else {
		rejection.Detail += "; " + inWords(acting) + " may have changed something; look at the run's history before you start a new run under a new id"
	}
	return nil, rejection
}
