package double

import (
	"encoding/json"
	"io"
	"log"

	"github.com/beonauto/auto/engine/model/wire"
)

// This file writes answers and errors in the form of each route.

// Answer is what a model says, whatever the route.
type Answer struct {
	Text    string
	Calls   []Call
	Finish  string // the route's own word; empty: that of a whole answer
	Refusal string
	// Tokens read, of which from a cache, and written, of which for reasoning.
	Input, Cached, Output, Reasoning int
}

// Call is a call of a tool.
type Call struct {
	ID, Name string
	Input    any // as JSON; a json.RawMessage keeps the order of its keys
}

// Say is the reply of a route that gives text.
func Say(route wire.Route, text string) Reply { return Give(route, Answer{Text: text}) }

// Give is the reply of a route that gives an answer.
func Give(route wire.Route, answer Answer) Reply {
	if answer.Input == 0 {
		answer.Input, answer.Output = 20, 6
	}
	reply := Reply{}
	var body any
	switch route {
	case wire.OpenAI, wire.Azure:
		body = responses(answer)
	case wire.Anthropic, wire.BedrockAnthropic, wire.VertexAnthropic:
		body = messages(answer)
	case wire.Google, wire.Vertex:
		body = gemini(answer)
	case wire.Bedrock:
		reply.Header = map[string]string{"x-amzn-RequestId": "b7f0a5d2-2f0c-4a51-9c2e-5f6d1c0e8a11"}
		body = converse(answer)
	default:
		body = chat(answer)
	}
	reply.Body = marshal(body)
	return reply
}

func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

type object = map[string]any

func or(word, usual string) string {
	if word != "" {
		return word
	}
	return usual
}

func responses(a Answer) object {
	output := []any{}
	if a.Reasoning > 0 {
		output = append(output, object{"type": "reasoning", "id": "rs_1", "summary": []any{}})
	}
	if a.Text != "" || a.Refusal != "" {
		content := []any{}
		if a.Text != "" {
			content = append(content, object{"type": "output_text", "text": a.Text, "annotations": []any{}})
		}
		if a.Refusal != "" {
			content = append(content, object{"type": "refusal", "refusal": a.Refusal})
		}
		output = append(output, object{"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": content})
	}
	for _, call := range a.Calls {
		output = append(output, object{"type": "function_call", "id": "fc_" + call.ID, "call_id": call.ID, "name": call.Name, "arguments": marshal(call.Input), "status": "completed"})
	}
	response := object{
		"id": "resp_0199", "object": "response", "created_at": 1760000000, "status": "completed", "error": nil, "incomplete_details": nil,
		"model": "gpt-4.1-mini-2025-04-14", "output": output, "usage": object{
			"input_tokens": a.Input, "input_tokens_details": object{"cached_tokens": a.Cached},
			"output_tokens": a.Output, "output_tokens_details": object{"reasoning_tokens": a.Reasoning}, "total_tokens": a.Input + a.Output,
		},
	}
	if a.Finish != "" {
		response["status"], response["incomplete_details"] = "incomplete", object{"reason": a.Finish}
	}
	return response
}

func messages(a Answer) object {
	content := []any{}
	if a.Text != "" {
		content = append(content, object{"type": "text", "text": a.Text})
	}
	finish := or(a.Finish, "end_turn")
	for _, call := range a.Calls {
		content = append(content, object{"type": "tool_use", "id": call.ID, "name": call.Name, "input": call.Input})
		finish = or(a.Finish, "tool_use")
	}
	usage := object{"input_tokens": a.Input - a.Cached, "cache_creation_input_tokens": 0, "cache_read_input_tokens": a.Cached, "output_tokens": a.Output, "service_tier": "standard"}
	if a.Reasoning > 0 {
		usage["output_tokens_details"] = object{"thinking_tokens": a.Reasoning}
	}
	return object{
		"id": "msg_0199", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929", "content": content,
		"stop_reason": finish, "stop_sequence": nil, "usage": usage,
	}
}

func gemini(a Answer) object {
	parts := []any{}
	if a.Text != "" {
		parts = append(parts, object{"text": a.Text})
	}
	for _, call := range a.Calls {
		parts = append(parts, object{"functionCall": object{"id": call.ID, "name": call.Name, "args": call.Input}, "thoughtSignature": "c2lnbmVk"})
	}
	return object{
		"candidates":    []any{object{"content": object{"role": "model", "parts": parts}, "finishReason": or(a.Finish, "STOP"), "index": 0}},
		"usageMetadata": object{"promptTokenCount": a.Input, "cachedContentTokenCount": a.Cached, "candidatesTokenCount": a.Output - a.Reasoning, "thoughtsTokenCount": a.Reasoning, "totalTokenCount": a.Input + a.Output},
		"modelVersion":  "gemini-2.5-flash", "responseId": "resp-0199",
	}
}

