package store

// This file looks after the file as a whole: check, backup, compact.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// Report is what a check found.
type Report struct {
	Format      int
	Bytes       int64 // of the file
	Runs        int
	Events      int
	Definitions int
	Versions    int
	Requests    int // of all runs
	Open        int // of those, the open ones
	CutOff      int // started runs whose process is gone
	// Faults says what is wrong, nothing for a sound store. At most 100 are named.
	Faults []string
}

// Check looks at every page and every record of the store, and changes nothing.
// Faults in it are no error: an error is a store that could not be looked at,
// such as one that is held, or whose first pages are gone (*DamagedError). A
// store that does not exist is sound.
func (s *Store) Check() (*Report, error) {
	report := &Report{}
	if !s.exists() {
		return report, nil
	}
	err := s.guarded("read", func(file *held) error {
		if err := s.open(file, true); err != nil {
			return err
		}
		return s.examine(file, report)
	})
	return report, err
}

// examine looks at every page of an open file, and at every record when the
// pages are sound.
func (s *Store) examine(file *held, report *Report) error {
	info, err := file.file.Stat()
	if err != nil {
		return err
	}
	report.Bytes = info.Size()
	report.Faults, err = walkPages(file.file, info.Size(), file.db.Info().PageSize)
	if err != nil || len(report.Faults) > 0 {
		return err
	}
	return file.db.View(func(tx *bolt.Tx) error {
		return transaction{tx, s}.inspect(report)
	})
}

// Backup copies the store as it stands into a new file, mode 0600, and checks
// the copy's pages before the file gets its name. It gives ErrExists when there
// is such a file, and ErrNotFound when there is no store.
func (s *Store) Backup(to string) error {
	if !s.exists() {
		return ErrNotFound
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%w: %s", ErrExists, to)
	}
	return s.guarded("read", func(file *held) error {
		if err := s.open(file, true); err != nil {
			return err
		}
		if err := file.check(checkWays); err != nil {
			return err
		}
		copied, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".*")
		if err != nil {
			return err
		}
		defer os.Remove(copied.Name())
		defer copied.Close()
		err = file.db.View(func(tx *bolt.Tx) error {
			if _, err := (transaction{tx, s}).checkFormat(); err != nil {
				return err
			}
			_, err := tx.WriteTo(copied)
			return err
		})
		if err != nil {
			return err
		}
		if err := sound(copied, file.db.Info().PageSize); err != nil {
			return err
		}
		if err := copied.Sync(); err != nil {
			return err
		}
		if err := place(copied.Name(), to); err != nil {
			return err
		}
		return syncFolder(filepath.Dir(to))
	})
}

// place gives a file its name, unless another file has it. A link never takes the
// place of another; a file system without links gets a rename after a look.
func place(file, name string) error {
	err := os.Link(file, name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		if _, err = os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(file, name)
		}
		err = fs.ErrExist
	}
	if err != nil {
		return fmt.Errorf("%w: %s", ErrExists, name)
	}
	return nil
}

// Compacted is what compacting a store came to, in bytes.
type Compacted struct {
	Before, After int64
}

// compactBatch is how many bytes one transaction of compacting copies.
const compactBatch = 16 << 20

// Compact writes the store anew without the room that deleted records left, and
// puts the new file in the old one's place. The store is held for as long as it
// takes. It gives ErrNotFound when there is no store.
func (s *Store) Compact() (Compacted, error) {
	var done Compacted
	if !s.exists() {
		return done, ErrNotFound
	}
	err := s.guarded("write", func(file *held) error {
		if err := s.open(file, false); err != nil {
			return err
		}
		// A damaged store is not to be copied over.
		report := &Report{}
		if err := s.examine(file, report); err != nil {
			return err
		}
		if len(report.Faults) > 0 {
			return damage(report.Faults[0])
		}
		done.Before = report.Bytes
		// The store is held alone, so a file of this name is left from a compacting
		// that was cut off.
		fresh := s.path + ".compact"
		err := os.Remove(fresh)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		defer os.Remove(fresh)
		if done.After, err = copyInto(fresh, file.db); err != nil {
			return err
		}
		if err := os.Rename(fresh, s.path); err != nil {
			return err
		}
		s.sweepUnborn()
		return syncFolder(filepath.Dir(s.path))
	})
	return done, err
}

