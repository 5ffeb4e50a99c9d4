package cli

// This file holds what a command has of the world around it.

import (
	"io"
	"os"
	"path/filepath"
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
	OutTerminal bool // Out is a terminal
}

// System gives the process's own streams.
func System() Streams {
	return Streams{
		In:          os.Stdin,
		Out:         os.Stdout,
		Err:         os.Stderr,
		Env:         os.Getenv,
		Now:         time.Now,
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())) && enableColour(os.Stdout),
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
