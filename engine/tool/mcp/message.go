package mcp

import (
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file is JSON-RPC 2.0: messages as they are written and read.

// deepest is how many levels of objects and lists are read of a message.
const deepest = 600

// The error codes that the client decides by.
const (
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeUnsupportedVersion = -32022
)

// object builds an object from keys and values in turn.
func object(pairs ...any) *value.Object {
	o := value.NewObject(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func request(id int64, method string, params *value.Object) []byte {
	return value.AppendJSON(nil, object("jsonrpc", "2.0", "id", float64(id), "method", method, "params", params))
}

func notification(method string, params *value.Object) []byte {
	o := object("jsonrpc", "2.0", "method", method)
	if params != nil {
		o.Set("params", params)
	}
	return value.AppendJSON(nil, o)
}

// message is one message of a server.
type message struct {
	id     value.Value // nil when it has none
	method string      // of a request or a notification
	result value.Value
	fault  *value.Object // the error
	has    bool          // whether it has a result
}

// readMessage reads a message, and tells whether it is one of JSON-RPC.
func readMessage(text []byte) (message, bool) {
	v, err := value.ParseJSON(text, deepest)
	if err != nil {
		return message{}, false
	}
	return messageOf(v)
}

func messageOf(v value.Value) (message, bool) {
	o, ok := v.(*value.Object)
	if !ok {
		return message{}, false
	}
	var m message
	m.id, _ = o.Get("id")
	if method, ok := o.Get("method"); ok {
		m.method, _ = method.(string)
	}
	m.result, m.has = o.Get("result")
	if fault, ok := o.Get("error"); ok {
		m.fault, _ = fault.(*value.Object)
	}
	return m, m.method != "" || m.has || m.fault != nil
}

// answers tells whether the message is the answer to a request.
func (m message) answers() bool { return m.method == "" }

// number is the message's id as the client writes them, and false for any other.
func (m message) number() (int64, bool) { return value.Whole(m.id) }

// rpcFault is the fault of an answer that is an error. Invalid params of a call
// are arguments that the server refused.
func (m message) rpcFault() *transport.Fault {
	fault := transport.NewFault(transport.Failing, "The server answered with an error")
	if code, ok := m.fault.Get("code"); ok {
		fault.Code, _ = value.Whole(code)
	}
	if fault.Code == codeInvalidParams {
		fault.Kind = transport.ArgumentsRefused
		fault.Message = "The server refused the arguments"
	}
	if text, ok := m.fault.Get("message"); ok {
		if said, ok := text.(string); ok && said != "" {
			fault.Message += ": " + said
		}
	}
	return fault
}

// reply answers a request of the server's: a ping, and nothing else, since the
// client says that it can do nothing else.
func (m message) reply() []byte {
	if m.method == "ping" {
		return value.AppendJSON(nil, object("jsonrpc", "2.0", "id", m.id, "result", object()))
	}
	return value.AppendJSON(nil, object("jsonrpc", "2.0", "id", m.id,
		"error", object("code", float64(codeMethodNotFound), "message", "Method not found")))
}
