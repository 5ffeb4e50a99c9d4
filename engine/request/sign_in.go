package request

// This file is the requests that ask a person to sign in to a site: what they are
// asked with, who may answer what, and the rejections of runs whose person did not
// (interaction format, "Asking a person to sign in").

import (
	"fmt"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// The kinds of the rejections of sign-ins.
const (
	KindDeclined  = "declined"
	KindSignedOut = "signed_out"
	KindNoPerson  = "no_person"
)

// SigningIn gives what the request of a sign-in is asked with: its usual Asking,
// the site, and the link that its message ends with.
func SigningIn(asking store.Asking, site *definition.SignIn, link string) store.Asking {
	asking.SignIn = value.NewObject(3)
	asking.SignIn.Set("server", site.Server)
	asking.SignIn.Set("site", site.Site)
	asking.SignIn.Set("link", link)
	asking.AnswerSchema = site.AnswerSchema()
	asking.Events[0].Data.Set("takes_answer", true)
	return asking
}

// mayAnswer tells whether a caller may give this answer to a request. Only a
// sign-in asks who answers: the person it asks, alone, and that they signed in only
// in a session of their own.
func mayAnswer(asked *store.Request, given Given) error {
	if asked.SignIn == nil {
		return nil
	}
	if asked.To != PersonPrefix+given.By.ID {
		return problem.NewRejection(problem.Forbidden, "The run "+asked.RunID+" asks another person to sign in, who answers it alone")
	}
	if said, _ := value.Lookup(given.Answer, "/signed_in"); said == true && given.By.Agent {
		return problem.NewRejection(problem.Forbidden, "An agent does not say that the person signed in: they do, in a session of their own; an agent may answer that they will not, with signed_in false and a reason")
	}
	return nil
}

// explainsSigningIn tells an answer that gives a reason for having signed in, which
// the schema of a sign-in's answer cannot refuse.
func explainsSigningIn(asked *store.Request, answer value.Value) bool {
	if asked.SignIn == nil {
		return false
	}
	_, explained := value.Lookup(answer, "/reason")
	said, _ := value.Lookup(answer, "/signed_in")
	return said == true && explained
}

// Declined is the rejection of a run whose person answered that they did not sign
// in.
func Declined(asked *store.Request, answer value.Value) *problem.Rejection {
	site, _ := value.Lookup(asked.SignIn, "/site")
	detail := fmt.Sprintf("The person who was asked did not sign in to %s", site)
	if reason, _ := value.Lookup(answer, "/reason"); reason != nil {
		if text, isText := reason.(string); isText && strings.TrimSpace(text) != "" {
			detail += ": " + strings.TrimSpace(text)
		}
	}
	return unanswered(KindDeclined, detail)
}

// SignedOut is the rejection of a run that does not wait for its person to sign in.
func SignedOut(site string) *problem.Rejection {
	return unanswered(KindSignedOut, "The person the run acts for is not signed in to "+site)
}

// NoPerson is the rejection of a run that acts for nobody who could sign in.
func NoPerson(site string) *problem.Rejection {
	return unanswered(KindNoPerson, "The run acts for no person of the organization who could sign in to "+site)
}

func unanswered(kind, detail string) *problem.Rejection {
	rejection := problem.NewRejection(problem.Unanswered, detail)
	rejection.Kind = kind
	return rejection
}

// Rendered is what the templates of a run's request are rendered with, then and at
// each attempt to deliver it.
func Rendered(run *store.Run, asked *store.Request) definition.Request {
	request := definition.Request{Name: run.Name, RunID: run.ID, Moment: run.Started}
	if asked.SignIn != nil {
		request.Person = asked.To
		link, _ := value.Lookup(asked.SignIn, "/link")
		request.Link, _ = link.(string)
	}
	return request
}
