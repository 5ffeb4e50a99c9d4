package mcp_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// runOf runs a function and gives the run's id.
func (h *house) runOf(name string, arguments map[string]any) string {
	h.t.Helper()
	arguments["name"] = name
	return strings.Trim(at(h.t, h.do("run_definition", arguments), "/run_id"), `"`)
}

func TestAnAgentAsksAndAnswers(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, nil)
	h.do("create_definition", map[string]any{"type": "interaction", "name": "approve-brief", "source": approve, "diagram": "none"})
	run := h.do("run_definition", map[string]any{
		"type": "interaction", "name": "approve-brief", "run_id": "approve-1", "input": map[string]any{"owner": "priya@acme.example", "review": "Name the audience."},
	})
	want(t, run, "/status", `"started"`)
	want(t, run, "/run_id", `"approve-1"`)
	want(t, run, "/output", "null")

	open := h.do("list_interactions", map[string]any{"to": "priya@acme.example", "type": "interaction", "function": "approve-brief"})
	want(t, open, "/interactions/0/run_id", `"approve-1"`)
	want(t, open, "/interactions/0/delivery", "null")
	want(t, open, "/interactions/0/delivery_state", `"held_for_an_agent"`)
	want(t, open, "/interactions/0/answer_schema/properties/verdict/enum", `["approve","revise"]`)
	wantWords(t, at(t, open, "/interactions/0/message"), "Name the audience.")

	id := map[string]any{"run_id": "approve-1"}
	answer := func(verdict any) map[string]any {
		return map[string]any{"run_id": "approve-1", "answer": verdict, "claimed_for": "the campaign team"}
	}
	wantWords(t, h.refused("answer_interaction", answer(map[string]any{"verdict": "yes"})), "invalid_input", "/answer/verdict Expected one of")
	wantWords(t, h.refused("answer_interaction", answer("approve")), "invalid_input", "/answer Expected")
	want(t, h.do("get_run", id), "/status", `"started"`)

	fact := h.do("answer_interaction", answer(map[string]any{"verdict": "approve"}))
	want(t, fact, "/answer", `{"verdict":"approve"}`)
	want(t, fact, "/claimed_for", `"the campaign team"`)
	want(t, fact, "/answered_by/name", `"Local developer"`)
	done := h.do("get_run", id)
	want(t, done, "/status", `"succeeded"`)
	want(t, done, "/output", `{"verdict":"approve"}`)
	if again := h.do("answer_interaction", answer(map[string]any{"verdict": "approve"})); !value.Equal(again, fact) {
		t.Errorf("the same answer again gives %s", value.JSON(again))
	}
	wantWords(t, h.refused("answer_interaction", answer(map[string]any{"verdict": "revise"})), "conflict", "took another answer")
	want(t, h.do("list_interactions", nil), "/interactions", "[]")

	// The history tells it, and the answer's id is an event's.
	events := h.do("list_playbook_events", id)
	var types []string
	list, _ := events.Get("events")
	for _, event := range list.([]value.Value) {
		kind, _ := event.(*value.Object).Get("type")
		types = append(types, kind.(string))
	}
	if got := strings.Join(types, " "); got != "run_started interaction_requested request_answered run_succeeded" {
		t.Errorf("the history is %s", got)
	}
	number, _ := fact.Get("answer_id")
	event := h.do("get_event", map[string]any{"event_id": number})
	want(t, event, "/type", `"request_answered"`)
	want(t, event, "/data/answer", `{"verdict":"approve"}`)
	// The same run again is the one that is recorded.
	again := h.do("run_definition", map[string]any{
		"type": "interaction", "name": "approve-brief", "run_id": "approve-1", "input": map[string]any{"owner": "priya@acme.example", "review": "Name the audience."},
	})
	want(t, again, "/status", `"succeeded"`)
}

func TestManyAnswersAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"interaction/approve.md": approve}, nil)
	id := h.runOf("approve", map[string]any{"type": "interaction", "input": map[string]any{"owner": "#campaigns", "review": "x"}})
	var all sync.WaitGroup
	taken := make(chan string, 10)
	for i := range cap(taken) {
		all.Go(func() {
			fact, err := h.try("answer_interaction", map[string]any{"run_id": id, "answer": map[string]any{"verdict": "revise", "note": fmt.Sprint(i)}})
			if err != nil {
				wantWords(t, said(t, err), "conflict")
				return
			}
			taken <- value.JSON(fact)
		})
	}
	all.Wait()
	if len(taken) != 1 {
		t.Errorf("%d answers were taken", len(taken))
	}
}

