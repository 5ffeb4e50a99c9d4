package wire

import (
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file is the Chat Completions format that every gateway speaks.

func (d *drafting) chat() *value.Object {
	body := object("model", d.call.Model)
	if user := d.gatewayUser(); user != nil {
		body.Set("user", user)
	}
	set(body, "max_tokens", float64(d.settings.MaxOutputTokens))
	set(body, "temperature", number(d.settings.Temperature))
	set(body, "top_p", number(d.settings.TopP))
	if d.call.Schema != nil {
		body.Set("response_format", object("type", "json_schema", "json_schema",
			object("schema", d.call.Schema, "strict", true, "name", "response")))
	}
	set(body, "stop", textList(d.settings.StopSequences))
	set(body, "seed", whole(d.settings.Seed))
	for _, options := range d.gatewayOptions() {
		for i := range options.Len() {
			if name, v := options.At(i); name != "user" {
				body.Set(name, v)
			}
		}
	}
	set(body, "reasoning_effort", when(d.settings.Reasoning != "", d.settings.Reasoning))
	body.Set("messages", d.chatMessages())
	if len(d.call.Tools) > 0 {
		tools := []value.Value{}
		for _, tool := range d.call.Tools {
			tools = append(tools, object("type", "function", "function",
				object("name", tool.Name, "description", tool.Description, "parameters", tool.InputSchema)))
		}
		body.Set("tools", tools)
		body.Set("tool_choice", "auto")
	}
	return body
}

// GatewayNamespaces are the names under which a definition writes options for
// a gateway: its own, and that in camel case.
func GatewayNamespaces(gateway string) []string {
	if camel := camelCase(gateway); camel != gateway {
		return []string{gateway, camel}
	}
	return []string{gateway}
}

func camelCase(name string) string {
	var out strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '-' && i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z' {
			i++
			out.WriteByte(name[i] - 'a' + 'A')
			continue
		}
		out.WriteByte(name[i])
	}
	return out.String()
}

// SharedNamespace is where a definition sets user for any gateway.
const SharedNamespace = "openaiCompatible"

func (d *drafting) gatewayOptions() []*value.Object {
	found := []*value.Object{}
	for _, namespace := range GatewayNamespaces(d.endpoint.Provider) {
		v, _ := d.call.Options.Get(namespace)
		if options, ok := v.(*value.Object); ok {
			found = append(found, options)
		}
	}
	return found
}

// gatewayUser gives user, which a gateway's own namespace sets before the one
// shared by all.
func (d *drafting) gatewayUser() value.Value {
	shared, _ := d.call.Options.Get(SharedNamespace)
	user := get(shared, "user")
	for _, options := range d.gatewayOptions() {
		if own, ok := options.Get("user"); ok {
			user = own
		}
	}
	return user
}

func (d *drafting) chatMessages() []value.Value {
	messages := []value.Value{}
	if d.call.Instructions != "" {
		messages = append(messages, object("role", "system", "content", d.call.Instructions))
	}
	for _, message := range d.call.Messages {
		switch message.Role {
		case User:
			messages = append(messages, object("role", "user", "content", message.Text))
		case Assistant:
			messages = append(messages, chatTurn(message))
		case ToolResults:
			for _, result := range message.Results {
				messages = append(messages, object("role", "tool", "tool_call_id", result.ID, "content", markedOutput(result)))
			}
		}
	}
	return messages
}

func chatTurn(message Message) *value.Object {
	if native, ok := message.Native.(*value.Object); ok {
		return native
	}
	turn := object("role", "assistant", "content", message.Text)
	if len(message.Calls) == 0 {
		return turn
	}
	if message.Text == "" {
		turn.Set("content", nil)
	}
	calls := []value.Value{}
	for _, call := range message.Calls {
		calls = append(calls, object("id", call.ID, "type", "function", "function",
			object("name", call.Name, "arguments", writeArguments(call))))
	}
	turn.Set("tool_calls", calls)
	return turn
}

func readChat(root *value.Object) (*Answer, error) {
	choices := items(root, "choices")
	if len(choices) == 0 {
		return nil, &Unreadable{"it has no choices"}
	}
	message, ok := get(choices[0], "message").(*value.Object)
	if !ok {
		return nil, &Unreadable{"its choice has no message"}
	}
	answer := &Answer{
		Text:            chatText(get(message, "content")),
		Refusal:         text(message, "refusal"),
		RawFinishReason: text(choices[0], "finish_reason"),
		ResponseID:      text(root, "id"),
		Model:           text(root, "model"),
		Usage:           chatUsage(root),
		Native:          chatNative(message),
	}
	for _, call := range items(message, "tool_calls") {
		answer.Calls = append(answer.Calls, readArguments(ToolCall{ID: text(call, "id"), Name: text(call, "function", "name")}, text(call, "function", "arguments")))
	}
	switch answer.RawFinishReason {
	case "stop":
		answer.FinishReason = Stop
		if answer.Refusal != "" {
			answer.FinishReason = ContentFilter
		}
	case "length":
		answer.FinishReason = Length
	case "content_filter":
		answer.FinishReason = ContentFilter
	case "tool_calls", "function_call":
		answer.FinishReason = CallsTools
	default:
		answer.FinishReason = Other
	}
	answer.finishWithCalls()
	return answer, nil
}

// chatText reads content, which some gateways send as a list of parts.
func chatText(content value.Value) string {
	if whole, ok := content.(string); ok {
		return whole
	}
	joined := ""
	parts, _ := content.([]value.Value)
	for _, part := range parts {
		joined += text(part, "text")
	}
	return joined
}

// chatNative keeps of a turn what a gateway takes back: what it adds, such as a
// refusal or annotations, a strict one would refuse.
func chatNative(message *value.Object) value.Value {
	turn := object("role", "assistant", "content", get(message, "content"))
	for _, key := range []string{"reasoning_content", "tool_calls"} {
		if v := get(message, key); v != nil {
			turn.Set(key, v)
		}
	}
	return turn
}

func chatUsage(root *value.Object) Usage {
	usage, ok := get(root, "usage").(*value.Object)
	if !ok {
		return Usage{}
	}
	input, output := orZero(count(usage, "prompt_tokens")), orZero(count(usage, "completion_tokens"))
	read := orZero(count(usage, "prompt_tokens_details", "cached_tokens"))
	reasoning := orZero(count(usage, "completion_tokens_details", "reasoning_tokens"))
	return Usage{
		Input:  InputTokens{Total: input, Uncached: minus(input, read), CacheRead: read},
		Output: OutputTokens{Total: output, Text: minus(output, reasoning), Reasoning: reasoning},
		Total:  both(input, output),
	}
}
