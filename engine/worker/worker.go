// Package worker works on open requests (interaction format, "Sending through a
// tool" and "Answering by reply"): it sends them and sends them again, reads the
// replies to them and takes answers from those, tells a party whose reply was no
// answer, records attempts that were cut off as lost, and ends requests that
// expired.
//
// What is due stands in the store, so any number of workers share the work, and one
// that dies leaves it to the others. Whatever a tool is called for is claimed and
// recorded before the call. The rules, when to send and what a reply comes to, are
// request's, and how a run ends is run's; the worker holds nothing that another
// worker would miss. It never prints, and reads no clock but the one it is given.
package worker

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// Tools are the tool servers of a playbook; *tool.Servers are.
type Tools interface {
	Call(ctx context.Context, call tool.Call) (*tool.Result, *tool.Failure)
	StartedData(of *tool.Tool, arguments *value.Object) *value.Object
	AnsweredData(of *tool.Tool, result *tool.Result, shown int) *value.Object
	FailedData(of *tool.Tool, failure *tool.Failure) *value.Object
}

// Options are what a Worker is made of.
type Options struct {
	Store *store.Store
	Tools Tools
	Owner func() (*store.Owner, error) // the process as an owner in the store, made when the work first needs it
	Clock clock.Clock                  // the one that the store is dated by
	// Playbook is the playbook's id, which an answer by reply names as who answered.
	Playbook string
	// Told is given each thing that was done, one at a time; nil: nobody is told.
	Told func(Fact)
}

// The bounds of the work.
const (
	// lookAgain is how long the store is left alone at most: requests of other
	// processes come into it unannounced (interaction format, "Answering a request").
	lookAgain = time.Second
	// atOnce is how many calls of one server are made at once, so that a slow one
	// holds up itself alone.
	atOnce = 4
	// batch is how many due requests are read from the store at once.
	batch = 128
	// heldTries is how often a fact is brought to a store that others hold, once the
	// work is to end. Each try waits as long as the store does.
	heldTries = 6
	// grace is how long calls under way are waited for when the work is to end.
	grace = 5 * time.Second
)

// Worker works on the requests of one store. It is safe for concurrent use.
type Worker struct {
	store    *store.Store
	tools    Tools
	owner    func() (*store.Owner, error)
	clock    clock.Clock
	playbook string

	functions functions

	telling sync.Mutex // one fact is told at a time
	told    func(Fact)

	lock    sync.Mutex
	jobs    map[string]*job   // those that wait for their server or are under way, by their keys
	queues  map[string]*queue // by server
	active  int               // jobs under way
	count   int               // jobs that were begun so far
	changed chan struct{}     // closed when a job ended; made anew each time
	failure error             // the first error of the store that a job met
	fault   string            // the first panic of a job, with where it was
	ending  bool              // no job is begun any more
	hurried bool              // the store is tried a few times only
}

// New makes a Worker. It reads and writes nothing.
func New(options Options) *Worker {
	return &Worker{
		store: options.Store, tools: options.Tools, owner: options.Owner, clock: options.Clock,
		playbook: options.Playbook, told: options.Told,
		jobs: map[string]*job{}, queues: map[string]*queue{}, changed: make(chan struct{}),
	}
}

// Tick does everything that is due now, and what comes of that and is due at once,
// and gives when something is due next: the zero time for never. When the context
// ends, it begins nothing more, waits a little for the calls under way and records
// what came of them. The error is the store's.
func (w *Worker) Tick(ctx context.Context) (next time.Time, err error) {
	w.begin(true)
	calls, stop := w.calls(ctx)
	defer stop()
	for {
		before := w.begun()
		next, err = w.pass(ctx, calls)
		w.drain()
		if err != nil {
			return time.Time{}, err
		}
		if err := w.failed(); err != nil {
			return time.Time{}, err
		}
		if w.begun() == before {
			return next, nil
		}
	}
}

// Work does what is due, and waits for what comes, until the context ends or until
// says so: it is asked after each look at the store. A store that others hold is
// waited for. The error is the store's.
func (w *Worker) Work(ctx context.Context, until func() (bool, error)) error {
	w.begin(false)
	ctx, halt := context.WithCancel(ctx)
	calls, stop := w.calls(ctx)
	defer stop()
	err := w.keepOn(ctx, calls, until)
	halt()
	w.drain()
	if err == nil {
		err = w.failed()
	}
	return err
}

// keepOn does what is due, again and again.
func (w *Worker) keepOn(ctx, calls context.Context, until func() (bool, error)) error {
	var held *store.HeldError
	for {
		next, err := w.pass(ctx, calls)
		if err != nil && !errors.As(err, &held) {
			return err
		}
		if err := w.failed(); err != nil {
			return err
		}
		if until != nil {
			if done, err := until(); done || err != nil && !errors.As(err, &held) {
				return err
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		w.rest(ctx, next)
	}
}

// begin says how patient the work is.
func (w *Worker) begin(hurried bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.ending, w.hurried, w.failure, w.fault = false, hurried, nil, ""
}

// calls gives the context of the calls of tools: it outlives ctx for as long as
// calls under way are waited for.
func (w *Worker) calls(ctx context.Context) (context.Context, context.CancelFunc) {
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	stopped := context.AfterFunc(ctx, func() {
		defer close(done)
		w.end()
		within, release := w.clock.Within(calls, grace)
		defer release()
		<-within.Done()
		cancel()
	})
	return calls, func() {
		cancel()
		if !stopped() {
			<-done
		}
	}
}

// end lets no job begin any more.
func (w *Worker) end() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.ending, w.hurried = true, true
	for key, j := range w.jobs {
		if !j.active {
			delete(w.jobs, key)
		}
	}
	w.queues = map[string]*queue{}
}

// rest waits until something is due, a job has ended or the store is to be looked
// at again.
func (w *Worker) rest(ctx context.Context, next time.Time) {
	pause := lookAgain
	if !next.IsZero() {
		pause = min(pause, max(next.Sub(w.clock.Now()), time.Millisecond))
	}
	w.lock.Lock()
	changed := w.changed
	w.lock.Unlock()
	resting, wake := context.WithCancel(ctx)
	defer wake()
	woken := make(chan struct{})
	go func() {
		defer close(woken)
		select {
		case <-changed:
			wake()
		case <-resting.Done():
		}
	}()
	_ = w.clock.Sleep(resting, pause)
	wake()
	<-woken
}

// own gives the process as an owner in the store.
func (w *Worker) own() (*store.Owner, error) { return patient(w, w.owner) }

// patiently brings a fact to a store that others hold.
func (w *Worker) patiently(write func() error) error {
	for try := 1; ; try++ {
		err := write()
		var held *store.HeldError
		if !errors.As(err, &held) {
			return err
		}
		w.lock.Lock()
		hurried := w.hurried
		w.lock.Unlock()
		if hurried && try >= heldTries {
			return err
		}
	}
}

// patient reads from a store that others hold.
func patient[T any](w *Worker, read func() (T, error)) (got T, err error) {
	err = w.patiently(func() (err error) {
		got, err = read()
		return err
	})
	return got, err
}

// asked gives the request of a run.
func (w *Worker) asked(id string) (*store.Request, error) {
	return patient(w, func() (*store.Request, error) { return w.store.Request(id) })
}

// elsewhere tells an error that says that another process did the work, or that
// there is none any more.
func elsewhere(err error) bool {
	for _, known := range [...]error{store.ErrNotFound, store.ErrRequestEnded, store.ErrAttempted, store.ErrInProgress, store.ErrNotClaimed} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}
