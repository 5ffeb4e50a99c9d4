package model_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

const verdictSchema = `{"type":"object","properties":{"verdict":{"type":"string"},"score":{"type":"number"}},"required":["verdict"],"additionalProperties":false}`

func verdictCall(t *testing.T, route wire.Route, changes ...func(*model.Call)) *model.Call {
	call := callOf(route, changes...)
	call.Output = outputOf(t, verdictSchema)
	return call
}

// strict makes a gateway one with structured outputs.
func strict(provider *model.Provider) { provider.StructuredOutputs = true }

func TestJSONOnEveryRoute(t *testing.T) {
	t.Parallel()
	asked := map[wire.Route]string{
		wire.OpenAI: `"json_schema"`, wire.Azure: `"json_schema"`, wire.Gateway: `"response_format"`, wire.Anthropic: `"output_config"`,
		wire.BedrockAnthropic: `"output_config"`, wire.VertexAnthropic: `"tool_choice":{"type":"any"`, wire.Google: `"responseJsonSchema"`,
		wire.Vertex: `"responseJsonSchema"`, wire.Bedrock: `"output_config"`,
	}
	for _, route := range everyRoute {
		server := double.New(t, route, double.Say(route, `{"verdict":"ready","score":null}`))
		outcome := benchOf(server, strict).answers(t, verdictCall(t, route))
		if got := value.JSON(outcome.Value); got != `{"verdict":"ready"}` || outcome.OutputMode != model.PortableMode {
			t.Errorf("%s: %s as %s", route, got, outcome.OutputMode)
		}
		if outcome.Answer.Text != `{"verdict":"ready","score":null}` {
			t.Errorf("%s: the answer as the model wrote it is %s", route, outcome.Answer.Text)
		}
		if body := string(server.Requests()[0].Body); !strings.Contains(body, asked[route]) {
			t.Errorf("%s is not asked for JSON: %s", route, body)
		}
	}
}

