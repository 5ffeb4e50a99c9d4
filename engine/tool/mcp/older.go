package mcp

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"sync"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
)

// This file speaks the older HTTP of 2024-11-05: one stream of events brings
// every answer, and its first event says where requests are posted.

type older struct {
	http     transport.HTTP
	bounds   Bounds
	endpoint string

	*dispatcher
	ctx     context.Context // of the stream
	cancel  context.CancelFunc
	threads sync.WaitGroup
	telling tellings
}

// openOlder opens the stream and reads the address for requests.
func openOlder(ctx context.Context, s Settings) (*older, error) {
	l := &older{http: s.HTTP, bounds: s.Bounds, dispatcher: newDispatcher(s.Bounds.Message)}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	// Only the opening is under the caller's deadline.
	opened := context.AfterFunc(ctx, l.cancel)
	response, err := l.http.Do(l.ctx, http.MethodGet, s.URL, http.Header{"Accept": {"text/event-stream"}}, nil)
	if err != nil {
		l.cancel()
		return nil, ended(ctx, err)
	}
	fail := func(err error) (*older, error) {
		l.cancel()
		_ = response.Body.Close()
		return nil, ended(ctx, err)
	}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); response.StatusCode != http.StatusOK || kind != "text/event-stream" {
		return fail(l.http.Fault(response, ""))
	}
	events := newEventReader(response.Body, l.bounds.Message)
	first, err := events.next()
	if err != nil {
		return fail(err)
	}
	if l.endpoint, err = endpointOf(first, s.URL); err != nil {
		return fail(err)
	}
	if !opened() {
		return fail(context.Cause(ctx))
	}
	l.threads.Add(1)
	go l.read(response, events)
	return l, nil
}

// ended gives the caller's own error when its context ended.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return transport.FaultOf(err)
}

// endpointOf gives the address for requests. Keys go with them, so it must be
// the server's own.
func endpointOf(e event, base string) (string, error) {
	from, err := url.Parse(base)
	if err != nil || e.name != "endpoint" {
		return "", transport.NewFault(transport.Failing, "The server does not speak MCP")
	}
	to, err := from.Parse(string(e.data))
	if err != nil || !transport.SameOrigin(from, to) {
		return "", transport.NewFault(transport.Failing, "The server names another host for its requests")
	}
	return to.String(), nil
}

func (l *older) read(response *http.Response, events *eventReader) {
	defer l.threads.Done()
	defer response.Body.Close()
	for {
		e, err := events.next()
		if err != nil {
			fault, ok := err.(*transport.Fault)
			if !ok {
				fault = transport.NewFault(transport.Failing, "The server closed the connection before it answered")
			}
			l.end(fault)
			return
		}
		if e.name != "message" {
			continue
		}
		reply, fault := l.deliver(e.data)
		if fault != nil {
			l.end(fault)
			return
		}
		if reply != nil {
			l.tell(reply)
		}
	}
}

func (l *older) send(ctx context.Context, out outgoing) (incoming, error) {
	from, fault := l.expect(out.id)
	if fault != nil {
		unsent := *fault
		unsent.Unsent = true
		return incoming{}, &unsent
	}
	header := http.Header{"Content-Type": {"application/json"}}
	do := l.http.Do
	if out.method == rpc.MethodCall {
		do = l.http.DoOnce
	}
	response, err := do(ctx, http.MethodPost, l.endpoint, header, out.text)
	if err != nil {
		l.forget(out.id)
		return incoming{}, err
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		l.forget(out.id)
		return incoming{}, l.http.Fault(response, "")
	}
	id := l.http.RequestID(response)
	transport.Discard(response)
	in, err := l.wait(ctx, out.id, from)
	in.requestID = id
	return in, withRequestID(err, id)
}

func (l *older) announce(ctx context.Context, text []byte) error {
	response, err := l.http.Do(ctx, http.MethodPost, l.endpoint, http.Header{"Content-Type": {"application/json"}}, text)
	if err == nil {
		transport.Discard(response)
	}
	return err
}

func (l *older) tell(text []byte) {
	l.telling.do(func() {
		ctx, cancel := context.WithTimeout(l.ctx, afterwards)
		defer cancel()
		header := http.Header{"Content-Type": {"application/json"}}
		if response, err := l.http.Do(ctx, http.MethodPost, l.endpoint, header, text); err == nil {
			transport.Discard(response)
		}
	})
}

func (l *older) agree(string) {}

func (l *older) broken() bool { return l.over() }

func (l *older) close() {
	l.cancel()
	l.end(transport.NewFault(transport.Failing, "The connection to the server was closed"))
	l.telling.wait()
	l.threads.Wait()
}
