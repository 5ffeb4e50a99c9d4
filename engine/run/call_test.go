package run_test

// This file makes runs of functions that ask a system, interactions with call and
// lookups, and makes each of their endings happen (interaction format, "How a run
// ends").

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// calling is a document that calls a tool of notes, with more lines of call.
func calling(tool, more string) string {
	return "---\ncall:\n  server: notes\n  tool: " + tool + "\n" + more + "output: { schema: { type: object, required: [id], properties: { id: { type: string } } } }\n---\n"
}

// telling is a document whose tool gives what the input says, read at a pointer.
func telling(read string) string {
	more := "  with: { json: '{{ input.result | json }}' }\n"
	if read != "" {
		more += "  read: " + read + "\n"
	}
	return calling("result", more)
}

// tells is the input that makes the tool give a result.
func tells(result string) string { return `{"result":` + result + `}` }

type callEnding struct {
	name   string
	with   equipped
	source string
	input  string // {} where it is left out
	before func(w *workshop)

	output  string // of a run that succeeds
	problem problem.Name
	kind    string
	because string
	detail  string // a part of it
	issue   string // the first one's pointer
	sent    int
	history string // between the start and the end
	again   string // the kind of what the id gives then; empty: it runs again, or gives the success
}

const (
	answeredCall = "tool_call_started tool_call_answered"
	failedCall   = "tool_call_started tool_call_failed"
)

var callEndings = []callEnding{
	{
		name: "the part at read", source: telling("/items/0"), input: tells(`{"content":[{"type":"text","text":"{\"items\":[{\"id\":\"a\",\"more\":1}]}"}]}`),
		output: `{"id":"a","more":1}`, sent: 1, history: answeredCall,
	},
	{
		name: "the whole answer", source: telling(""), input: tells(`{"content":[{"type":"text","text":"ignored"}],"structuredContent":{"id":"b"}}`),
		output: `{"id":"b"}`, sent: 1, history: answeredCall,
	},
	{
		name: "a template reads a missing field", source: telling(""), input: `{}`,
		problem: problem.InvalidInput, issue: "/input/result",
	},
	{
		name: "an argument renders a structure among text", source: calling("result", "  with: { json: 'All of {{ input.list }}' }\n"), input: `{"list":[{"a":1}]}`,
		problem: problem.Conflict, kind: "unworkable",
	},
	{
		name: "the arguments pass 16 KiB", source: calling("result", "  with: { json: '{{ input.text }}' }\n"), input: `{"text":"` + strings.Repeat("x", 16<<10) + `"}`,
		problem: problem.Conflict, kind: "unworkable", detail: "The arguments of call pass 16 KiB",
	},
	{
		name: "the server is not configured", source: strings.Replace(calling("echo", ""), "server: notes", "server: crm", 1),
		problem: problem.Unavailable, kind: "tool_not_offered", because: "tool_server_not_configured", detail: "search",
	},
	{
		name: "the tool is not allowed", with: equipped{settings: "    allowed: [result]\n"}, source: calling("echo", ""),
		problem: problem.Unavailable, kind: "tool_not_offered", because: "tool_not_allowed", detail: "search",
	},
	{
		name: "the tool is not listed", source: calling("remove", ""),
		problem: problem.Unavailable, kind: "tool_not_offered", because: "tool_not_listed", detail: "search",
	},
	{
		name: "the server cannot be reached", with: equipped{down: true}, source: calling("echo", ""),
		problem: problem.Unavailable, kind: "tool_server_failed", because: "unreachable",
	},
	{
		name: "the server refuses the listing", with: equipped{faults: map[string]string{"tools/list": "error:-32000:no"}}, source: calling("echo", ""),
		problem: problem.Unavailable, kind: "tool_server_failed", because: "failing",
	},
	{
		name: "the server fails on a call that reads", with: equipped{faults: map[string]string{"tools/call": "status:500"}}, source: calling("echo", ""),
		problem: problem.Unavailable, kind: "tools_unfinished", because: "server_failed", detail: "notes/echo", sent: 1, history: failedCall, again: "tools_called only_read",
	},
	{
		name: "the server fails on a call that acts", with: equipped{faults: map[string]string{"tools/call": "status:500"}}, source: calling("post_message", ""),
		problem: problem.Conflict, kind: "effect_unknown", because: "server_failed", detail: "notes/post_message may have changed something", sent: 1, history: failedCall, again: "tools_called",
	},
	{
		name: "the server does not respond within 30 seconds", with: equipped{faults: map[string]string{"tools/call": "silent"}}, source: calling("post_message", ""),
		before:  func(w *workshop) { go w.time.Advance(30 * time.Second) },
		problem: problem.Conflict, kind: "effect_unknown", because: "server_failed", sent: 1, history: failedCall, again: "tools_called",
	},
	{
		name: "a tool that reads returns an error", source: calling("fails", "  with: { text: drafts }\n"),
		problem: problem.Unavailable, kind: "tools_unfinished", because: "tool_error", detail: "Not allowed: drafts", sent: 1, history: answeredCall, again: "tools_called only_read",
	},
	{
		name: "the tool refuses the arguments", with: equipped{faults: map[string]string{"tools/call": "error:-32602:text is missing"}}, source: calling("echo", ""),
		problem: problem.Conflict, kind: "unworkable", detail: "refused the arguments: ", sent: 1, history: failedCall, again: "tools_called only_read",
	},
	{
		name: "the answer has nothing to read", source: calling("post_message", ""),
		problem: problem.Conflict, kind: "unworkable", detail: "answered without anything to read; running it again calls notes/post_message again", sent: 1, history: answeredCall, again: "tools_called",
	},
	{
		name: "nothing stands where read points", source: telling("/messages"), input: tells(`{"content":[],"structuredContent":{"id":"b"}}`),
		problem: problem.Conflict, kind: "unworkable", detail: "holds nothing at /messages", sent: 1, history: answeredCall, again: "tools_called only_read",
	},
	{
		name: "the schema refuses a value", source: telling(""), input: tells(`{"content":[],"structuredContent":{"id":7}}`),
		problem: problem.Conflict, kind: "unworkable", detail: "does not match output.schema", issue: "/id", sent: 1, history: answeredCall, again: "tools_called only_read",
	},
	{
		name: "the input does not match its schema", source: strings.Replace(telling(""), "output:", "input: { schema: { type: object, required: [result] } }\noutput:", 1),
		problem: problem.InvalidInput, issue: "/input/result",
	},
}

