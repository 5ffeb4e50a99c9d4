// Package double stands in for the providers of models in tests: an HTTP server
// for each route that answers as the provider's published API does, with its
// field names and its errors, and fails in the ways that networks do.
//
// It is for tests alone and never becomes part of the program.
package double

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
)

// Server is one provider. Its replies are given in turn, and the last one again
// for every request after it.
type Server struct {
	*httptest.Server
	Route wire.Route

	lock     sync.Mutex
	replies  []Reply
	requests []Request
}

// Request is a request as the provider received it.
type Request struct {
	Method string
	Path   string // escaped, with its query
	Header http.Header
	Body   []byte
}

// JSON is the body as plain values.
func (r Request) JSON() map[string]any {
	var body map[string]any
	_ = json.Unmarshal(r.Body, &body)
	return body
}

// Reply is what the provider answers to one request.
type Reply struct {
	Status int // 0: 200
	Header map[string]string
	Body   string
	Fault  Fault
	// Before runs when the request has come, before anything is answered: a test
	// moves its clock there.
	Before func()
	// Waiting runs when Silence or SlowBody has begun to wait.
	Waiting func()
}

// Fault is a way in which a connection fails.
type Fault uint8

// The faults.
const (
	NoFault  Fault = iota
	Drop           // the connection is closed before anything is answered
	BreakOff       // the body ends before its length is reached
	Silence        // nothing is answered until the client goes away
	Redirect       // to Body, with Status
	SlowBody       // the headers come, and the body never ends
)

// New starts a provider of a route that lives as long as the test.
func New(t testing.TB, route wire.Route, replies ...Reply) *Server {
	t.Helper()
	server := &Server{Route: route, replies: replies}
	server.Server = httptest.NewServer(http.HandlerFunc(server.serve))
	t.Cleanup(server.Close)
	return server
}

// NewTLS starts a provider behind a certificate that nobody trusts.
func NewTLS(t testing.TB, route wire.Route, replies ...Reply) *Server {
	t.Helper()
	server := &Server{Route: route, replies: replies}
	server.Server = httptest.NewUnstartedServer(http.HandlerFunc(server.serve))
	server.Config.ErrorLog = discard()
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// Provider is the configuration that calls this provider, with a key that is
// worth hiding.
func (s *Server) Provider(prefix string) model.Provider {
	endpoint := wire.Endpoint{Route: s.Route, Provider: prefix, BaseURL: s.URL + "/v1"}
	switch s.Route {
	case wire.Anthropic:
		endpoint.Headers = []wire.Header{{Name: "x-api-key", Value: Key}}
	case wire.Google:
		endpoint.Headers = []wire.Header{{Name: "x-goog-api-key", Value: Key}}
	case wire.Azure:
		endpoint.Headers = []wire.Header{{Name: "api-key", Value: Key}}
	default:
		endpoint.Headers = []wire.Header{{Name: "Authorization", Value: "Bearer " + Key}}
	}
	return model.Provider{Endpoint: endpoint}
}

// Key is the key that every provider is called with.
const Key = "sk-double-0123456789abcdef"

// Requests gives what was received so far.
func (s *Server) Requests() []Request {
	s.lock.Lock()
	defer s.lock.Unlock()
	return append([]Request{}, s.requests...)
}

// Script replaces the replies that are left.
func (s *Server) Script(replies ...Reply) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.replies = replies
}

func (s *Server) next(request Request) Reply {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.requests = append(s.requests, request)
	if len(s.replies) == 0 {
		return Reply{Status: http.StatusTeapot, Body: `{"error":{"message":"the test gives no reply"}}`}
	}
	reply := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	return reply
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	reply := s.next(Request{r.Method, r.URL.RequestURI(), r.Header.Clone(), body})
	if reply.Before != nil {
		reply.Before()
	}
	status := reply.Status
	if status == 0 {
		status = http.StatusOK
	}
	w.Header().Set("Content-Type", "application/json")
	for name, v := range reply.Header {
		w.Header().Set(name, v)
	}
	switch reply.Fault {
	case Drop:
		panic(http.ErrAbortHandler)
	case Silence:
		waitForClient(r, reply)
		return
	case Redirect:
		w.Header().Set("Location", reply.Body)
		w.WriteHeader(status)
		return
	case BreakOff:
		w.Header().Set("Content-Length", strconv.Itoa(len(reply.Body)+100))
	case SlowBody:
		w.WriteHeader(status)
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
		waitForClient(r, reply)
		return
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, reply.Body)
}

// waitForClient holds a request open. A client that never leaves is a test
// that would hang: it is let go after a while.
func waitForClient(r *http.Request, reply Reply) {
	if reply.Waiting != nil {
		reply.Waiting()
	}
	select {
	case <-r.Context().Done():
	case <-time.After(20 * time.Second):
	}
}
