package store

// This file reads runs, one and many, and deletes them.

import (
	"errors"
	"slices"
	"strconv"
	"time"
)

// Get gives a run by its id, or ErrNotFound.
func (s *Store) Get(id string) (*Run, error) {
	var found *Run
	err := s.read(func(t transaction) (err error) {
		found, err = t.run(id)
		return err
	})
	if err == nil && found == nil {
		err = ErrNotFound
	}
	return found, err
}

// Filter says which runs a page holds, newest first.
type Filter struct {
	Type, Name string    // only those of a type, of a name, or of one definition
	Status     Status    // only those of a status
	Since      time.Time // only those started at this time or later
	Cursor     string    // those after the page that gave it; empty for the first page
	Limit      int       // the most of one page; 0 is 100, and no page has more than 1,000
}

// List gives a page of runs and the cursor of the page after it, empty at the
// end. A run that starts again under its id moves to the top. It gives ErrCursor.
func (s *Store) List(filter Filter) (page []Summary, cursor string, err error) {
	before := uint64(maxOrder)
	if filter.Cursor != "" {
		before, err = strconv.ParseUint(filter.Cursor, 36, 53)
		if err != nil {
			return nil, "", ErrCursor
		}
	}
	limit := pageSize(filter.Limit)
	err = s.read(func(t transaction) error {
		return t.eachSummary(before, func(order uint64, g *glance) (bool, error) {
			if !filter.takes(g) {
				return true, nil
			}
			if len(page) == limit {
				cursor = strconv.FormatUint(page[limit-1].order, 36)
				return false, nil
			}
			summary, err := g.summary(order)
			page = append(page, summary)
			return true, err
		})
	})
	if err != nil {
		return nil, "", err
	}
	return page, cursor, nil
}

func (f *Filter) takes(g *glance) bool {
	return (f.Type == "" || f.Type == string(g.texts[0])) &&
		(f.Name == "" || f.Name == string(g.texts[1])) &&
		(f.Status == "" || statusBytes[f.Status] == g.status) &&
		(f.Since.IsZero() || g.started >= millis(f.Since))
}

// eachSummary gives the index records before one, newest first, until visit says
// to stop.
func (t transaction) eachSummary(before uint64, visit func(uint64, *glance) (bool, error)) error {
	c := t.cursor(bucketRunsByOrder)
	if c == nil {
		return nil
	}
	g := &glance{}
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
		if again, err := visit(order, g); err != nil || !again {
			return err
		}
	}
	return nil
}

// CutOff gives the ids of started runs whose process is gone, for a worker to
// take over and end.
func (s *Store) CutOff() ([]string, error) {
	var ids []string
	err := s.read(func(t transaction) error {
		claims, err := t.claimed(claimRun)
		if err != nil {
			return err
		}
		for id, claimed := range claims {
			gone, err := t.cutOff(claimed)
			if err != nil {
				return err
			}
			if gone {
				ids = append(ids, id)
			}
		}
		return nil
	})
	slices.Sort(ids)
	return ids, err
}

// Delete removes a run with its events. It gives ErrNotFound, and ErrInProgress
// for a run that a living process is at work on. Its definition's versions stay.
func (s *Store) Delete(id string) error {
	if !s.exists() {
		return ErrNotFound
	}
	return s.write(func(t transaction) error {
		run, err := t.run(id)
		if err != nil {
			return err
		}
		if run == nil {
			return ErrNotFound
		}
		claimed, err := t.claimOf(claimRun, id)
		if err != nil {
			return err
		}
		if claimed != nil {
			if gone, err := t.cutOff(claimed); err != nil {
				return err
			} else if !gone {
				return ErrInProgress
			}
		}
		return t.deleteRun(run.ID, run.order)
	})
}

// deletedAtOnce is how many runs one transaction of DeleteOlderThan removes, so
// that others wait for moments only.
const deletedAtOnce = 500

// DeleteOlderThan removes every run that ended before a time, with its events,
// and gives how many. A run that has not ended stays, however old it is.
func (s *Store) DeleteOlderThan(before time.Time) (deleted int, err error) {
	isOld := func(g *glance) bool { return g.ended != 0 && g.ended < millis(before) }
	from := uint64(maxOrder)
	for {
		old := make([]uint64, 0, deletedAtOnce)
		err := s.read(func(t transaction) error {
			return t.eachSummary(from, func(order uint64, g *glance) (bool, error) {
				if isOld(g) {
					old, from = append(old, order), order
				}
				return len(old) < deletedAtOnce, nil
			})
		})
		if err != nil || len(old) == 0 {
			return deleted, err
		}
		gone := 0
		err = s.write(func(t transaction) error {
			for _, order := range old {
				sealed := t.get(bucketRunsByOrder, orderBytes(order))
				if sealed == nil {
					continue // deleted or started again since
				}
				g := glance{}
				if err := g.at(sealed); err != nil {
					return err
				}
				if err := t.deleteRun(string(g.texts[2]), order); err != nil {
					return err
				}
				gone++
			}
			return nil
		})
		if err != nil {
			return deleted, err
		}
		deleted += gone
	}
}

func (t transaction) deleteRun(id string, order uint64) error {
	var events []uint64
	err := t.eachEventKey(id, 0, func(order uint64) (bool, error) {
		events = append(events, order)
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, event := range events {
		err = errors.Join(err, t.remove(bucketEvents, orderBytes(event)), t.remove(bucketEventsByRun, orderKey(id, event)))
	}
	request, unread := t.request(id)
	if request != nil {
		err = errors.Join(err, t.forgetRequest(request))
	}
	return errors.Join(err, unread,
		t.remove(bucketRunsByOrder, orderBytes(order)),
		t.remove(bucketRuns, []byte(id)),
		t.release(claimRun, id),
	)
}
