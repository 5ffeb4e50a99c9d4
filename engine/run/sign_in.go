package run

// This file does a run of a function that asks the person it acts for to sign in to
// a site (interaction format, "Asking a person to sign in").

import (
	"context"
	"net/url"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// linkBytes is the most bytes of the link where a person signs in.
const linkBytes = 2048

// signingIn is a run of a sign-in, while it is done.
type signingIn struct {
	asking
	function *definition.Interaction
	input    *value.Object
	request  definition.Request
}

// signIn does a run of a sign-in from its checked input on. It is true for a run
// that waits for its person.
func (r *Runner) signIn(ctx context.Context, function *definition.Interaction, run *store.Run, input *value.Object) (store.Ending, bool) {
	if r.person == "" {
		return rejected(request.NoPerson(function.SignIn.Site)), false
	}
	s := &signingIn{asking: asking{Runner: r, run: run}, function: function, input: input}
	s.use = s.answered
	s.request = definition.Request{Name: run.Name, RunID: run.ID, Moment: run.Started, Person: request.PersonPrefix + r.person}
	// What cannot be asked is told before the browser is.
	if _, err := function.Render(input, s.request); err != nil {
		return rejected(err), false
	}
	if err := r.mayUse(requestTools(function)); err != nil {
		return rejected(err), false
	}
	bounded, cancel := r.clock.Within(ctx, callBound)
	defer cancel()
	return s.asks(ctx, bounded, definition.Tool{Server: function.SignIn.Server, Name: definition.SignInTool}, s.arguments())
}

// arguments are what the browser connection is told: the site, and the request that
// waits for the person, by its address and its end, or that none will.
func (s *signingIn) arguments() *value.Object {
	arguments := value.NewObject(3)
	arguments.Set("site", s.function.SignIn.Site)
	if s.waits() {
		arguments.Set("request", s.playbook+"/"+s.run.ID)
		arguments.Set("until", s.run.Started.Add(s.function.Expires).UTC().Format("2006-01-02T15:04:05.000Z"))
	} else {
		arguments.Set("ask", false)
	}
	return arguments
}

// waits tells whether the run waits for a person who is not signed in.
func (s *signingIn) waits() bool { return s.function.SignIn.IfSignedOut == "ask" }

// answered ends the run whose person is signed in, or must be and is not, and else
// makes the request.
func (s *signingIn) answered(got *tool.Result, event store.Event) (store.Ending, bool) {
	is, link, understood := readSignIn(got)
	site := s.function.SignIn.Site
	switch {
	case is:
		return succeeded(signedIn(), nil), false
	case understood && !s.waits():
		ending := rejected(request.SignedOut(site))
		ending.Final = true // its tool was called
		return ending, false
	case !understood || link == "":
		return afterCalls(s.called, rejected(unworkable("The answer of "+s.tool.String()+" says neither that the person is signed in to "+site+" nor where they sign in"))), false
	}
	s.request.Link = link
	rendering, err := s.function.Render(s.input, s.request)
	if err != nil {
		return afterCalls(s.called, rejected(err)), false
	}
	asking := request.SigningIn(request.Asking(s.function, rendering, s.run.Started), s.function.SignIn, link)
	asking.Events = append([]store.Event{event}, asking.Events...)
	if err := s.waitFor(s.run, asking); err != nil {
		return afterCalls(s.called, rejected(err)), false
	}
	return store.Ending{}, true
}

// readSignIn reads what the browser connection answers: signed_in, and where the
// person is not, the link where they sign in. An answer that gives a link alone
// says by it that they are not. It is not understood when it holds neither.
func readSignIn(got *tool.Result) (is bool, link string, understood bool) {
	answer, _ := got.Answer()
	said, _ := value.Lookup(answer, "/signed_in")
	where, _ := value.Lookup(answer, "/link")
	is, decided := said.(bool)
	link, _ = where.(string)
	if !isLink(link) {
		link = ""
	}
	return is, link, decided || said == nil && link != ""
}

// isLink tells whether a text is the address of a web page that a message can hold
// on a line.
func isLink(text string) bool {
	if len(text) > linkBytes || strings.ContainsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }) {
		return false
	}
	parsed, err := url.Parse(text)
	return err == nil && (parsed.Scheme == "https" || parsed.Scheme == "http") && parsed.Host != ""
}

// signedIn is the output of every sign-in that succeeds.
func signedIn() *value.Object {
	output := value.NewObject(1)
	output.Set("signed_in", true)
	return output
}
