package run_test

// This file makes runs of functions that ask a person to sign in, and makes each of
// their steps and endings happen (interaction format, "Asking a person to sign in").

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/problem"
	requests "github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

const (
	supplier   = "sign_in: { server: notes, site: portal.supplier.example, if_signed_out: "
	signInAsk  = "---\n" + supplier + "ask }\nexpires: P1D\ndeliver: agent\n---\nYou're not signed in there.\n"
	signInFail = "---\n" + supplier + "fail }\n---\n"
	signInPost = "---\n" + supplier + "ask }\nexpires: P1D\ndeliver: { server: notes, tool: post_message, with: { user: '{{ to }}', text: '{{ message }}' } }\n---\nYou're not signed in there.\n"
	signInLong = "---\n" + supplier + "ask }\nexpires: P1D\ndeliver: agent\n---\n{{ input.text }}\n"
)

// browser is a workshop whose browser connection answers so, as structured content.
func browser(answer string) equipped {
	return equipped{results: map[string]string{"browser_sign_in": `{"content":[{"type":"text","text":"See the structured content"}],"structuredContent":` + answer + `}`}}
}

const link = "https://browser.example/sign-in/7kLm2"

var signInEndings = []struct {
	name   string
	with   equipped
	source string
	input  string // {} where it is left out

	output  string // of a run that succeeds
	waits   bool
	reason  problem.Name
	kind    string
	detail  string // a part of it
	final   bool
	sent    int
	history string // between the start and the end
	again   string // the kind of what its id gives then; empty: the run itself, or another one
}{
	{name: "signed in already", with: browser(`{"signed_in":true}`), source: signInAsk, output: `{"signed_in":true}`, final: true, sent: 1, history: answeredCall},
	{name: "signed in already, with a link", with: browser(`{"signed_in":true,"link":"` + link + `"}`), source: signInAsk, output: `{"signed_in":true}`, final: true, sent: 1, history: answeredCall},
	{name: "signed in already, and none would be asked", with: browser(`{"signed_in":true}`), source: signInFail, output: `{"signed_in":true}`, final: true, sent: 1, history: answeredCall},
	{
		name: "signed in already, said in text", with: equipped{results: map[string]string{"browser_sign_in": `{"content":[{"type":"text","text":"{\"signed_in\":true}"}]}`}},
		source: signInAsk, output: `{"signed_in":true}`, final: true, sent: 1, history: answeredCall,
	},
	{name: "signed out", with: browser(`{"signed_in":false,"link":"` + link + `"}`), source: signInAsk, waits: true, sent: 1, history: answeredCall + " interaction_requested"},
	{name: "signed out, by a link alone", with: browser(`{"link":"` + link + `"}`), source: signInAsk, waits: true, sent: 1, history: answeredCall + " interaction_requested"},
	{
		name: "signed out, and none is asked", with: browser(`{"signed_in":false}`), source: signInFail,
		reason: problem.Unanswered, kind: "signed_out", detail: "not signed in to portal.supplier.example", final: true, sent: 1, history: answeredCall, again: "tools_called",
	},
	{name: "no person", with: equipped{nobody: true}, source: signInAsk, reason: problem.Unanswered, kind: "no_person", detail: "acts for no person"},
	{
		name: "the server does not offer the tool", source: strings.Replace(signInAsk, "notes", "browser", 1),
		reason: problem.Unavailable, kind: "tool_not_offered", detail: "search",
	},
	{
		name: "the operator does not allow the tool", with: equipped{settings: "    allowed: [echo]\n"}, source: signInAsk,
		reason: problem.Unavailable, kind: "tool_not_offered", detail: "notes/browser_sign_in",
	},
	{
		name: "the tool that would send the request is not allowed", with: equipped{settings: "    allowed: [browser_sign_in]\n"}, source: signInPost,
		reason: problem.Unavailable, kind: "tool_not_offered", detail: "notes/post_message",
	},
	{name: "the server cannot be reached", with: equipped{down: true}, source: signInAsk, reason: problem.Unavailable, kind: "tool_server_failed"},
	{name: "the message cannot be rendered", source: signInLong, reason: problem.InvalidInput, detail: "cannot be rendered", final: true},
	{
		name: "the message is too long with its link", with: browser(`{"link":"` + link + `"}`), source: signInLong, input: `{"text":"` + strings.Repeat("x", 8<<10-10) + `"}`,
		reason: problem.Conflict, kind: "unworkable", detail: "longer than 8 KiB", final: true, sent: 1, history: answeredCall, again: "tools_called",
	},
	{
		name: "neither is answered", with: browser(`{"signed_in":false}`), source: signInAsk,
		reason: problem.Conflict, kind: "unworkable", detail: "neither that the person is signed in to portal.supplier.example nor where", final: true, sent: 1, history: answeredCall, again: "tools_called",
	},
	{
		name: "the link is none", with: browser(`{"signed_in":false,"link":"javascript:alert(1)"}`), source: signInAsk,
		reason: problem.Conflict, kind: "unworkable", final: true, sent: 1, history: answeredCall, again: "tools_called",
	},
	{
		name: "the link would be two lines", with: browser(`{"signed_in":false,"link":"https://browser.example/a\n b"}`), source: signInAsk,
		reason: problem.Conflict, kind: "unworkable", final: true, sent: 1, history: answeredCall, again: "tools_called",
	},
	{
		name: "signed_in is no boolean", with: browser(`{"signed_in":"yes","link":"` + link + `"}`), source: signInFail,
		reason: problem.Conflict, kind: "unworkable", final: true, sent: 1, history: answeredCall, again: "tools_called",
	},
	{
		name: "words are answered", with: equipped{results: map[string]string{"browser_sign_in": `{"content":[{"type":"text","text":"Signed in"}]}`}}, source: signInAsk,
		reason: problem.Conflict, kind: "unworkable", final: true, sent: 1, history: answeredCall, again: "tools_called",
	},
	{
		name: "the tool returns an error", with: equipped{results: map[string]string{"browser_sign_in": `{"isError":true,"content":[{"type":"text","text":"No browser"}]}`}}, source: signInAsk,
		reason: problem.Conflict, kind: "effect_unknown", detail: "No browser", final: true, sent: 1, history: answeredCall, again: "tools_called",
	},
	{
		name: "the server fails on the call", with: equipped{faults: map[string]string{"tools/call": "status:500"}}, source: signInAsk,
		reason: problem.Conflict, kind: "effect_unknown", final: true, sent: 1, history: failedCall, again: "tools_called",
	},
}

