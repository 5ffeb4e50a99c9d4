package run_test

// This file makes runs whose model calls tools, over HTTP on both sides.

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

const fine = "Fine."

func TestAConversation(t *testing.T) {
	t.Parallel()
	for _, route := range []wire.Route{wire.OpenAI, wire.Azure, wire.Gateway, wire.Anthropic, wire.BedrockAnthropic, wire.VertexAnthropic, wire.Google, wire.Vertex, wire.Bedrock} {
		t.Run(string(route), func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, equipped{route: route},
				double.Give(route, callsOf("notes__echo", `{"text":"one"}`, "notes__post_message", `{"text":"hi"}`)),
				double.Give(route, double.Answer{Text: `{"verdict":"approve"}`, Input: 300, Output: 30}))
			ended := w.do(t, request(review(route, asJSON+"tools: [notes/echo, notes/post_message]\n", brief), spring))
			if ended.Status != store.Succeeded || value.JSON(ended.Output) != `{"verdict":"approve"}` {
				t.Fatalf("the run is %s", value.JSON(ended.Value()))
			}
			if got, want := w.history(t, "review-1"), "run_started model_call_answered tool_call_started tool_call_answered tool_call_started tool_call_answered model_call_answered run_succeeded"; got != want {
				t.Errorf("the history is %s", got)
			}
			// What the tools answered went back to the model.
			if second := w.received(t, 1); !strings.Contains(second, "one") || !strings.Contains(second, "answered without content") {
				t.Errorf("the second request is %s", second)
			}
			if total := at(ended.Record, "/usage/input_tokens/total"); total != "400" {
				t.Errorf("the usage is of %s input tokens", total)
			}
			if warnings := at(ended.Record, "/warnings"); !strings.Contains(warnings, `"notes__echo inputSchema#/properties/text/maxLength"`) {
				t.Errorf("the warnings are %s", warnings)
			}
		})
	}
}

func TestWhatIsSentWithACall(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{}, calls("notes__whole", `{"text":"hi"}`), double.Say(wire.OpenAI, fine))
	w.do(t, request(noted(""), spring))
	for _, asked := range w.notes.Asked() {
		if asked.Method == "tools/call" && (asked.Param("/_meta/auto.on~1run_id") != "review-1" || asked.Param("/name") != "whole") {
			t.Errorf("the call is %s", value.JSON(asked.Params))
		}
	}
	first := w.received(t, 0)
	for _, part := range []string{`"notes__echo"`, `"maxLength":200`, `"Gives back its text"`} {
		if !strings.Contains(first, part) {
			t.Errorf("the model is not offered %s: %s", part, first)
		}
	}
}

