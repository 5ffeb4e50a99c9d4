package engine_test

// This file tests requests through the face of the engine: asked, answered and
// cancelled as a caller does it.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

const approve = `---
description: Asks the campaign owner to approve a reviewed brief
to: '{{ input.owner }}'
expires: P2D
deliver: agent
input: { schema: { type: object, required: [owner], properties: { owner: { type: string } } } }
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string, maxLength: 40 }
---
The review of your campaign brief is ready.
`

var morning = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// open opens a runtime of a playbook in a folder, with these settings.
func open(t testing.TB, folder, settings string, variables map[string]string) *engine.Runtime {
	t.Helper()
	return openAt(t, folder, settings, variables, func() time.Time { return morning })
}

// openAt opens a runtime by a clock.
func openAt(t testing.TB, folder, settings string, variables map[string]string, now engine.Clock) *engine.Runtime {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, engine.SettingsFile), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	runtime := engine.Open(engine.Options{
		Folder: folder, Command: "auto run", Now: now,
		Lookup: func(name string) (string, bool) { text, set := variables[name]; return text, set },
	})
	t.Cleanup(func() { runtime.Close() })
	return runtime
}

func mkdir(t testing.TB, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
}

// ask starts a run of approve that waits.
func ask(t testing.TB, runtime *engine.Runtime, id, owner string) *engine.Run {
	t.Helper()
	input := value.NewObject(1)
	input.Set("owner", owner)
	done, err := runtime.Run(t.Context(), engine.RunRequest{ID: id, Type: "interaction", Name: "approve", Source: []byte(approve), Input: input})
	if err != nil || done.Status != engine.RunStarted {
		t.Fatalf("the run is %+v, %v", done, err)
	}
	return done
}

// refusedAs holds an error against the rejection that it should be.
func refusedAs(t testing.TB, err error, name problem.Name, words string) {
	t.Helper()
	var rejection *problem.Rejection
	if !errors.As(err, &rejection) || rejection.Type != problem.TypeBase+string(name) || !strings.Contains(rejection.Detail, words) {
		t.Errorf("the error is %v, want %s with %q", err, name, words)
	}
}

func TestCancelARun(t *testing.T) {
	t.Parallel()
	runtime := open(t, t.TempDir(), "", nil)
	ask(t, runtime, "r-1", "priya@acme.example")
	ended, err := runtime.CancelRun("r-1")
	if err != nil || ended.Status != engine.RunRejected || ended.Reason != "cancelled" || ended.Kind != "" || !ended.Final {
		t.Fatalf("cancelling gives %+v, %v", ended, err)
	}
	_, err = runtime.CancelRun("r-1")
	refusedAs(t, err, problem.Conflict, "has ended already: it is rejected")
	answer := value.NewObject(1)
	answer.Set("verdict", "approve")
	_, err = runtime.Answer("r-1", engine.Given{Answer: answer})
	refusedAs(t, err, problem.Conflict, "has ended")
	if _, err := runtime.CancelRun("r-2"); !errors.Is(err, engine.ErrNoRun) {
		t.Errorf("cancelling a run that is not there gives %v", err)
	}
	if count, err := runtime.CountOpenRequests(); count != 0 || err != nil {
		t.Errorf("%d requests are open, %v", count, err)
	}
}

func TestARunThatAsksIsAnswered(t *testing.T) {
	t.Parallel()
	runtime := open(t, t.TempDir(), "", nil)
	ask(t, runtime, "r-1", "priya@acme.example")
	if again := ask(t, runtime, "r-1", "priya@acme.example"); again.Attempt != 1 {
		t.Errorf("its id retried gives %+v", again)
	}
	answer := value.NewObject(1)
	answer.Set("verdict", "approve")
	if _, err := runtime.Answer("r-1", engine.Given{Answer: answer}); err != nil {
		t.Fatal(err)
	}
	ended, err := runtime.RunByID("r-1")
	if err != nil || ended.Status != engine.RunSucceeded || value.JSON(ended.Output) != `{"verdict":"approve"}` {
		t.Errorf("the run is %+v, %v", ended, err)
	}
}

// TestARequestWhoseTimeIsOver wants a request that expired shown as ended by whoever
// looks at it first, though nobody worked on it.
func TestARequestWhoseTimeIsOver(t *testing.T) {
	t.Parallel()
	answer := value.NewObject(1)
	answer.Set("verdict", "approve")
	for name, look := range map[string]func(t *testing.T, runtime *engine.Runtime){
		"by its id": func(t *testing.T, runtime *engine.Runtime) {
			if asked, err := runtime.RequestOf("r-1"); err != nil || asked.Closed.IsZero() {
				t.Errorf("it is %+v, %v", asked, err)
			}
		},
		"in a list": func(t *testing.T, runtime *engine.Runtime) {
			if page, cursor, err := runtime.ListRequests(engine.RequestFilter{Limit: 1}); len(page) != 0 || cursor != "" || err != nil {
				t.Errorf("the page is %+v, %v", page, err)
			}
		},
		"whole in a list": func(t *testing.T, runtime *engine.Runtime) {
			if page, _, err := runtime.OpenRequests(engine.RequestFilter{}); len(page) != 0 || err != nil {
				t.Errorf("the page is %+v, %v", page, err)
			}
		},
		"among the runs": func(t *testing.T, runtime *engine.Runtime) {
			if page, _, err := runtime.Runs(engine.RunFilter{}); len(page) != 1 || page[0].Kind != "expired" || err != nil {
				t.Errorf("the page is %+v, %v", page, err)
			}
		},
		"by an answer": func(t *testing.T, runtime *engine.Runtime) {
			_, err := runtime.Answer("r-1", engine.Given{Answer: answer})
			refusedAs(t, err, problem.Conflict, "has ended")
		},
		"by a cancel": func(t *testing.T, runtime *engine.Runtime) {
			_, err := runtime.CancelRun("r-1")
			refusedAs(t, err, problem.Conflict, "has ended already: it is rejected")
		},
		"by asking again": func(t *testing.T, runtime *engine.Runtime) {
			input := value.NewObject(1)
			input.Set("owner", "priya")
			done, err := runtime.Run(t.Context(), engine.RunRequest{ID: "r-1", Type: "interaction", Name: "approve", Source: []byte(approve), Input: input})
			if err != nil || done.Kind != "expired" {
				t.Errorf("the run is %+v, %v", done, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := morning
			runtime := openAt(t, t.TempDir(), "", nil, func() time.Time { return now })
			ask(t, runtime, "r-1", "priya")
			now = morning.Add(48*time.Hour - time.Millisecond)
			if page, _, err := runtime.ListRequests(engine.RequestFilter{}); len(page) != 1 || err != nil {
				t.Fatalf("before its time is over the page is %+v, %v", page, err)
			}
			now = morning.Add(48 * time.Hour)
			look(t, runtime)
			ended, err := runtime.RunByID("r-1")
			if err != nil || ended.Reason != "unanswered" || ended.Kind != "expired" || !ended.Final {
				t.Errorf("the run is %+v, %v", ended, err)
			}
		})
	}
}
