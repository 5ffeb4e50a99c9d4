package store

// This file opens the bbolt file for one transaction and closes it again: the
// wait for its lock, its creation, and what a damaged file may not do.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// The pauses between two tries for the file's lock. A holder keeps it for the
// time of one fsync, so the first tries come soon.
const (
	shortestPause = 2 * time.Millisecond
	longestPause  = 16 * time.Millisecond
)

// transaction is one transaction on the open file.
type transaction struct {
	*bolt.Tx
	store *Store
}

// read runs do on the store as it stands. On a store that does not exist, do is
// not called: everything in it is empty.
func (s *Store) read(do func(transaction) error) error {
	if !s.exists() {
		return nil
	}
	return s.guarded("read", func(file *held) error {
		if err := s.open(file, true); err != nil {
			return err
		}
		if err := file.check(checkWays); err != nil {
			return err
		}
		return file.db.View(func(tx *bolt.Tx) error {
			t := transaction{tx, s}
			if empty, err := t.checkFormat(); empty || err != nil {
				return err
			}
			return do(t)
		})
	})
}

// exists tells whether there is anything to read. A file without a byte is a
// store that holds nothing yet, such as one that someone made by its name alone.
func (s *Store) exists() bool {
	info, err := os.Stat(s.path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return info.Size() > 0 || !info.Mode().IsRegular()
}

// write runs do and makes what it did durable, all of it or nothing. It creates
// the store where there is none.
func (s *Store) write(do func(transaction) error) error {
	select {
	case s.writing <- struct{}{}:
	case <-time.After(s.timeout):
		return &HeldError{Path: s.path, Waited: s.timeout, By: s.processes()}
	}
	defer func() { <-s.writing }()
	return s.guarded("write", func(file *held) error {
		if err := s.create(); err != nil {
			return err
		}
		if err := s.open(file, false); err != nil {
			return err
		}
		if err := file.check(checkWays); err != nil {
			return err
		}
		if err := file.check(checkFreePages); err != nil {
			return err
		}
		return file.db.Update(func(tx *bolt.Tx) error {
			t := transaction{tx, s}
			if empty, err := t.checkFormat(); err != nil {
				return err
			} else if empty {
				if err := t.writeFormat(); err != nil {
					return err
				}
			}
			return do(t)
		})
	})
}

// held is a file while a call has it open.
type held struct {
	file *os.File
	db   *bolt.DB
}

// check looks at the open file's pages before bbolt does.
func (h *held) check(look func(io.ReaderAt, int64, int) error) error {
	info, err := h.file.Stat()
	if err != nil {
		return err
	}
	return look(h.file, info.Size(), h.db.Info().PageSize)
}

// close gives the file back.
func (h *held) close() error {
	if h.db != nil {
		return h.db.Close()
	}
	return nil
}

// abandon gives the file back after a panic. bbolt's own locks may still be
// taken, so only the file is freed for others; its mapping stays until the
// process ends.
func (h *held) abandon() {
	if h.file != nil {
		unlock(h.file)
		h.file.Close()
	}
}

// guarded runs a call on the file, closes the file after it, and turns what
// bbolt does when it meets damage into a *DamagedError: a panic, or a fault at
// an address past the end of the file.
func (s *Store) guarded(doing string, call func(*held) error) (err error) {
	file := &held{}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if thrown := recover(); thrown != nil {
			file.abandon()
			if !fromDamage(thrown) {
				panic(thrown)
			}
			err = &DamagedError{Path: s.path, Reason: reasonOf(thrown)}
			return
		}
		if closing := file.close(); err == nil {
			err = closing
		}
		err = s.explain(doing, err)
	}()
	return call(file)
}

// fromDamage tells a panic that the file caused from one that is a defect of
// this program: it was thrown in bbolt, or by reading an address that is mapped
// from the file.
func fromDamage(thrown any) bool {
	if fault, ok := thrown.(interface{ Addr() uintptr }); ok && fault.Addr() > 1<<16 {
		return true
	}
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, "go.etcd.io/bbolt"):
			return true
		case strings.HasPrefix(frame.Function, "github.com/beonauto/auto"), !more:
			return false
		}
	}
}

// reasonOf says in words what a panic met in the file.
func reasonOf(thrown any) string {
	if _, ok := thrown.(interface{ Addr() uintptr }); ok {
		return "it ends before a page that another one points to"
	}
	if _, ok := thrown.(runtime.Error); ok {
		return "a page does not hold what it says it holds"
	}
	return fmt.Sprint(thrown)
}

// explain gives an error the words and the type a caller knows it by.
func (s *Store) explain(doing string, err error) error {
	var fault damage
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault):
		return &DamagedError{Path: s.path, Reason: fault.Error()}
	case isKnown(err):
		return err
	case isAny(err, incompatible...):
		return &DamagedError{Path: s.path, Reason: err.Error()}
	}
	return fmt.Errorf("the store %s cannot be %s: %w", s.path, map[string]string{"read": "read", "write": "written"}[doing], err)
}

