package tool

import (
	"time"

	"github.com/beonauto/auto/engine/value"
)

// This file is what the history says of a call (reasoning format, "The run's
// history"): the data of its events, but for the call's number and the id that a
// model gave it, which are a run's.

// The types of the events of a call.
const (
	CallStarted  = "tool_call_started"
	CallAnswered = "tool_call_answered"
	CallFailed   = "tool_call_failed"
)

// StartedData is the data of CallStarted, which is recorded before the call is
// sent.
func (s *Servers) StartedData(of *Tool, arguments *value.Object) *value.Object {
	if arguments == nil {
		arguments = &value.Object{}
	}
	data := value.NewObject(7)
	data.Set("server", of.Server)
	data.Set("tool", of.Name)
	if of.Reads {
		data.Set("read_only", true)
	}
	s.keep(data, of.Server, "arguments", arguments)
	return data
}

// AnsweredData is the data of CallAnswered. Shown is how many bytes of the result
// the model read.
func (s *Servers) AnsweredData(of *Tool, result *Result, shown int) *value.Object {
	data := value.NewObject(10)
	data.Set("server", of.Server)
	data.Set("tool", of.Name)
	data.Set("is_error", result.IsError)
	s.keep(data, of.Server, "result", result.Whole)
	if shown < len(result.Shown()) {
		data.Set("shown_bytes", float64(shown))
	}
	ended(data, result.Duration, result.JSONRPCID, result.RequestID)
	return data
}

// FailedData is the data of CallFailed. A call that never left says so, since it
// cannot have changed anything.
func (s *Servers) FailedData(of *Tool, failure *Failure) *value.Object {
	data := value.NewObject(8)
	data.Set("server", of.Server)
	data.Set("tool", of.Name)
	data.Set("because", string(failure.inHistory()))
	data.Set("message", failure.Message)
	if !failure.Sent {
		data.Set("sent", false)
	}
	ended(data, failure.Duration, failure.JSONRPCID, failure.RequestID)
	return data
}

// inHistory is why a call failed, in one of the words of the history. A server
// that no longer has the tool fails.
func (f *Failure) inHistory() Because {
	switch f.Because {
	case ArgumentsRefused, TimedOut, TooLarge, Cancelled:
		return f.Because
	}
	return ServerFailure
}

// keep sets a value's size, and where it is kept its digest and the value.
func (s *Servers) keep(data *value.Object, server, key string, v value.Value) {
	kept := s.Keep(server, v)
	data.Set(key+"_bytes", float64(kept.Bytes))
	if kept.Digest != "" {
		data.Set(key+"_digest", kept.Digest)
		data.Set(key, kept.Value)
	}
}

func ended(data *value.Object, took time.Duration, id value.Value, requestID string) {
	data.Set("duration_ms", float64(took.Milliseconds()))
	data.Set("jsonrpc_id", id)
	if requestID != "" {
		data.Set("request_id", requestID)
	}
}
