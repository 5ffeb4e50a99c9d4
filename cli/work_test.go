package cli_test

// This file tests auto work and auto run --wait with a clock that only the test
// moves, and a tool server that answers what its arguments spell out.

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/cli"
	"github.com/beonauto/auto/engine/tool/double"
)

// office is a playbook whose requests are worked on.
type office struct {
	t      *testing.T
	folder string

	lock sync.Mutex
	now  time.Time
}

const approveSource = `---
to: U-priya
expires: PT1H
deliver:
  server: chat
  tool: result
  with: { text: '{{ message }}', json: '{"structuredContent":{"channel":"C1","ts":"1"}}' }
  sent: { conversation: /channel, id: /ts }
replies:
  tool: result
  with: { json: '{"structuredContent":{"messages":[{"ts":"2","user":"U-priya","text":"maybe"},{"ts":"3","user":"U-priya","text":"Approve, ship it"}]}}' }
  read: { list: /messages, order: oldest_first, each: { id: /ts, sender: /user, text: /text } }
  tell: { with: { json: '{"structuredContent":{"channel":"C1","ts":"4"}}' } }
reply: { verdict: word, note: rest }
output: { schema: { type: object, required: [verdict], properties: { verdict: { type: string, enum: [approve, revise] }, note: { type: string } } } }
---
The review of your brief is ready.
`

