package worker

// This file sends requests through their tools (interaction format, "Attempts").

import (
	"context"
	"errors"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// The events of a delivery.
const (
	deliveryStarted   = "delivery_started"
	deliverySucceeded = "delivery_succeeded"
	deliveryFailed    = "delivery_failed"
	deliveryRefused   = "delivery_refused"
)

// Why a delivery failed or was refused, in the words of the history beside those
// that a call fails by.
const (
	toolError      = "tool_error"
	toolNotOffered = "tool_not_offered"
	unworkable     = "unworkable"
)

// longestWords is the most bytes of a tool's own words that an event has.
const longestWords = 500

// interruption is what is said of a call that the worker itself broke off.
const interruption = "The process that made the call was stopped before the tool answered"

// send makes the next attempt of a request, if it still wants one.
func (w *Worker) send(calls context.Context, id string) error {
	asked, err := w.asked(id)
	if err != nil {
		return ours(err)
	}
	if step, _ := request.Next(asked, w.clock.Now()); step != request.Send {
		return nil
	}
	function, arguments, because, err := w.sending(asked)
	if err != nil {
		if because == "" {
			return err
		}
		return w.refuse(asked, because, err)
	}
	owner, err := w.own()
	if err != nil {
		return err
	}
	number := len(asked.Attempts) + 1
	of := &tool.Tool{Server: asked.Server, Name: asked.Tool}
	announced := store.Event{Type: deliveryStarted, Data: numbered(number, w.tools.StartedData(of, arguments))}
	err = w.patiently(func() error {
		_, err := owner.StartAttempt(id, number, w.clock.Now().Add(request.LostAfter), announced)
		return err
	})
	if err != nil {
		return ours(err)
	}
	result, failure := w.tools.Call(calls, tool.Call{Server: asked.Server, Tool: asked.Tool, Arguments: arguments, RunID: id})
	a := &attempt{Worker: w, asked: asked, function: function, number: number, of: of}
	end, fact := a.end(result, failure)
	return w.endAttempt(asked, end, fact, owner.EndAttempt)
}

// sending gives the function of a request and the arguments that send it, the same
// at each attempt. The error has a reason where the request cannot be sent at all,
// and is the store's where it has none.
func (w *Worker) sending(asked *store.Request) (function *definition.Interaction, arguments *value.Object, because string, err error) {
	of, function, err := w.function(asked)
	if isUnusable(err) {
		return nil, nil, unworkable, err
	}
	if err != nil {
		return nil, nil, "", err
	}
	made, err := patient(w, func() (*store.Run, error) { return w.store.Get(asked.RunID) })
	if err != nil {
		return nil, nil, "", err
	}
	input, err := of.Input.Apply(made.Input)
	if err != nil {
		return nil, nil, unworkable, err
	}
	rendering, err := function.Render(input, request.Rendered(made, asked))
	switch {
	case errors.As(err, new(*definition.LargeCallError)):
		return nil, nil, string(tool.TooLarge), err
	case err != nil:
		return nil, nil, unworkable, err
	case rendering.Arguments == nil:
		return nil, nil, unworkable, unusable("The function names no tool that sends its request")
	}
	return function, rendering.Arguments, "", nil
}

// refuse records that a request cannot be sent.
func (w *Worker) refuse(asked *store.Request, because string, why error) error {
	words := wordsOf(why)
	data := value.NewObject(4)
	data.Set("server", asked.Server)
	data.Set("tool", asked.Tool)
	data.Set("because", because)
	data.Set("message", words)
	end := store.AttemptEnd{GivenUp: true, Events: []store.Event{{Type: deliveryRefused, Data: data}}}
	if !asked.TakesAnswer {
		ending := run.Unanswered(request.Undelivered())
		end.Ending = &ending
	}
	err := w.patiently(func() error {
		_, err := w.store.RefuseDelivery(asked.RunID, len(asked.Attempts), end)
		return err
	})
	if err != nil {
		return ours(err)
	}
	w.tell(asked, Fact{Did: DeliveryRefused, Server: asked.Server, Tool: asked.Tool, Because: because, Words: words})
	if end.Ending != nil {
		w.tell(asked, Fact{Did: Undelivered, Because: request.KindUndelivered, Words: end.Ending.Rejection.Detail})
	}
	return nil
}

// wordsOf gives an error in words, of a rejection with its first issue.
func wordsOf(err error) string {
	var rejection *problem.Rejection
	if errors.As(err, &rejection) {
		words := rejection.Detail
		if len(rejection.Issues) > 0 {
			words += ": " + rejection.Issues[0].Detail
		}
		return words
	}
	return err.Error()
}

// attempt is one attempt that was made.
type attempt struct {
	*Worker
	asked    *store.Request // as it was before the attempt
	function *definition.Interaction
	number   int
	of       *tool.Tool
}

// end says what is recorded of the attempt, and what is told.
func (a *attempt) end(result *tool.Result, failure *tool.Failure) (store.AttemptEnd, Fact) {
	fact := Fact{Did: Delivered, Server: a.of.Server, Tool: a.of.Name, Attempt: a.number}
	if failure == nil && !result.IsError {
		return a.delivered(result), fact
	}
	var data *value.Object
	retryAfter := time.Duration(0)
	if failure == nil {
		fact.Because, fact.Words = toolError, transport.Line(result.Shown(), longestWords)
		data = a.tools.AnsweredData(a.of, result, len(result.Shown()))
	} else {
		fact.Because, fact.Words = becauseOf(failure), failure.Message
		data, retryAfter = a.tools.FailedData(a.of, failure), max(failure.RetryAfter, 0)
		if failure.Because == tool.Cancelled {
			fact.Words = interruption
		}
	}
	data.Set("because", fact.Because)
	data.Set("message", fact.Words)
	if retryAfter > 0 {
		data.Set("retry_after_ms", float64(retryAfter.Milliseconds()))
	}
	end := a.failed(fact.Because, retryAfter)
	end.Events = []store.Event{{Type: deliveryFailed, Data: numbered(a.number, data)}}
	fact.Did, fact.Next = DeliveryFailed, end.Due
	return end, fact
}

// failed says what follows a failed attempt: the next one, or none.
func (a *attempt) failed(because string, retryAfter time.Duration) store.AttemptEnd {
	end := store.AttemptEnd{Because: because, RetryAfter: retryAfter}
	failed := store.Attempt{Started: a.clock.Now(), Ended: a.clock.Now(), Because: because, RetryAfter: retryAfter}
	due, again := request.AfterAttempt(a.asked, failed)
	if again {
		end.Due = due
		return end
	}
	end.GivenUp = true
	if !a.asked.TakesAnswer {
		ending := run.Unanswered(request.Undelivered())
		end.Ending = &ending
	}
	return end
}

// delivered says what follows an attempt that reached its party.
func (a *attempt) delivered(result *tool.Result) store.AttemptEnd {
	end := store.AttemptEnd{}
	data := numbered(a.number, a.tools.AnsweredData(a.of, result, len(result.Shown())))
	end.Events = []store.Event{{Type: deliverySucceeded, Data: data}}
	if pointers := a.function.Deliver.Sent; pointers != nil {
		end.Sent = sentOf(pointers, result)
		data.Set("sent", nil)
		data.Set("conversation", nil)
	}
	if end.Sent != nil {
		data.Set("sent", end.Sent.Value())
		if end.Joins = joining(a.function.Replies, a.asked, end.Sent); end.Joins != nil {
			data.Set("conversation", end.Joins.Key)
		}
	}
	if !a.asked.TakesAnswer {
		ending := run.Notified()
		end.Ending = &ending
	}
	return end
}

// becauseOf is why a delivery or a read failed, in the word of the history.
func becauseOf(failure *tool.Failure) string {
	switch failure.Because {
	case tool.NotConfigured, tool.NotAllowed, tool.NotListed:
		return toolNotOffered
	case tool.ArgumentsRefused, tool.TimedOut, tool.TooLarge:
		return string(failure.Because)
	case tool.Cancelled:
		return request.Lost
	}
	return string(tool.ServerFailure)
}

// numbered puts an attempt's number before what is said of its call.
func numbered(number int, of *value.Object) *value.Object {
	data := value.NewObject(of.Len() + 1)
	data.Set("attempt", float64(number))
	for i := range of.Len() {
		data.Set(of.At(i))
	}
	return data
}

// endAttempt records how an attempt ended, and tells what came of it.
func (w *Worker) endAttempt(asked *store.Request, end store.AttemptEnd, fact Fact, record func(string, store.AttemptEnd) (*store.Request, error)) error {
	var ended *store.Request
	err := w.patiently(func() (err error) {
		ended, err = record(asked.RunID, end)
		return err
	})
	if errors.Is(err, store.ErrInProgress) {
		// Its process lives and is stopped, or waits for the store.
		later := w.clock.Now().Add(request.LostAfter)
		return ours(w.patiently(func() error { return w.store.PutOff(asked.RunID, len(asked.Attempts), later) }))
	}
	if err != nil {
		return ours(err)
	}
	if !ended.Closed.IsZero() || !fact.Next.Before(ended.Expires) {
		fact.Next = time.Time{} // no attempt follows
	}
	w.tell(asked, fact)
	if end.Ending == nil || !end.GivenUp {
		return nil
	}
	// A request that was answered or ended meanwhile did not end by this.
	made, err := patient(w, func() (*store.Run, error) { return w.store.Get(asked.RunID) })
	if err != nil {
		return ours(err)
	}
	if made.Rejection != nil && made.Rejection.Kind == request.KindUndelivered {
		w.tell(asked, Fact{Did: Undelivered, Because: request.KindUndelivered, Words: end.Ending.Rejection.Detail})
	}
	return nil
}

// lose records that an attempt was cut off.
func (w *Worker) lose(asked *store.Request) error {
	owner, err := w.own()
	if err != nil {
		return err
	}
	number := len(asked.Attempts)
	last := asked.Attempts[number-1]
	before := *asked
	before.Attempts = asked.Attempts[:number-1]
	a := &attempt{Worker: w, asked: &before, number: number, of: &tool.Tool{Server: asked.Server, Name: asked.Tool}}
	end := store.AttemptEnd{Because: request.Lost}
	if asked.Closed.IsZero() {
		end = a.failed(request.Lost, 0)
		if due, again := request.AfterAttempt(&before, store.Attempt{Started: last.Started, Because: request.Lost}); again {
			end.Due = due
		}
	}
	fact := Fact{Did: DeliveryFailed, Server: asked.Server, Tool: asked.Tool, Attempt: number, Because: request.Lost,
		Words: "The process that made the attempt ended before the tool answered", Next: end.Due}
	data := value.NewObject(5)
	data.Set("server", asked.Server)
	data.Set("tool", asked.Tool)
	data.Set("because", request.Lost)
	data.Set("message", fact.Words)
	end.Events = []store.Event{{Type: deliveryFailed, Data: numbered(number, data)}}
	return w.endAttempt(asked, end, fact, owner.LoseAttempt)
}
