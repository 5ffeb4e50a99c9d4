package effort

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// watched is a test that remembers how it failed.
type watched struct {
	testing.TB
	failed string
}

func (w *watched) Helper()      {}
func (w *watched) Name() string { return "watched" }
func (w *watched) Errorf(format string, _ ...any) {
	w.failed = format
}

// work keeps a processor busy for a while, by what its own thread has worked.
func work() {
	total := 0
	for i := range 20_000_000 {
		total += i * i
	}
	runtime.KeepAlive(total)
}

func TestWorkCountsAndWaitingDoesNot(t *testing.T) {
	t.Parallel()
	if Raced || runtime.GOOS != "linux" {
		t.Skip("there is no bound here")
	}
	busy := &watched{TB: t}
	AtMost(busy, time.Microsecond, work)
	if !strings.Contains(busy.failed, "worked for") {
		t.Errorf("work beyond the bound is told as %q", busy.failed)
	}
	// Others work while this one waits for them.
	idle := &watched{TB: t}
	AtMost(idle, 5*time.Millisecond, func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			work()
		}()
		<-done
	})
	if idle.failed != "" {
		t.Errorf("waiting counts as work: %q", idle.failed)
	}
}
