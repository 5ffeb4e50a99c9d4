//go:build unix

package tool_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
)

// This file tests that programs end, with all they have started.

func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	// A process that nobody waited for is over too.
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(status), ") Z ")
}

func TestCloseEndsWhatAProgramHasStarted(t *testing.T) {
	t.Parallel()
	servers := reach(t, "stdio", &double.Server{}, tool.Options{}, "reads: [spawn]")
	result, failure := servers.Call(context.Background(), call("spawn"))
	must(t, failure)
	pid, err := strconv.Atoi(result.Shown())
	if err != nil {
		t.Fatal(err)
	}
	if !alive(pid) {
		t.Fatal("the program's child does not run")
	}
	servers.Close()
	waitFor(t, func() bool { return !alive(pid) })
}

// TestAProgramThatDiesTakesItsOwnWithIt is for descendants that would hold its
// output open, and a call for ever.
func TestAProgramThatDiesTakesItsOwnWithIt(t *testing.T) {
	t.Parallel()
	servers := reach(t, "stdio", faults("tools/call echo", "once "+double.Die), tool.Options{})
	result, failure := servers.Call(context.Background(), call("spawn"))
	must(t, failure)
	pid, _ := strconv.Atoi(result.Shown())
	_, failure = servers.Call(context.Background(), call("echo"))
	wants(t, failure, tool.ServerFailure, "ended (exit status 3)")
	waitFor(t, func() bool { return !alive(pid) })
}

// TestAProgramThatWillNotEndIsKilled starts one that heeds neither the end of its
// input nor SIGTERM.
func TestAProgramThatWillNotEndIsKilled(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	script := filepath.Join(folder, "stubborn.sh")
	text := "#!/bin/sh\ntrap '' TERM\necho $$ > pid\nwhile :; do /bin/sleep 0.05; done\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	servers := serversOf(t, "tool_servers:\n  - name: notes\n    command: ./stubborn.sh\n", tool.Options{Folder: folder})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = servers.List(ctx, "notes")
	}()
	var pid int
	waitFor(t, func() bool {
		text, err := os.ReadFile(filepath.Join(folder, "pid"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil && pid > 0
	})
	cancel()
	<-done
	if alive(pid) {
		t.Error("the program still runs")
	}
}

func TestAProgramThatMissesItsPath(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "start.sh"), []byte("#!/bin/sh\nexec auto-no-such-program\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for env, hint := range map[string]bool{"{}": true, "{ PATH: /usr/bin }": false} {
		servers := serversOf(t, "tool_servers:\n  - name: notes\n    command: ./start.sh\n    env: "+env+"\n", tool.Options{Folder: folder})
		_, failure := servers.List(context.Background(), "notes")
		wants(t, failure, tool.Failing, "not found")
		if strings.Contains(failure.Message, "its env names no PATH") != hint {
			t.Errorf("with the env %s: %q", env, failure.Message)
		}
	}
}

// TestAFloodOfOtherLinesEnds is for a program that never speaks the protocol.
func TestAFloodOfOtherLinesEnds(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "talk.sh"), []byte("#!/bin/sh\nwhile :; do echo talking; done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	servers := serversOf(t, "tool_servers:\n  - name: notes\n    command: ./talk.sh\n", tool.Options{Folder: folder})
	_, failure := servers.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "not JSON-RPC")
}

// TestNothingIsLeftRunning counts goroutines after every way of using a server.
func TestNothingIsLeftRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, way := range ways {
		for _, fault := range []string{"", double.Die, double.Huge, double.WrongID} {
			d := faults("tools/call echo", fault)
			servers := reach(t, way, d, tool.Options{})
			_, _ = servers.Call(context.Background(), call("echo"))
			_, _ = servers.Call(context.Background(), call("structured"))
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			_, _ = servers.Call(ctx, call("structured"))
			servers.Close()
		}
	}
	// What is left are the doubles' own HTTP servers, which end with the test: four
	// for each of three ways.
	const own = 3 * 4 * 3
	waitFor(t, func() bool { return runtime.NumGoroutine() <= before+own })
}

// script gives a server whose program is a script, and the folder it runs in.
func script(t *testing.T, text string, options tool.Options) (*tool.Servers, string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "serve.sh"), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	options.Folder = folder
	return serversOf(t, "tool_servers:\n  - name: notes\n    command: ./serve.sh\n    env: { PATH: /usr/bin:/bin, KEY: \"${NOTES_KEY}\" }\n", options), folder
}

