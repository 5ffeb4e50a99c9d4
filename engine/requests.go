package engine

// This file lists the open requests of a playbook's runs and answers them.

import (
	"slices"

	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// The types of requests that a caller of this package meets.
type (
	// AskedRequest is a request that a run made of its party, as it stands.
	AskedRequest = store.Request
	// RequestSummary is what a list shows of an open request.
	RequestSummary = store.RequestSummary
	// RequestFilter says which open requests a page holds, newest first.
	RequestFilter = store.RequestFilter
	// Delivery is how the delivery of an open request stands.
	Delivery = store.Delivery
	// Given is an answer as it is given.
	Given = request.Given
	// Caller is who gives an answer.
	Caller = request.Caller
)

// OpenRequests gives a page of the open requests, whole, newest first, and the
// cursor of the page after it, empty at the end.
func (r *Runtime) OpenRequests(filter RequestFilter) ([]*AskedRequest, string, error) {
	page, cursor, err := r.store.OpenRequests(filter)
	if err == nil && r.expire(page...) {
		return r.OpenRequests(filter)
	}
	return page, cursor, err
}

// ListRequests gives a page as OpenRequests does, by what a list shows: a large
// page takes little time.
func (r *Runtime) ListRequests(filter RequestFilter) ([]RequestSummary, string, error) {
	page, cursor, err := r.store.ListRequests(filter)
	if err == nil && r.expireListed(page) {
		return r.ListRequests(filter)
	}
	return page, cursor, err
}

// AllRequests gives all open requests as ListRequests does, as they stand at one
// moment. Of those whose time is over it ends some, and gives none.
func (r *Runtime) AllRequests() ([]RequestSummary, error) {
	all, err := r.store.AllRequests()
	if err != nil {
		return nil, err
	}
	now := r.store.Now()
	var over []RequestSummary
	open := slices.DeleteFunc(all, func(s RequestSummary) bool {
		isOver := !now.Before(s.Expires)
		if isOver && len(over) < mostEnded {
			over = append(over, s)
		}
		return isOver
	})
	r.expireListed(over)
	return open, nil
}

// mostEnded is how many requests whose time is over one look at all of them ends:
// each takes a write.
const mostEnded = 50

// RequestOf gives the request of a run, open or not, or ErrNoRun.
func (r *Runtime) RequestOf(runID string) (*AskedRequest, error) {
	asked, err := r.store.Request(runID)
	if err == nil && r.expire(asked) {
		return r.store.Request(runID)
	}
	return asked, err
}

// CountOpenRequests counts the open requests.
func (r *Runtime) CountOpenRequests() (int, error) { return r.store.CountOpenRequests() }

// Answer gives an answer to the open request of a run, which ends with it, and
// gives the fact that the run took. The error is a *problem.Rejection for an answer
// that is not taken, or the store's.
func (r *Runtime) Answer(runID string, given Given) (*Event, error) {
	r.expireRuns(runID) // a request whose time is over takes no answer
	return request.Answer(r.store, runID, given, run.Answered)
}

// AnswerFact is the fact of an answer as answer_interaction returns it.
func AnswerFact(fact *Event) *value.Object { return request.Fact(fact) }

// ShownRequest is an open request as list_interactions shows it.
func ShownRequest(asked *AskedRequest) *value.Object { return request.Shown(asked) }
