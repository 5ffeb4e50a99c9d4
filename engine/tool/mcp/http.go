package mcp

import (
	"context"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file speaks streamable HTTP: each message is a request of its own, which
// is answered with one message or with a stream that ends in it.

// afterwards is how long a server is given to take what nobody waits for: a
// cancellation, or the end of a session.
const afterwards = 2 * time.Second

// sessionLost is an answer that says that the server knows nothing of the
// session: the request was not looked at.
var sessionLost = &transport.Fault{Kind: transport.Failing, Status: http.StatusNotFound, RetryAfter: -1, Untouched: true,
	Message: "The server ended the session"}

// longestSession is the most bytes of a session's id.
const longestSession = 4 << 10

// isSession tells whether an id may be that of a session (specification of
// 2025-11-25, "Session Management").
func isSession(id string) bool {
	return len(id) <= longestSession && !strings.ContainsFunc(id, func(c rune) bool { return c < '!' || c > '~' })
}

type streamable struct {
	http   transport.HTTP
	url    string
	bounds Bounds

	lock    sync.Mutex
	session string
	version string
	lost    bool

	ctx     context.Context // of what nobody waits for
	cancel  context.CancelFunc
	telling tellings
}

func newStreamable(s Settings) *streamable {
	l := &streamable{http: s.HTTP, url: s.URL, bounds: s.Bounds}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

func (l *streamable) agree(version string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.version = version
}

func (l *streamable) broken() bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.lost
}

func (l *streamable) header(more http.Header) (header http.Header, session string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	header = http.Header{
		"Content-Type": {"application/json"},
		"Accept":       {"application/json, text/event-stream"},
	}
	if l.version != "" {
		header.Set(rpc.HeaderVersion, l.version)
	}
	if l.session != "" {
		header.Set(rpc.HeaderSession, l.session)
	}
	for name, values := range more {
		header[name] = values
	}
	return header, l.session
}

func (l *streamable) send(ctx context.Context, out outgoing) (incoming, error) {
	header, session := l.header(out.header)
	do := l.http.Do
	if out.method == rpc.MethodCall {
		do = l.http.DoOnce
	}
	response, err := do(ctx, http.MethodPost, l.url, header, out.text)
	if err != nil {
		return incoming{}, err
	}
	defer response.Body.Close()
	if out.method == rpc.MethodInitialize && response.StatusCode < 300 {
		given := response.Header.Get(rpc.HeaderSession)
		if !isSession(given) {
			return incoming{}, transport.NewFault(transport.Failing, "The server's session has an id that no header can hold")
		}
		l.lock.Lock()
		l.session = given
		l.lock.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	var m message
	switch {
	case response.StatusCode == http.StatusNotFound && session != "":
		l.lock.Lock()
		l.lost = true
		l.lock.Unlock()
		transport.Discard(response)
		return incoming{}, sessionLost
	case response.StatusCode >= 300:
		m, err = l.refusal(ctx, response)
	case kind == "text/event-stream":
		m, err = l.stream(ctx, response, out.id)
	case response.StatusCode == http.StatusAccepted || response.StatusCode == http.StatusNoContent:
		err = transport.NewFault(transport.Failing, "The server took the request and gave no answer to it")
	default:
		m, err = l.single(ctx, response, out.id)
	}
	id := l.http.RequestID(response)
	if err != nil {
		return incoming{}, withRequestID(err, id)
	}
	return incoming{message: m, requestID: id}, nil
}

// withRequestID adds the server's id of the request to a fault.
func withRequestID(err error, id string) error {
	fault, ok := err.(*transport.Fault)
	if !ok || id == "" {
		return err
	}
	own := *fault
	own.RequestID = id
	return &own
}

// refusalSize is how much is read of an answer that is no success.
const refusalSize = 64 << 10

// refusal reads an answer that is no success: an error of JSON-RPC where the
// body is one, but for the statuses that mean the same whatever they hold.
func (l *streamable) refusal(ctx context.Context, response *http.Response) (message, error) {
	body, err := transport.ReadBody(ctx, response, refusalSize)
	if err != nil && ctx.Err() != nil {
		return message{}, err
	}
	said := ""
	if m, ok := readMessage(body); ok && m.Fault != nil {
		fault := m.rpcFault()
		switch response.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
			said = transport.Line(fault.Message, 300)
		default:
			if response.StatusCode < 500 {
				return m, nil
			}
			said = transport.Line(fault.Message, 300)
		}
	}
	return message{}, l.http.Fault(response, said)
}

// single reads an answer that is one message.
func (l *streamable) single(ctx context.Context, response *http.Response, id int64) (message, error) {
	body, err := transport.ReadBody(ctx, response, l.bounds.Message)
	if err != nil {
		return message{}, err
	}
	v, err := value.ParseJSON(body, rpc.Deepest)
	if err != nil {
		return message{}, transport.NewFault(transport.Failing, "The server's answer is not JSON")
	}
	// A server of 2025-03-26 may answer with a list.
	messages, isList := v.([]value.Value)
	if !isList {
		messages = []value.Value{v}
	}
	for _, v := range messages {
		m, ok := messageOf(v)
		if !ok {
			return message{}, transport.NewFault(transport.Failing, "The server's answer is not JSON-RPC")
		}
		if !m.Answers() {
			continue
		}
		return m, checkID(m, id)
	}
	return message{}, transport.NewFault(transport.Failing, "The server's answer is not JSON-RPC")
}

// checkID wants an answer to the request that was sent.
func checkID(m message, id int64) error {
	if answered, ok := m.Number(); ok && answered == id || m.ID == nil && m.Fault != nil {
		return nil
	}
	return transport.NewFault(transport.Failing, "The server answered another request than the one it was sent")
}

// streamShare is how many times the largest message all events of one answer may
// take together: progress and logs come on the same stream.
const streamShare = 4

// stream reads an answer that is a stream of events, and takes it up again where
// the server lets go of it.
func (l *streamable) stream(ctx context.Context, response *http.Response, id int64) (message, error) {
	left := streamShare * l.bounds.Message
	events := newEventReader(response.Body, l.bounds.Message)
	for {
		m, err := l.follow(ctx, events, id, &left)
		if err != errStreamEnded {
			return m, err
		}
		if events.lastID == "" {
			return message{}, transport.NewFault(transport.Failing, "The server ended its answer before the result")
		}
		resumed, err := l.resume(ctx, events)
		if err != nil {
			return message{}, err
		}
		defer resumed.Body.Close()
		last := events.lastID
		events = newEventReader(resumed.Body, l.bounds.Message)
		events.lastID = last
	}
}

var errStreamEnded = transport.NewFault(transport.Failing, "The stream ended")

// follow reads events until the answer to a request.
func (l *streamable) follow(ctx context.Context, events *eventReader, id int64, left *int64) (message, error) {
	for {
		e, err := events.next()
		if err != nil {
			if ctx.Err() != nil {
				return message{}, context.Cause(ctx)
			}
			if fault, ok := err.(*transport.Fault); ok {
				return message{}, fault
			}
			return message{}, errStreamEnded
		}
		if *left -= int64(len(e.data)) + perMessage; *left < 0 {
			return message{}, transport.NewFault(transport.TooLarge,
				"The server's events are larger than "+transport.Size(streamShare*l.bounds.Message)+" together")
		}
		if e.name != "message" {
			continue
		}
		m, ok := readMessage(e.data)
		switch {
		case !ok:
			return message{}, transport.NewFault(transport.Failing, "An event of the server's is not JSON-RPC")
		case m.Answers():
			return m, checkID(m, id)
		case m.ID != nil:
			l.tell(m.reply())
		}
	}
}

// shortestRetry keeps a server that lets go of its streams at once from being
// asked without a pause.
const shortestRetry = 100 * time.Millisecond

// resume opens a stream again where it was lost.
func (l *streamable) resume(ctx context.Context, events *eventReader) (*http.Response, error) {
	pause := time.NewTimer(max(events.retry, shortestRetry))
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	header, _ := l.header(http.Header{"Accept": {"text/event-stream"}, "Last-Event-Id": {events.lastID}})
	header.Del("Content-Type")
	response, err := l.http.Do(ctx, http.MethodGet, l.url, header, nil)
	if err != nil {
		return nil, err
	}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); response.StatusCode != http.StatusOK || kind != "text/event-stream" {
		transport.Discard(response)
		return nil, transport.NewFault(transport.Failing, "The server ended its answer before the result")
	}
	return response, nil
}

