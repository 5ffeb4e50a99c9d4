package double

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file is a double over HTTP.

// Handler serves streamable HTTP at /mcp and the older HTTP at /sse.
func (s *Server) Handler() http.Handler {
	s.streams, s.held = map[string]chan []byte{}, map[string][]byte{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /mcp", s.post)
	mux.HandleFunc("GET /mcp", s.resume)
	mux.HandleFunc("DELETE /mcp", func(w http.ResponseWriter, r *http.Request) {
		s.lock.Lock()
		s.asked = append(s.asked, Asked{Method: "DELETE", Header: r.Header})
		s.lock.Unlock()
	})
	mux.HandleFunc("GET /sse", s.older)
	mux.HandleFunc("POST /older", s.olderPost)
	return mux
}

// refuse writes the faults that are HTTP's own, and tells whether it did.
func refuse(w http.ResponseWriter, fault string) bool {
	if said, ok := strings.CutPrefix(fault, Status); ok {
		status, after, _ := strings.Cut(said, ":")
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		code, _ := strconv.Atoi(status)
		w.Header().Set("X-Request-Id", "req-refused")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "<h1>No</h1>")
		return true
	}
	if to, ok := strings.CutPrefix(fault, Redirect); ok {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	}
	switch fault {
	case Accepted:
		w.WriteHeader(http.StatusAccepted)
	case Die:
		panic(http.ErrAbortHandler)
	case Half:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0",`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case Gzip:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		zeros := make([]byte, 1<<20)
		for range 4 {
			if _, err := z.Write(zeros); err != nil {
				return true
			}
		}
		_ = z.Close()
	default:
		return false
	}
	return true
}

func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	message, isRequest := s.request(body, r.Header)
	if !isRequest {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	params, _ := message.Get("params")
	method := text(message, "method")
	fault := s.fault(method, text(params, "name"))
	if refuse(w, fault) {
		return
	}
	if s.Stateless && r.Header.Get("Mcp-Method") != method {
		id, _ := message.Get("id")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(reply(id, "error", object("code", -32020.0, "message", "Header mismatch")))
		return
	}
	if s.Session && method == "initialize" {
		w.Header().Set("Mcp-Session-Id", "session-1")
	}
	w.Header().Set("X-Request-Id", "req-"+method)
	if fault == Silent {
		<-r.Context().Done()
		return
	}
	answers := s.answer(message, fault)
	if fault == Drop {
		w.Header().Set("Content-Type", "text/event-stream")
		s.lock.Lock()
		s.held["drop-1"] = answers[0]
		s.lock.Unlock()
		_, _ = io.WriteString(w, "id: drop-1\nretry: 1\ndata:\n\n")
		return
	}
	if s.Events || len(answers) > 1 {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, ": hello\r\n\r\nevent: other\ndata: 1\n\n")
		for _, answer := range answers {
			_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
		}
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answers[0])
}

// resume gives what a dropped stream did not.
func (s *Server) resume(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	held, ok := s.held[r.Header.Get("Last-Event-Id")]
	s.lock.Unlock()
	if !ok {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "id: drop-2\ndata: %s\n\n", held)
}

// older is the stream of the older HTTP.
func (s *Server) older(w http.ResponseWriter, r *http.Request) {
	fault := s.fault("GET", "")
	if refuse(w, fault) {
		return
	}
	name := strconv.Itoa(len(s.Asked())) + "-" + r.RemoteAddr
	answers := make(chan []byte, 16)
	s.lock.Lock()
	s.streams[name] = answers
	s.lock.Unlock()
	endpoint := "/older?stream=" + name
	if to, ok := strings.CutPrefix(fault, "endpoint:"); ok {
		endpoint = to
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", endpoint)
	w.(http.Flusher).Flush()
	for {
		select {
		case answer := <-answers:
			if answer == nil {
				panic(http.ErrAbortHandler)
			}
			_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func (s *Server) olderPost(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	message, isRequest := s.request(body, r.Header)
	s.lock.Lock()
	answers := s.streams[r.URL.Query().Get("stream")]
	s.lock.Unlock()
	if !isRequest {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	params, _ := message.Get("params")
	fault := s.fault(text(message, "method"), text(params, "name"))
	if strings.HasPrefix(fault, Status) && refuse(w, fault) {
		return
	}
	w.WriteHeader(http.StatusAccepted)
	if fault == Die {
		answers <- nil
		return
	}
	for _, answer := range s.answer(message, fault) {
		answers <- answer
	}
}

// Param gives the part of a request's parameters that a pointer leads to.
func (a Asked) Param(pointer string) value.Value {
	v, _ := value.Lookup(a.Params, pointer)
	return v
}