func TestCallEndings(t *testing.T) {
	t.Parallel()
	for _, c := range callEndings {
		for _, typeName := range []string{"interaction", "lookup"} {
			t.Run(typeName+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				w := newWorkshop(t, c.with)
				if c.before != nil {
					w.before = func(string) { c.before(w) }
				}
				if c.input == "" {
					c.input = "{}"
				}
				asked := asks(typeName, c.source, c.input)
				c.holds(t, w, w.do(t, asked))
				sent := w.everySent()
				if sent != c.sent {
					t.Errorf("%d calls were sent, want %d", sent, c.sent)
				}
				c.holdsAgain(t, w, asked)
				if c.again != "" && w.everySent() != sent {
					t.Errorf("the call was made again")
				}
			})
		}
	}
}

// holds compares a run with its ending.
func (c callEnding) holds(t *testing.T, w *workshop, ended *store.Run) {
	t.Helper()
	if c.output != "" {
		if ended.Status != store.Succeeded || value.JSON(ended.Output) != c.output {
			t.Fatalf("the run is %s", value.JSON(ended.Value()))
		}
	} else {
		got := ended.Rejection
		if got == nil || got.Type != problem.TypeBase+string(c.problem) || got.Kind != c.kind || got.Because != c.because || !strings.Contains(got.Detail, c.detail) {
			t.Fatalf("the run is %s", value.JSON(ended.Value()))
		}
		if c.issue != "" && (len(got.Issues) == 0 || got.Issues[0].Pointer != c.issue) {
			t.Errorf("the issues are %+v", got.Issues)
		}
	}
	between := strings.TrimSuffix(strings.TrimPrefix(w.history(t, ended.ID), "run_started "), "run_"+string(ended.Status))
	if strings.TrimSpace(between) != c.history {
		t.Errorf("the history between is %s", between)
	}
}

// holdsAgain asks for the run a second time under its id.
func (c callEnding) holdsAgain(t *testing.T, w *workshop, asked run.Request) {
	t.Helper()
	again, err := w.Do(t.Context(), asked)
	if c.again == "" {
		if err != nil || again == nil {
			t.Errorf("again it gives %v", err)
		}
		return
	}
	rejection, ok := err.(*problem.Rejection)
	if !ok || strings.TrimSpace(rejection.Kind+" "+rejection.Because) != c.again {
		t.Errorf("again it gives %v, %v", again, err)
	}
}

// everySent counts the calls of every tool that the server received.
func (w *workshop) everySent() int {
	sent := 0
	for _, asked := range w.notes.Asked() {
		if asked.Method == "tools/call" {
			sent++
		}
	}
	return sent
}

