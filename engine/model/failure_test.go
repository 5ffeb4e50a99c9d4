package model_test

import (
	"context"
	"strings"
	"testing"
	"time"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
)

// everyRoute are the routes that a double stands in for.
var everyRoute = append([]wire.Route{wire.Gateway}, wire.BuiltIn...)

// TestFailureKinds makes every row of the tables of "When a model call fails"
// happen over HTTP, and reads what a caller reads.
func TestFailureKinds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		route  wire.Route
		reply  double.Reply
		kind   model.Kind
		detail string
		calls  int
	}{
		{"401", wire.OpenAI, double.Fail(wire.OpenAI, 401, "invalid_api_key", "Incorrect API key provided: "+double.Key), model.CredentialsRejected, "openai rejected the credentials (HTTP 401)", 1},
		{"403", wire.Bedrock, double.Fail(wire.Bedrock, 403, "AccessDeniedException", "User is not authorized to perform: bedrock:InvokeModel"), model.CredentialsRejected, "bedrock rejected the credentials (HTTP 403)", 1},
		{"a key Google refuses", wire.Google, double.InvalidKey(), model.CredentialsRejected, "google rejected the credentials (HTTP 400)", 1},
		{"429 with a wait", wire.Anthropic, double.Fail(wire.Anthropic, 429, "rate_limit_error", "Slow down").After("12"), model.RateLimited, "anthropic limits the rate of requests; try again in 12 seconds", 3},
		{"429 without", wire.Vertex, double.Fail(wire.Vertex, 429, "RESOURCE_EXHAUSTED", "Quota exceeded"), model.RateLimited, "vertex limits the rate of requests; try again later", 3},
		{"429 with the words of a request too long", wire.OpenAI, double.Fail(wire.OpenAI, 429, "rate_limit_exceeded", "Over the maximum context length for this minute"), model.RateLimited, "openai limits the rate of requests; try again later", 3},
		{"408", wire.Gateway, double.Fail(wire.Gateway, 408, "", "Timeout"), model.ProviderUnavailable, "gateway cannot serve the request now (HTTP 408); try again later", 3},
		{"409", wire.Gateway, double.Fail(wire.Gateway, 409, "", "Conflict"), model.ProviderUnavailable, "gateway cannot serve the request now (HTTP 409); try again later", 3},
		{"500", wire.OpenAI, double.Fail(wire.OpenAI, 500, "server_error", "Oops"), model.ProviderUnavailable, "openai cannot serve the request now (HTTP 500); try again later", 3},
		{"529", wire.Anthropic, double.Fail(wire.Anthropic, 529, "overloaded_error", "Overloaded"), model.ProviderUnavailable, "anthropic cannot serve the request now (HTTP 529); try again later", 3},
		{"a page in place of JSON", wire.Gateway, double.Reply{Status: 502, Body: "<html><h1>502 Bad Gateway</h1></html>"}, model.ProviderUnavailable, "gateway cannot serve the request now (HTTP 502); try again later", 3},
		{"a dropped connection", wire.Gateway, double.Reply{Fault: double.Drop}, model.ProviderUnavailable, "gateway could not be reached; try again later", 3},
		{"a body that breaks off", wire.Gateway, double.Reply{Fault: double.BreakOff, Body: `{"choices":[`}, model.ProviderUnavailable, "gateway answered in a way that cannot be read; try again later", 1},
		{"200 that is not JSON", wire.Gateway, double.Reply{Body: "OK"}, model.ProviderUnavailable, "gateway answered in a way that cannot be read; try again later", 1},
		{"200 without choices", wire.Gateway, double.Reply{Body: `{"id":"x","choices":null}`}, model.ProviderUnavailable, "gateway answered in a way that cannot be read; try again later", 1},
		{"200 without content", wire.Anthropic, double.Reply{Body: `{"id":"x","type":"message"}`}, model.ProviderUnavailable, "anthropic answered in a way that cannot be read; try again later", 1},
		{"200 without output", wire.OpenAI, double.Reply{Body: `{"id":"x"}`}, model.ProviderUnavailable, "openai answered in a way that cannot be read; try again later", 1},
		{"200 without candidates", wire.Google, double.Reply{Body: `{"usageMetadata":{}}`}, model.ProviderUnavailable, "google answered in a way that cannot be read; try again later", 1},
		{"200 without a message", wire.Bedrock, double.Reply{Body: `{"stopReason":"end_turn"}`}, model.ProviderUnavailable, "bedrock answered in a way that cannot be read; try again later", 1},
		{"200 that is a list", wire.Vertex, double.Reply{Body: `[]`}, model.ProviderUnavailable, "vertex answered in a way that cannot be read; try again later", 1},
		{"200 with an upstream's 502", wire.Gateway, double.Reply{Body: `{"error":{"message":"Provider returned error","code":502}}`}, model.ProviderUnavailable, "gateway cannot serve the request now (HTTP 502); try again later", 1},
		{"200 with an upstream's 429", wire.Gateway, double.Reply{Body: `{"error":{"message":"Provider returned error","code":429}}`}, model.RateLimited, "gateway limits the rate of requests; try again later", 1},
		{"200 with an upstream's 404", wire.Gateway, double.Reply{Body: `{"error":{"message":"No such model","code":404}}`}, model.DefinitionInvalid, "gateway answered HTTP 404: the model was not found; update the reasoning function definition", 1},
		{"200 with an error in words", wire.Gateway, double.Reply{Body: `{"error":"it is raining"}`}, model.ProviderUnavailable, "gateway answered with an error; try again later", 1},
		{"a failed response", wire.OpenAI, double.Reply{Body: `{"id":"r","status":"failed","error":{"code":"server_error","message":"The model failed"},"output":[]}`}, model.ProviderUnavailable, "openai answered with an error; try again later", 1},
		{"a redirect", wire.Gateway, double.Reply{Status: 307, Fault: double.Redirect, Body: "http://127.0.0.1:9/elsewhere"}, model.ProviderUnavailable, "gateway answered HTTP 307, which cannot be read; try again later", 1},
		{"400", wire.Gateway, double.Fail(wire.Gateway, 400, "invalid_value", "temperature is too high"), model.DefinitionInvalid, "gateway answered HTTP 400: the request was rejected as invalid (invalid_value); update the reasoning function definition", 1},
		{"404", wire.Gateway, double.Reply{Status: 404, Body: `{"error":"model not found"}`}, model.DefinitionInvalid, "gateway answered HTTP 404: the model was not found; update the reasoning function definition", 1},
		{"404 from Anthropic", wire.Anthropic, double.Fail(wire.Anthropic, 404, "not_found_error", "model: claude-nope"), model.DefinitionInvalid, "anthropic answered HTTP 404: the model was not found (not_found_error); update the reasoning function definition", 1},
		{"404 from Bedrock", wire.Bedrock, double.Fail(wire.Bedrock, 404, "ResourceNotFoundException", "Model not found."), model.DefinitionInvalid, "bedrock answered HTTP 404: the model was not found (ResourceNotFoundException); update the reasoning function definition", 1},
		{"422", wire.Gateway, double.Reply{Status: 422, Body: `{"detail":"Unprocessable"}`}, model.DefinitionInvalid, "gateway answered HTTP 422: the request was rejected as invalid; update the reasoning function definition", 1},
		{"a code that repeats the status", wire.Gateway, double.Reply{Status: 400, Body: `{"error":{"message":"no","code":"400"}}`}, model.DefinitionInvalid, "gateway answered HTTP 400: the request was rejected as invalid; update the reasoning function definition", 1},
		{"402", wire.Gateway, double.Reply{Status: 402, Body: `{"error":{"message":"Pay","code":"insufficient_quota"}}`}, model.DefinitionInvalid, "gateway answered HTTP 402: the request was not accepted (insufficient_quota); update the reasoning function definition", 1},
		{"a long code", wire.Gateway, double.Reply{Status: 400, Body: `{"error":{"code":"` + strings.Repeat("é", 80) + `"}}`}, model.DefinitionInvalid, "gateway answered HTTP 400: the request was rejected as invalid (" + strings.Repeat("é", 64) + "); update the reasoning function definition", 1},
		{"413", wire.Anthropic, double.Reply{Status: 413, Body: "<html>413 Request Entity Too Large</html>"}, model.RequestTooLong, "anthropic refused the request as too long (HTTP 413); shorten the prompt or the input", 1},
		{"too long by its code", wire.OpenAI, double.Fail(wire.OpenAI, 400, "context_length_exceeded", "Your input is too long"), model.RequestTooLong, "openai refused the request as too long (the error code context_length_exceeded); shorten the prompt or the input", 1},
		{"too long by its type", wire.Anthropic, double.Fail(wire.Anthropic, 400, "request_too_large", "Too big"), model.RequestTooLong, "anthropic refused the request as too long (the error code request_too_large); shorten the prompt or the input", 1},
		{"too long by a string", wire.Gateway, double.Fail(wire.Gateway, 400, "string_above_max_length", "Too big"), model.RequestTooLong, "gateway refused the request as too long (the error code string_above_max_length); shorten the prompt or the input", 1},
		{"too long by Anthropic's words", wire.Anthropic, double.Fail(wire.Anthropic, 400, "invalid_request_error", "prompt is too long: 213462 tokens > 200000 maximum"), model.RequestTooLong, "anthropic refused the request as too long (its error message); shorten the prompt or the input", 1},
		{"too long by a gateway's words", wire.Gateway, double.Reply{Status: 400, Body: `{"error":{"message":"litellm.ContextWindowExceededError: no","code":"400"}}`}, model.RequestTooLong, "gateway refused the request as too long (its error message); shorten the prompt or the input", 1},
		{"too long by vLLM's words", wire.Gateway, double.Reply{Status: 400, Body: `{"object":"error","message":"This model's maximum context length is 8192 tokens.","code":400}`}, model.RequestTooLong, "gateway refused the request as too long (its error message); shorten the prompt or the input", 1},
		{"a filtered prompt", wire.Azure, double.FilteredPrompt(), model.ContentRefused, "The model refused this input under its content policy", 1},
		{"a content policy", wire.Gateway, double.Fail(wire.Gateway, 400, "content_policy_violation", "No"), model.ContentRefused, "The model refused this input under its content policy", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, test.route, test.reply)
			_, failure := benchOf(server).fails(t, callOf(test.route))
			if failure.Kind != test.kind || failure.Detail(model.Tools{}) != test.detail {
				t.Errorf("got  %s: %s\nwant %s: %s", failure.Kind, failure.Detail(model.Tools{}), test.kind, test.detail)
			}
			if got := len(server.Requests()); got != test.calls {
				t.Errorf("%d requests, want %d", got, test.calls)
			}
		})
	}
}