// announce posts a notification. What the server says to it does not matter: the
// next request shows whether it can be used.
func (l *streamable) announce(ctx context.Context, text []byte) error {
	header, _ := l.header(nil)
	response, err := l.http.Do(ctx, http.MethodPost, l.url, header, text)
	if err == nil {
		transport.Discard(response)
	}
	return err
}

// tell posts a message that needs no answer, and does not wait for it.
func (l *streamable) tell(text []byte) {
	header, _ := l.header(nil)
	l.telling.do(func() {
		ctx, cancel := context.WithTimeout(l.ctx, afterwards)
		defer cancel()
		if response, err := l.http.Do(ctx, http.MethodPost, l.url, header, text); err == nil {
			transport.Discard(response)
		}
	})
}

// mostTellings is how many messages may be on their way to a server at a time that
// nobody waits for. What a server asks beyond them is not answered.
const mostTellings = 16

// tellings are the messages on their way to a server that nobody waits for.
type tellings struct {
	lock    sync.Mutex
	under   int
	threads sync.WaitGroup
}

// do runs send beside its caller, or not at all when too many are under way.
func (t *tellings) do(send func()) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.under == mostTellings {
		return
	}
	t.under++
	t.threads.Add(1)
	go func() {
		defer t.threads.Done()
		send()
		t.lock.Lock()
		defer t.lock.Unlock()
		t.under--
	}()
}

// wait ends when none is under way.
func (t *tellings) wait() { t.threads.Wait() }

// close waits for what was told, for a moment, and ends the session.
func (l *streamable) close() {
	defer l.cancel()
	l.telling.wait()
	header, session := l.header(nil)
	if session == "" || l.broken() {
		return
	}
	header.Del("Content-Type")
	ctx, cancel := context.WithTimeout(l.ctx, afterwards)
	defer cancel()
	if response, err := l.http.Do(ctx, http.MethodDelete, l.url, header, nil); err == nil {
		transport.Discard(response)
	}
}
