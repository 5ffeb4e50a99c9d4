package run_test

// This file makes runs of functions that ask a person or an agent, and makes each of
// their endings happen (interaction format, "How a run ends").

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/problem"
	requests "github.com/beonauto/auto/engine/request"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

const verdict = "output: { schema: { type: object, required: [verdict], properties: { verdict: { type: string, enum: [approve, revise] } } } }\n"

// held is a document whose request an agent holds, with these lines of front matter
// and this message.
func held(front, message string) string {
	if !strings.Contains(front, "to:") {
		front += "to: '{{ input.owner }}'\n"
	}
	return "---\nexpires: PT4H\ndeliver: agent\n" + verdict + front + "---\n" + message + "\n"
}

// posted is a document whose request a tool sends, with more arguments and fields.
func posted(with, front string) string {
	return "---\nto: '{{ input.owner }}'\nexpires: PT4H\ndeliver:\n  server: notes\n  tool: post_message\n  with:\n    text: '{{ message }}'\n" + with +
		"  sent: { conversation: /channel, id: /ts }\n" + front + "---\nIs it ready?\n"
}

// replies reads the replies with a tool, and tells through another.
func replies(read, tell string) string {
	return verdict + "replies:\n  tool: " + read + "\n  with: {}\n  read: { list: /messages, order: oldest_first, each: { id: /ts, sender: /user, text: /text } }\n  tell:\n    tool: " + tell + "\n    with: { text: '{{ message }}' }\n"
}

const priya = `{"owner":"priya@acme.example"}`

// Every ending of a run before its request is made. Each may be made again under its
// id, but for an invalid input.
var askEndings = []struct {
	name    string
	with    equipped
	source  string
	input   string // priya's where it is left out
	problem problem.Name
	kind    string
	because string
	detail  string // a part of it
	issue   string // the first one's pointer
}{
	{
		name: "the input does not match its schema", source: held("input: { schema: { type: object, required: [brief] } }\n", "Fine?"),
		problem: problem.InvalidInput, issue: "/input/brief",
	},
	{
		name: "the message names a value the input lacks", source: held("", "Is {{ input.brief }} fine?"),
		problem: problem.InvalidInput, detail: "The message cannot be rendered with this input", issue: "/input/brief",
	},
	{
		name: "a filter refuses a value", source: held("", "Is {{ input.owner | money }} fine?"),
		problem: problem.InvalidInput, detail: "The message cannot be rendered with this input", issue: "/input",
	},
	{
		name: "to names a value the input lacks", source: held("", "Fine?"), input: `{}`,
		problem: problem.InvalidInput, detail: "The message cannot be rendered with this input", issue: "/input/owner",
	},
	{
		name: "to renders empty", source: held("", "Fine?"), input: `{"owner":"  "}`,
		problem: problem.Conflict, kind: "unworkable", detail: "to rendered empty",
	},
	{
		name: "to renders what is no text", source: held("", "Fine?"), input: `{"owner":["priya"]}`,
		problem: problem.Conflict, kind: "unworkable", detail: "to rendered as something that is not text",
	},
	{
		name: "to renders a control character", source: held("", "Fine?"), input: `{"owner":"pri\u0007ya"}`,
		problem: problem.Conflict, kind: "unworkable", detail: "to rendered with a control character",
	},
	{
		name: "to renders more than 256 bytes", source: held("", "Fine?"), input: `{"owner":"` + strings.Repeat("é", 129) + `"}`,
		problem: problem.Conflict, kind: "unworkable", detail: "to rendered longer than 256 bytes",
	},
	{
		name: "from renders empty", source: held("from: '{{ input.chat }}'\n", "Fine?"), input: `{"owner":"priya@acme.example","chat":""}`,
		problem: problem.Conflict, kind: "unworkable", detail: "from rendered empty",
	},
	{
		name: "the message is longer than 8 KiB", source: held("", "{{ input.brief }}"), input: `{"owner":"priya","brief":"` + strings.Repeat("x", 8<<10+1) + `"}`,
		problem: problem.Conflict, kind: "unworkable", detail: "The message is longer than 8 KiB",
	},
	{
		name: "the arguments pass 16 KiB", source: posted("    more: '{{ input.brief }}'\n", verdict), input: `{"owner":"priya","brief":"` + strings.Repeat("x", 16<<10) + `"}`,
		problem: problem.Conflict, kind: "unworkable", detail: "The arguments of deliver pass 16 KiB",
	},
	{
		name: "an argument renders a structure among text", source: posted("    more: 'All of {{ input.list }}'\n", verdict), input: `{"owner":"priya","list":[{"a":1}]}`,
		problem: problem.Conflict, kind: "unworkable",
	},
	{
		name: "the server is not configured", source: strings.Replace(posted("", verdict), "server: notes", "server: chat", 1),
		problem: problem.Unavailable, kind: "tool_not_offered", because: "tool_server_not_configured", detail: "search",
	},
	{
		name: "the sending tool is not allowed", with: equipped{settings: "    allowed: [echo]\n"}, source: posted("", verdict),
		problem: problem.Unavailable, kind: "tool_not_offered", because: "tool_not_allowed", detail: "notes/post_message",
	},
	{
		name: "the reading tool is not allowed", with: equipped{settings: "    allowed: [post_message, fails]\n"}, source: posted("", replies("echo", "fails")),
		problem: problem.Unavailable, kind: "tool_not_offered", because: "tool_not_allowed", detail: "notes/echo",
	},
	{
		name: "the telling tool is not allowed", with: equipped{settings: "    allowed: [post_message, echo]\n"}, source: posted("", replies("echo", "fails")),
		problem: problem.Unavailable, kind: "tool_not_offered", because: "tool_not_allowed", detail: "notes/fails",
	},
}

