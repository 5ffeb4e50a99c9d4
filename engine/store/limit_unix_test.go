//go:build unix

package store

import (
	"os/signal"
	"syscall"
)

// limitFiles lets no file of this process grow past a size, as a full disk does.
func limitFiles(size uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: size})
}
