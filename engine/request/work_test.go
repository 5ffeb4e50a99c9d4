package request

// This file tests what a request wants done, on its way from one attempt to the
// next.

import (
	"testing"
	"time"

	"github.com/beonauto/auto/engine/store"
)

func TestWhatARequestWants(t *testing.T) {
	t.Parallel()
	expires := 600
	failed := func(started, ended int, because string) store.Attempt {
		return store.Attempt{Started: after(started), Ended: after(ended), Because: because}
	}
	going := store.Attempt{Started: after(10)}
	for name, c := range map[string]struct {
		delivery store.Delivery
		attempts []store.Attempt
		givenUp  bool
		closed   bool
		now      int
		step     Step
		due      int // -1 for never
	}{
		"just asked":                  {store.ToDeliver, nil, false, false, 0, Send, 0},
		"held":                        {store.HeldForAnAgent, nil, false, false, 0, Wait, expires},
		"held too long":               {store.HeldForAnAgent, nil, false, false, expires, Expire, expires},
		"being sent":                  {store.Delivering, []store.Attempt{going}, false, false, 69, Wait, 70},
		"cut off":                     {store.Delivering, []store.Attempt{going}, false, false, 70, Lose, 70},
		"failed once":                 {store.Retrying, []store.Attempt{failed(0, 2, "timed_out")}, false, false, 61, Wait, 62},
		"time to try again":           {store.Retrying, []store.Attempt{failed(0, 2, "timed_out")}, false, false, 62, Send, 62},
		"lost, and recorded late":     {store.Retrying, []store.Attempt{failed(0, 300, Lost)}, false, false, 300, Send, 120},
		"a try after the expiry":      {store.Retrying, []store.Attempt{failed(0, 580, "tool_error")}, false, false, 581, Wait, expires},
		"given up":                    {store.Undelivered, []store.Attempt{failed(0, 2, "too_large")}, true, false, 100, Wait, expires},
		"delivered":                   {store.Delivered, []store.Attempt{failed(0, 2, "")}, false, false, 100, Wait, expires},
		"being sent as it expires":    {store.Delivering, []store.Attempt{going}, false, false, expires, Expire, expires},
		"closed":                      {store.Delivered, []store.Attempt{failed(0, 2, "")}, false, true, 100, Wait, -1},
		"closed while being sent":     {store.Delivering, []store.Attempt{going}, false, true, 69, Wait, 70},
		"closed while it was cut off": {store.Delivering, []store.Attempt{going}, false, true, 700, Lose, 70},
	} {
		request := &store.Request{
			RequestSummary: store.RequestSummary{Asked: asked, Expires: after(expires), Delivery: c.delivery},
			Attempts:       c.attempts, GivenUp: c.givenUp,
		}
		if c.closed {
			request.Closed = after(20)
		}
		want := time.Time{}
		if c.due >= 0 {
			want = after(c.due)
		}
		if step, due := Next(request, after(c.now)); step != c.step || !due.Equal(want) {
			t.Errorf("%s: %s at %v, want %s at %v", name, step, due, c.step, want)
		}
	}
}

// A request whose every attempt fails is sent five times, by what the store holds
// of it, and then waits for its expiry.
func TestARequestThatCannotBeDelivered(t *testing.T) {
	t.Parallel()
	request := &store.Request{RequestSummary: store.RequestSummary{Asked: asked, Expires: after(7200), Delivery: store.ToDeliver}}
	now, sent := asked, 0
	for {
		step, due := Next(request, now)
		if step == Wait && due.Equal(request.Expires) {
			break
		}
		if step == Wait {
			now = due
			continue
		}
		if step != Send || sent > MaxAttempts {
			t.Fatalf("at %v it wants %s", now, step)
		}
		sent++
		request.Delivery = store.Retrying
		request.Attempts = append(request.Attempts, store.Attempt{Started: now, Ended: now.Add(2 * time.Second), Because: "server_failure"})
	}
	if sent != MaxAttempts || !request.Attempts[4].Started.Equal(after(908)) {
		t.Errorf("it was sent %d times, %+v", sent, request.Attempts)
	}
}