func TestSignIns(t *testing.T) {
	t.Parallel()
	for _, c := range signInEndings {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, c.with)
			if c.input == "" {
				c.input = "{}"
			}
			asked := asks("interaction", c.source, c.input)
			done := w.do(t, asked)
			switch {
			case c.waits:
				if done.Status != store.Started {
					t.Fatalf("the run is %s", value.JSON(done.Value()))
				}
			case c.output != "":
				if done.Status != store.Succeeded || value.JSON(done.Output) != c.output {
					t.Fatalf("the run is %s", value.JSON(done.Value()))
				}
			case done.Reason != string(c.reason) || done.Kind != c.kind || !strings.Contains(done.Rejection.Detail, c.detail):
				t.Fatalf("the run is %s", value.JSON(done.Value()))
			}
			if done.Final != c.final || w.everySent() != c.sent {
				t.Errorf("final is %v, and %d calls were sent", done.Final, w.everySent())
			}
			between := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(w.history(t, done.ID), "run_started"), "run_"+string(done.Status)))
			if between != c.history {
				t.Errorf("the history between is %s", between)
			}
			if c.again != "" {
				if refused := w.refuses(t, asked); refused.Kind != c.again || w.everySent() != c.sent {
					t.Errorf("its id gives %+v", refused)
				}
			}
		})
	}
}

func TestWhatABrowserConnectionIsTold(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, browser(`{"signed_in":false,"link":"`+link+`"}`))
	made := w.waits(t, asks("interaction", signInAsk, "{}"))
	if got := strings.Join(w.sent("browser_sign_in"), " "); got != `{"site":"portal.supplier.example","request":"campaigns/review-1","until":"2026-03-02T09:00:00.000Z"}` {
		t.Errorf("it is told %s", got)
	}
	if made.To != "person:ana" || made.Answerer != "person:ana" || made.Message != "You're not signed in there.\n\n"+link {
		t.Errorf("the request is %+v", made)
	}
	const want = `{"server":"notes","site":"portal.supplier.example","link":"` + link + `"}`
	if shown, _ := value.Lookup(requests.Shown(made), "/sign_in"); value.JSON(shown) != want {
		t.Errorf("it is shown as %s", value.JSON(shown))
	}
	const wantAsked = `{"delivery":null,"to":"person:ana","message_bytes":66,"takes_answer":true,"expires_at":"2026-03-02T09:00:00.000Z"}`
	if got := value.JSON(w.event(t, "review-1", "interaction_requested")); got != wantAsked {
		t.Errorf("it was asked with %s", got)
	}

	w = newWorkshop(t, browser(`{"signed_in":true}`))
	w.do(t, asks("interaction", signInFail, "{}"))
	if got := strings.Join(w.sent("browser_sign_in"), " "); got != `{"site":"portal.supplier.example","ask":false}` {
		t.Errorf("it is told %s", got)
	}
}

