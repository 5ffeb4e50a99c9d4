package run

import (
	"context"
	"testing"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// instant answers every call at once.
type instant struct{}

func (instant) Call(_ context.Context, call *model.Call) (*model.Outcome, error) {
	return &model.Outcome{Settings: call.Settings, Answer: &wire.Answer{Text: "Fine.", FinishReason: wire.Stop}}, nil
}

func (instant) Resolve(string) (*model.Target, error) { return &model.Target{}, nil }

// BenchmarkWithoutTheStore is what a run does itself: it reads the document,
// checks the input, renders the prompt and makes the record.
func BenchmarkWithoutTheStore(b *testing.B) {
	const source = "---\nmodel: openai/gpt-5\ninput: { schema: { type: object, properties: { brief: { type: string } }, required: [brief] } }\n" +
		"---\n\n{% system %}Review the brief. Do not invent facts.{% endsystem %}\nBrief: {{ input.brief }}\n"
	reasoning, _ := definition.TypeNamed("reasoning")
	input := value.NewObject(1)
	input.Set("brief", "Spring launch of the Fernleaf planner")
	runner := New(Options{Models: instant{}})
	started := &store.Run{Summary: store.Summary{ID: "review-1", Type: "reasoning", Name: "review"}, Input: input}
	b.ReportAllocs()
	for b.Loop() {
		result := definition.Check([]byte(source), reasoning, definition.Surroundings{})
		if ending, _ := runner.perform(b.Context(), result.Definition, started); ending.Status != store.Succeeded {
			b.Fatal(ending.Rejection)
		}
	}
}
