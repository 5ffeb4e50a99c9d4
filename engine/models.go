package engine

// This file lists the models of a playbook's settings and tries its providers.

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/playbook"
	"github.com/beonauto/auto/engine/problem"
)

// ModelListing is what can be called.
type ModelListing = model.Listing

// ListedModel is one model that a definition may name.
type ListedModel = model.Listed

// NewTextLog and NewJSONLog write what the operator reads, one line each.
var (
	NewTextLog = model.NewTextLog
	NewJSONLog = model.NewJSONLog
)

// Providers gives the prefixes of the configured providers and gateways.
func (r *Runtime) Providers() []string {
	if r.invalid != nil {
		return nil
	}
	var names []string
	for _, provider := range r.settings.Providers() {
		names = append(names, provider.Prefix)
	}
	for _, gateway := range r.settings.Gateways() {
		names = append(names, gateway.Name)
	}
	return names
}

// Models lists what can be called, of one provider where a prefix is given. The
// error is SettingsError, or a *problem.Rejection for a prefix that no provider
// and no alias has.
func (r *Runtime) Models(ctx context.Context, provider string) (*ModelListing, error) {
	if r.invalid != nil {
		return nil, r.invalid
	}
	listing := r.client().ListModels(ctx, provider)
	if provider == "" || len(listing.Models) > 0 || slices.Contains(r.Providers(), provider) {
		return listing, nil
	}
	if _, err := r.client().Resolve(provider + "/model"); err != nil {
		if failure, ok := model.AsFailure(err); ok && failure.Kind == model.ProviderNotConfigured {
			return nil, failure.Rejection(model.Tools{})
		}
	}
	return listing, nil
}

// Trial is what came of calling a provider once.
type Trial struct {
	Provider string
	Model    string // the reference that was called; empty when none is known
	Answered string // the model as the provider names it; empty when it did not answer
	Took     time.Duration
	// Rejection is why there was no answer, as a run would be told; nil when
	// there was one.
	Rejection *problem.Rejection
	// Untried is why the provider was not called although nothing is known to be
	// wrong, a sentence without a full stop; empty when it was.
	Untried string
}

// trialTokens is the most tokens a trial's answer may have: the least that every
// provider takes.
const trialTokens = 16

// TryProviders calls each configured provider once, all at the same time, and
// gives what came of it in their order. It records nothing. The error is
// SettingsError.
func (r *Runtime) TryProviders(ctx context.Context) ([]Trial, error) {
	if r.invalid != nil {
		return nil, r.invalid
	}
	providers := r.Providers()
	named := r.modelsOfDefinitions()
	trials := make(chan Trial, len(providers))
	for _, provider := range providers {
		go func() { trials <- r.try(ctx, provider, named[provider]) }()
	}
	done := make([]Trial, len(providers))
	for range providers {
		trial := <-trials
		done[slices.Index(providers, trial.Provider)] = trial
	}
	return done, nil
}

func (r *Runtime) try(ctx context.Context, provider, reference string) Trial {
	unread := false
	if reference == "" {
		reference, unread = r.modelToTry(ctx, provider)
	}
	trial := Trial{Provider: provider, Model: reference}
	switch {
	case unread:
		trial.Rejection = problem.NewRejection(problem.Unavailable, "The list of models of "+provider+" could not be read")
		return trial
	case reference == "":
		trial.Untried = "no definition names a model of " + provider + ", and it lists none; name one under declared_models to have it called"
		return trial
	}
	outcome, err := r.client().Call(ctx, &model.Call{
		Model: reference, Settings: wire.Settings{MaxOutputTokens: trialTokens},
		Messages: []wire.Message{{Role: wire.User, Text: "Answer with the word yes."}},
	})
	trial.Took, trial.Answered = outcome.Duration, outcome.Answered
	if trial.Answered == "" {
		trial.Answered = outcome.Resolved
	}
	if failure, failed := model.AsFailure(err); failed {
		trial.Answered = ""
		if trial.Rejection = failure.Rejection(model.Tools{}); trial.Rejection == nil {
			trial.Rejection = problem.NewRejection(problem.Failed, failure.Detail(model.Tools{}))
		}
	}
	return trial
}

// modelsOfDefinitions gives a model for each provider that the playbook's
// definitions lead to: what they name is what must work.
func (r *Runtime) modelsOfDefinitions() map[string]string {
	named := map[string]string{}
	found, err := playbook.Definitions(r.folder)
	if err != nil {
		return named
	}
	for _, one := range found {
		reference := modelOf(one)
		target, err := r.client().Resolve(reference)
		if err != nil {
			continue
		}
		if provider := target.Provider.Endpoint.Provider; named[provider] == "" {
			named[provider] = reference
		}
	}
	return named
}

// modelOf is the model that a definition names, empty for one that names none.
func modelOf(found playbook.Found) string {
	source, err := os.ReadFile(found.Path)
	if err != nil {
		return ""
	}
	result := check(source, found.Type, Surroundings{})
	if result.Definition == nil {
		return ""
	}
	if function, ok := result.Definition.Function.(*definition.Reasoning); ok {
		return function.Model
	}
	return ""
}

// small are words in the names of models that cost little.
var small = []string{"haiku", "flash", "nano", "mini", "lite", "small"}

// modelToTry gives a model of a provider's list: a small one where it has any,
// the newest of those. It tells whether a list without one could not be read.
func (r *Runtime) modelToTry(ctx context.Context, provider string) (reference string, unread bool) {
	var best *ListedModel
	better := func(a, b *ListedModel) bool {
		if x, y := isSmall(a.Model), isSmall(b.Model); x != y {
			return x
		}
		return a.Created > b.Created
	}
	listing := r.client().ListModels(ctx, provider)
	for _, listed := range listing.Models {
		if listed.Alias || strings.HasSuffix(listed.Model, "*") {
			continue
		}
		if best == nil || better(&listed, best) {
			best = &listed
		}
	}
	if best == nil {
		return "", len(listing.Unread) > 0
	}
	return best.Model, false
}

func isSmall(reference string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(reference, func(c rune) bool { return c == '-' || c == '/' || c == '.' }), func(word string) bool {
		return slices.Contains(small, word)
	})
}
