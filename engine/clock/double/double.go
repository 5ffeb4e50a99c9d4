// Package double is a clock that moves only when a test moves it, or when somebody
// sleeps by it, for whom nobody waits. It never becomes part of the program.
package double

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/clock"
)

// Clock is a clock.Clock that a test moves.
type Clock struct {
	lock      sync.Mutex
	now       time.Time
	slept     []time.Duration
	deadlines map[*deadline]bool
}

type deadline struct {
	at  time.Time
	end context.CancelCauseFunc
}

// Began is when the clocks of New begin.
var Began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// New gives a clock that stands at Began.
func New() *Clock { return At(Began) }

// At gives a clock that stands at a time.
func At(now time.Time) *Clock { return &Clock{now: now, deadlines: map[*deadline]bool{}} }

// Now is where the clock stands.
func (c *Clock) Now() time.Time {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.now
}

// Advance moves the clock, and ends what has taken too long by then.
func (c *Clock) Advance(while time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.now = c.now.Add(while)
	for d := range c.deadlines {
		if !c.now.Before(d.at) {
			d.end(clock.ErrDeadline)
		}
	}
}

// Expire moves the clock to the furthest deadline.
func (c *Clock) Expire() {
	var furthest time.Duration
	c.lock.Lock()
	for d := range c.deadlines {
		furthest = max(furthest, d.at.Sub(c.now))
	}
	c.lock.Unlock()
	c.Advance(furthest)
}

// Sleep moves the clock instead of waiting.
func (c *Clock) Sleep(ctx context.Context, wait time.Duration) error {
	if ctx.Err() == nil {
		c.lock.Lock()
		c.slept = append(c.slept, wait)
		c.lock.Unlock()
		c.Advance(wait)
	}
	return context.Cause(ctx)
}

// Slept is each wait that was slept, in their order.
func (c *Clock) Slept() []time.Duration {
	c.lock.Lock()
	defer c.lock.Unlock()
	return slices.Clone(c.slept)
}

// Within gives a context that ends when the clock has moved by a while.
func (c *Clock) Within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	c.lock.Lock()
	defer c.lock.Unlock()
	d := &deadline{c.now.Add(while), end}
	c.deadlines[d] = true
	return ctx, func() {
		c.lock.Lock()
		defer c.lock.Unlock()
		delete(c.deadlines, d)
		end(nil)
	}
}
