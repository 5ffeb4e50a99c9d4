package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file is the Gemini generateContent format: Google's API for developers
// and Vertex.

// unsigned stands in for the signature of a call that this provider did not
// make, which Gemini 3 models would refuse without one.
const unsigned = "skip_thought_signature_validator"

func (d *drafting) gemini() (*value.Object, string) {
	family := geminiOf(d.call.Model)
	options := d.geminiOptions()
	thinkingConfig := d.geminiThinking(family, options)
	answerTool := ""
	if d.call.Schema != nil && len(d.call.Tools) > 0 && family.ours && !family.third {
		answerTool = d.freeName(jsonTool)
	}
	native := d.call.Schema != nil && answerTool == ""
	config := object(
		"maxOutputTokens", float64(d.settings.MaxOutputTokens),
		"temperature", number(d.settings.Temperature),
		"topP", number(d.settings.TopP),
		"stopSequences", textList(d.settings.StopSequences),
		"seed", whole(d.settings.Seed),
		"responseMimeType", when(native, "application/json"),
		"responseJsonSchema", when(native, enumForConst(d.call.Schema)),
		"thinkingConfig", when(thinkingConfig.Len() > 0, thinkingConfig),
	)
	body := object("generationConfig", config, "contents", d.geminiContents(family))
	if d.call.Instructions != "" && !family.gemma {
		body.Set("systemInstruction", object("parts", list(object("text", d.call.Instructions))))
	}
	if settings := geminiSafety(options); settings != nil {
		body.Set("safetySettings", settings)
	}
	d.geminiTools(body, answerTool)
	return body, answerTool
}

// geminiOptions gives the options of the first namespace a definition sets:
// googleVertex, vertex and google for Vertex, google alone for Google.
func (d *drafting) geminiOptions() *value.Object {
	namespaces := []string{"google"}
	if d.endpoint.Route == Vertex {
		namespaces = []string{"googleVertex", "vertex", "google"}
		d.ignore("googleVertex", "thinking")
	}
	for _, namespace := range namespaces {
		v, _ := d.call.Options.Get(namespace)
		if options, ok := v.(*value.Object); ok {
			return options
		}
	}
	return nil
}

// geminiReference is the most tokens a Gemini model writes, a share of which is
// a thinking budget.
const geminiReference = 65536

func (d *drafting) geminiThinking(family gemini, options *value.Object) *value.Object {
	config := value.NewObject(2)
	own, _ := get(options, "thinkingConfig").(*value.Object)
	if d.settings.Reasoning != "" {
		switch {
		case own.Has("thinkingBudget") || own.Has("thinkingLevel"):
			d.dropped("reasoning", "provider_options sets the thinking itself")
		case family.levels != nil:
			config.Set("thinkingLevel", d.nearest(family.levels...))
		case d.settings.Reasoning == "none" && family.leastBudget == 0:
			config.Set("thinkingBudget", 0.0)
		default:
			config.Set("thinkingBudget", float64(d.budget(geminiReference, family.leastBudget, family.mostBudget)))
		}
	}
	for i := range own.Len() {
		config.Set(own.At(i))
	}
	return config
}

// geminiCategories are the kinds of harm a single threshold stands for.
var geminiCategories = [...]string{
	"HARM_CATEGORY_HATE_SPEECH", "HARM_CATEGORY_DANGEROUS_CONTENT", "HARM_CATEGORY_HARASSMENT", "HARM_CATEGORY_SEXUALLY_EXPLICIT",
}

func geminiSafety(options *value.Object) value.Value {
	if settings := get(options, "safetySettings"); settings != nil {
		return settings
	}
	threshold := get(options, "threshold")
	if threshold == nil {
		return nil
	}
	settings := []value.Value{}
	for _, category := range geminiCategories {
		settings = append(settings, object("category", category, "threshold", threshold))
	}
	return settings
}

// freeName gives a tool name that none of the call's tools has.
func (d *drafting) freeName(name string) string {
	for n := 0; ; n++ {
		free := name
		if n > 0 {
			free = fmt.Sprintf("%s_%d", name, n)
		}
		if !slices.ContainsFunc(d.call.Tools, func(tool Tool) bool { return tool.Name == free }) {
			return free
		}
	}
}

func (d *drafting) geminiTools(body *value.Object, answerTool string) {
	declarations := []value.Value{}
	for _, tool := range d.call.Tools {
		declarations = append(declarations, object("name", tool.Name, "description", tool.Description, "parametersJsonSchema", tool.InputSchema))
	}
	mode := "AUTO"
	if answerTool != "" {
		mode = "ANY"
		declarations = append(declarations, object("name", answerTool, "description", "Respond with a JSON object.", "parametersJsonSchema", d.call.Schema))
	}
	if len(declarations) > 0 {
		body.Set("tools", list(object("functionDeclarations", declarations)))
		body.Set("toolConfig", object("functionCallingConfig", object("mode", mode)))
	}
}

func (d *drafting) geminiContents(family gemini) []value.Value {
	contents := []value.Value{}
	for i, message := range d.call.Messages {
		switch message.Role {
		case User:
			parts := list(object("text", message.Text))
			if i == 0 && family.gemma && d.call.Instructions != "" {
				parts = append(list(object("text", d.call.Instructions+"\n\n")), parts...)
			}
			contents = append(contents, object("role", "user", "parts", parts))
		case Assistant:
			contents = append(contents, d.geminiTurn(family, message))
		case ToolResults:
			parts := []value.Value{}
			for _, result := range message.Results {
				parts = append(parts, object("functionResponse", d.geminiResult(result)))
			}
			contents = append(contents, object("role", "user", "parts", parts))
		}
	}
	return contents
}

