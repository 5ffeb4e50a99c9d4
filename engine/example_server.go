package engine

// This file serves the notes and the chat that a newcomer tries tools with.

import (
	"io"

	"github.com/beonauto/auto/engine/tool/example"
)

// ExampleNotesError is notes that cannot be read.
type ExampleNotesError struct{ reason error }

func (e *ExampleNotesError) Error() string { return e.reason.Error() }

func (e *ExampleNotesError) Unwrap() error { return e.reason }

// ServeExampleNotes serves notes as an MCP server until the input ends. Path is
// what it starts with, a folder of .md files or a file of JSON; empty for no
// notes. Version is that of the program, as clients are told it. The error is an
// *ExampleNotesError, or of the streams.
func ServeExampleNotes(path string, in io.Reader, out io.Writer, version string) error {
	notes := example.New()
	if path != "" {
		var err error
		if notes, err = example.Load(path); err != nil {
			return &ExampleNotesError{err}
		}
	}
	return notes.Serve(in, out, version)
}

// ServeExampleChat serves the team chat that a file keeps as an MCP server until
// the input ends. The file need not be there yet. Version is that of the program,
// as clients are told it. The error is of the streams.
func ServeExampleChat(file string, in io.Reader, out io.Writer, version string) error {
	return example.OpenChat(file).Serve(in, out, version)
}
