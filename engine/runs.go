package engine

// This file does runs and reads, lists and deletes what was recorded of them.

import (
	"context"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// The types of runs that a caller of this package meets.
type (
	// Run is all that is recorded of a run but its events.
	Run = store.Run
	// RunSummary is what a list shows of a run.
	RunSummary = store.Summary
	// RunFilter says which runs a page holds, newest first.
	RunFilter = store.Filter
	// RunStatus is how a run stands.
	RunStatus = store.Status
	// Event is one fact of a run's history.
	Event = store.Event
	// EventFilter says which events a page holds, oldest first.
	EventFilter = store.EventFilter
)

// The statuses of a run. A started one is being worked on, or waits.
const (
	RunStarted   = store.Started
	RunSucceeded = store.Succeeded
	RunRejected  = store.Rejected
	RunFailed    = store.Failed
)

// RunStatuses gives every status, in the order of a run's life.
func RunStatuses() []RunStatus {
	return []RunStatus{RunStarted, RunSucceeded, RunRejected, RunFailed}
}

// The errors of reading and deleting runs.
var (
	ErrNoRun         = store.ErrNotFound   // the store has no run of that id
	ErrRunInProgress = store.ErrInProgress // a living process is at work on the run
	ErrCursor        = store.ErrCursor     // no page gave that cursor
)

// RunRequest is a run that someone asks for.
type RunRequest struct {
	ID     string // empty for a new one
	Type   string // one of Types
	Name   string
	Source []byte
	Input  value.Value // nil is {}
	// Unsent leaves a request that a tool sends to Work; otherwise the first attempt
	// is made before Run returns.
	Unsent bool
}

// Run does a run of a document and gives it as recorded, however it ended; one that
// asks its party is given as started, and waits. The error is SettingsError, a *problem.Rejection for a run that is refused without
// being recorded, or the store's; beside the last the run is given where it was
// done and its end could not be recorded.
func (r *Runtime) Run(ctx context.Context, request RunRequest) (*Run, error) {
	if r.invalid != nil {
		return nil, r.invalid
	}
	t, known := definition.TypeNamed(request.Type)
	if !known {
		panic("engine: no type is named " + request.Type)
	}
	done, err := r.runner().Do(ctx, run.Request{ID: request.ID, Type: t, Name: request.Name, Source: request.Source, Input: request.Input})
	if err != nil || done.Status != RunStarted || request.Unsent {
		return done, err
	}
	return r.attempted(ctx, done)
}

// RunByID gives a recorded run, or ErrNoRun.
func (r *Runtime) RunByID(id string) (*Run, error) {
	found, err := r.store.Get(id)
	if err == nil && found.Status == RunStarted && (r.expireRuns(id) || r.settle()) {
		found, err = r.store.Get(id)
	}
	return found, err
}

// Runs gives a page of runs, newest first, and the cursor of the page after it,
// empty at the end.
func (r *Runtime) Runs(filter RunFilter) ([]RunSummary, string, error) {
	// A run that was cut off must not pass for one that is still at work, nor be
	// left out of those that failed.
	if filter.Cursor == "" && (filter.Status == RunFailed || filter.Status == RunStarted) {
		r.settle()
	}
	page, cursor, err := r.store.List(filter)
	if err != nil {
		return nil, "", err
	}
	var started []string
	for i := range page {
		if page[i].Status == RunStarted {
			started = append(started, page[i].ID)
		}
	}
	if len(started) > 0 {
		expired, settled := r.expireRuns(started...), r.settle()
		if expired || settled {
			return r.store.List(filter)
		}
	}
	return page, cursor, nil
}

// settle ends the runs whose processes are gone, so that they show as what they
// are. It tells whether there were any. A store that cannot be written shows
// them as started, which is how they are recorded.
func (r *Runtime) settle() bool {
	settled, err := r.runner().Settle()
	return err == nil && settled > 0
}

// Events gives a page of the history, oldest first, and whether more follow.
func (r *Runtime) Events(filter EventFilter) ([]Event, bool, error) { return r.store.Events(filter) }

// DeleteRun removes a run with its history. It gives ErrNoRun, and
// ErrRunInProgress for a run that a living process is at work on.
func (r *Runtime) DeleteRun(id string) error { return r.store.Delete(id) }

// DeleteRunsBefore removes every run that ended before a time, and gives how
// many there were.
func (r *Runtime) DeleteRunsBefore(moment time.Time) (int, error) {
	return r.store.DeleteOlderThan(moment)
}
