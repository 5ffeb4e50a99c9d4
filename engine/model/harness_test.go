package model_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// This file is what the tests of calls share: a
// client in front of doubles, and the log the operator would read.

// bench is a client and what it is watched by.
type bench struct {
	client *model.Client
	clock  *clockdouble.Clock
	log    *bytes.Buffer
}

// lockedBuffer lets goroutines of a call write one log.
type lockedBuffer struct {
	lock sync.Mutex
	to   *bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.to.Write(text)
}

func newBench(configuration model.Configuration) *bench {
	configuration.Secrets = append(configuration.Secrets, double.Key)
	b := &bench{clock: clockdouble.New(), log: &bytes.Buffer{}}
	b.client = model.New(configuration, model.Options{
		HTTP: model.NewHTTP(model.Transport{}), Clock: b.clock, Log: model.NewJSONLog(&lockedBuffer{to: b.log}),
	})
	return b
}

// benchOf is a client of one double, whose prefix is its route, but that of a
// gateway, which is gateway too.
func benchOf(server *double.Server, changes ...func(*model.Provider)) *bench {
	provider := server.Provider(string(server.Route))
	for _, change := range changes {
		change(&provider)
	}
	return newBench(model.Configuration{Providers: []model.Provider{provider}})
}

// modelOf is a model id that each route serves.
func modelOf(route wire.Route) string {
	switch route {
	case wire.Anthropic:
		return "claude-sonnet-4-5"
	case wire.VertexAnthropic:
		return "claude-sonnet-4-5@20250929"
	case wire.Bedrock, wire.BedrockAnthropic:
		return "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"
	case wire.Google, wire.Vertex:
		return "gemini-2.5-flash"
	case wire.OpenAI, wire.Azure:
		return "gpt-4.1-mini"
	}
	return "llama-3.3-70b"
}

const (
	instructions = "Review the brief against the house rules."
	message      = "Brief: a tin for loose tea, sold in spring."
)

func callOf(route wire.Route, changes ...func(*model.Call)) *model.Call {
	call := &model.Call{
		Model: string(route) + "/" + modelOf(route), Settings: wire.Settings{MaxOutputTokens: 1024}, Instructions: instructions,
		Messages: []wire.Message{{Role: wire.User, Text: message}}, RunID: "0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a",
	}
	for _, change := range changes {
		change(call)
	}
	return call
}

// fails makes a call that must fail.
func (b *bench) fails(t *testing.T, call *model.Call) (*model.Outcome, *model.Failure) {
	t.Helper()
	outcome, err := b.client.Call(t.Context(), call)
	failure, ok := model.AsFailure(err)
	if !ok {
		t.Fatalf("the call gave %+v, %v in place of a failure", outcome, err)
	}
	return outcome, failure
}

// answers makes a call that must succeed.
func (b *bench) answers(t *testing.T, call *model.Call) *model.Outcome {
	t.Helper()
	outcome, err := b.client.Call(t.Context(), call)
	if err != nil {
		failure, _ := model.AsFailure(err)
		t.Fatalf("%v: %s\n%s", err, failure.Detail(model.Tools{}), b.log)
	}
	return outcome
}

// entry is one line of the operator's log.
type entry struct {
	Message     string         `json:"message"`
	Level       string         `json:"level"`
	Annotations map[string]any `json:"annotations"`
}

func (b *bench) entries(t *testing.T) []entry {
	t.Helper()
	entries := []entry{}
	for line := range strings.Lines(b.log.String()) {
		var one entry
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		entries = append(entries, one)
	}
	return entries
}

// outputOf asks for JSON of a schema.
func outputOf(t *testing.T, text string) *model.Output {
	t.Helper()
	written, err := value.ParseJSON([]byte(text), 100)
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := schema.Compile(frontmatter.FromValue(written), "/output/schema", schema.Options{})
	if compiled == nil {
		t.Fatal(problems)
	}
	return model.SchemaOutput(compiled)
}
