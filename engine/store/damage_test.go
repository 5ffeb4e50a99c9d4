package store

// This file tests what damage to the file does: it is named, nothing more is
// changed, and no answer is made up.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/beonauto/auto/engine/value"
)

// soundFile gives the bytes of a store with some runs, and what its runs are.
func soundFile(t testing.TB, runs int) ([]byte, map[string]string) {
	t.Helper()
	s, _ := scratch(t)
	fill(t, s, runs)
	if _, err := s.DeleteOlderThan(s.now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	for i := range 20 { // leaves free pages
		if err := s.Delete(fmt.Sprintf("0199a3c4-%08d", i*3)); err != nil {
			t.Fatal(err)
		}
	}
	o := own(t, s)
	for i := range 30 { // requests that wait, are delivered and are answered
		id := fmt.Sprintf("0199a3c5-%08d", i)
		ask(t, o, id, inChat(s))
		if i%3 > 0 {
			if _, err := o.StartAttempt(id, 1, s.now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		if i%3 > 1 {
			if _, err := s.Answer(id, answered("approve")); err != nil {
				t.Fatal(err)
			}
		}
	}
	known := map[string]string{}
	for i := range runs {
		id := fmt.Sprintf("0199a3c4-%08d", i)
		if run, err := s.Get(id); err == nil {
			known[id] = value.JSON(run.Value())
		}
	}
	file, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	return file, known
}

func storeOf(t testing.TB, file []byte) *Store {
	t.Helper()
	s := At(filepath.Join(t.TempDir(), "runs.db"), Options{Timeout: time.Second})
	s.noSync = true
	if err := os.WriteFile(s.path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// use does with a store what the program does, and gives the damage that was
// named. Any other error fails the test.
func use(t testing.TB, s *Store, known map[string]string) (damaged []error) {
	t.Helper()
	note := func(doing string, err error) {
		var isDamaged *DamagedError
		switch {
		case err == nil, errors.Is(err, ErrNotFound):
		case errors.As(err, &isDamaged) && isDamaged.Path == s.path:
			damaged = append(damaged, err)
		default:
			t.Errorf("%s: %v", doing, err)
		}
	}
	for _, i := range []int{1, 77, 150, 299} {
		id := fmt.Sprintf("0199a3c4-%08d", i)
		run, err := s.Get(id)
		note("Get", err)
		if err == nil && value.JSON(run.Value()) != known[id] {
			t.Errorf("Get(%s) gives %s, recorded was %s", id, value.JSON(run.Value()), known[id])
		}
	}
	_, _, err := s.List(Filter{Name: "summarize", Limit: 1000})
	note("List", err)
	_, _, err = s.Events(EventFilter{Limit: 1000})
	note("Events", err)
	_, err = s.Definitions()
	note("Definitions", err)
	_, err = s.CutOff()
	note("CutOff", err)
	_, _, err = s.OpenRequests(RequestFilter{})
	note("OpenRequests", err)
	_, _, err = s.ListRequests(RequestFilter{To: "#deliveries"})
	note("ListRequests", err)
	_, _, err = s.DueRequests(100)
	note("DueRequests", err)
	report, err := s.Check()
	note("Check", err)
	if err == nil && len(report.Faults) > 0 {
		damaged = append(damaged, errors.New(report.Faults[0]))
	}
	return damaged
}

func TestDamageIsNamedAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	sound, known := soundFile(t, 300)
	other := filepath.Join(t.TempDir(), "other.db")
	db, err := bolt.Open(other, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket([]byte("widgets"))
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	foreign, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"a text":                    []byte(strings.Repeat("# A store is no text\n", 1000)),
		"a short text":              []byte("{}"),
		"zeros":                     make([]byte, 64<<10),
		"wrong magic":               patched(sound, 16, 1, 4096+16, 1),
		"a database of another":     foreign,
		"cut inside the first page": sound[:100],
		"cut after the first page":  sound[:4096],
		"cut after the second":      sound[:8192],
		"cut in the middle":         sound[:len(sound)/2],
		"cut a page short":          sound[:(pagesOf(sound)-1)*4096],
		"garbage after the start":   append(bytes.Clone(sound[:8192]), bytes.Repeat([]byte{0xA5}, len(sound)-8192)...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storeOf(t, file)
			if named := use(t, s, known); len(named) == 0 {
				t.Fatal("nothing was noticed")
			}
			for doing, call := range map[string]func() error{
				"Save":    func() error { _, err := s.Save("reasoning", "review", []byte("new")); return err },
				"Compact": func() error { _, err := s.Compact(); return err },
			} {
				var isDamaged *DamagedError
				if err := call(); err != nil && !errors.As(err, &isDamaged) {
					t.Errorf("%s: %v", doing, err)
				} else if err == nil {
					// A write that met none of the damage is fine; only a cut file shows it late.
					if !strings.HasPrefix(name, "cut") {
						t.Errorf("%s: wrote into it", doing)
					}
					return
				}
			}
			if now, _ := os.ReadFile(s.path); !bytes.Equal(now, file) {
				t.Error("the file was changed")
			}
		})
	}
}

// pagesOf gives how many pages a file uses; it is often longer.
func pagesOf(file []byte) int {
	return int(max(native.Uint64(file[pageHeadSize+40:]), native.Uint64(file[4096+pageHeadSize+40:])))
}

func patched(file []byte, changes ...int) []byte {
	changed := bytes.Clone(file)
	for i := 0; i < len(changes); i += 2 {
		changed[changes[i]] ^= byte(changes[i+1])
	}
	return changed
}

// A flipped bit anywhere gives the recorded run, or an error that names the
// file; and never a crash. The check finds every one that matters.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	sound, known := soundFile(t, 150)
	random := rand.New(rand.NewPCG(7, 7))
	flips := 120
	if testing.Short() {
		flips = 50
	}
	named := 0
	s := storeOf(t, sound)
	for i := range flips {
		at := random.IntN(len(sound))
		if i%2 == 0 { // the heads of pages, where it hurts most
			at = random.IntN(len(sound)/4096)*4096 + random.IntN(64)
		}
		file := patched(sound, at, 1<<random.IntN(8))
		if err := os.WriteFile(s.path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if len(use(t, s, known)) > 0 {
			named++
		}
		if now, _ := os.ReadFile(s.path); !bytes.Equal(now, file) {
			t.Fatalf("byte %d: reading changed the file", at)
		}
		_, err := s.Save("reasoning", "review", []byte("new"))
		var isDamaged *DamagedError
		if err != nil && !errors.As(err, &isDamaged) {
			t.Errorf("byte %d: Save: %v", at, err)
		}
		if now, _ := os.ReadFile(s.path); err != nil && !bytes.Equal(now, file) {
			t.Errorf("byte %d: a refused write changed the file", at)
		}
		if t.Failed() {
			t.Fatalf("byte %d", at)
		}
	}
	if named < flips/4 {
		t.Errorf("of %d flips %d were noticed", flips, named)
	}
}

// A page that leads back to one above it would send a search round until the
// program dies. It is damage like any other, to every call.
func TestAPageThatLeadsBack(t *testing.T) {
	t.Parallel()
	sound, known := soundFile(t, 300)
	var branches []int
	for at := 2 * 4096; at < pagesOf(sound)*4096; at += 4096 {
		if native.Uint16(sound[at+8:]) == pageBranch {
			branches = append(branches, at)
		}
	}
	if len(branches) == 0 {
		t.Fatal("the file has no branch page")
	}
	all := bytes.Clone(sound)
	for i, at := range branches {
		for _, to := range branches {
			file := bytes.Clone(sound)
			binary.NativeEndian.PutUint64(file[at+pageHeadSize+8:], uint64(to/4096))
			s := storeOf(t, file)
			use(t, s, known)
			var isDamaged *DamagedError
			if _, err := s.Save("reasoning", "review", []byte("new")); err != nil && !errors.As(err, &isDamaged) {
				t.Errorf("branch %d of %d: Save: %v", i, len(branches), err)
			}
		}
		binary.NativeEndian.PutUint64(all[at+pageHeadSize+8:], uint64(at/4096))
	}
	s := storeOf(t, all)
	report, err := s.Check()
	if err != nil || len(report.Faults) == 0 || !strings.Contains(report.Faults[0], "used twice") {
		t.Errorf("Check gives %+v, %v", report, err)
	}
	var isDamaged *DamagedError
	if _, err := s.Get("0199a3c4-00000001"); !errors.As(err, &isDamaged) || !strings.Contains(err.Error(), "used twice") {
		t.Errorf("Get gives %v", err)
	}
}

// The check sees each way in which records can fall out with each other.
func TestCheckFindsRecordsThatDisagree(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		harm func(transaction) error
		want string
	}{
		"a run that is not listed": {func(tx transaction) error {
			key, _ := tx.cursor(bucketRunsByOrder).First()
			return tx.remove(bucketRunsByOrder, bytes.Clone(key))
		}, "is not in the list of runs"},
		"a listed run that is gone": {func(tx transaction) error {
			return tx.remove(bucketRuns, []byte("0199a3c4-00000004"))
		}, "the list of runs has 20 and the store 19"},
		"an event missing in its run": {func(tx transaction) error {
			key, _ := tx.cursor(bucketEventsByRun).First()
			return tx.remove(bucketEventsByRun, bytes.Clone(key))
		}, "is not in the history of its run"},
		"an event that is gone": {func(tx transaction) error {
			key, _ := tx.cursor(bucketEvents).First()
			return tx.remove(bucketEvents, bytes.Clone(key))
		}, "the histories of runs have 40 events and the store 39"},
		"a version that is gone": {func(tx transaction) error {
			return tx.remove(bucketVersions, versionKey("reasoning", "review", 1))
		}, "version 1 of reasoning/review is not readable"},
		"a claim of an ended run": {func(tx transaction) error {
			return tx.put(bucketClaims, claimKey(claimRun, "0199a3c4-00000004"), sealObject(object("owner", "x", "since", nil)))
		}, "is claimed and not started"},
		"a claim that names a path": {func(tx transaction) error {
			return tx.put(bucketClaims, claimKey(claimRun, "x"), sealObject(object("owner", "../x", "since", nil)))
		}, "a claim: a record has no usable owner"},
		"a record that lost its checksum": {func(tx transaction) error {
			sealed := bytes.Clone(tx.get(bucketRuns, []byte("0199a3c4-00000004")))
			sealed[40] ^= 1
			return tx.put(bucketRuns, []byte("0199a3c4-00000004"), sealed)
		}, "a record does not match its checksum"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := scratch(t)
			fill(t, s, 20)
			o := own(t, s)
			_ = o
			if err := s.write(func(tx transaction) error {
				var events []Event
				for i := range 20 {
					events = append(events, Event{Type: "x", RunID: fmt.Sprintf("0199a3c4-%08d", i)})
				}
				return tx.record(events)
			}); err != nil {
				t.Fatal(err)
			}
			if err := s.write(c.harm); err != nil {
				t.Fatal(err)
			}
			report, err := s.Check()
			if err != nil || !strings.Contains(strings.Join(report.Faults, "\n"), c.want) {
				t.Errorf("Check gives %q, %v; want %q", report.Faults, err, c.want)
			}
		})
	}
}

func TestANewerFormatIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	fill(t, s, 10)
	err := s.write(func(tx transaction) error {
		return tx.put(bucketMeta, keyFormat, sealObject(object("format", float64(Format+1), "added", "later")))
	})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(s.path)
	for doing, call := range map[string]func() error{
		"Get":     func() error { _, err := s.Get("0199a3c4-00000001"); return err },
		"Save":    func() error { _, err := s.Save("reasoning", "review", nil); return err },
		"Check":   func() error { _, err := s.Check(); return err },
		"Compact": func() error { _, err := s.Compact(); return err },
		"Backup":  func() error { return s.Backup(filepath.Join(t.TempDir(), "copy.db")) },
	} {
		var isNewer *NewerError
		if err := call(); !errors.As(err, &isNewer) || isNewer.Format != Format+1 || !strings.Contains(err.Error(), "newer version of auto") {
			t.Errorf("%s: %v", doing, err)
		}
	}
	if after, _ := os.ReadFile(s.path); !bytes.Equal(before, after) {
		t.Error("a refused call changed the file")
	}
}

func TestPathsThatAreNoFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := At(folder, Options{})
	var isDamaged *DamagedError
	if _, err := s.Get("r-1"); !errors.As(err, &isDamaged) || !strings.Contains(err.Error(), "it is not a file") {
		t.Errorf("reading a folder: %v", err)
	}
	if _, err := s.Save("reasoning", "review", nil); !errors.As(err, &isDamaged) {
		t.Errorf("writing a folder: %v", err)
	}
	under := filepath.Join(folder, "file")
	if err := os.WriteFile(under, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := At(filepath.Join(under, "runs.db"), Options{}).Save("reasoning", "review", nil); err == nil || errors.As(err, &isDamaged) {
		t.Errorf("a folder that is a file: %v", err)
	}
	// A file without a byte is what a process leaves that is killed as it makes
	// the store.
	empty := At(under, Options{})
	empty.noSync = true
	if page, _, err := empty.List(Filter{}); len(page) != 0 || err != nil {
		t.Errorf("an empty file: %v, %v", page, err)
	}
	if _, err := empty.Save("reasoning", "review", nil); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}

func TestAReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	s, _ := scratch(t)
	fill(t, s, 5)
	folder := filepath.Dir(s.path)
	os.Chmod(s.path, 0o400)
	os.Chmod(folder, 0o500)
	t.Cleanup(func() { os.Chmod(folder, 0o700) })
	if page, _, err := s.List(Filter{}); len(page) != 5 || err != nil {
		t.Errorf("reading: %v, %v", page, err)
	}
	_, err := s.Save("reasoning", "review", []byte("new"))
	var isDamaged *DamagedError
	if !errors.Is(err, os.ErrPermission) || errors.As(err, &isDamaged) || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("writing: %v", err)
	}
}

