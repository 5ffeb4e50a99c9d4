// Package patience has whatever a test waits for end: a process, a channel, a
// condition. Each is given Longest, which nothing takes on the busiest machine, and
// then fails its own test, so that one thing that stands still never holds up all
// others. It never makes a test wait longer than it must, and never becomes part of
// the program.
package patience

import (
	"context"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Longest is how long anything is waited for. It is well below the ten minutes that
// the tests of a package have together.
const Longest = 4 * time.Minute

// afterwards is how long a process's output is read when the process has ended, which
// one that it started may still hold, and how long one that was asked may stand.
const afterwards = time.Minute

// often is how long is waited between two looks at a condition.
const often = 5 * time.Millisecond

// Context gives a context that ends when a test has, after what the test cleans up
// later than here, and at the latest when it has stood for Longest.
func Context(t testing.TB) context.Context {
	ctx, end := context.WithTimeout(context.Background(), Longest)
	t.Cleanup(end)
	return ctx
}

// Command gives a process that is still to be started. It is killed when its test
// has ended. When Longest is over, the test fails, and the process is asked where it
// stands first, which a program in Go answers on its standard error.
func Command(t testing.TB, program string, arguments ...string) *exec.Cmd {
	t.Helper()
	ctx := Context(t)
	command := exec.CommandContext(ctx, program, arguments...)
	command.WaitDelay = afterwards
	command.Cancel = func() error {
		if ctx.Err() == context.DeadlineExceeded {
			t.Errorf("%s is killed: it did not end within %v", command, Longest)
			if command.Process.Signal(syscall.SIGQUIT) == nil {
				return nil // what is not ended by that is killed afterwards
			}
		}
		return command.Process.Kill()
	}
	return command
}

// Receive gives what comes from a channel, the zero value where it is closed. It
// must be called on the test's own goroutine.
func Receive[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	enough := time.NewTimer(Longest)
	defer enough.Stop()
	select {
	case got := <-from:
		return got
	case <-enough.C:
		t.Fatalf("nothing came within %v", Longest)
		panic("unreachable")
	}
}

// Until looks at a condition again and again until it holds. It must be called on
// the test's own goroutine.
func Until(t testing.TB, holds func() bool) {
	t.Helper()
	for enough := time.Now().Add(Longest); !holds(); time.Sleep(often) {
		if time.Now().After(enough) {
			t.Fatalf("it did not come to hold within %v", Longest)
		}
	}
}
