package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// This file is one client: what was agreed with it, which of its calls are
// running, and which questions it has been asked.

var (
	errCancelled = errors.New("the client cancelled the request")
	errGone      = errors.New("the client is gone")
)

// outlet takes what a client is sent while one of its requests is answered, beside
// the answer.
type outlet interface {
	// send writes a message, and tells whether there was a way to.
	send(text []byte) bool
	// open tells whether there is a way.
	open() bool
}

// connection is a client. It is safe for concurrent use.
type connection struct {
	server *Server
	ctx    context.Context
	cancel context.CancelCauseFunc
	deaf   chan struct{} // closed when the client can answer nothing more
	hush   sync.Once

	lock    sync.Mutex
	version string // of the handshake; empty before it
	forms   bool   // the client answers forms, by what it said in the handshake
	calls   map[string]*running
	asked   map[int64]chan rpc.Message
	last    int64 // the id of the last question

	stream *exchange // that the client holds open, over HTTP

	slots   chan struct{}
	threads sync.WaitGroup
	closed  bool // nothing is started any more
}

// running is a call that is not answered yet.
type running struct {
	cancel    context.CancelCauseFunc
	cancelled bool // by the client, which wants no answer any more
}

func (s *Server) connect(ctx context.Context) *connection {
	c := &connection{
		server: s, deaf: make(chan struct{}),
		calls: map[string]*running{}, asked: map[int64]chan rpc.Message{}, slots: make(chan struct{}, s.bounds.Running),
	}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	return c
}

// start does something at the side of the reader, and tells whether it does: once
// the connection settles, nothing is started any more.
func (c *connection) start(do func()) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.closed {
		return false
	}
	c.threads.Go(do)
	return true
}

// settled waits for a while until everything that was started has ended, and tells
// whether it has.
func (c *connection) settled(while time.Duration) bool {
	c.lock.Lock()
	c.closed = true
	c.lock.Unlock()
	done := make(chan struct{})
	go func() {
		c.threads.Wait()
		close(done)
	}()
	enough := time.NewTimer(while)
	defer enough.Stop()
	select {
	case <-done:
		return true
	case <-enough.C:
		return false
	}
}

// deafen says that the client answers nothing more.
func (c *connection) deafen() { c.hush.Do(func() { close(c.deaf) }) }

// agree keeps what the handshake came to.
func (c *connection) agree(version string, forms bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.version, c.forms = version, forms
}

// agreed gives what the handshake came to. A client that is heard without one is
// taken for one of the last revision that offers nothing.
func (c *connection) agreed() (version string, forms bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.version == "" {
		return rpc.VersionHandshake, false
	}
	return c.version, c.forms
}

// batches tells whether the client may send several messages in one.
func (c *connection) batches() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return slices.Contains([]string{rpc.VersionFirst, rpc.VersionBatches}, c.version)
}

// enter makes a call one of those that are running. The fault is the answer to one
// that cannot.
func (c *connection) enter(ctx context.Context, id value.Value) (context.Context, *fault) {
	c.lock.Lock()
	defer c.lock.Unlock()
	key := value.JSON(id)
	switch {
	case c.calls[key] != nil:
		return nil, &fault{code: rpc.InvalidRequest, message: "A request with this id is being answered"}
	case len(c.calls) >= c.server.bounds.Running+c.server.bounds.Waiting:
		return nil, &fault{code: codeBusy, message: "Too many calls at once; wait for some to be answered"}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	c.calls[key] = &running{cancel: cancel}
	return ctx, nil
}

// leave ends a call, and tells whether the client still wants its answer.
func (c *connection) leave(id value.Value) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	key := value.JSON(id)
	call := c.calls[key]
	delete(c.calls, key)
	call.cancel(nil)
	return !call.cancelled
}

// drop cancels the call of an id at the client's wish. One that is not running, or
// was answered already, is no fault.
func (c *connection) drop(id value.Value) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if call := c.calls[value.JSON(id)]; call != nil {
		call.cancelled = true
		call.cancel(errCancelled)
	}
}

// expect says that an answer to a question will be waited for.
func (c *connection) expect() (id int64, from <-chan rpc.Message) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.last++
	to := make(chan rpc.Message, 1)
	c.asked[c.last] = to
	return c.last, to
}

// forget says that nobody waits for the answer to a question any more.
func (c *connection) forget(id int64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	delete(c.asked, id)
}

// deliver brings an answer to the question it belongs to. One that comes too late,
// or to a question that was never asked, has nobody to go to.
func (c *connection) deliver(m rpc.Message) {
	c.lock.Lock()
	defer c.lock.Unlock()
	id, ok := m.Number()
	if to := c.asked[id]; ok && to != nil {
		delete(c.asked, id)
		to <- m
	}
}

// standing gives the stream that the client holds open, nil when it holds none.
func (c *connection) standing() *exchange {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.stream
}

// place keeps the stream that the client holds open, or none any more. It tells
// whether it was kept: there is one at most.
func (c *connection) place(stream *exchange) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	if stream != nil && c.stream != nil {
		return false
	}
	c.stream = stream
	return true
}
