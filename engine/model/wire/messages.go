package wire

import (
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file is the Anthropic Messages format: Claude models at Anthropic
// itself, on Bedrock by InvokeModel and on Vertex by rawPredict.

// thinking is how a Claude model is asked to reason.
type thinking struct {
	kind    string // enabled, adaptive, disabled, between_tools or what the definition wrote; empty: not said
	budget  value.Value
	display value.Value
	effort  string // output_config.effort
}

func (t thinking) on() bool {
	return t.kind == "enabled" || t.kind == "adaptive" || t.kind == "between_tools"
}

func (d *drafting) messages() (*value.Object, string) {
	family := claudeOf(d.call.Model)
	d.dropSeed()
	d.boundTemperature()
	if family.noSampling {
		d.dropSampling(d.call.Model + " takes no sampling settings")
	}
	thinking := d.claudeThinking(family)
	native := d.claudeFormat(family)
	maxTokens := d.claudeTokens(family, &thinking)

	output := object("effort", when(thinking.effort != "", thinking.effort))
	if native {
		output.Set("format", object("type", "json_schema", "schema", d.call.Schema))
	}
	body := object(
		"model", when(d.endpoint.Route == Anthropic, d.call.Model),
		"max_tokens", float64(maxTokens),
		"temperature", number(d.settings.Temperature),
		"top_p", number(d.settings.TopP),
		"stop_sequences", textList(d.settings.StopSequences),
	)
	if thinking.kind != "" {
		body.Set("thinking", object("type", thinking.kind, "budget_tokens", given(thinking.budget), "display", given(thinking.display)))
	}
	if output.Len() > 0 {
		body.Set("output_config", output)
	}
	if d.call.Instructions != "" {
		body.Set("system", list(textBlock(d.call.Instructions)))
	}
	body.Set("messages", claudeMessages(d.call.Messages))
	answerTool := d.claudeTools(body, family, thinking, native)
	switch d.endpoint.Route {
	case BedrockAnthropic:
		body.Set("anthropic_version", "bedrock-2023-05-31")
	case VertexAnthropic:
		body.Set("anthropic_version", "vertex-2023-10-16")
	}
	return body, answerTool
}

func given(v value.Value) any { return when(v != nil, v) }

func textBlock(text string) *value.Object { return object("type", "text", "text", text) }

// claudeFormat tells whether JSON is asked for with output_config.format, not
// with a forced tool.
func (d *drafting) claudeFormat(family claude) bool {
	if d.call.Schema == nil || !family.nativeJSON {
		return false
	}
	switch d.endpoint.Route {
	case Anthropic:
		return true
	case BedrockAnthropic:
		return bedrockTakesFormat(d.call.Model)
	}
	return family.noForcedTools
}

// claudeOptions gives the thinking options a definition sets for this route.
func (d *drafting) claudeOptions() *value.Object {
	merged := d.option("anthropic", "thinking")
	switch d.endpoint.Route {
	case VertexAnthropic:
		if own := d.option("googleVertex", "thinking"); own != nil {
			merged = own
		}
		d.ignore("googleVertex", "thinkingConfig", "safetySettings", "threshold")
	case BedrockAnthropic:
		d.ignore("bedrock", "reasoningConfig")
	}
	return merged
}

// option gives an option that is an object, and nil for one that is not set.
func (d *drafting) option(namespace, name string) *value.Object {
	options, _ := d.call.Options.Get(namespace)
	within, _ := options.(*value.Object)
	v, set := within.Get(name)
	chosen, ok := v.(*value.Object)
	if set && !ok {
		d.dropped("provider_options."+namespace+"."+name, "it is not a mapping")
	}
	return chosen
}

// ignore warns of options that the route has no use for.
func (d *drafting) ignore(namespace string, names ...string) {
	options, _ := d.call.Options.Get(namespace)
	within, _ := options.(*value.Object)
	for _, name := range names {
		if within.Has(name) {
			d.dropped("provider_options."+namespace+"."+name, "models of "+d.endpoint.Provider+" do not read it")
		}
	}
}

// claudeThinking works out thinking and effort from config.reasoning and the
// definition's own thinking option, which wins.
func (d *drafting) claudeThinking(family claude) thinking {
	const setting = "provider_options.anthropic.thinking"
	asked := d.claudeReasoning(family)
	if options := d.claudeOptions(); options != nil {
		kind, _ := options.Get("type")
		asked.kind, _ = kind.(string)
		asked.budget, _ = options.Get("budgetTokens")
		asked.display, _ = options.Get("display")
		if asked.kind == "disabled" {
			asked.effort = ""
		}
		if asked.kind != "enabled" && asked.budget != nil {
			d.dropped(setting+".budgetTokens", "only enabled thinking has a budget")
			asked.budget = nil
		}
	}
	model := d.call.Model
	switch {
	case asked.kind == "disabled" && family.betweenTools:
		d.warn(setting, "disabled was sent as between_tools, the least thinking that %s has", model)
		asked.kind = "between_tools"
	case asked.kind == "disabled" && family.alwaysThinks:
		d.dropped(setting, model+" always thinks")
		asked.kind = ""
	case asked.kind == "enabled" && family.noBudget:
		d.warn(setting, "enabled was sent as adaptive: %s takes no thinking budget", model)
		asked.kind, asked.budget = "adaptive", nil
	}
	if asked.display != nil && asked.kind != "adaptive" {
		d.dropped(setting+".display", "only adaptive thinking has one")
		asked.display = nil
	}
	if asked.kind == "between_tools" && asked.effort == "xhigh" {
		d.warn("reasoning", "xhigh was sent as high: %s takes no more beside between_tools thinking", model)
		asked.effort = "high"
	}
	return asked
}

// claudeReasoning is config.reasoning alone.
func (d *drafting) claudeReasoning(family claude) thinking {
	model := d.call.Model
	switch {
	case d.settings.Reasoning == "":
		return thinking{}
	case d.settings.Reasoning == "none" && family.betweenTools:
		d.warn("reasoning", "none was sent as between_tools thinking, the least that %s has", model)
		return thinking{kind: "between_tools"}
	case d.settings.Reasoning == "none" && family.alwaysThinks:
		d.warn("reasoning", "none was sent as effort low: %s always thinks", model)
		return thinking{effort: "low"}
	case d.settings.Reasoning == "none":
		return thinking{kind: "disabled"}
	case family.adaptive && family.xhigh:
		return thinking{kind: "adaptive", effort: d.nearest("low", "medium", "high", "xhigh", "max")}
	case family.adaptive && d.endpoint.Route == BedrockAnthropic && d.settings.Reasoning == "xhigh":
		d.changed("reasoning", "xhigh", "max")
		return thinking{kind: "adaptive", effort: "max"}
	case family.adaptive:
		return thinking{kind: "adaptive", effort: d.nearest("low", "medium", "high")}
	}
	return thinking{kind: "enabled", budget: float64(d.budget(family.maxOutput, leastBudget, family.maxOutput))}
}

// claudeTokens gives max_tokens: the answer's tokens and the thinking budget,
// up to what the model writes at most. Thinking takes no sampling settings.
func (d *drafting) claudeTokens(family claude, thinking *thinking) int64 {
	tokens := d.settings.MaxOutputTokens
	if thinking.kind == "enabled" && thinking.budget == nil {
		d.warn("provider_options.anthropic.thinking", "has no budgetTokens; %d were sent", leastBudget)
		thinking.budget = float64(leastBudget)
	}
	if thinking.on() {
		d.dropSampling("thinking takes no sampling settings")
		if budget, ok := value.Whole(thinking.budget); ok {
			tokens += budget
		}
	} else if d.settings.Temperature != nil && d.settings.TopP != nil && (family.known || strings.Contains(d.call.Model, "claude-")) {
		d.dropped("top_p", d.call.Model+" takes it only without a temperature")
		d.settings.TopP = nil
	}
	if family.known && tokens > family.maxOutput {
		d.warn("max_output_tokens", "was sent as %d, the answer and the thinking that %s writes at most", family.maxOutput, d.call.Model)
		tokens = family.maxOutput
	}
	return tokens
}

// jsonTool is the tool through which an answer is asked for as JSON.
const jsonTool = "json"

// claudeTools adds the tools, and the answer's own tool where the model has no
// native way to answer JSON. It gives that tool's name.
func (d *drafting) claudeTools(body *value.Object, family claude, thinking thinking, native bool) string {
	tools := []value.Value{}
	for _, tool := range d.call.Tools {
		tools = append(tools, object("name", tool.Name, "description", tool.Description, "input_schema", tool.InputSchema))
	}
	choice, answerTool := object("type", "auto"), ""
	if d.call.Schema != nil && !native {
		answerTool = jsonTool
		tools = append(tools, object("name", jsonTool, "description", "Respond with a JSON object.", "input_schema", d.call.Schema))
		if family.noForcedTools || thinking.kind == "enabled" {
			d.warn("output", "the answer's tool is offered, not forced: %s refuses forced tools here", d.call.Model)
		} else {
			choice.Set("type", "any")
		}
		if d.endpoint.Route != BedrockAnthropic {
			choice.Set("disable_parallel_tool_use", true)
		}
	}
	if len(tools) > 0 {
		body.Set("tools", tools)
		body.Set("tool_choice", choice)
	}
	return answerTool
}

// claudeMessages writes the conversation: tool results and the user's words
// that stand together become one message, as the format has only two roles.
func claudeMessages(messages []Message) []value.Value {
	written := []value.Value{}
	add := func(role string, blocks []value.Value) {
		if len(written) > 0 {
			last := written[len(written)-1].(*value.Object)
			if of, _ := last.Get("role"); of == role {
				content, _ := last.Get("content")
				last.Set("content", append(content.([]value.Value), blocks...))
				return
			}
		}
		written = append(written, object("role", role, "content", blocks))
	}
	for _, message := range messages {
		switch message.Role {
		case User:
			add("user", list(textBlock(message.Text)))
		case Assistant:
			add("assistant", claudeTurn(message))
		case ToolResults:
			blocks := []value.Value{}
			for _, result := range message.Results {
				blocks = append(blocks, object("type", "tool_result", "tool_use_id", result.ID, "content", result.Text, "is_error", when(result.Error, true)))
			}
			add("user", blocks)
		}
	}
	return written
}

func claudeTurn(message Message) []value.Value {
	if native, ok := message.Native.([]value.Value); ok {
		return append([]value.Value{}, native...)
	}
	blocks := []value.Value{}
	if message.Text != "" {
		blocks = append(blocks, textBlock(message.Text))
	}
	for _, call := range message.Calls {
		blocks = append(blocks, object("type", "tool_use", "id", call.ID, "name", call.Name, "input", inputObject(call)))
	}
	return blocks
}

// inputObject gives the arguments of a call where a format takes only objects.
func inputObject(call ToolCall) value.Value {
	if input, ok := call.Input.(*value.Object); ok {
		return input
	}
	return value.NewObject(0)
}

// readMessages reads a message. Where the answer's tool was called, its
// arguments are the answer and the words around it are not.
func readMessages(root *value.Object, answerTool string) (*Answer, error) {
	content, ok := get(root, "content").([]value.Value)
	if !ok {
		return nil, &Unreadable{"it has no content"}
	}
	answer := &Answer{
		RawFinishReason: text(root, "stop_reason"),
		ResponseID:      text(root, "id"),
		Model:           text(root, "model"),
		Native:          content,
		Usage:           claudeUsage(root),
	}
	for _, block := range content {
		switch text(block, "type") {
		case "text":
			answer.Text += text(block, "text")
		case "tool_use":
			answer.Calls = append(answer.Calls, ToolCall{ID: text(block, "id"), Name: text(block, "name"), Input: get(block, "input")})
		}
	}
	answered := answer.takeAnswerTool(answerTool)
	switch answer.RawFinishReason {
	case "end_turn", "stop_sequence", "pause_turn":
		answer.FinishReason = Stop
	case "max_tokens", "model_context_window_exceeded":
		answer.FinishReason = Length
	case "refusal":
		answer.FinishReason = ContentFilter
	case "tool_use":
		answer.FinishReason = CallsTools
		if answered {
			answer.FinishReason = Stop
		}
	default:
		answer.FinishReason = Other
	}
	return answer, nil
}

func claudeUsage(root *value.Object) Usage {
	usage, ok := get(root, "usage").(*value.Object)
	if !ok {
		return Usage{}
	}
	uncached, read, written := count(usage, "input_tokens"), count(usage, "cache_read_input_tokens"), count(usage, "cache_creation_input_tokens")
	output, reasoning := count(usage, "output_tokens"), count(usage, "output_tokens_details", "thinking_tokens")
	if uncached != nil {
		read, written = orZero(read), orZero(written)
	}
	return Usage{
		Input:  InputTokens{Total: sum(sum(uncached, read), written), Uncached: uncached, CacheRead: read, CacheWrite: written},
		Output: OutputTokens{Total: output, Text: minus(output, reasoning), Reasoning: reasoning},
		Total:  both(sum(sum(uncached, read), written), output),
	}
}