// TestStoppedAnswers reads answers that a policy or a refusal stopped, on every
// route that has a word for it.
func TestStoppedAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		route  wire.Route
		answer double.Answer
	}{
		{wire.OpenAI, double.Answer{Text: "I", Finish: "content_filter"}},
		{wire.OpenAI, double.Answer{Refusal: "I cannot help with that."}},
		{wire.Azure, double.Answer{Finish: "content_filter"}},
		{wire.Gateway, double.Answer{Finish: "content_filter"}},
		{wire.Gateway, double.Answer{Refusal: "I cannot help with that."}},
		{wire.Anthropic, double.Answer{Finish: "refusal"}},
		{wire.BedrockAnthropic, double.Answer{Finish: "refusal"}},
		{wire.VertexAnthropic, double.Answer{Finish: "refusal"}},
		{wire.Google, double.Answer{Finish: "SAFETY"}},
		{wire.Vertex, double.Answer{Finish: "PROHIBITED_CONTENT"}},
		{wire.Bedrock, double.Answer{Finish: "guardrail_intervened"}},
		{wire.Bedrock, double.Answer{Finish: "content_filtered"}},
	} {
		server := double.New(t, test.route, double.Give(test.route, test.answer))
		outcome, failure := benchOf(server).fails(t, callOf(test.route))
		rejection := failure.Rejection(model.Tools{})
		if failure.Kind != model.ContentRefused || rejection.Status != 422 || len(rejection.Issues) != 1 || rejection.Issues[0].Pointer != "/input" {
			t.Errorf("%s %+v: %s %+v", test.route, test.answer, failure.Kind, rejection)
		}
		if !outcome.HasUsage || *outcome.Usage.Total != 26 {
			t.Errorf("%s: the tokens of a refused answer are lost: %+v", test.route, outcome.Usage)
		}
	}
}

