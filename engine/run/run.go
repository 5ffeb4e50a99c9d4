// Package run takes a run of a function from its input to its recorded ending
// (reasoning format, "How a run works"): it claims the run's id, applies the
// defaults and checks the input, renders the prompt, has the model called,
// checks the answer, and records how the run ended and why.
//
// It decides how a run ends and whether it may run again under its id, and
// nothing else: what a document means is known in definition, how a model is
// called in model, how a fact is kept in store. It never prints and never
// reads a file.
package run

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// Models calls models; *model.Client does.
type Models interface {
	Call(ctx context.Context, call *model.Call) (*model.Outcome, error)
	Resolve(reference string) (*model.Target, error)
}

// Runner does runs and records them in one store.
type Runner struct {
	store  *store.Store
	models Models
	tools  Tools
	window func(context.Context, *model.Target) int64
	newID  func() string
	owner  func() (*store.Owner, error)

	inputTokens  int64
	openRequests int
	playbook     string
	person       string
	clock        clock.Clock
	newMarker    func() string
}

// Options are what a Runner is made of. Every time that a run records is the
// store's.
type Options struct {
	Store  *store.Store
	Models Models
	Owner  func() (*store.Owner, error) // the process as an owner in the store, made when a run first needs it
	Tools  Tools                        // nil: there are none
	// Window gives the tokens that a model reads at most, 0 where its catalog does
	// not say; nil: it never does.
	Window      func(context.Context, *model.Target) int64
	InputTokens int64 // the most input tokens of one run's model calls; 0: 2,000,000
	// OpenRequests is the most open requests of the playbook; 0: the format's number.
	OpenRequests int
	Playbook     string        // the playbook's id, which begins a request's address
	Person       string        // the id of the person that runs act for; empty for nobody
	NewID        func() string // nil: UUIDs of version 7
	Clock        clock.Clock   // by which a run's bounds are kept; nil: the machine's
	NewMarker    func() string // fences the results of the last step; nil: 128 random bits
}