func TestRunsThatMakeNoRequest(t *testing.T) {
	t.Parallel()
	for _, c := range askEndings {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, c.with)
			if c.input == "" {
				c.input = priya
			}
			asked := asks("interaction", c.source, c.input)
			for attempt := range 2 {
				ended := w.do(t, asked)
				got := ended.Rejection
				if got == nil || got.Type != problem.TypeBase+string(c.problem) || got.Kind != c.kind || got.Because != c.because || !strings.Contains(got.Detail, c.detail) {
					t.Fatalf("the run is %s", value.JSON(ended.Value()))
				}
				if c.issue != "" && (len(got.Issues) == 0 || got.Issues[0].Pointer != c.issue) {
					t.Errorf("the issues are %+v", got.Issues)
				}
				isFinal := c.problem == problem.InvalidInput
				if ended.Final != isFinal || !isFinal && ended.Attempt != attempt+1 {
					t.Errorf("after %d runs the run is final %v, attempt %d", attempt+1, ended.Final, ended.Attempt)
				}
			}
			if history := w.history(t, "review-1"); strings.Contains(history, requests.AskedEvent) || len(w.notes.Asked()) != 0 {
				t.Errorf("something was asked: %s", history)
			}
			if open, err := w.house.store.CountOpenRequests(); open != 0 || err != nil {
				t.Errorf("%d requests are open, %v", open, err)
			}
		})
	}
}

// waits starts a run that waits, and gives its request.
func (w *workshop) waits(t *testing.T, asked run.Request) *store.Request {
	t.Helper()
	if waiting := w.do(t, asked); waiting.Status != store.Started {
		t.Fatalf("the run is %s", value.JSON(waiting.Value()))
	}
	made, err := w.house.store.Request(asked.ID)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestARequestIsMade(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{})
	made := w.waits(t, asks("interaction", held("from: U123\n", "Is it ready, {{ input.owner }}?"), priya))
	if got := fmt.Sprint(made.To, made.Answerer, made.Message, made.Delivery, made.Expires.Sub(made.Asked), made.TakesAnswer); got != "priya@acme.exampleU123Is it ready, priya@acme.example?held_for_an_agent4h0m0s true" {
		t.Errorf("the request is %s", got)
	}
	if history := w.history(t, "review-1"); history != "run_started interaction_requested" {
		t.Errorf("the history is %s", history)
	}
	const want = `{"delivery":null,"to":"priya@acme.example","message_bytes":32,"takes_answer":true,"expires_at":"2026-03-01T13:00:00.000Z"}`
	if got := value.JSON(w.event(t, "review-1", "interaction_requested")); got != want {
		t.Errorf("it was asked with\n%s\nwant\n%s", got, want)
	}
	// Nobody is at work on it, so it was not cut off.
	w.owner.Close()
	if settled, err := w.Settle(); settled != 0 || err != nil {
		t.Errorf("%d waiting runs were settled, %v", settled, err)
	}
}

func TestARequestThatAToolSends(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{})
	made := w.waits(t, asks("interaction", posted("", replies("echo", "post_message")), priya))
	if made.Server != "notes" || made.Tool != "post_message" || made.Delivery != store.ToDeliver || !made.Due.Equal(w.time.Now()) {
		t.Errorf("the request is %+v", made)
	}
	const want = `{"delivery":{"server":"notes","tool":"post_message"},"to":"priya@acme.example","message_bytes":12,"takes_answer":true,"expires_at":"2026-03-01T13:00:00.000Z"}`
	if got := value.JSON(w.event(t, "review-1", "interaction_requested")); got != want {
		t.Errorf("it was asked with\n%s\nwant\n%s", got, want)
	}
	// A request does not ask its server.
	if asked := w.notes.Asked(); len(asked) != 0 {
		t.Errorf("the server was asked %+v", asked)
	}
}

func TestANotificationIsARequest(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{})
	made := w.waits(t, asks("interaction", posted("", ""), priya))
	if made.TakesAnswer || made.AnswerSchema != nil {
		t.Errorf("the notification is %+v", made)
	}
	_, err := requests.Answer(w.house.store, "review-1", requests.Given{Answer: parsed(`{"verdict":"approve"}`)}, run.Answered)
	if rejection, ok := err.(*problem.Rejection); !ok || rejection.Status != 409 {
		t.Errorf("answering it gives %v", err)
	}
	// Its delivery ends it.
	ended, err := w.house.store.EndRequest("review-1", run.Notified())
	if err != nil || ended.Status != store.Succeeded || value.JSON(ended.Output) != "{}" || !ended.Final {
		t.Errorf("the run is %+v, %v", ended, err)
	}
}

