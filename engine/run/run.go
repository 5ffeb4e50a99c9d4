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
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
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
	now    func() time.Time
	newID  func() string
	owner  func() (*store.Owner, error)
}

// Options are what a Runner is made of. A nil Now is the machine's clock, a
// nil NewID gives UUIDs of version 7.
type Options struct {
	Store  *store.Store
	Models Models
	Owner  func() (*store.Owner, error) // the process as an owner in the store, made when a run first needs it
	Now    func() time.Time
	NewID  func() string
}

// New makes a Runner. It reads and writes nothing.
func New(options Options) *Runner {
	r := &Runner{store: options.Store, models: options.Models, now: options.Now, newID: options.NewID, owner: options.Owner}
	if r.now == nil {
		r.now = time.Now
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
// rejected or failed is no error. A run that is already recorded under its id
// and input is given as it is, where its ending stands.
//
// The error is a *problem.Rejection for a run that is refused without being
// recorded: its document has problems, its input cannot be kept, or its id
// belongs to another run. Any other error is the store's.
func (r *Runner) Do(ctx context.Context, request Request) (*store.Run, error) {
	if request.ID == "" {
		request.ID = r.newID()
	}
	if request.Input == nil {
		request.Input = value.NewObject(0)
	}
	result := definition.Check(request.Source, request.Type, request.Around)
	if result.Definition == nil {
		return nil, brokenDocument(request, result)
	}
	input, err := definition.Bounded(request.Input)
	if err != nil {
		return nil, err
	}
	owner, err := r.owner()
	if err != nil {
		return nil, fmt.Errorf("starting run %s: %w", request.ID, err)
	}
	recorded, err := r.claim(owner, request, input)
	if recorded != nil || err != nil {
		return recorded, err
	}
	ending := r.perform(ctx, result.Definition, request, input)
	ended, err := owner.End(request.ID, ending)
	if err != nil {
		return nil, fmt.Errorf("recording the end of run %s: %w", request.ID, err)
	}
	return ended, nil
}

// brokenDocument is the rejection of a run whose document no longer parses.
func brokenDocument(request Request, result *definition.Result) error {
	rejection := problem.NewRejection(problem.Conflict, fmt.Sprintf("The document of %s/%s has problems", request.Type.Name, request.Name))
	rejection.Issues = problem.Rejects(result.Problems).Issues
	return rejection
}

// claim records the run as started. It gives a run instead when there is
// nothing to do: the one that is recorded under the id.
func (r *Runner) claim(owner *store.Owner, request Request, input *value.Object) (*store.Run, error) {
	beginning := store.Beginning{
		ID: request.ID, Type: request.Type.Name, Name: request.Name, Source: request.Source, Input: input,
		Events: []store.Event{{Type: "run_started"}},
	}
	for {
		outcome, there, err := owner.Start(beginning)
		switch {
		case errors.Is(err, store.ErrRunID):
			return nil, problem.NewRejection(problem.InvalidInput, "The run id is not one",
				problem.Issue{Pointer: "/run_id", Detail: "Expected 1 to 128 letters, digits, -, _, . or :"})
		case err != nil:
			return nil, fmt.Errorf("starting run %s: %w", request.ID, err)
		}
		switch outcome {
		case store.Claimed:
			return nil, nil
		case store.Recorded, store.Waiting:
			return there, nil
		case store.OtherInput:
			return nil, problem.NewRejection(problem.Conflict, "The run id "+request.ID+" belongs to a run of another function or input")
		case store.InProgress:
			return nil, problem.NewRejection(problem.Conflict, "A run with the id "+request.ID+" is in progress")
		}
		if _, err := owner.End(request.ID, interrupted("The process that did the run ended before it")); err != nil {
			return nil, fmt.Errorf("recording that run %s was cut off: %w", request.ID, err)
		}
	}
}

// perform does a claimed run and tells how it ended.
func (r *Runner) perform(ctx context.Context, d *definition.Definition, request Request, supplied *value.Object) store.Ending {
	input, err := d.Input.Apply(supplied)
	if err != nil {
		return r.rejected(err)
	}
	switch function := d.Function.(type) {
	case *definition.Reasoning:
		return r.reason(ctx, function, request, input)
	default:
		return r.rejected(problem.NewRejection(problem.Unavailable,
			"This version runs no function of the type "+request.Type.Name+"; auto render shows what it would send"))
	}
}
