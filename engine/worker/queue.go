package worker

// This file is the jobs of a worker: what waits for its tool server, and what is
// under way.

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// job is a call of a tool that is to be made. Its key is unique among all that can
// be due.
type job struct {
	key     string
	server  string
	expires time.Time // of its request, which is ended then even while the job waits; zero for never
	do      func(calls context.Context) error
	active  bool
}

// queue is the jobs of one server, the first one first.
type queue struct {
	waiting []*job
	active  int
}

// isTaken tells whether a job of a key waits or is under way.
func (w *Worker) isTaken(key string) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.jobs[key] != nil
}

// enqueue takes a job, and begins it when its server has room for it. It takes no
// second one of a key.
func (w *Worker) enqueue(calls context.Context, j *job) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.ending || w.jobs[j.key] != nil {
		return
	}
	w.jobs[j.key] = j
	q := w.queues[j.server]
	if q == nil {
		q = &queue{}
		w.queues[j.server] = q
	}
	q.waiting = append(q.waiting, j)
	w.fill(calls, q)
}

// fill begins jobs of a queue while there is room. The lock is held.
func (w *Worker) fill(calls context.Context, q *queue) {
	for q.active < atOnce && len(q.waiting) > 0 {
		j := q.waiting[0]
		q.waiting[0], q.waiting = nil, q.waiting[1:]
		if w.jobs[j.key] != j {
			continue // it was dropped as it waited
		}
		j.active = true
		q.active++
		w.active++
		w.count++
		go w.run(calls, q, j)
	}
}

func (w *Worker) run(calls context.Context, q *queue, j *job) {
	fault, err := j.attempt(calls)
	w.lock.Lock()
	defer w.lock.Unlock()
	if err != nil && w.failure == nil {
		w.failure = err
	}
	if fault != "" && w.fault == "" {
		w.fault, w.ending = fault, true
	}
	delete(w.jobs, j.key)
	q.active--
	w.active--
	if !w.ending {
		w.fill(calls, q)
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// attempt does the job. A panic in it comes back as words, with where it was: it is
// thrown again where the work was asked for, whose caller can report it in order.
func (j *job) attempt(calls context.Context) (fault string, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			fault = fmt.Sprintf("%v\n%s", thrown, debug.Stack())
		}
	}()
	return "", j.do(calls)
}

// overdue gives the keys of jobs whose requests have expired, once each. Those that
// wait leave their queues; a call under way goes on, and ends an attempt of a request
// that has ended.
func (w *Worker) overdue(now time.Time) []string {
	w.lock.Lock()
	defer w.lock.Unlock()
	var keys []string
	for key, j := range w.jobs {
		if j.expires.IsZero() || now.Before(j.expires) {
			continue
		}
		if keys, j.expires = append(keys, key), (time.Time{}); !j.active {
			delete(w.jobs, key)
		}
	}
	return keys
}

// begun tells how many jobs were begun so far.
func (w *Worker) begun() int {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.count
}

// drain waits until no job is left.
func (w *Worker) drain() {
	for {
		w.lock.Lock()
		left, changed := w.active, w.changed
		w.lock.Unlock()
		if left == 0 {
			return
		}
		<-changed
	}
}

// failed gives the first error that a job met. It panics where a job did.
func (w *Worker) failed() error {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.fault != "" {
		panic(w.fault)
	}
	return w.failure
}
