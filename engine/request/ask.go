package request

// This file makes the request of a run: what the store records when it is asked,
// and the rejections of requests that are not answered.

import (
	"fmt"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// AskedEvent is the type of the event that a request is recorded with.
const AskedEvent = "interaction_requested"

// Asking gives what the request of a function is asked with, from what the function
// rendered at its run's moment. One held for an agent waits for its answer alone;
// one that a tool sends is due at once. Its answer schema is that of the function as
// it stands now, whatever becomes of the function. A sign-in's goes on to SigningIn.
// It is not for functions that call a system.
func Asking(function *definition.Interaction, rendering *definition.Rendering, asked time.Time) store.Asking {
	asking := store.Asking{
		To: textOf(rendering.Party), Answerer: textOf(rendering.Answerer), Message: textOf(rendering.Message),
		Expires: asked.Add(function.Expires),
	}
	if function.Answer != nil {
		asking.AnswerSchema = function.Answer.Value()
	}
	if tool := rendering.Tool; tool != nil {
		asking.Server, asking.Tool, asking.Due = tool.Server, tool.Name, asked
	}
	data := value.NewObject(5)
	data.Set("delivery", deliveryOf(asking.Server, asking.Tool))
	data.Set("to", asking.To)
	data.Set("message_bytes", float64(len(asking.Message)))
	data.Set("takes_answer", function.Answer != nil)
	data.Set("expires_at", moment(asking.Expires))
	asking.Events = []store.Event{{Type: AskedEvent, Data: data}}
	return asking
}

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// The kinds of the rejections of requests.
const (
	KindRequestsFull = "requests_full"
	KindExpired      = "expired"
	KindUndelivered  = "undelivered"
)

// Full is the rejection of a run whose playbook has as many open requests as may
// be: most of them, 0 for the usual bound.
func Full(most int) *problem.Rejection {
	if most <= 0 {
		most = store.MostOpenRequests
	}
	rejection := problem.NewRejection(problem.Unavailable, fmt.Sprintf("The playbook has as many open requests as it may: %s; answer or cancel some, or wait until some expire", value.Grouped(int64(most))))
	rejection.Kind = KindRequestsFull
	return rejection
}

// Expired is the rejection of a run whose request nobody answered in time.
func Expired(asked *store.Request) *problem.Rejection {
	return unanswered(KindExpired, "Nobody answered the request before it expired at "+moment(asked.Expires))
}

// Undelivered is the rejection of a notification whose every attempt failed.
func Undelivered() *problem.Rejection {
	return unanswered(KindUndelivered, "Every attempt to deliver the notification failed")
}

// IsExpired tells whether an open request's time is over.
func IsExpired(asked *store.Request, now time.Time) bool { return !now.Before(asked.Expires) }

// moment prints a time as the formats do: UTC, in milliseconds.
func moment(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
