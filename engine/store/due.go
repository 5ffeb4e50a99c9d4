package store

// This file finds what somebody has to work on by now.

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Now is the time that a fact would be dated by: UTC, in whole milliseconds.
func (s *Store) Now() time.Time { return s.moment() }

// Due is what somebody has to work on by now, what waits longest first.
type Due struct {
	Requests []*Request
	Readings []*Reading
	Tellings []*Telling
	// Next is when the first thing after them is due, the zero time when there is
	// none.
	Next time.Time
}

// Due gives what somebody has to work on by now, at most limit of each kind, but
// for what skip takes: a request by its run's id, all else by its WorkKey. Next is the time of the first
// thing that is not due yet.
func (s *Store) Due(limit int, skip func(key string) bool) (*Due, error) {
	due := &Due{}
	now := millis(s.moment())
	err := s.read(func(t transaction) error {
		return errors.Join(t.dueRequests(due, now, limit, skip), t.dueReadings(due, now, limit, skip), t.dueTellings(due, now, limit, skip))
	})
	if err != nil {
		return nil, err
	}
	return due, nil
}

func (t transaction) dueRequests(due *Due, now uint64, limit int, skip func(string) bool) error {
	return t.eachDue(bucketRequestsDue, now, &due.Next, func(_, id []byte) (bool, error) {
		if skip(string(id)) {
			return true, nil
		}
		request, err := t.request(string(id))
		if err == nil && request == nil {
			err = damage("a request that is due is missing")
		}
		due.Requests = append(due.Requests, request)
		return len(due.Requests) < limit, err
	})
}

func (t transaction) dueReadings(due *Due, now uint64, limit int, skip func(string) bool) error {
	return t.eachDue(bucketReadingsDue, now, &due.Next, func(key, of []byte) (bool, error) {
		if skip(workKey("reading", binary.BigEndian.Uint64(key[8:]))) {
			return true, nil
		}
		r, err := t.reading(conversationOf(of))
		if err == nil && r == nil {
			err = damage("a conversation that is due is missing")
		}
		due.Readings = append(due.Readings, r)
		return len(due.Readings) < limit, err
	})
}

func (t transaction) dueTellings(due *Due, now uint64, limit int, skip func(string) bool) error {
	return t.eachDue(bucketTellings, now, &due.Next, func(key, sealed []byte) (bool, error) {
		if skip(workKey("telling", binary.BigEndian.Uint64(key[8:]))) {
			return true, nil
		}
		g, err := decodeTelling(key, sealed)
		due.Tellings = append(due.Tellings, g)
		return len(due.Tellings) < limit, err
	})
}

// eachDue gives the keys and values of a bucket whose keys begin with a time, up to
// now, until visit says to stop. Next becomes the time of the first one after now,
// where that is before it.
func (t transaction) eachDue(bucket []byte, now uint64, next *time.Time, visit func(key, held []byte) (bool, error)) error {
	c := t.cursor(bucket)
	if c == nil {
		return nil
	}
	key, held := c.First()
	for again := true; again && key != nil; key, held = c.Next() {
		if len(key) != 16 {
			return damage("a key has no time")
		}
		if binary.BigEndian.Uint64(key) > now {
			break
		}
		var err error
		if again, err = visit(key, held); err != nil {
			return err
		}
	}
	return firstAfter(c, now, next)
}

// firstAfter moves next to the time of a bucket's first key after now, where that is
// before it.
func firstAfter(c *bolt.Cursor, now uint64, next *time.Time) error {
	key, _ := c.Seek(binary.BigEndian.AppendUint64(nil, now+1))
	if key == nil {
		return nil
	}
	if len(key) != 16 {
		return damage("a key has no time")
	}
	if at := fromMillis(binary.BigEndian.Uint64(key)); next.IsZero() || at.Before(*next) {
		*next = at
	}
	return nil
}

// PutOff says that a request is to be looked at again at a later time, such as one
// whose attempt counts as cut off while its process lives. It gives ErrNotFound, and
// ErrAttempted when an attempt was started or ended since.
func (s *Store) PutOff(id string, attempts int, until time.Time) error {
	return s.change(id, func(t transaction, request *Request, _ *Run) error {
		if !request.isOpen() && !request.unfinished() || len(request.Attempts) != attempts {
			return ErrAttempted
		}
		return t.putRequest(request, until)
	})
}

// RefuseDelivery records that a request cannot be sent at all, after so many
// attempts, and that none follows. Only the events and the ending of the end count.
// It gives ErrNotFound, ErrRequestEnded, and ErrAttempted when an attempt was
// started since or the delivery was given up.
func (s *Store) RefuseDelivery(id string, attempts int, end AttemptEnd) (*Request, error) {
	if err := checkAttemptEnd(&end); err != nil {
		return nil, err
	}
	var refused *Request
	err := s.change(id, func(t transaction, request *Request, run *Run) error {
		switch {
		case !request.isOpen():
			return ErrRequestEnded
		case request.unfinished() || request.GivenUp || len(request.Attempts) != attempts:
			return ErrAttempted
		}
		request.Attempts, request.GivenUp = slices.Clone(request.Attempts), true
		refused = request
		if err := t.record(of(run, end.Events)); err != nil {
			return err
		}
		if end.Ending != nil {
			return t.closeRequest(request, run, *end.Ending)
		}
		return t.putRequest(request, time.Time{})
	})
	if err != nil {
		return nil, err
	}
	return refused, nil
}