func TestDescribed(t *testing.T) {
	t.Parallel()
	told := "Review the brief against the house rules.\n\nAnswer with only a JSON value that matches this JSON Schema, and no other text. Leave out a property that is not required when you have no value for it.\n" + verdictSchema
	for _, test := range []struct{ name, answer, want string }{
		{"plain", ` {"verdict":"ready"} `, `{"verdict":"ready"}`},
		{"a fence", "```json\n{\"verdict\":\"ready\"}\n```", `{"verdict":"ready"}`},
		{"a bare fence", "```\r\n{\"verdict\":\"ready\"}\r\n```\n", `{"verdict":"ready"}`},
		{"four backticks", "````\n{\"verdict\":\"```\"}\n````", "{\"verdict\":\"```\"}"},
		{"prose", `Here it is: {"verdict":"ready"}`, ""},
		{"a fence within a text", "```json\n{\"verdict\":\"```js\"}\n```", "{\"verdict\":\"```js\"}"},
		{"tildes", "~~~ json\n{\"verdict\":\"~~~\"}\n  ~~~~  ", `{"verdict":"~~~"}`},
		{"a fence that other marks do not close", "~~~\n{\"verdict\":\"ready\"}\n```", ""},
		{"a fence that fewer marks do not close", "````\n{\"verdict\":\"ready\"}\n```", ""},
		{"a fence that is closed too far in", "```\n{\"verdict\":\"ready\"}\n    ```", ""},
		{"an empty fence", "```json\n```", ""},
		{"prose around a fence", "Sure:\n```json\n{\"verdict\":\"ready\"}\n```", ""},
		{"two fences", "```json\n{\"verdict\":\"ready\"}\n```\n```json\n{}\n```", ""},
		{"an open fence", "```json\n{\"verdict\":\"ready\"}", ""},
		{"null is not left out", `{"verdict":"ready","score":null}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, wire.Gateway, double.Say(wire.Gateway, test.answer))
			outcome, err := benchOf(server).client.Call(t.Context(), verdictCall(t, wire.Gateway))
			if outcome.OutputMode != model.DescribedMode || outcome.HasValue != (test.want != "") {
				t.Fatalf("%+v, %v", outcome, err)
			}
			if test.want != "" && value.JSON(outcome.Value) != test.want {
				t.Errorf("read %s", value.JSON(outcome.Value))
			}
			first := server.Requests()[0].JSON()
			if _, has := first["response_format"]; has {
				t.Error("a gateway without structured outputs is sent response_format")
			}
			if got := first["messages"].([]any)[0].(map[string]any)["content"]; got != told {
				t.Errorf("told %q", got)
			}
		})
	}
}

func TestSchemaThatIsNotPortable(t *testing.T) {
	t.Parallel()
	for _, route := range everyRoute {
		server := double.New(t, route, double.Say(route, `{"verdict":"ready"}`))
		call := verdictCall(t, route)
		call.Output.Portable = nil
		call.Instructions = ""
		outcome := benchOf(server, strict).answers(t, call)
		body := string(server.Requests()[0].Body)
		if outcome.OutputMode != model.DescribedMode || !strings.Contains(body, "Answer with only a JSON value") || strings.Contains(body, "responseJsonSchema") || strings.Contains(body, "json_schema") {
			t.Errorf("%s: %s, %s", route, outcome.OutputMode, body)
		}
	}
}

func TestCorrection(t *testing.T) {
	t.Parallel()
	for _, route := range everyRoute {
		server := double.New(t, route, double.Give(route, double.Answer{Text: `{"score":"high"}`, Input: 100, Output: 10}),
			double.Give(route, double.Answer{Text: `{"verdict":"ready","score":1}`, Input: 150, Output: 12}))
		outcome := benchOf(server, strict).answers(t, verdictCall(t, route))
		repair := outcome.Repair
		if value.JSON(outcome.Value) != `{"verdict":"ready","score":1}` || repair == nil || repair.Outcome != "repaired" || len(repair.Issues) == 0 {
			t.Fatalf("%s: %s, %+v", route, value.JSON(outcome.Value), repair)
		}
		if *outcome.Usage.Total != 272 || *repair.Usage.Total != 162 || repair.Duration == nil {
			t.Errorf("%s: %d tokens, %d of the correction", route, *outcome.Usage.Total, *repair.Usage.Total)
		}
		requests := server.Requests()
		if outcome.RequestBytes != int64(len(requests[0].Body)+len(requests[1].Body)) {
			t.Errorf("%s: %d bytes", route, outcome.RequestBytes)
		}
		second := string(requests[1].Body)
		for _, said := range []string{`{\"score\":\"high\"}`, `Your answer does not meet these rules of the answer's schema:\n- `, `\nAnswer again in full, following every rule.`} {
			if !strings.Contains(second, said) {
				t.Errorf("%s: the correction lacks %s: %s", route, said, second)
			}
		}
	}
}

// TestCorrectionOfAPortableAnswer: the model is told where its own JSON is
// wrong, and the run where the answer is.
func TestCorrectionOfAPortableAnswer(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, `{"value":[{"key":"bob","value":1},{"key":"alice","value":"two"}]}`), double.Say(wire.OpenAI, `{"value":[{"key":"alice","value":2}]}`))
	call := callOf(wire.OpenAI)
	call.Output = outputOf(t, `{"type":"object","additionalProperties":{"type":"number","maximum":10}}`)
	outcome := benchOf(server).answers(t, call)
	if value.JSON(outcome.Value) != `{"alice":2}` || outcome.OutputMode != model.PortableMode || outcome.Repair.Issues[0].Pointer != "/alice" {
		t.Errorf("%s, %+v", value.JSON(outcome.Value), outcome.Repair)
	}
	if body := string(server.Requests()[1].Body); !strings.Contains(body, `- /value/1/value: Expected number\n`) {
		t.Errorf("told %s", body)
	}
}

