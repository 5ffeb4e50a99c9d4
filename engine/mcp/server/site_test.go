package server

// This file is a server that tests reach over HTTP, and a client of it.

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// site is a server over HTTP and a client of it.
type site struct {
	t   *testing.T
	web *Web
	url string
}

func host(t *testing.T, server *Server) *site {
	t.Helper()
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := server.Web(token)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := patience.Receive(t, ended); err != nil {
			t.Error(err)
		}
	})
	return &site{t, web, "http://" + listener.Addr().String() + Path}
}

// request makes a request that the server takes as it is; header changes it, a
// value of - taking a header away.
func (s *site) request(method, body string, header ...string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		switch {
		case header[i] == "Host":
			r.Host = header[i+1]
		case header[i+1] == "-":
			r.Header.Del(header[i])
		default:
			r.Header.Set(header[i], header[i+1])
		}
	}
	return r
}

func (s *site) do(r *http.Request) (*http.Response, string) {
	s.t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, string(body)
}

// greet starts a session and gives its id.
func (s *site) greet(version, capabilities string) string {
	s.t.Helper()
	response, body := s.do(s.request("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":`+capabilities+`}}`))
	id := response.Header.Get(rpc.HeaderSession)
	if response.StatusCode != 200 || id == "" || !strings.Contains(body, `"protocolVersion":"`+version+`"`) {
		s.t.Fatalf("%s: %s", response.Status, body)
	}
	return id
}

// events reads a stream as it comes.
type events struct {
	t        *testing.T
	response *http.Response
	lines    *bufio.Reader
}

func (s *site) stream(r *http.Request) *events {
	s.t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = response.Body.Close() })
	if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" || response.StatusCode != 200 {
		s.t.Fatalf("%s, %s", response.Status, kind)
	}
	return &events{s.t, response, bufio.NewReader(response.Body)}
}

// next gives the next message of the stream.
func (e *events) next() *value.Object {
	e.t.Helper()
	for {
		line, err := e.lines.ReadString('\n')
		if err != nil {
			e.t.Fatalf("the stream ended: %v", err)
		}
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			return objectOf(e.t, data)
		}
	}
}
