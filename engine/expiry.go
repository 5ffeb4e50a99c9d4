package engine

// This file ends requests whose time is over where nobody works on them: whoever
// looks at one sees it as it is.

import (
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
)

// expire ends those of these requests that expired, and tells whether there were
// any. A store that cannot be written shows them as open, which is how they are
// recorded.
func (r *Runtime) expire(requests ...*AskedRequest) bool {
	ended := false
	for _, asked := range requests {
		if asked == nil || !asked.Closed.IsZero() || !request.IsExpired(asked, r.store.Now()) {
			continue
		}
		if _, err := r.store.EndRequest(asked.RunID, run.Unanswered(request.Expired(asked))); err == nil {
			ended = true
		}
	}
	return ended
}

// expireRuns is expire for the requests of runs.
func (r *Runtime) expireRuns(ids ...string) bool {
	requests, err := r.store.RequestsOf(ids)
	return err == nil && r.expire(requests...)
}

// expireListed is expire for what a list shows.
func (r *Runtime) expireListed(page []RequestSummary) bool {
	now := r.store.Now()
	var over []string
	for i := range page {
		if !now.Before(page[i].Expires) {
			over = append(over, page[i].RunID)
		}
	}
	return len(over) > 0 && r.expireRuns(over...)
}
