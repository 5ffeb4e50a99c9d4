package mcp

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/beonauto/auto/engine/tool/transport"
)

// This file brings answers to the requests that wait for them, where all of
// them arrive on one stream.

// strayLimit is how many messages that are not JSON-RPC a server may write
// among its answers: programs print their greetings and logs there.
const strayLimit = 1000

// perMessage is what each message counts for beside its bytes: reading many small
// ones is work too.
const perMessage = 64

// dispatcher knows which requests wait for an answer.
type dispatcher struct {
	limit   int64 // bytes of the largest message
	lock    sync.Mutex
	waiting map[int64]chan answer
	highest int64 // the highest id that was sent
	stray   int
	between int64         // bytes of the messages since the last answer
	ended   chan struct{} // closed when the stream has ended
	why     *transport.Fault
}

type answer struct {
	message
	fault *transport.Fault
}

func newDispatcher(limit int64) *dispatcher {
	return &dispatcher{limit: limit, waiting: map[int64]chan answer{}, ended: make(chan struct{})}
}

// expect says that an answer to id will be waited for.
func (d *dispatcher) expect(id int64) (<-chan answer, *transport.Fault) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.why != nil {
		return nil, d.why
	}
	to := make(chan answer, 1)
	d.waiting[id] = to
	d.highest = max(d.highest, id)
	return to, nil
}

// forget says that nobody waits for the answer to id any more.
func (d *dispatcher) forget(id int64) {
	d.lock.Lock()
	defer d.lock.Unlock()
	delete(d.waiting, id)
}

// wait gives the answer to a request that was expected.
func (d *dispatcher) wait(ctx context.Context, id int64, from <-chan answer) (incoming, error) {
	defer d.forget(id)
	select {
	case a := <-from:
		if a.fault != nil {
			return incoming{}, a.fault
		}
		return incoming{message: a.message}, nil
	case <-ctx.Done():
		return incoming{}, context.Cause(ctx)
	}
}

// deliver takes one message of the server's. It gives what to answer to it, if
// anything, and a fault when the stream cannot be trusted any longer.
func (d *dispatcher) deliver(text []byte) (reply []byte, fault *transport.Fault) {
	m, ok := readMessage(text)
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.between += int64(len(text)) + perMessage; d.between > streamShare*d.limit {
		return nil, transport.NewFault(transport.TooLarge, "The server writes more than "+transport.Size(streamShare*d.limit)+" without an answer among it")
	}
	if !ok && isMessage(text) {
		return nil, errUnreadable
	}
	if !ok {
		d.stray++
		if d.stray > strayLimit {
			return nil, transport.NewFault(transport.Failing, "The server writes what is not JSON-RPC")
		}
		return nil, nil
	}
	if !m.Answers() {
		if m.ID == nil {
			return nil, nil
		}
		return m.reply(), nil
	}
	id, ok := m.Number()
	switch {
	case m.ID == nil && m.Fault != nil:
		// The server could not even read the id of what it refuses.
		return nil, m.rpcFault()
	case !ok || id < 1 || id > d.highest:
		return nil, transport.NewFault(transport.Failing, "The server answered a request that was never sent")
	}
	// An answer that comes too late, or twice, has nobody to go to.
	if to, ok := d.waiting[id]; ok {
		d.between = 0
		delete(d.waiting, id)
		to <- answer{message: m}
	}
	return nil, nil
}

// errUnreadable is a message that is meant as one of JSON-RPC and cannot be read as
// one. It may be the answer that someone waits for.
var errUnreadable = transport.NewFault(transport.Failing, "The server wrote a message that cannot be read as JSON-RPC")

// isMessage tells whether a text that cannot be read is meant as a message, and
// not for a log: a log that repeats a message has its quotes escaped.
func isMessage(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && bytes.Contains(text, []byte(`"jsonrpc"`))
}

// end fails every request that waits, and each that would.
func (d *dispatcher) end(why *transport.Fault) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.why != nil {
		return
	}
	if 0 < d.stray && d.stray <= strayLimit && why.Kind == transport.Failing {
		said, lines := *why, "1 line that is"
		if d.stray > 1 {
			lines = fmt.Sprintf("%d lines that are", d.stray)
		}
		said.Message += "; it had written " + lines + " not JSON-RPC"
		why = &said
	}
	d.why = why
	close(d.ended)
	for id, to := range d.waiting {
		delete(d.waiting, id)
		to <- answer{fault: why}
	}
}

// over tells whether the stream has ended.
func (d *dispatcher) over() bool {
	select {
	case <-d.ended:
		return true
	default:
		return false
	}
}
