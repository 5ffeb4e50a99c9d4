package run_test

// This file reads what a run records (reasoning format, "What a run records").

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

func TestTheRecord(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.Anthropic, double.Give(wire.Anthropic, double.Answer{Text: "Name the audience.", Input: 120, Cached: 80, Output: 30}))
	configuration := of(provider)
	configuration.Aliases = []model.Alias{{From: "fast/default", To: "anthropic/claude-sonnet-4-5"}}
	h := newHouse(t, configuration)
	front := "config: { temperature: 0.2, seed: 7, stop_sequences: [END] }\n"
	source := strings.Replace(review(wire.Anthropic, front, brief), "anthropic/claude-sonnet-4-5", "fast/default", 1)
	ended := h.do(t, request(source, spring))
	if ended.Status != store.Succeeded || ended.Output != "Name the audience." || !ended.Final || ended.Version != 1 {
		t.Fatalf("the run is %s", value.JSON(ended.Value()))
	}
	keys := []string{"model", "settings", "output_format", "finish_reason", "raw_finish_reason", "usage", "response_id", "warnings", "duration_ms", "prompt"}
	if !slices.Equal(ended.Record.Keys(), keys) {
		t.Errorf("the record has the keys %v", ended.Record.Keys())
	}
	for pointer, want := range map[string]string{
		"/model/requested":               "\"fast/default\"",
		"/model/resolved":                "\"anthropic/claude-sonnet-4-5\"",
		"/settings":                      `{"max_output_tokens":1024,"temperature":0.2,"seed":7,"stop_sequences":["END"]}`,
		"/output_format":                 `"text"`,
		"/finish_reason":                 `"stop"`,
		"/raw_finish_reason":             `"end_turn"`,
		"/usage/input_tokens/cache_read": "80",
		"/usage/output_tokens/total":     "30",
		"/usage/output_tokens/reasoning": "null",
		"/prompt/instructions":           `"Review the brief. Do not invent facts."`,
		"/prompt/message":                `"Brief: Spring launch"`,
		"/prompt/truncated":              "false",
		"/duration_ms":                   "0",
	} {
		if got := at(ended.Record, pointer); got != want {
			t.Errorf("%s is %s, want %s", pointer, got, want)
		}
	}
	if !strings.Contains(at(ended.Record, "/warnings"), "seed") {
		t.Errorf("no warning says that the seed was not sent: %s", at(ended.Record, "/warnings"))
	}
	if at(ended.Record, "/model/answered") == "null" || at(ended.Record, "/response_id") == "null" {
		t.Errorf("the record is %s", value.JSON(ended.Record))
	}
	if got := h.history(t, ended.ID); got != "run_started model_call_answered run_succeeded" {
		t.Errorf("the history is %s", got)
	}
}

func TestTodayIsWhenTheRunStarted(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, "Fine."))
	h := newHouse(t, of(provider))
	ended := h.do(t, request(review(wire.OpenAI, "", "{{ today }} {{ now }}"), "{}"))
	if got := at(ended.Record, "/prompt/message"); got != `"2026-03-01 2026-03-01T09:00:00.000Z"` {
		t.Errorf("the message is %s", got)
	}
}

func TestATextAnswerThatIsCutOffSucceeds(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI, double.Give(wire.OpenAI, double.Answer{Text: "Name the", Finish: "max_output_tokens"}))
	h := newHouse(t, of(provider))
	ended := h.do(t, request(review(wire.OpenAI, "", brief), spring))
	if ended.Status != store.Succeeded || ended.Output != "Name the" || at(ended.Record, "/finish_reason") != `"length"` {
		t.Errorf("the run is %s", value.JSON(ended.Value()))
	}
}

