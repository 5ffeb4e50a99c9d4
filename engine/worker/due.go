package worker

// This file looks at what is due and does or begins each thing.

import (
	"context"
	"errors"
	"time"

	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
)

// mostLooks is how often one pass looks at a request: what was lost may be due to be
// sent at once.
const mostLooks = 3

// pass does or begins everything that is due, and gives when the next thing is: the
// zero time for never.
func (w *Worker) pass(ctx, calls context.Context) (next time.Time, err error) {
	seen := map[string]int{}
	for _, id := range w.overdue(w.clock.Now()) {
		if err := w.again(id); err != nil {
			return time.Time{}, err
		}
	}
	skip := func(key string) bool { return seen[key] >= mostLooks || w.isTaken(key) }
	for ctx.Err() == nil {
		due, err := w.store.Due(batch, skip)
		if err != nil {
			return time.Time{}, err
		}
		next = earliest(next, due.Next)
		if len(due.Requests)+len(due.Readings)+len(due.Tellings) == 0 {
			break
		}
		for _, r := range due.Readings {
			seen[r.WorkKey()] = mostLooks
			w.enqueue(calls, &job{key: r.WorkKey(), server: r.Server, do: func(calls context.Context) error { return w.read(calls, r) }})
		}
		for _, g := range due.Tellings {
			seen[g.WorkKey()] = mostLooks
			if err := w.takeTelling(calls, g); err != nil {
				return time.Time{}, err
			}
		}
		for _, asked := range due.Requests {
			seen[asked.RunID]++
			later, err := w.take(calls, asked)
			if err != nil {
				return time.Time{}, err
			}
			if !later.IsZero() {
				seen[asked.RunID], next = mostLooks, earliest(next, later)
			}
			if ctx.Err() != nil {
				break
			}
		}
	}
	return next, nil
}

// take does what a request wants done, or begins it, and gives when it wants more,
// if that is nothing that the store knows.
func (w *Worker) take(calls context.Context, asked *store.Request) (later time.Time, err error) {
	step, due := request.Next(asked, w.clock.Now())
	switch step {
	case request.Expire:
		return time.Time{}, w.expire(asked)
	case request.Lose:
		return time.Time{}, w.lose(asked)
	case request.Send:
		w.enqueue(calls, &job{
			key: asked.RunID, server: asked.Server, expires: asked.Expires,
			do: func(calls context.Context) error { return w.send(calls, asked.RunID) },
		})
		return time.Time{}, nil
	}
	return due, nil
}

// takeTelling begins a telling, or records that it was cut off.
func (w *Worker) takeTelling(calls context.Context, g *store.Telling) error {
	if !g.Started.IsZero() {
		return w.loseTelling(g)
	}
	asked, err := w.asked(g.RunID)
	server := ""
	if err == nil {
		server = asked.Server
	} else if !elsewhere(err) {
		return err
	}
	// Those of one request are sent one after the other.
	w.enqueue(calls, &job{key: "telling of " + g.RunID, server: server, do: func(calls context.Context) error { return w.sendTelling(calls, g) }})
	return nil
}

// again takes a request that expired as it waited to be sent.
func (w *Worker) again(id string) error {
	asked, err := w.asked(id)
	if err != nil {
		return ours(err)
	}
	if request.IsExpired(asked, w.clock.Now()) {
		return w.expire(asked)
	}
	return nil
}

// expire ends a request that nobody answered in time.
func (w *Worker) expire(asked *store.Request) error {
	ending := run.Unanswered(request.Expired(asked))
	err := w.patiently(func() error {
		_, err := w.store.EndRequest(asked.RunID, ending)
		return err
	})
	if err != nil {
		return ours(err)
	}
	w.tell(asked, Fact{Did: Expired, Because: request.KindExpired, Words: ending.Rejection.Detail})
	return nil
}

// ours gives an error that the work meets, and nil for one that says that another
// process did it.
func ours(err error) error {
	if elsewhere(err) {
		return nil
	}
	return err
}

// earliest gives the earlier of two times, of which the zero time is never.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// isUnusable tells a document that cannot be worked from.
func isUnusable(err error) bool {
	var of unusable
	return errors.As(err, &of)
}
