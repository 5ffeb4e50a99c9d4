package rpc

import "github.com/beonauto/auto/engine/value"

// This file is JSON-RPC 2.0: messages as they are written and read.

// Request writes a request.
func Request(id value.Value, method string, params *value.Object) []byte {
	return value.AppendJSON(nil, Object("jsonrpc", "2.0", "id", id, "method", method, "params", params))
}

// Notification writes a notification; params may be nil.
func Notification(method string, params *value.Object) []byte {
	o := Object("jsonrpc", "2.0", "method", method)
	if params != nil {
		o.Set("params", params)
	}
	return value.AppendJSON(nil, o)
}

// Result is the answer to a request that was done.
func Result(id value.Value, result *value.Object) *value.Object {
	return Object("jsonrpc", "2.0", "id", id, "result", result)
}

// Failure is the answer to a request that was not; data may be nil.
func Failure(id value.Value, code int, message string, data *value.Object) *value.Object {
	fault := Object("code", float64(code), "message", message)
	if data != nil {
		fault.Set("data", data)
	}
	return Object("jsonrpc", "2.0", "id", id, "error", fault)
}

// Message is one message of the other side.
type Message struct {
	ID        value.Value // nil when it has none, or null
	HasID     bool        // whether it has an id, be it null
	Method    string      // of a request or a notification
	Params    value.Value
	HasParams bool
	Result    value.Value
	Fault     *value.Object // the error
	HasResult bool
}

// Read reads a message, and tells whether it is one of JSON-RPC.
func Read(text []byte) (Message, bool) {
	v, err := value.ParseJSON(text, Deepest)
	if err != nil {
		return Message{}, false
	}
	return Of(v)
}

// Of gives the message that a value is, and tells whether it is one of JSON-RPC.
func Of(v value.Value) (Message, bool) {
	o, ok := v.(*value.Object)
	if !ok {
		return Message{}, false
	}
	var m Message
	m.ID, m.HasID = o.Get("id")
	if method, ok := o.Get("method"); ok {
		m.Method, _ = method.(string)
	}
	m.Params, m.HasParams = o.Get("params")
	m.Result, m.HasResult = o.Get("result")
	if fault, ok := o.Get("error"); ok {
		m.Fault, _ = fault.(*value.Object)
	}
	return m, m.Method != "" || m.HasResult || m.Fault != nil
}

// Answers tells whether the message is the answer to a request.
func (m Message) Answers() bool { return m.Method == "" }

// Number is the message's id as a whole number, and false for any other.
func (m Message) Number() (int64, bool) { return value.Whole(m.ID) }
