//go:build unix

package tool_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

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