// TestTextAnswers reads a whole text, and one that was cut off, on every route.
func TestTextAnswers(t *testing.T) {
	t.Parallel()
	cuts := map[wire.Route]string{
		wire.OpenAI: "max_output_tokens", wire.Azure: "max_output_tokens", wire.Gateway: "length", wire.Google: "MAX_TOKENS", wire.Vertex: "MAX_TOKENS",
	}
	for _, route := range everyRoute {
		cut := cuts[route]
		if cut == "" {
			cut = "max_tokens"
		}
		server := double.New(t, route, double.Give(route, double.Answer{Text: "The brief is ready.", Input: 1200, Cached: 1000, Output: 30}),
			double.Give(route, double.Answer{Text: "The brief", Finish: cut}))
		bench := benchOf(server)
		outcome := bench.answers(t, callOf(route))
		if outcome.Answer.Text != "The brief is ready." || outcome.Answer.FinishReason != wire.Stop || outcome.OutputMode != "" {
			t.Errorf("%s: %+v", route, outcome.Answer)
		}
		if *outcome.Usage.Input.Total != 1200 || *outcome.Usage.Input.CacheRead != 1000 || *outcome.Usage.Input.Uncached != 200 || *outcome.Usage.Total != 1230 {
			t.Errorf("%s: %+v", route, outcome.Usage)
		}
		if outcome.Answer.ResponseID == "" || outcome.RequestBytes != int64(len(server.Requests()[0].Body)) {
			t.Errorf("%s: id %q, %d bytes", route, outcome.Answer.ResponseID, outcome.RequestBytes)
		}
		if cut := bench.answers(t, callOf(route)); cut.Answer.FinishReason != wire.Length {
			t.Errorf("%s: a cut-off text ends as %s", route, cut.Answer.FinishReason)
		}
		if bench.log.Len() > 0 {
			t.Errorf("%s logs %s", route, bench.log)
		}
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	busy := double.Fail(wire.Gateway, 503, "", "Busy")
	for _, test := range []struct {
		name    string
		replies []double.Reply
		slept   []time.Duration
	}{
		{"twice", []double.Reply{busy, busy, double.Say(wire.Gateway, "Ready")}, []time.Duration{2 * time.Second, 4 * time.Second}},
		{"a short retry-after", []double.Reply{busy.After("7"), double.Say(wire.Gateway, "Ready")}, []time.Duration{7 * time.Second}},
		{"none at all", []double.Reply{busy.After("0"), double.Say(wire.Gateway, "Ready")}, []time.Duration{0}},
		{"a retry-after of a minute", []double.Reply{busy.After("60"), double.Say(wire.Gateway, "Ready")}, []time.Duration{2 * time.Second}},
		{"a date", []double.Reply{busy.After("Sun, 01 Mar 2026 09:00:09 GMT"), double.Say(wire.Gateway, "Ready")}, []time.Duration{9 * time.Second}},
		{"no number", []double.Reply{busy.After("soon"), double.Say(wire.Gateway, "Ready")}, []time.Duration{2 * time.Second}},
		{"a dropped connection", []double.Reply{{Fault: double.Drop}, double.Say(wire.Gateway, "Ready")}, []time.Duration{2 * time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, wire.Gateway, test.replies...)
			bench := benchOf(server)
			outcome := bench.answers(t, callOf(wire.Gateway))
			if len(server.Requests()) != len(test.replies) || outcome.Answer.Text != "Ready" {
				t.Errorf("%d requests, %q", len(server.Requests()), outcome.Answer.Text)
			}
			if len(bench.clock.Slept()) != len(test.slept) {
				t.Fatalf("slept %v", bench.clock.Slept())
			}
			for i, wait := range test.slept {
				if bench.clock.Slept()[i] != wait {
					t.Errorf("slept %v, want %v", bench.clock.Slept(), test.slept)
				}
			}
			if bench.log.Len() > 0 {
				t.Errorf("a call that succeeds logs nothing of an earlier attempt: %s", bench.log)
			}
			for _, request := range server.Requests() {
				if string(request.Body) != string(server.Requests()[0].Body) {
					t.Error("an attempt sends another body")
				}
			}
		})
	}
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		fault double.Fault
	}{{"silence", double.Silence}, {"a slow body", double.SlowBody}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var bench *bench
			server := double.New(t, wire.OpenAI, double.Reply{Fault: test.fault,
				Before:  func() { bench.clock.Advance(85599 * time.Millisecond) },
				Waiting: func() { bench.clock.Advance(time.Millisecond) }})
			bench = benchOf(server)
			outcome, failure := bench.fails(t, callOf(wire.OpenAI))
			if failure.Kind != model.TimedOut || failure.Detail(model.Tools{}) != "openai did not answer in time; try again later" {
				t.Errorf("got %s: %s", failure.Kind, failure.Detail(model.Tools{}))
			}
			if outcome.Duration != 85600*time.Millisecond || outcome.HasUsage {
				t.Errorf("took %v, usage %v", outcome.Duration, outcome.HasUsage)
			}
		})
	}
	t.Run("a wait that would pass it", func(t *testing.T) {
		t.Parallel()
		server := double.New(t, wire.OpenAI, double.Fail(wire.OpenAI, 429, "rate_limit_exceeded", "Slow down").After("59"))
		bench := benchOf(server)
		_, failure := bench.fails(t, callOf(wire.OpenAI))
		if failure.Kind != model.RateLimited || len(server.Requests()) != 2 || bench.clock.Now().Sub(clockdouble.Began) != 59*time.Second {
			t.Errorf("%s after %d requests", failure.Kind, len(server.Requests()))
		}
	})
	t.Run("the run's own bound", func(t *testing.T) {
		t.Parallel()
		var bench *bench
		server := double.New(t, wire.OpenAI, double.Reply{Fault: double.Silence, Before: func() { bench.clock.Advance(5 * time.Second) }})
		bench = benchOf(server)
		_, failure := bench.fails(t, callOf(wire.OpenAI, func(call *model.Call) { call.Room.Until = bench.clock.Now().Add(5 * time.Second) }))
		if failure.Kind != model.TimedOut {
			t.Errorf("got %s", failure.Kind)
		}
	})
}