// TestLevelsOfAnAnswer: an answer nests at most 128 levels.
func TestLevelsOfAnAnswer(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","required":["rows"],"properties":{"rows":{"type":"array"}}}`
	for levels, fits := range map[int]bool{128: true, 129: false} {
		answer := `{"rows":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + `}`
		server := double.New(t, wire.Gateway, double.Say(wire.Gateway, answer))
		call := callOf(wire.Gateway)
		call.Output = outputOf(t, schema)
		outcome, err := benchOf(server).client.Call(t.Context(), call)
		if outcome.HasValue != fits || fits && value.JSON(outcome.Value) != answer {
			t.Errorf("%d levels: %v", levels, err)
		}
		if failure, _ := model.AsFailure(err); !fits && (failure == nil || failure.Kind != model.OutputInvalid || failure.Issues[0].Detail != "The answer nests more than 128 levels") {
			t.Errorf("%d levels: %v", levels, err)
		}
	}
}

// TestIssuesThatAreTold: the model and the caller are told 5 issues, and the record
// keeps up to 20 and the count of the rest.
func TestIssuesThatAreTold(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Say(wire.Gateway, `{"rows":[`+strings.Repeat("true,", 29)+`true]}`))
	call := callOf(wire.Gateway)
	call.Output = outputOf(t, `{"type":"object","required":["rows"],"properties":{"rows":{"type":"array","items":{"type":"number"}}}}`)
	outcome, err := benchOf(server).client.Call(t.Context(), call)
	failure, _ := model.AsFailure(err)
	if failure == nil || len(failure.Issues) != 5 || strings.Count(failure.Detail(model.Tools{}), "Expected number") != 5 {
		t.Errorf("the caller is told %+v", failure)
	}
	if told := string(server.Requests()[1].Body); strings.Count(told, `\n- /rows/`) != 5 {
		t.Errorf("the model is told %s", told)
	}
	if kept := outcome.Repair.Issues; len(kept) != 21 || kept[20].Detail != "10 more issues are not shown" {
		t.Errorf("recorded are %+v", kept)
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	shape, _ := schema.NamedOutputShape("categories")
	for _, route := range everyRoute {
		server := double.New(t, route, double.Say(route, `{"unit":null,"values":[{"name":"tins","value":3}]}`))
		call := callOf(route)
		call.Output = model.ShapeOutput(shape)
		outcome := benchOf(server, strict).answers(t, call)
		if value.JSON(outcome.Value) != `{"values":[{"name":"tins","value":3}]}` || outcome.OutputMode != model.PortableMode {
			t.Errorf("%s: %s as %s", route, value.JSON(outcome.Value), outcome.OutputMode)
		}
	}
}

// TestWarningsAreBounded: an outcome keeps 20 warnings, each once.
func TestWarningsAreBounded(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Say(wire.Gateway, "Ready"))
	configuration := model.Configuration{Providers: []model.Provider{server.Provider("mine")}}
	options := value.NewObject(25)
	for i := range 25 {
		name := fmt.Sprintf("other-%d", i)
		configuration.Providers = append(configuration.Providers, server.Provider(name))
		options.Set(name, value.NewObject(0))
	}
	outcome := newBench(configuration).answers(t, callOf(wire.Gateway, func(call *model.Call) { call.Model, call.Options = "mine/llama", options }))
	if len(outcome.Warnings) != 20 || !strings.Contains(outcome.Warnings[19], "other-19") {
		t.Errorf("kept are %q", outcome.Warnings)
	}
}

// TestCorrectionChangesNothingElse compares both requests: only the
// conversation grows.
func TestCorrectionChangesNothingElse(t *testing.T) {
	t.Parallel()
	for _, route := range everyRoute {
		server := double.New(t, route, double.Say(route, `not JSON`), double.Say(route, `{"verdict":"ready"}`))
		call := verdictCall(t, route)
		call.Tools = []wire.Tool{{Name: "graph__search", Description: "Searches.", InputSchema: value.NewObject(0)}}
		benchOf(server, strict).answers(t, call)
		first, second := server.Requests()[0].JSON(), server.Requests()[1].JSON()
		for _, key := range []string{"messages", "input", "contents"} {
			longer, _ := second[key].([]any)
			shorter, _ := first[key].([]any)
			if len(longer) != len(shorter)+2 && shorter != nil {
				t.Errorf("%s: %s grows from %d to %d", route, key, len(shorter), len(longer))
			}
			delete(first, key)
			delete(second, key)
		}
		a, _ := json.Marshal(first)
		b, _ := json.Marshal(second)
		if string(a) != string(b) {
			t.Errorf("%s: the second request differs\n%s\n%s", route, a, b)
		}
		if !strings.Contains(string(server.Requests()[1].Body), "Your answer is not JSON.") {
			t.Errorf("%s is not told that its answer is not JSON", route)
		}
	}
}

func TestCorrectionThatFails(t *testing.T) {
	t.Parallel()
	wrong := double.Say(wire.OpenAI, `{"score":"high"}`)
	busy := double.Fail(wire.OpenAI, 500, "server_error", "Oops")
	for _, test := range []struct {
		name, outcome, because, detail string
		replies                        []double.Reply
		calls                          int
		changes                        func(*model.Call)
	}{
		{name: "wrong again", outcome: "invalid", replies: []double.Reply{wrong, double.Say(wire.OpenAI, `{"verdict":1}`)}, calls: 2,
			detail: "The answer does not match the output schema after one correction: /verdict: Expected string; try again"},
		{name: "a tool beside an answer that fits", outcome: "invalid", replies: []double.Reply{wrong, double.Give(wire.OpenAI, double.Answer{Text: `{"verdict":"ready"}`, Calls: []double.Call{{ID: "c1", Name: "graph__search"}}})}, calls: 2,
			detail: "The answer does not match the output schema after one correction: The answer is not JSON; try again"},
		{name: "a tool in its place", outcome: "invalid", replies: []double.Reply{wrong, double.Give(wire.OpenAI, double.Answer{Calls: []double.Call{{ID: "c1", Name: "graph__search"}}})}, calls: 2,
			detail: "The answer does not match the output schema after one correction: The answer is not JSON; try again"},
		{name: "HTTP 500", outcome: "failed", because: "provider_unavailable", replies: []double.Reply{wrong, busy}, calls: 4,
			detail: "The answer does not match the output schema and the request for a correction failed: HTTP 500: /verdict: Missing"},
		{name: "too few tokens", outcome: "skipped", because: "input_tokens", replies: []double.Reply{wrong}, calls: 1, changes: func(call *model.Call) { call.Room.InputTokens = 50 },
			detail: "The answer does not match the output schema and no correction was attempted: too few input tokens were left: /verdict: Missing"},
		{name: "a small window", outcome: "skipped", because: "context_window", replies: []double.Reply{wrong}, calls: 1, changes: func(call *model.Call) { call.Room.ContextWindow = 30 },
			detail: "The answer does not match the output schema and no correction was attempted: it would not fit in the model's context window: /verdict: Missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, wire.OpenAI, test.replies...)
			call := verdictCall(t, wire.OpenAI)
			if test.changes != nil {
				test.changes(call)
			}
			outcome, failure := benchOf(server).fails(t, call)
			rejection := failure.Rejection(model.Tools{})
			if failure.Kind != model.OutputInvalid || rejection.Status != 503 || len(rejection.Issues) == 0 || !strings.HasPrefix(rejection.Detail, test.detail) {
				t.Errorf("got %s: %+v", failure.Kind, rejection)
			}
			if outcome.Repair == nil || outcome.Repair.Outcome != test.outcome || outcome.Repair.Because != test.because || (outcome.Repair.Issues == nil) != (test.outcome == "skipped") {
				t.Errorf("repair %+v", outcome.Repair)
			}
			if len(server.Requests()) != test.calls || !outcome.HasUsage || outcome.HasValue {
				t.Errorf("%d requests, %+v", len(server.Requests()), outcome)
			}
		})
	}
}

func TestCorrectionWithoutTime(t *testing.T) {
	t.Parallel()
	var bench *bench
	wrong := double.Say(wire.OpenAI, `{"score":"high"}`)
	wrong.Before = func() { bench.clock.Advance(50 * time.Second) }
	server := double.New(t, wire.OpenAI, wrong)
	bench = benchOf(server)
	outcome, _ := bench.fails(t, verdictCall(t, wire.OpenAI))
	if outcome.Repair.Outcome != "skipped" || outcome.Repair.Because != "time" || len(server.Requests()) != 1 {
		t.Errorf("%+v after %d requests", outcome.Repair, len(server.Requests()))
	}
}

// TestAnswersNotAskedForAgain: what one more request would not mend.
func TestAnswersNotAskedForAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		answer double.Answer
		kind   model.Kind
		status int
		detail string
		tools  model.Tools
	}{
		{"cut off", double.Answer{Text: `{"verdict":"re`, Finish: "max_output_tokens"}, model.OutputInvalid, 409,
			"The JSON answer was cut off at max_output_tokens; give each piece of work an answer holds a function of its own, or raise config.max_output_tokens", model.Tools{}},
		{"cut off after reading", double.Answer{Text: `{"verdict":"re`, Finish: "max_output_tokens"}, model.OutputInvalid, 409,
			"The JSON answer was cut off at max_output_tokens; move each read the job always makes into a lookup function and hand the function what it read, or raise config.max_output_tokens", model.Tools{Called: true}},
		{"cut off after acting", double.Answer{Text: `{"verdict":"re`, Finish: "max_output_tokens"}, model.OutputInvalid, 409,
			"The JSON answer was cut off at max_output_tokens; move each call the job always makes out of the function, a read into a lookup function and an act into an interaction function, or raise config.max_output_tokens", model.Tools{Called: true, Acted: true}},
		{"empty", double.Answer{Text: "  "}, model.OutputInvalid, 503, "The answer is empty; try again", model.Tools{}},
		{"filtered", double.Answer{Text: "{", Finish: "content_filter"}, model.ContentRefused, 422, "The model refused this input under its content policy", model.Tools{}},
		{"a refusal", double.Answer{Refusal: "No."}, model.ContentRefused, 422, "The model refused this input under its content policy", model.Tools{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, wire.OpenAI, double.Give(wire.OpenAI, test.answer))
			outcome, failure := benchOf(server).fails(t, verdictCall(t, wire.OpenAI))
			rejection := failure.Rejection(test.tools)
			if failure.Kind != test.kind || rejection.Status != test.status || rejection.Detail != test.detail {
				t.Errorf("got %s: %+v", failure.Kind, rejection)
			}
			if len(server.Requests()) != 1 || outcome.Repair != nil || !outcome.HasUsage {
				t.Errorf("%d requests, %+v", len(server.Requests()), outcome)
			}
		})
	}
}

