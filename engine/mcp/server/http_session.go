package server

import (
	"crypto/rand"
	"net/http"
	"time"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
)

// This file keeps the sessions of the revisions with a handshake, over HTTP.

// session is a connection that outlives its requests.
type session struct {
	*connection
	id    string
	used  time.Time // when a request of it began or ended
	inUse int       // requests that are being answered
}

// keep makes a session of a connection. When there are too many, the one that
// nobody has used for the longest goes.
func (w *Web) keep(c *connection) (id string, why *fault) {
	now := w.server.now()
	w.lock.Lock()
	var ended []*session
	defer func() { w.lock.Unlock(); finish(ended) }()
	var oldest *session
	for _, s := range w.sessions {
		switch {
		case s.inUse > 0:
		case now.Sub(s.used) > w.server.bounds.Idle:
			delete(w.sessions, s.id)
			ended = append(ended, s)
		case oldest == nil || s.used.Before(oldest.used):
			oldest = s
		}
	}
	if len(w.sessions) >= w.server.bounds.Sessions {
		if oldest == nil {
			return "", &fault{code: codeBusy, message: "Too many sessions at once; end one"}
		}
		delete(w.sessions, oldest.id)
		ended = append(ended, oldest)
	}
	s := &session{connection: c, id: rand.Text(), used: now}
	w.sessions[s.id] = s
	return s.id, nil
}

// finish ends sessions that nobody finds any more.
func finish(sessions []*session) {
	for _, s := range sessions {
		s.deafen()
		s.cancel(errGone)
	}
}

// session gives the session of an id, which is in use until leave; nil when there
// is none.
func (w *Web) session(id string) *session {
	now := w.server.now()
	w.lock.Lock()
	defer w.lock.Unlock()
	s := w.sessions[id]
	if s == nil {
		return nil
	}
	if s.inUse == 0 && now.Sub(s.used) > w.server.bounds.Idle {
		delete(w.sessions, id)
		finish([]*session{s})
		return nil
	}
	s.inUse++
	s.used = now
	return s
}

func (w *Web) leave(s *session) {
	now := w.server.now()
	w.lock.Lock()
	defer w.lock.Unlock()
	s.inUse--
	s.used = now
}

// named gives the session that a request names, or refuses the request.
func (w *Web) named(to http.ResponseWriter, r *http.Request) *session {
	id := r.Header.Get(rpc.HeaderSession)
	if id == "" {
		refuse(to, http.StatusBadRequest, nil, &fault{code: rpc.InvalidRequest, message: rpc.HeaderSession + ": Expected the id of a session"})
		return nil
	}
	s := w.session(id)
	if s == nil {
		refuse(to, http.StatusNotFound, nil, &fault{code: rpc.InvalidRequest, message: "The session has ended; start another"})
	}
	return s
}

// end ends a session at the client's wish, and what it was doing.
func (w *Web) end(to http.ResponseWriter, r *http.Request) {
	s := w.named(to, r)
	if s == nil {
		return
	}
	w.lock.Lock()
	delete(w.sessions, s.id)
	w.lock.Unlock()
	finish([]*session{s})
	to.WriteHeader(http.StatusNoContent)
}

// stand holds a stream open, on which the client is sent what no answer of its own
// can carry.
func (w *Web) stand(to http.ResponseWriter, r *http.Request) {
	if _, stream := accepts(r.Header); !stream {
		refuse(to, http.StatusNotAcceptable, nil, &fault{code: rpc.InvalidRequest, message: "Accept: Expected text/event-stream"})
		return
	}
	s := w.named(to, r)
	if s == nil {
		return
	}
	defer w.leave(s)
	control := http.NewResponseController(to)
	_ = control.SetReadDeadline(time.Time{})
	out := &exchange{to: to, control: control, stream: true, connection: s.connection, write: w.server.bounds.Write}
	if !s.place(out) {
		refuse(to, http.StatusConflict, nil, &fault{code: rpc.InvalidRequest, message: "The session has a stream already"})
		return
	}
	defer s.place(nil)
	defer out.drop()
	out.beat()
	beat := time.NewTicker(w.server.bounds.Beat)
	defer beat.Stop()
	for {
		select {
		case <-beat.C:
			out.beat()
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
}
