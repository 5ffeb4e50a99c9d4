package run_test

// This file is what the tests of runs with tools share: a tool server beside the
// provider, both over HTTP, and a clock by which deadlines pass when it is moved.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	tooldouble "github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// listed are the tools of the server notes: those that read, and one that may act.
const listed = `{"tools":[
{"name":"echo","description":"Gives back its text","inputSchema":{"type":"object","properties":{"text":{"type":"string","maxLength":200}},"required":["text"]},"annotations":{"readOnlyHint":true}},
{"name":"result","description":"Gives what it is told","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
{"name":"fails","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
{"name":"whole","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
{"name":"structured","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
{"name":"post_message","description":"Posts a message","inputSchema":{"type":"object"}},
{"name":"browser_sign_in","inputSchema":{"type":"object"}}
]}`

// workshop is a house whose runs have tools.
type workshop struct {
	*house
	time  *clockdouble.Clock
	model *double.Server
	notes *tooldouble.Server
	// What runs when a call, or the request for a list, has come, before it is
	// answered; nil: nothing.
	before     func(tool string)
	beforeList func()
}

// equipped says how a workshop differs from the usual.
type equipped struct {
	route    wire.Route // OpenAI where it is left out
	file     string     // the store's; a new one where it is left out
	settings string     // further lines of the tool server
	faults   map[string]string
	results  map[string]string // what tools answer, by their names
	window   int64
	tokens   int64 // the budget
	down     bool  // the tool server is not there
	open     int   // the most open requests
	nobody   bool  // runs act for nobody
	gone     int   // how many calls never leave, since the tool server has gone away
}

// leaving are tool servers whose first calls never leave.
type leaving struct {
	*tool.Servers
	calls int
}

func (l *leaving) Call(ctx context.Context, call tool.Call) (*tool.Result, *tool.Failure) {
	if l.calls == 0 {
		return l.Servers.Call(ctx, call)
	}
	l.calls--
	return nil, &tool.Failure{Because: tool.ServerFailure, Server: call.Server, Tool: call.Tool, RetryAfter: -1, Message: "The tool server notes cannot be reached"}
}

func newWorkshop(t testing.TB, with equipped, replies ...double.Reply) *workshop {
	t.Helper()
	if with.route == "" {
		with.route = wire.OpenAI
	}
	if with.file == "" {
		with.file = filepath.Join(t.TempDir(), ".auto", "runs.db")
	}
	w := &workshop{time: clockdouble.New(), model: double.New(t, with.route, replies...), notes: &tooldouble.Server{Pages: []string{listed}, Faults: with.faults, Results: with.results}}
	handler := w.notes.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, _ := io.ReadAll(in.Body)
		in.Body = io.NopCloser(bytes.NewReader(body))
		w.watch(body)
		handler.ServeHTTP(out, in)
	}))
	if with.down {
		server.Close()
	} else {
		t.Cleanup(server.Close)
	}
	read, err := settings.Read([]byte(fmt.Sprintf("tool_servers:\n  - name: notes\n    url: %s/mcp\n%s", server.URL, with.settings)),
		func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	servers := tool.New(read.ToolServers(), tool.Options{Clock: w.time})
	t.Cleanup(servers.Close)
	tools := run.Tools(servers)
	if with.gone > 0 {
		tools = &leaving{servers, with.gone}
	}

	configuration := of(w.model)
	configuration.Secrets = append(configuration.Secrets, double.Key)
	w.house = &house{log: &bytes.Buffer{}}
	w.house.store = store.At(with.file, store.Options{Now: w.time.Now})
	if w.owner, err = w.house.store.Own("auto run"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.owner.Close() })
	client := model.New(configuration, model.Options{HTTP: model.NewHTTP(model.Transport{}), Clock: w.time, Log: model.NewJSONLog(w.log)})
	person := "ana"
	if with.nobody {
		person = ""
	}
	w.Runner = run.New(run.Options{
		OpenRequests: with.open, Playbook: "campaigns", Person: person,
		Store: w.house.store, Models: client, Owner: func() (*store.Owner, error) { return w.owner, nil },
		Tools: tools, Clock: w.time, InputTokens: with.tokens, NewMarker: func() string { return "MARKER" },
		Window: func(context.Context, *model.Target) int64 { return with.window },
	})
	return w
}

// watch runs what the test wants to happen before a message is answered.
func (w *workshop) watch(body []byte) {
	message, _ := value.ParseJSON(body, 100)
	switch method, _ := value.Lookup(message, "/method"); {
	case method == "tools/call" && w.before != nil:
		name, _ := value.Lookup(message, "/params/name")
		w.before(name.(string))
	case method == "tools/list" && w.beforeList != nil:
		w.beforeList()
	}
}

// calls is a step of the model that calls tools: names and arguments as JSON in
// turn.
func calls(pairs ...string) double.Reply {
	return double.Give(wire.OpenAI, callsOf(pairs...))
}

func callsOf(pairs ...string) double.Answer {
	answer := double.Answer{Input: 100, Output: 20}
	for i := 0; i < len(pairs); i += 2 {
		answer.Calls = append(answer.Calls, double.Call{ID: fmt.Sprintf("call-%d", i/2+1), Name: pairs[i], Input: json.RawMessage(pairs[i+1])})
	}
	return answer
}

// noted is a function that may call the tools of notes.
func noted(front string) string {
	if !strings.Contains(front, "tools:") {
		front += "tools: [notes/*]\n"
	}
	return review(wire.OpenAI, front, brief)
}

// sent gives the arguments that the server was sent of a tool's calls, as JSON.
func (w *workshop) sent(name string) []string {
	var all []string
	for _, asked := range w.notes.Asked() {
		if asked.Method == "tools/call" && asked.Param("/name") == name {
			all = append(all, value.JSON(asked.Param("/arguments")))
		}
	}
	return all
}

// received gives a request that the model received, as JSON.
func (w *workshop) received(t testing.TB, number int) string {
	t.Helper()
	requests := w.model.Requests()
	if number >= len(requests) {
		t.Fatalf("the model received %d requests", len(requests))
	}
	return string(requests[number].Body)
}

// data gives the data of every event of a run of one type.
func (w *workshop) data(t testing.TB, eventType string) []*value.Object {
	t.Helper()
	events, _, err := w.house.store.Events(store.EventFilter{RunID: "review-1", Type: eventType})
	if err != nil {
		t.Fatal(err)
	}
	var all []*value.Object
	for _, event := range events {
		all = append(all, event.Data)
	}
	return all
}

// asks is a request for a run of a function of a type.
func asks(typeName, source, input string) run.Request {
	t, known := definition.TypeNamed(typeName)
	if !known {
		panic(typeName)
	}
	return run.Request{ID: "review-1", Type: t, Name: "review", Source: []byte(source), Input: parsed(input)}
}
