package cli

// This file draws what a command waits for, on a terminal only.

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// spinnerFrames are drawn in turn.
var spinnerFrames = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

const (
	spinnerPause = 100 * time.Millisecond
	clearLine    = "\r\x1b[K"
)

// spinner is a line that says what is waited for and how long. What is written
// through it stands above the line.
type spinner struct {
	to    io.Writer
	what  string
	now   func() time.Time
	since time.Time
	drawn bool

	lock  sync.Mutex
	frame int
	done  chan struct{}
	ended sync.WaitGroup
}

// waiting starts a spinner where standard error is a terminal; elsewhere what is
// written through it goes on as it is.
func (a *app) waiting(what string) *spinner {
	s := &spinner{to: a.Err, what: what, now: a.Now, since: a.Now(), drawn: a.ErrTerminal && a.Env("TERM") != "dumb", done: make(chan struct{})}
	if !s.drawn {
		return s
	}
	ticker := time.NewTicker(spinnerPause)
	s.draw()
	s.ended.Go(func() {
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				s.draw()
			case <-s.done:
				return
			}
		}
	})
	return s
}

func (s *spinner) draw() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.line()
}

// line draws the line anew. The lock is held.
func (s *spinner) line() {
	fmt.Fprintf(s.to, "%s%s %s %s", clearLine, spinnerFrames[s.frame%len(spinnerFrames)], s.what, s.now().Sub(s.since).Truncate(time.Second))
	s.frame++
}

func (s *spinner) Write(text []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if !s.drawn {
		return s.to.Write(text)
	}
	io.WriteString(s.to, clearLine)
	n, err := s.to.Write(text)
	s.line()
	return n, err
}

// stop removes the line.
func (s *spinner) stop() {
	s.lock.Lock()
	drawn := s.drawn
	s.drawn = false
	s.lock.Unlock()
	if drawn {
		close(s.done)
		s.ended.Wait()
		io.WriteString(s.to, clearLine)
	}
}
