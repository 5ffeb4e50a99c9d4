package wire

import (
	"github.com/beonauto/auto/engine/value"
)

// This file is the OpenAI Responses format: OpenAI itself and Azure OpenAI.

func (d *drafting) responses() *value.Object {
	family := gptOf(d.call.Model)
	options := d.openAIOptions()
	d.dropSeed()
	if d.settings.StopSequences != nil {
		d.dropped("stop_sequences", d.endpoint.Provider+" takes none")
		d.settings.StopSequences = nil
	}
	reasoning := d.gptReasoning(family, options)
	text := value.NewObject(2)
	if d.call.Schema != nil {
		text.Set("format", object("type", "json_schema", "strict", true, "name", "response", "schema", d.call.Schema))
	}
	if verbosity, ok := options.Get("textVerbosity"); ok {
		text.Set("verbosity", verbosity)
	}
	if options.Has("logitBias") {
		d.dropped("provider_options."+d.openAINamespace()+".logitBias", "the Responses API takes none")
	}
	body := object(
		"model", d.call.Model,
		"input", d.responsesInput(family),
		"temperature", number(d.settings.Temperature),
		"top_p", number(d.settings.TopP),
		"max_output_tokens", float64(d.settings.MaxOutputTokens),
		"text", when(text.Len() > 0, text),
		"store", false,
		"include", when(family.reasons && len(d.call.Tools) > 0, list("reasoning.encrypted_content")),
		"reasoning", when(reasoning.Len() > 0, reasoning),
	)
	if len(d.call.Tools) > 0 {
		tools := []value.Value{}
		for _, tool := range d.call.Tools {
			tools = append(tools, object("type", "function", "name", tool.Name, "description", tool.Description, "parameters", tool.InputSchema, "strict", false))
		}
		body.Set("tools", tools)
		body.Set("tool_choice", "auto")
	}
	return body
}

// openAINamespace is the one namespace whose options count: azure's own, where
// a definition sets any, in place of openai's.
func (d *drafting) openAINamespace() string {
	if d.endpoint.Route == Azure && d.call.Options.Has("azure") {
		return "azure"
	}
	return "openai"
}

func (d *drafting) openAIOptions() *value.Object {
	v, _ := d.call.Options.Get(d.openAINamespace())
	options, _ := v.(*value.Object)
	return options
}

// gptReasoning works out the reasoning member, and leaves out the sampling
// settings that a reasoning model refuses.
func (d *drafting) gptReasoning(family gpt, options *value.Object) *value.Object {
	reasoning := value.NewObject(2)
	mode, hasMode := options.Get("reasoningMode")
	if !family.reasons {
		if d.settings.Reasoning != "" {
			d.dropped("reasoning", d.call.Model+" is not known to reason")
		}
		if hasMode {
			d.dropped("provider_options."+d.openAINamespace()+".reasoningMode", d.call.Model+" is not known to reason")
		}
		return reasoning
	}
	effort := ""
	if d.settings.Reasoning != "" {
		taken := family.efforts
		if taken == nil {
			taken = append([]string{"none"}, efforts[:]...)
		}
		effort = d.nearest(taken...)
	}
	if effort != "" {
		reasoning.Set("effort", effort)
	}
	if hasMode {
		reasoning.Set("mode", mode)
	}
	if effort != "none" || !family.samplesAtNone {
		d.dropSampling(d.call.Model + " takes no sampling settings while it reasons")
	}
	return reasoning
}

func (d *drafting) responsesInput(family gpt) []value.Value {
	input := []value.Value{}
	if d.call.Instructions != "" {
		role := "system"
		if family.developerWords {
			role = "developer"
		}
		input = append(input, object("role", role, "content", d.call.Instructions))
	}
	for _, message := range d.call.Messages {
		switch message.Role {
		case User:
			input = append(input, object("role", "user", "content", list(object("type", "input_text", "text", message.Text))))
		case Assistant:
			input = append(input, responsesTurn(message)...)
		case ToolResults:
			for _, result := range message.Results {
				input = append(input, object("type", "function_call_output", "call_id", result.ID, "output", markedOutput(result)))
			}
		}
	}
	return input
}

// markedOutput is a tool's answer as text. An error is said to be one, since
// the format has no member for it.
func markedOutput(result ToolResult) string {
	if !result.Error {
		return result.Text
	}
	return value.JSON(object("error", result.Text))
}

func responsesTurn(message Message) []value.Value {
	if native, ok := message.Native.([]value.Value); ok {
		return native
	}
	turn := []value.Value{}
	if message.Text != "" {
		turn = append(turn, object("role", "assistant", "content", message.Text))
	}
	for _, call := range message.Calls {
		turn = append(turn, object("type", "function_call", "call_id", call.ID, "name", call.Name, "arguments", writeArguments(call)))
	}
	return turn
}

// readResponses reads a response. Nothing is stored, so the ids of its items
// name nothing the next request could refer to: they are left out of Native.
func readResponses(root *value.Object) (*Answer, error) {
	output, ok := get(root, "output").([]value.Value)
	if !ok {
		return nil, &Unreadable{"it has no output"}
	}
	answer := &Answer{
		RawFinishReason: text(root, "incomplete_details", "reason"),
		ResponseID:      text(root, "id"),
		Model:           text(root, "model"),
		Usage:           responsesUsage(root),
	}
	native := []value.Value{}
	for _, item := range output {
		switch text(item, "type") {
		case "message":
			for _, part := range items(item, "content") {
				answer.Text += text(part, "text")
				answer.Refusal += text(part, "refusal")
			}
			native = append(native, without(item, "id", "status"))
		case "function_call":
			answer.Calls = append(answer.Calls, readArguments(ToolCall{ID: text(item, "call_id"), Name: text(item, "name")}, text(item, "arguments")))
			native = append(native, without(item, "id", "status"))
		case "reasoning":
			if text(item, "encrypted_content") != "" {
				native = append(native, without(item, "status"))
			}
		}
	}
	answer.Native = native
	answer.FinishReason = responsesFinish(answer)
	return answer, nil
}

func responsesFinish(answer *Answer) FinishReason {
	switch answer.RawFinishReason {
	case "max_output_tokens":
		return Length
	case "content_filter":
		return ContentFilter
	case "":
		switch {
		case len(answer.Calls) > 0:
			return CallsTools
		case answer.Refusal != "":
			return ContentFilter
		}
		return Stop
	}
	if len(answer.Calls) > 0 {
		return CallsTools
	}
	return Other
}

// without copies an object without some of its members.
func without(v value.Value, keys ...string) value.Value {
	from, ok := v.(*value.Object)
	if !ok {
		return v
	}
	left := value.NewObject(from.Len())
next:
	for i := range from.Len() {
		key, member := from.At(i)
		for _, dropped := range keys {
			if key == dropped {
				continue next
			}
		}
		left.Set(key, member)
	}
	return left
}

func responsesUsage(root *value.Object) Usage {
	usage, ok := get(root, "usage").(*value.Object)
	if !ok {
		return Usage{}
	}
	input, output := count(usage, "input_tokens"), count(usage, "output_tokens")
	read, written := orZero(count(usage, "input_tokens_details", "cached_tokens")), count(usage, "input_tokens_details", "cache_write_tokens")
	reasoning := orZero(count(usage, "output_tokens_details", "reasoning_tokens"))
	return Usage{
		Input:  InputTokens{Total: input, Uncached: minus(input, sum(read, written)), CacheRead: read, CacheWrite: written},
		Output: OutputTokens{Total: output, Text: minus(output, reasoning), Reasoning: reasoning},
		Total:  both(input, output),
	}
}
