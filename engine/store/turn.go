package store

// This file lets those who wait for the store's file have it in some order. The
// file's lock alone has none: readers share it, so that enough of them hold it among
// them all the time, and whoever gives it back may be the first to have it again.
// The first who waits therefore says so by a lock on a file beside the store, and
// those who come later let it go first.

import (
	"os"
	"time"

	"github.com/gofrs/flock"
)

const (
	turnSuffix = ".turn"
	// longestYield is how long others are let go first: much longer than a use of the
	// store takes, and bounded, so that nothing but the store's own lock ever keeps
	// anyone from it.
	longestYield = 100 * time.Millisecond
)

// turn is that of one use of the store.
type turn struct {
	path string
	lock *flock.Flock // held while the turn is this one's; nil before it is wanted
}

// isAnothers tells whether to let another go first, after having waited so long.
func (t *turn) isAnothers(waited time.Duration) bool {
	if t.lock != nil && t.lock.Locked() || waited > longestYield {
		return false
	}
	seen := flock.New(t.path, flock.SetFlag(os.O_RDONLY))
	free, err := seen.TryRLock()
	_ = seen.Close()
	return err == nil && !free
}

// take takes the turn for one who found the store held, and tells whether it has it.
// It is no matter when it cannot be taken.
func (t *turn) take() bool {
	if t.lock == nil {
		t.lock = flock.New(t.path, flock.SetFlag(os.O_CREATE|os.O_RDONLY), flock.SetPermissions(0o600))
	}
	has, _ := t.lock.TryLock()
	return has
}

// end gives the turn to the next.
func (t *turn) end() {
	if t.lock != nil {
		_ = t.lock.Close()
	}
}
