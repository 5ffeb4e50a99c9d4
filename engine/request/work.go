package request

// This file says what a request wants done next, and when, for whoever works on
// requests.

import (
	"slices"
	"time"

	"github.com/beonauto/auto/engine/store"
)

// Lost is why an attempt failed that was cut off (interaction format, "The run's history").
const Lost = "lost"

// Step is what a request wants done.
type Step string

// The steps.
const (
	Wait   Step = "wait"   // nothing, until the time that is given
	Send   Step = "send"   // its next attempt
	Lose   Step = "lose"   // its attempt is to be recorded as lost, if its process is gone
	Expire Step = "expire" // it is to be ended: nobody answered it
)

// Next gives what a request wants done by now, and for Wait when it wants something
// done next: the zero time for never.
func Next(r *store.Request, now time.Time) (step Step, due time.Time) {
	attempts := len(r.Attempts)
	unfinished := attempts > 0 && r.Attempts[attempts-1].Ended.IsZero()
	if !r.Closed.IsZero() {
		if !unfinished {
			return Wait, time.Time{}
		}
		return reached(Lose, lostAt(&r.Attempts[attempts-1]), time.Time{}, now)
	}
	switch {
	case IsExpired(r, now):
		return Expire, r.Expires
	case unfinished:
		return reached(Lose, lostAt(&r.Attempts[attempts-1]), r.Expires, now)
	case r.Delivery == store.HeldForAnAgent || r.Delivery == store.Delivered || r.GivenUp:
		return Wait, r.Expires
	}
	if due, again := NextAttempt(r.Asked, failures(r.Attempts)); again {
		return reached(Send, due, r.Expires, now)
	}
	return Wait, r.Expires
}

// AfterAttempt gives when a request is sent next after one more attempt that failed.
// It is false when none follows.
func AfterAttempt(r *store.Request, failed store.Attempt) (due time.Time, again bool) {
	attempts := append(slices.Clone(r.Attempts), failed)
	return NextAttempt(r.Asked, failures(attempts))
}

// reached gives a step whose time has come, and otherwise the wait for it or for
// what comes before it.
func reached(step Step, due, before, now time.Time) (Step, time.Time) {
	if !now.Before(due) {
		return step, due
	}
	if !before.IsZero() && before.Before(due) {
		due = before
	}
	return Wait, due
}

func lostAt(a *store.Attempt) time.Time { return a.Started.Add(LostAfter) }

// failures gives what counts of attempts that failed. A lost one failed when it
// counted as lost, however late that was recorded.
func failures(attempts []store.Attempt) []Attempt {
	failed := make([]Attempt, len(attempts))
	for i := range attempts {
		a := &attempts[i]
		failed[i] = Attempt{Ended: a.Ended, RetryAfter: a.RetryAfter}
		if a.Because == Lost {
			failed[i].Ended = lostAt(a)
		}
	}
	return failed
}