// TestTheIDOfARunThatWaits wants the waiting run for its id, whatever became of the
// document, and another run's id refused.
func TestTheIDOfARunThatWaits(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{})
	asked := asks("interaction", held("", "Is it ready?"), priya)
	made := w.waits(t, asked)
	w.time.Advance(time.Minute)
	again := asked
	again.Source = []byte("---\nbroken: true\n---\n")
	if w.waits(t, again).Asked != made.Asked {
		t.Error("another request was made")
	}
	other := asked
	other.Input = parsed(`{"owner":"ana@acme.example"}`)
	if refused := w.refuses(t, other); refused.Status != 409 {
		t.Errorf("another input gives %+v", refused)
	}
	if history := w.history(t, "review-1"); history != "run_started interaction_requested" {
		t.Errorf("the history is %s", history)
	}
}

// Every ending of a request, which stands for its run's id.
func TestARequestThatHasEndedIsFinal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		ending func(asked *store.Request) store.Ending
		status store.Status
		reason problem.Name
		kind   string
		detail string
	}{
		{"expired", func(asked *store.Request) store.Ending { return run.Unanswered(requests.Expired(asked)) }, store.Rejected, problem.Unanswered, "expired", "Nobody answered the request before it expired at 2026-03-01T13:00:00.000Z"},
		{"undelivered", func(*store.Request) store.Ending { return run.Unanswered(requests.Undelivered()) }, store.Rejected, problem.Unanswered, "undelivered", "Every attempt to deliver the notification failed"},
		{"cancelled", func(*store.Request) store.Ending { return run.Cancelled() }, store.Rejected, problem.Cancelled, "", "The run was cancelled while its request waited"},
		{"answered", func(asked *store.Request) store.Ending { return run.Answered(asked, parsed(`{"verdict":"approve"}`)) }, store.Succeeded, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, equipped{})
			asked := asks("interaction", held("", "Is it ready?"), priya)
			made := w.waits(t, asked)
			if _, err := w.house.store.EndRequest("review-1", c.ending(made)); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				ended := w.do(t, asked)
				if ended.Status != c.status || ended.Reason != string(c.reason) || ended.Kind != c.kind || !ended.Final || ended.Attempt != 1 {
					t.Fatalf("the run is %s", value.JSON(ended.Value()))
				}
				if ended.Rejection != nil && ended.Rejection.Detail != c.detail {
					t.Errorf("the detail is %s", ended.Rejection.Detail)
				}
			}
			if history := w.history(t, "review-1"); history != "run_started interaction_requested run_"+string(c.status) {
				t.Errorf("the history is %s", history)
			}
			if c.status == store.Succeeded {
				return
			}
			_, err := requests.Answer(w.house.store, "review-1", requests.Given{Answer: parsed(`{"verdict":"approve"}`)}, run.Answered)
			if rejection, ok := err.(*problem.Rejection); !ok || rejection.Status != 409 || !strings.Contains(rejection.Detail, "has ended") {
				t.Errorf("answering it gives %v", err)
			}
		})
	}
}

func TestRequestsFull(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{open: 1})
	first := asks("interaction", held("", "Is it ready?"), priya)
	w.waits(t, first)
	second := first
	second.ID = "review-2"
	ended := w.do(t, second)
	if ended.Reason != "unavailable" || ended.Kind != "requests_full" || ended.Final || !strings.Contains(ended.Rejection.Detail, "as many open requests as it may: 1;") {
		t.Fatalf("the run is %s", value.JSON(ended.Value()))
	}
	if _, err := w.house.store.EndRequest("review-1", run.Cancelled()); err != nil {
		t.Fatal(err)
	}
	if made := w.waits(t, second); made.RunID != "review-2" {
		t.Errorf("the request is %+v", made)
	}
}

// TestARunWhoseRequestCannotBeRecorded wants it failed, and its id free.
func TestARunWhoseRequestCannotBeRecorded(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{})
	owner, owned := w.owner, 0
	broken := run.New(run.Options{Store: w.house.store, Owner: func() (*store.Owner, error) {
		if owned++; owned > 1 {
			return nil, fmt.Errorf("the disk is full")
		}
		return owner, nil
	}})
	ended, err := broken.Do(t.Context(), asks("interaction", held("", "Is it ready?"), priya))
	if err != nil || ended.Status != store.Failed || ended.Final || !strings.Contains(ended.Rejection.Detail, "The run broke down") {
		t.Fatalf("the run is %+v, %v", ended, err)
	}
	if made := w.waits(t, asks("interaction", held("", "Is it ready?"), priya)); made.Delivery != store.HeldForAnAgent {
		t.Errorf("the request is %+v", made)
	}
}
