package model

import (
	"context"
	"errors"
	"time"
)

// This file is time as a call sees it, so that a test can wait without waiting.

// Clock tells the time, waits, and ends what takes too long.
type Clock interface {
	Now() time.Time
	// Sleep waits, and gives the context's error when that ends first.
	Sleep(ctx context.Context, wait time.Duration) error
	// Within gives a context that ends after a while, with ErrDeadline as its
	// cause.
	Within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc)
}

// ErrDeadline is why a context ended when the deadline of a call had passed.
var ErrDeadline = errors.New("the deadline of the call has passed")

type machineClock struct{}

// MachineClock is the clock of the machine.
func MachineClock() Clock { return machineClock{} }

func (machineClock) Now() time.Time { return time.Now().UTC() }

func (machineClock) Sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (machineClock) Within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, while, ErrDeadline)
}
