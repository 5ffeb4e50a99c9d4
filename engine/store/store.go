// Package store keeps what a playbook's runs did in one bbolt file, runs.db:
// the runs and how they ended, the events of their history, the versions of
// their definitions, and who is at work on what.
//
// Nothing is held open between two calls. Each call opens the file, does one
// transaction and closes it, so any number of processes share a store, and a
// fact is either whole in the file or not there. A call that finds the file
// held by someone else waits, and gives up with a *HeldError. A file that is
// damaged or of a newer format is left as it is.
//
// # What must happen once
//
// Work that must happen once is claimed, in the transaction that records it and
// before it is done. A claim names its owner: a process, by a file in the
// folder owners beside the store that the process keeps an operating system
// lock on for as long as it lives. Whoever meets a claim tries that lock. While
// it is held the work is in progress; once it is free the work was cut off,
// however the process ended. No clock decides that.
//
// # The file
//
// Every bucket stands at the top of the file, and a call takes a bucket that is
// not there for an empty one, so a bucket can be added without a new format.
// Order comes from one sequence, the bucket meta's, and never from times. A
// number in a key is big-endian, so that keys stand in its order; 0 ends a text
// that something follows.
//
//	meta                 format → the format's number
//	runs                 run id → the run
//	runs_by_order        order → what a list shows of a run
//	events               order → the event
//	events_by_run        run id, 0, order → nothing
//	definitions          type/name → its latest version, and whether it is retired
//	versions             type/name, 0, version → the document and when it was first kept
//	versions_by_content  type/name, 0, SHA-256 of the document → version
//	overviews            type/name → the overview and the diagram that were last given, and with which version
//	claims               kind, 0, what is claimed → owner and since when
//	requests             run id → the request: party, message, expiry, answer schema, attempts, sent
//	requests_open        order → what a list shows of an open request: the list, and its bound
//	requests_due         time in milliseconds, order → run id: the next attempt or the expiry
//	readings             server, 0, tool, 0, key → a conversation: its reads, since, how many requests are in it
//	readings_open        the conversation's order, the request's → what its messages are matched by
//	readings_seen        the conversation's order, message id → the playbook's own, or dealt with; since when
//	readings_due         time in milliseconds, order → the conversation's key: the next read
//	tellings             time in milliseconds, order → what a party is to be told
//
// A value is JSON behind its CRC-32C in 4 bytes; one of runs_by_order or
// requests_open is a short binary record behind the same, since a list reads many,
// one of versions_by_content is the bare number, one of requests_due and of
// readings_due the bare id or key, and one of readings_seen 9 bytes.
//
// # Damage
//
// A call looks at the pages that lead to others, and a write at the list of free
// pages, before bbolt goes by them; every record has its checksum. What bbolt
// still meets ends the call as a *DamagedError, before anything is written. Check
// looks at all of it.
//
// # Requests
//
// A request that waits for its party is a fact of its run. A run that waits stays
// started and has no claim of the kind run: nobody works on it, and nothing was
// cut off. An attempt to deliver is claimed under a kind of its own. An answer
// needs no claim: the transaction that records it as the run's one fact closes the
// request and ends the run, and whoever comes after it finds the request closed.
// A request stays with its run, so that the same answer sent again finds its fact.
//
// A list is short records in order, so those to one party or of one function are
// looked for among all, of which there are as many as may be open.
//
// # Conversations
//
// Requests whose replies one read finds share a conversation. It is listed as due
// while one of them is open, and stays with their runs, so that a reply is never
// taken twice: the messages that the playbook sent in it, and those that were taken
// or refused, are remembered, the newest 4,096. A read and a telling are claimed
// under kinds of their own. All that a read comes to is one transaction: the answers
// with the ends of their runs, the refusals, what is to be told, and since.
//
// The package never decides how a run ends or whether it may run again, never
// calls a model or a tool, and keeps nothing in memory between two calls.
package store

import (
	"crypto/rand"
	"encoding/hex"
	"path/filepath"
	"time"
)

// Options are what a store takes from outside. The zero Options are those of a
// program: 5 seconds, the real clock, random names.
type Options struct {
	// Timeout is how long a call waits for a file that others hold. 0 is 5 seconds.
	Timeout time.Duration
	// Now is the clock that everything in the store is dated by. nil is the real one.
	Now func() time.Time
	// OwnerName names a new owner; a name is never given twice. nil is 128 random bits.
	OwnerName func() string
}

const defaultTimeout = 5 * time.Second

// Store is a store by its path. It holds nothing open, and is safe for
// concurrent use.
type Store struct {
	path      string
	timeout   time.Duration
	now       func() time.Time
	ownerName func() string
	// writing lets one writer of this process at a time go for the file, so that
	// they queue here and do not poll its lock against each other.
	writing chan struct{}
	noSync  bool // tests that kill no power leave out fsync
}

// At gives the store whose file is path, usually .auto/runs.db in a playbook's
// folder. It reads and creates nothing: the first call that writes creates the
// file and, where it is missing, its folder. Reading a store that does not exist
// finds it empty.
func At(path string, options Options) *Store {
	s := &Store{
		path:      path,
		timeout:   options.Timeout,
		now:       options.Now,
		ownerName: options.OwnerName,
		writing:   make(chan struct{}, 1),
	}
	if s.timeout <= 0 {
		s.timeout = defaultTimeout
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.ownerName == nil {
		s.ownerName = randomName
	}
	return s
}

// Path is the store's file.
func (s *Store) Path() string { return s.path }

func (s *Store) ownersFolder() string { return filepath.Join(filepath.Dir(s.path), "owners") }

// moment is the time a fact is dated by: UTC, in whole milliseconds.
func (s *Store) moment() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

func randomName() string {
	var name [16]byte
	rand.Read(name[:])
	return hex.EncodeToString(name[:])
}
