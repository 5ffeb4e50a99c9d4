package store

// This file names the buckets, and knows which formats of the file the program
// reads.

import (
	"encoding/binary"

	bolt "go.etcd.io/bbolt"
)

// Format is the newest format of the file that this program reads, and the one
// it writes.
const Format = 1

// The buckets, as the package comment lays them out.
var (
	bucketMeta         = []byte("meta")
	bucketRuns         = []byte("runs")
	bucketRunsByOrder  = []byte("runs_by_order")
	bucketEvents       = []byte("events")
	bucketEventsByRun  = []byte("events_by_run")
	bucketDefinitions  = []byte("definitions")
	bucketVersions     = []byte("versions")
	bucketByContent    = []byte("versions_by_content")
	bucketOverviews    = []byte("overviews")
	bucketClaims       = []byte("claims")
	bucketRequests     = []byte("requests")
	bucketRequestsOpen = []byte("requests_open")
	bucketRequestsDue  = []byte("requests_due")
	bucketReadings     = []byte("readings")
	bucketReadingsOpen = []byte("readings_open")
	bucketReadingsSeen = []byte("readings_seen")
	bucketReadingsDue  = []byte("readings_due")
	bucketTellings     = []byte("tellings")
)

var keyFormat = []byte("format")

// checkFormat refuses a file that is not the store of a known format, and tells
// whether it is a new one that holds nothing yet.
func (t transaction) checkFormat() (empty bool, err error) {
	meta := t.Bucket(bucketMeta)
	if meta == nil {
		if name, _ := t.Cursor().First(); name != nil {
			return false, &DamagedError{Path: t.store.path, Reason: "it is a database of another program"}
		}
		return true, nil
	}
	r := unsealObject(meta.Get(keyFormat))
	if r.err != nil {
		return false, r.err
	}
	format := int(r.whole("format", 1<<31))
	if r.err == nil && format > Format {
		return false, &NewerError{Path: t.store.path, Format: format, Known: Format}
	}
	return false, r.err
}

func (t transaction) writeFormat() error {
	return t.put(bucketMeta, keyFormat, sealObject(object("format", float64(Format), "created", writtenTime(t.store.moment()))))
}

// get gives what a bucket holds under a key, nil when it holds nothing. It lies
// in the file, and is gone when the transaction ends.
func (t transaction) get(bucket, key []byte) []byte {
	if b := t.Bucket(bucket); b != nil {
		return b.Get(key)
	}
	return nil
}

// put writes into a bucket, which it creates where it is missing.
func (t transaction) put(bucket, key, record []byte) error {
	b, err := t.CreateBucketIfNotExists(bucket)
	if err != nil {
		return err
	}
	return b.Put(key, record)
}

// add writes a record whose key is larger than all before it.
func (t transaction) add(bucket, key, record []byte) error {
	b, err := t.CreateBucketIfNotExists(bucket)
	if err != nil {
		return err
	}
	b.FillPercent = 0.95 // nothing is ever put between two of these
	return b.Put(key, record)
}

func (t transaction) remove(bucket, key []byte) error {
	if b := t.Bucket(bucket); b != nil {
		return b.Delete(key)
	}
	return nil
}

// cursor goes over a bucket, and is nil when there is none.
func (t transaction) cursor(bucket []byte) *bolt.Cursor {
	if b := t.Bucket(bucket); b != nil {
		return b.Cursor()
	}
	return nil
}

// next gives the next number of the store's sequence.
func (t transaction) next() (uint64, error) {
	return t.Bucket(bucketMeta).NextSequence()
}

// orderOf reads the number at a key's end.
func orderOf(key []byte) (uint64, error) {
	if len(key) < 8 {
		return 0, damage("a key has no order")
	}
	return binary.BigEndian.Uint64(key[len(key)-8:]), nil
}