// TestEveryEvent wants each field of the events of calls, and the start recorded
// before the call is sent.
func TestEveryEvent(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{faults: map[string]string{"tools/call whole": "error:-32000:busy"}, settings: "    request_id: X-Request-Id\n"},
		calls("notes__echo", `{"text":"one"}`, "notes__fails", `{"text":"two"}`, "notes__whole", `{}`, "notes__post_message", `{}`), double.Say(wire.OpenAI, fine))
	w.before = func(string) {
		started := w.data(t, "tool_call_started")
		answered := len(w.data(t, "tool_call_answered")) + len(w.data(t, "tool_call_failed"))
		if len(started) != answered+1 {
			t.Errorf("a call comes with %d started and %d ended", len(started), answered)
		}
		w.time.Advance(1500 * time.Millisecond)
	}
	w.do(t, request(noted(""), spring))
	started, answered, failures := w.data(t, "tool_call_started"), w.data(t, "tool_call_answered"), w.data(t, "tool_call_failed")
	if len(started) != 4 || len(answered) != 3 || len(failures) != 1 {
		t.Fatalf("there are %d, %d and %d events", len(started), len(answered), len(failures))
	}
	for i, want := range []string{
		`{"number":1,"call_id":"call-1","server":"notes","tool":"echo","read_only":true,"arguments_bytes":14,"arguments_digest":"`,
		`{"number":2,"call_id":"call-2","server":"notes","tool":"fails","read_only":true,`,
		`{"number":3,"call_id":"call-3","server":"notes","tool":"whole","read_only":true,`,
		`{"number":4,"call_id":"call-4","server":"notes","tool":"post_message","arguments_bytes":2,`,
	} {
		if got := value.JSON(started[i]); !strings.HasPrefix(got, want) {
			t.Errorf("event %d is %s", i, got)
		}
	}
	if got := at(started[0], "/arguments"); got != `{"text":"one"}` {
		t.Errorf("the arguments are %s", got)
	}
	for pointer, want := range map[string]string{
		"/number": "1", "/is_error": "false", "/duration_ms": "1500", "/request_id": `"req-tools/call"`, "/shown_bytes": "missing",
		"/result": `{"content":[{"type":"text","text":"one"}]}`, "/result_bytes": "42",
	} {
		if got := at(answered[0], pointer); got != want {
			t.Errorf("%s of the answer is %s", pointer, got)
		}
	}
	if at(answered[0], "/jsonrpc_id") == "missing" || len(at(answered[0], "/result_digest")) != 66 || at(answered[1], "/is_error") != "true" {
		t.Errorf("the answers are %s and %s", value.JSON(answered[0]), value.JSON(answered[1]))
	}
	for pointer, want := range map[string]string{
		"/number": "3", "/because": `"server_failure"`, "/duration_ms": "1500", "/sent": "missing",
	} {
		if got := at(failures[0], pointer); got != want {
			t.Errorf("%s of the failure is %s", pointer, got)
		}
	}
	// The model reads a tool error and a failure as errors that it may recover from.
	if second := w.received(t, 1); !strings.Contains(second, "Not allowed: two") || !strings.Contains(second, "busy") {
		t.Errorf("the second request is %s", second)
	}
}

func TestContentsAreNotKept(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{settings: "    record_content: false\n"}, calls("notes__echo", `{"text":"confidential"}`), double.Say(wire.OpenAI, fine))
	w.do(t, request(noted(""), spring))
	for _, data := range append(w.data(t, "tool_call_started"), w.data(t, "tool_call_answered")...) {
		if text := value.JSON(data); strings.Contains(text, "confidential") || strings.Contains(text, "digest") || !strings.Contains(text, "_bytes") {
			t.Errorf("the history keeps %s", text)
		}
	}
}

var say = double.Say(wire.OpenAI, fine)

// TestRoomForResults wants results cut to what the window leaves, each call of a
// step the same, and JSON to stay JSON.
func TestRoomForResults(t *testing.T) {
	t.Parallel()
	rows := strings.TrimSuffix(strings.Repeat(`{"id":1,"name":"Fernleaf"},`, 200), ",")
	big := value.JSON(`{"content":[{"type":"text","text":` + value.JSON("["+rows+"]") + `}]}`)
	long := value.JSON(`{"content":[{"type":"text","text":` + value.JSON(strings.Repeat("word ", 2_000)) + `}]}`)
	replies := []double.Reply{calls("notes__result", `{"json":`+big+`}`, "notes__result", `{"json":`+long+`}`, "notes__echo", `{"text":"short"}`), say}
	for _, c := range []struct {
		name string
		with equipped
		cut  bool
	}{
		{"the window", equipped{window: 300}, true},
		{"the budget", equipped{window: 1_000_000, tokens: 400}, true},
		{"an unknown window", equipped{}, false},
		{"a large window", equipped{window: 1_000_000}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, c.with, replies...)
			w.do(t, request(noted(""), spring))
			answered := w.data(t, "tool_call_answered")
			if len(answered) != 3 {
				t.Fatalf("there are %d answers", len(answered))
			}
			first, second, third := at(answered[0], "/shown_bytes"), at(answered[1], "/shown_bytes"), at(answered[2], "/shown_bytes")
			if (first != "missing") != c.cut || (second != "missing") != c.cut || third != "missing" {
				t.Fatalf("shown are %s, %s and %s bytes", first, second, third)
			}
			if !c.cut || c.with.tokens > 0 {
				return // a step that fills the budget is followed by the last
			}
			// The first is JSON still, and both say what is missing.
			var results []string
			for _, item := range w.model.Requests()[1].JSON()["input"].([]any) {
				if output, is := item.(map[string]any)["output"].(string); is {
					results = append(results, output)
				}
			}
			if len(results) != 3 || results[2] != "short" {
				t.Fatalf("the model reads %q", results)
			}
			v, err := value.ParseJSON([]byte(results[0]), 10)
			if err != nil || !strings.Contains(at(v, "/note"), "Ask for fewer rows, fields or levels") || at(v, "/result/0/name") != `"Fernleaf"` {
				t.Errorf("the first result is %s", results[0])
			}
			if !strings.Contains(results[1], "bytes are left out") || len(results[1]) > len(results[0])+200 {
				t.Errorf("the second result is %s", results[1])
			}
		})
	}
}

