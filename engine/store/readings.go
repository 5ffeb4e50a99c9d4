package store

// This file holds the conversations in which replies to requests are read: one
// record for all requests that are read together, and who may read it next.

import (
	"bytes"
	"errors"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// join puts a request that was delivered into its conversation.
func (t transaction) join(request *Request, with *Joining) error {
	request.Conversation, request.ReadBy = with.Key, with.Tool
	r, err := t.reading(request.conversation())
	if err != nil {
		return err
	}
	if r == nil {
		r = &Reading{Conversation: request.conversation(), Since: ""}
		if r.order, err = t.next(); err != nil {
			return err
		}
	}
	if r.Open == 0 {
		r.Wait = 0
	}
	r.Joined, r.SinceJoined, r.Wait = t.store.moment(), 0, max(r.Wait, with.Wait)
	r.Open++
	r.requests++
	p := Participant{RunID: request.RunID, Answerer: request.Answerer, Wait: with.Wait}
	if request.Sent != nil {
		p.SentID = request.Sent.ID
	}
	p.After, _, _ = identity(r.Since)
	if err := t.put(bucketReadingsOpen, pairKey(r.order, request.order), p.encode()); err != nil {
		return err
	}
	if p.SentID != "" {
		if err := t.remember(r, p.SentID, seenOwn); err != nil {
			return err
		}
	}
	return t.putReading(r, with.Due(r))
}

// leave takes a request that closed out of the open ones of its conversation.
func (t transaction) leave(request *Request) error {
	if request.ReadBy == "" {
		return nil
	}
	r, err := t.reading(request.conversation())
	if err != nil {
		return err
	}
	if r == nil {
		return damage("the conversation of a request is missing")
	}
	key := pairKey(r.order, request.order)
	if t.get(bucketReadingsOpen, key) == nil {
		return nil
	}
	if err := t.remove(bucketReadingsOpen, key); err != nil {
		return err
	}
	r.Open--
	return t.putReading(r, r.Due)
}

// forsake takes a request that is deleted out of its conversation, which goes with
// the last of them.
func (t transaction) forsake(request *Request) error {
	if request.ReadBy == "" {
		return nil
	}
	if err := t.leave(request); err != nil {
		return err
	}
	r, err := t.reading(request.conversation())
	if err != nil {
		return err
	}
	if r.requests--; r.requests > 0 {
		return t.putReading(r, r.Due)
	}
	var keys [][]byte
	t.eachOf(bucketReadingsSeen, r.order, func(key, _ []byte) error {
		keys = append(keys, bytes.Clone(key))
		return nil
	})
	for _, key := range keys {
		err = errors.Join(err, t.remove(bucketReadingsSeen, key))
	}
	return errors.Join(err, t.remove(bucketReadings, r.key()), t.release(claimReading, r.claimName()))
}

// StartReading claims the next read of a conversation for the owner and counts it,
// in one transaction, and gives the conversation with its open requests, oldest
// first. The read may be made then. Until says when it counts as cut off, if its
// process is gone.
//
// It gives ErrNotFound when no request in it is open, ErrAttempted when it is not
// due, and ErrInProgress while a living process reads it.
func (o *Owner) StartReading(of Conversation, until time.Time) (started *Reading, open []Participant, err error) {
	err = o.store.write(func(t transaction) error {
		r, err := t.reading(of)
		switch {
		case err != nil:
			return err
		case r == nil || r.Open == 0:
			return ErrNotFound
		case t.store.moment().Before(r.Due):
			return ErrAttempted
		}
		if err := t.claimable(claimReading, r.claimName()); err != nil {
			return err
		}
		if err := t.claimFor(claimReading, r.claimName(), o); err != nil {
			return err
		}
		r.Started, r.Ended, r.RetryAfter = t.store.moment(), time.Time{}, 0
		r.SinceJoined++
		r.Reads++
		if open, err = t.participants(r); err != nil {
			return err
		}
		started = r
		return t.putReading(r, until)
	})
	if err != nil {
		return nil, nil, err
	}
	return started, open, nil
}

// claimable gives ErrInProgress for what a living process has claimed.
func (t transaction) claimable(kind claimKind, name string) error {
	claimed, err := t.claimOf(kind, name)
	if err != nil || claimed == nil {
		return err
	}
	gone, err := t.cutOff(claimed)
	if err == nil && !gone {
		err = ErrInProgress
	}
	return err
}

// ownClaim gives ErrNotClaimed for what the owner has not claimed.
func (t transaction) ownClaim(kind claimKind, name string, o *Owner) error {
	claimed, err := t.claimOf(kind, name)
	if err == nil && (claimed == nil || claimed.owner != o.name) {
		err = ErrNotClaimed
	}
	return err
}

// PutOffReading says that a conversation is to be looked at again at a later time:
// one that is claimed while its process lives. It gives ErrNotFound, and
// ErrAttempted when it was read since.
func (s *Store) PutOffReading(of *Reading, until time.Time) error {
	return s.write(func(t transaction) error {
		r, err := t.reading(of.Conversation)
		switch {
		case err != nil:
			return err
		case r == nil || r.Open == 0 || r.order != of.order:
			return ErrNotFound
		case r.Reads != of.Reads || !r.Due.Equal(of.Due):
			return ErrAttempted
		}
		return t.putReading(r, until)
	})
}

// ReadEnd is how a read ended, and what follows.
type ReadEnd struct {
	// Since is the id of the newest message it listed; nil when it listed none.
	Since      value.Value
	RetryAfter time.Duration // how long the server asked to be left alone; 0 when it did not
	// Due says when the conversation is read next.
	Due func(*Reading) time.Time
	// Outcomes are what its messages came to, in their order. One whose message was
	// dealt with before, or whose request has ended or expired meanwhile, counts for
	// nothing; its message is dealt with all the same.
	Outcomes []ReplyOutcome
	// Events are recorded with it, such as replies_read, given how many outcomes
	// counted; they belong to no run.
	Events func(answered, refused int) []Event
}

// ReplyOutcome is what a reply to a request came to: an answer, or a refusal.
type ReplyOutcome struct {
	RunID   string
	Reply   string     // the identity of its message
	Answer  *Answering // nil for a refusal
	Refused *Event     // reply_refused
	// Telling is what the party is told of a refusal; empty when it is told nothing.
	Telling string
}

// ReplyDone is what an outcome of a read that counted came to.
type ReplyDone struct {
	Outcome *ReplyOutcome
	Fact    *Event // the event that was recorded
	Tells   bool   // the party is to be told
}

// EndReading records how a read of the owner's ended, with all that came of it, in
// one transaction: the answers that were taken, each of which closes its request and
// ends its run, the replies that were refused and the tellings that follow. It gives
// the outcomes that counted, ErrNotFound when the conversation is gone, and
// ErrNotClaimed.
func (o *Owner) EndReading(started *Reading, end ReadEnd) (done []ReplyDone, err error) {
	for _, outcome := range end.Outcomes {
		if outcome.Answer != nil {
			err = errors.Join(err, checkEvents([]Event{outcome.Answer.Fact}), checkEnding(outcome.Answer.Ending))
		}
	}
	if err != nil {
		return nil, err
	}
	err = o.store.write(func(t transaction) error {
		done = nil
		r, err := t.reading(started.Conversation)
		if err != nil {
			return err
		}
		if r == nil || r.order != started.order {
			return ErrNotFound
		}
		if err := t.ownClaim(claimReading, r.claimName(), o); err != nil {
			return err
		}
		if err := t.release(claimReading, r.claimName()); err != nil {
			return err
		}
		answered, refused := 0, 0
		for i := range end.Outcomes {
			counted, err := t.settleReply(r.Conversation, &end.Outcomes[i])
			if err != nil {
				return err
			}
			if counted == nil {
				continue
			}
			done = append(done, *counted)
			if counted.Outcome.Answer != nil {
				answered++
			} else {
				refused++
			}
		}
		if end.Events != nil {
			if err := t.record(end.Events(answered, refused)); err != nil {
				return err
			}
		}
		return t.endReading(started, &end)
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// endReading writes a conversation as it stands after a read.
func (t transaction) endReading(started *Reading, end *ReadEnd) error {
	r, err := t.reading(started.Conversation)
	if err != nil {
		return err
	}
	r.Ended, r.RetryAfter = t.store.moment(), max(end.RetryAfter, 0).Truncate(time.Millisecond)
	if end.Since != nil {
		r.Since = end.Since
	}
	open, err := t.participants(r)
	if err != nil {
		return err
	}
	r.Wait = 0
	for _, p := range open {
		r.Wait = max(r.Wait, p.Wait)
	}
	return t.putReading(r, end.Due(r))
}

// MostRefused is how many refused replies of a request are recorded, and MostTold of
// how many its party is told (interaction format, "Bounds").
const (
	MostRefused = 10
	MostTold    = 3
)

// settleReply records what a reply came to. It gives nil when it counts for nothing.
func (t transaction) settleReply(in Conversation, outcome *ReplyOutcome) (*ReplyDone, error) {
	r, err := t.reading(in)
	if err != nil || t.remembers(r, outcome.Reply) {
		return nil, err
	}
	request, err := t.request(outcome.RunID)
	if err != nil || request == nil || !request.isOpen() || !t.store.moment().Before(request.Expires) {
		return nil, errors.Join(err, t.passOver(r, outcome.Reply))
	}
	run, err := t.run(outcome.RunID)
	if err != nil {
		return nil, err
	}
	if run == nil {
		return nil, damage("a request has no run that waits for it")
	}
	done := &ReplyDone{Outcome: outcome}
	if outcome.Answer != nil {
		done.Fact, err = t.takeAnswer(request, run, outcome.Answer, outcome.Reply)
		return done, err
	}
	if request.Refused >= MostRefused {
		return nil, t.passOver(r, outcome.Reply) // it leaves no trace in the history
	}
	facts := of(run, []Event{*outcome.Refused})
	if err := t.record(facts); err != nil {
		return nil, err
	}
	if err := t.passOver(r, outcome.Reply); err != nil {
		return nil, err
	}
	request.Refused++
	if outcome.Telling != "" && request.Told < MostTold {
		request.Told++
		done.Tells = true
		if err := t.askToTell(request.RunID, outcome); err != nil {
			return nil, err
		}
	}
	done.Fact = &facts[0]
	return done, t.putRequest(request, request.Due)
}

// ReadingOf gives a conversation as it stands, or ErrNotFound.
func (s *Store) ReadingOf(of Conversation) (*Reading, error) {
	var found *Reading
	err := s.read(func(t transaction) (err error) {
		found, err = t.reading(of)
		return err
	})
	if err == nil && found == nil {
		err = ErrNotFound
	}
	return found, err
}

// participants gives the open requests of a conversation, oldest first.
func (t transaction) participants(r *Reading) (open []Participant, err error) {
	err = t.eachOf(bucketReadingsOpen, r.order, func(_, sealed []byte) error {
		p, err := decodeParticipant(sealed)
		open = append(open, p)
		return err
	})
	return open, err
}

// eachOf gives the keys and values of a bucket whose keys begin with an order.
func (t transaction) eachOf(bucket []byte, order uint64, visit func(key, held []byte) error) error {
	c := t.cursor(bucket)
	if c == nil {
		return nil
	}
	prefix := orderBytes(order)
	for key, held := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, held = c.Next() {
		if err := visit(key, held); err != nil {
			return err
		}
	}
	return nil
}

func (t transaction) reading(of Conversation) (*Reading, error) {
	sealed := t.get(bucketReadings, of.key())
	if sealed == nil {
		return nil, nil
	}
	return decodeReading(sealed)
}

// putReading writes a reading with its place among those that are due, which it has
// while a request in it is open.
func (t transaction) putReading(r *Reading, due time.Time) error {
	if !r.Due.IsZero() {
		if err := t.remove(bucketReadingsDue, r.dueKey()); err != nil {
			return err
		}
	}
	r.Due = time.Time{}
	if r.Open > 0 {
		r.Due = due.UTC().Truncate(time.Millisecond)
		if err := t.put(bucketReadingsDue, r.dueKey(), r.key()); err != nil {
			return err
		}
	}
	return t.put(bucketReadings, r.key(), r.encode())
}
