// Package server speaks MCP (Model Context Protocol) to agents: over standard
// input and output, and over streamable HTTP on the local machine. What it offers
// are the operations it is given.
//
// It speaks the revisions with a handshake, from 2024-11-05 to 2025-11-25, and the
// one without, 2026-07-28. It knows no operation and no rule of the formats, opens
// no file, and never speaks to another machine. Everything it reads is bounded.
package server

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/mcp"
)

// Bounds are how much a client may ask for, and how long things are waited for.
type Bounds struct {
	Message int64 // bytes of one message
	Batch   int   // messages of a batch
	Running int   // calls of one connection that are done at once
	Waiting int   // further calls of it that wait for their turn

	Answer   time.Duration // until a person has answered a question
	Progress time.Duration // between two notices that a call is still going on
	Finish   time.Duration // that running calls are given once the input has ended
	End      time.Duration // that cancelled calls are given to be recorded

	Requests int           // HTTP requests that are answered at once
	Sessions int           // sessions over HTTP
	Idle     time.Duration // until a session that nobody uses is forgotten
	Body     time.Duration // until an HTTP request has been read
	Write    time.Duration // until a client has taken what it is sent
	Beat     time.Duration // between two signs of life on a stream
}

// UsualBounds are the bounds of the program.
var UsualBounds = Bounds{
	Message: 4 << 20, Batch: 100, Running: 16, Waiting: 256,
	Answer: 5 * time.Minute, Progress: 10 * time.Second, Finish: 2 * time.Second, End: 10 * time.Second,
	Requests: 128, Sessions: 64, Idle: time.Hour, Body: 30 * time.Second, Write: 30 * time.Second, Beat: 15 * time.Second,
}

// Options say what a server offers.
type Options struct {
	Operations []mcp.Operation
	Runtime    *engine.Runtime
	Version    string // of this program, as clients are told it
	// Warn takes what the operator reads: failures of the program, and nothing that
	// a client said. nil: nobody reads.
	Warn   func(message string)
	Now    func() time.Time // nil: the machine's
	Bounds Bounds           // the zero value: UsualBounds
}

// Server answers the clients of one playbook. It is safe for concurrent use.
type Server struct {
	runtime *engine.Runtime
	version string
	warn    func(string)
	now     func() time.Time
	bounds  Bounds

	tools  []*tool
	named  map[string]*tool
	secret func() []byte // signs what clients carry from one round of a call to the next
}

// New gives a server. It opens nothing.
func New(options Options) *Server {
	s := &Server{
		runtime: options.Runtime, version: options.Version, warn: options.Warn, now: options.Now, bounds: options.Bounds,
		named: map[string]*tool{},
		secret: sync.OnceValue(func() []byte {
			secret := make([]byte, 32)
			_, _ = rand.Read(secret) // never fails
			return secret
		}),
	}
	if s.warn == nil {
		s.warn = func(string) {}
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.bounds == (Bounds{}) {
		s.bounds = UsualBounds
	}
	for _, operation := range options.Operations {
		t := newTool(operation)
		s.tools = append(s.tools, t)
		s.named[operation.Name] = t
	}
	return s
}
