package patience

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestMain stands still in the process that a test starts to do so.
func TestMain(m *testing.M) {
	if os.Getenv("AUTO_TEST_STAND_STILL") != "" {
		<-time.After(2 * Longest)
	}
	os.Exit(m.Run())
}

// failing is a test that remembers how it failed, and goes no further.
type failing struct {
	testing.TB
	why string
}

func (f *failing) Helper()                     {}
func (f *failing) Fatalf(why string, _ ...any) { f.why = why; panic(f) }

// fails gives how something fails its test.
func fails(t *testing.T, do func(testing.TB)) string {
	t.Helper()
	f := &failing{TB: t}
	func() {
		defer func() { _ = recover() }()
		do(f)
	}()
	return f.why
}

func TestWhatNeverComes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if why := fails(t, func(t testing.TB) { Receive(t, make(chan int)) }); !strings.Contains(why, "nothing came") {
			t.Errorf("a channel that gives nothing fails with %q", why)
		}
		if why := fails(t, func(t testing.TB) { Until(t, func() bool { return false }) }); !strings.Contains(why, "did not come to hold") {
			t.Errorf("a condition that never holds fails with %q", why)
		}
		if took := time.Since(began); took < 2*Longest || took > 2*Longest+time.Second {
			t.Errorf("both took %v", took)
		}
	})
}

func TestWhatComes(t *testing.T) {
	t.Parallel()
	channel := make(chan int, 1)
	channel <- 3
	if got := Receive(t, channel); got != 3 {
		t.Errorf("received %d", got)
	}
	looks := 0
	Until(t, func() bool { looks++; return looks == 3 })
	if looks != 3 {
		t.Errorf("it was looked at %d times", looks)
	}
}

func TestAProcessEndsWithItsTest(t *testing.T) {
	t.Parallel()
	var child *exec.Cmd
	t.Run("that starts it", func(t *testing.T) {
		child = Command(t, os.Args[0])
		child.Env = append(os.Environ(), "AUTO_TEST_STAND_STILL=1")
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
	})
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	if err := Receive(t, ended); err == nil || child.ProcessState.Exited() {
		t.Errorf("a process that stands still ended by itself: %v", err)
	}
}
