package run_test

// This file is what the tests of runs share: a provider that stands in for the
// real ones, a clock that nobody waits for, and a store in a folder of its own.

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// house is a runner with what it is watched by.
type house struct {
	*run.Runner
	store *store.Store
	owner *store.Owner
	clock *clockdouble.Clock
	log   *bytes.Buffer
}

// newHouse makes a runner whose providers are doubles.
func newHouse(t testing.TB, configuration model.Configuration) *house {
	t.Helper()
	return houseAt(t, filepath.Join(t.TempDir(), ".auto", "runs.db"), configuration)
}

func houseAt(t testing.TB, file string, configuration model.Configuration) *house {
	t.Helper()
	configuration.Secrets = append(configuration.Secrets, double.Key)
	h := &house{clock: clockdouble.New(), log: &bytes.Buffer{}}
	h.store = store.At(file, store.Options{Now: h.clock.Now})
	var err error
	if h.owner, err = h.store.Own("auto run"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.owner.Close() })
	client := model.New(configuration, model.Options{HTTP: model.NewHTTP(model.Transport{}), Clock: h.clock, Log: model.NewJSONLog(h.log)})
	h.Runner = run.New(run.Options{Store: h.store, Models: client, Owner: func() (*store.Owner, error) { return h.owner, nil }})
	return h
}

// of is a configuration of providers that go by their routes.
func of(servers ...*double.Server) model.Configuration {
	configuration := model.Configuration{}
	for _, server := range servers {
		configuration.Providers = append(configuration.Providers, server.Provider(string(server.Route)))
	}
	return configuration
}

// review is a function of a route's model with these lines of front matter and
// this template.
func review(route wire.Route, front, template string) string {
	return "---\nmodel: " + string(route) + "/" + modelOf(route) + "\n" + front + "---\n\n" + template + "\n"
}

const brief = "{% system %}Review the brief. Do not invent facts.{% endsystem %}\nBrief: {{ input.brief }}"

func modelOf(route wire.Route) string {
	switch route {
	case wire.Anthropic:
		return "claude-sonnet-4-5"
	case wire.Google:
		return "gemini-2.5-flash"
	case wire.OpenAI, wire.Azure:
		return "gpt-4.1-mini"
	}
	return "llama-3.3-70b"
}

func request(source, input string) run.Request {
	reasoning, _ := definition.TypeNamed("reasoning")
	return run.Request{ID: "review-1", Type: reasoning, Name: "review", Source: []byte(source), Input: parsed(input)}
}

func parsed(text string) value.Value {
	v, err := value.ParseJSON([]byte(text), 1000)
	if err != nil {
		panic(err)
	}
	return v
}

const spring = `{"brief":"Spring launch"}`

// do does a run that must be recorded, and gives it as the store has it.
func (h *house) do(t testing.TB, request run.Request) *store.Run {
	t.Helper()
	done, err := h.Do(t.Context(), request)
	if err != nil {
		t.Fatalf("Do gives %v", err)
	}
	recorded, err := h.store.Get(done.ID)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := value.JSON(done.Value()), value.JSON(recorded.Value()); a != b {
		t.Errorf("Do gives  %s\nrecorded is %s", a, b)
	}
	return recorded
}

// refuses makes a run that must be refused without being recorded anew.
func (h *house) refuses(t *testing.T, request run.Request) *problem.Rejection {
	t.Helper()
	done, err := h.Do(t.Context(), request)
	rejection, ok := err.(*problem.Rejection)
	if !ok || done != nil {
		t.Fatalf("Do gives %+v, %v in place of a rejection", done, err)
	}
	return rejection
}

// history gives the types of a run's events.
func (h *house) history(t *testing.T, id string) string {
	t.Helper()
	events, _, err := h.store.Events(store.EventFilter{RunID: id})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, event := range events {
		types = append(types, event.Type)
	}
	return strings.Join(types, " ")
}

// event gives the data of a run's first event of a type.
func (h *house) event(t *testing.T, id, eventType string) *value.Object {
	t.Helper()
	events, _, err := h.store.Events(store.EventFilter{RunID: id, Type: eventType})
	if err != nil || len(events) == 0 {
		t.Fatalf("run %s has no event %s: %v", id, eventType, err)
	}
	return events[0].Data
}

// at reads a text or a number of a value as JSON.
func at(v value.Value, pointer string) string {
	found, ok := value.Lookup(v, pointer)
	if !ok {
		return "missing"
	}
	return value.JSON(found)
}