func TestAJSONAnswer(t *testing.T) {
	t.Parallel()
	const map_ = `output:
  format: json
  schema: { type: object, additionalProperties: { type: integer }, propertyNames: { enum: [ana, ben] } }
`
	provider := double.New(t, wire.OpenAI,
		double.Say(wire.OpenAI, `{"value":[{"key":"ana","value":"one"}]}`),
		double.Say(wire.OpenAI, `{"value":[{"key":"ana","value":1}]}`))
	h := newHouse(t, of(provider))
	ended := h.do(t, request(review(wire.OpenAI, map_, brief), spring))
	if value.JSON(ended.Output) != `{"ana":1}` || at(ended.Record, "/output_format") != `"json"` {
		t.Fatalf("the run is %s", value.JSON(ended.Value()))
	}
	data := h.event(t, ended.ID, answered)
	for pointer, want := range map[string]string{
		"/output_mode":    `"portable"`,
		"/answer":         `"{\"value\":[{\"key\":\"ana\",\"value\":1}]}"`,
		"/repair/outcome": `"repaired"`,
	} {
		if got := at(data, pointer); got != want {
			t.Errorf("%s of the call is %s, want %s", pointer, got, want)
		}
	}
	if total := at(ended.Record, "/usage/total_tokens"); total != "52" {
		t.Errorf("the usage of both requests is %s", total)
	}
}

// TestACorrectionTakesTheRunsTokens: a run without tools has the operator's bound
// too, and asks for no correction past it.
func TestACorrectionTakesTheRunsTokens(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI, double.Give(wire.OpenAI, double.Answer{Text: "Yes", Input: 120, Output: 30}))
	h := newHouse(t, of(provider))
	h.Runner = run.New(run.Options{
		Store: h.store, Owner: func() (*store.Owner, error) { return h.owner, nil }, InputTokens: 200,
		Models: model.New(of(provider), model.Options{HTTP: model.NewHTTP(model.Transport{}), Clock: h.clock}),
	})
	ended := h.do(t, request(review(wire.OpenAI, asJSON, brief), spring))
	if len(provider.Requests()) != 1 || !strings.Contains(ended.Rejection.Detail, "no correction was attempted: too few input tokens were left") {
		t.Errorf("after %d requests the run is %s", len(provider.Requests()), value.JSON(ended.Value()))
	}
	if got := at(h.event(t, ended.ID, failed), "/repair"); got != `{"outcome":"skipped","because":"input_tokens"}` {
		t.Errorf("recorded is %s", got)
	}
}

func TestAShape(t *testing.T) {
	t.Parallel()
	const answer = `{"columns":[{"name":"channel"}],"rows":[["newsletter"]]}`
	provider := double.New(t, wire.Gateway, double.Say(wire.Gateway, "```json\n"+answer+"\n```"))
	h := newHouse(t, of(provider))
	ended := h.do(t, request(review(wire.Gateway, "output: { format: json, shape: table }\n", brief), spring))
	if value.JSON(ended.Output) != answer || at(h.event(t, ended.ID, answered), "/output_mode") != `"described"` {
		t.Errorf("the run is %s", value.JSON(ended.Value()))
	}
}