// TestASignInThatAToolSends wants the party and the link in what is sent.
func TestASignInThatAToolSends(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, browser(`{"link":"`+link+`"}`))
	made := w.waits(t, asks("interaction", signInPost, "{}"))
	if made.Tool != "post_message" || made.Delivery != store.ToDeliver {
		t.Errorf("the request is %+v", made)
	}
	started, err := w.house.store.Get("review-1")
	if err != nil {
		t.Fatal(err)
	}
	if again := requests.Rendered(started, made); again.Person != "person:ana" || again.Link != link || again.Moment != started.Started {
		t.Errorf("it is rendered again with %+v", again)
	}
}

func TestAnswersToASignIn(t *testing.T) {
	t.Parallel()
	ana, agent := requests.Caller{ID: "ana"}, requests.Caller{ID: "ana", Agent: true}
	for _, c := range []struct {
		name   string
		by     requests.Caller
		answer string
		status int // of the refusal; 0 for an answer that is taken
		issue  string
		ending string
	}{
		{"they signed in", ana, `{"signed_in":true}`, 0, "", `succeeded {"signed_in":true} `},
		{"they did not", ana, `{"signed_in":false}`, 0, "", "rejected null declined: The person who was asked did not sign in to portal.supplier.example"},
		{"their agent says why", agent, `{"signed_in":false,"reason":"The portal is down"}`, 0, "", "rejected null declined: The person who was asked did not sign in to portal.supplier.example: The portal is down"},
		{"a reason of 500 characters", agent, `{"signed_in":false,"reason":"` + strings.Repeat("é", 500) + `"}`, 0, "", "rejected null declined: The person who was asked did not sign in to portal.supplier.example: " + strings.Repeat("é", 500)},
		{"their agent says that they signed in", agent, `{"signed_in":true}`, 403, "", ""},
		{"somebody else", requests.Caller{ID: "ben"}, `{"signed_in":true}`, 403, "", ""},
		{"somebody else declines", requests.Caller{ID: "ben"}, `{"signed_in":false}`, 403, "", ""},
		{"nobody", requests.Caller{}, `{"signed_in":false}`, 403, "", ""},
		{"a reason of 501 characters", ana, `{"signed_in":false,"reason":"` + strings.Repeat("x", 501) + `"}`, 422, "/answer/reason", ""},
		{"a reason for signing in", ana, `{"signed_in":true,"reason":"Fine"}`, 422, "/answer/reason", ""},
		{"nothing", ana, `{}`, 422, "/answer/signed_in", ""},
		{"a text", ana, `"yes"`, 422, "/answer", ""},
		{"more", ana, `{"signed_in":true,"password":"x"}`, 422, "/answer/password", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, browser(`{"link":"`+link+`"}`))
			asked := asks("interaction", signInAsk, "{}")
			w.waits(t, asked)
			fact, err := requests.Answer(w.house.store, "review-1", requests.Given{Answer: parsed(c.answer), By: c.by}, run.Answered)
			if c.status != 0 {
				rejection, ok := err.(*problem.Rejection)
				if !ok || rejection.Status != c.status || c.issue != "" && rejection.Issues[0].Pointer != c.issue {
					t.Fatalf("it gives %+v, %v", fact, err)
				}
				if made := w.waits(t, asked); !made.Closed.IsZero() {
					t.Error("the request is closed")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // its id gives the same
				ended := w.do(t, asked)
				got := string(ended.Status) + " " + value.JSON(ended.Output) + " " + ended.Kind
				if ended.Rejection != nil {
					got += ": " + ended.Rejection.Detail
				}
				if got != c.ending || !ended.Final {
					t.Errorf("the run is %s", got)
				}
			}
			if history := w.history(t, "review-1"); !strings.HasPrefix(history, "run_started tool_call_started tool_call_answered interaction_requested request_answered run_") {
				t.Errorf("the history is %s", history)
			}
		})
	}
}
