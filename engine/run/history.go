package run

// This file is the events of a call of a tool (reasoning format, "The run's
// history").

import (
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// The types of the events of a call.
const (
	toolStarted  = "tool_call_started"
	toolAnswered = "tool_call_answered"
	toolFailed   = "tool_call_failed"
)

// toolCall is one call as the history names it.
type toolCall struct {
	number int    // in the run, from 1
	id     string // that the model gave it; empty where no model did
	server string
	tool   string
	reads  bool
}

func (c toolCall) name() string { return c.server + "/" + c.tool }

func (c toolCall) data() *value.Object {
	data := value.NewObject(12)
	data.Set("number", float64(c.number))
	if c.id != "" {
		data.Set("call_id", c.id)
	}
	data.Set("server", c.server)
	data.Set("tool", c.tool)
	return data
}

// startedEvent announces a call. It is recorded before the call is sent.
func startedEvent(call toolCall, arguments tool.Kept) store.Event {
	data := call.data()
	if call.reads {
		data.Set("read_only", true)
	}
	setKept(data, "arguments", arguments)
	return store.Event{Type: toolStarted, Data: data}
}

// answeredEvent is a call that was answered. Shown counts the bytes that the
// model read of a result that was cut; 0 of one that was not.
func answeredEvent(call toolCall, result *tool.Result, kept tool.Kept, shown int) store.Event {
	data := call.data()
	data.Set("is_error", result.IsError)
	setKept(data, "result", kept)
	if shown > 0 {
		data.Set("shown_bytes", float64(shown))
	}
	data.Set("duration_ms", float64(result.Duration.Milliseconds()))
	setIDs(data, result.JSONRPCID, result.RequestID)
	return store.Event{Type: toolAnswered, Data: data}
}

// failedEvent is a call without a result.
func failedEvent(call toolCall, failure *tool.Failure) store.Event {
	data := call.data()
	data.Set("because", string(becauseOf(failure)))
	data.Set("message", failure.Message)
	if !failure.Sent {
		data.Set("sent", false)
	}
	data.Set("duration_ms", float64(failure.Duration.Milliseconds()))
	setIDs(data, failure.JSONRPCID, failure.RequestID)
	return store.Event{Type: toolFailed, Data: data}
}

// becauseOf is why a call failed, in one of the words of the history. A server
// that no longer has the tool fails.
func becauseOf(failure *tool.Failure) tool.Because {
	switch failure.Because {
	case tool.ArgumentsRefused, tool.TimedOut, tool.TooLarge, tool.Cancelled:
		return failure.Because
	}
	return tool.ServerFailure
}

// setKept sets the size of a content and, where it is kept, its digest and the
// content itself.
func setKept(data *value.Object, name string, kept tool.Kept) {
	data.Set(name+"_bytes", float64(kept.Bytes))
	if kept.Digest != "" {
		data.Set(name+"_digest", kept.Digest)
		data.Set(name, kept.Value)
	}
}

func setIDs(data *value.Object, jsonrpc value.Value, request string) {
	if jsonrpc != nil {
		data.Set("jsonrpc_id", jsonrpc)
	}
	if request != "" {
		data.Set("request_id", request)
	}
}

// contents are the contents that events hold in full.
var contents = []string{"arguments", "result"}

// Shown gives an event as a list of the history shows it: without a content of
// more than ShownBytes, whose size the event gives.
func Shown(event store.Event) store.Event {
	if event.Type != toolStarted && event.Type != toolAnswered {
		return event
	}
	for _, name := range contents {
		size, _ := event.Data.Get(name + "_bytes")
		if bytes, _ := value.Number(size); bytes <= ShownBytes || !event.Data.Has(name) {
			continue
		}
		short := value.NewObject(event.Data.Len())
		for i := range event.Data.Len() {
			if key, v := event.Data.At(i); key != name {
				short.Set(key, v)
			}
		}
		event.Data = short
	}
	return event
}
