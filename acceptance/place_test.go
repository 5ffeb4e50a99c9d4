// Package acceptance_test takes requests from their asking to their ending as
// people have them: the format's own document, a chat over HTTP that fails in every
// way, and processes that die at every moment.
package acceptance_test

// This file is the playbook of a test, and the program as a process with a clock
// that the test moves.

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/cli"
	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// clockVariable makes the test binary the program, whose time starts where the
// variable says.
const clockVariable = "AUTO_ACCEPTANCE_CLOCK"

func TestMain(m *testing.M) {
	if text := os.Getenv(clockVariable); text != "" {
		from, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			panic(err)
		}
		streams, began := cli.System(), time.Now()
		streams.Now = func() time.Time { return from.Add(time.Since(began)) }
		if of := os.Getenv(deathVariable); of != "" {
			os.Exit(dieWorking(of, streams.Now))
		}
		os.Exit(cli.Execute(os.Args[1:], streams))
	}
	os.Exit(m.Run())
}

// deathVariable makes the test binary a worker that dies, once it has told that it
// did what the variable says.
const deathVariable = "AUTO_ACCEPTANCE_DEATH"

// dieWorking does what is due on a playbook's requests, and dies of a fact, as a
// process does that is killed.
func dieWorking(of string, now func() time.Time) int {
	r := engine.Open(engine.Options{
		Folder: ".", Command: "auto work", Now: now, Version: "test",
		Lookup: func(string) (string, bool) { return "", false },
	})
	err := r.Work(context.Background(), engine.WorkOptions{Once: true, Told: func(fact engine.WorkFact) {
		if string(fact.Did) == of {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
		}
	}})
	if err != nil {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return 0
}

// place is a playbook with a chat, and a time of its own.
type place struct {
	t      *testing.T
	dir    string
	chat   *chat
	record *store.Store
	*clock
}

// owner is who is asked, and how the chat names who answers.
const owner = "priya@acme.example"

// newPlace makes a playbook of the shipped approve-campaign-brief and a chat.
func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, dir: t.TempDir(), chat: newChat(t), clock: newClock()}
	p.write("auto.yaml", p.chat.settings())
	source, err := os.ReadFile("../playbooks/campaign-review/interaction/approve-campaign-brief.md")
	if err != nil {
		t.Fatal(err)
	}
	p.write("interaction/approve-campaign-brief.md", string(source))
	p.record = store.At(filepath.Join(p.dir, ".auto", "runs.db"), store.Options{Now: p.Now})
	return p
}

func (p *place) write(path, text string) {
	p.t.Helper()
	whole := filepath.Join(p.dir, path)
	if err := os.MkdirAll(filepath.Dir(whole), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(whole, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) read(path string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, path))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// open gives the playbook's runtime in this process, on the place's time.
func (p *place) open(command string) *engine.Runtime {
	r := engine.Open(engine.Options{
		Folder: p.dir, Command: command, Now: p.Now, Version: "test",
		Lookup: func(string) (string, bool) { return "", false },
	})
	p.t.Cleanup(func() {
		if err := r.Close(); err != nil {
			p.t.Error(err)
		}
	})
	return r
}

// command gives the program as a process of its own, on the place's time.
func (p *place) command(arguments ...string) *exec.Cmd {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	child := patience.Command(p.t, self, arguments...)
	child.Dir = p.dir
	child.Env = append(os.Environ(), clockVariable+"="+p.Now().Format(time.RFC3339Nano), "NO_COLOR=1")
	return child
}

// auto does a command to its end and gives what it printed. It wants an exit code.
func (p *place) auto(code int, arguments ...string) (out, said string) {
	p.t.Helper()
	child := p.command(arguments...)
	var stdout, stderr strings.Builder
	child.Stdout, child.Stderr = &stdout, &stderr
	err := child.Run()
	var exit *exec.ExitError
	got := 0
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		p.t.Fatal(err)
	}
	if got != code {
		p.t.Fatalf("auto %s exits with %d, want %d\n%s%s", strings.Join(arguments, " "), got, code, stdout.String(), stderr.String())
	}
	return stdout.String(), stderr.String()
}

// run gives a run as recorded.
func (p *place) run(id string) *store.Run {
	p.t.Helper()
	found, err := p.record.Get(id)
	if err != nil {
		p.t.Fatalf("run %s: %v", id, err)
	}
	return found
}

// request gives the request of a run as recorded.
func (p *place) request(id string) *store.Request {
	p.t.Helper()
	found, err := p.record.Request(id)
	if err != nil {
		p.t.Fatalf("the request of run %s: %v", id, err)
	}
	return found
}

// history gives the events of a run, and the playbook's own of its conversations,
// in the order of the record.
func (p *place) history(id string) []store.Event {
	p.t.Helper()
	page, more, err := p.record.Events(store.EventFilter{RunID: id, Limit: 1000})
	if err != nil || more {
		p.t.Fatal(more, err)
	}
	return page
}

func types(events []store.Event) string {
	words := make([]string, len(events))
	for i, e := range events {
		words[i] = e.Type
	}
	return strings.Join(words, " ")
}

// sound wants a store without a fault.
func (p *place) sound() {
	p.t.Helper()
	found, err := p.record.Check()
	if err != nil || len(found.Faults) > 0 {
		p.t.Fatalf("the store: %v, %v", err, found)
	}
}

// given is the input of the function's run of an id.
func given(id string) *value.Object {
	o := &value.Object{}
	o.Set("owner", owner)
	o.Set("review", "The review of "+id+": the brief names no measurable goal.")
	return o
}

// running gives the arguments of auto run for a run of the function.
func running(id string, more ...string) []string {
	return append([]string{"run", function, "--input", value.JSON(given(id)), "--run-id", id}, more...)
}

// posted counts the messages of a run's request that stand in the chat.
func (p *place) posted(id string) int {
	p.t.Helper()
	answer, err := value.ParseJSON(p.chat.do([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"channel_history","arguments":{"channel":"`+owner+`","limit":100}}}`)), 20)
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.Count(value.JSON(answer), `"text":"The review of your campaign brief is ready:\n\nThe review of `+id+`:`)
}