// TestTheRecordsBound walks an answer up to the 1 MiB that an output and its
// record may take, and over it.
func TestTheRecordsBound(t *testing.T) {
	t.Parallel()
	input := `{"brief":"` + strings.Repeat("é\\n", 60_000) + `"}`
	for _, template := range []string{brief, "{{ input.brief }}"} {
		provider := double.New(t, wire.OpenAI)
		h := newHouse(t, of(provider))
		together := func(answer int) (*store.Run, int) {
			provider.Script(double.Say(wire.OpenAI, strings.Repeat("x", answer)))
			asked := request(review(wire.OpenAI, "", template), input)
			asked.ID = ""
			ended := h.do(t, asked)
			return ended, len(value.JSON(ended.Output)) + len(value.JSON(ended.Record))
		}
		whole, size := together(1)
		if at(whole.Record, "/prompt/truncated") != "false" || size > run.RecordBytes {
			t.Fatalf("a short answer leaves room for the prompt: %d bytes", size)
		}
		room := run.RecordBytes - size + 1
		bare := run.RecordBytes - (size - len(at(whole.Record, "/prompt/instructions")) - len(at(whole.Record, "/prompt/message")))
		for _, c := range []struct {
			answer    int
			succeeds  bool
			truncated string
		}{
			{room, true, "false"},
			{room + 1, true, "true"},
			{(room + bare) / 2, true, "true"},
			{bare - 8, true, "true"},
			{bare + 8, false, ""},
		} {
			ended, size := together(c.answer)
			if (ended.Status == store.Succeeded) != c.succeeds {
				t.Errorf("an answer of %d bytes ends as %s: %v", c.answer, ended.Status, ended.Rejection)
				continue
			}
			if !c.succeeds {
				continue
			}
			if truncated := at(ended.Record, "/prompt/truncated"); size > run.RecordBytes || truncated != c.truncated {
				t.Errorf("an answer of %d bytes is recorded in %d bytes, truncated %s", c.answer, size, truncated)
			}
			message := at(ended.Record, "/prompt/message")
			full := at(whole.Record, "/prompt/message")
			if !strings.HasPrefix(full, strings.TrimSuffix(message, `"`)) {
				t.Errorf("the message does not start as it was: %.40s", message)
			}
		}
	}
}

// TestBothPartsKeepTheirStart wants the start of the instructions and of the
// message where only a little of both fits.
func TestBothPartsKeepTheirStart(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, strings.Repeat("x", run.RecordBytes-10_000)))
	h := newHouse(t, of(provider))
	both := "{% system %}{{ input.rules }}{% endsystem %}{{ input.brief }}"
	long := strings.Repeat("a", 100_000)
	for _, input := range []string{`{"rules":"` + long + `","brief":"` + long + `"}`, `{"rules":"short","brief":"` + long + `"}`, `{"rules":"` + long + `","brief":"short"}`} {
		asked := request(review(wire.OpenAI, "", both), input)
		asked.ID = ""
		ended := h.do(t, asked)
		instructions, message := at(ended.Record, "/prompt/instructions"), at(ended.Record, "/prompt/message")
		if at(ended.Record, "/prompt/truncated") != "true" || len(instructions) < 7 || len(message) < 7 {
			t.Errorf("%d bytes of instructions and %d of the message are kept", len(instructions), len(message))
		}
		if kept := len(instructions) + len(message); kept < 9_000 || kept > 10_000 {
			t.Errorf("%d bytes of the prompt are kept of about 9,500 that fit", kept)
		}
	}
}

func TestACost(t *testing.T) {
	t.Parallel()
	reply := double.Say(wire.Gateway, "Fine.")
	reply.Header = map[string]string{"x-cost-usd": "0.0025"}
	provider := double.New(t, wire.Gateway, reply)
	configuration := of(provider)
	configuration.Providers[0].CostHeader = "x-cost-usd"
	h := newHouse(t, configuration)
	ended := h.do(t, request(review(wire.Gateway, "", brief), spring))
	if at(ended.Record, "/cost_usd") != "0.0025" {
		t.Errorf("the record is %s", value.JSON(ended.Record))
	}
}

// TestALargeOutputIsNotRepeatedInTheHistory wants the size of an output past
// what an event shows.
func TestALargeOutputIsNotRepeatedInTheHistory(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]string{run.ShownBytes - 2: "output", run.ShownBytes - 1: "output_bytes"} {
		provider := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, strings.Repeat("x", size)))
		h := newHouse(t, of(provider))
		ended := h.do(t, request(review(wire.OpenAI, "", brief), spring))
		if got := fmt.Sprint(h.event(t, ended.ID, "run_succeeded").Keys()); got != "["+want+"]" {
			t.Errorf("the event of an output of %d bytes has %s", size+2, got)
		}
	}
}
