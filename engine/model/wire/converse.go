package wire

import (
	"net/http"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file is the Bedrock Converse format: every model that Bedrock serves,
// with what only some of them know in additionalModelRequestFields.

// converseModel is what a model id says of the model behind it.
type converseModel struct {
	claude  bool
	openAI  bool // an OpenAI model, open weights included
	gptOss  bool
	nova2   bool // Nova 2, which reasons
	mistral bool
	nova    bool
}

func (d *drafting) converseModel(own *value.Object) converseModel {
	id := d.call.Model
	bare := id
	if at := strings.Index(bare, "openai."); at > 0 && strings.Count(bare[:at], ".") == 1 && bare[at-1] == '.' {
		bare = bare[at:]
	}
	profile := strings.Contains(id, ":application-inference-profile/")
	return converseModel{
		claude:  strings.Contains(id, "anthropic") || profile && own.Has("budgetTokens"),
		openAI:  strings.HasPrefix(bare, "openai."),
		gptOss:  strings.HasPrefix(bare, "openai.gpt-oss-"),
		nova2:   strings.Contains(id, "amazon.nova-2-lite-v1:0"),
		mistral: strings.Contains(id, "mistral."),
		nova:    strings.Contains(id, "amazon.nova"),
	}
}

// converseOptions gives reasoningConfig: amazonBedrock's, where a definition
// sets any option there, in place of bedrock's.
func (d *drafting) converseOptions() *value.Object {
	return d.option(d.converseNamespace(), "reasoningConfig")
}

func (d *drafting) converseNamespace() string {
	if d.call.Options.Has("amazonBedrock") {
		return "amazonBedrock"
	}
	return "bedrock"
}

// converseReasoning is how a model is asked to reason.
type converseReasoning struct {
	kind    string // enabled, adaptive, disabled; empty: not said
	budget  value.Value
	effort  value.Value
	display value.Value
}

func (r converseReasoning) on() bool { return r.kind == "enabled" || r.kind == "adaptive" }

func (d *drafting) converse() (*value.Object, string) {
	own := d.converseOptions()
	model := d.converseModel(own)
	family := claudeOf(d.call.Model)
	d.dropSeed()
	if family.noSampling {
		d.dropSampling(d.call.Model + " takes no sampling settings")
	}
	if !model.openAI || model.gptOss {
		d.boundTemperature()
	}
	reasoning := d.converseReasoning(model, family, own)
	fields := d.converseFields(model, reasoning)
	native := d.call.Schema != nil && model.claude && bedrockTakesFormat(d.call.Model) && (family.nativeJSON || reasoning.on())
	if native {
		output, _ := get(fields, "output_config").(*value.Object)
		if output == nil {
			output = value.NewObject(1)
		}
		output.Set("format", object("type", "json_schema", "schema", d.call.Schema))
		fields.Set("output_config", output)
	}
	inference := d.converseInference(model, reasoning)
	body := object("messages", d.converseMessages(model))
	if d.call.Instructions != "" {
		body.Set("system", list(object("text", d.call.Instructions)))
	}
	set(body, "additionalModelRequestFields", when(fields.Len() > 0, fields))
	set(body, "inferenceConfig", when(inference.Len() > 0, inference))
	return body, d.converseTools(body, model, family, native)
}

// converseReasoning joins config.reasoning and the definition's own
// reasoningConfig, which wins.
func (d *drafting) converseReasoning(model converseModel, family claude, own *value.Object) converseReasoning {
	asked := converseReasoning{}
	effort := func() value.Value {
		if d.settings.Reasoning == "xhigh" {
			d.changed("reasoning", "xhigh", "max")
			return "max"
		}
		return d.nearest("low", "medium", "high")
	}
	switch reasoning := d.settings.Reasoning; {
	case reasoning == "":
	case model.claude && reasoning == "none":
		asked.kind = "disabled"
		own = nil
	case model.claude && family.adaptive:
		asked.kind, asked.effort = "adaptive", effort()
	case model.claude:
		asked.kind, asked.budget = "enabled", float64(d.budget(family.maxOutput, leastBudget, family.maxOutput))
	case reasoning == "none":
	case model.openAI || model.nova2 || own != nil:
		asked.effort = effort()
		if model.nova2 {
			asked.kind = "enabled"
		}
	default:
		d.dropped("reasoning", d.call.Model+" is not known to reason")
	}
	for i := range own.Len() {
		switch key, v := own.At(i); key {
		case "type":
			asked.kind, _ = v.(string)
		case "budgetTokens":
			asked.budget = v
		case "maxReasoningEffort":
			asked.effort = v
		case "display":
			asked.display = v
		default:
			d.dropped("provider_options."+d.converseNamespace()+".reasoningConfig."+key, "Bedrock has none")
		}
	}
	if d.settings.Reasoning != "" && asked.kind == "disabled" {
		asked.budget, asked.effort = nil, nil
	}
	return asked
}

// converseFields are the members that only some models know.
func (d *drafting) converseFields(model converseModel, reasoning converseReasoning) *value.Object {
	const setting = "provider_options.amazonBedrock.reasoningConfig"
	fields := value.NewObject(3)
	switch {
	case model.claude && reasoning.kind == "enabled" && reasoning.budget != nil:
		fields.Set("thinking", object("type", "enabled", "budget_tokens", reasoning.budget))
	case model.claude && reasoning.kind == "adaptive":
		fields.Set("thinking", object("type", "adaptive", "display", given(reasoning.display)))
	case !model.claude && reasoning.budget != nil && reasoning.effort == nil:
		d.dropped(setting+".budgetTokens", "only Claude models on Bedrock take one")
	}
	if !model.claude && reasoning.kind == "adaptive" {
		d.dropped(setting+".type", "adaptive is for Claude models on Bedrock only")
	}
	switch {
	case reasoning.effort == nil:
	case model.claude:
		fields.Set("output_config", object("effort", reasoning.effort))
	case model.gptOss:
		fields.Set("reasoning_effort", reasoning.effort)
	case model.openAI:
		fields.Set("reasoning", object("effort", reasoning.effort))
	default:
		fields.Set("reasoningConfig", object(
			"type", when(reasoning.kind != "" && reasoning.kind != "adaptive", reasoning.kind),
			"budgetTokens", when(reasoning.kind == "enabled" && reasoning.budget != nil, reasoning.budget),
			"maxReasoningEffort", reasoning.effort))
	}
	return fields
}

// converseInference are the settings that every model knows, less what this
// one refuses.
func (d *drafting) converseInference(model converseModel, reasoning converseReasoning) *value.Object {
	tokens := any(float64(d.settings.MaxOutputTokens))
	if model.claude && reasoning.on() {
		d.dropSampling("thinking takes no sampling settings")
		if budget, ok := value.Whole(reasoning.budget); ok && reasoning.kind == "enabled" {
			tokens = float64(d.settings.MaxOutputTokens + budget)
		}
	}
	if effort, _ := reasoning.effort.(string); model.nova2 && reasoning.kind == "enabled" && (effort == "high" || effort == "xhigh" || effort == "max") {
		d.dropped("max_output_tokens", d.call.Model+" takes none at this effort")
		tokens = absent{}
	}
	if model.openAI {
		if !model.gptOss {
			d.dropSampling(d.call.Model + " takes none on the Converse API")
		}
		if d.settings.StopSequences != nil {
			d.dropped("stop_sequences", d.call.Model+" takes none on the Converse API")
			d.settings.StopSequences = nil
		}
	}
	return object("maxTokens", tokens, "temperature", number(d.settings.Temperature), "topP", number(d.settings.TopP),
		"stopSequences", textList(d.settings.StopSequences))
}

func (d *drafting) converseTools(body *value.Object, model converseModel, family claude, native bool) string {
	specs := []value.Value{}
	add := func(name, description string, schema value.Value) {
		specs = append(specs, object("toolSpec", object("name", name,
			"description", when(strings.TrimSpace(description) != "", description), "inputSchema", object("json", schema))))
	}
	for _, tool := range d.call.Tools {
		add(tool.Name, tool.Description, tool.InputSchema)
	}
	choice, answerTool := "auto", ""
	if d.call.Schema != nil && !native {
		answerTool = jsonTool
		add(jsonTool, "Respond with a JSON object.", d.call.Schema)
		choice = "any"
		if model.claude && family.noForcedTools {
			choice = "auto"
			d.warn("output", "the answer's tool is offered, not forced: %s refuses forced tools", d.call.Model)
		}
	}
	if len(specs) > 0 {
		body.Set("toolConfig", object("tools", specs, "toolChoice", object(choice, value.NewObject(0))))
	}
	return answerTool
}

// converseMessages writes the conversation. Bedrock takes calls and results
// only beside tools: without any they are left out.
func (d *drafting) converseMessages(model converseModel) []value.Value {
	written := []value.Value{}
	add := func(role string, blocks []value.Value) {
		if len(blocks) == 0 {
			return
		}
		if len(written) > 0 {
			last := written[len(written)-1].(*value.Object)
			if text(last, "role") == role {
				last.Set("content", append(items(last, "content"), blocks...))
				return
			}
		}
		written = append(written, object("role", role, "content", blocks))
	}
	tools := len(d.call.Tools) > 0 || d.call.Schema != nil
	for _, message := range d.call.Messages {
		switch message.Role {
		case User:
			add("user", list(object("text", message.Text)))
		case Assistant:
			add("assistant", converseTurn(message, model, tools))
		case ToolResults:
			blocks := []value.Value{}
			for _, result := range message.Results {
				if tools {
					blocks = append(blocks, converseResult(result, model))
				}
			}
			add("user", blocks)
		}
	}
	return written
}

// converseResult marks an error where the model knows the mark.
func converseResult(result ToolResult, model converseModel) *value.Object {
	return object("toolResult", object("toolUseId", converseID(result.ID, model), "content", list(object("text", result.Text)),
		"status", when(result.Error && (model.claude || model.nova), "error")))
}

func converseTurn(message Message, model converseModel, tools bool) []value.Value {
	if native, ok := message.Native.([]value.Value); ok && tools {
		return append([]value.Value{}, native...)
	}
	blocks := []value.Value{}
	if strings.TrimSpace(message.Text) != "" {
		blocks = append(blocks, object("text", message.Text))
	}
	for _, call := range message.Calls {
		if tools {
			blocks = append(blocks, object("toolUse", object("toolUseId", converseID(call.ID, model), "name", call.Name, "input", inputObject(call))))
		}
	}
	return blocks
}

// converseID gives the id of a call as the model takes it: Mistral models want
// nine letters and digits.
func converseID(id string, model converseModel) string {
	if !model.mistral || isNine(id) {
		return id
	}
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	hash := uint64(14695981039346656037) // FNV-1a
	for i := range len(id) {
		hash = (hash ^ uint64(id[i])) * 1099511628211
	}
	var nine [9]byte
	for i := range nine {
		nine[len(nine)-1-i] = alphabet[hash%uint64(len(alphabet))]
		hash /= uint64(len(alphabet))
	}
	return string(nine[:])
}

func isNine(id string) bool {
	if len(id) != 9 {
		return false
	}
	for i := range len(id) {
		if c := id[i]; !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			return false
		}
	}
	return true
}

