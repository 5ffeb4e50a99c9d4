//go:build unix && !aix && !solaris

package store

// This file frees the lock of a file that stays mapped.

import (
	"os"
	"syscall"
)

// unlock frees a file's lock. Closing the descriptor does not while the file is
// mapped, as it stays when bbolt panicked.
func unlock(file *os.File) { syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
