package acceptance_test

// This file has workers, inboxes and answers at one store at once.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// minuteVariable has the test go on for a minute.
const minuteVariable = "AUTO_TEST_MINUTE"

// crowd is everything at once at one store.
type crowd struct {
	*place
	done chan struct{}

	lock    sync.Mutex
	longest map[string]time.Duration // that one use of the store took, by what it was
	uses    map[string]int

	taken    atomic.Int64 // answers that were taken
	conflict atomic.Int64 // answers that were not, since the request had one
}

// use does one thing at the store and keeps how long it took.
func (c *crowd) use(what string, do func() error) {
	began := time.Now()
	err := do()
	c.lock.Lock()
	c.longest[what] = max(c.longest[what], time.Since(began))
	c.uses[what]++
	c.lock.Unlock()
	var rejection *problem.Rejection
	switch {
	case err == nil:
	case errors.As(err, &rejection) && rejection.Type == problem.NewRejection(problem.Conflict, "").Type:
		c.conflict.Add(1)
	default:
		c.t.Errorf("%s: %v", what, err)
	}
}

func (c *crowd) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// work ticks until the end, each time a little later.
func (c *crowd) work() {
	h := c.handBy(nil) // time runs too fast here for calls
	for !c.isDone() {
		c.Advance(7 * time.Second)
		c.use("a worker", func() error {
			_, err := h.Tick(context.Background())
			return err
		})
	}
}

// inbox lists what is open, shows some of it and answers what it finds third.
func (c *crowd) inbox(name string) {
	r := c.open("auto inbox")
	for !c.isDone() {
		var open []*engine.AskedRequest
		c.use("an inbox lists", func() (err error) {
			open, _, err = r.OpenRequests(engine.RequestFilter{})
			return err
		})
		for i, asked := range open {
			if i%3 == 2 {
				c.use("an inbox answers", func() error { return c.give(r, asked.RunID, "revise", name) })
			}
		}
	}
}

func (c *crowd) give(r *engine.Runtime, id, verdict, note string) error {
	answer := &value.Object{}
	answer.Set("verdict", verdict)
	answer.Set("note", note)
	_, err := r.Answer(id, engine.Given{Answer: answer, By: engine.Caller{ID: "local", Name: note}})
	if err == nil {
		c.taken.Add(1)
	}
	return err
}

// atOnce has twenty answers of five kinds given to one request at once.
func (c *crowd) atOnce(answerers []*engine.Runtime, id string) {
	var group sync.WaitGroup
	for i, r := range answerers {
		group.Go(func() {
			c.use("an answer", func() error { return c.give(r, id, "approve", fmt.Sprint("answer ", i%5)) })
		})
	}
	group.Wait()
}

func TestEveryoneAtOneStore(t *testing.T) {
	t.Parallel()
	c := &crowd{place: newPlace(t), done: make(chan struct{}), longest: map[string]time.Duration{}, uses: map[string]int{}}
	while := 3 * time.Second
	if os.Getenv(minuteVariable) != "" {
		while = time.Minute
	}
	var answerers []*engine.Runtime
	for range 20 {
		answerers = append(answerers, c.open("auto answer"))
	}
	time.AfterFunc(while, func() { close(c.done) })
	var group sync.WaitGroup
	group.Go(c.work)
	group.Go(c.work)
	group.Go(func() { c.inbox("one inbox") })
	group.Go(func() { c.inbox("another inbox") })
	asked := 0
	for !c.isDone() {
		// Of three requests, one is answered at once by many, one by whoever is first,
		// and one by a reply where that is.
		var ids []string
		for range 3 {
			asked++
			ids = append(ids, fmt.Sprint("r-", asked))
			c.use("a run asks", func() error { c.ask(ids[len(ids)-1]); return nil })
		}
		if sent := c.request(ids[0]).Sent; sent != nil {
			c.chat.reply(owner, sent.ID, owner, "approve by reply")
		}
		c.atOnce(answerers, ids[1])
	}
	group.Wait()
	// What is still open is answered now.
	for i := 1; i <= asked; i++ {
		id := fmt.Sprint("r-", i)
		if c.run(id).Status == store.Started {
			c.atOnce(answerers, id)
		}
	}
	c.account(asked)
	t.Logf("%d requests; %d answers were taken or found taken, %d were conflicts", asked, c.taken.Load(), c.conflict.Load())
	for what, longest := range c.longest {
		t.Logf("%s: %d times, the longest took %s", what, c.uses[what], longest.Round(time.Millisecond))
	}
}

// account wants each request to have one answer, and its run to have ended with it.
func (c *crowd) account(asked int) {
	c.t.Helper()
	for i := 1; i <= asked; i++ {
		id := fmt.Sprint("r-", i)
		history := c.history(id)
		words := types(history)
		if got := strings.Count(words, "request_answered"); got != 1 {
			c.t.Errorf("run %s took %d answers: %s", id, got, words)
			continue
		}
		answer, _ := last(history, "request_answered").Get("answer")
		if ended := c.run(id); ended.Status != store.Succeeded || value.JSON(ended.Output) != value.JSON(answer) {
			c.t.Errorf("run %s is %s with %s after the answer %s", id, ended.Status, value.JSON(ended.Output), value.JSON(answer))
		}
		if started := strings.Count(words, "delivery_started"); started > 1 {
			c.t.Errorf("run %s was sent %d times", id, started)
		}
	}
	messages := 0
	for _, call := range c.chat.called(post) {
		if call.text("thread_ts") == "" {
			messages++
		}
	}
	if messages > asked {
		c.t.Errorf("%d messages were sent for %d requests", messages, asked)
	}
	c.sound()
}