// sweepUnborn removes what processes left that were killed as they made the
// store.
func (s *Store) sweepUnborn() {
	folder, name := filepath.Split(s.path)
	entries, _ := os.ReadDir(filepath.Clean(folder))
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), name+newSuffix) {
			os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}

// copyInto copies what a database holds into a new file, and gives its size.
func copyInto(path string, from *bolt.DB) (size int64, err error) {
	to, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true, FreelistType: bolt.FreelistMapType, PageSize: from.Info().PageSize})
	if err != nil {
		return 0, err
	}
	err = errors.Join(bolt.Compact(to, from, compactBatch), to.Sync(), to.Close())
	if err != nil {
		return 0, err
	}
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if err := sound(file, from.Info().PageSize); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// sound gives the first fault of a file's pages as damage.
func sound(file *os.File, pageSize int) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	faults, err := walkPages(file, info.Size(), pageSize)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return damage(faults[0])
	}
	return nil
}

// inspect reads every record, and sees that the indexes and the records they
// stand for agree.
func (t transaction) inspect(report *Report) error {
	if _, err := t.checkFormat(); err != nil {
		return err
	}
	report.Format = Format
	fault := func(format string, arguments ...any) {
		if len(report.Faults) < maxFaults {
			report.Faults = append(report.Faults, fmt.Sprintf(format, arguments...))
		}
	}
	t.inspectRuns(report, fault)
	t.inspectEvents(report, fault)
	t.inspectVersions(report, fault)
	t.inspectOverviews(fault)
	t.inspectRequests(report, fault)
	t.inspectReadings(fault)
	return t.inspectClaims(report, fault)
}

type faultFunc func(format string, arguments ...any)

// each gives every key and value of a bucket.
func (t transaction) each(bucket []byte, visit func(key, held []byte)) (count int) {
	if c := t.cursor(bucket); c != nil {
		for key, held := c.First(); key != nil; key, held = c.Next() {
			visit(key, held)
			count++
		}
	}
	return count
}

func (t transaction) inspectRuns(report *Report, fault faultFunc) {
	report.Runs = t.each(bucketRuns, func(key, sealed []byte) {
		run, err := decodeRun(sealed)
		switch {
		case err != nil:
			fault("run %s: %v", key, err)
		case run.ID != string(key):
			fault("run %s is recorded as %s", key, run.ID)
		case string(t.get(bucketRunsByOrder, orderBytes(run.order))) != string(run.Summary.encode()):
			fault("run %s is not in the list of runs as it is recorded", key)
		}
	})
	if listed := t.each(bucketRunsByOrder, func([]byte, []byte) {}); listed != report.Runs {
		fault("the list of runs has %d and the store %d", listed, report.Runs)
	}
}

func (t transaction) inspectEvents(report *Report, fault faultFunc) {
	ofRuns := 0
	report.Events = t.each(bucketEvents, func(key, sealed []byte) {
		e, err := decodeEvent(sealed)
		switch {
		case err != nil:
			fault("event %x: %v", key, err)
		case string(orderBytes(e.ID)) != string(key):
			fault("event %x is recorded as %d", key, e.ID)
		case e.RunID == "":
		default:
			ofRuns++
			if t.Bucket(bucketEventsByRun) == nil || t.get(bucketEventsByRun, orderKey(e.RunID, e.ID)) == nil {
				fault("event %d is not in the history of its run %s", e.ID, e.RunID)
			}
		}
	})
	if listed := t.each(bucketEventsByRun, func([]byte, []byte) {}); listed != ofRuns {
		fault("the histories of runs have %d events and the store %d", listed, ofRuns)
	}
}