func TestRefusedSchema(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		route wire.Route
		reply double.Reply
		again bool
	}{
		{"OpenAI's code", wire.OpenAI, double.RefusedSchema("text.format.schema"), true},
		{"a param alone", wire.Gateway, double.Reply{Status: 422, Body: `{"error":{"message":"no","param":"response_format.json_schema"}}`}, true},
		{"Anthropic's words", wire.Anthropic, double.Fail(wire.Anthropic, 400, "invalid_request_error", "output_config.format.schema: Schema is too complex"), true},
		{"Gemini's words", wire.Google, double.Fail(wire.Google, 400, "INVALID_ARGUMENT", "Request contains an invalid argument."), true},
		{"a gateway's words", wire.Gateway, double.Reply{Status: 400, Body: `{"error":"response_format is not supported by this model"}`}, true},
		{"Bedrock's words", wire.Bedrock, double.Fail(wire.Bedrock, 400, "ValidationException", "The structured output schema is too complex."), true},
		{"a temperature", wire.OpenAI, double.Reply{Status: 400, Body: `{"error":{"message":"Unsupported value for this schema","param":"temperature","code":"unsupported_value"}}`}, false},
		{"a model", wire.OpenAI, double.Fail(wire.OpenAI, 400, "model_not_found", "No such model with json_schema"), false},
		{"a key", wire.Google, double.InvalidKey(), false},
		{"content", wire.Azure, double.FilteredPrompt(), false},
		{"404", wire.Gateway, double.Reply{Status: 404, Body: `{"error":"no schema here"}`}, false},
		{"too long", wire.OpenAI, double.Fail(wire.OpenAI, 400, "context_length_exceeded", "The json_schema is long"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, test.route, test.reply, double.Say(test.route, "```json\n{\"verdict\":\"ready\"}\n```"))
			bench := benchOf(server, strict)
			outcome, err := bench.client.Call(t.Context(), verdictCall(t, test.route))
			if !test.again {
				if err == nil || len(server.Requests()) != 1 || outcome.Refusal != nil || outcome.OutputMode != model.PortableMode {
					t.Errorf("%d requests, %+v, %v", len(server.Requests()), outcome, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err, bench.log)
			}
			if outcome.OutputMode != model.DescribedMode || outcome.Refusal.Outcome != "described" || outcome.Refusal.Status != test.reply.Status || value.JSON(outcome.Value) != `{"verdict":"ready"}` {
				t.Errorf("%+v, %+v", outcome, outcome.Refusal)
			}
			second := string(server.Requests()[1].Body)
			if !strings.Contains(second, "Answer with only a JSON value") || strings.Contains(second, `"response_format"`) || strings.Contains(second, `"format"`) || strings.Contains(second, "responseJsonSchema") {
				t.Errorf("the second request is %s", second)
			}
			if outcome.RequestBytes != int64(len(server.Requests()[1].Body)) || *outcome.Usage.Total != 26 {
				t.Errorf("%d bytes, %d tokens", outcome.RequestBytes, *outcome.Usage.Total)
			}
			if len(bench.entries(t)) != 1 {
				t.Errorf("the operator is told %s", bench.log)
			}
		})
	}
}

