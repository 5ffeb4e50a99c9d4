package store

// This file reads requests: one, a page of the open ones, and those that somebody
// has to work on.

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"
)

// Request gives the request of a run by the run's id, open or not, or ErrNotFound.
func (s *Store) Request(id string) (*Request, error) {
	var found *Request
	err := s.read(func(t transaction) (err error) {
		found, err = t.request(id)
		return err
	})
	if err == nil && found == nil {
		err = ErrNotFound
	}
	return found, err
}

// RequestFilter says which open requests a page holds, newest first.
type RequestFilter struct {
	To         string // only those to a party
	Type, Name string // only those of a type, of a name, or of one definition
	Cursor     string // those after the page that gave it; empty for the first page
	Limit      int    // the most of one page; 0 is 100, and no page has more than 1,000
}

// OpenRequests gives a page of the open requests, whole, and the cursor of the
// page after it, empty at the end. It gives ErrCursor.
func (s *Store) OpenRequests(filter RequestFilter) (page []*Request, cursor string, err error) {
	cursor, err = s.eachOpen(&filter, pageSize(filter.Limit), func(t transaction, order uint64, g *requestGlance) error {
		request, err := t.request(string(g.texts[0]))
		if err == nil && request == nil {
			err = damage("an open request is missing")
		}
		page = append(page, request)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return page, cursor, nil
}

// ListRequests gives a page of the open requests as OpenRequests does, by what a
// list shows of them: a large page takes little time.
func (s *Store) ListRequests(filter RequestFilter) (page []RequestSummary, cursor string, err error) {
	cursor, err = s.eachOpen(&filter, pageSize(filter.Limit), func(_ transaction, order uint64, g *requestGlance) error {
		summary, err := g.summary(order)
		page = append(page, summary)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return page, cursor, nil
}

// AllRequests gives all open requests as ListRequests does, newest first, in one
// transaction: of these there are no more than may be open.
func (s *Store) AllRequests() (all []RequestSummary, err error) {
	_, err = s.eachOpen(&RequestFilter{}, math.MaxInt, func(t transaction, order uint64, g *requestGlance) error {
		if all == nil {
			all = make([]RequestSummary, 0, t.count(bucketRequestsOpen, maxCount))
		}
		summary, err := g.summary(order)
		all = append(all, summary)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// eachOpen gives the index records of a page of at most limit, and the cursor after
// it.
func (s *Store) eachOpen(filter *RequestFilter, limit int, take func(transaction, uint64, *requestGlance) error) (cursor string, err error) {
	before := uint64(maxOrder)
	if filter.Cursor != "" {
		before, err = strconv.ParseUint(filter.Cursor, 36, 53)
		if err != nil {
			return "", ErrCursor
		}
	}
	err = s.read(func(t transaction) error {
		c := t.cursor(bucketRequestsOpen)
		if c == nil {
			return nil
		}
		taken, last, g := 0, uint64(0), &requestGlance{}
		key, sealed := c.Seek(orderBytes(before))
		if key == nil {
			key, sealed = c.Last()
		}
		for ; key != nil; key, sealed = c.Prev() {
			order, err := orderOf(key)
			if err != nil {
				return err
			}
			if order >= before {
				continue
			}
			if err := g.at(sealed); err != nil {
				return err
			}
			if !filter.takes(g) {
				continue
			}
			if taken == limit {
				cursor = strconv.FormatUint(last, 36)
				return nil
			}
			if err := take(t, order, g); err != nil {
				return err
			}
			taken, last = taken+1, order
		}
		return nil
	})
	return cursor, err
}

func (f *RequestFilter) takes(g *requestGlance) bool {
	return (f.Type == "" || f.Type == string(g.texts[1])) &&
		(f.Name == "" || f.Name == string(g.texts[2])) &&
		(f.To == "" || f.To == string(g.texts[3]))
}

// CountOpenRequests counts the open requests.
func (s *Store) CountOpenRequests() (count int, err error) {
	err = s.read(func(t transaction) error {
		count = t.count(bucketRequestsOpen, maxCount)
		return nil
	})
	return count, err
}

// DueRequests gives the runs whose requests somebody has to work on by now, those
// that wait longest first, at most limit of them; and when the next one after them
// is due, the zero time when there is none.
func (s *Store) DueRequests(limit int) (ids []string, next time.Time, err error) {
	now := millis(s.moment())
	err = s.read(func(t transaction) error {
		c := t.cursor(bucketRequestsDue)
		if c == nil {
			return nil
		}
		for key, id := c.First(); key != nil; key, id = c.Next() {
			if len(key) != 16 {
				return damage("a key has no time")
			}
			due := binary.BigEndian.Uint64(key)
			if due > now || len(ids) == limit {
				next = fromMillis(due)
				return nil
			}
			ids = append(ids, string(id))
		}
		return nil
	})
	if err != nil {
		return nil, time.Time{}, err
	}
	return ids, next, nil
}
