package run_test

// This file makes each ending of a run happen, over HTTP where a provider has a
// part in it, and reads the recorded run (reasoning format, "How a run ends").

import (
	"context"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// asJSON asks for a verdict as JSON.
const asJSON = `output:
  format: json
  schema:
    type: object
    properties: { verdict: { type: string, enum: [approve, revise] } }
    required: [verdict]
    additionalProperties: false
`

// ending is one way for a run to end.
type ending struct {
	name   string
	route  wire.Route // OpenAI where it is left out
	front  string
	prompt string // brief where it is left out
	input  string // spring where it is left out
	reply  []double.Reply
	change func(*model.Configuration)

	problem   problem.Name
	http      int
	kind      string
	because   string
	detail    string // a part of it
	pointer   string // of the first issue
	issue     string // a part of that
	requests  int    // that the provider received
	spent     bool   // the record holds usage and duration_ms
	callEvent string // of the history, beside the start and the end
}

const (
	answered = "model_call_answered"
	failed   = "model_call_failed"
)

func fail(status int, code, message string) []double.Reply {
	return []double.Reply{double.Fail(wire.OpenAI, status, code, message)}
}

var endings = []ending{
	{
		name: "the input does not match the schema", front: "input: { schema: { type: object, required: [brief, criteria] } }\n",
		problem: problem.InvalidInput, http: 422, pointer: "/input/criteria", issue: "Missing",
	},
	{
		name: "the input is a list", input: `[1.0,{"a":"é"}]`,
		problem: problem.InvalidInput, http: 422, pointer: "/input", issue: "Expected object",
	},
	{
		name: "the input is a text", input: `"Spring launch"`,
		problem: problem.InvalidInput, http: 422, pointer: "/input", issue: "Expected object",
	},
	{
		name: "the template reads a missing field", prompt: "\nBrief: {{ input.budget }}",
		problem: problem.InvalidInput, http: 422, pointer: "/input/budget", issue: "Line 6: ",
	},
	{
		name: "a filter refuses a value", prompt: "{{ input.brief | money }}",
		problem: problem.InvalidInput, http: 422, pointer: "/input", issue: "Line 5: ",
	},
	{
		name: "a render limit is reached", prompt: "{% for i in (1..100000000) %}{{ input.brief }}{% endfor %}",
		problem: problem.InvalidInput, http: 422, pointer: "/input", issue: "Line 5: ",
	},
	{
		name: "the message renders empty", prompt: "{% if input.vip %}Hello{% endif %}",
		problem: problem.InvalidInput, http: 422, pointer: "/input", issue: "The message renders empty",
	},
	{
		name: "the model refuses the content", reply: []double.Reply{double.Give(wire.OpenAI, double.Answer{Refusal: "I cannot help with that."})},
		problem: problem.InvalidInput, http: 422, pointer: "/input", issue: "The model refused this input under its content policy",
		requests: 1, spent: true, callEvent: failed,
	},
	{
		name: "the provider refuses the content", route: wire.Azure, reply: []double.Reply{double.FilteredPrompt()},
		problem: problem.InvalidInput, http: 422, pointer: "/input", issue: "The model refused this input under its content policy",
		requests: 1, callEvent: failed,
	},
	{
		name: "the model is not found", reply: fail(404, "model_not_found", "The model does not exist"),
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "openai answered HTTP 404: the model was not found", requests: 1, callEvent: failed,
	},
	{
		name: "a setting is refused", front: "config: { temperature: 3 }\n", reply: fail(400, "invalid_value", "temperature must be at most 2"),
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "openai answered HTTP 400: the request was rejected as invalid", requests: 1, callEvent: failed,
	},
	{
		name: "the schema is refused twice", front: asJSON, reply: []double.Reply{double.RefusedSchema("text.format.schema"), double.RefusedSchema("temperature")},
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "The answer schema was not the cause", requests: 2, callEvent: failed,
	},
	{
		name: "an option is not the gateway's", route: wire.Gateway, front: "provider_options: { gateway: { user: ana } }\n",
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "provider_options.gateway.user is not allowed by gateway",
	},
	{
		name: "nothing reads a namespace", front: "provider_options: { house: { user: ana } }\n",
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "provider_options.house is read by no configured provider",
	},
	{
		name: "a JSON answer is cut off", front: asJSON, reply: []double.Reply{double.Give(wire.OpenAI, double.Answer{Text: `{"verdict":`, Finish: "max_output_tokens"})},
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "raise config.max_output_tokens", requests: 1, spent: true, callEvent: failed,
	},
	{
		name: "the answer is too large", reply: []double.Reply{double.Say(wire.OpenAI, strings.Repeat("long ", 300_000))},
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "lower config.max_output_tokens", requests: 1, spent: true, callEvent: answered,
	},
	{
		name: "the request is too long", reply: fail(413, "", "Request too large"),
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "refused the request as too long (HTTP 413)", requests: 1, callEvent: failed,
	},
	{
		name: "the context is too short", reply: fail(400, "context_length_exceeded", "This model's maximum context length is 8192 tokens"),
		problem: problem.Conflict, http: 409, kind: "unworkable", detail: "shorten the prompt or the input", requests: 1, callEvent: failed,
	},
	{
		name: "the model is not allowed", change: func(c *model.Configuration) { c.Allowed = []string{"openai/gpt-5"} },
		problem: problem.Unavailable, http: 503, kind: "model_not_offered", because: "model_not_allowed",
		detail: "openai/gpt-4.1-mini is not one of the models this server offers",
	},
	{
		name: "no provider is configured", change: func(c *model.Configuration) { c.Providers = nil },
		problem: problem.Unavailable, http: 503, detail: "No model provider is configured; the operator must set one up, and auto doctor says what is missing",
	},
	{
		name: "another provider is configured", change: func(c *model.Configuration) { c.Providers[0].Endpoint.Provider = "house" },
		problem: problem.Unavailable, http: 503, kind: "model_not_offered", because: "provider_not_configured",
		detail: "openai is not configured. Configured providers: house",
	},
	{
		name: "the credentials are refused", reply: fail(401, "invalid_api_key", "Incorrect API key"),
		problem: problem.Unavailable, http: 503, detail: "openai rejected the credentials (HTTP 401)", requests: 1, callEvent: failed,
	},
	{
		name: "the rate is limited", reply: []double.Reply{double.Fail(wire.OpenAI, 429, "rate_limit_exceeded", "Slow down").After("7")},
		problem: problem.Unavailable, http: 503, detail: "try again in 7 seconds", requests: 3, callEvent: failed,
	},
	{
		name: "the provider cannot serve", reply: fail(503, "", "Overloaded"),
		problem: problem.Unavailable, http: 503, detail: "openai cannot serve the request now (HTTP 503); try again later", requests: 3, callEvent: failed,
	},
	{
		name: "the provider cannot be reached", reply: []double.Reply{{Fault: double.Drop}},
		problem: problem.Unavailable, http: 503, detail: "openai could not be reached; try again later", requests: 3, callEvent: failed,
	},
	{
		name: "the answer cannot be read", reply: []double.Reply{{Body: "<html>"}},
		problem: problem.Unavailable, http: 503, detail: "try again later", requests: 1, callEvent: failed,
	},
	{
		name: "a JSON answer does not match", front: asJSON, reply: []double.Reply{double.Say(wire.OpenAI, `{"verdict":"maybe"}`)},
		problem: problem.Unavailable, http: 503, detail: "does not match the output schema after one correction: /verdict: ", pointer: "/verdict",
		requests: 2, spent: true, callEvent: failed,
	},
	{
		name: "the function calls tools", front: "tools: [chat/search]\n",
		problem: problem.Unavailable, http: 503, kind: "tool_not_offered", because: "tool_server_not_configured", detail: "The tool server chat is not configured",
	},
}

func (e ending) filled() ending {
	for _, field := range []struct {
		of    *string
		usual string
	}{{&e.prompt, brief}, {&e.input, spring}} {
		if *field.of == "" {
			*field.of = field.usual
		}
	}
	if e.route == "" {
		e.route = wire.OpenAI
	}
	return e
}

func TestEndings(t *testing.T) {
	t.Parallel()
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e := e.filled()
			provider := double.New(t, e.route, e.reply...)
			configuration := of(provider)
			if e.change != nil {
				e.change(&configuration)
			}
			h := newHouse(t, configuration)
			ended := h.do(t, request(review(e.route, e.front, e.prompt), e.input))
			e.hold(t, h, ended, len(provider.Requests()))
		})
	}
}