func TestRefusedSchemaAgain(t *testing.T) {
	t.Parallel()
	refused := double.RefusedSchema("response_format")
	t.Run("refused again", func(t *testing.T) {
		t.Parallel()
		server := double.New(t, wire.Gateway, refused, double.Fail(wire.Gateway, 400, "invalid_value", "temperature"))
		bench := benchOf(server, strict)
		outcome, failure := bench.fails(t, verdictCall(t, wire.Gateway))
		rejection := failure.Rejection(model.Tools{})
		want := "gateway refused the request (HTTP 400): the request was rejected as invalid. The answer schema was not the cause; check the model's settings in the definition, such as temperature or reasoning, or choose another model"
		if rejection.Detail != want || rejection.Kind != "unworkable" || outcome.Refusal.Outcome != "refused_again" || len(bench.entries(t)) != 2 {
			t.Errorf("got %+v, %+v", rejection, outcome.Refusal)
		}
	})
	t.Run("no time", func(t *testing.T) {
		t.Parallel()
		var bench *bench
		slow := refused
		slow.Before = func() { bench.clock.Advance(50 * time.Second) }
		server := double.New(t, wire.Gateway, slow)
		bench = benchOf(server, strict)
		outcome, failure := bench.fails(t, verdictCall(t, wire.Gateway))
		rejection := failure.Rejection(model.Tools{})
		want := "gateway refused the request (HTTP 400): the request was rejected as invalid; too little time was left to ask again with the answer schema in the instructions; try again"
		if rejection.Detail != want || rejection.Status != 503 || rejection.Kind != "" || failure.Kind != model.DefinitionInvalid {
			t.Errorf("got %s, %+v", failure.Kind, rejection)
		}
		if *outcome.Refusal != (model.SchemaRefusal{Outcome: "skipped", Because: "time", Status: 400, Duration: 50000}) {
			t.Errorf("recorded %+v", outcome.Refusal)
		}
	})
	t.Run("limited", func(t *testing.T) {
		t.Parallel()
		server := double.New(t, wire.Gateway, refused, double.Fail(wire.Gateway, 429, "", "Slow down"))
		outcome, failure := benchOf(server, strict).fails(t, verdictCall(t, wire.Gateway))
		if failure.Kind != model.RateLimited || outcome.Refusal.Outcome != "described" || len(server.Requests()) != 4 {
			t.Errorf("%s, %+v, %d requests", failure.Kind, outcome.Refusal, len(server.Requests()))
		}
	})
	t.Run("described, then corrected", func(t *testing.T) {
		t.Parallel()
		server := double.New(t, wire.Gateway, refused, double.Say(wire.Gateway, "Here you are"), double.Say(wire.Gateway, `{"verdict":"ready"}`))
		outcome := benchOf(server, strict).answers(t, verdictCall(t, wire.Gateway))
		if outcome.Repair.Outcome != "repaired" || outcome.OutputMode != model.DescribedMode || len(server.Requests()) != 3 {
			t.Errorf("%+v", outcome)
		}
	})
}