// incompatible are bbolt's errors that a store's own calls never lead to: what
// stands in the file does.
var incompatible = []error{
	bolterrors.ErrIncompatibleValue, bolterrors.ErrBucketNotFound, bolterrors.ErrBucketExists,
	bolterrors.ErrKeyRequired, bolterrors.ErrKeyTooLarge, bolterrors.ErrValueTooLarge,
}

// isKnown tells whether an error is the package's own, to be given as it is.
func isKnown(err error) bool {
	var isHeld *HeldError
	var isDamaged *DamagedError
	var isNewer *NewerError
	return errors.As(err, &isHeld) || errors.As(err, &isDamaged) || errors.As(err, &isNewer) ||
		isAny(err, ErrNotFound, ErrNotClaimed, ErrInProgress, ErrExists,
			ErrRequestsFull, ErrAnswered, ErrRequestEnded, ErrTakesNoAnswer, ErrAttempted)
}

func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// open opens the file and takes its lock, shared for reading, trying until the
// store's timeout.
func (s *Store) open(h *held, readOnly bool) error {
	if err := s.checkKind(); err != nil {
		return err
	}
	var err error
	options := bolt.Options{
		// bbolt's own wait polls every 50 ms; with a timeout this short it tries once.
		Timeout:      time.Nanosecond,
		ReadOnly:     readOnly,
		NoSync:       s.noSync,
		NoGrowSync:   s.noSync,
		FreelistType: bolt.FreelistMapType,
		NoStatistics: true,
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			h.file, err = os.OpenFile(path, flag, mode)
			return h.file, err
		},
	}
	started := time.Now()
	mine := turn{path: s.path + turnSuffix}
	defer mine.end()
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		if mine.isAnothers(time.Since(started)) {
			time.Sleep(pause)
			continue
		}
		h.db, err = bolt.Open(s.path, 0o600, &options)
		if err == nil && !s.replaced(h) {
			break
		}
		if err == nil {
			// Another process compacted the store between the opening and the lock:
			// what is open is no longer the file at this path.
			h.db.Close()
		} else if !errors.Is(err, bolterrors.ErrTimeout) {
			h.db, h.file = nil, nil
			return s.refused(err)
		}
		h.db, h.file = nil, nil
		if waited := time.Since(started); waited > s.timeout {
			return &HeldError{Path: s.path, Waited: s.timeout, By: s.processes()}
		}
		if mine.take() {
			pause = shortestPause
		}
		time.Sleep(pause)
	}
	return nil
}

// refused tells an opening that the system refused from one that what stands in
// the file made impossible.
func (s *Store) refused(err error) error {
	var ofPath *fs.PathError
	var ofCall syscall.Errno
	if errors.As(err, &ofPath) || errors.As(err, &ofCall) {
		return err
	}
	reason := err.Error()
	if isAny(err, bolterrors.ErrInvalid, bolterrors.ErrVersionMismatch, bolterrors.ErrChecksum) {
		reason = "its first pages are not those of a store"
	}
	return &DamagedError{Path: s.path, Reason: reason}
}

// checkKind refuses what is no file.
func (s *Store) checkKind() error {
	info, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &DamagedError{Path: s.path, Reason: "it is not a file"}
	}
	return nil
}

// replaced tells whether the open file is no longer the one at the path.
func (s *Store) replaced(h *held) bool {
	open, err := h.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(s.path)
	return errors.Is(err, fs.ErrNotExist) || (err == nil && !os.SameFile(open, there))
}

// create makes the store where there is none. It gets its name when it is whole,
// so a process that is killed meanwhile leaves no half of one.
func (s *Store) create() error {
	if _, err := os.Stat(s.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.ensureFolder(); err != nil {
		return err
	}
	folder := filepath.Dir(s.path)
	file, err := os.CreateTemp(folder, filepath.Base(s.path)+newSuffix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if err := file.Close(); err != nil {
		return err
	}
	db, err := bolt.Open(file.Name(), 0o600, &bolt.Options{NoSync: s.noSync, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bolt.Tx) error { return transaction{tx, s}.writeFormat() })
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := place(file.Name(), s.path); err != nil && !errors.Is(err, ErrExists) {
		return err
	}
	return syncFolder(folder)
}

// newSuffix marks a file that is to become the store. One is left behind when a
// process is killed as it makes the store; compacting removes it.
const newSuffix = ".new-"

// ensureFolder makes the store's folder where it is missing. A folder named
// .auto stands in a playbook that is often a repository, so it keeps itself out
// of it.
func (s *Store) ensureFolder() error {
	folder := filepath.Dir(s.path)
	if _, err := os.Stat(s.path); err == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if filepath.Base(folder) != ".auto" {
		return nil
	}
	ignore, err := os.OpenFile(filepath.Join(folder, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = ignore.WriteString("*\n")
	return errors.Join(err, ignore.Close())
}

// syncFolder makes a file's new name durable. Where a folder cannot be synced,
// as on Windows, its system keeps names durable itself.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	open, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(open.Sync(), open.Close())
}