func (t transaction) inspectVersions(report *Report, fault faultFunc) {
	known := 0
	report.Definitions = t.each(bucketDefinitions, func(key, sealed []byte) {
		definition, err := decodeDefinition(string(key), sealed)
		if err != nil {
			fault("definition %s: %v", key, err)
			return
		}
		known += definition.Versions
		for number := 1; number <= definition.Versions && number <= maxFaults; number++ {
			version, err := t.version(definition.Type, definition.Name, number)
			if err != nil || version == nil || version.Number != number {
				fault("version %d of %s is not readable", number, key)
			}
		}
	})
	report.Versions = t.each(bucketVersions, func(key, sealed []byte) {
		if r := unsealObject(sealed); r.err != nil {
			name, _, _ := strings.Cut(string(key), "\x00")
			fault("a version of %s: %v", name, r.err)
		}
	})
	byContent := t.each(bucketByContent, func([]byte, []byte) {})
	if report.Versions != known || byContent != known {
		fault("the definitions have %d versions, the store %d and the list by content %d", known, report.Versions, byContent)
	}
}

// inspectRequests sees that each open request has a run that waits for it, and
// that each is listed where its state says.
func (t transaction) inspectRequests(report *Report, fault faultFunc) {
	due := 0
	report.Requests = t.each(bucketRequests, func(key, sealed []byte) {
		request, err := decodeRequest(sealed)
		switch {
		case err != nil:
			fault("the request of run %s: %v", key, err)
			return
		case request.RunID != string(key):
			fault("the request of run %s is recorded as that of %s", key, request.RunID)
			return
		}
		t.inspectRequest(request, fault)
		if request.isOpen() {
			report.Open++
		}
		if request.isOpen() || request.unfinished() {
			due++
		}
	})
	if listed := t.count(bucketRequestsOpen, maxCount); listed != report.Open {
		fault("the list of open requests has %d and the store %d", listed, report.Open)
	}
	if listed := t.count(bucketRequestsDue, maxCount); listed != due {
		fault("the list of due requests has %d and the store %d", listed, due)
	}
}

func (t transaction) inspectRequest(request *Request, fault faultFunc) {
	id, isOpen, unfinished := request.RunID, request.isOpen(), request.unfinished()
	run, err := t.run(id)
	claimed := t.get(bucketClaims, claimKey(claimRun, id)) != nil
	if err == nil && (run == nil || isOpen && (run.Status != Started || claimed)) {
		fault("the request of run %s has no run that waits for it", id)
	}
	listed, earlier := string(t.get(bucketRequestsOpen, orderBytes(request.order))), request.RequestSummary
	earlier.Beginning = "" // as earlier versions listed it
	if isOpen && listed != string(request.RequestSummary.encode()) && listed != string(earlier.encode()) {
		fault("the request of run %s is not in the list of open requests as it is recorded", id)
	}
	if (isOpen || unfinished) && string(t.get(bucketRequestsDue, dueKey(request))) != id {
		fault("the request of run %s is not among those that are due", id)
	}
	if delivering := t.get(bucketClaims, claimKey(claimDelivery, id)) != nil; delivering != unfinished {
		fault("the delivery of the request of run %s is not claimed as it is recorded", id)
	}
}

func (t transaction) inspectClaims(report *Report, fault faultFunc) error {
	claims, err := t.claimed(claimRun)
	if err != nil {
		fault("a claim: %v", err)
		return nil
	}
	for id, claimed := range claims {
		run, err := t.run(id)
		if err == nil && (run == nil || run.Status != Started) {
			fault("run %s is claimed and not started", id)
		}
		gone, err := t.cutOff(claimed)
		if err != nil {
			return err
		}
		if gone {
			report.CutOff++
		}
	}
	return nil
}