// New makes a Runner. It reads and writes nothing.
func New(options Options) *Runner {
	r := &Runner{
		store: options.Store, models: options.Models, tools: options.Tools, window: options.Window,
		newID: options.NewID, owner: options.Owner,
		inputTokens: options.InputTokens, openRequests: options.OpenRequests,
		playbook: options.Playbook, person: options.Person, clock: options.Clock, newMarker: options.NewMarker,
	}
	if r.tools == nil {
		r.tools = tool.New(nil, tool.Options{})
	}
	if r.window == nil {
		r.window = func(context.Context, *model.Target) int64 { return 0 }
	}
	if r.inputTokens == 0 {
		r.inputTokens = usualInputTokens
	}
	if r.clock == nil {
		r.clock = clock.Machine()
	}
	if r.newMarker == nil {
		r.newMarker = rand.Text
	}
	if r.newID == nil {
		r.newID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	return r
}

// Request is a run that someone asks for.
type Request struct {
	ID     string // empty: a new one
	Type   *definition.Type
	Name   string
	Source []byte
	Input  value.Value // nil is {}
	Around definition.Surroundings
}

// Do does a run and gives it as recorded, however it ended: a run that was
// rejected or failed is no error. A run that asks its party is given as started,
// once its request is recorded. A run that is already recorded under its id and
// input is given as it is, where it waits or its ending stands, whatever became
// of its document since.
//
// The error is a *problem.Rejection for a run that is refused without being
// recorded: its document has problems, its input is too large or too deep to be
// kept, or its id belongs to another run. Any other error is the store's. When the
// end of a run cannot be recorded, the run is given beside the error, since its
// answer was paid for.
func (r *Runner) Do(ctx context.Context, request Request) (*store.Run, error) {
	if request.Input == nil {
		request.Input = value.NewObject(0)
	}
	if err := keepable(request.Input); err != nil {
		return nil, err
	}
	input := request.Input
	if request.ID == "" {
		request.ID = r.newID()
	} else if there, err := r.standing(request, input); there != nil || err != nil {
		return there, err
	}
	result := definition.Check(request.Source, request.Type, request.Around)
	if result.Definition == nil {
		return nil, brokenDocument(request, result)
	}
	owner, err := r.owner()
	if err != nil {
		return nil, fmt.Errorf("starting run %s: %w", request.ID, err)
	}
	run, claimed, err := r.claim(owner, request, input)
	if !claimed || err != nil {
		return run, err
	}
	ending, waits := r.perform(ctx, result.Definition, run)
	if waits {
		return run, nil
	}
	ended, err := r.end(owner, request.ID, ending)
	if err != nil {
		run.Status, run.Output, run.Record, run.Rejection = ending.Status, ending.Output, ending.Record, ending.Rejection
		return run, fmt.Errorf("recording the end of run %s: %w", request.ID, err)
	}
	return ended, nil
}

// keepable tells whether an input can be recorded. One that is no object can be,
// within the bounds of one: the run is then rejected.
func keepable(input value.Value) error {
	if _, isObject := input.(*value.Object); isObject ||
		value.Depth(input, definition.InputLevels) > definition.InputLevels || value.JSONSize(input, definition.InputBytes) > definition.InputBytes {
		_, err := definition.Bounded(input)
		return err
	}
	return nil
}

// brokenDocument is the rejection of a run whose document no longer parses.
func brokenDocument(request Request, result *definition.Result) error {
	rejection := problem.NewRejection(problem.Conflict, fmt.Sprintf("The document of %s/%s has problems", request.Type.Name, request.Name))
	rejection.Issues = problem.Rejects(result.Problems).Issues
	return rejection
}

// standing gives the run that waits or stands for good under a request's id, nil
// where there is none. The error is a rejection when the id is another run's.
func (r *Runner) standing(request Request, input value.Value) (*store.Run, error) {
	there, err := r.store.Get(request.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking for run %s: %w", request.ID, err)
	case there.Type != request.Type.Name || there.Name != request.Name || !value.Equal(there.Input, input):
		return nil, othersID(request.ID)
	case there.Status == store.Started:
		return r.waitingRun(there)
	case there.Final:
		return r.recorded(there)
	}
	return nil, nil
}

func othersID(id string) error {
	return problem.NewRejection(problem.Conflict, "The run id "+id+" belongs to a run of another function or input")
}

// claim records the run as started and gives it. When there is nothing to do it
// is false, with the run that is recorded under the id.
func (r *Runner) claim(owner *store.Owner, request Request, input value.Value) (run *store.Run, claimed bool, err error) {
	beginning := store.Beginning{
		ID: request.ID, Type: request.Type.Name, Name: request.Name, Source: request.Source, Input: input,
		Events: []store.Event{{Type: "run_started"}},
	}
	for {
		outcome, run, err := owner.Start(beginning)
		switch {
		case errors.Is(err, store.ErrRunID):
			return nil, false, problem.NewRejection(problem.InvalidInput, "The run id is not one",
				problem.Issue{Pointer: "/run_id", Detail: "Expected 1 to 128 letters, digits, -, _, . or :"})
		case err != nil:
			return nil, false, fmt.Errorf("starting run %s: %w", request.ID, err)
		}
		switch outcome {
		case store.Claimed:
			return run, true, nil
		case store.Recorded, store.Waiting:
			run, err := r.recorded(run)
			return run, false, err
		case store.OtherInput:
			return nil, false, othersID(request.ID)
		case store.InProgress:
			return nil, false, r.inProgress(run)
		}
		if err := r.endCutOff(owner, request.ID); err != nil {
			return nil, false, err
		}
	}
}

// Settle ends each run whose process went away before it, and gives how many
// there were. It writes nothing when there are none.
func (r *Runner) Settle() (int, error) {
	ids, err := r.store.CutOff()
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	owner, err := r.owner()
	if err != nil {
		return 0, fmt.Errorf("settling runs that were cut off: %w", err)
	}
	settled := 0
	for _, id := range ids {
		run, err := owner.TakeOver(id)
		switch {
		case errors.Is(err, store.ErrNotFound) || err == nil && run == nil:
			continue // somebody else was there first
		case err != nil:
			return settled, fmt.Errorf("settling run %s: %w", id, err)
		}
		if err := r.endCutOff(owner, id); err != nil {
			return settled, err
		}
		settled++
	}
	return settled, nil
}

// endTries is how often a run's end is brought to a store that others hold. Each
// try waits as long as the store does.
const endTries = 6

// end records a run's ending. What a model answered is worth more patience than
// any other call of the store.
func (r *Runner) end(owner *store.Owner, id string, ending store.Ending) (ended *store.Run, err error) {
	err = patiently(func() error {
		ended, err = owner.End(id, ending)
		return err
	})
	return ended, err
}

// record records events of a run, as patiently as its end.
func (r *Runner) record(owner *store.Owner, id string, events ...store.Event) error {
	err := patiently(func() error {
		_, err := owner.Append(id, events...)
		return err
	})
	if err != nil {
		return fmt.Errorf("recording what run %s does: %w", id, err)
	}
	return nil
}

// patiently brings a fact to a store that others hold.
func patiently(write func() error) error {
	for try := 1; ; try++ {
		err := write()
		var held *store.HeldError
		if !errors.As(err, &held) || try == endTries {
			return err
		}
	}
}

// perform does a claimed run and tells how it ended; it is true for a run that
// waits for its party.
func (r *Runner) perform(ctx context.Context, d *definition.Definition, run *store.Run) (ending store.Ending, waits bool) {
	input, err := d.Input.Apply(run.Input)
	if err != nil {
		return rejected(err), false
	}
	switch function := d.Function.(type) {
	case *definition.Reasoning:
		return r.reason(ctx, function, run, input), false
	case *definition.Lookup:
		return r.ask(ctx, function, function.Call, function.Answer, run, input), false
	case *definition.Interaction:
		switch {
		case function.Call != nil:
			return r.ask(ctx, function, function.Call, function.Answer, run, input), false
		case function.SignIn != nil:
			return r.signIn(ctx, function, run, input)
		default:
			return r.request(function, run, input)
		}
	}
	panic("run: no run is made of a function of the type " + run.Type)
}
