package server

import (
	"io"
	"log"
	"net/http"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// This file writes what a client is answered over HTTP: one message where that is
// all there is to say, a stream of events where more comes before it.

// exchange is the answer to one request of HTTP.
type exchange struct {
	to             http.ResponseWriter
	control        *http.ResponseController
	single, stream bool // the kinds of answers that the client takes
	stateless      bool
	connection     *connection
	write          time.Duration

	lock    sync.Mutex
	started bool // the stream
	ended   bool // nothing is written any more
}

// open tells whether the client can be sent something beside the answer.
func (e *exchange) open() bool {
	return e.stream || e.connection.standing() != nil
}

// send writes an event, which makes the answer a stream. Where the client takes
// none, the message goes by the stream that the session holds open.
func (e *exchange) send(text []byte) bool {
	if !e.stream {
		other := e.connection.standing()
		return other != nil && other.send(text)
	}
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.ended {
		return false
	}
	e.start()
	return e.event(text)
}

// start opens the stream.
func (e *exchange) start() {
	if e.started {
		return
	}
	e.started = true
	e.to.Header().Set("Content-Type", "text/event-stream")
	e.to.Header().Set("X-Accel-Buffering", "no")
	e.to.WriteHeader(http.StatusOK)
}

func (e *exchange) event(text []byte) bool {
	return e.put(append(append([]byte("event: message\ndata: "), text...), "\n\n"...))
}

func (e *exchange) put(text []byte) bool {
	_ = e.control.SetWriteDeadline(time.Now().Add(e.write))
	_, err := e.to.Write(text)
	if err == nil {
		err = e.control.Flush()
	}
	e.ended = e.ended || err != nil
	return err == nil
}

// beat shows that the server lives, so that nothing on the way gives the client up.
func (e *exchange) beat() {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.stream && !e.ended {
		e.start()
		e.put([]byte(": waiting\n\n"))
	}
}

// finish writes the answer, or none.
func (e *exchange) finish(answer value.Value) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.ended {
		return
	}
	defer func() { e.ended = true }()
	_ = e.control.SetWriteDeadline(time.Now().Add(e.write))
	switch {
	case answer == nil:
		e.to.WriteHeader(http.StatusAccepted)
	case e.started || !e.single:
		e.start()
		e.event(value.AppendJSON(nil, answer))
	default:
		writeJSON(e.to, e.status(answer), answer)
	}
}

// drop says that nothing is written any more.
func (e *exchange) drop() {
	e.lock.Lock()
	defer e.lock.Unlock()
	e.ended = true
}

// status is that of an answer which is one message. The revision without a
// handshake repeats errors in it.
func (e *exchange) status(answer value.Value) int {
	o, _ := answer.(*value.Object)
	given, _ := o.Get("error")
	failure, _ := given.(*value.Object)
	given, _ = failure.Get("code")
	code, _ := value.Whole(given)
	switch {
	case !e.stateless:
	case code == rpc.MethodNotFound:
		return http.StatusNotFound
	case code == rpc.InvalidRequest, code == rpc.InvalidParams, code == rpc.UnsupportedVersion, code == rpc.HeaderMismatch:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// quiet keeps what net/http says of clients' mistakes to itself: it would stand
// between what the operator reads.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
