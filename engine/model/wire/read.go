package wire

import (
	"slices"

	"github.com/beonauto/auto/engine/value"
)

// This file has what every format needs to read a response: members that may
// be missing or of another type, and counts of tokens.

// get gives the value under a path of keys, and nil where there is none.
func get(v value.Value, path ...string) value.Value {
	for _, key := range path {
		within, ok := v.(*value.Object)
		if !ok {
			return nil
		}
		v, _ = within.Get(key)
	}
	return v
}

// text gives the text under a path of keys, and an empty one where there is
// none.
func text(v value.Value, path ...string) string {
	found, _ := get(v, path...).(string)
	return found
}

// items gives the list under a path of keys.
func items(v value.Value, path ...string) []value.Value {
	found, _ := get(v, path...).([]value.Value)
	return found
}

// count gives a number of tokens, and nil for anything that is none.
func count(v value.Value, path ...string) *int64 {
	whole, ok := value.Whole(get(v, path...))
	if !ok || whole < 0 {
		return nil
	}
	return &whole
}

func orZero(n *int64) *int64 {
	if n == nil {
		return new(int64)
	}
	return n
}

// minus gives a - b, never below 0, and nil where either is unknown.
func minus(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	left := max(0, *a-*b)
	return &left
}

// both gives a + b, and nil where either is unknown.
func both(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	return sum(a, b)
}

// finishWithCalls says that an answer ended to call tools where its provider has
// no word for that, or one of its own.
func (a *Answer) finishWithCalls() {
	if len(a.Calls) > 0 && (a.FinishReason == Stop || a.FinishReason == Other) {
		a.FinishReason = CallsTools
	}
}

// takeAnswerTool makes the arguments of the answer's tool the answer's text,
// and tells whether it was called. Where the model calls other tools in the same
// turn, it has not yet seen what they return: that early answer is dropped.
func (a *Answer) takeAnswerTool(name string) bool {
	at := slices.IndexFunc(a.Calls, func(call ToolCall) bool { return call.Name == name })
	if name == "" || at < 0 {
		return false
	}
	call := a.Calls[at]
	a.Calls = slices.DeleteFunc(a.Calls, func(call ToolCall) bool { return call.Name == name })
	if len(a.Calls) > 0 {
		a.Native = withoutCall(a.Native, name)
		return false
	}
	a.Text = call.Unread
	if a.Text == "" {
		a.Text = value.JSON(call.Input)
	}
	return true
}

// withoutCall leaves the calls of a tool out of a turn, so that no call is sent
// back without its result.
func withoutCall(native value.Value, name string) value.Value {
	if content, ok := native.(*value.Object); ok { // Gemini's turn
		kept := without(content, "parts").(*value.Object)
		kept.Set("parts", withoutCall(items(content, "parts"), name))
		return kept
	}
	blocks, _ := native.([]value.Value)
	kept := []value.Value{}
	for _, block := range blocks {
		called := text(block, "toolUse", "name") == name || text(block, "functionCall", "name") == name ||
			text(block, "type") == "tool_use" && text(block, "name") == name
		if !called {
			kept = append(kept, block)
		}
	}
	return kept
}

// readArguments reads the arguments of a call that a provider sends as text.
func readArguments(call ToolCall, arguments string) ToolCall {
	if arguments == "" {
		call.Input = value.NewObject(0)
		return call
	}
	input, err := value.ParseJSON([]byte(arguments), answerDepth)
	if err != nil {
		call.Unread = arguments
		return call
	}
	call.Input = input
	return call
}

// writeArguments is the text of a call's arguments.
func writeArguments(call ToolCall) string {
	if call.Unread != "" {
		return call.Unread
	}
	if call.Input == nil {
		return "{}"
	}
	return value.JSON(call.Input)
}
