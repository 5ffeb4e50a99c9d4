package engine

// This file is what runs that ask a person or an agent take of the runtime, and the
// cancelling of one that waits.

import (
	"context"
	"errors"
	"fmt"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
)

// Check tells, without asking the server, whether a tool may be used (run.Tools).
func (t *toolServers) Check(server, name string) *ToolFailure {
	return t.servers().Check(server, name)
}

// mostOpenRequests is how many requests the playbook may have open; 0 while the
// settings cannot be read, and nothing runs.
func (r *Runtime) mostOpenRequests() int {
	if r.settings == nil {
		return 0
	}
	return int(r.settings.OpenRequests())
}

// attempted makes the attempt to deliver that the request of a run wants now, and
// gives the run as it stands then: a notification that was delivered has ended. The
// request is asked whatever becomes of the attempt, so the run is given beside an
// error of the store.
func (r *Runtime) attempted(ctx context.Context, asked *Run) (*Run, error) {
	if err := r.worker(WorkOptions{}).One(ctx, asked.ID); err != nil {
		return asked, fmt.Errorf("sending the request of run %s: %w", asked.ID, err)
	}
	return r.store.Get(asked.ID)
}

// CancelRun ends a run that waits for its party as cancelled, and gives it as it
// ended. A run whose process is gone is not waited for by anyone either: it ends as
// interrupted, and is given so.
//
// The error is ErrNoRun; a *problem.Rejection, conflict, for a run that has ended or
// that a living process is at work on; or the store's.
func (r *Runtime) CancelRun(id string) (*Run, error) {
	for range cancelTries {
		found, err := r.store.Get(id)
		if err != nil {
			return nil, err
		}
		if found.Status == RunStarted && r.expireRuns(id) {
			continue
		}
		if found.Status != RunStarted {
			return nil, problem.NewRejection(problem.Conflict, fmt.Sprintf("The run %s has ended already: it is %s", id, found.Status))
		}
		ended, err := r.store.EndRequest(id, run.Cancelled())
		switch {
		case err == nil:
			return ended, nil
		case errors.Is(err, store.ErrRequestEnded):
			continue // it was answered or ended just now
		case !errors.Is(err, store.ErrNotFound):
			return nil, fmt.Errorf("cancelling run %s: %w", id, err)
		}
		by, working, err := r.store.AtWork(id)
		switch {
		case err != nil:
			return nil, fmt.Errorf("cancelling run %s: %w", id, err)
		case working:
			return nil, atWork(id, by)
		}
		if _, err := r.runner().Settle(); err != nil {
			return nil, err
		}
		settled, err := r.store.Get(id)
		if err != nil || settled.Status != RunStarted {
			return settled, err
		}
	}
	return nil, atWork(id, nil)
}

// cancelTries is how often a cancel looks again at a run that changed meanwhile.
const cancelTries = 3

// atWork is the rejection of a cancel that comes to a process which does not look
// for one.
func atWork(id string, by *store.Process) error {
	detail := "A process is at work on the run " + id
	if by != nil {
		detail = by.String() + " is at work on the run " + id
	}
	return problem.NewRejection(problem.Conflict, detail+"; end that process, or wait until the run waits or has ended")
}

// RunsBeginning gives the ids of runs that begin with a text, at most most of them.
// A run of just that id is the only one.
func (r *Runtime) RunsBeginning(text string, most int) ([]string, error) {
	return r.store.IDs(text, most)
}

// Beginnings gives for each of the ids of runs how many bytes of its start tell it
// from every other run.
func (r *Runtime) Beginnings(ids []string) ([]int, error) { return r.store.Beginnings(ids) }

// AnswerFields gives the fields of the answer to a request, in the order of its
// schema; none for a notification.
func AnswerFields(asked *AskedRequest) []Field { return request.Fields(asked) }

// RequestsOf gives the requests of runs, nil for one that made none.
func (r *Runtime) RequestsOf(ids []string) ([]*AskedRequest, error) { return r.store.RequestsOf(ids) }

// How the delivery of an open request may stand.
const (
	HeldForAnAgent = store.HeldForAnAgent
	ToDeliver      = store.ToDeliver
	Delivering     = store.Delivering
	Delivered      = store.Delivered
	Retrying       = store.Retrying
	Undelivered    = store.Undelivered
)