func converse(a Answer) object {
	content := []any{}
	if a.Text != "" {
		content = append(content, object{"text": a.Text})
	}
	finish := or(a.Finish, "end_turn")
	for _, call := range a.Calls {
		content = append(content, object{"toolUse": object{"toolUseId": call.ID, "name": call.Name, "input": call.Input}})
		finish = or(a.Finish, "tool_use")
	}
	return object{
		"output": object{"message": object{"role": "assistant", "content": content}}, "stopReason": finish, "metrics": object{"latencyMs": 512},
		"usage": object{"inputTokens": a.Input - a.Cached, "outputTokens": a.Output, "totalTokens": a.Input + a.Output, "cacheReadInputTokens": a.Cached, "cacheWriteInputTokens": 0},
	}
}

func chat(a Answer) object {
	message := object{"role": "assistant", "content": a.Text}
	finish := or(a.Finish, "stop")
	if a.Refusal != "" {
		message["content"], message["refusal"] = nil, a.Refusal
	}
	if len(a.Calls) > 0 {
		calls := []any{}
		for _, call := range a.Calls {
			calls = append(calls, object{"id": call.ID, "type": "function", "function": object{"name": call.Name, "arguments": marshal(call.Input)}})
		}
		message["tool_calls"], finish = calls, or(a.Finish, "tool_calls")
	}
	return object{
		"id": "chatcmpl-0199", "object": "chat.completion", "created": 1760000000, "model": "llama-3.3-70b-instruct",
		"choices": []any{object{"index": 0, "message": message, "finish_reason": finish, "logprobs": nil}},
		"usage": object{
			"prompt_tokens": a.Input, "completion_tokens": a.Output, "total_tokens": a.Input + a.Output,
			"prompt_tokens_details": object{"cached_tokens": a.Cached}, "completion_tokens_details": object{"reasoning_tokens": a.Reasoning},
		},
	}
}

// Fault of an API: its status, its code and its words, in the form of a route.
func Fail(route wire.Route, status int, code, message string) Reply {
	reply := Reply{Status: status}
	switch route {
	case wire.Anthropic, wire.VertexAnthropic:
		reply.Body = marshal(object{"type": "error", "error": object{"type": code, "message": message}, "request_id": "req_0199"})
	case wire.Google, wire.Vertex:
		reply.Body = marshal(object{"error": object{"code": status, "message": message, "status": code}})
	case wire.Bedrock, wire.BedrockAnthropic:
		reply.Header = map[string]string{"x-amzn-ErrorType": code + ":http://internal.amazon.com/coral/com.amazon.bedrock/"}
		reply.Body = marshal(object{"message": message})
	default:
		reply.Body = marshal(object{"error": object{"message": message, "type": "invalid_request_error", "param": nil, "code": code}})
	}
	return reply
}

// InvalidKey is how Google refuses a key: with HTTP 400 and a reason.
func InvalidKey() Reply {
	return Reply{Status: 400, Body: marshal(object{"error": object{
		"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT",
		"details": []any{object{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}},
	}})}
}

// FilteredPrompt is how Azure refuses a prompt under its content policy.
func FilteredPrompt() Reply {
	return Reply{Status: 400, Body: marshal(object{"error": object{
		"message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", "type": nil,
		"param": "prompt", "code": "content_filter", "status": 400,
		"innererror": object{"code": "ResponsibleAIPolicyViolation", "content_filter_result": object{"hate": object{"filtered": true, "severity": "high"}}},
	}})}
}

// RefusedSchema is how OpenAI refuses a schema.
func RefusedSchema(param string) Reply {
	return Reply{Status: 400, Body: marshal(object{"error": object{
		"message": "Invalid schema for response_format 'response': In context=(), 'required' is required to be supplied.",
		"type":    "invalid_request_error", "param": param, "code": "invalid_json_schema",
	}})}
}

// After adds a retry-after to a reply.
func (r Reply) After(seconds string) Reply {
	header := map[string]string{"retry-after": seconds}
	for name, v := range r.Header {
		header[name] = v
	}
	r.Header = header
	return r
}

func discard() *log.Logger { return log.New(io.Discard, "", 0) }