func TestCost(t *testing.T) {
	t.Parallel()
	say := func(text, cost string) double.Reply {
		reply := double.Say(wire.Gateway, text)
		reply.Header = map[string]string{"x-cost": cost}
		return reply
	}
	for _, test := range []struct {
		costs []string
		want  float64
		none  bool
	}{{[]string{"0.25", "0.5"}, 0.75, false}, {[]string{"0.25", "free"}, 0.25, false}, {[]string{"", ""}, 0, true}, {[]string{"-1", "NaN"}, 0, true}} {
		server := double.New(t, wire.Gateway, say("no JSON", test.costs[0]), say(`{"verdict":"ready"}`, test.costs[1]))
		outcome := benchOf(server, func(provider *model.Provider) { provider.CostHeader = "X-Cost" }).answers(t, verdictCall(t, wire.Gateway))
		if (outcome.CostUSD == nil) != test.none || !test.none && *outcome.CostUSD != test.want {
			t.Errorf("%v cost %v", test.costs, outcome.CostUSD)
		}
	}
}

// TestToolsBesideJSON: an answer that calls tools is no answer yet.
func TestToolsBesideJSON(t *testing.T) {
	t.Parallel()
	for _, route := range everyRoute {
		server := double.New(t, route, double.Give(route, double.Answer{Calls: []double.Call{{ID: "call_1", Name: "graph__search", Input: map[string]any{"query": "tea"}}}}))
		call := verdictCall(t, route)
		call.Tools = []wire.Tool{{Name: "graph__search", Description: "Searches.", InputSchema: value.NewObject(0)}}
		outcome := benchOf(server, strict).answers(t, call)
		if outcome.HasValue || len(outcome.Answer.Calls) != 1 || outcome.Answer.Calls[0].ID != "call_1" || value.JSON(outcome.Answer.Calls[0].Input) != `{"query":"tea"}` || outcome.Answer.FinishReason != wire.CallsTools {
			t.Errorf("%s: %+v", route, outcome.Answer)
		}
	}
}

