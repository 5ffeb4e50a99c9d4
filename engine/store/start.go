package store

// This file holds a run's way through the store: started under its claim, its
// events, its ending.

import (
	"errors"
	"fmt"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// Beginning is what a run starts with.
type Beginning struct {
	ID     string // 1 to 128 letters, digits, - _ . :
	Type   string // the definition's type and name
	Name   string
	Source []byte      // the definition's document, kept as a version
	Input  value.Value // as supplied; at most MaxInput bytes as JSON; nil is {}
	Events []Event     // recorded with the start, such as run_started
}

// Outcome says what a start met under its run id.
type Outcome string

// The outcomes of a start. Only after Claimed may the run be done, and only
// after CutOff must it be ended at once.
const (
	// Claimed: the run is recorded as started and is the owner's to do. It is new,
	// or ran before under this id and input and did not end for good.
	Claimed Outcome = "claimed"
	// Recorded: a run with this id and input has ended for good.
	Recorded Outcome = "recorded"
	// OtherInput: the id belongs to a run of another definition or input.
	OtherInput Outcome = "other_input"
	// InProgress: a living process is at work on the run.
	InProgress Outcome = "in_progress"
	// Waiting: the run is started and nobody works on it: it waits for its party.
	Waiting Outcome = "waiting"
	// CutOff: the process that did the run is gone. The run is now the owner's, to
	// end it by what its events say; then it may be started again.
	CutOff Outcome = "cut_off"
)

// Start claims a run id for the owner, and records the run as started with its
// definition's version, in one transaction. It gives the run as it stands then:
// after any outcome but Claimed, the run that was there.
//
// It gives ErrRunID and ErrInputTooLarge.
func (o *Owner) Start(b Beginning) (Outcome, *Run, error) {
	if !validID(b.ID) {
		return "", nil, ErrRunID
	}
	if b.Input == nil {
		b.Input = value.NewObject(0)
	}
	if len(value.AppendJSON(nil, b.Input)) > MaxInput {
		return "", nil, ErrInputTooLarge
	}
	if err := errors.Join(checkDocument(b.Type, b.Name, b.Source), checkEvents(b.Events)); err != nil {
		return "", nil, err
	}
	var outcome Outcome
	var run *Run
	err := o.store.write(func(t transaction) (err error) {
		run, err = t.run(b.ID)
		if err != nil {
			return err
		}
		if run != nil {
			outcome, err = t.meet(o, run, &b)
			if err != nil || outcome != Claimed {
				return err
			}
		}
		outcome = Claimed
		run, err = t.begin(o, run, &b)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	return outcome, run, nil
}

// meet says what a start under an id that has a run comes to.
func (t transaction) meet(o *Owner, run *Run, b *Beginning) (Outcome, error) {
	same := run.Type == b.Type && run.Name == b.Name && value.Equal(run.Input, b.Input)
	if run.Status != Started {
		switch {
		case !same:
			return OtherInput, nil
		case run.Final:
			return Recorded, nil
		}
		return Claimed, nil
	}
	if !same {
		return OtherInput, nil
	}
	claimed, err := t.claimOf(claimRun, run.ID)
	if err != nil {
		return "", err
	}
	if claimed == nil {
		return Waiting, nil
	}
	gone, err := t.cutOff(claimed)
	if err != nil || !gone {
		return InProgress, err
	}
	return CutOff, t.claimFor(claimRun, run.ID, o)
}

// begin records a run as started; before is what the id's last attempt left.
func (t transaction) begin(o *Owner, before *Run, b *Beginning) (*Run, error) {
	version, err := t.save(b.Type, b.Name, b.Source)
	if err != nil {
		return nil, err
	}
	attempt := 1
	if before != nil {
		attempt = before.Attempt + 1
		if err := t.remove(bucketRunsByOrder, orderBytes(before.order)); err != nil {
			return nil, err
		}
	}
	order, err := t.next()
	if err != nil {
		return nil, err
	}
	run := &Run{
		Summary: Summary{
			ID: b.ID, Type: b.Type, Name: b.Name, Version: version.Number,
			Status: Started, Started: t.store.moment(), Attempt: attempt, order: order,
		},
		Input: b.Input,
	}
	if err := t.claimFor(claimRun, run.ID, o); err != nil {
		return nil, err
	}
	if err := t.putRun(run); err != nil {
		return nil, err
	}
	return run, t.record(of(run, b.Events))
}

// TakeOver claims a run that was cut off, so that its new owner ends it by what
// its events say. It gives nil when there is nothing to take: the run is in
// progress, waits, or has ended.
func (o *Owner) TakeOver(id string) (*Run, error) {
	if !o.store.exists() {
		return nil, ErrNotFound
	}
	var taken *Run
	err := o.store.write(func(t transaction) error {
		run, err := t.run(id)
		if err != nil {
			return err
		}
		if run == nil {
			return ErrNotFound
		}
		claimed, err := t.claimOf(claimRun, id)
		if err != nil || claimed == nil {
			return err
		}
		if gone, err := t.cutOff(claimed); err != nil || !gone {
			return err
		}
		taken = run
		return t.claimFor(claimRun, id, o)
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// Append records events of a run that is the owner's, in one transaction, and
// gives them as recorded. They are durable when it returns, so what they
// announce may be done then. It gives ErrNotClaimed.
func (o *Owner) Append(id string, events ...Event) ([]Event, error) {
	if err := checkEvents(events); err != nil {
		return nil, err
	}
	var recorded []Event
	err := o.store.write(func(t transaction) error {
		run, err := t.ownRun(o, id)
		if err != nil {
			return err
		}
		recorded = of(run, events)
		return t.record(recorded)
	})
	if err != nil {
		return nil, err
	}
	return recorded, nil
}

// Ending is how a run ends.
type Ending struct {
	Status    Status             // Succeeded, Rejected or Failed
	Output    value.Value        // of a succeeded run
	Record    *value.Object      // nil where there is none
	Rejection *problem.Rejection // of a rejected or failed run
	Final     bool               // the ending stands for the run's id
	Events    []Event            // recorded with the ending, such as run_succeeded
}

// End records a run's ending and gives up its claim, in one transaction. The
// bound on output and record is its caller's to keep. It gives ErrNotClaimed.
func (o *Owner) End(id string, ending Ending) (*Run, error) {
	if err := checkEnding(ending); err != nil {
		return nil, err
	}
	var ended *Run
	err := o.store.write(func(t transaction) error {
		run, err := t.ownRun(o, id)
		if err != nil {
			return err
		}
		ended = run
		return t.finish(run, ending)
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}

// checkEnding refuses what is no ending.
func checkEnding(ending Ending) error {
	if statusBytes[ending.Status] == 0 || ending.Status == Started {
		return fmt.Errorf("expected a run to end as succeeded, rejected or failed, not %q", ending.Status)
	}
	return checkEvents(ending.Events)
}

// finish records how a run ends, and that nobody works on it any more.
func (t transaction) finish(run *Run, ending Ending) error {
	run.Status, run.Ended, run.Final = ending.Status, t.store.moment(), ending.Final
	run.Output, run.Record, run.Rejection = ending.Output, ending.Record, ending.Rejection
	run.nameReason()
	if err := t.putRun(run); err != nil {
		return err
	}
	if err := t.release(claimRun, run.ID); err != nil {
		return err
	}
	return t.record(of(run, ending.Events))
}

// run gives a run, nil when there is none.
func (t transaction) run(id string) (*Run, error) {
	sealed := t.get(bucketRuns, []byte(id))
	if sealed == nil {
		return nil, nil
	}
	return decodeRun(sealed)
}

// ownRun gives a started run that is the owner's to write.
func (t transaction) ownRun(o *Owner, id string) (*Run, error) {
	run, err := t.run(id)
	if err != nil {
		return nil, err
	}
	claimed, err := t.claimOf(claimRun, id)
	if err != nil {
		return nil, err
	}
	if run == nil || claimed == nil || claimed.owner != o.name {
		return nil, fmt.Errorf("%w: %s", ErrNotClaimed, id)
	}
	return run, nil
}

func (t transaction) putRun(run *Run) error {
	if err := t.put(bucketRuns, []byte(run.ID), run.encode()); err != nil {
		return err
	}
	return t.add(bucketRunsByOrder, orderBytes(run.order), run.Summary.encode())
}
