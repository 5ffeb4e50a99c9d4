package engine_test

// This file tests requests through the face of the engine: asked, answered and
// cancelled as a caller does it.

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool/double"
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

// TestCancelARunThatDoesNotWait wants the process named that is at work on a run, and
// a run that was cut off ended.
func TestCancelARunThatDoesNotWait(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	runtime := open(t, folder, "", nil)
	file := store.At(runtime.StoreFile(), store.Options{})
	owner, err := file.Own("auto mcp")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := owner.Start(store.Beginning{ID: "r-1", Type: "reasoning", Name: "review", Source: []byte("---")}); err != nil {
		t.Fatal(err)
	}
	_, err = runtime.CancelRun("r-1")
	refusedAs(t, err, problem.Conflict, fmt.Sprintf("auto mcp (process %d) is at work on the run r-1; end that process", os.Getpid()))
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	ended, err := runtime.CancelRun("r-1")
	if err != nil || ended.Status != engine.RunFailed || ended.Kind != "interrupted" {
		t.Errorf("cancelling a run that was cut off gives %+v, %v", ended, err)
	}
}

const signIn = `---
sign_in: { server: browser, site: portal.supplier.example, if_signed_out: ask }
expires: P1D
deliver: agent
---
You're not signed in there.
`

// TestTheLocalDeveloperSignsIn wants the one person of a local runtime asked, and
// either answer taken from them, but not that they signed in from an agent.
func TestTheLocalDeveloperSignsIn(t *testing.T) {
	t.Parallel()
	browser := httptest.NewServer((&double.Server{
		Pages:   []string{`{"tools":[{"name":"browser_sign_in","inputSchema":{"type":"object"}}]}`},
		Results: map[string]string{"browser_sign_in": `{"content":[],"structuredContent":{"signed_in":false,"link":"https://browser.example/s/1"}}`},
	}).Handler())
	t.Cleanup(browser.Close)
	runtime := open(t, t.TempDir(), "tool_servers:\n  - name: browser\n    url: "+browser.URL+"/mcp\n", nil)
	answer := func(text string) value.Value {
		v, err := value.ParseJSON([]byte(text), 10)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, id := range []string{"r-1", "r-2"} {
		done, err := runtime.Run(t.Context(), engine.RunRequest{ID: id, Type: "interaction", Name: "supplier", Source: []byte(signIn)})
		if err != nil || done.Status != engine.RunStarted {
			t.Fatalf("the run is %+v, %v", done, err)
		}
	}
	asked, err := runtime.RequestOf("r-1")
	if err != nil || asked.To != "person:local-developer" || runtime.WaitsOnMe(asked.To) != engine.OnMe {
		t.Fatalf("the request is %+v, %v", asked, err)
	}
	if fields := engine.AnswerFields(asked); len(fields) != 2 || fields[0].Name != "signed_in" || !fields[0].Required {
		t.Errorf("the fields of its answer are %+v", fields)
	}
	agent := engine.LocalDeveloper()
	agent.Agent = true
	_, err = runtime.Answer("r-1", engine.Given{Answer: answer(`{"signed_in":true}`), By: agent})
	refusedAs(t, err, problem.Forbidden, "a session of their own")
	_, err = runtime.Answer("r-1", engine.Given{Answer: answer(`{"signed_in":true}`), By: engine.Caller{ID: "ben"}})
	refusedAs(t, err, problem.Forbidden, "another person")
	if _, err := runtime.Answer("r-1", engine.Given{Answer: answer(`{"signed_in":true}`), By: engine.LocalDeveloper()}); err != nil {
		t.Fatal(err)
	}
	if _, err := runtime.Answer("r-2", engine.Given{Answer: answer(`{"signed_in":false,"reason":"Not now"}`), By: agent}); err != nil {
		t.Fatal(err)
	}
	ended, err := runtime.RunByID("r-2")
	if err != nil || ended.Kind != "declined" || !strings.HasSuffix(ended.Rejection.Detail, "portal.supplier.example: Not now") {
		t.Errorf("the run is %+v, %v", ended, err)
	}
}

// TestASignInIsSent wants a sign-in that a tool sends to name its person and the link,
// as it was asked.
func TestASignInIsSent(t *testing.T) {
	t.Parallel()
	servers := &double.Server{
		Pages:   []string{`{"tools":[{"name":"browser_sign_in","inputSchema":{"type":"object"}},{"name":"post_message","inputSchema":{"type":"object"}}]}`},
		Results: map[string]string{"browser_sign_in": `{"content":[],"structuredContent":{"link":"https://browser.example/s/1"}}`},
	}
	server := httptest.NewServer(servers.Handler())
	t.Cleanup(server.Close)
	runtime := open(t, t.TempDir(), "tool_servers:\n  - name: browser\n    url: "+server.URL+"/mcp\n", nil)
	source := strings.Replace(signIn, "deliver: agent", "deliver: { server: browser, tool: post_message, with: { user: '{{ to }}', text: '{{ message }}', by: '{{ expires_at }}' } }", 1)
	done, err := runtime.Run(t.Context(), engine.RunRequest{ID: "r-1", Type: "interaction", Name: "supplier", Source: []byte(source)})
	if err != nil || done.Status != engine.RunStarted {
		t.Fatalf("the run is %+v, %v", done, err)
	}
	asked, err := runtime.RequestOf("r-1")
	if err != nil || asked.Delivery != engine.Delivered {
		t.Fatalf("the request is %+v, %v", asked, err)
	}
	var sent []string
	for _, each := range servers.Asked() {
		if each.Method == "tools/call" && each.Param("/name") == "post_message" {
			sent = append(sent, value.JSON(each.Param("/arguments")))
		}
	}
	const want = `{"user":"person:local-developer","text":"You're not signed in there.\n\nhttps://browser.example/s/1","by":"2026-12-01T09:00:00.000Z"}`
	if len(sent) != 1 || sent[0] != want {
		t.Errorf("sent is %s, want %s", sent, want)
	}
}

// TestAnAttemptMadeLater wants a request that is left to the work not to be sent.
func TestAnAttemptMadeLater(t *testing.T) {
	t.Parallel()
	servers := &double.Server{Pages: []string{`{"tools":[{"name":"post_message","inputSchema":{"type":"object"}}]}`}}
	server := httptest.NewServer(servers.Handler())
	t.Cleanup(server.Close)
	runtime := open(t, t.TempDir(), "tool_servers:\n  - name: chat\n    url: "+server.URL+"/mcp\n", nil)
	const source = "---\nto: team\nexpires: P1D\ndeliver: { server: chat, tool: post_message, with: { text: '{{ message }}' } }\n---\nThe review has begun.\n"
	asked := engine.RunRequest{ID: "r-1", Type: "interaction", Name: "notify", Source: []byte(source), Unsent: true}
	if done, err := runtime.Run(t.Context(), asked); err != nil || done.Status != engine.RunStarted || len(servers.Asked()) != 0 {
		t.Fatalf("the run is %+v, %v, after %d messages", done, err, len(servers.Asked()))
	}
	asked.Unsent = false
	if done, err := runtime.Run(t.Context(), asked); err != nil || done.Status != engine.RunSucceeded || value.JSON(done.Output) != "{}" {
		t.Fatalf("the run is %+v, %v", done, err)
	}
	if count, err := runtime.CountOpenRequests(); count != 0 || err != nil {
		t.Errorf("%d requests are open, %v", count, err)
	}
}

// TestOneAnswer wants one of many answers that are given at once taken, and the
// others refused.
func TestOneAnswer(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	ask(t, open(t, folder, "", nil), "r-1", "priya")
	results := make(chan error, 8)
	for i := range cap(results) {
		runtime := open(t, folder, "", nil)
		go func() {
			answer := value.NewObject(2)
			answer.Set("verdict", "approve")
			answer.Set("note", fmt.Sprint(i))
			_, err := runtime.Answer("r-1", engine.Given{Answer: answer, By: engine.LocalDeveloper()})
			results <- err
		}()
	}
	taken := 0
	for range cap(results) {
		if err := patience.Receive(t, results); err == nil {
			taken++
		} else {
			refusedAs(t, err, problem.Conflict, "took another answer")
		}
	}
	events, _, err := open(t, folder, "", nil).Events(engine.EventFilter{RunID: "r-1", Type: "request_answered"})
	if taken != 1 || len(events) != 1 || err != nil {
		t.Errorf("%d answers were taken, with %d facts, %v", taken, len(events), err)
	}
}
