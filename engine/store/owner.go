package store

// This file holds owners: how a process says that it lives, and how others find
// out whether it does.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Owner is a process at work on runs. What it starts is claimed in its name
// until it ends it, or until the owner is closed or its process ends.
type Owner struct {
	store *Store
	name  string
	lock  *flock.Flock
}

// Process is what an owner says of itself, for people.
type Process struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// String is the process in words, such as auto run (process 4711).
func (p Process) String() string { return fmt.Sprintf("%s (process %d)", p.Command, p.PID) }

const (
	lockSuffix = ".lock"
	// guardName is the lock under which owner files appear and are swept, so that
	// none is swept between its creation and its being locked.
	guardName  = "guard"
	guardPause = 2 * time.Millisecond
)

// Own makes this process an owner; command says for people what it is, such as
// auto run. The owner is for the whole life of the process: one is enough. It
// creates the store's folder where that is missing.
func (s *Store) Own(command string) (*Owner, error) {
	if err := s.ensureFolder(); err != nil {
		return nil, fmt.Errorf("the store %s cannot be written: %w", s.path, err)
	}
	folder := s.ownersFolder()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the store %s cannot be written: %w", s.path, err)
	}
	release, err := s.guardOwners()
	if err != nil {
		return nil, err
	}
	defer release()
	s.sweepOwners()
	name := s.ownerName()
	path := filepath.Join(folder, name+lockSuffix)
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_EXCL|os.O_RDWR))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		err = errors.New("a new file is locked already")
	}
	if err != nil {
		return nil, fmt.Errorf("the owner file %s cannot be locked: %w", path, err)
	}
	about, _ := json.Marshal(Process{PID: os.Getpid(), Command: command, Since: s.moment()})
	if err := os.WriteFile(path, about, 0o600); err != nil {
		lock.Close()
		return nil, fmt.Errorf("the owner file %s cannot be written: %w", path, err)
	}
	return &Owner{store: s, name: name, lock: lock}, nil
}

// Close ends the owner. A run it started and did not end is cut off from now on.
func (o *Owner) Close() error {
	// The file goes first: whoever finds no file knows that its owner is gone.
	removing := os.Remove(o.lock.Path())
	closing := o.lock.Close()
	if errors.Is(removing, fs.ErrNotExist) {
		removing = nil
	} else if removing != nil {
		// Windows removes no open file.
		removing = os.Remove(o.lock.Path())
	}
	return errors.Join(removing, closing)
}

func (s *Store) guardOwners() (release func(), err error) {
	guard := flock.New(filepath.Join(s.ownersFolder(), guardName))
	waiting, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	locked, err := guard.TryLockContext(waiting, guardPause)
	if locked {
		return func() { guard.Close() }, nil
	}
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		return nil, &HeldError{Path: guard.Path(), Waited: s.timeout, By: s.processes()}
	}
	return nil, fmt.Errorf("the owners of %s cannot be locked: %w", s.path, err)
}

// lives tells whether an owner's process lives: it does while it holds its lock.
// The try is for a shared lock, so that two who ask at once do not take each
// other for the owner.
func (s *Store) lives(owner string) (bool, error) {
	path := filepath.Join(s.ownersFolder(), owner+lockSuffix)
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("the owner file %s cannot be tried: %w", path, err)
	}
	lock.Close()
	return !free, nil
}

// owners gives the names in the owners folder.
func (s *Store) owners() []string {
	entries, err := os.ReadDir(s.ownersFolder())
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), lockSuffix); ok {
			names = append(names, name)
		}
	}
	return names
}

// sweepOwners removes the files of owners that are gone. Their claims stay: a
// claim whose owner has no file is cut off as well.
func (s *Store) sweepOwners() {
	for _, name := range s.owners() {
		if alive, err := s.lives(name); err == nil && !alive {
			os.Remove(filepath.Join(s.ownersFolder(), name+lockSuffix))
		}
	}
}

// processes gives the living processes that use the store, as far as their files
// can be read: it is for people, and nothing is decided by it.
func (s *Store) processes() []Process {
	var found []Process
	for _, name := range s.owners() {
		if alive, err := s.lives(name); err != nil || !alive {
			continue
		}
		about, err := os.ReadFile(filepath.Join(s.ownersFolder(), name+lockSuffix))
		var p Process
		if err == nil && json.Unmarshal(about, &p) == nil && p.PID != 0 && p.PID != os.Getpid() {
			found = append(found, p)
		}
	}
	return found
}
