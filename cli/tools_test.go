package cli

// This file calls tools of servers that misbehave, with a person at the terminal
// and without one, and looks at what the history has of it.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// toolServer is a double that says when it is first asked for its tools, and when
// the first call of one reaches it.
type toolServer struct {
	double.Server
	listed, called         chan struct{}
	firstListed, firstCall sync.Once
}

func (s *toolServer) handler() http.Handler {
	inner := s.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && bytes.Contains(body, []byte(`"tools/list"`)) {
			s.firstListed.Do(func() { close(s.listed) })
		}
		if err == nil && bytes.Contains(body, []byte(`"tools/call"`)) {
			s.firstCall.Do(func() { close(s.called) })
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		inner.ServeHTTP(w, r)
	})
}

// toolPlaybook gives a playbook whose tool server notes is a double.
func toolPlaybook(t *testing.T, faults map[string]string, more string) (folder string, server *toolServer) {
	t.Helper()
	server = &toolServer{Server: double.Server{Faults: faults}, listed: make(chan struct{}), called: make(chan struct{})}
	serving := httptest.NewServer(server.handler())
	t.Cleanup(serving.Close)
	folder = t.TempDir()
	text := fmt.Sprintf("tool_servers:\n  - name: notes\n    url: %s/mcp\n%s", serving.URL, more)
	if err := os.WriteFile(filepath.Join(folder, "auto.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, server
}

// calls counts the calls of tools that a double was sent.
func calls(server *toolServer) (number int) {
	for _, asked := range server.Asked() {
		if asked.Method == "tools/call" {
			number++
		}
	}
	return number
}

// history gives the types and the data of what a playbook's store holds.
func history(t *testing.T, folder string) (lines []string) {
	t.Helper()
	runtime := engine.Open(engine.Options{Folder: folder, Lookup: func(string) (string, bool) { return "", false }})
	defer runtime.Close()
	page, _, err := runtime.Events(engine.EventFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range page {
		if page[i].RunID != "" {
			t.Errorf("the event %s is of the run %s", page[i].Type, page[i].RunID)
		}
		lines = append(lines, page[i].Type+" "+value.JSON(page[i].Data))
	}
	return lines
}

func TestAPersonIsAskedBeforeACallThatActs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answer string
		sent   int
		said   string
	}{
		{"y\n", 1, ""},
		{"YES\n", 1, ""},
		{"\n", 0, "Nothing was called"},
		{"n\n", 0, "Nothing was called"},
		{"", 0, "Nothing was called"},
	} {
		folder, server := toolPlaybook(t, nil, "")
		s, _, stderr := streams(c.answer)
		s.Dir, s.InTerminal = folder, true
		if code := Execute([]string{"tools", "call", "notes/post_message", "--set", "channel=\x1b[2Jgeneral"}, s); code != ExitOK {
			t.Errorf("%q: exits with %d: %s", c.answer, code, stderr)
		}
		if got := calls(server); got != c.sent {
			t.Errorf("%q: %d calls were sent", c.answer, got)
		}
		if got := len(history(t, folder)); got != 2*c.sent {
			t.Errorf("%q: %d events were recorded", c.answer, got)
		}
		text := stderr.String()
		if !strings.Contains(text, "notes/post_message may change something. Call it with {") || !strings.Contains(text, c.said) || strings.Contains(text, "\x1b") {
			t.Errorf("%q: standard error holds %q", c.answer, text)
		}
	}
}

func TestNobodyIsAskedAboutAToolThatReads(t *testing.T) {
	t.Parallel()
	folder, server := toolPlaybook(t, nil, "")
	s, out, stderr := streams("")
	s.Dir, s.InTerminal = folder, true
	if code := Execute([]string{"tools", "call", "notes/echo", "--set", "text=hello"}, s); code != ExitOK || out.String() != "hello\n" || stderr.Len() > 0 {
		t.Errorf("exits with %d: %q and %q", code, out, stderr)
	}
	if calls(server) != 1 {
		t.Errorf("%d calls were sent", calls(server))
	}
}

func TestHowACallByHandEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		fault  string
		tool   string
		code   int
		said   []string
		absent string
		event  []string
	}{
		{"an error of the server", "error:-32000:Out of ink", "post_message", ExitFound,
			[]string{"The call failed as server_failure: ", "Out of ink", "The call was sent, and may have changed something"}, "",
			[]string{"tool_call_failed", `"because":"server_failure"`, `"jsonrpc_id":`}},
		{"a server that goes away", double.Die, "post_message", ExitFound,
			[]string{"failed as server_failure", "may have changed something"}, "", []string{"tool_call_failed"}},
		{"a tool that reads", double.Die, "echo", ExitFound,
			[]string{"failed as server_failure"}, "may have changed something", []string{"tool_call_failed"}},
		{"refused arguments", "error:-32602:No such channel", "post_message", ExitFound,
			[]string{"failed as arguments_refused", "No such channel"}, "", []string{"tool_call_failed", `"because":"arguments_refused"`}},
		{"garbage", double.Garbage, "post_message", ExitFound, []string{"failed as server_failure"}, "", []string{"tool_call_failed"}},
		{"nothing wrong", "", "echo", ExitOK, nil, "failed", []string{"tool_call_answered", `"is_error":false`, `"result":{"content":[{"type":"text","text":"x"}]}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder, server := toolPlaybook(t, map[string]string{"tools/call " + c.tool: c.fault}, "")
			for _, asJSON := range []bool{false, true} {
				s, out, stderr := streams("")
				s.Dir = folder
				args := []string{"tools", "call", "notes/" + c.tool, "--set", "text=x", "--yes"}
				if asJSON {
					args = append(args, "--json")
				}
				if code := Execute(args, s); code != c.code {
					t.Errorf("exits with %d, want %d: %s", code, c.code, stderr)
				}
				if asJSON {
					v, err := value.ParseJSON(out.Bytes(), 20)
					if err != nil || stderr.Len() > 0 {
						t.Fatalf("%v: %s and %q", err, out, stderr)
					}
					if status, _ := value.Lookup(v, "/status"); (status == "answered") != (c.code == ExitOK) {
						t.Errorf("the status is %v", status)
					}
					continue
				}
				for _, want := range c.said {
					if !strings.Contains(stderr.String(), want) {
						t.Errorf("standard error lacks %q: %s", want, stderr)
					}
				}
				if c.absent != "" && strings.Contains(stderr.String(), c.absent) {
					t.Errorf("standard error holds %q: %s", c.absent, stderr)
				}
			}
			lines := history(t, folder)
			if len(lines) != 4 || calls(server) != 2 {
				t.Fatalf("%d calls were sent, and the history holds %q", calls(server), lines)
			}
			if !strings.HasPrefix(lines[0], `tool_call_started {"server":"notes","tool":"`+c.tool+`"`) || !strings.Contains(lines[0], `"arguments":{"text":"x"}`) {
				t.Errorf("the call starts with %s", lines[0])
			}
			for _, want := range c.event {
				if !strings.Contains(lines[1], want) {
					t.Errorf("the call ends with %s, want %q in it", lines[1], want)
				}
			}
		})
	}
}

func TestContentsAreKeptOutOfTheHistory(t *testing.T) {
	t.Parallel()
	folder, _ := toolPlaybook(t, nil, "    record_content: false\n")
	s, _, stderr := streams("")
	s.Dir = folder
	if code := Execute([]string{"tools", "call", "notes/echo", "--set", "text=a canary"}, s); code != ExitOK {
		t.Fatalf("exits with %d: %s", code, stderr)
	}
	for _, line := range history(t, folder) {
		if strings.Contains(line, "canary") || strings.Contains(line, "digest") {
			t.Errorf("the history holds %s", line)
		}
	}
}

// TestAnInterruptedCall is stopped while the server is silent.
func TestAnInterruptedCall(t *testing.T) {
	t.Parallel()
	folder, server := toolPlaybook(t, map[string]string{"tools/call post_message": double.Silent}, "")
	s, _, stderr := streams("")
	s.Dir = folder
	s.Interruptible = func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		go func() {
			select {
			case <-server.called:
				cancel()
			case <-ctx.Done():
			}
		}()
		return ctx, cancel
	}
	if code := Execute([]string{"tools", "call", "notes/post_message", "--yes"}, s); code != ExitFailed {
		t.Errorf("exits with %d: %s", code, stderr)
	}
	if !strings.Contains(stderr.String(), "failed as cancelled") || !strings.Contains(stderr.String(), "may have changed something") {
		t.Errorf("standard error holds %q", stderr)
	}
	lines := history(t, folder)
	if len(lines) != 2 || !strings.Contains(lines[1], `"because":"cancelled"`) {
		t.Errorf("the history holds %q", lines)
	}
}

// TestAnInterruptedLint is stopped while it asks a silent server.
func TestAnInterruptedLint(t *testing.T) {
	t.Parallel()
	folder, server := toolPlaybook(t, map[string]string{"tools/list": double.Silent}, "")
	if err := os.WriteFile(filepath.Join(folder, "tell.interaction.md"), []byte("---\nto: Priya\nexpires: P2D\n---\nHello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _, stderr := streams("")
	s.Dir = folder
	s.Interruptible = func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		go func() {
			select {
			case <-server.listed:
				cancel()
			case <-ctx.Done():
			}
		}()
		return ctx, cancel
	}
	if code := Execute([]string{"lint", "--connect"}, s); code != ExitFailed || stderr.Len() > 0 {
		t.Errorf("exits with %d and says %q", code, stderr)
	}
}
