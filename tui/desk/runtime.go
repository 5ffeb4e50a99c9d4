package desk

// This file asks engine.Runtime.

import (
	"errors"
	"io/fs"
	"os"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
)

// messagesPage is how many whole requests are read in one transaction of the store,
// which holds others up for as long.
const messagesPage = 250

// Runtime is the desk of a playbook's runtime.
type Runtime struct{ Engine *engine.Runtime }

var _ Desk = (*Runtime)(nil)

// Stamp looks at the store's file, which every transaction that writes changes.
func (r *Runtime) Stamp() (Stamp, error) {
	about, err := os.Stat(r.Engine.StoreFile())
	if errors.Is(err, fs.ErrNotExist) {
		return Stamp{}, nil
	}
	if err != nil {
		return Stamp{}, err
	}
	return Stamp{Changed: about.ModTime(), Size: about.Size()}, nil
}

// waits are the sections of the list.
var waits = map[engine.Waiting]Waits{engine.OnMe: OnMe, engine.OnAnyone: OnAnyone, engine.OnAnother: OnOthers}

// List gives all open requests, newest first.
func (r *Runtime) List() ([]Row, error) {
	found, err := r.Engine.AllRequests()
	if errors.Is(err, engine.ErrNoStore) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(found))
	for i := range found {
		rows[i] = Row{RequestSummary: found[i], Waits: waits[r.Engine.WaitsOnMe(found[i].To)]}
	}
	return rows, nil
}

// Messages gives a page of the messages of the open requests.
func (r *Runtime) Messages(cursor string) ([]Message, string, error) {
	found, next, err := r.Engine.OpenRequests(engine.RequestFilter{Limit: messagesPage, Cursor: cursor})
	if errors.Is(err, engine.ErrNoStore) {
		return nil, "", nil
	}
	messages := make([]Message, len(found))
	for i, one := range found {
		messages[i] = Message{RunID: one.RunID, Text: one.Message}
	}
	return messages, next, err
}

// Request gives a request whole.
func (r *Runtime) Request(runID string) (*engine.AskedRequest, error) {
	return r.Engine.RequestOf(runID)
}

// Answer gives an answer as the one person of a local runtime.
func (r *Runtime) Answer(runID string, answer value.Value) (*Ending, error) {
	fact, err := r.Engine.Answer(runID, engine.Given{Answer: answer, By: engine.LocalDeveloper()})
	if err != nil {
		return nil, err
	}
	ending := answered(fact)
	ending.Mine = true
	return ending, nil
}

// Cancel cancels the run that asked.
func (r *Runtime) Cancel(runID string) (*Ending, error) {
	run, err := r.Engine.CancelRun(runID)
	if err != nil {
		return nil, err
	}
	ending := endedRun(run)
	ending.Mine = true
	return ending, nil
}

// Ending says how a request ended, nil for one that is still open.
func (r *Runtime) Ending(runID string) (*Ending, error) {
	asked, err := r.Engine.RequestOf(runID)
	if errors.Is(err, engine.ErrNoRun) {
		return &Ending{RunID: runID, How: Gone}, nil
	}
	if err != nil {
		return nil, err
	}
	if asked.Closed.IsZero() {
		return nil, nil
	}
	if asked.AnswerID != 0 {
		facts, _, err := r.Engine.Events(engine.EventFilter{RunID: runID, After: asked.AnswerID - 1, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(facts) == 1 {
			return answered(&facts[0]), nil
		}
	}
	run, err := r.Engine.RunByID(runID)
	if err != nil {
		return nil, err
	}
	ending := endedRun(run)
	if ending.At.IsZero() {
		ending.At = asked.Closed
	}
	return ending, nil
}

// answered is the ending that the fact of an answer tells.
func answered(fact *engine.Event) *Ending {
	told := engine.AnswerFact(fact)
	ending := &Ending{RunID: fact.RunID, Function: fact.Subject, How: Answered, At: fact.Time, AnswerID: fact.ID}
	ending.Answer, _ = told.Get("answer")
	ending.ClaimedFor = text(told, "claimed_for")
	by, _ := told.Get("answered_by")
	if who, ok := by.(*value.Object); ok {
		if ending.By = text(who, "name"); ending.By == "" {
			ending.By = text(who, "id")
		}
	}
	ending.Reply = text(fact.Data, "reply") != ""
	return ending
}

func text(o *value.Object, key string) string {
	v, _ := o.Get(key)
	written, _ := v.(string)
	return written
}

// endings are the ways a run ends, by the name or the kind of its rejection.
var endings = map[string]How{
	"expired": Expired, "undelivered": Undelivered, "cancelled": Cancelled,
}

// endedRun is the ending that a run's own tells.
func endedRun(run *engine.Run) *Ending {
	ending := &Ending{RunID: run.ID, Function: run.Type + "/" + run.Name, How: Ended, At: run.Ended}
	if run.Status == engine.RunSucceeded {
		ending.How = Delivered
	}
	for _, reason := range [...]string{run.Reason, run.Kind} {
		if how, ok := endings[reason]; ok {
			ending.How = how
		}
	}
	if run.Rejection != nil {
		ending.Detail = run.Rejection.Detail
	}
	return ending
}
