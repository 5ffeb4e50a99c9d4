package run

// This file is the events of a run's call of a tool: what the history says of any
// call, with its place in the run (reasoning format, "The run's history").

import (
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// toolCall is one call of a run.
type toolCall struct {
	number int    // in the run, from 1
	id     string // that the model gave it; empty where no model did
	of     *tool.Tool
}

// event puts the call's place in the run before what is said of any call.
func (c toolCall) event(eventType string, of *value.Object) store.Event {
	data := value.NewObject(of.Len() + 2)
	data.Set("number", float64(c.number))
	if c.id != "" {
		data.Set("call_id", c.id)
	}
	for i := range of.Len() {
		data.Set(of.At(i))
	}
	return store.Event{Type: eventType, Data: data}
}

// startedEvent announces a call. It is recorded before the call is sent.
func (r *Runner) startedEvent(call toolCall, arguments *value.Object) store.Event {
	return call.event(tool.CallStarted, r.tools.StartedData(call.of, arguments))
}

// answeredEvent is a call that was answered, of whose result the model read so
// many bytes.
func (r *Runner) answeredEvent(call toolCall, result *tool.Result, shown int) store.Event {
	return call.event(tool.CallAnswered, r.tools.AnsweredData(call.of, result, shown))
}

// failedEvent is a call without a result.
func (r *Runner) failedEvent(call toolCall, failure *tool.Failure) store.Event {
	return call.event(tool.CallFailed, r.tools.FailedData(call.of, failure))
}