func TestAnswersThatAreNotTaken(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"interaction/approve.md": approve}, nil)
	wantWords(t, h.refused("answer_interaction", map[string]any{"run_id": "none", "answer": 1}), "not_found", "list_interactions")
	id := h.runOf("approve", map[string]any{"type": "interaction", "input": map[string]any{"owner": "#campaigns", "review": "x"}})
	for _, claim := range []string{strings.Repeat("é", 129), strings.Repeat("é", 300)} {
		answer := map[string]any{"run_id": id, "answer": map[string]any{"verdict": "approve"}, "claimed_for": claim}
		wantWords(t, h.refused("answer_interaction", answer), "invalid_input", "/claimed_for", "Expected at most 256 bytes")
	}
	ended := h.do("cancel_run", map[string]any{"run_id": id})
	want(t, ended, "/status", `"rejected"`)
	wantWords(t, at(t, ended, "/rejection/type"), "cancelled")
	wantWords(t, h.refused("answer_interaction", map[string]any{"run_id": id, "answer": map[string]any{"verdict": "approve"}}), "conflict", "has ended")
	wantWords(t, h.refused("cancel_run", map[string]any{"run_id": id}), "conflict", "has ended already")
	wantWords(t, h.refused("cancel_run", map[string]any{"run_id": "none"}), "not_found", "list_runs")
}

func TestRunsThatDoNotStart(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"interaction/approve.md": approve, "reasoning/broken.md": "---\nmodle: x/y\n---\nHi\n", "reasoning/review.md": review}, nil)
	wantWords(t, h.refused("run_definition", map[string]any{"type": "interaction", "name": "aprove"}), "not_found", "did you mean interaction/approve?")
	wantWords(t, h.refused("run_definition", map[string]any{"type": "reasoning", "name": "broken"}), "conflict", "/source Line 2, /modle: Unknown key")
	wantWords(t, h.refused("run_definition", map[string]any{"type": "interaction", "name": "approve", "run_id": "a b"}), "invalid_input", "/run_id")
	wantWords(t, h.refused("run_definition", map[string]any{"type": "reasoning", "name": "../../etc/passwd"}), "not_found")
	// What is refused in a run is the run's own ending.
	run := h.do("run_definition", map[string]any{"type": "interaction", "name": "approve", "run_id": "r-1", "input": map[string]any{"owner": 3}})
	want(t, run, "/status", `"rejected"`)
	wantWords(t, at(t, run, "/rejection"), "/input/owner", "invalid_input")
	wantWords(t, h.refused("run_definition", map[string]any{"type": "interaction", "name": "approve", "run_id": "r-1"}), "conflict", "belongs to a run of another")
	run = h.do("run_definition", map[string]any{"type": "reasoning", "name": "review", "input": map[string]any{"brief": "x"}})
	want(t, run, "/rejection/status", "503")
}

func TestListRuns(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"interaction/approve.md": approve}, nil)
	for i := range 5 {
		h.runOf("approve", map[string]any{"type": "interaction", "run_id": fmt.Sprint("r-", i), "input": map[string]any{"owner": "#campaigns", "review": "x"}})
	}
	first := h.do("list_runs", map[string]any{"limit": 3, "status": "started", "type": "interaction", "name": "approve", "since": "2026-11-30"})
	want(t, first, "/runs/0/run_id", `"r-4"`)
	cursor, _ := first.Get("cursor")
	second := h.do("list_runs", map[string]any{"limit": 3, "cursor": cursor})
	want(t, second, "/runs/1/run_id", `"r-0"`)
	want(t, second, "/cursor", "null")
	want(t, h.do("list_runs", map[string]any{"since": "2026-12-01T00:00:00Z"}), "/runs", "[]")
	wantWords(t, h.refused("list_runs", map[string]any{"since": "yesterday"}), "/since Expected a time in ISO 8601")
	wantWords(t, h.refused("list_runs", map[string]any{"cursor": "!"}), "/cursor Expected the cursor that an earlier page gave")
	wantWords(t, h.refused("list_interactions", map[string]any{"cursor": "!"}), "/cursor")
	wantWords(t, h.refused("get_run", map[string]any{"run_id": "none"}), "not_found", "list_runs")

	page := h.do("list_interactions", map[string]any{"limit": 2})
	want(t, page, "/interactions/1/run_id", `"r-3"`)
	cursor, _ = page.Get("cursor")
	want(t, h.do("list_interactions", map[string]any{"cursor": cursor}), "/interactions/2/run_id", `"r-0"`)
}

