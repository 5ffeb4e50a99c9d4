package run_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
)

// instant answers every call at once.
type instant struct{}

func (instant) Call(_ context.Context, call *model.Call) (*model.Outcome, error) {
	return &model.Outcome{
		Requested: call.Model, Resolved: call.Model, Settings: call.Settings, HasUsage: true,
		Answer: &wire.Answer{Text: "Fine.", FinishReason: wire.Stop},
	}, nil
}

func (instant) Resolve(string) (*model.Target, error) { return &model.Target{}, nil }

// BenchmarkRun is what a run costs beside its model's time, its two writes
// among it.
func BenchmarkRun(b *testing.B) {
	h := newHouse(b, model.Configuration{})
	runner := run.New(run.Options{Store: h.store, Models: instant{}, Owner: func() (*store.Owner, error) { return h.owner, nil }})
	asked := request(review(wire.OpenAI, withBrief, brief), spring)
	for i := 0; b.Loop(); i++ {
		asked.ID = fmt.Sprint("run-", i)
		if _, err := runner.Do(b.Context(), asked); err != nil {
			b.Fatal(err)
		}
	}
}

const withBrief = "input: { schema: { type: object, properties: { brief: { type: string } }, required: [brief] } }\n"

// BenchmarkRecorded is what it costs to be given a run that was recorded.
func BenchmarkRecorded(b *testing.B) {
	h := newHouse(b, model.Configuration{})
	runner := run.New(run.Options{Store: h.store, Models: instant{}, Owner: func() (*store.Owner, error) { return h.owner, nil }})
	asked := request(review(wire.OpenAI, "", brief), spring)
	for b.Loop() {
		if _, err := runner.Do(b.Context(), asked); err != nil {
			b.Fatal(err)
		}
	}
}
