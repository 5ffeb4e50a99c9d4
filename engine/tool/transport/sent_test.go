package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/tool/transport"
)

// This file tests what is said of requests that never left, and of answers that
// nobody reads.

func TestARequestThatCannotBeMadeIsNotSent(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer server.Close()
	for _, test := range []struct {
		name, address string
		header        http.Header
		unsent        bool
	}{
		{"no address", "http://a b/", nil, true},
		{"no such scheme", "gopher://127.0.0.1/", nil, true},
		{"a header's name", server.URL, http.Header{"X Y": {"1"}}, true},
		{"a header's value", server.URL, http.Header{"X": {"1\n2"}}, true},
		{"nobody there", "http://127.0.0.1:1/", nil, true},
		{"a connection cut", server.URL, nil, false},
	} {
		h := &transport.HTTP{Client: transport.WithoutRedirects(http.DefaultClient)}
		_, err := h.Do(context.Background(), http.MethodPost, test.address, test.header, []byte("{}"))
		var fault *transport.Fault
		if !errors.As(err, &fault) || fault.Unsent != test.unsent {
			t.Errorf("%s: %v, unsent %v", test.name, err, fault != nil && fault.Unsent)
		}
	}
}

func TestDiscardLeavesAnAnswerThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "a")
		w.(http.Flusher).Flush()
		<-r.Context().Done() // the connection is closed
		close(over)
	}))
	defer server.Close()
	h := &transport.HTTP{Client: transport.WithoutRedirects(http.DefaultClient)}
	response, err := h.Do(context.Background(), http.MethodPost, server.URL, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	transport.Discard(response)
	patience.Receive(t, over)
}
