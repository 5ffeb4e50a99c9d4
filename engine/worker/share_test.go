package worker_test

// This file tests workers beside each other, servers that are slow, stores that are
// held, and work that is stopped.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/worker"
)

// Workers on one store make each attempt, each read and each telling once.
func TestWorkersShareTheWork(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const requests = 12
	for i := range requests {
		d.ask(fmt.Sprintf("r-%d", i), approval)
	}
	workers := []*worker.Worker{d.Worker, d.another(d.own()), d.another(d.own())}
	everybody := func() {
		t.Helper()
		var group sync.WaitGroup
		for _, w := range workers {
			group.Go(func() {
				if _, err := w.Tick(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
	everybody()
	if made := d.chat.made("post_message"); len(made) != requests {
		t.Fatalf("%d attempts are made", len(made))
	}
	for i := range requests {
		d.chat.says("U-priya", "hm", fmt.Sprint(i+1))
	}
	d.clock.advance(5 * time.Second)
	everybody()
	if reads, told := len(d.chat.made("thread_replies")), len(d.chat.made("post_message"))-requests; reads != requests || told != requests {
		t.Errorf("%d reads and %d tellings are made", reads, told)
	}
	for i := range requests {
		d.chat.says("U-priya", "approve", fmt.Sprint(i+1))
	}
	d.clock.advance(10 * time.Second)
	everybody()
	if got := strings.Count(d.told(), "answered"); got != requests {
		t.Errorf("%d are answered: %s", got, d.told())
	}
	if open, err := d.CountOpenRequests(); err != nil || open != 0 {
		t.Errorf("%d are open, %v", open, err)
	}
	d.sound()
}

// A server that does not answer holds up neither another server's requests nor the
// expiry of any.
func TestASlowServerHoldsUpItselfAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	stuck := make(chan struct{})
	const slow = 10 // more than are sent at once
	for i := range slow {
		d.ask(fmt.Sprintf("slow-%d", i), strings.Replace(unread, "P2D", "PT1M", 1))
		d.chat.will("post_message", reply{until: stuck})
	}
	quick := strings.NewReplacer("server: chat", "server: mail", "tool: post_message", "tool: thread_replies").Replace(unread)
	asked := false
	err := d.Work(t.Context(), func() (bool, error) {
		if !asked && len(d.chat.made("post_message")) == 4 {
			asked = true
			d.ask("quick", quick)
		}
		// The clock goes on with each look at the store.
		if asked && d.request("quick").Delivery == store.Delivered && strings.Count(d.told(), "expired") == slow {
			close(stuck)
			return true, nil
		}
		if d.clock.Now().After(began.Add(time.Hour)) {
			close(stuck)
			return true, errors.New("an hour went by: " + d.told())
		}
		return false, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if made := len(d.chat.made("post_message")); made != 4 {
		t.Errorf("%d calls of the slow server are made at once", made)
	}
	d.sound()
}

// Work ends with its context: what is under way is waited for a little, and then
// recorded as lost.
func TestWorkThatIsStopped(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	ctx, stop := context.WithCancel(t.Context())
	answered := make(chan struct{})
	d.chat.will("post_message", reply{during: stop, until: answered})
	go func() { // the answer comes within the grace
		<-ctx.Done()
		close(answered)
	}()
	if err := d.Work(ctx, nil); err != nil || d.told() != "delivered" {
		t.Errorf("an answer in time: %v, told as %s", err, d.told())
	}
	d.ask("r-2", approval)
	ctx, stop = context.WithCancel(t.Context())
	for len(d.clock.limits) > 0 {
		patience.Receive(t, d.clock.limits)
	}
	d.chat.will("post_message", reply{during: func() {
		stop()
		go func() {
			patience.Receive(t, d.clock.limits)
			d.clock.advance(5 * time.Second) // the grace goes by
		}()
	}, until: make(chan struct{})})
	if err := d.Work(ctx, nil); err != nil || d.told() != "delivered delivery_failed" {
		t.Errorf("no answer: %v, told as %s", err, d.told())
	}
	if stands := d.request("r-2"); stands.Delivery != store.Retrying || stands.Attempts[0].Because != request.Lost {
		t.Errorf("it stands as %+v", stands)
	}
	if _, err := d.Tick(ctx); err != nil || len(d.chat.made("post_message")) != 2 {
		t.Errorf("a context that has ended begins work: %v", err)
	}
	d.tickFor(10 * time.Minute)
	if d.request("r-2").Delivery != store.Delivered {
		t.Errorf("it is not sent again: %s", d.told())
	}
	d.sound()
}

// A panic in a call is thrown where the work was asked for: in a goroutine of its own
// it would end a process that has the terminal to put back.
func TestWorkThrowsWhatItsCallsThrow(t *testing.T) {
	t.Parallel()
	for name, work := range map[string]func(*desk) error{
		"tick": func(d *desk) error { _, err := d.Tick(t.Context()); return err },
		"work": func(d *desk) error { return d.Work(t.Context(), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ask("r-1", approval)
			d.chat.will("post_message", reply{during: func() { panic("the chat is beside itself") }})
			defer func() {
				thrown, _ := recover().(string)
				if !strings.HasPrefix(thrown, "the chat is beside itself\n") || !strings.Contains(thrown, "share_test.go:") {
					t.Errorf("it throws %q", thrown)
				}
			}()
			t.Errorf("it throws nothing: %v", work(d))
		})
	}
}

// Requests of other processes are met, since the store is never left alone for more
// than a second.
func TestWorkLooksAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asked := false
	err := d.Work(t.Context(), func() (bool, error) {
		if !asked && d.clock.Now().After(began.Add(3*time.Second)) {
			asked = true
			d.ask("r-1", approval)
		}
		return len(d.chat.made("post_message")) > 0, nil
	})
	if err != nil || d.clock.longest != time.Second {
		t.Errorf("the store is left alone for %s, %v", d.clock.longest, err)
	}
}

// One works on one request alone.
func TestOneRequestAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.ask("r-2", approval)
	if err := d.One(t.Context(), "r-2"); err != nil {
		t.Fatal(err)
	}
	if first, second := d.request("r-1"), d.request("r-2"); first.Delivery != store.ToDeliver || second.Delivery != store.Delivered {
		t.Errorf("they stand as %s and %s", first.Delivery, second.Delivery)
	}
	if err := d.One(t.Context(), "r-9"); err != nil {
		t.Errorf("one that is not there: %v", err)
	}
}

// A store that others hold is waited for, and no fact is lost.
func TestAStoreThatIsHeld(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	impatient := store.At(d.Path(), store.Options{Now: d.clock.Now, Timeout: time.Millisecond})
	owner, err := impatient.Own("auto work")
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	w := worker.New(worker.Options{Store: impatient, Tools: d.chat, Owner: func() (*store.Owner, error) { return owner, nil }, Clock: d.clock})
	closing := make(chan error, 2)
	hold := reply{during: func() {
		db, err := bolt.Open(d.Path(), 0o600, nil)
		if err != nil {
			t.Error(err)
			return
		}
		time.AfterFunc(20*time.Millisecond, func() { closing <- db.Close() })
	}}
	d.chat.will("post_message", hold)
	d.chat.will("thread_replies", hold)
	if err := w.Work(t.Context(), func() (bool, error) { return d.request("r-1").Delivery == store.Delivered, nil }); err != nil {
		t.Fatal(err)
	}
	d.chat.says("U-priya", "approve", "1")
	if err := w.Work(t.Context(), func() (bool, error) { return d.run("r-1").Status == store.Succeeded, nil }); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(patience.Receive(t, closing), patience.Receive(t, closing)); err != nil {
		t.Fatal(err)
	}
	if len(d.chat.made("post_message")) != 1 {
		t.Errorf("%d calls are made", len(d.chat.made("post_message")))
	}
	d.sound()
}

// A store that cannot be used ends the work.
func TestAStoreThatIsDamaged(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	damaged := store.At(t.TempDir(), store.Options{Now: d.clock.Now})
	w := worker.New(worker.Options{Store: damaged, Tools: d.chat, Owner: func() (*store.Owner, error) { return d.owner, nil }, Clock: d.clock})
	var is *store.DamagedError
	if err := w.Work(t.Context(), nil); !errors.As(err, &is) {
		t.Errorf("the work gives %v", err)
	}
	if _, err := w.Tick(t.Context()); !errors.As(err, &is) {
		t.Errorf("a tick gives %v", err)
	}
}

// What a call is about is recorded before it is sent.
func TestWhatIsRecordedBeforeACall(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask("r-1", approval)
	d.chat.will("post_message", reply{during: func() {
		if got := d.history("r-1"); !strings.HasSuffix(got, "delivery_started") || d.request("r-1").Delivery != store.Delivering {
			t.Errorf("before the call is sent the history is %s", got)
		}
	}}, reply{during: func() {
		if got := d.events(store.EventFilter{Type: "telling_started"}); len(got) != 1 {
			t.Errorf("before a telling is sent the events are %+v", got)
		}
	}})
	d.tick()
	d.chat.says("U-priya", "hm", "1")
	d.tickFor(6 * time.Second)
	if len(d.chat.made("post_message")) != 2 {
		t.Errorf("told as %s", d.told())
	}
}
