package worker

// This file reads conversations, and finds what their messages come to (interaction
// format, "Answering by reply").

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// The events of reads and replies.
const (
	repliesRead   = "replies_read"
	readingFailed = "reading_failed"
	replyRefused  = "reply_refused"
)

// lostAfter is how long after its start a read or a telling counts as cut off, if
// its process is gone: as long as an attempt.
const lostAfter = request.LostAfter

// noList is why a read failed whose answer held no list of messages.
const noList = "no_list"

// read makes the next read of a conversation, if it is still due.
func (w *Worker) read(calls context.Context, of *store.Reading) error {
	owner, err := w.own()
	if err != nil {
		return err
	}
	var open []store.Participant
	var started *store.Reading
	err = w.patiently(func() (err error) {
		started, open, err = owner.StartReading(of.Conversation, w.clock.Now().Add(lostAfter))
		return err
	})
	if errors.Is(err, store.ErrInProgress) {
		return ours(w.patiently(func() error { return w.store.PutOffReading(of, w.clock.Now().Add(lostAfter)) }))
	}
	if err != nil {
		return ours(err)
	}
	r := &reading{Worker: w, of: started, open: open, tool: &tool.Tool{Server: of.Server, Name: of.Tool}}
	end, err := r.make(calls)
	if err != nil {
		return err
	}
	end.Due = nextRead
	var done []store.ReplyDone
	err = w.patiently(func() (err error) {
		done, err = owner.EndReading(started, end)
		return err
	})
	if err != nil {
		return ours(err)
	}
	r.tellAll(done)
	return nil
}

// reading is one read of a conversation.
type reading struct {
	*Worker
	of        *store.Reading
	open      []store.Participant
	oldest    *store.Request
	tool      *tool.Tool
	arguments *value.Object

	failed *Fact                     // why it failed; nil when it did not
	known  map[string]*store.Request // by the runs of those that a message was matched with
}

// make reads, and says what is recorded of it. The error is the store's.
func (r *reading) make(calls context.Context) (store.ReadEnd, error) {
	oldest, err := r.asked(r.open[0].RunID)
	if errors.Is(err, store.ErrNotFound) || err == nil && oldest.Sent == nil {
		return store.ReadEnd{}, nil // it ended just now
	}
	if err != nil {
		return store.ReadEnd{}, err
	}
	r.oldest = oldest
	_, function, err := r.function(oldest)
	switch {
	case isUnusable(err):
		return r.fails(nil, unworkable, err.Error(), 0), nil
	case err != nil:
		return store.ReadEnd{}, err
	}
	variables := aboutSent(oldest.To, oldest.Sent)
	variables["conversation"], variables["since"] = r.of.Key, r.of.Since
	r.arguments, err = bounded(function.Replies.With, variables)
	switch {
	case err == error(largeArguments):
		return r.fails(nil, string(tool.TooLarge), err.Error(), 0), nil
	case err != nil:
		return r.fails(nil, unworkable, err.Error(), 0), nil
	}
	result, failure := r.tools.Call(calls, tool.Call{Server: r.of.Server, Tool: r.of.Tool, Arguments: r.arguments})
	return r.end(function, result, failure)
}

// end says what is recorded of a read that was made.
func (r *reading) end(function *definition.Interaction, result *tool.Result, failure *tool.Failure) (store.ReadEnd, error) {
	switch {
	case failure != nil && failure.Because == tool.Cancelled:
		return store.ReadEnd{}, nil
	case failure != nil:
		return r.fails(r.tools.FailedData(r.tool, failure), becauseOf(failure), failure.Message, max(failure.RetryAfter, 0)), nil
	case result.IsError:
		return r.fails(nil, toolError, transport.Line(result.Shown(), longestWords), 0), nil
	}
	answer, _ := result.Answer()
	messages, since, err := request.Messages(&function.Replies.Read, answer)
	switch {
	case errors.Is(err, request.ErrReadTooLarge):
		return r.fails(nil, string(tool.TooLarge), "The answer is larger than the 64 KiB of a read", 0), nil
	case err != nil:
		return r.fails(nil, noList, "The answer holds no list at "+function.Replies.Read.List, 0), nil
	}
	outcomes, err := r.outcomes(messages)
	if err != nil {
		return store.ReadEnd{}, err
	}
	return store.ReadEnd{Since: since, Outcomes: outcomes, Events: func(answered, refused int) []store.Event {
		if answered+refused == 0 {
			return nil
		}
		// The messages of others are kept nowhere, so neither is the answer.
		data := r.about(value.NewObject(8))
		data.Set("arguments_bytes", float64(tool.ArgumentBytes(r.arguments)))
		data.Set("result_bytes", float64(len(value.JSON(result.Whole))))
		data.Set("replies", float64(answered+refused))
		data.Set("answered", float64(answered))
		data.Set("refused", float64(refused))
		return []store.Event{{Type: repliesRead, Data: data}}
	}}, nil
}

// fails says what is recorded of a read that failed; data is what is said of its
// call already.
func (r *reading) fails(data *value.Object, because, words string, retryAfter time.Duration) store.ReadEnd {
	if data == nil {
		data = value.NewObject(6)
	}
	r.about(data)
	data.Set("because", because)
	data.Set("message", words)
	if retryAfter > 0 {
		data.Set("retry_after_ms", float64(retryAfter.Milliseconds()))
	}
	r.failed = &Fact{Did: ReadingFailed, Server: r.of.Server, Tool: r.of.Tool, Because: because, Words: words}
	return store.ReadEnd{RetryAfter: retryAfter, Events: func(int, int) []store.Event {
		return []store.Event{{Type: readingFailed, Data: data}}
	}}
}

