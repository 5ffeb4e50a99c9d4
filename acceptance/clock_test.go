package acceptance_test

// This file is a clock that moves only when a test moves it, and a worker in this
// process on it.

import (
	"context"
	"sync"
	"testing"
	"time"

	engineclock "github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/worker"
)

// clock is one that a test moves, and by which whoever sleeps waits until it has.
type clock struct {
	*double.Clock
	lock   sync.Mutex
	whiles map[time.Duration]int // of what is to end after a while, how many there are
}

func newClock() *clock {
	return &clock{Clock: double.At(time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)), whiles: map[time.Duration]int{}}
}

// await waits until somebody has something end after a while.
func (c *clock) await(t *testing.T, while time.Duration) {
	t.Helper()
	patience.Until(t, func() bool {
		c.lock.Lock()
		defer c.lock.Unlock()
		return c.whiles[while] > 0
	})
}

func (c *clock) Sleep(ctx context.Context, wait time.Duration) error {
	within, release := c.Within(ctx, wait)
	defer release()
	<-within.Done()
	return context.Cause(ctx)
}

func (c *clock) Within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc) {
	within, end := c.Clock.Within(ctx, while)
	c.count(while, 1)
	return within, sync.OnceFunc(func() {
		c.count(while, -1)
		end()
	})
}

func (c *clock) count(while time.Duration, by int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.whiles[while] += by
}

// hand is a worker in this process, with connections and a claim of its own, as a
// process of its own has.
type hand struct {
	*worker.Worker
	place *place
	facts []worker.Fact // what it did, in order
}

// hand gives a worker on the place's store, chat and time.
func (p *place) hand() *hand { return p.handBy(p.clock) }

// handBy gives a worker whose calls are timed by another clock, nil for the
// machine's.
func (p *place) handBy(calls engineclock.Clock) *hand {
	p.t.Helper()
	read, err := settings.Read([]byte(p.chat.settings()), func(string) (string, bool) { return "", false })
	if err != nil {
		p.t.Fatal(err)
	}
	servers := tool.New(read.ToolServers(), tool.Options{Folder: p.dir, Version: "test", Clock: calls})
	owner, err := p.record.Own("auto work")
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		servers.Close()
		if err := owner.Close(); err != nil {
			p.t.Error(err)
		}
	})
	h := &hand{place: p}
	h.Worker = worker.New(worker.Options{
		Store: p.record, Tools: servers, Clock: p.clock, Playbook: "campaign-review",
		Owner: func() (*store.Owner, error) { return owner, nil },
		Told:  func(fact worker.Fact) { h.facts = append(h.facts, fact) },
	})
	return h
}

// tick has the worker do what is due, and gives when something is next.
func (h *hand) tick(t testing.TB) time.Time {
	t.Helper()
	next, err := h.Tick(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return next
}