// hold compares a recorded run with the ending it must have.
func (e ending) hold(t *testing.T, h *house, ended *store.Run, requests int) {
	t.Helper()
	if ended.Status != store.Rejected || ended.Rejection == nil || ended.Output != nil {
		t.Fatalf("the run is %s", value.JSON(ended.Value()))
	}
	r := ended.Rejection
	if r.Type != problem.TypeBase+string(e.problem) || r.Status != e.http || r.Kind != e.kind || r.Because != e.because || !strings.Contains(r.Detail, e.detail) {
		t.Errorf("the rejection is %+v", r)
	}
	if e.pointer != "" && (len(r.Issues) == 0 || r.Issues[0].Pointer != e.pointer || !strings.Contains(r.Issues[0].Detail, e.issue)) {
		t.Errorf("the issues are %v, want %s: %s", r.Issues, e.pointer, e.issue)
	}
	if requests != e.requests {
		t.Errorf("the provider received %d requests, want %d", requests, e.requests)
	}
	switch {
	case e.spent && (ended.Record.Len() != 2 || !ended.Record.Has("usage") || !ended.Record.Has("duration_ms")):
		t.Errorf("the record is %s, want usage and duration_ms", value.JSON(ended.Record))
	case !e.spent && ended.Record != nil:
		t.Errorf("the record is %s, want none", value.JSON(ended.Record))
	}
	want := strings.Join(strings.Fields("run_started "+e.callEvent+" run_rejected"), " ")
	if got := h.history(t, ended.ID); got != want {
		t.Errorf("the history is %s, want %s", got, want)
	}
	if ended.Final != (e.problem == problem.InvalidInput) {
		t.Errorf("Final is %t", ended.Final)
	}
}

