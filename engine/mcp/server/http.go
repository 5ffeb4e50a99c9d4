package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file speaks streamable HTTP: each message is a request of its own, which is
// answered with one message or with a stream that ends in it.

// Path is where the server is found under its address.
const Path = "/mcp"

// Web is the server over HTTP. It answers those alone who hold its token.
type Web struct {
	server *Server
	guard  guard
	turns  chan struct{} // one for each request that is answered

	ctx    context.Context
	cancel context.CancelCauseFunc

	lock     sync.Mutex
	sessions map[string]*session
}

// Web gives the server over HTTP, for the holders of a token.
func (s *Server) Web(token string) *Web {
	w := &Web{server: s, guard: newGuard(token), turns: make(chan struct{}, s.bounds.Requests), sessions: map[string]*session{}}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	return w
}

// The bounds of a connection that no request sets itself.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
	headerSize = 32 << 10
)

// Serve answers until the context ends. Running calls are cancelled then, and are
// recorded before it returns. It closes the listener.
func (w *Web) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: w, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerSize,
		ErrorLog: quiet(), BaseContext: func(net.Listener) context.Context { return w.ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		w.Close()
		return fmt.Errorf("serving %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	w.Close()
	within, cancel := context.WithTimeout(context.Background(), w.server.bounds.End)
	defer cancel()
	if err := server.Shutdown(within); err != nil {
		_ = server.Close()
	}
	return nil
}

// Close cancels every call and waits for a while until all have been recorded.
func (w *Web) Close() {
	w.cancel(errGone)
	w.lock.Lock()
	sessions := w.sessions
	w.sessions = map[string]*session{}
	w.lock.Unlock()
	enough := time.Now().Add(w.server.bounds.End)
	for _, session := range sessions {
		session.deafen()
		session.settled(max(time.Until(enough), 0))
	}
}

// ServeHTTP answers one request.
func (w *Web) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	bounds := w.server.bounds
	control := http.NewResponseController(to)
	// The first also bounds what is read of a body that nobody looks at.
	_ = control.SetReadDeadline(time.Now().Add(bounds.Body))
	_ = control.SetWriteDeadline(time.Now().Add(bounds.Body + bounds.Write))
	to.Header().Set("Cache-Control", "no-store")
	to.Header().Set("X-Content-Type-Options", "nosniff")
	if status, why := w.guard.refuses(r); status != 0 {
		if status == http.StatusUnauthorized {
			to.Header().Set("WWW-Authenticate", `Bearer realm="auto"`)
		}
		refuse(to, status, nil, &fault{code: rpc.InvalidRequest, message: why})
		return
	}
	if r.URL.Path != Path {
		refuse(to, http.StatusNotFound, nil, &fault{code: rpc.InvalidRequest, message: "The server is at " + Path})
		return
	}
	select {
	case w.turns <- struct{}{}:
		defer func() { <-w.turns }()
	default:
		to.Header().Set("Retry-After", "1")
		refuse(to, http.StatusServiceUnavailable, nil, &fault{code: codeBusy, message: "Too many requests at once"})
		return
	}
	version := r.Header.Get(rpc.HeaderVersion)
	switch {
	case version != "" && version != rpc.VersionStateless && !rpc.WithHandshake(version):
		refuse(to, http.StatusBadRequest, nil, unsupported(version))
	case r.Method == http.MethodPost:
		w.post(to, r)
	case r.Method == http.MethodGet && version != rpc.VersionStateless:
		w.stand(to, r)
	case r.Method == http.MethodDelete && version != rpc.VersionStateless:
		w.end(to, r)
	default:
		allowed := "GET, POST, DELETE"
		if version == rpc.VersionStateless {
			allowed = "POST"
		}
		to.Header().Set("Allow", allowed)
		refuse(to, http.StatusMethodNotAllowed, nil, &fault{code: rpc.InvalidRequest, message: "Expected one of the methods " + allowed})
	}
}

// refuse answers a request that is not looked at any further.
func refuse(to http.ResponseWriter, status int, id value.Value, why *fault) {
	writeJSON(to, status, why.answer(id))
}

func writeJSON(to http.ResponseWriter, status int, v value.Value) {
	to.Header().Set("Content-Type", "application/json")
	to.WriteHeader(status)
	_, _ = to.Write(append(value.AppendJSON(nil, v), '\n'))
}

// accepts tells which of the two kinds of answers the client takes.
func accepts(header http.Header) (single, stream bool) {
	lines := header.Values("Accept")
	if len(lines) == 0 {
		return true, true
	}
	for part := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		kind, parameters, err := mime.ParseMediaType(part)
		if err != nil || parameters["q"] == "0" {
			continue
		}
		single = single || kind == "*/*" || kind == "application/*" || kind == "application/json"
		stream = stream || kind == "*/*" || kind == "text/*" || kind == "text/event-stream"
	}
	return single, stream
}

