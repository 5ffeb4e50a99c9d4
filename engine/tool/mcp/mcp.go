// Package mcp is a client of MCP servers (Model Context Protocol): a program
// that speaks over its standard input and output, an address that speaks
// streamable HTTP, or the older HTTP with server-sent events.
//
// It speaks the revisions with a handshake, up to 2025-11-25, and the one
// without, 2026-07-28. Of the protocol it knows tools alone: it offers a server
// nothing to ask of it. Everything it reads is bounded. It never follows a
// redirect, never sends a call twice, never scrubs what a server says, and
// keeps no time of its own: a deadline is the caller's context.
package mcp

import (
	"context"
	"net/http"
	"time"

	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// Bounds are how much is read of a server.
type Bounds struct {
	Message int64 // bytes of one message, such as the answer to a call
	Pages   int   // pages of a list of tools
	Listed  int64 // bytes of all the pages of a list together, as JSON
	Tools   int   // tools of a list
}

// UsualBounds are the bounds for a server that nobody doubts.
var UsualBounds = Bounds{Message: 4 << 20, Pages: 100, Listed: 16 << 20, Tools: 2000}

// Settings say how a server is reached.
type Settings struct {
	// Command is a program, with its arguments, that is started in Folder with
	// the environment Env and no other.
	Command string
	Args    []string
	Env     []string // NAME=value
	Folder  string
	// URL is a server's address, in place of a program.
	URL string
	// HTTP makes the requests to URL.
	HTTP transport.HTTP

	Version string // of this program, as a server is told it
	Bounds  Bounds
	// Grace is how long a program is given to end, once after its input was
	// closed and once after SIGTERM, before it is killed.
	Grace time.Duration
}

// Tool is a tool as a server lists it.
type Tool struct {
	Name        string
	Description string
	InputSchema value.Value // as the server wrote it
	Annotations *value.Object
}

// Result is what a call of a tool gave.
type Result struct {
	// Result is the whole result of the call, as the server wrote it.
	Result *value.Object
	// RequestID is the server's own id of the request, from the header that the
	// settings name; empty when there is none.
	RequestID string
}

// link is a way to a server.
type link interface {
	// send writes a request and gives its answer. The error is the context's, when
	// that ended, or a *transport.Fault.
	send(ctx context.Context, out outgoing) (incoming, error)
	// announce writes a notification, which arrives before any later request.
	announce(ctx context.Context, text []byte) error
	// tell writes a notification and does not wait for anyone to read it.
	tell(text []byte)
	// agree says which version of the protocol holds from now on.
	agree(version string)
	// broken tells whether nothing can be sent any more.
	broken() bool
	close()
}

// outgoing is a request as a link sends it.
type outgoing struct {
	id     int64
	method string
	name   string // of the tool that is called
	text   []byte
	header http.Header // of a tool whose schema names arguments to send as headers
}

// incoming is the answer to a request.
type incoming struct {
	message
	requestID string
}