func TestAnUntrustedCertificate(t *testing.T) {
	t.Parallel()
	provider := double.NewTLS(t, wire.OpenAI, double.Say(wire.OpenAI, "Fine."))
	h := newHouse(t, of(provider))
	ended := h.do(t, request(review(wire.OpenAI, "", brief), spring))
	ending{problem: problem.Unavailable, http: 503, detail: "its TLS certificate is not trusted; the operator must act", callEvent: failed}.hold(t, h, ended, 0)
	if strings.Contains(value.JSON(ended.Value()), "NODE_EXTRA_CA_CERTS") || !strings.Contains(h.log.String(), "NODE_EXTRA_CA_CERTS") {
		t.Errorf("the hint is for the operator alone:\n%s", h.log)
	}
}

func TestNoAnswerInTime(t *testing.T) {
	t.Parallel()
	provider := double.New(t, wire.OpenAI)
	h := newHouse(t, of(provider))
	provider.Script(double.Reply{Fault: double.Silence, Waiting: h.clock.Expire})
	ended := h.do(t, request(review(wire.OpenAI, "", brief), spring))
	ending{problem: problem.Unavailable, http: 503, detail: "openai did not answer in time; try again later", requests: 1, callEvent: failed}.hold(t, h, ended, 1)
}

func TestTheCallerGoesAway(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]bool{"before the call": true, "while the model thinks": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			provider := double.New(t, wire.OpenAI, double.Reply{Fault: double.Silence, Waiting: cancel})
			h := newHouse(t, of(provider))
			if before {
				cancel()
			}
			ended, err := h.Do(ctx, request(review(wire.OpenAI, "", brief), spring))
			if err != nil {
				t.Fatal(err)
			}
			if ended.Status != store.Failed || ended.Rejection.Status != 499 || ended.Rejection.Kind != "interrupted" || ended.Final || ended.Record != nil {
				t.Errorf("the run is %s", value.JSON(ended.Value()))
			}
			if got := h.history(t, ended.ID); got != "run_started model_call_failed run_failed" {
				t.Errorf("the history is %s", got)
			}
			// It may be made again under its id.
			provider.Script(double.Say(wire.OpenAI, "Fine."))
			if again := h.do(t, request(review(wire.OpenAI, "", brief), spring)); again.Status != store.Succeeded || again.Attempt != 2 {
				t.Errorf("again it is %s", value.JSON(again.Value()))
			}
		})
	}
}

func TestRefusedWithoutARecord(t *testing.T) {
	t.Parallel()
	h := newHouse(t, model.Configuration{})
	sound := review(wire.OpenAI, "", brief)
	for name, c := range map[string]struct {
		request run.Request
		problem problem.Name
		pointer string
	}{
		"the document has problems": {request(review(wire.OpenAI, "config: { temperature: warm }\n", brief), spring), problem.Conflict, "/source"},
		"the input is too large":    {request(sound, `{"brief":"`+strings.Repeat("x", 256<<10)+`"}`), problem.InvalidInput, "/input"},
		"the input is too deep":     {request(sound, `{"a":`+strings.Repeat("[", 512)+strings.Repeat("]", 512)+`}`), problem.InvalidInput, "/input"},
		"a list that is too deep":   {request(sound, strings.Repeat("[", 513)+strings.Repeat("]", 513)), problem.InvalidInput, "/input"},
		"a text that is too large":  {request(sound, `"`+strings.Repeat("x", 256<<10)+`"`), problem.InvalidInput, "/input"},
		"the id is none":            {run.Request{ID: "a b", Type: request(sound, spring).Type, Name: "review", Source: []byte(sound)}, problem.InvalidInput, "/run_id"},
	} {
		rejection := h.refuses(t, c.request)
		if rejection.Type != problem.TypeBase+string(c.problem) || len(rejection.Issues) == 0 || rejection.Issues[0].Pointer != c.pointer {
			t.Errorf("%s: %+v", name, rejection)
		}
	}
	if page, _, err := h.store.List(store.Filter{}); err != nil || len(page) > 0 {
		t.Errorf("recorded are %v, %v", page, err)
	}
	// The bounds themselves are kept.
	deep := `{"a":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}`
	if ended := h.do(t, request(sound, deep)); ended.Rejection.Detail == "" || value.JSON(ended.Input) != deep {
		t.Errorf("an input of 512 levels is not recorded as it is")
	}
}