func readConverse(root *value.Object, header http.Header, answerTool string) (*Answer, error) {
	content, ok := get(root, "output", "message", "content").([]value.Value)
	if !ok {
		return nil, &Unreadable{"it has no message"}
	}
	answer := &Answer{
		RawFinishReason: text(root, "stopReason"),
		ResponseID:      header.Get("x-amzn-RequestId"),
		Native:          converseNative(content),
		Usage:           converseUsage(root),
	}
	for _, block := range content {
		answer.Text += text(block, "text")
		if call := get(block, "toolUse"); call != nil {
			answer.Calls = append(answer.Calls, ToolCall{ID: text(call, "toolUseId"), Name: text(call, "name"), Input: get(call, "input")})
		}
	}
	answered := answer.takeAnswerTool(answerTool)
	switch answer.RawFinishReason {
	case "end_turn", "stop_sequence":
		answer.FinishReason = Stop
	case "max_tokens", "model_context_window_exceeded":
		answer.FinishReason = Length
	case "content_filtered", "guardrail_intervened":
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

// converseNative keeps what Bedrock takes back: reasoning that no signature
// vouches for would be refused or shown.
func converseNative(content []value.Value) value.Value {
	kept := []value.Value{}
	for _, block := range content {
		reasoning := get(block, "reasoningContent")
		if reasoning != nil && text(reasoning, "reasoningText", "signature") == "" && get(reasoning, "redactedContent") == nil {
			continue
		}
		kept = append(kept, block)
	}
	return kept
}

func converseUsage(root *value.Object) Usage {
	usage, ok := get(root, "usage").(*value.Object)
	if !ok {
		return Usage{}
	}
	uncached, output := count(usage, "inputTokens"), count(usage, "outputTokens")
	read, written := orZero(count(usage, "cacheReadInputTokens")), orZero(count(usage, "cacheWriteInputTokens"))
	total := uncached
	if uncached != nil {
		total = sum(sum(uncached, read), written)
	}
	return Usage{
		Input:  InputTokens{Total: total, Uncached: uncached, CacheRead: read, CacheWrite: written},
		Output: OutputTokens{Total: output, Text: output},
		Total:  both(total, output),
	}
}