// A defect of the program is not taken for damage of the file.
func TestAPanicOfOurOwnIsNotDamage(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	fill(t, s, 1)
	defer func() {
		if recover() == nil {
			t.Error("the panic was swallowed")
		}
		if _, err := s.Get("0199a3c4-00000000"); err != nil {
			t.Errorf("after it: %v", err)
		}
	}()
	var nothing *Run
	s.write(func(transaction) error { nothing.Attempt++; return nil })
}

func FuzzDecode(f *testing.F) {
	s, _ := scratch(f)
	o := own(f, s)
	run := start(f, o, review("r-1"))
	f.Add(run.encode()[sealSize:])
	f.Add(run.Summary.encode()[sealSize:])
	f.Add(sealObject((&Event{ID: 1, Type: "x", Data: object("a", 1.0)}).Value())[sealSize:])
	f.Add([]byte(`{"owner":"a","since":null}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, record []byte) {
		if run, err := decodeRun(record); err == nil {
			t.Errorf("a record without its checksum reads as %+v", run)
		}
		sealed := seal(record)
		if run, err := decodeRun(sealed); err == nil {
			again, err := decodeRun(run.encode())
			if err != nil || value.JSON(again.Value()) != value.JSON(run.Value()) {
				t.Errorf("%s reads back as %+v, %v", record, again, err)
			}
		}
		var g glance
		if g.at(sealed) == nil {
			if summary, err := g.summary(1); err == nil && !bytes.Equal(summary.encode(), sealed) && len(record) == len(summary.encode())-sealSize {
				t.Errorf("%x encodes again as %x", sealed, summary.encode())
			}
		}
		decodeEvent(sealed)
		decodeClaim(sealed)
		decodeDefinition(string(record), sealed)
	})
}