// TestAProgramThatDoesNotAnswerIsToldByItsOwnWords is for a program that waits for
// something else than its input.
func TestAProgramThatDoesNotAnswerIsToldByItsOwnWords(t *testing.T) {
	t.Parallel()
	opens := `read line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}'
`
	waits := `printf 'starting\nlooking up the key %s\n\n\033[31mNeed to install:\033[0m\n  notes-server@1.2.0\nOk to proceed? (y) ' "$KEY" >&2
echo > ready
while read line; do :; done
`
	const want = "did not respond within 10 seconds; its program last wrote: Need to install: | notes-server@1.2.0 | Ok to proceed? (y)"
	for name, text := range map[string]string{"opening": waits, "listing": opens + waits} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := clockdouble.New()
			servers, folder := script(t, text, tool.Options{Clock: c})
			done := make(chan struct{})
			var failure *tool.Failure
			go func() {
				defer close(done)
				_, failure = servers.List(context.Background(), "notes")
			}()
			waitFor(t, func() bool { _, err := os.Stat(filepath.Join(folder, "ready")); return err == nil })
			eventually(t, c, time.Second, done)
			wants(t, failure, tool.Unreachable, want)
		})
	}
	c := clockdouble.New()
	servers, folder := script(t, "echo > ready\nwhile read line; do :; done\n", tool.Options{Clock: c})
	done := make(chan struct{})
	var failure *tool.Failure
	go func() {
		defer close(done)
		_, failure = servers.List(context.Background(), "notes")
	}()
	waitFor(t, func() bool { _, err := os.Stat(filepath.Join(folder, "ready")); return err == nil })
	eventually(t, c, time.Second, done)
	if wants(t, failure, tool.Unreachable, "within 10 seconds"); !strings.HasSuffix(failure.Message, "10 seconds") {
		t.Errorf("it wrote nothing: %q", failure.Message)
	}
}

// TestAProgramThatDiesIsToldByTheLineThatSaysWhy is for runtimes that end a trace
// with their own version.
func TestAProgramThatDiesIsToldByTheLineThatSaysWhy(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ said, want string }{
		"node": {"node:internal/modules/esm/resolve:275\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod'\n    at packageResolve (node:internal/x)\n  code: 'ERR_MODULE_NOT_FOUND'\n}\n\nNode.js v20.11.1\n",
			"(exit status 1): Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' | Node.js v20.11.1"},
		"python":  {"Traceback (most recent call last):\n  File \"x.py\", line 1\nModuleNotFoundError: No module named 'mcp'\n", "(exit status 1): ModuleNotFoundError: No module named 'mcp'"},
		"go":      {"panic: no configuration\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:4 +0x25\n", "(exit status 1): panic: no configuration | /x/main.go:4 +0x25"},
		"a shell": {"no licence\n", "(exit status 1): no licence"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			servers, folder := script(t, "cat said >&2\nexit 1\n", tool.Options{})
			if err := os.WriteFile(filepath.Join(folder, "said"), []byte(test.said), 0o600); err != nil {
				t.Fatal(err)
			}
			_, failure := servers.List(context.Background(), "notes")
			if wants(t, failure, tool.Failing, test.want); failure != nil && !strings.HasSuffix(failure.Message, test.want) {
				t.Errorf("%q, want it to end with %q", failure.Message, test.want)
			}
		})
	}
}

// TestNoPartOfASecretIsLeftWhereWordsAreCut moves a secret over the places where a
// line, and all that is kept, is cut.
func TestNoPartOfASecretIsLeftWhereWordsAreCut(t *testing.T) {
	t.Parallel()
	secret := environment["NOTES_KEY"]
	for _, before := range []int{297 - len(secret), 297 - len(secret)/2, 297 - 5} {
		checkCut(t, strings.Repeat("x", before)+secret+strings.Repeat("y", 400)+"\n")
	}
	for _, after := range []int{4096, 4096 - 1, 4096 - len(secret)/2, 4096 - len(secret)} {
		checkCut(t, strings.Repeat("x", 5000)+secret+strings.Repeat("y", after))
		checkCut(t, strings.Repeat("x", 5000)+secret+strings.Repeat("y", after-len("\nlast"))+"\nlast")
	}
}

func checkCut(t *testing.T, said string) {
	t.Helper()
	servers, folder := script(t, "cat said >&2\nexit 1\n", tool.Options{})
	if err := os.WriteFile(filepath.Join(folder, "said"), []byte(said), 0o600); err != nil {
		t.Fatal(err)
	}
	_, failure := servers.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "(exit status 1): ")
	secret := environment["NOTES_KEY"]
	for at := range len(secret) - 4 {
		if strings.Contains(failure.Message, secret[at:at+5]) {
			t.Errorf("%s is in %q", secret[at:at+5], failure.Message)
		}
	}
}

// TestAProgramLeavesADaemonBehind is for a child that leaves the program's process
// group and keeps its output open: it may live on, and nothing waits for it.
func TestAProgramLeavesADaemonBehind(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed")
	}
	servers, folder := script(t, "setsid sh -c 'echo $$ > pid; while :; do sleep 1; done' &\nwhile [ ! -s pid ]; do sleep 0.05; done\nexit 4\n", tool.Options{})
	_, failure := servers.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "ended (exit status 4)")
	servers.Close()
	text, err := os.ReadFile(filepath.Join(folder, "pid"))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid < 2 {
		t.Fatal(pid, err)
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}
