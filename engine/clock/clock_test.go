package clock_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/clock/double"
)

// TestClocks holds what a clock promises for the machine's, in a bubble where time
// passes by itself, and for the double.
func TestClocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]clock.Clock{"machine": clock.Machine(), "double": double.New()} {
		synctest.Test(t, func(t *testing.T) {
			began := c.Now()
			if began.Location() != time.UTC {
				t.Errorf("%s tells the time in %s", name, began.Location())
			}
			within, release := c.Within(t.Context(), time.Minute)
			defer release()
			other, let := c.Within(t.Context(), time.Minute)
			let()
			if err := c.Sleep(t.Context(), time.Minute-1); err != nil || within.Err() != nil {
				t.Errorf("%s: a sleep ends with %v, the deadline stands at %v", name, err, within.Err())
			}
			if err := c.Sleep(t.Context(), 1); err != nil {
				t.Errorf("%s: a sleep ends with %v", name, err)
			}
			<-within.Done()
			if cause := context.Cause(within); cause != clock.ErrDeadline {
				t.Errorf("%s: what takes too long ends with %v", name, cause)
			}
			if cause := context.Cause(other); cause != context.Canceled {
				t.Errorf("%s: what was released ends with %v", name, cause)
			}
			if slept := c.Now().Sub(began); slept != time.Minute {
				t.Errorf("%s: %s were slept", name, slept)
			}
			gone := errors.New("gone")
			ctx, end := context.WithCancelCause(t.Context())
			end(gone)
			if err := c.Sleep(ctx, time.Hour); err != gone {
				t.Errorf("%s: a sleep that is ended gives %v", name, err)
			}
		})
	}
}

func TestTheDoubleMoves(t *testing.T) {
	t.Parallel()
	c := double.New()
	ended, release := c.Within(t.Context(), time.Hour)
	defer release()
	c.Advance(time.Hour)
	if context.Cause(ended) != clock.ErrDeadline {
		t.Error("a deadline that is passed does not end")
	}
	far, release := c.Within(t.Context(), 1000*time.Hour)
	defer release()
	c.Expire()
	if context.Cause(far) != clock.ErrDeadline {
		t.Error("the furthest deadline does not end")
	}
	_ = c.Sleep(t.Context(), time.Second)
	if slept := c.Slept(); len(slept) != 1 || slept[0] != time.Second {
		t.Errorf("slept %v", slept)
	}
}
