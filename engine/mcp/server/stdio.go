package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file speaks over standard input and output, one message a line.

// Serve answers one client until its input ends or the context does. Running calls
// are given time to end, are cancelled then, and are recorded before it returns. It
// writes messages to out and nothing else. The error is of the streams.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := s.connect(ctx)
	defer c.cancel(nil)
	to := &lineWriter{to: out, broken: c.cancel}
	ended := make(chan error, 1)
	go func() { ended <- c.read(in, to) }()
	var err error
	select {
	case err = <-ended:
	case <-c.ctx.Done(): // the reader may never come back
	}
	c.deafen()
	if c.ctx.Err() != nil || !c.settled(s.bounds.Finish) {
		c.cancel(errGone)
		c.settled(s.bounds.End)
	}
	if failed := to.failure(); failed != nil {
		return failed
	}
	return err
}

// read takes the client's lines until the last.
func (c *connection) read(in io.Reader, out *lineWriter) error {
	limit := c.server.bounds.Message
	lines := rpc.NewLines(in, limit)
	answer := func(v value.Value) {
		if v != nil {
			out.send(value.AppendJSON(nil, v))
		}
	}
	for first := true; c.ctx.Err() == nil; first = false {
		line, err := lines.Next()
		if errors.Is(err, rpc.ErrTooLong) {
			answer(rpc.Failure(nil, rpc.InvalidRequest, "The message is larger than "+transport.Size(limit), nil))
			err = lines.Skip()
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading the client's messages: %w", err)
		}
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		v, refused := parse(line)
		if refused != nil {
			answer(refused)
			continue
		}
		c.receive(c.ctx, v, out, answer)
	}
	return nil
}

// lineWriter writes a message a line, each whole.
type lineWriter struct {
	lock   sync.Mutex
	to     io.Writer
	broken context.CancelCauseFunc // told when the client takes nothing any more
	err    error
}

func (w *lineWriter) send(text []byte) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.err != nil {
		return false
	}
	if _, err := w.to.Write(append(text, '\n')); err != nil {
		w.err = fmt.Errorf("writing to the client: %w", err)
		w.broken(errGone)
		return false
	}
	return true
}

func (w *lineWriter) open() bool { return true }

// failure is why nothing could be written any more. It does not wait for a client
// that reads nothing.
func (w *lineWriter) failure() error {
	if !w.lock.TryLock() {
		return nil
	}
	defer w.lock.Unlock()
	return w.err
}
