package cli

// This file holds what a command has of the world around it.

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/term"
)

// Streams are a command's ways in and out, handed in so that a test can stand
// in for the process.
type Streams struct {
	In  io.Reader
	Out io.Writer // what was asked for
	Err io.Writer // everything that is said about it

	Dir         string              // the folder that relative paths start from; empty for the process's own
	Env         func(string) string // reads an environment variable, empty when it is not set
	Now         func() time.Time
	InTerminal  bool // In is a terminal, so that somebody can be asked
	OutTerminal bool // Out is a terminal
	ErrTerminal bool // Err is a terminal, so that progress can be drawn

	// OutWidth gives how many cells a line of the terminal has that Out is, 0 where
	// that is not known. nil: it is not.
	OutWidth func() int

	// Interruptible gives a context that ends when the person or the system asks
	// the process to end, as with ctrl-c. Asking again ends it at once. nil:
	// nobody can.
	Interruptible func(context.Context) (context.Context, context.CancelFunc)

	// HungUp calls a function when the terminal went away, until stop is called. nil:
	// it never does.
	HungUp func(then func()) (stop func())

	// Continued calls a function whenever the process goes on after it was stopped, until
	// stop is called. nil: it never is.
	Continued func(then func()) (stop func())

	// OutlivePipes has a write to a reader that is gone fail, where it would end the
	// process otherwise: there may be something to record first. nil: it fails anyway.
	OutlivePipes func()
}

// System gives the process's own streams.
func System() Streams {
	return Streams{
		In:          os.Stdin,
		Out:         os.Stdout,
		Err:         os.Stderr,
		Env:         os.Getenv,
		Now:         time.Now,
		InTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())) && enableColour(os.Stdout),
		ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())) && enableColour(os.Stderr),

		OutWidth:      outWidth,
		Interruptible: interruptible,
		HungUp:        hungUp,
		Continued:     continued,
		OutlivePipes:  func() { signal.Ignore(syscall.SIGPIPE) },
	}
}

// outWidth is the width of the terminal that standard output is.
func outWidth() int {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// interruptible ends a context at the first signal and lets the second one end
// the process.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// hungUp calls a function at the signal that the terminal went away.
func hungUp(then func()) (stop func()) {
	heard := make(chan os.Signal, 1)
	ended := make(chan struct{})
	signal.Notify(heard, syscall.SIGHUP)
	go func() {
		select {
		case <-heard:
			then()
		case <-ended:
		}
	}()
	return func() {
		signal.Stop(heard)
		close(ended)
	}
}

// path resolves a path as the caller wrote it against the working folder.
func (s *Streams) path(written string) string {
	if filepath.IsAbs(written) {
		return written
	}
	return filepath.Join(s.Dir, written)
}

// folder is the working folder.
func (s *Streams) folder() string {
	if s.Dir == "" {
		return "."
	}
	return s.Dir
}
