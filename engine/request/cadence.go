package request

// This file is when a request is sent, sent again and given up, and when the
// replies to it are read: functions over what happened and when. None of them
// reads a clock.

import "time"

// The bounds of delivery (interaction format, "Attempts").
const (
	// MaxAttempts is how often a request is sent before its delivery is given up.
	MaxAttempts = 5
	// LostAfter is how long after its start an attempt that was cut off counts as
	// failed.
	LostAfter = time.Minute
	// longestAttemptPause is how long a server may ask an attempt to be put off.
	longestAttemptPause = 8 * time.Minute
)

// attemptPauses are the waits after the first failed attempt, the second and so
// on.
var attemptPauses = [MaxAttempts - 1]time.Duration{
	time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute,
}

// Attempt is what counts of an attempt that failed.
type Attempt struct {
	// Ended is when it failed; for one that was cut off, LostAfter its start.
	Ended time.Time
	// RetryAfter is how long the server asked to be left alone; negative or 0 when
	// it did not.
	RetryAfter time.Duration
	// Final says that it is not tried again: its arguments were refused before they
	// were sent.
	Final bool
}

// NextAttempt gives when a request that was asked at a time and failed to be
// delivered in these attempts is sent next: at once, then 1, 2, 4 and 8 minutes
// after the failure before, and never before the server's Retry-After, of which up
// to 8 minutes are kept. It is false when the attempts are spent.
func NextAttempt(asked time.Time, failed []Attempt) (due time.Time, again bool) {
	if len(failed) == 0 {
		return asked, true
	}
	last := failed[len(failed)-1]
	if len(failed) >= MaxAttempts || last.Final {
		return time.Time{}, false
	}
	pause := max(attemptPauses[len(failed)-1], min(last.RetryAfter, longestAttemptPause))
	return last.Ended.Add(pause), true
}

// The reading cadence (interaction format, "Bounds").
const (
	usualReadPause     = time.Minute     // before each read through the lastMinutelyRead
	rareReadPause      = 5 * time.Minute // before each one after it
	lastMinutelyRead   = 18
	longestReadPause   = time.Hour // that a server may ask for
	shortestReadingGap = 5 * time.Second
)

// firstReadPauses are the waits before the first reads after a request joined.
var firstReadPauses = [...]time.Duration{
	shortestReadingGap, 10 * time.Second, 20 * time.Second, 40 * time.Second,
}

// Reading is what counts of a conversation's reads.
type Reading struct {
	// Joined is when the last request joined the conversation: when it was
	// delivered there.
	Joined time.Time
	// Since is how many reads were started since then.
	Since int
	// Started and Ended are of the last read of all; zero when there was none, and
	// Ended zero for one that was cut off.
	Started, Ended time.Time
	// RetryAfter is how long the server asked in that read to be left alone;
	// negative or 0 when it did not.
	RetryAfter time.Duration
	// Wait is the longest replies.wait of the functions that share the conversation.
	Wait time.Duration
}

// NextRead gives when a conversation is read next: 5 seconds after a request
// joined, then 10, 20 and 40 seconds after the start of the read before, then every
// minute through the 18th read, then every 5 minutes. No read comes sooner than
// Wait after that, nor before the server's Retry-After is over, of which up to an
// hour is kept.
func NextRead(r Reading) time.Time {
	pause := max(readPause(r.Since+1), r.Wait)
	if r.Started.IsZero() {
		return r.Joined.Add(pause)
	}
	due := r.Started.Add(pause)
	if r.Since == 0 {
		// Reads of requests that joined before keep their distance from the first
		// read for this one.
		due = latest(r.Joined.Add(pause), r.Started.Add(max(r.Wait, shortestReadingGap)))
	}
	if r.Ended.IsZero() || r.RetryAfter <= 0 {
		return due
	}
	return latest(due, r.Ended.Add(min(r.RetryAfter, longestReadPause)))
}

// readPause is the wait before a read by its number since a request joined, from 1.
func readPause(number int) time.Duration {
	switch {
	case number <= len(firstReadPauses):
		return firstReadPauses[number-1]
	case number <= lastMinutelyRead:
		return usualReadPause
	}
	return rareReadPause
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
