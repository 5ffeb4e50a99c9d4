package run

// This file is how a run ends that made a request (interaction format, "How a run
// ends"). A request that has ended is final for its run id, however it ended.

import (
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// Answered ends a run whose request took an answer: the answer is the output. The
// person of a sign-in may answer that they did not sign in.
func Answered(asked *store.Request, answer value.Value) store.Ending {
	if asked.SignIn == nil {
		return succeeded(answer, nil)
	}
	if said, _ := value.Lookup(answer, "/signed_in"); said == true {
		return succeeded(signedIn(), nil)
	}
	return Unanswered(request.Declined(asked, answer))
}

// Notified ends a run whose notification was delivered.
func Notified() store.Ending { return succeeded(value.NewObject(0), nil) }

// Unanswered ends a run whose request ended without an answer, such as with
// request.Expired or request.Undelivered.
func Unanswered(rejection *problem.Rejection) store.Ending {
	ending := rejected(rejection)
	ending.Final = true
	return ending
}

// Cancelled ends a run that was cancelled while its request was open.
func Cancelled() store.Ending {
	return Unanswered(problem.NewRejection(problem.Cancelled, "The run was cancelled while its request waited"))
}
