package effort

// This file asks Linux how long a thread has worked.

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// of does something and gives how long this thread worked for it, to the nanosecond.
func of(do func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := worked()
	do()
	return worked() - began
}

// worked is how long the thread has worked since it began.
func worked() time.Duration {
	var spent unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &spent); err != nil {
		return 0
	}
	return time.Duration(spent.Nano())
}
