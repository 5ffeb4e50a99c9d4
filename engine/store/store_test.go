package store

// This file holds what the tests share: stores in scratch folders, a clock that
// only they move, and runs as people make them.

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// TestMain lets the test binary stand in for another process of the program.
func TestMain(m *testing.M) {
	if role := os.Getenv(childRole); role != "" {
		os.Exit(playRole(role))
	}
	os.Exit(m.Run())
}

// clock is a clock that tests move.
type clock struct {
	mutex sync.Mutex
	at    time.Time
}

func newClock() *clock {
	return &clock{at: time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)}
}

func (c *clock) now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.at
}

func (c *clock) advance(by time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.at = c.at.Add(by)
}

// scratch gives a store in an empty playbook folder, without fsync.
func scratch(t testing.TB) (*Store, *clock) {
	t.Helper()
	c := newClock()
	s := At(filepath.Join(t.TempDir(), ".auto", "runs.db"), Options{Now: c.now})
	s.noSync = true
	return s, c
}

func own(t testing.TB, s *Store) *Owner {
	t.Helper()
	o, err := s.Own("auto run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

const brief = `---
model: anthropic/claude-sonnet-4-5
---
Review this brief: {{ input.brief }}
`

func review(id string) Beginning {
	return Beginning{
		ID: id, Type: "reasoning", Name: "review", Source: []byte(brief),
		Input:  object("brief", "Launch in Ghent on 1 October", "budget", value.Exact("9007199254740993")),
		Events: []Event{{Type: "run_started"}},
	}
}

func start(t testing.TB, o *Owner, b Beginning) *Run {
	t.Helper()
	outcome, run, err := o.Start(b)
	if err != nil || outcome != Claimed {
		t.Fatalf("Start(%s) = %s, %v", b.ID, outcome, err)
	}
	return run
}

func end(t testing.TB, o *Owner, id string, e Ending) *Run {
	t.Helper()
	run, err := o.End(id, e)
	if err != nil {
		t.Fatalf("End(%s): %v", id, err)
	}
	return run
}

func succeeded(output value.Value) Ending {
	return Ending{
		Status: Succeeded, Output: output, Final: true,
		Record: object("model", object("requested", "anthropic/claude-sonnet-4-5"), "duration_ms", 812.0),
		Events: []Event{{Type: "run_succeeded", Data: object("output", output)}},
	}
}

func unavailable() Ending {
	rejection := problem.NewRejection(problem.Unavailable, "anthropic is not reachable; try again later")
	rejection.Kind = "provider_unavailable"
	return Ending{Status: Rejected, Rejection: rejection, Events: []Event{{Type: "run_rejected"}}}
}

// mustBeSound fails the test when a check of the store finds anything.
func mustBeSound(t testing.TB, s *Store) *Report {
	t.Helper()
	report, err := s.Check()
	if err != nil {
		t.Fatalf("Check: %v", err)
	}
	if len(report.Faults) > 0 {
		t.Fatalf("Check found %q", report.Faults)
	}
	return report
}

// fill starts and ends a number of runs, many in one transaction.
func fill(t testing.TB, s *Store, count int) {
	t.Helper()
	o := own(t, s)
	for from := 0; from < count; from += 5000 {
		err := s.write(func(tx transaction) error {
			for i := from; i < min(from+5000, count); i++ {
				b := review(fmt.Sprintf("0199a3c4-%08d", i))
				if i%10 == 3 {
					b.Name = "summarize"
				}
				run, err := tx.begin(o, nil, &b)
				if err != nil {
					return err
				}
				run.Status, run.Ended, run.Final = Succeeded, s.moment(), true
				run.Output = "Two figures have no source."
				if i%100 == 7 {
					run.Status, run.Output, run.Rejection = Rejected, nil, unavailable().Rejection
					run.nameReason()
				}
				if err := tx.putRun(run); err != nil {
					return err
				}
				if err := tx.release(claimRun, run.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
