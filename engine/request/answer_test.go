package request

// This file tests requests held for an agent, from their asking to their answer,
// with a store and a clock of their own.

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// desk is a store whose clock only the test moves.
type desk struct {
	*store.Store
	owner *store.Owner
	at    time.Time
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{at: asked}
	d.Store = store.At(filepath.Join(t.TempDir(), ".auto", "runs.db"), store.Options{Now: func() time.Time { return d.at }})
	owner, err := d.Own("auto run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { owner.Close() })
	d.owner = owner
	return d
}

// ask starts a run of a function and asks its request.
func (d *desk) ask(t testing.TB, id string, function *definition.Interaction) *store.Request {
	t.Helper()
	input := value.NewObject(1)
	input.Set("owner", "priya@acme.example")
	_, run, err := d.owner.Start(store.Beginning{ID: id, Type: "interaction", Name: "approve", Source: []byte("---"), Input: input})
	if err != nil {
		t.Fatal(err)
	}
	rendering, err := function.Render(input, definition.Request{Moment: run.Started, RunID: id, Name: "approve"})
	if err != nil {
		t.Fatal(err)
	}
	request, err := d.owner.Ask(id, Asking(function, rendering, run.Started))
	if err != nil {
		t.Fatal(err)
	}
	return request
}

func ends(_ *store.Request, answer value.Value) store.Ending {
	return store.Ending{Status: store.Succeeded, Output: answer, Final: true, Events: []store.Event{{Type: "run_succeeded"}}}
}

func parsed(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON([]byte(text), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestARequestHeldForAnAgent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask(t, "r-1", asks(t, "", verdict, "verdict"))
	page, _, err := d.OpenRequests(store.RequestFilter{To: "priya@acme.example"})
	if err != nil || len(page) != 1 {
		t.Fatal(page, err)
	}
	const want = `{"run_id":"r-1","type":"interaction","name":"approve","definition_version":1,"to":"priya@acme.example",` +
		`"delivery":null,"message":"The review of your campaign brief is ready.","takes_answer":true,` +
		`"asked_at":"2026-10-01T09:30:00.000Z","expires_at":"2026-10-03T09:30:00.000Z","attempts":0,"delivery_state":"held_for_an_agent",` +
		`"answer_schema":{"type":"object","required":["verdict"],"properties":{"verdict":{"type":"string","enum":["approve","revise"]},"note":{"type":"string","maxLength":40}}},` +
		`"replies":null,"sign_in":null}`
	if got := value.JSON(Shown(page[0])); got != want {
		t.Errorf("it is shown as\n%s\nwant\n%s", got, want)
	}
	d.at = after(60)
	given := Given{Answer: parsed(t, `{"verdict":"approve"}`), ClaimedFor: "the campaign team", By: Caller{ID: "user_1", Name: "Priya"}}
	fact, err := Answer(d.Store, "r-1", given, ends)
	if err != nil {
		t.Fatal(err)
	}
	const wantFact = `{"run_id":"r-1","answer_id":3,"answer":{"verdict":"approve"},"claimed_for":"the campaign team",` +
		`"answered_by":{"id":"user_1","name":"Priya"},"answered_at":"2026-10-01T09:31:00.000Z"}`
	told := value.JSON(Fact(fact))
	if strings.Replace(told, `"answer_id":`+value.JSON(float64(fact.ID)), `"answer_id":3`, 1) != wantFact || fact.ID == 0 {
		t.Errorf("its fact is\n%s\nwant\n%s", told, wantFact)
	}
	if kept, err := d.Event(fact.ID); err != nil || kept.Type != AnsweredEvent {
		t.Errorf("get_event reads %+v, %v", kept, err)
	}
	d.at = after(120)
	given.ClaimedFor, given.By = "", Caller{ID: "user_2"}
	if again, err := Answer(d.Store, "r-1", given, ends); err != nil || value.JSON(Fact(again)) != told {
		t.Errorf("the same answer again gives %v, %v", again, err)
	}
	given.Answer = parsed(t, `{"verdict":"approve"}`)
	given.ClaimedFor = strings.Repeat("x", MaxClaimedFor+1)
	if again, err := Answer(d.Store, "r-1", given, ends); err != nil || value.JSON(Fact(again)) != told {
		t.Errorf("the same answer again with another claim gives %v, %v", again, err)
	}
	for _, answer := range []string{`{"verdict":"never"}`, `"` + strings.Repeat("x", MaxAnswer) + `"`, strings.Repeat("[", 600) + strings.Repeat("]", 600)} {
		refusedAs(t, d, "r-1", Given{Answer: parsed(t, answer)}, problem.Conflict, "took another answer")
	}
	given.Answer = parsed(t, `{"verdict":"revise"}`)
	refusedAs(t, d, "r-1", given, problem.Conflict, "took another answer")
	events, _, err := d.Events(store.EventFilter{RunID: "r-1"})
	if err != nil || len(events) != 3 || events[0].Type != AskedEvent {
		t.Fatal(events, err)
	}
	const wantAsked = `{"delivery":null,"to":"priya@acme.example","message_bytes":43,"takes_answer":true,"expires_at":"2026-10-03T09:30:00.000Z"}`
	if got := value.JSON(events[0].Data); got != wantAsked {
		t.Errorf("it was asked with %s", got)
	}
}

func refusedAs(t testing.TB, d *desk, id string, given Given, name problem.Name, words string) *problem.Rejection {
	t.Helper()
	_, err := Answer(d.Store, id, given, ends)
	var rejection *problem.Rejection
	if !errors.As(err, &rejection) || rejection.Type != problem.TypeBase+string(name) || !strings.Contains(rejection.Detail, words) {
		t.Errorf("the answer gives %v, want %s: … %s …", err, name, words)
		return &problem.Rejection{}
	}
	return rejection
}

func TestAnswersThatAreNotTaken(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	request := d.ask(t, "r-1", asks(t, "", "verdict: { type: string }, rows: { type: array, items: { type: integer } }", "verdict"))
	for name, c := range map[string]struct {
		answer, claimed string
		pointer, detail string
	}{
		"no such property":    {`{}`, "", "/answer/verdict", "Missing property"},
		"another type":        {`"approve"`, "", "/answer", "Expected object"},
		"null":                {`null`, "", "/answer", "Expected object"},
		"inside a list":       {`{"verdict":"x","rows":[1,"2"]}`, "", "/answer/rows/1", "Expected integer"},
		"512 levels and more": {strings.Repeat("[", 513) + strings.Repeat("]", 513), "", "/answer", "Expected at most 512 levels"},
		"past 64 KiB":         {`"` + strings.Repeat("x", 64<<10-1) + `"`, "", "/answer", "Expected at most 64 KiB as JSON"},
		"a long claim":        {`{"verdict":"x"}`, strings.Repeat("é", 128) + "x", "/claimed_for", "Expected at most 256 bytes"},
	} {
		rejection := refusedAs(t, d, "r-1", Given{Answer: parsed(t, c.answer), ClaimedFor: c.claimed}, problem.InvalidInput, "")
		if len(rejection.Issues) != 1 || rejection.Issues[0] != (problem.Issue{Pointer: c.pointer, Detail: c.detail}) {
			t.Errorf("%s: the issues are %+v", name, rejection.Issues)
		}
	}
	both := refusedAs(t, d, "r-1", Given{Answer: parsed(t, `{"rows":["2"]}`), ClaimedFor: strings.Repeat("x", 257)}, problem.InvalidInput, "does not match")
	if len(both.Issues) != 3 || both.Issues[0].Pointer != "/answer/verdict" || both.Issues[1].Pointer != "/answer/rows/0" || both.Issues[2].Pointer != "/claimed_for" {
		t.Errorf("an answer and a claim that are both wrong give %+v", both.Issues)
	}
	if kept, err := d.Request("r-1"); err != nil || !kept.Closed.IsZero() {
		t.Errorf("then the request is %+v, %v", kept, err)
	}
	good := Given{Answer: parsed(t, `{"verdict":"x"}`)}
	refusedAs(t, d, "r-2", good, problem.NotFound, "r-2 has no request")
	if IsExpired(request, request.Expires.Add(-time.Millisecond)) || !IsExpired(request, request.Expires) {
		t.Error("a request expires at another time than its own")
	}
	ending := store.Ending{Status: store.Rejected, Rejection: Expired(request), Final: true}
	if run, err := d.EndRequest("r-1", ending); err != nil || run.Reason != "unanswered" || run.Kind != "expired" {
		t.Errorf("expired it is %+v, %v", run, err)
	}
	refusedAs(t, d, "r-1", good, problem.Conflict, "has ended")
	refusedAs(t, d, "r-1", Given{Answer: parsed(t, `"`+strings.Repeat("x", MaxAnswer)+`"`)}, problem.Conflict, "has ended")
}

// The same answer in another order of its keys, with its numbers written in another
// way, is the same answer.
func TestTheSameAnswerWrittenAnew(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ask(t, "r-1", asks(t, "", "verdict: { type: string }, rows: { type: array }", "verdict"))
	first, err := Answer(d.Store, "r-1", Given{Answer: parsed(t, `{"verdict":"\u00e9","rows":[{"a":1,"b":10}]}`)}, ends)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Answer(d.Store, "r-1", Given{Answer: parsed(t, `{"rows":[{"b":1e1,"a":1.0}],"verdict":"é"}`)}, ends)
	if err != nil || again.ID != first.ID {
		t.Errorf("it gives %v, %v", again, err)
	}
	refusedAs(t, d, "r-1", Given{Answer: parsed(t, `{"rows":[{"b":10,"a":"1"}],"verdict":"é"}`)}, problem.Conflict, "took another answer")
}

// The largest answers that may be given are taken and read again.
func TestAnswersAtTheirBounds(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"64 KiB":     `{"verdict":"` + strings.Repeat("x", 64<<10-14) + `"}`,
		"512 levels": `{"verdict":"x","rest":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}`,
	} {
		d := newDesk(t)
		d.ask(t, "r-1", asks(t, "", "verdict: { type: string }", "verdict"))
		given := Given{Answer: parsed(t, answer), ClaimedFor: strings.Repeat("é", 128)}
		if _, err := Answer(d.Store, "r-1", given, ends); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if run, err := d.Get("r-1"); err != nil || value.JSON(run.Output) != answer {
			t.Errorf("%s: the run gives %v", name, err)
		}
		if report, err := d.Check(); err != nil || len(report.Faults) > 0 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

func TestANotificationTakesNoAnswer(t *testing.T) {
	t.Parallel()
	source := strings.Join([]string{"---", "to: '#deliveries'", "expires: PT1H",
		"deliver: { server: chat, tool: post_message, with: { text: '{{ message }}' } }", "---", "The brief is ready."}, "\n")
	result := definition.Check([]byte(source), interaction(t), definition.Surroundings{})
	if result.Definition == nil {
		t.Fatal(result.Problems)
	}
	d := newDesk(t)
	request := d.ask(t, "r-1", result.Definition.Function.(*definition.Interaction))
	refusedAs(t, d, "r-1", Given{Answer: parsed(t, `{}`)}, problem.Conflict, "notification")
	shown := value.JSON(Shown(request))
	for _, want := range []string{`"delivery":{"server":"chat","tool":"post_message"}`, `"takes_answer":false`, `"answer_schema":null`, `"delivery_state":"to_deliver"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("it is shown as %s, without %s", shown, want)
		}
	}
	if ids, _, err := d.DueRequests(10); err != nil || len(ids) != 1 {
		t.Errorf("due are %v, %v", ids, err)
	}
}

// A request that is answered by reply says where, by whom and what was refused; a
// sign-in where its person signs in.
func TestWhatAListShows(t *testing.T) {
	t.Parallel()
	signIn := value.NewObject(3)
	signIn.Set("server", "browser")
	signIn.Set("site", "portal.supplier.example")
	signIn.Set("link", "https://browser.example/s/1")
	request := &store.Request{
		RequestSummary: store.RequestSummary{RunID: "r-1", Delivery: store.Delivered, Asked: asked, Expires: after(60)},
		Server:         "chat", Tool: "post_message", Attempts: make([]store.Attempt, 2),
		Conversation: "C1/17.1", Answerer: "U-priya", Refused: 2, SignIn: signIn,
	}
	shown := value.JSON(Shown(request))
	for _, want := range []string{
		`"attempts":2,"delivery_state":"delivered"`,
		`"replies":{"conversation":"C1/17.1","answerer":"U-priya","refused":2}`,
		`"sign_in":{"server":"browser","site":"portal.supplier.example","link":"https://browser.example/s/1"}`,
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("it is shown as %s, without %s", shown, want)
		}
	}
	for kind, rejection := range map[string]*problem.Rejection{
		"requests_full": Full(0), "expired": Expired(request), "undelivered": Undelivered(),
	} {
		if rejection.Kind != kind || rejection.Detail == "" {
			t.Errorf("%s is %+v", kind, rejection)
		}
	}
	if got := Full(0).Detail; !strings.HasPrefix(got, "The playbook has as many open requests as it may: 10,000;") {
		t.Errorf("full is said as %q", got)
	}
}