func TestTheHistory(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"interaction/approve.md": approve}, nil)
	long := strings.Repeat("long ", 300)
	id := h.runOf("approve", map[string]any{"type": "interaction", "input": map[string]any{"owner": "#campaigns", "review": "x"}})
	h.do("answer_interaction", map[string]any{"run_id": id, "answer": map[string]any{"verdict": "approve", "note": long + "even longer"}})
	first := h.do("list_playbook_events", map[string]any{"limit": 2, "since": "2026-11-30T09:00:00Z"})
	cursor, _ := first.Get("cursor")
	rest := h.do("list_playbook_events", map[string]any{"cursor": cursor})
	want(t, rest, "/events/0/type", `"request_answered"`)
	want(t, rest, "/cursor", "null")
	want(t, h.do("list_playbook_events", map[string]any{"type": "request_answered"}), "/events/0/run_id", value.JSON(id))
	want(t, h.do("list_playbook_events", map[string]any{"type": "run_failed"}), "/events", "[]")
	// Each type that is recorded may be asked for, and no other: it would find nothing.
	takes := operation(t, "list_playbook_events").Input
	recorded, _ := h.do("list_playbook_events", nil).Get("events")
	for _, event := range recorded.([]value.Value) {
		kind, _ := value.Lookup(event, "/type")
		if issues := issuesOf(t, takes, value.Build([]string{"type"}, []value.Value{kind})); len(issues) > 0 {
			t.Errorf("the type %v: %v", kind, issues)
		}
	}
	if issues := issuesOf(t, takes, object(t, map[string]any{"type": "run_fail"})); len(issues) != 1 {
		t.Errorf("a type that no event has: %v", issues)
	}
	for _, wrong := range []string{"x", "-1", "99999999999999999999"} {
		wantWords(t, h.refused("list_playbook_events", map[string]any{"cursor": wrong}), "/cursor")
	}
	wantWords(t, h.refused("list_playbook_events", map[string]any{"run_id": "none"}), "not_found")
	wantWords(t, h.refused("get_event", map[string]any{"event_id": 9999}), "not_found", "list_playbook_events")
}

func TestASignInIsThePersonsOwn(t *testing.T) {
	t.Parallel()
	const source = "---\nsign_in: { server: browser, site: portal.supplier.example, if_signed_out: ask }\nexpires: P1D\ndeliver: agent\n---\nYou are not signed in there.\n"
	of := httptest.NewServer((&double.Server{
		Pages:   []string{`{"tools":[{"name":"browser_sign_in","inputSchema":{"type":"object"}}]}`},
		Results: map[string]string{"browser_sign_in": `{"content":[],"structuredContent":{"signed_in":false,"link":"https://browser.example/s/1"}}`},
	}).Handler())
	t.Cleanup(of.Close)
	h := newHouse(t, map[string]string{"interaction/sign-in.md": source, engine.SettingsFile: "tool_servers: [{ name: browser, url: '" + of.URL + "/mcp' }]\n"}, nil)
	want(t, h.do("run_definition", map[string]any{"type": "interaction", "name": "sign-in", "run_id": "s-1"}), "/status", `"started"`)
	want(t, h.do("list_interactions", nil), "/interactions/0/sign_in/link", `"https://browser.example/s/1"`)
	wantWords(t, h.refused("answer_interaction", map[string]any{"run_id": "s-1", "answer": map[string]any{"signed_in": true}}), "forbidden")
	h.do("answer_interaction", map[string]any{"run_id": "s-1", "answer": map[string]any{"signed_in": false, "reason": "Not today"}})
	want(t, h.do("get_run", map[string]any{"run_id": "s-1"}), "/rejection/kind", `"declined"`)
}

func TestOperationsStopWithTheirCaller(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"reasoning/review.md": review}, nil)
	if _, err := operation(t, "get_run").Do(t.Context(), &mcp.Call{Runtime: h.Runtime}); err == nil {
		t.Error("a call without arguments gives a run")
	}
}
