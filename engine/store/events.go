package store

// This file holds the events of the playbook's history.

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// Event is one fact of the history. Whoever records it gives its Type and Data,
// and its RunID where it does not stand in a run's call; the store gives the
// rest.
type Event struct {
	// ID is its number in the store's one sequence, from 1: a later event has a
	// larger one. 0 is an event that was not recorded yet.
	ID      uint64
	Time    time.Time // UTC, in milliseconds
	RunID   string    // empty for an event of no run, such as a read of a conversation
	Subject string    // the definition of its run, type/name
	Type    string    // such as tool_call_started
	Data    *value.Object
}

// Value is the event as JSON.
func (e *Event) Value() *value.Object {
	return object(
		"event_id", float64(e.ID),
		"time", writtenTime(e.Time),
		"run_id", optionalText(e.RunID),
		"subject", optionalText(e.Subject),
		"type", e.Type,
		"data", optionalObject(e.Data),
	)
}

func optionalText(text string) value.Value {
	if text == "" {
		return nil
	}
	return text
}

func decodeEvent(sealed []byte) (*Event, error) {
	r := unsealObject(sealed)
	e := &Event{
		ID:      uint64(r.whole("event_id", maxOrder)),
		Time:    r.time("time"),
		RunID:   r.optionalText("run_id"),
		Subject: r.optionalText("subject"),
		Type:    r.text("type"),
		Data:    r.optional("data"),
	}
	return e, r.err
}

func (r *reader) optionalText(key string) string {
	if v, ok := r.object.Get(key); ok && v == nil {
		return ""
	}
	return r.text(key)
}

// record appends events, dated now, and gives each its number.
func (t transaction) record(events []Event) error {
	for i := range events {
		e := &events[i]
		order, err := t.next()
		if err != nil {
			return err
		}
		e.ID, e.Time = order, t.store.moment()
		if err := t.add(bucketEvents, orderBytes(order), sealObject(e.Value())); err != nil {
			return err
		}
		if e.RunID == "" {
			continue
		}
		if err := t.put(bucketEventsByRun, orderKey(e.RunID, order), []byte{}); err != nil {
			return err
		}
	}
	return nil
}

// of gives copies of events that belong to a run.
func of(run *Run, events []Event) []Event {
	own := make([]Event, len(events))
	for i, e := range events {
		own[i] = e
		own[i].RunID, own[i].Subject = run.ID, run.Type+"/"+run.Name
	}
	return own
}

// Record appends events that belong to no run that is claimed, in one
// transaction, and gives them as recorded.
func (s *Store) Record(events ...Event) ([]Event, error) {
	if err := checkEvents(events); err != nil {
		return nil, err
	}
	recorded := slices.Clone(events)
	err := s.write(func(t transaction) error { return t.record(recorded) })
	if err != nil {
		return nil, err
	}
	return recorded, nil
}

func checkEvents(events []Event) error {
	for _, e := range events {
		if e.Type == "" || e.RunID != "" && !validID(e.RunID) {
			return errors.New("expected an event to have a type, and a run's id or none")
		}
	}
	return nil
}

// EventFilter says which events a page holds, oldest first.
type EventFilter struct {
	RunID string    // only those of a run
	Type  string    // only those of a type
	Since time.Time // only those of this time and later
	After uint64    // only those after the event with this ID
	Limit int       // the most of one page; 0 is 100, and no page has more than 1,000
}

// Events gives a page of the history, and whether more follow after its last
// event. A run that the store does not have has no events.
func (s *Store) Events(filter EventFilter) (page []Event, more bool, err error) {
	limit := pageSize(filter.Limit)
	err = s.read(func(t transaction) error {
		return t.eachEvent(filter.RunID, filter.After, func(e *Event) (bool, error) {
			if filter.Type != "" && e.Type != filter.Type || e.Time.Before(filter.Since) {
				return true, nil
			}
			if len(page) == limit {
				more = true
				return false, nil
			}
			page = append(page, *e)
			return true, nil
		})
	})
	if err != nil {
		return nil, false, err
	}
	return page, more, nil
}

// Event gives one event by its ID, or ErrNotFound.
func (s *Store) Event(id uint64) (*Event, error) {
	var found *Event
	err := s.read(func(t transaction) (err error) {
		found, err = t.event(id)
		return err
	})
	if err == nil && found == nil {
		err = ErrNotFound
	}
	return found, err
}

func (t transaction) event(id uint64) (*Event, error) {
	sealed := t.get(bucketEvents, orderBytes(id))
	if sealed == nil {
		return nil, nil
	}
	return decodeEvent(sealed)
}

// eachEvent gives the events after one in order, of a run or of all, until visit
// says to stop.
func (t transaction) eachEvent(runID string, after uint64, visit func(*Event) (bool, error)) error {
	visitSealed := func(sealed []byte) (bool, error) {
		e, err := decodeEvent(sealed)
		if err != nil {
			return false, err
		}
		return visit(e)
	}
	if runID == "" {
		c := t.cursor(bucketEvents)
		if c == nil {
			return nil
		}
		for key, sealed := c.Seek(orderBytes(after + 1)); key != nil; key, sealed = c.Next() {
			if again, err := visitSealed(sealed); err != nil || !again {
				return err
			}
		}
		return nil
	}
	return t.eachEventKey(runID, after, func(order uint64) (bool, error) {
		sealed := t.get(bucketEvents, orderBytes(order))
		if sealed == nil {
			return false, damage("an event of a run is missing")
		}
		return visitSealed(sealed)
	})
}

// eachEventKey gives the numbers of a run's events after one, in order.
func (t transaction) eachEventKey(runID string, after uint64, visit func(order uint64) (bool, error)) error {
	c := t.cursor(bucketEventsByRun)
	if c == nil {
		return nil
	}
	prefix := runID + "\x00"
	for key, _ := c.Seek(orderKey(runID, after+1)); strings.HasPrefix(string(key), prefix); key, _ = c.Next() {
		order, err := orderOf(key)
		if err != nil {
			return err
		}
		if again, err := visit(order); err != nil || !again {
			return err
		}
	}
	return nil
}

const (
	usualPage   = 100
	largestPage = 1000
)

func pageSize(limit int) int {
	if limit <= 0 {
		return usualPage
	}
	return min(limit, largestPage)
}