// geminiResult pairs a result with its call, by id where the API has ids.
func (d *drafting) geminiResult(result ToolResult) *value.Object {
	response := object("name", result.Name)
	if result.Error {
		response.Set("error", result.Text)
	} else {
		response.Set("content", result.Text)
	}
	return object("id", when(d.endpoint.Route == Google && result.ID != "", result.ID), "name", result.Name, "response", response)
}

func (d *drafting) geminiTurn(family gemini, message Message) *value.Object {
	if native, ok := message.Native.(*value.Object); ok {
		return native
	}
	parts := []value.Value{}
	if message.Text != "" {
		parts = append(parts, object("text", message.Text))
	}
	for _, call := range message.Calls {
		parts = append(parts, object("functionCall", object(
			"id", when(d.endpoint.Route == Google && call.ID != "", call.ID), "name", call.Name, "args", inputObject(call)),
			"thoughtSignature", when(family.third, unsigned)))
	}
	return object("role", "model", "parts", parts)
}

// enumForConst writes const as an enum of one, which is how Gemini takes it.
func enumForConst(schema value.Value) value.Value {
	from, ok := schema.(*value.Object)
	if !ok {
		return schema
	}
	to := value.NewObject(from.Len())
	for i := range from.Len() {
		key, v := from.At(i)
		switch key {
		case "const":
			key, v = "enum", list(v)
		case "items", "additionalProperties":
			v = enumForConst(v)
		case "anyOf", "oneOf":
			choices, _ := v.([]value.Value)
			rewritten := []value.Value{}
			for _, choice := range choices {
				rewritten = append(rewritten, enumForConst(choice))
			}
			v = rewritten
		case "properties", "$defs", "definitions":
			v = enumForConstIn(v)
		}
		to.Set(key, v)
	}
	return to
}

func enumForConstIn(schemas value.Value) value.Value {
	from, ok := schemas.(*value.Object)
	if !ok {
		return schemas
	}
	to := value.NewObject(from.Len())
	for i := range from.Len() {
		name, schema := from.At(i)
		to.Set(name, enumForConst(schema))
	}
	return to
}

// geminiFinish says what a reason of the API means.
func geminiFinish(reason string) FinishReason {
	switch reason {
	case "STOP":
		return Stop
	case "MAX_TOKENS", "CONTINUATION":
		return Length
	case "IMAGE_SAFETY", "RECITATION", "SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII":
		return ContentFilter
	case "MALFORMED_FUNCTION_CALL":
		return Failed
	}
	return Other
}

func readGemini(root *value.Object, answerTool string) (*Answer, error) {
	answer := &Answer{ResponseID: text(root, "responseId"), Model: text(root, "modelVersion"), Usage: geminiUsage(root)}
	candidates := items(root, "candidates")
	blocked := text(root, "promptFeedback", "blockReason")
	if strings.HasSuffix(blocked, "REASON_UNSPECIFIED") {
		blocked = ""
	}
	if len(candidates) == 0 || get(candidates[0], "finishReason") == nil && blocked != "" {
		if blocked == "" {
			return nil, &Unreadable{"it has no candidates"}
		}
		answer.FinishReason, answer.RawFinishReason = ContentFilter, blocked
		return answer, nil
	}
	if get(candidates[0], "content") == nil && get(candidates[0], "finishReason") == nil {
		return nil, &Unreadable{"its candidate has no content"}
	}
	answer.RawFinishReason = text(candidates[0], "finishReason")
	answer.Native = get(candidates[0], "content")
	for i, part := range items(candidates[0], "content", "parts") {
		if call := get(part, "functionCall"); call != nil {
			answer.Calls = append(answer.Calls, geminiCall(call, i))
		} else if thought, _ := get(part, "thought").(bool); !thought {
			answer.Text += text(part, "text")
		}
	}
	answered := answer.takeAnswerTool(answerTool)
	answer.FinishReason = geminiFinish(answer.RawFinishReason)
	if !answered {
		answer.finishWithCalls()
	}
	return answer, nil
}

// geminiCall reads a call. One without an id is told apart by its place.
func geminiCall(call value.Value, place int) ToolCall {
	read := ToolCall{ID: text(call, "id"), Name: text(call, "name"), Input: get(call, "args")}
	if read.ID == "" {
		read.ID = fmt.Sprintf("call_%d", place+1)
	}
	if read.Input == nil {
		read.Input = value.NewObject(0)
	}
	return read
}

func geminiUsage(root *value.Object) Usage {
	usage, ok := get(root, "usageMetadata").(*value.Object)
	if !ok {
		return Usage{}
	}
	input := sum(orZero(count(usage, "promptTokenCount")), count(usage, "toolUsePromptTokenCount"))
	read, words, thoughts := orZero(count(usage, "cachedContentTokenCount")), orZero(count(usage, "candidatesTokenCount")), orZero(count(usage, "thoughtsTokenCount"))
	return Usage{
		Input:  InputTokens{Total: input, Uncached: minus(input, read), CacheRead: read},
		Output: OutputTokens{Total: sum(words, thoughts), Text: words, Reasoning: thoughts},
		Total:  both(input, sum(words, thoughts)),
	}
}