func TestInterruptedInACall(t *testing.T) {
	t.Parallel()
	for tool, changed := range map[string]bool{"notes__echo": false, "notes__post_message": true} {
		w := newWorkshop(t, equipped{faults: map[string]string{"tools/call": "silent"}}, calls(tool, `{"text":"a"}`))
		ctx, cancel := context.WithCancel(t.Context())
		w.before = func(string) { cancel() }
		ended, err := w.Do(ctx, request(noted(""), spring))
		if err != nil || ended.Status != store.Failed || ended.Kind != "interrupted" || !ended.Final {
			t.Fatalf("the run is %v, %v", ended, err)
		}
		if got := strings.Contains(ended.Rejection.Detail, "may have changed something"); got != changed {
			t.Errorf("%s: the detail is %s", tool, ended.Rejection.Detail)
		}
		if failures := w.data(t, "tool_call_failed"); len(failures) != 1 || at(failures[0], "/because") != `"cancelled"` {
			t.Errorf("the failures are %v", failures)
		}
		if rejection := w.refuses(t, request(noted(""), spring)); rejection.Kind != "tools_called" || (rejection.Because == "only_read") == changed {
			t.Errorf("%s: again it is %+v", tool, rejection)
		}
	}
}

// TestBeforeTheModelIsCalled wants a tool that cannot be used to end the run before
// its model is called (reasoning format, "Before the model is called").
func TestBeforeTheModelIsCalled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		with          equipped
		tools         string
		kind, because string
	}{
		{"the server is not configured", equipped{}, "crm/add", "tool_not_offered", "tool_server_not_configured"},
		{"the tool is not allowed", equipped{settings: "    allowed: [echo]\n"}, "notes/post_message", "tool_not_offered", "tool_not_allowed"},
		{"the tool is not listed", equipped{}, "notes/remove", "tool_not_offered", "tool_not_listed"},
		{"the server is down", equipped{down: true}, "notes/*", "tool_server_failed", "unreachable"},
		{"the server fails", equipped{faults: map[string]string{"tools/list": "status:500"}}, "notes/*", "tool_server_failed", "failing"},
		{"the server asks to slow down", equipped{faults: map[string]string{"tools/list": "status:429"}}, "notes/*", "tool_server_failed", "rate_limited"},
		{"the key is refused", equipped{faults: map[string]string{"tools/list": "status:401"}}, "notes/*", "tool_server_failed", "key_refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, c.with, say)
			ended := w.do(t, request(noted("tools: ["+c.tools+"]\n"), spring))
			if ended.Kind != c.kind || ended.Rejection.Because != c.because || ended.Rejection.Status != 503 || ended.Final {
				t.Errorf("the run is %s", value.JSON(ended.Value()))
			}
			if len(w.model.Requests()) != 0 || w.everySent() != 0 {
				t.Errorf("the model or a tool was called")
			}
		})
	}
}

// TestAModelThatIsNotOffered wants no tool server to be asked.
func TestAModelThatIsNotOffered(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{}, say)
	ended := w.do(t, request(strings.Replace(noted(""), "openai/", "house/", 1), spring))
	if ended.Kind != "model_not_offered" || len(w.notes.Asked()) != 0 {
		t.Errorf("the run is %s, after %d requests", value.JSON(ended.Value()), len(w.notes.Asked()))
	}
}