// TestTurnsReturn sends back what a provider wrote, with the results of its
// tools.
func TestTurnsReturn(t *testing.T) {
	t.Parallel()
	signed := map[wire.Route]string{wire.Google: `"thoughtSignature":"c2lnbmVk"`, wire.Vertex: `"thoughtSignature":"c2lnbmVk"`}
	for _, route := range everyRoute {
		server := double.New(t, route, double.Give(route, double.Answer{Text: "I will look.", Calls: []double.Call{{ID: "call_1", Name: "graph__search", Input: map[string]any{"query": "tea"}}}}), double.Say(route, "A blue tin."))
		bench := benchOf(server)
		tools := []wire.Tool{{Name: "graph__search", Description: "Searches.", InputSchema: value.NewObject(0)}}
		call := callOf(route, func(call *model.Call) { call.Tools = tools })
		first := bench.answers(t, call)
		call.Messages = append(call.Messages, wire.Message{Role: wire.Assistant, Native: first.Answer.Native, Text: first.Answer.Text, Calls: first.Answer.Calls},
			wire.Message{Role: wire.ToolResults, Results: []wire.ToolResult{{ID: "call_1", Name: "graph__search", Text: "a tin of tea, blue"}}})
		if second := bench.answers(t, call); second.Answer.Text != "A blue tin." {
			t.Errorf("%s: %+v", route, second.Answer)
		}
		body := string(server.Requests()[1].Body)
		for _, said := range []string{"I will look.", "graph__search", "a tin of tea, blue", signed[route]} {
			if !strings.Contains(body, said) {
				t.Errorf("%s: the second request lacks %s: %s", route, said, body)
			}
		}
	}
}