// post takes a message, or a batch.
func (w *Web) post(to http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(to, http.StatusUnsupportedMediaType, nil, &fault{code: rpc.InvalidRequest, message: "Content-Type: Expected application/json"})
		return
	}
	single, stream := accepts(r.Header)
	if !single && !stream {
		refuse(to, http.StatusNotAcceptable, nil, &fault{code: rpc.InvalidRequest, message: "Accept: Expected application/json and text/event-stream"})
		return
	}
	body, status, why := w.body(to, r)
	if why != nil {
		refuse(to, status, nil, why)
		return
	}
	v, answer := parse(body)
	if answer != nil {
		writeJSON(to, http.StatusBadRequest, answer)
		return
	}
	message, _ := v.(*value.Object)
	m, _ := rpc.Of(message)
	stateless := statelessVersion(m) != "" && !rpc.WithHandshake(statelessVersion(m)) || r.Header.Get(rpc.HeaderVersion) == rpc.VersionStateless
	if stateless {
		if why := headersDiffer(r.Header, m); why != nil {
			refuse(to, http.StatusBadRequest, m.ID, why)
			return
		}
	}
	on, status, why := w.connectionOf(r, m, stateless)
	if why != nil {
		refuse(to, status, m.ID, why)
		return
	}
	out := &exchange{
		to: to, control: http.NewResponseController(to), single: single, stream: stream, stateless: stateless,
		connection: on.connection, write: w.server.bounds.Write,
	}
	if kept := w.exchange(to, r, v, m, on, out); !kept && on.session == nil {
		on.deafen()
		on.cancel(errGone)
		on.settled(w.server.bounds.End)
	}
}

// body reads what was posted, within the bounds of time and size.
func (w *Web) body(to http.ResponseWriter, r *http.Request) ([]byte, int, *fault) {
	body, err := io.ReadAll(http.MaxBytesReader(to, r.Body, w.server.bounds.Message))
	var large *http.MaxBytesError
	switch {
	case err == nil:
		_ = http.NewResponseController(to).SetReadDeadline(time.Time{})
		return body, 0, nil
	case errors.As(err, &large):
		return nil, http.StatusRequestEntityTooLarge, &fault{code: rpc.InvalidRequest,
			message: "The message is larger than " + transport.Size(w.server.bounds.Message)}
	}
	to.Header().Set("Connection", "close")
	return nil, http.StatusRequestTimeout, &fault{code: rpc.InvalidRequest, message: "The message could not be read to its end"}
}

// statelessVersion is the revision that a request itself names.
func statelessVersion(m rpc.Message) string {
	params, _ := m.Params.(*value.Object)
	given, _ := params.Get("_meta")
	meta, _ := given.(*value.Object)
	given, _ = meta.Get(rpc.MetaVersion)
	version, _ := given.(string)
	return version
}

// headersDiffer wants the headers that repeat parts of a request to say the same,
// since what stands between the client and the server goes by them.
func headersDiffer(header http.Header, m rpc.Message) *fault {
	differ := func(name string) *fault {
		return &fault{code: rpc.HeaderMismatch, message: name + ": Expected what the message says"}
	}
	if m.Method == "" || !m.HasID {
		return nil
	}
	if header.Get(rpc.HeaderVersion) != statelessVersion(m) {
		return differ(rpc.HeaderVersion)
	}
	if header.Get(rpc.HeaderMethod) != m.Method {
		return differ(rpc.HeaderMethod)
	}
	if m.Method == rpc.MethodCall {
		params, _ := m.Params.(*value.Object)
		name, _ := params.Get("name")
		if written, ok := rpc.TextOfHeader(header.Get(rpc.HeaderName)); !ok || written != name {
			return differ(rpc.HeaderName)
		}
	}
	return nil
}

// client is the connection that a request belongs to, and the session it is kept
// in, if it is.
type client struct {
	*connection
	session *session
}

// connectionOf gives the connection that a message belongs to: a new one for a
// handshake and for a message that stands alone.
func (w *Web) connectionOf(r *http.Request, m rpc.Message, stateless bool) (client, int, *fault) {
	id := r.Header.Get(rpc.HeaderSession)
	switch {
	case stateless || id == "" && m.Method != rpc.MethodInitialize:
		return client{connection: w.server.connect(r.Context())}, 0, nil
	case m.Method == rpc.MethodInitialize:
		return client{connection: w.server.connect(w.ctx)}, 0, nil
	}
	session := w.session(id)
	if session == nil {
		return client{}, http.StatusNotFound, &fault{code: rpc.InvalidRequest, message: "The session has ended; start another"}
	}
	return client{connection: session.connection, session: session}, 0, nil
}

// exchange answers what was posted, and tells whether that made a session of the
// connection.
func (w *Web) exchange(to http.ResponseWriter, r *http.Request, v value.Value, m rpc.Message, on client, out *exchange) (kept bool) {
	if on.session != nil {
		defer w.leave(on.session)
	}
	answers := make(chan value.Value, 1)
	on.receive(on.ctx, v, out, func(answer value.Value) { answers <- answer })
	beat := time.NewTicker(w.server.bounds.Beat)
	defer beat.Stop()
	for {
		select {
		case answer := <-answers:
			if m.Method == rpc.MethodInitialize && on.session == nil && succeededAnswer(answer) {
				id, why := w.keep(on.connection)
				if why != nil {
					refuse(to, http.StatusServiceUnavailable, m.ID, why)
					return false
				}
				to.Header().Set(rpc.HeaderSession, id)
				kept = true
			}
			if answer == nil && m.Method != "" && m.HasID {
				answer = rpc.Failure(m.ID, codeBusy, "The call was cancelled", nil)
			}
			out.finish(answer)
			return kept
		case <-beat.C:
			out.beat()
		case <-r.Context().Done():
			// A call of a session goes on without its listener. It must not write any more.
			out.drop()
			return false
		}
	}
}

func succeededAnswer(answer value.Value) bool {
	o, _ := answer.(*value.Object)
	return o.Has("result")
}
