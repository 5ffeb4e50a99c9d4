package store

// This file holds a request's way through the store, from its asking to the one
// answer or the ending that closes it.

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// MostOpenRequests is how many requests a playbook may have open, unless its
// operator sets another number (interaction format, "Bounds").
const MostOpenRequests = 10_000

// Asking is what a request is asked with.
type Asking struct {
	To           string // at most 256 bytes
	Answerer     string
	Message      string
	AnswerSchema value.Value   // nil for a notification
	Server, Tool string        // both empty for a request held for an agent
	SignIn       *value.Object // nil but for a sign-in
	Expires      time.Time
	// Due is when somebody first has to work on the request. It is due when it
	// expires in any case; the zero time is not before.
	Due      time.Time
	MostOpen int     // 0 is MostOpenRequests
	Events   []Event // recorded with it, such as interaction_requested
}

// Ask records the request of a run that is the owner's and gives up the run's
// claim, in one transaction: the run waits from then on. It gives ErrNotClaimed
// and ErrRequestsFull, after which the run is the owner's still.
func (o *Owner) Ask(id string, a Asking) (*Request, error) {
	if err := checkEvents(a.Events); err != nil {
		return nil, err
	}
	var asked *Request
	err := o.store.write(func(t transaction) error {
		run, err := t.ownRun(o, id)
		if err != nil {
			return err
		}
		most := a.MostOpen
		if most <= 0 {
			most = MostOpenRequests
		}
		if t.count(bucketRequestsOpen, most) >= most {
			return ErrRequestsFull
		}
		if before, err := t.request(id); err != nil {
			return err
		} else if before != nil {
			if err := t.forgetRequest(before); err != nil {
				return err
			}
		}
		order, err := t.next()
		if err != nil {
			return err
		}
		asked = &Request{
			RequestSummary: RequestSummary{
				RunID: id, Type: run.Type, Name: run.Name, Version: run.Version, To: a.To,
				TakesAnswer: a.AnswerSchema != nil || a.SignIn != nil,
				Asked:       t.store.moment(), Expires: a.Expires.UTC().Truncate(time.Millisecond), order: order,
			},
			Answerer: a.Answerer, Message: a.Message, AnswerSchema: a.AnswerSchema,
			Server: a.Server, Tool: a.Tool, SignIn: a.SignIn,
		}
		if err := t.putRequest(asked, a.Due); err != nil {
			return err
		}
		if err := t.release(claimRun, id); err != nil {
			return err
		}
		return t.record(of(run, a.Events))
	})
	if err != nil {
		return nil, err
	}
	return asked, nil
}

// Answering is an answer to a request. Whether it may be given is its caller's to
// check, by the request's answer schema, before.
type Answering struct {
	// Fact is the event request_answered. Its data holds the answer, as answer.
	Fact   Event
	Ending Ending // how the run ends with this answer
	// Reply is the identity of the message that answered; empty for none. It is not
	// taken again in its conversation.
	Reply string
}

// Answer records an answer to a request as its one fact, closes the request and
// ends its run, in one transaction, and gives the fact. For the answer that was
// taken before it gives that fact again, and changes nothing. It gives
// ErrNotFound, ErrTakesNoAnswer, ErrAnswered for another answer than the one that
// was taken, and ErrRequestEnded.
func (s *Store) Answer(id string, a Answering) (*Event, error) {
	answer, has := a.Fact.Data.Get("answer")
	if !has {
		return nil, errors.New("expected the fact of an answer to hold the answer")
	}
	if err := errors.Join(checkEvents([]Event{a.Fact}), checkEnding(a.Ending)); err != nil {
		return nil, err
	}
	var fact *Event
	err := s.change(id, func(t transaction, request *Request, run *Run) (err error) {
		if !request.TakesAnswer {
			return ErrTakesNoAnswer
		}
		if request.AnswerID != 0 {
			taken, err := t.event(request.AnswerID)
			if err != nil {
				return err
			}
			if taken == nil {
				return damage("the answer to a request is missing")
			}
			if before, _ := taken.Data.Get("answer"); !value.Equal(before, answer) {
				return ErrAnswered
			}
			fact = taken
			return nil
		}
		if !request.isOpen() || !t.store.moment().Before(request.Expires) {
			return ErrRequestEnded
		}
		fact, err = t.takeAnswer(request, run, &a, a.Reply)
		return err
	})
	if err != nil {
		return nil, err
	}
	return fact, nil
}

