// Package lint checks many files at once: it finds the definitions that a
// command names, checks them in parallel with the engine's one checking
// function, and hands out what was found, file by file in a fixed order.
//
// It never knows a rule of a format, which is the engine's part, and never
// prints: the formats of a report are in lint/report.
package lint

import (
	"context"
	"io"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
)

// StdinPath is how a document from standard input is named where no file name
// was given for it.
const StdinPath = "<stdin>"

// Options say what to check.
type Options struct {
	Dir   string   // the folder that relative paths start from; empty for the process's own
	Paths []string // files, folders, or - for Stdin; none stands for Dir
	Type  string   // the type of every file, over what its name says; empty to go by the name

	Stdin         io.Reader // read for the path -
	StdinFilename string    // the name that Stdin's document goes by; empty when it has none

	Workers  int  // how many files are checked at once; 0 for as many as the machine has use for
	All      bool // report every problem of a document, not only the first ones
	Excerpts bool // give the source text at each problem

	Ignore []problem.Rule // leave out the warnings of these rules

	// PassedOver is told of each Markdown file that is no definition and stands
	// where its author may take it for one, or begins as one does, with the path
	// that would make it one where that can be told. nil is told of none.
	PassedOver func(path, meant string)

	// Connect tells what is known of a playbook, by its folder, once its tool
	// servers were asked. It is called at most once a playbook, and for several at
	// once. nil asks no server: the files alone tell.
	Connect func(ctx context.Context, playbook string) engine.Surroundings
}

// A File is what was found in one file.
type File struct {
	Path      string // as the reader would write it, with forward slashes
	Type      string // the type it was checked as
	Problems  []problem.Problem
	Excerpts  []Excerpt // one for each of Problems, where Options asked for them; none of settings
	Refused   int       // how many problems refuse the document, with those not listed
	Warned    int       // how many warnings it has, with those not listed
	Rejection *problem.Rejection
	Err       error // why the file could not be read; nothing else is set then but Path and Type
}

// A Summary counts what a whole check found.
type Summary struct {
	Files        int // files checked
	WithProblems int // files with a problem or a warning
	Problems     int
	Warnings     int
	Unreadable   int // files that could not be read
}

func (s *Summary) add(file *File) {
	if file.Err != nil {
		s.Unreadable++
		return
	}
	s.Files++
	s.Problems += file.Refused
	s.Warnings += file.Warned
	if file.Refused+file.Warned > 0 {
		s.WithProblems++
	}
}
