package transport_test

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/beonauto/auto/engine/tool/transport"
)

// This file tests that what may change something is sent once over HTTP/2, whose
// servers can say that they have not looked at a request.

// The frames of HTTP/2 that the double below reads and writes.
const (
	frameReset    = 3
	frameSettings = 4
	endOfStream   = 1
	refusedStream = 7
)

// refusing is a server of HTTP/2 that takes each request whole and then says that it
// has refused it. It counts them, and listens no more after as many as it takes.
type refusing struct {
	listener net.Listener
	taken    atomic.Int32
	most     int32
}

func newRefusing(t *testing.T, most int32) (*refusing, *http.Client) {
	t.Helper()
	certified := httptest.NewTLSServer(http.NotFoundHandler())
	certificates := certified.TLS.Certificates
	certified.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certificates, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	s := &refusing{listener: listener, most: most}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(connection)
		}
	}()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
	return s, transport.WithoutRedirects(client)
}

func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	head := make([]byte, 9, 9+len(payload))
	binary.BigEndian.PutUint32(head, uint32(len(payload))<<8)
	head[3], head[4] = kind, flags
	binary.BigEndian.PutUint32(head[5:], stream)
	return append(head, payload...)
}

func (s *refusing) serve(connection net.Conn) {
	defer connection.Close()
	preface := make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
	if _, err := io.ReadFull(connection, preface); err != nil {
		return
	}
	_, _ = connection.Write(frame(frameSettings, 0, 0, nil))
	head := make([]byte, 9)
	for {
		if _, err := io.ReadFull(connection, head); err != nil {
			return
		}
		size := int64(binary.BigEndian.Uint32(head) >> 8)
		if _, err := io.CopyN(io.Discard, connection, size); err != nil {
			return
		}
		stream := binary.BigEndian.Uint32(head[5:])
		switch kind, flags := head[3], head[4]; {
		case kind == frameSettings && flags == 0:
			_, _ = connection.Write(frame(frameSettings, 1, 0, nil))
		case stream != 0 && flags&endOfStream != 0:
			if s.taken.Add(1) == s.most {
				_ = s.listener.Close()
				return
			}
			_, _ = connection.Write(frame(frameReset, 0, stream, binary.BigEndian.AppendUint32(nil, refusedStream)))
		}
	}
}

func TestWhatMayActIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method string
		body   []byte
	}{"with a body": {http.MethodPost, []byte("{}")}, "without one": {http.MethodDelete, nil}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := newRefusing(t, 100)
			h := &transport.HTTP{Client: client}
			_, err := h.DoOnce(context.Background(), test.method, "https://"+server.listener.Addr().String(), nil, test.body)
			var fault *transport.Fault
			if !errors.As(err, &fault) || fault.Unsent || fault.Untouched {
				t.Errorf("%v", err)
			}
			if taken := server.taken.Load(); taken != 1 {
				t.Errorf("the server took it %d times", taken)
			}
		})
	}
}

// TestWhatWasWrittenIsNotUnsent refuses a request that may be sent again, and then
// is gone.
func TestWhatWasWrittenIsNotUnsent(t *testing.T) {
	t.Parallel()
	server, client := newRefusing(t, 2)
	h := &transport.HTTP{Client: client}
	_, err := h.Do(context.Background(), http.MethodPost, "https://"+server.listener.Addr().String(), nil, []byte("{}"))
	var fault *transport.Fault
	if !errors.As(err, &fault) || fault.Unsent {
		t.Errorf("%v", err)
	}
	if taken := server.taken.Load(); taken != 2 {
		t.Errorf("the server took it %d times", taken)
	}
}

// TestAnAnswerOfWhatIsSentOnceCanBeRead reads it after DoOnce has returned.
func TestAnAnswerOfWhatIsSentOnceCanBeRead(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, "done")
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	h := &transport.HTTP{Client: transport.WithoutRedirects(server.Client())}
	for range 2 { // the second over the same connection
		response, err := h.DoOnce(context.Background(), http.MethodPost, server.URL, nil, []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := transport.ReadBody(context.Background(), response, 100)
		if string(body) != "done" || err != nil {
			t.Errorf("%q, %v", body, err)
		}
		_ = response.Body.Close()
	}
}

// TestAKeyOfARequestSendsItOnce takes a request over a connection that was used
// before, and closes it without an answer: net/http sends what has such a key again.
func TestAKeyOfARequestSendsItOnce(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Idempotency-Key", "x-idempotency-key"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var taken, keyed atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if r.Header.Get(name) == "k1" {
					keyed.Add(1)
				}
				if taken.Add(1) > 1 {
					panic(http.ErrAbortHandler)
				}
			}))
			t.Cleanup(server.Close)
			h := &transport.HTTP{Client: transport.WithoutRedirects(&http.Client{Transport: &http.Transport{}})}
			for call := range 2 {
				response, err := h.DoOnce(context.Background(), http.MethodPost, server.URL, http.Header{name: {"k1"}}, []byte("{}"))
				if err == nil {
					transport.Discard(response)
					_ = response.Body.Close()
				}
				if (err == nil) != (call == 0) || err != nil && transport.FaultOf(err).Unsent {
					t.Errorf("call %d: %v", call+1, err)
				}
			}
			if taken.Load() != 2 || keyed.Load() != 2 {
				t.Errorf("2 calls reached the server %d times, %d times with their key", taken.Load(), keyed.Load())
			}
		})
	}
}
