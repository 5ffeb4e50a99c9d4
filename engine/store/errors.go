package store

// This file holds the errors a caller decides by.

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// The errors of a call that asked for something the store does not do.
var (
	// ErrNotFound is a run, an event or a version that the store does not have.
	ErrNotFound = errors.New("not found")
	// ErrRunID is a run id that is not 1 to 128 letters, digits, - _ . and :.
	ErrRunID = errors.New("expected a run id of 1 to 128 letters, digits, - _ . or :")
	// ErrCursor is a cursor that no list of this store gave.
	ErrCursor = errors.New("expected the cursor that an earlier page gave")
	// ErrInputTooLarge is an input of more than MaxInput bytes as JSON.
	ErrInputTooLarge = fmt.Errorf("expected an input of at most %d bytes as JSON", MaxInput)
	// ErrNotClaimed is a write to a run that the writer does not have the claim of.
	ErrNotClaimed = errors.New("the run is not this process's to write")
	// ErrInProgress is a deletion of a run that a living process is at work on.
	ErrInProgress = errors.New("the run is in progress")
	// ErrRequestsFull is a request over the bound on open requests.
	ErrRequestsFull = errors.New("as many requests are open as may be")
	// ErrAnswered is an answer to a request that took another one.
	ErrAnswered = errors.New("the request took another answer")
	// ErrRequestEnded is a request that is no longer open.
	ErrRequestEnded = errors.New("the request has ended")
	// ErrTakesNoAnswer is an answer to a notification.
	ErrTakesNoAnswer = errors.New("a notification takes no answer")
	// ErrAttempted is an attempt to deliver a request that another process made
	// or ended.
	ErrAttempted = errors.New("the attempt was made already")
	// ErrExists is a backup over a file that is there already.
	ErrExists = errors.New("the file exists already")
)

// HeldError is a store that others kept locked for as long as a call may wait.
// Every call holds it for a moment only, so a process that holds it longer is
// stopped or hung, or is another program.
type HeldError struct {
	Path   string
	Waited time.Duration
	By     []Process // the living processes that use this store, and so may hold it
}

func (e *HeldError) Error() string {
	text := fmt.Sprintf("%s is in use: waited %s for it", e.Path, e.Waited)
	if len(e.By) == 0 {
		return text + "; another program may have it open, such as a backup or a database viewer"
	}
	names := make([]string, len(e.By))
	for i, p := range e.By {
		names[i] = p.String()
	}
	return text + "; it may be held by " + strings.Join(names, " or ")
}

// DamagedError is a file that is no store, or no longer a whole one. Nothing in
// it was changed.
type DamagedError struct {
	Path   string
	Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged or is no store: %s; nothing was changed", e.Path, e.Reason)
}

// NewerError is a store that a newer version of the program wrote. Nothing in it
// was changed.
type NewerError struct {
	Path   string
	Format int // the file's
	Known  int // the newest this program reads
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s has the format %d of a newer version of auto; this one reads up to %d; nothing was changed", e.Path, e.Format, e.Known)
}

// damage is a fault found in a record; the call that meets it knows the path.
type damage string

func (d damage) Error() string { return string(d) }
