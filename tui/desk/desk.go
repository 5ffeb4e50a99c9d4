// Package desk is what the inbox asks of a runtime: the open requests, one of them
// whole, an answer, a cancel. Runtime asks engine.Runtime; a test puts its own desk
// in its place.
//
// It never draws, and holds nothing between two calls.
package desk

import (
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
)

// Desk is where the requests lie. Its calls may take long and come from several
// goroutines at once; the inbox makes each in a command of its own.
type Desk interface {
	// Stamp changes whenever the requests may have, and is read at little cost.
	Stamp() (Stamp, error)
	// List gives all open requests, newest first.
	List() ([]Row, error)
	// Messages gives a page of the messages of the open requests, newest first, and
	// the cursor of the page after it, empty at the end.
	Messages(cursor string) ([]Message, string, error)
	// Request gives a request whole, open or not, or engine.ErrNoRun.
	Request(runID string) (*engine.AskedRequest, error)
	// Ending says how a request ended, nil for one that is still open.
	Ending(runID string) (*Ending, error)
	// Answer gives an answer and returns the fact that the run took. The error is a
	// *problem.Rejection for an answer that is not taken.
	Answer(runID string, answer value.Value) (*Ending, error)
	// Cancel cancels the run that asked. The error is a *problem.Rejection for one
	// that cannot be cancelled any more.
	Cancel(runID string) (*Ending, error)
}

// Stamp is compared with an earlier one.
type Stamp struct {
	Changed time.Time
	Size    int64
}

// Waits says whom a request waits on (interaction format, "Whom a request waits
// on").
type Waits int

// Whom a request may wait on, in the order of the list.
const (
	OnMe Waits = iota
	OnAnyone
	OnOthers
)

// Row is what the list shows of a request.
type Row struct {
	engine.RequestSummary
	Waits Waits
}

// Message is the message of a request.
type Message struct {
	RunID string
	Text  string
}

// How is the way a request ended.
type How string

// The ways.
const (
	Answered    How = "answered"
	Expired     How = "expired"
	Cancelled   How = "cancelled"
	Undelivered How = "undelivered" // a notification that no attempt delivered
	Delivered   How = "delivered"   // a notification that was
	Gone        How = "gone"        // it was deleted with its run
	Ended       How = "ended"       // in a way that Detail tells
)

// Ending is how a request ended.
type Ending struct {
	RunID    string
	Function string // type/name; empty when that is not known any more
	How      How
	At       time.Time
	Detail   string // why, in the words of the run's rejection; empty when there are none

	// Of an answer:
	AnswerID   uint64
	Answer     value.Value
	By         string // the name or the id of who gave it
	ClaimedFor string
	Reply      bool // it was a reply to the message
	// Mine says that the answer, or the cancel, was given in this inbox.
	Mine bool
}
