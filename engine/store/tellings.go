package store

// This file holds the tellings that are to be sent: what a party is told whose reply
// was no answer. Each is sent once, or not at all.

import (
	"encoding/binary"
	"time"
)

// Telling is one that waits to be sent, is being sent or was cut off.
type Telling struct {
	RunID   string
	Reply   string // the identity of the reply it speaks of
	Message string
	Started time.Time // when it was begun; zero before
	Due     time.Time

	order uint64
}

// WorkKey names the telling among all that can be due.
func (g *Telling) WorkKey() string { return workKey("telling", g.order) }

// askToTell records that a party is to be told of a reply.
func (t transaction) askToTell(runID string, of *ReplyOutcome) error {
	order, err := t.next()
	if err != nil {
		return err
	}
	return t.putTelling(&Telling{RunID: runID, Reply: of.Reply, Message: of.Telling, order: order}, t.store.moment())
}

// StartTelling claims a telling for the owner and records that it begins, in one
// transaction; it may be sent then. The events belong to no run. It gives
// ErrAttempted when it was begun before, and ErrRequestEnded when its request is no
// longer open: nobody is told then.
func (o *Owner) StartTelling(of *Telling, until time.Time, events ...Event) (started *Telling, err error) {
	if err := checkEvents(events); err != nil {
		return nil, err
	}
	ended := false
	err = o.store.write(func(t transaction) error {
		g, err := t.telling(of)
		if err != nil {
			return err
		}
		if g == nil || !g.Started.IsZero() {
			return ErrAttempted
		}
		request, err := t.request(g.RunID)
		if err != nil {
			return err
		}
		if ended = request == nil || !request.isOpen(); ended {
			return t.remove(bucketTellings, g.key())
		}
		if err := t.claimFor(claimTelling, numberText(g.order), o); err != nil {
			return err
		}
		g.Started, started = t.store.moment(), g
		if err := t.putTelling(g, until); err != nil {
			return err
		}
		return t.record(events)
	})
	if err == nil && ended {
		err = ErrRequestEnded
	}
	if err != nil {
		return nil, err
	}
	return started, nil
}

// EndTelling records that a telling of the owner's was sent or failed, and that it
// is over. Sent is the identity of the message it was sent as; empty when that is
// not known. It gives ErrNotClaimed.
func (o *Owner) EndTelling(of *Telling, sent string, events ...Event) error {
	return o.store.endTelling(of, sent, events, func(t transaction) error {
		return t.ownClaim(claimTelling, numberText(of.order), o)
	})
}

// LoseTelling records that a telling was cut off, and that it is over. It gives
// ErrAttempted when it has ended, and ErrInProgress while its process lives.
func (s *Store) LoseTelling(of *Telling, events ...Event) error {
	return s.endTelling(of, "", events, func(t transaction) error {
		return t.claimable(claimTelling, numberText(of.order))
	})
}

// DropTelling forgets a telling that cannot be sent. It gives ErrAttempted when it
// was begun.
func (s *Store) DropTelling(of *Telling) error {
	return s.write(func(t transaction) error {
		g, err := t.telling(of)
		if err == nil && (g == nil || !g.Started.IsZero()) {
			err = ErrAttempted
		}
		if err != nil {
			return err
		}
		return t.remove(bucketTellings, g.key())
	})
}

// PutOffTelling says that a telling is to be looked at again at a later time: one
// that is claimed while its process lives.
func (s *Store) PutOffTelling(of *Telling, until time.Time) error {
	return s.write(func(t transaction) error {
		g, err := t.telling(of)
		if err == nil && g == nil {
			err = ErrAttempted
		}
		if err != nil {
			return err
		}
		return t.putTelling(g, until)
	})
}

func (s *Store) endTelling(of *Telling, sent string, events []Event, may func(transaction) error) error {
	if err := checkEvents(events); err != nil {
		return err
	}
	return s.write(func(t transaction) error {
		g, err := t.telling(of)
		if err == nil && g == nil {
			err = ErrAttempted
		}
		if err == nil {
			err = may(t)
		}
		if err != nil {
			return err
		}
		if err := t.remove(bucketTellings, g.key()); err != nil {
			return err
		}
		if err := t.release(claimTelling, numberText(g.order)); err != nil {
			return err
		}
		if err := t.rememberOwn(g.RunID, sent); err != nil {
			return err
		}
		return t.record(events)
	})
}

// rememberOwn keeps the identity of a message that the playbook sent in the
// conversation of a request.
func (t transaction) rememberOwn(runID, sent string) error {
	request, err := t.request(runID)
	if err != nil || request == nil || request.ReadBy == "" || sent == "" {
		return err
	}
	r, err := t.reading(request.conversation())
	if err != nil || r == nil {
		return err
	}
	if err := t.remember(r, sent, seenOwn); err != nil {
		return err
	}
	return t.putReading(r, r.Due)
}

// telling gives a telling as it stands, nil when it is over or its time has moved.
func (t transaction) telling(of *Telling) (*Telling, error) {
	sealed := t.get(bucketTellings, of.key())
	if sealed == nil {
		return nil, nil
	}
	return decodeTelling(of.key(), sealed)
}

func (t transaction) putTelling(g *Telling, due time.Time) error {
	if !g.Due.IsZero() {
		if err := t.remove(bucketTellings, g.key()); err != nil {
			return err
		}
	}
	g.Due = due.UTC().Truncate(time.Millisecond)
	return t.put(bucketTellings, g.key(), sealObject(object(
		"run_id", g.RunID, "reply", g.Reply, "message", g.Message, "started", writtenTime(g.Started))))
}

func (g *Telling) key() []byte { return pairKey(millis(g.Due), g.order) }

func decodeTelling(key, sealed []byte) (*Telling, error) {
	r := unsealObject(sealed)
	g := &Telling{RunID: r.text("run_id"), Reply: r.text("reply"), Message: r.text("message"), Started: r.time("started")}
	if len(key) != 16 {
		r.fault("key")
	}
	if r.err != nil {
		return nil, r.err
	}
	g.Due, g.order = fromMillis(binary.BigEndian.Uint64(key)), binary.BigEndian.Uint64(key[8:])
	return g, nil
}