func TestAPartThatIsTooLarge(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{faults: map[string]string{"tools/call": "huge"}})
	source := strings.Replace(calling("echo", ""), "type: object, required: [id], properties: { id: { type: string } }", "type: string", 1)
	ended := w.do(t, asks("lookup", source, "{}"))
	if ended.Kind != "unworkable" || !strings.Contains(ended.Rejection.Detail, "too large for the 1 MiB a run records") {
		t.Errorf("the run is %s", value.JSON(ended.Value()))
	}
}

// TestAPartAtItsBounds wants the largest parts that a run may record to be recorded,
// and none that is one larger.
func TestAPartAtItsBounds(t *testing.T) {
	t.Parallel()
	text := run.RecordBytes - len(`""`) - len(`{"tool":"notes/echo","duration_ms":0}`)
	for name, c := range map[string]struct {
		part, refused string
	}{
		"1 MiB":      {`"` + strings.Repeat("x", text) + `"`, ""},
		"past it":    {`"` + strings.Repeat("x", text+1) + `"`, "too large for the 1 MiB a run records: it takes 1,048,577 bytes"},
		"512 levels": {strings.Repeat("[", 512) + strings.Repeat("]", 512), ""},
		"513 levels": {strings.Repeat("[", 513) + strings.Repeat("]", 513), "nested more than 512 levels deep"},
	} {
		w := newWorkshop(t, equipped{results: map[string]string{"echo": `{"content":[],"structuredContent":{"part":` + c.part + `}}`}})
		source := strings.Replace(calling("echo", "  read: /part\n"), "type: object, required: [id], properties: { id: { type: string } }", "type: [string, array]", 1)
		ended := w.do(t, asks("lookup", source, "{}"))
		switch {
		case c.refused == "" && (ended.Status != store.Succeeded || value.JSON(ended.Output) != c.part):
			t.Errorf("%s: the run is %s, %+v", name, ended.Status, ended.Rejection)
		case c.refused != "" && (ended.Kind != "unworkable" || !strings.Contains(ended.Rejection.Detail, c.refused)):
			t.Errorf("%s: the run is %s, %+v", name, ended.Status, ended.Rejection)
		}
	}
}

// TestSeventySeconds wants a run to be over within them, whatever its server does
// in its turns.
func TestSeventySeconds(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{faults: map[string]string{"tools/call echo": "once status:429:10"}})
	w.before = func(string) { w.time.Advance(25 * time.Second) }
	start := w.time.Now()
	ended := w.do(t, asks("lookup", strings.Replace(calling("echo", "  with: { text: a }\n"), "type: object, required: [id], properties: { id: { type: string } }", "type: string", 1), "{}"))
	if took := w.time.Now().Sub(start); took > 70*time.Second {
		t.Errorf("the run took %s and is %s", took, value.JSON(ended.Value()))
	}
}

func TestInterruptedCalls(t *testing.T) {
	t.Parallel()
	for tool, changed := range map[string]bool{"echo": false, "post_message": true} {
		w := newWorkshop(t, equipped{faults: map[string]string{"tools/call": "silent"}})
		ctx, cancel := context.WithCancel(t.Context())
		w.before = func(string) { cancel() }
		asked := asks("interaction", calling(tool, ""), "{}")
		ended, err := w.Do(ctx, asked)
		if err != nil || ended.Status != store.Failed || ended.Kind != "interrupted" || strings.Contains(ended.Rejection.Detail, "may have changed") != changed {
			t.Errorf("the run is %+v, %v", ended, err)
		}
		if rejection := w.refuses(t, asked); rejection.Kind != "tools_called" || (rejection.Because == "only_read") == changed {
			t.Errorf("again it is %+v", rejection)
		}
	}
	// Before the call there is nothing to keep anybody from.
	w := newWorkshop(t, equipped{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ended, err := w.Do(ctx, asks("lookup", calling("echo", ""), "{}"))
	if err != nil || ended.Kind != "interrupted" || ended.Final {
		t.Errorf("the run is %+v, %v", ended, err)
	}
}

func TestTheRecordOfACall(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, equipped{})
	w.before = func(string) { w.time.Advance(1200 * time.Millisecond) }
	ended := w.do(t, asks("lookup", telling(""), tells(`{"content":[],"structuredContent":{"id":"b"}}`)))
	if got := value.JSON(ended.Record); got != `{"tool":"notes/result","duration_ms":1200}` {
		t.Errorf("the record is %s", got)
	}
	started := w.data(t, "tool_call_started")[0]
	if got := fmt.Sprint(at(started, "/number"), at(started, "/call_id"), at(started, "/read_only")); got != "1missingtrue" {
		t.Errorf("the start is %s", value.JSON(started))
	}
}
