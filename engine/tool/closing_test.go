package tool_test

// This file ends calls and servers while they are at work, and servers that never were.

import (
	"context"
	"testing"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

func TestACancelledCallLeavesTheConnectionOpen(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			c := clockdouble.New()
			d := faults("tools/call", "once "+double.Silent)
			servers := reach(t, way, d, tool.Options{Clock: c})
			_, failure := servers.List(context.Background(), "notes")
			must(t, failure)
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, failure = servers.Call(ctx, call("echo"))
			}()
			cancel()
			patience.Receive(t, done)
			wants(t, failure, tool.Cancelled, "stopped waiting")
			if failure.Because.Kind() != "" || failure.CountsAsServerFailure() {
				t.Error("a cancelled call is no failure of the server's")
			}
			// The cancelled call may never have been written, and the fault then be to
			// come; the call after it finds the same connection.
			if _, failure = servers.List(context.Background(), "notes"); failure != nil {
				t.Errorf("the connection is gone: %s", failure.Message)
			}
		})
	}
}

func TestACancelledCallIsToldToTheServer(t *testing.T) {
	t.Parallel()
	for _, way := range network {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			d := faults("tools/call", double.Silent)
			servers := reach(t, way, d, tool.Options{})
			_, failure := servers.List(context.Background(), "notes")
			must(t, failure)
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, failure = servers.Call(ctx, call("echo"))
			}()
			waitFor(t, func() bool { return asked(d, "tools/call") != nil })
			cancel()
			patience.Receive(t, done)
			wants(t, failure, tool.Cancelled, "")
			waitFor(t, func() bool { return asked(d, "notifications/cancelled") != nil })
			if got, want := asked(d, "notifications/cancelled").Param("/requestId"), failure.JSONRPCID; !value.Equal(got, want) {
				t.Errorf("cancelled %v, want %v", got, want)
			}
			if !failure.Sent {
				t.Error("the call was sent")
			}
		})
	}
}

func TestNothingIsOpenedAfterClose(t *testing.T) {
	t.Parallel()
	servers := reach(t, "stdio", &double.Server{}, tool.Options{})
	servers.Close()
	_, failure := servers.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "closed")
}

// TestCloseEndsWhatIsUnderWay closes the servers while a call waits.
func TestCloseEndsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			d := faults("tools/call", double.Silent)
			servers := reach(t, way, d, tool.Options{})
			_, failure := servers.List(context.Background(), "notes")
			must(t, failure)
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, failure = servers.Call(context.Background(), call("echo"))
			}()
			if way != "stdio" {
				waitFor(t, func() bool { return asked(d, "tools/call") != nil })
			}
			servers.Close()
			patience.Receive(t, done)
			wants(t, failure, tool.ServerFailure, "closed")
		})
	}
}

// TestNewOpensNothing is for the commands that never use a tool.
func TestNewOpensNothing(t *testing.T) {
	t.Parallel()
	read, err := settings.Read([]byte("tool_servers:\n  - name: notes\n    command: auto-no-such-program\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	servers := tool.New(read.ToolServers(), tool.Options{})
	if failure := servers.Check("notes", "anything"); failure != nil {
		t.Errorf("it asked the server: %s", failure.Message)
	}
	servers.Close()
}