func newOffice(t *testing.T) *office {
	t.Helper()
	server := httptest.NewServer((&double.Server{}).Handler())
	t.Cleanup(server.Close)
	o := &office{t: t, folder: t.TempDir(), now: time.Date(2026, 11, 1, 9, 30, 0, 0, time.UTC)}
	failing := strings.Replace(approveSource, "tool: result\n  with: { text", "tool: fails\n  with: { text", 1)
	for name, text := range map[string]string{
		"auto.yaml":                  "tool_servers: [{ name: chat, url: '" + server.URL + "/mcp' }]\n",
		"interaction/approve.md":     approveSource,
		"interaction/unreachable.md": failing,
		"interaction/held.md":        "---\nto: U-priya\nexpires: PT1H\ndeliver: agent\noutput: { schema: { type: object, required: [verdict], properties: { verdict: { type: string } } } }\n---\nIs it ready?\n",
	} {
		path := filepath.Join(o.folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func (o *office) advance(by time.Duration) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.now = o.now.Add(by)
}

// does runs the program and wants an exit code.
func (o *office) does(code int, change func(*cli.Streams), args ...string) (out, stderr string) {
	o.t.Helper()
	var outBuffer, errBuffer lockedBuffer
	streams := cli.Streams{
		In: strings.NewReader(""), Out: &outBuffer, Err: &errBuffer, Dir: o.folder,
		Env: func(string) string { return "" },
		Now: func() time.Time {
			o.lock.Lock()
			defer o.lock.Unlock()
			return o.now
		},
	}
	if change != nil {
		change(&streams)
	}
	if got := cli.Execute(args, streams); got != code {
		o.t.Fatalf("%v exits with %d, want %d\n%s%s", args, got, code, outBuffer.String(), errBuffer.String())
	}
	return outBuffer.String(), errBuffer.String()
}

// lockedBuffer may be written by several at once.
type lockedBuffer struct {
	lock sync.Mutex
	text bytes.Buffer
	on   func(text string)
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.on != nil {
		b.on(string(text))
	}
	return b.text.Write(text)
}

func (b *lockedBuffer) String() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.text.String()
}

func TestWorkOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	if out, stderr := o.does(0, nil, "work", "--once"); out+stderr != "" {
		t.Errorf("nothing is due, and it says %s%s", out, stderr)
	}
	o.does(0, nil, "run", "approve", "--run-id", "r-1")
	o.does(0, nil, "run", "unreachable", "--run-id", "r-2")
	o.does(0, nil, "run", "held", "--run-id", "r-3")
	o.advance(6 * time.Second)
	out, _ := o.does(0, nil, "work", "--once")
	want := "09:30:06  approve  U-priya  r-1  Refused the reply 2: no answer can be read from it\n" +
		"09:30:06  approve  U-priya  r-1  Answered by the reply 3\n"
	if out != want {
		t.Errorf("work says\n%swant\n%s", out, want)
	}
	if out, _ := o.does(0, nil, "runs", "show", "r-1", "--json"); !strings.Contains(out, `"note": "ship it"`) {
		t.Errorf("the run is\n%s", out)
	}
	o.advance(time.Minute)
	out, _ = o.does(0, nil, "work", "--once")
	want = "09:31:06  unreachable  U-priya  r-2  Attempt 2 through chat/fails failed, tool_error: Not allowed: The review of your brief is ready.; due again at 09:33:06\n"
	if out != want {
		t.Errorf("work says\n%swant\n%s", out, want)
	}
	o.advance(time.Hour)
	out, _ = o.does(0, nil, "work", "--once", "--json")
	want = `{"time":"2026-11-01T10:31:06.000Z","did":"expired","run_id":"r-2","type":"interaction","name":"unreachable","to":"U-priya","server":null,"tool":null,"attempt":null,"because":"expired","message":"Nobody answered the request before it expired at 2026-11-01T10:30:00.000Z","reply":null,"next_attempt_at":null}` + "\n"
	if lines := strings.SplitAfter(out, "\n"); len(lines) != 3 || lines[0] != want && lines[1] != want {
		t.Errorf("work says\n%swant\n%s", out, want)
	}
	if out, _ := o.does(0, nil, "work", "--once"); out != "" {
		t.Errorf("then it says %s", out)
	}
	o.does(2, nil, "work", "now")
	if err := os.WriteFile(filepath.Join(o.folder, "auto.yaml"), []byte("tool_servers: 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o.does(2, nil, "work", "--once")
}

// interruptedWhen ends a command, as with ctrl-c, once it has printed something.
func interruptedWhen(words string) func(*cli.Streams) {
	return func(s *cli.Streams) {
		var stop context.CancelFunc
		ready := make(chan struct{})
		s.Interruptible = func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, stop = context.WithCancel(ctx)
			close(ready)
			return ctx, stop
		}
		see := func(text string) {
			if strings.Contains(text, words) {
				<-ready
				stop()
			}
		}
		s.Out.(*lockedBuffer).on, s.Err.(*lockedBuffer).on = see, see
	}
}

func TestWorkUntilStopped(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.does(0, nil, "run", "held", "--run-id", "r-1")
	o.advance(2 * time.Hour)
	out, stderr := o.does(0, func(s *cli.Streams) {
		s.ErrTerminal = true
		interruptedWhen("Expired")(s)
	}, "work")
	if out != "11:30:00  held  U-priya  r-1  Expired: nobody answered in time\n" {
		t.Errorf("work says %s", out)
	}
	if want := fmt.Sprintf("auto: Working on the requests of %s; ctrl-c ends it\n", filepath.Base(o.folder)); stderr != want {
		t.Errorf("and beside it %q", stderr)
	}
}

func TestRunAndWait(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	out, stderr := o.does(0, func(s *cli.Streams) {
		// The reply is read when its time has come.
		s.Err.(*lockedBuffer).on = func(text string) {
			if strings.Contains(text, "The run waits") {
				o.advance(6 * time.Second)
			}
		}
	}, "run", "approve", "--run-id", "r-1", "--wait")
	if !strings.Contains(out, `"verdict": "approve"`) && !strings.Contains(out, `{"verdict":"approve"`) {
		t.Errorf("it prints %s", out)
	}
	for _, part := range []string{"auto: The run waits for U-priya until ", "auto: Refused the reply 2: no answer can be read from it\n", "auto: Answered by the reply 3\n"} {
		if !strings.Contains(stderr, part) {
			t.Errorf("it says %s, without %s", stderr, part)
		}
	}
	// A run that waits already is waited for, and one that ended is printed.
	o.does(0, nil, "run", "held", "--run-id", "r-2")
	o.does(0, nil, "answer", "r-2", "verdict=revise")
	if out, _ := o.does(0, nil, "run", "held", "--run-id", "r-2", "--wait"); !strings.Contains(out, "revise") {
		t.Errorf("it prints %s", out)
	}
	o.does(0, nil, "run", "held", "--run-id", "r-3")
	o.advance(2 * time.Hour)
	if _, stderr := o.does(1, nil, "run", "held", "--run-id", "r-3", "--wait"); !strings.Contains(stderr, "Nobody answered the request") {
		t.Errorf("expired it says %s", stderr)
	}
	out, stderr = o.does(3, interruptedWhen("The run waits"), "run", "held", "--run-id", "r-4", "--wait")
	if !strings.Contains(stderr, "auto: Stopped waiting; the request of run r-4 stays open\n") || !strings.Contains(stderr, "auto answer r-4 verdict=") || out != "" {
		t.Errorf("stopped it says %s%s", out, stderr)
	}
	out, _ = o.does(3, interruptedWhen("The run waits"), "run", "held", "--run-id", "r-4", "--wait", "--json")
	if !strings.Contains(out, `"status": "started"`) {
		t.Errorf("stopped it prints %s", out)
	}
	o.does(0, nil, "answer", "r-4", "verdict=approve")
}
