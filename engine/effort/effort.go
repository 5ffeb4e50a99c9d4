// Package effort holds what a test does to a bound of work: the time that its own
// thread kept a processor busy. What other processes do on the machine, and other
// tests beside this one, counts for nothing, so that a bound holds on a busy machine
// as on an idle one. It never reads the time of day, and never becomes part of the
// program.
package effort

import (
	"testing"
	"time"
)

// AtMost does something on the test's own goroutine, and has the test fail when that
// worked for longer than the bound. Goroutines that it starts do not count. A bound
// should be ten times what is usual: processors differ. Where the race detector
// makes each step cost more, or the system does not tell, there is no bound.
func AtMost(t testing.TB, bound time.Duration, do func()) {
	t.Helper()
	worked := of(do)
	if worked > bound && !Raced {
		t.Errorf("%s worked for %v, at most %v is expected", t.Name(), worked, bound)
	}
}
