package mcp

import (
	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file is what the client makes of a server's messages.

// object builds an object from keys and values in turn.
func object(pairs ...any) *value.Object { return rpc.Object(pairs...) }

// message is one message of a server.
type message struct{ rpc.Message }

// readMessage reads a message, and tells whether it is one of JSON-RPC.
func readMessage(text []byte) (message, bool) {
	m, ok := rpc.Read(text)
	return message{m}, ok
}

// messageOf gives the message that a value is, and tells whether it is one.
func messageOf(v value.Value) (message, bool) {
	m, ok := rpc.Of(v)
	return message{m}, ok
}

// rpcFault is the fault of an answer that is an error. Invalid params of a call
// are arguments that the server refused.
func (m message) rpcFault() *transport.Fault {
	fault := transport.NewFault(transport.Failing, "The server answered with an error")
	if code, ok := m.Fault.Get("code"); ok {
		fault.Code, _ = value.Whole(code)
	}
	if fault.Code == rpc.InvalidParams {
		fault.Kind = transport.ArgumentsRefused
		fault.Message = "The server refused the arguments"
	}
	if text, ok := m.Fault.Get("message"); ok {
		if said, ok := text.(string); ok && said != "" {
			fault.Message += ": " + said
		}
	}
	return fault
}

// reply answers a request of the server's: a ping, and nothing else, since the
// client says that it can do nothing else.
func (m message) reply() []byte {
	if m.Method == rpc.MethodPing {
		return value.AppendJSON(nil, rpc.Result(m.ID, object()))
	}
	return value.AppendJSON(nil, rpc.Failure(m.ID, rpc.MethodNotFound, "Method not found", nil))
}
