// Package clock is time as whatever waits sees it, so that a test can let hours pass
// without waiting. It never decides how long anything may take.
package clock

import (
	"context"
	"errors"
	"time"
)

// Clock tells the time, waits, and ends what takes too long. It is safe for
// concurrent use.
type Clock interface {
	// Now is the time in UTC.
	Now() time.Time
	// Sleep waits, and gives the context's cause when that ends first.
	Sleep(ctx context.Context, wait time.Duration) error
	// Within gives a context that ends after a while, with ErrDeadline as its cause.
	Within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc)
}

// ErrDeadline is why a context ended whose while had passed.
var ErrDeadline = errors.New("the deadline has passed")

type machine struct{}

// Machine is the clock of the machine.
func Machine() Clock { return machine{} }

func (machine) Now() time.Time { return time.Now().UTC() }

func (machine) Sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (machine) Within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, while, ErrDeadline)
}