// about says which conversation was read.
func (r *reading) about(data *value.Object) *value.Object {
	data.Set("server", r.of.Server)
	data.Set("tool", r.of.Tool)
	data.Set("conversation", r.of.Key)
	return data
}

// outcomes gives what the messages come to, oldest first.
func (r *reading) outcomes(messages []request.Message) ([]store.ReplyOutcome, error) {
	places := make(placing, len(messages))
	ids := make([]string, len(messages))
	for i := range messages {
		ids[i] = messages[i].ID
		places[ids[i]] = i
	}
	seen, err := patient(r.Worker, func() (map[string]bool, error) { return r.store.Seen(r.of.Conversation, ids) })
	if err != nil {
		return nil, err
	}
	open := make([]request.Asked, len(r.open))
	for i, p := range r.open {
		open[i] = request.Asked{RunID: p.RunID, SentID: p.SentID, Answerer: p.Answerer, After: p.After}
	}
	r.known = map[string]*store.Request{}
	var outcomes []store.ReplyOutcome
	isSeen := func(id string) bool { return seen[id] }
	for i := range messages {
		m := &messages[i]
		answers, several := request.Match(m, places.standing(open, m), isSeen)
		if answers == nil {
			continue
		}
		outcome, err := r.outcome(m, answers.RunID, several)
		if err != nil {
			return nil, err
		}
		if outcome == nil {
			continue
		}
		seen[m.ID] = true
		outcomes = append(outcomes, *outcome)
		if outcome.Answer != nil {
			open = slices.DeleteFunc(slices.Clone(open), func(a request.Asked) bool { return a.RunID == answers.RunID })
		}
	}
	return outcomes, nil
}

// placing is where messages stand in a list, oldest first, by their ids.
type placing map[string]int

// standing gives the requests that stood open when a message was written, as far as
// the list tells. A message that names the one it answers came after that, wherever
// it stands.
func (places placing) standing(open []request.Asked, m *request.Message) []request.Asked {
	isLater := func(a request.Asked) bool { return places.isLater(&a, m) }
	if m.To != "" || !slices.ContainsFunc(open, isLater) {
		return open
	}
	return slices.DeleteFunc(slices.Clone(open), isLater)
}

// isLater tells whether a request is known to have come after a message: where its own
// message is listed, that stands after it; otherwise the newest message that was
// listed before the request joined does, or is the message itself.
func (places placing) isLater(a *request.Asked, m *request.Message) bool {
	place := places[m.ID]
	if own, listed := places[a.SentID]; listed {
		return own > place
	}
	before, listed := places[a.After]
	return listed && before >= place
}

// outcome reads the answer to a request from a message. It is nil for a request that
// cannot be worked on.
func (r *reading) outcome(m *request.Message, runID string, several bool) (*store.ReplyOutcome, error) {
	asked, err := r.request(runID)
	if err != nil || asked == nil {
		return nil, err
	}
	_, function, err := r.function(asked)
	if isUnusable(err) || err == nil && (function.Replies == nil || function.Reply == nil) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	refusal := request.RefuseAmbiguous()
	if !several {
		var answer *value.Object
		answer, refusal, err = request.ReadReply(function.Reply, function.Answer, m.Text)
		switch {
		case err != nil: // too much work to check
			refusal = &request.Refusal{Because: request.ReplyNoMatch, Telling: request.HowToAnswer(function.Reply)}
		case refusal == nil:
			given := request.Given{Answer: answer, By: request.Caller{ID: "playbook:" + r.playbook, Name: r.playbook}, Reply: m.ID}
			answering := request.Answering(given, run.Answered(asked, answer))
			return &store.ReplyOutcome{RunID: runID, Reply: m.ID, Answer: &answering}, nil
		}
	}
	data := value.NewObject(2)
	data.Set("reply", m.ID)
	data.Set("because", string(refusal.Because))
	outcome := &store.ReplyOutcome{RunID: runID, Reply: m.ID, Refused: &store.Event{Type: replyRefused, Data: data}}
	if _, _, err := telling(function, asked, refusal.Telling); err == nil {
		outcome.Telling = refusal.Telling
	}
	return outcome, nil
}

// request gives the request of a run, nil when it is gone.
func (r *reading) request(runID string) (*store.Request, error) {
	if known, ok := r.known[runID]; ok {
		return known, nil
	}
	asked, err := r.asked(runID)
	if errors.Is(err, store.ErrNotFound) {
		asked, err = nil, nil
	}
	if err == nil {
		r.known[runID] = asked
	}
	return asked, err
}

// tellAll hands out what was done.
func (r *reading) tellAll(done []store.ReplyDone) {
	if r.failed != nil {
		r.tell(r.oldest, *r.failed)
	}
	for _, d := range done {
		fact := Fact{Did: Answered, Server: r.of.Server, Tool: r.of.Tool, Reply: d.Outcome.Reply}
		if d.Outcome.Refused != nil {
			because, _ := d.Outcome.Refused.Data.Get("because")
			fact.Did = ReplyRefused
			fact.Because, _ = because.(string)
		}
		r.tell(r.known[d.Outcome.RunID], fact)
	}
}