func TestCallTime(t *testing.T) {
	t.Parallel()
	if got := model.CallTime(1024); got != 85600*time.Millisecond {
		t.Errorf("1,024 tokens give %v", got)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server := double.New(t, wire.Anthropic, double.Reply{Fault: double.Silence, Before: cancel})
	bench := benchOf(server)
	_, err := bench.client.Call(ctx, callOf(wire.Anthropic))
	failure, _ := model.AsFailure(err)
	if failure == nil || failure.Kind != model.Cancelled || failure.Rejection(model.Tools{}) != nil || bench.log.Len() > 0 {
		t.Errorf("got %+v, log %s", failure, bench.log)
	}
}

func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	server := double.NewTLS(t, wire.Gateway, double.Say(wire.Gateway, "Ready"))
	bench := benchOf(server)
	_, failure := bench.fails(t, callOf(wire.Gateway))
	rejection := failure.Rejection(model.Tools{})
	if failure.Kind != model.ProviderNotConfigured || rejection.Detail != "gateway could not be called: its TLS certificate is not trusted; the operator must act" || rejection.Kind != "" {
		t.Errorf("got %s, %+v", failure.Kind, rejection)
	}
	if len(bench.clock.Slept()) > 0 {
		t.Error("an untrusted certificate is tried again")
	}
	entries := bench.entries(t)
	want := "Model provider gateway could not be called: The TLS certificate of gateway is not trusted; add its certificate authority with NODE_EXTRA_CA_CERTS"
	if len(entries) != 1 || entries[0].Message != want || entries[0].Level != "WARN" || entries[0].Annotations["model"] != "gateway/llama-3.3-70b" {
		t.Errorf("logged %+v", entries)
	}
	if _, has := entries[0].Annotations["status"]; has {
		t.Error("a hint has no status")
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway)
	bench := benchOf(server, func(provider *model.Provider) {
		provider.Query = []wire.Header{{Name: "key", Value: "query-secret-123"}}
	})
	server.Close()
	_, failure := bench.fails(t, callOf(wire.Gateway))
	if failure.Kind != model.ProviderUnavailable || len(bench.clock.Slept()) != 2 {
		t.Errorf("%s after %v", failure.Kind, bench.clock.Slept())
	}
	if strings.Contains(bench.log.String(), "query-secret") || !strings.Contains(bench.log.String(), `"status":null`) {
		t.Errorf("logged %s", bench.log)
	}
}

// TestTooLongWithTools gives the words for a request that the run's tools made
// too long.
func TestTooLongWithTools(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Anthropic, double.Reply{Status: 413})
	_, failure := benchOf(server).fails(t, callOf(wire.Anthropic))
	got := failure.Detail(model.Tools{Called: true, ResultBytes: 812345, InputTokens: 190000})
	want := "anthropic refused the request as too long (HTTP 413); the run's tools returned 812345 bytes, and the provider counted 190000 input tokens for the last step; ask the tools for a page, and move each read into a lookup function, whose read keeps only the part the job needs"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
