//go:build unix

package cli

// This file hears that the process was stopped and goes on.

import (
	"os"
	"os/signal"
	"syscall"
)

// continued calls a function whenever the process goes on after it was stopped, as by
// fg in a shell, until stop is called.
func continued(then func()) (stop func()) {
	heard := make(chan os.Signal, 1)
	ended := make(chan struct{})
	signal.Notify(heard, syscall.SIGCONT)
	go func() {
		for {
			select {
			case <-heard:
				then()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		signal.Stop(heard)
		close(ended)
	}
}
