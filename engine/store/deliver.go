package store

// This file holds the attempts to deliver a request: claimed and recorded before
// they are made, and how they ended.

import (
	"slices"
	"time"
)

// StartAttempt records the attempt with a number, from 1, of delivering a request,
// and claims it for the owner, in one transaction. It is durable when it returns,
// so it may be made then. Until says when it counts as cut off, if its process is
// gone.
//
// It gives ErrNotFound, ErrRequestEnded, and ErrAttempted when the attempt with
// this number was started before, or is not the next one.
func (o *Owner) StartAttempt(id string, number int, until time.Time, events ...Event) (*Request, error) {
	if err := checkEvents(events); err != nil {
		return nil, err
	}
	var started *Request
	err := o.store.change(id, func(t transaction, request *Request, run *Run) error {
		switch {
		case !request.isOpen():
			return ErrRequestEnded
		case request.unfinished() || request.GivenUp || request.Delivery == Delivered || number != len(request.Attempts)+1:
			return ErrAttempted
		}
		if err := t.claimFor(claimDelivery, id, o); err != nil {
			return err
		}
		request.Attempts = append(request.Attempts, Attempt{Started: t.store.moment(), Until: until.UTC().Truncate(time.Millisecond)})
		started = request
		if err := t.putRequest(request, until); err != nil {
			return err
		}
		return t.record(of(run, events))
	})
	if err != nil {
		return nil, err
	}
	return started, nil
}

// AttemptEnd is how an attempt ended, and what follows.
type AttemptEnd struct {
	Because    string        // why it failed; empty when the request is delivered
	RetryAfter time.Duration // how long the server asked to be left alone; 0 when it did not
	GivenUp    bool          // no attempt follows
	Sent       *Sent         // what the request was delivered as
	// Joins is the conversation that its replies are read in; nil when none are. A
	// request that has ended meanwhile joins none.
	Joins *Joining
	// Due is when somebody next has to work on the request; the zero time is when
	// it expires.
	Due time.Time
	// Ending ends the run with the attempt, as that of a notification does; nil
	// leaves the request open.
	Ending *Ending
	Events []Event // recorded with it, such as delivery_succeeded
}

// EndAttempt records how an attempt of the owner's ended, in one transaction. For
// a request that was answered or ended meanwhile it records the attempt's end and
// nothing more. It gives ErrNotFound and ErrNotClaimed.
func (o *Owner) EndAttempt(id string, end AttemptEnd) (*Request, error) {
	return o.endAttempt(id, end, func(t transaction, claimed *claim) error {
		if claimed == nil || claimed.owner != o.name {
			return ErrNotClaimed
		}
		return nil
	})
}

// LoseAttempt records that an attempt was cut off, as EndAttempt records an end.
// It gives ErrNotFound, ErrInProgress while the process that makes the attempt
// lives, and ErrAttempted when the last attempt has ended.
func (o *Owner) LoseAttempt(id string, end AttemptEnd) (*Request, error) {
	return o.endAttempt(id, end, func(t transaction, claimed *claim) error {
		if claimed == nil {
			return ErrAttempted
		}
		gone, err := t.cutOff(claimed)
		if err == nil && !gone {
			err = ErrInProgress
		}
		return err
	})
}

func (o *Owner) endAttempt(id string, end AttemptEnd, may func(transaction, *claim) error) (*Request, error) {
	if err := checkAttemptEnd(&end); err != nil {
		return nil, err
	}
	var ended *Request
	err := o.store.change(id, func(t transaction, request *Request, run *Run) error {
		claimed, err := t.claimOf(claimDelivery, id)
		if err != nil {
			return err
		}
		if err := may(t, claimed); err != nil {
			return err
		}
		if !request.unfinished() {
			return damage("a delivery is claimed that has ended")
		}
		if err := t.release(claimDelivery, id); err != nil {
			return err
		}
		request.Attempts = slices.Clone(request.Attempts)
		last := &request.Attempts[len(request.Attempts)-1]
		last.Ended, last.Because, last.RetryAfter = t.store.moment(), end.Because, max(end.RetryAfter, 0).Truncate(time.Millisecond)
		request.Sent, request.GivenUp = end.Sent, end.GivenUp
		ended = request
		if err := t.record(of(run, end.Events)); err != nil {
			return err
		}
		if request.isOpen() && end.Ending == nil && end.Joins != nil {
			if err := t.join(request, end.Joins); err != nil {
				return err
			}
		}
		if request.isOpen() && end.Ending != nil {
			return t.closeRequest(request, run, *end.Ending)
		}
		return t.putRequest(request, end.Due)
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}

// checkAttemptEnd refuses what cannot be recorded.
func checkAttemptEnd(end *AttemptEnd) error {
	if err := checkEvents(end.Events); err != nil || end.Ending == nil {
		return err
	}
	return checkEnding(*end.Ending)
}
