package engine

// This file works on the open requests of a playbook.

import (
	"context"
	"time"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/worker"
)

// The types of the work on requests that a caller of this package meets.
type (
	// WorkFact is one thing that was done. It is recorded when it is told.
	WorkFact = worker.Fact
	// WorkDid is what was done, in one word.
	WorkDid = worker.Did
)

// The things that are done.
const (
	WorkDelivered       = worker.Delivered
	WorkDeliveryFailed  = worker.DeliveryFailed
	WorkDeliveryRefused = worker.DeliveryRefused
	WorkExpired         = worker.Expired
	WorkUndelivered     = worker.Undelivered
	WorkAnswered        = worker.Answered
	WorkReplyRefused    = worker.ReplyRefused
	WorkReadingFailed   = worker.ReadingFailed
	WorkTold            = worker.Told
	WorkTellingFailed   = worker.TellingFailed
)

// WorkOptions say what is worked on and who is told.
type WorkOptions struct {
	// Once does what is due now and ends.
	Once bool
	// Until is the id of a run: the work ends once that run is no longer started;
	// empty for work that goes on until its context ends.
	Until string
	// Told is given each thing that was done, one at a time; nil: nobody is told.
	Told func(WorkFact)
	// Clock is what the work waits by; nil: the machine's.
	Clock WorkClock
}

// WorkClock tells the time, waits, and ends what takes too long.
type WorkClock = clock.Clock

// Work works on the open requests of the playbook's runs: it sends them, reads the
// replies to them and takes answers from those, tells a party whose reply was none,
// and ends those that expired. It goes on until the context ends, which is no error:
// calls under way are waited for a little, and what came of them is recorded. Any
// number of processes may work on one store.
//
// The error is SettingsError or the store's.
func (r *Runtime) Work(ctx context.Context, options WorkOptions) error {
	if r.invalid != nil {
		return r.invalid
	}
	w := r.worker(options)
	if options.Once {
		_, err := w.Tick(ctx)
		return err
	}
	var until func() (bool, error)
	if options.Until != "" {
		until = func() (bool, error) {
			found, err := r.store.Get(options.Until)
			return err == nil && found.Status != store.Started, err
		}
	}
	return w.Work(ctx, until)
}

func (r *Runtime) worker(options WorkOptions) *worker.Worker {
	if options.Clock == nil {
		options.Clock = runtimeClock{clock.Machine(), r.store}
	}
	return worker.New(worker.Options{
		Store: r.store, Tools: r.tools, Owner: r.own, Clock: options.Clock, Playbook: r.Playbook(), Told: options.Told,
	})
}

// runtimeClock waits by the machine's clock, and tells the time that runs are dated
// by.
type runtimeClock struct {
	clock.Clock
	store *store.Store
}

func (c runtimeClock) Now() time.Time { return c.store.Now() }
