package obtain

import (
	"context"
	"time"
)

// This file keeps what a source gave, so that one sign-in serves many requests.

const (
	// early is how long before its end a credential is fetched anew.
	early = 5 * time.Minute
	// pause is how long a fetch that failed is not tried again while what is
	// kept still holds.
	pause = 30 * time.Second
)

// Kept gives a credential and fetches it anew before it is over. It is safe for
// concurrent use; one caller fetches at a time.
type Kept[T any] struct {
	fetch   func(context.Context) (T, time.Time, error)
	now     func() time.Time
	turn    chan struct{}
	held    T
	holds   bool
	again   time.Time // when to fetch anew; zero: never
	expires time.Time // zero: never
	// Outlives is how long an expired credential is used when it cannot be
	// fetched anew.
	Outlives time.Duration
}

// Keep makes a holder. Fetch gives a credential and when it is over, the zero
// time for never.
func Keep[T any](now func() time.Time, fetch func(context.Context) (T, time.Time, error)) *Kept[T] {
	return &Kept[T]{fetch: fetch, now: now, turn: make(chan struct{}, 1)}
}

// Get gives the credential. Its error is that of the fetch, or of the context.
func (k *Kept[T]) Get(ctx context.Context) (T, error) {
	var none T
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	defer func() { <-k.turn }()
	now := k.now()
	if k.holds && (k.again.IsZero() || now.Before(k.again)) {
		return k.held, nil
	}
	got, expires, err := k.fetch(ctx)
	switch {
	case err == nil:
		k.held, k.holds, k.expires, k.again = got, true, expires, time.Time{}
		if !expires.IsZero() {
			k.again = expires.Add(-min(early, max(0, expires.Sub(now))/4))
		}
		return got, nil
	case k.holds && now.Before(k.expires.Add(k.Outlives)):
		k.again = now.Add(pause)
		return k.held, nil
	}
	return none, err
}