// takeAnswer records the answer to an open request, closes it and ends its run.
func (t transaction) takeAnswer(request *Request, run *Run, a *Answering, reply string) (*Event, error) {
	facts := of(run, []Event{a.Fact})
	if err := t.record(facts); err != nil {
		return nil, err
	}
	if reply != "" && request.ReadBy != "" {
		r, err := t.reading(request.conversation())
		if err != nil {
			return nil, err
		}
		if r == nil {
			return nil, damage("the conversation of a request is missing")
		}
		if err := errors.Join(t.remember(r, reply, seenTaken), t.putReading(r, r.Due)); err != nil {
			return nil, err
		}
	}
	request.AnswerID = facts[0].ID
	return &facts[0], t.closeRequest(request, run, a.Ending)
}

// EndRequest closes a request without an answer and ends its run, in one
// transaction: it expired, or was cancelled. It gives ErrNotFound, and
// ErrRequestEnded for one that was answered or ended before.
func (s *Store) EndRequest(id string, ending Ending) (*Run, error) {
	if err := checkEnding(ending); err != nil {
		return nil, err
	}
	var ended *Run
	err := s.change(id, func(t transaction, request *Request, run *Run) error {
		if !request.isOpen() {
			return ErrRequestEnded
		}
		ended = run
		return t.closeRequest(request, run, ending)
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}

// change runs do on a request and its run in one transaction. It gives
// ErrNotFound.
func (s *Store) change(id string, do func(transaction, *Request, *Run) error) error {
	if !s.exists() {
		return ErrNotFound
	}
	return s.write(func(t transaction) error {
		request, err := t.request(id)
		if err != nil {
			return err
		}
		if request == nil {
			return ErrNotFound
		}
		run, err := t.run(id)
		if err != nil {
			return err
		}
		if run == nil || request.isOpen() && run.Status != Started {
			return damage("a request has no run that waits for it")
		}
		return do(t, request, run)
	})
}

// closeRequest takes a request out of the open ones and ends its run. An attempt
// that is unfinished stays due for when it counts as cut off.
func (t transaction) closeRequest(request *Request, run *Run, ending Ending) error {
	request.Closed = t.store.moment()
	due := request.Due
	if request.unfinished() {
		due = request.Attempts[len(request.Attempts)-1].Until
	}
	if err := errors.Join(t.putRequest(request, due), t.leave(request)); err != nil {
		return err
	}
	return t.finish(run, ending)
}

// request gives a request, nil when there is none.
func (t transaction) request(id string) (*Request, error) {
	sealed := t.get(bucketRequests, []byte(id))
	if sealed == nil {
		return nil, nil
	}
	return decodeRequest(sealed)
}

// putRequest writes a request with its place among the open and the due ones. Due
// is when somebody next has to work on it, if that is before it expires.
func (t transaction) putRequest(request *Request, due time.Time) error {
	if !request.Due.IsZero() {
		if err := t.remove(bucketRequestsDue, dueKey(request)); err != nil {
			return err
		}
	}
	request.Due = due.UTC().Truncate(time.Millisecond)
	if due.IsZero() || request.isOpen() && request.Due.After(request.Expires) {
		request.Due = request.Expires
	}
	request.Delivery, request.Beginning = request.delivery(), beginningOf(request.Message)
	if err := t.put(bucketRequests, []byte(request.RunID), request.encode()); err != nil {
		return err
	}
	if request.isOpen() || request.unfinished() {
		if err := t.put(bucketRequestsDue, dueKey(request), []byte(request.RunID)); err != nil {
			return err
		}
	}
	if !request.isOpen() {
		return t.remove(bucketRequestsOpen, orderBytes(request.order))
	}
	return t.put(bucketRequestsOpen, orderBytes(request.order), request.RequestSummary.encode())
}

// forgetRequest removes a request with all that leads to it.
func (t transaction) forgetRequest(request *Request) error {
	return errors.Join(
		t.forsake(request),
		t.remove(bucketRequestsDue, dueKey(request)),
		t.remove(bucketRequestsOpen, orderBytes(request.order)),
		t.remove(bucketRequests, []byte(request.RunID)),
		t.release(claimDelivery, request.RunID),
	)
}

func dueKey(request *Request) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, millis(request.Due)), request.order)
}

// count counts what a bucket holds, up to a number.
func (t transaction) count(bucket []byte, most int) (count int) {
	if c := t.cursor(bucket); c != nil {
		for key, _ := c.First(); key != nil && count < most; key, _ = c.Next() {
			count++
		}
	}
	return count
}
