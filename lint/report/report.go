// Package report writes what a check found, one format a file: text for
// people, JSON for programs, commands for a job of GitHub Actions, SARIF for code
// scanning.
//
// It never checks anything and never decides what is shown: it writes each
// file it is given, as it is given, and keeps none.
package report

import (
	"io"

	"github.com/beonauto/auto/lint"
)

// A Printer writes a report in one format.
type Printer interface {
	// File writes what was found in the next file.
	File(*lint.File) error
	// Close writes what ends the report.
	Close(lint.Summary) error
}

// A Remarker is a Printer that also takes what is said of a path that was not
// checked, beside what standard error says: before the first file.
type Remarker interface {
	// Remark says why a path was not checked; as a fault where the command ends
	// with it.
	Remark(path, reason string, fault bool) error
}

// Options are what a caller chooses about a report's looks.
type Options struct {
	Colour  bool   // write the colours of a terminal, where the format has any
	Version string // of the program, where the format names it; empty when it is not known
}

// A Format is one way of writing a report.
type Format struct {
	Name     string // as --format takes it
	About    string // what it is for, a few words
	Excerpts bool   // whether it shows the source at each problem
	New      func(out io.Writer, options Options) Printer
}

// Formats is the table of every format, the default first.
var Formats = []Format{
	{"text", "for people", true, newText},
	{"json", "one value for programs", false, newJSON},
	{"github", "shown beside each line by GitHub Actions", false, newGitHub},
	{"sarif", "SARIF 2.1.0 for code scanning", false, newSARIF},
}

// ByName finds a format.
func ByName(name string) (Format, bool) {
	for _, format := range Formats {
		if format.Name == name {
			return format, true
		}
	}
	return Format{}, false
}

// Names are the names of the formats, in the table's order.
func Names() []string {
	names := make([]string, len(Formats))
	for i, format := range Formats {
		names[i] = format.Name
	}
	return names
}
