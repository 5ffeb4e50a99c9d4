package request

// This file takes answers: what an answer may be, the one fact it is recorded as,
// and what a caller is told whose answer is not taken (interaction format,
// "Answering a request").

import (
	"errors"
	"fmt"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// The bounds of an answer (interaction format, "Bounds").
const (
	MaxAnswer       = 64 << 10 // bytes as JSON
	MaxAnswerLevels = 512      // of objects and lists
	MaxClaimedFor   = 256      // bytes
)

// Caller is who gives an answer.
type Caller struct {
	ID   string
	Name string
	// Agent says that the answer comes through an agent's token, and not from a
	// session of the caller's own.
	Agent bool
}

// Given is an answer as it is given.
type Given struct {
	Answer value.Value
	// ClaimedFor is whom the caller says it answers for, which is kept and never
	// checked; empty for nobody.
	ClaimedFor string
	By         Caller
	// Reply is the identity of the message that answered; empty for none.
	Reply string
}

// Answer gives an answer to the open request of a run, and gives the fact that the
// run took: this one, or the same answer given before. Ending says how the run ends
// with it.
//
// An answer that is not taken is a *problem.Rejection: not_found, conflict for a
// request that ended, took another answer or takes none, forbidden for a sign-in's
// answer that is not the caller's to give, and invalid_input, with a pointer under
// /answer for each problem, which leaves the request open. Any other error is the
// store's.
func Answer(s *store.Store, runID string, given Given, ending func(asked *store.Request, answer value.Value) store.Ending) (*store.Event, error) {
	asked, err := s.Request(runID)
	if err != nil {
		return nil, notTaken(runID, err)
	}
	if !asked.TakesAnswer {
		return nil, notTaken(runID, store.ErrTakesNoAnswer)
	}
	if err := mayAnswer(asked, given); err != nil {
		return nil, err
	}
	if err := CheckAnswer(asked, given); err != nil {
		return nil, err
	}
	fact, err := s.Answer(runID, Answering(given, ending(asked, given.Answer)))
	if err != nil {
		return nil, notTaken(runID, err)
	}
	return fact, nil
}

// Answering is what an answer that may be given is recorded with.
func Answering(given Given, ending store.Ending) store.Answering {
	return store.Answering{Fact: factOf(given), Ending: ending, Reply: given.Reply}
}

// CheckAnswer tells whether an answer may be given to an open request: its bounds,
// and whether it matches the answer schema that was recorded when the request was
// asked. What is given to one that has ended is not looked at. The error is a
// *problem.Rejection, invalid_input, but for a schema that cannot be read.
func CheckAnswer(asked *store.Request, given Given) error {
	if !asked.Closed.IsZero() {
		return nil // whether it is the answer that was taken is the store's to say
	}
	detail, issues, err := checkValue(asked, given.Answer)
	if err != nil {
		return err
	}
	if len(given.ClaimedFor) > MaxClaimedFor {
		issues = append(issues, problem.Issue{Pointer: "/claimed_for", Detail: fmt.Sprintf("Expected at most %d bytes", MaxClaimedFor)})
		if detail == "" {
			detail = "The claim is too long"
		}
	}
	if len(issues) == 0 {
		return nil
	}
	return invalid(detail, issues...)
}

// noMatch is the detail of an answer that its schema refuses.
const noMatch = "The answer does not match the answer schema"

// checkValue gives what is wrong with an answer to an open request, and nothing where
// it may be given. The error is a schema that cannot be read.
func checkValue(asked *store.Request, answer value.Value) (detail string, issues []problem.Issue, err error) {
	whole := func(detail, issue string) (string, []problem.Issue, error) {
		return detail, []problem.Issue{{Pointer: "/answer", Detail: issue}}, nil
	}
	switch {
	case value.Depth(answer, MaxAnswerLevels) > MaxAnswerLevels:
		return whole("The answer nests too deeply", fmt.Sprintf("Expected at most %d levels", MaxAnswerLevels))
	case value.JSONSize(answer, MaxAnswer) > MaxAnswer:
		return whole("The answer is too large", fmt.Sprintf("Expected at most %d KiB as JSON", MaxAnswer>>10))
	}
	recorded, problems := schema.FromValue(asked.AnswerSchema)
	if recorded == nil {
		return "", nil, fmt.Errorf("reading the answer schema of the request of run %s: %v", asked.RunID, problems)
	}
	found, err := recorded.Validate(answer)
	if err != nil {
		return whole("The answer takes too much work to check", err.Error())
	}
	for _, issue := range found {
		issues = append(issues, problem.Issue{Pointer: "/answer" + issue.Pointer, Detail: issue.Message})
	}
	if len(issues) == 0 && explainsSigningIn(asked, answer) {
		issues = append(issues, problem.Issue{Pointer: "/answer/reason", Detail: "Expected no reason beside signed_in true"})
	}
	if len(issues) == 0 {
		return "", nil, nil
	}
	return noMatch, problem.Limited(issues), nil
}

func invalid(detail string, issues ...problem.Issue) error {
	return problem.NewRejection(problem.InvalidInput, detail, issues...)
}

// notTaken gives the rejection of an answer that the store did not take.
func notTaken(runID string, err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.NewRejection(problem.NotFound, "The run "+runID+" has no request; list_interactions shows those that are open")
	case errors.Is(err, store.ErrTakesNoAnswer):
		return problem.NewRejection(problem.Conflict, "The request of the run "+runID+" is a notification, which takes no answer")
	case errors.Is(err, store.ErrAnswered):
		return problem.NewRejection(problem.Conflict, "The request of the run "+runID+" took another answer: a run takes one")
	case errors.Is(err, store.ErrRequestEnded):
		return problem.NewRejection(problem.Conflict, "The request of the run "+runID+" has ended; running the function again, under a new run id, asks again")
	}
	return err
}

// AnsweredEvent is the type of the event that an answer is recorded as.
const AnsweredEvent = "request_answered"

// factOf gives the event that an answer is recorded as.
func factOf(given Given) store.Event {
	data := value.NewObject(4)
	data.Set("answer", given.Answer)
	data.Set("claimed_for", textOrNull(given.ClaimedFor))
	by := value.NewObject(2)
	by.Set("id", given.By.ID)
	by.Set("name", given.By.Name)
	data.Set("answered_by", by)
	if given.Reply != "" {
		data.Set("reply", given.Reply)
	}
	return store.Event{Type: AnsweredEvent, Data: data}
}

// Fact is the fact of an answer as answer_interaction returns it.
func Fact(fact *store.Event) *value.Object {
	o := value.NewObject(6)
	o.Set("run_id", fact.RunID)
	o.Set("answer_id", float64(fact.ID))
	for _, key := range [...]string{"answer", "claimed_for", "answered_by"} {
		v, _ := fact.Data.Get(key)
		o.Set(key, v)
	}
	o.Set("answered_at", moment(fact.Time))
	return o
}

func textOrNull(text string) value.Value {
	if text == "" {
		return nil
	}
	return text
}
