package run

// This file is what a run records of its model call: its record and the event
// of the call (reasoning format, "What a run records").

import (
	"encoding/json"
	"fmt"
	"sort"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// RecordBytes is the most bytes that an output and its record may take
// together as JSON (reasoning format, "What a run records").
const RecordBytes = 1 << 20

// recordOf is the record of a run that succeeded. It is false when the output
// leaves no room for a record, even one without the prompt.
func recordOf(function *definition.Reasoning, rendering *definition.Rendering, outcome *model.Outcome, output value.Value) (*value.Object, bool) {
	record := value.NewObject(11)
	names := value.NewObject(3)
	names.Set("requested", outcome.Requested)
	names.Set("resolved", outcome.Resolved)
	names.Set("answered", orNull(outcome.Answered))
	record.Set("model", names)
	record.Set("settings", settingsOf(outcome.Settings))
	format := "text"
	if function.Output.JSON {
		format = "json"
	}
	record.Set("output_format", format)
	record.Set("finish_reason", string(outcome.Answer.FinishReason))
	record.Set("raw_finish_reason", orNull(outcome.Answer.RawFinishReason))
	record.Set("usage", asValue(outcome.Usage))
	if outcome.CostUSD != nil {
		record.Set("cost_usd", *outcome.CostUSD)
	}
	record.Set("response_id", orNull(outcome.Answer.ResponseID))
	record.Set("warnings", texts(outcome.Warnings))
	record.Set("duration_ms", float64(outcome.Duration.Milliseconds()))
	room := RecordBytes - len(value.JSON(output)) - len(value.JSON(record))
	prompt, fits := promptOf(rendering, room)
	record.Set("prompt", prompt)
	return record, fits
}

// promptOf is the rendered prompt, cut to the start of both parts when it does
// not fit into so many bytes of JSON. It is false when there is no room even for
// a prompt of which nothing is left.
func promptOf(rendering *definition.Rendering, room int) (*value.Object, bool) {
	message := *rendering.Message
	room -= promptOverhead(rendering)
	if rendering.Instructions == nil {
		return promptObject(nil, fit(message, room), quoted(message) > room), room >= 0
	}
	instructions := *rendering.Instructions
	if quoted(instructions)+quoted(message) <= room {
		return promptObject(instructions, message, false), true
	}
	// Both parts keep their start: each may take half, and what the other leaves
	// of its half.
	message = fit(message, max(room/2, room-quoted(instructions)))
	instructions = fit(instructions, room-quoted(message))
	return promptObject(instructions, message, true), room >= 0
}

func promptObject(instructions value.Value, message string, truncated bool) *value.Object {
	prompt := value.NewObject(3)
	prompt.Set("instructions", instructions)
	prompt.Set("message", message)
	prompt.Set("truncated", truncated)
	return prompt
}

// promptOverhead is the bytes that a prompt adds to the JSON of a record beside
// its texts.
func promptOverhead(rendering *definition.Rendering) int {
	instructions := value.Value("")
	if rendering.Instructions == nil {
		instructions = nil
	}
	return len(`,"prompt":`) + len(value.JSON(promptObject(instructions, "", false)))
}

// quoted is the bytes of a text inside its quotes as JSON.
func quoted(text string) int { return len(value.JSON(text)) - 2 }

// fit gives the longest start of a text that takes at most so many bytes of
// JSON, cut between code points.
func fit(text string, room int) string {
	if quoted(text) <= room {
		return text
	}
	end := sort.Search(len(text), func(n int) bool { return quoted(text[:n]) > room })
	for end = max(end-1, 0); end > 0 && !utf8.RuneStart(text[end]); end-- {
	}
	return text[:end]
}

// spent is the record of a run that was rejected after its model answered.
func spent(outcome *model.Outcome) *value.Object {
	record := value.NewObject(3)
	record.Set("usage", asValue(outcome.Usage))
	if outcome.CostUSD != nil {
		record.Set("cost_usd", *outcome.CostUSD)
	}
	record.Set("duration_ms", float64(outcome.Duration.Milliseconds()))
	return record
}

// settingsOf is the settings as they were sent.
func settingsOf(settings wire.Settings) *value.Object {
	sent := value.NewObject(6)
	sent.Set("max_output_tokens", float64(settings.MaxOutputTokens))
	if settings.Temperature != nil {
		sent.Set("temperature", *settings.Temperature)
	}
	if settings.TopP != nil {
		sent.Set("top_p", *settings.TopP)
	}
	if settings.Seed != nil {
		sent.Set("seed", float64(*settings.Seed))
	}
	if settings.StopSequences != nil {
		sent.Set("stop_sequences", texts(settings.StopSequences))
	}
	if settings.Reasoning != "" {
		sent.Set("reasoning", settings.Reasoning)
	}
	return sent
}

// callAnswered is the event of a model call whose answer the run takes.
func callAnswered(outcome *model.Outcome) store.Event {
	data := callData(outcome)
	data.Set("finish_reason", string(outcome.Answer.FinishReason))
	if outcome.OutputMode == model.PortableMode {
		// The run's output is the answer as the definition writes it; this is the
		// answer as the model wrote it (model settings, "The portable form").
		data.Set("answer", outcome.Answer.Text)
	}
	return store.Event{Type: "model_call_answered", Data: data}
}

// callFailed is the event of a model call without a usable answer; none where
// nothing could be sent.
func callFailed(err error, outcome *model.Outcome) []store.Event {
	data := value.NewObject(8)
	if outcome != nil {
		data = callData(outcome)
	}
	if failure, ok := model.AsFailure(err); ok {
		if failure.Unsent() {
			return nil
		}
		data.Set("because", string(failure.Kind))
		if failure.Status != 0 {
			data.Set("status", float64(failure.Status))
		}
		if len(failure.Issues) > 0 {
			data.Set("issues", asValue(failure.Issues))
		}
	}
	return []store.Event{{Type: "model_call_failed", Data: data}}
}

func callData(outcome *model.Outcome) *value.Object {
	data := value.NewObject(10)
	data.Set("model", outcome.Requested)
	if outcome.OutputMode != "" {
		data.Set("output_mode", string(outcome.OutputMode))
	}
	if outcome.HasUsage {
		data.Set("usage", asValue(outcome.Usage))
	}
	if outcome.CostUSD != nil {
		data.Set("cost_usd", *outcome.CostUSD)
	}
	data.Set("duration_ms", float64(outcome.Duration.Milliseconds()))
	data.Set("request_bytes", float64(outcome.RequestBytes))
	if outcome.Repair != nil {
		data.Set("repair", asValue(outcome.Repair))
	}
	if outcome.Refusal != nil {
		data.Set("schema_refusal", asValue(outcome.Refusal))
	}
	return data
}

func orNull(text string) value.Value {
	if text == "" {
		return nil
	}
	return text
}

func texts(list []string) []value.Value {
	values := make([]value.Value, len(list))
	for i, text := range list {
		values[i] = text
	}
	return values
}

// asValue is a struct of the model package as the value its JSON tags give it.
func asValue(v any) value.Value {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("run: %T has no JSON form: %v", v, err))
	}
	read, err := value.ParseJSON(text, 64)
	if err != nil {
		panic(fmt.Sprintf("run: %T has no JSON form: %v", v, err))
	}
	return read
}
