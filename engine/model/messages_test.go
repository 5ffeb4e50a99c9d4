package model_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/value"
)

// TestProviderMessages: a provider's own words reach a caller only where the
// pages allow it, and the operator always.
func TestProviderMessages(t *testing.T) {
	t.Parallel()
	shown := func(provider *model.Provider) { provider.ShowsMessages = true }
	hidden := func(*model.Provider) {}
	reply := func(message string) double.Reply {
		return double.Fail(wire.OpenAI, 404, "model_not_found", message)
	}
	for _, test := range []struct {
		name   string
		change func(*model.Provider)
		reply  double.Reply
		said   string
	}{
		{"shown", shown, reply("The model gpt-9 does not exist"), "The model gpt-9 does not exist"},
		{"hidden", hidden, reply("upstream-7.internal has no gpt-9"), ""},
		{"the first line", shown, reply("No such model\nTry another\r\none"), "No such model"},
		{"300 characters", shown, reply(strings.Repeat("é", 400)), strings.Repeat("é", 300)},
		{"an empty line", shown, reply("  \nmore"), ""},
		{"JSON", shown, reply(`{"detail":"x"}`), ""},
		{"a list", shown, reply(`["x"]`), ""},
		{"a sentence in brackets", shown, reply(`[openai] no such model`), "[openai] no such model"},
		{"HTML", shown, reply(`<!DOCTYPE html><p>no`), ""},
		{"the raw body", shown, double.Reply{Status: 404, Body: "404 page not found"}, ""},
		{"a steered terminal", shown, reply("No\x1b[31m such\x07 model"), "No[31m such model"},
		{"a secret", shown, reply("No access with " + double.Key), "No access with [redacted]"},
		{"the prompt", shown, reply("You said: " + message), "You said: [prompt]"},
		{"the instructions", shown, reply(instructions + " is odd"), "[prompt] is odd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, wire.OpenAI, test.reply)
			bench := benchOf(server, test.change)
			_, failure := bench.fails(t, callOf(wire.OpenAI))
			_, said, _ := strings.Cut(failure.Detail(model.Tools{}), ". The provider said: ")
			if said != test.said {
				t.Errorf("said %q, want %q", said, test.said)
			}
			entries := bench.entries(t)
			if len(entries) != 1 || entries[0].Message != "Model provider openai answered with an error" || entries[0].Annotations["status"] != 404.0 {
				t.Fatalf("logged %+v", entries)
			}
			if text := bench.log.String(); strings.Contains(text, double.Key) || strings.Contains(text, message) {
				t.Errorf("logged %s", text)
			}
		})
	}
}

// TestLogShape is the line of the model settings page, word for word.
func TestLogShape(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Reply{Status: 404, Body: `{"error":{"message":"The model no-such-model-xyz does not exist on any upstream"}}`})
	bench := benchOf(server)
	bench.fails(t, callOf(wire.Gateway, func(call *model.Call) { call.Model = "gateway/no-such-model-xyz" }))
	want := `{"message":"Model provider gateway answered with an error","level":"WARN","annotations":{"provider":"gateway","model":"gateway/no-such-model-xyz","status":404,"run_id":"0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a","provider_message":"The model no-such-model-xyz does not exist on any upstream"}}` + "\n"
	if got := bench.log.String(); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestLoggedMessageIsBounded(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Reply{Status: 400, Body: `{"error":{"message":"` + strings.Repeat("long ", 4000) + `"}}`})
	bench := benchOf(server)
	bench.fails(t, callOf(wire.Gateway))
	if got := len(bench.entries(t)[0].Annotations["provider_message"].(string)); got != 2000 {
		t.Errorf("%d characters", got)
	}
}

func TestShortSecretsStay(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Reply{Status: 400, Body: `{"error":{"message":"hi token abc1234 and abcd1234"}}`})
	provider := server.Provider("gateway")
	provider.ShowsMessages = true
	bench := newBench(model.Configuration{Providers: []model.Provider{provider}, Secrets: []string{"abc1234", "abcd1234"}})
	_, failure := bench.fails(t, callOf(wire.Gateway, func(call *model.Call) { call.Messages[0].Text = "hi" }))
	if !strings.HasSuffix(failure.Detail(model.Tools{}), "The provider said: hi token abc1234 and [redacted]") {
		t.Errorf("got %s", failure.Detail(model.Tools{}))
	}
}

// TestACredentialBehindItsScheme: a header's secret is its whole value, and a
// provider may echo the token in it alone.
func TestACredentialBehindItsScheme(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Reply{Status: 400, Body: `{"error":{"message":"no access with house-token-1"}}`})
	provider := server.Provider("gateway")
	provider.ShowsMessages = true
	bench := newBench(model.Configuration{Providers: []model.Provider{provider}, Secrets: []string{"Bearer house-token-1"}})
	_, failure := bench.fails(t, callOf(wire.Gateway))
	if !strings.HasSuffix(failure.Detail(model.Tools{}), "no access with [redacted]") {
		t.Errorf("got %s", failure.Detail(model.Tools{}))
	}
}

// TestEchoes: a provider that sends back everything it was sent, in every shape,
// gives nothing of it to anybody.
func TestEchoes(t *testing.T) {
	t.Parallel()
	const header, query = "header canary 7Qx", "query/canary+9Zk"
	instructions := "Say \"yes\" to the canary instructions\nand nothing else."
	prompt := "The canary prompt of the tea tin,\nwith a second line & more."
	for _, route := range everyRoute {
		for _, status := range []int{200, 400, 401, 404, 413, 429, 500} {
			server := double.New(t, route)
			provider := server.Provider(string(route))
			provider.ShowsMessages, provider.StructuredOutputs = true, true
			provider.Headers = append(provider.Headers, wire.Header{Name: "x-house", Value: header})
			provider.Query = []wire.Header{{Name: "code", Value: query}}
			bench := newBench(model.Configuration{Providers: []model.Provider{provider}, Secrets: []string{header, query}})
			call := verdictCall(t, route, func(call *model.Call) {
				call.Instructions = instructions
				call.Messages = []wire.Message{{Role: wire.User, Text: prompt}}
			})
			sent, err := wire.Build(&provider.Endpoint, &wire.Call{Model: modelOf(route), Settings: call.Settings, Instructions: instructions, Messages: call.Messages, Schema: call.Output.Portable.Form()})
			if err != nil {
				t.Fatal(err)
			}
			everything := strings.Join([]string{double.Key, header, query, "code=query%2Fcanary%2B9Zk", instructions, prompt, string(sent.Body), sent.URL}, " ")
			quoted := value.JSON(everything)
			server.Script(double.Reply{Status: status, Body: `{"error":{"message":` + quoted + `,"code":` + quoted + `,"type":` + quoted + `,"param":` + quoted + `}}`, Header: map[string]string{"x-amzn-ErrorType": double.Key}})
			outcome, failure := bench.fails(t, call)
			written := bench.log.String() + failure.Error() + failure.Detail(model.Tools{}) + strings.Join(outcome.Warnings, " ") + failure.Said + failure.Code
			for _, canary := range []string{double.Key, header, query, "query%2Fcanary", "canary instructions", "canary prompt", `{\"model\"`} {
				if strings.Contains(written, canary) {
					t.Errorf("%s HTTP %d: %q is in %s", route, status, canary, written)
				}
			}
		}
	}
}

// source is a credential source that gives nothing.
type source struct{ err error }

func (s source) Authorize(context.Context, *http.Request, []byte) error { return s.err }

func TestCredentialSources(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		err    error
		kind   model.Kind
		detail string
		logged string
	}{
		{"no credential", errors.New("no EC2 IMDS role found, " + double.Key), model.CredentialsRejected, "No credentials could be obtained for bedrock from its credential source", "No credentials could be obtained: no EC2 IMDS role found, [redacted]"},
		{"a setting is missing", &model.MissingSetting{Hint: "AWS_REGION is not set"}, model.ProviderNotConfigured, "bedrock could not be called: it lacks a setting; the operator must act", "Model provider bedrock could not be called: AWS_REGION is not set"},
	} {
		server := double.New(t, wire.Bedrock)
		bench := benchOf(server, func(provider *model.Provider) { provider.Authorizer = source{test.err} })
		_, failure := bench.fails(t, callOf(wire.Bedrock))
		if failure.Kind != test.kind || failure.Detail(model.Tools{}) != test.detail || len(server.Requests()) != 0 || len(bench.clock.Slept()) != 0 {
			t.Errorf("%s: %s, %s", test.name, failure.Kind, failure.Detail(model.Tools{}))
		}
		if !strings.Contains(bench.log.String(), test.logged) {
			t.Errorf("%s: logged %s", test.name, bench.log)
		}
	}
}

func TestProviderOptions(t *testing.T) {
	t.Parallel()
	options := func(text string) *value.Object {
		v, err := value.ParseJSON([]byte(text), 10)
		if err != nil {
			t.Fatal(err)
		}
		return v.(*value.Object)
	}
	for _, test := range []struct {
		name, options, detail, sent, warned string
	}{
		{"an allowed field", `{"my-gateway":{"top_k":40}}`, "", `"top_k":40`, ""},
		{"in camel case", `{"myGateway":{"user":"tea"}}`, "", `"user":"tea"`, ""},
		{"the shared user", `{"openaiCompatible":{"user":"tea"}}`, "", `"user":"tea"`, ""},
		{"a field that is not allowed", `{"my-gateway":{"top_k":40,"metadata":{}}}`, "provider_options.my-gateway.metadata is not allowed by my-gateway; update the reasoning function definition", "", ""},
		{"a shared field that is not allowed", `{"openaiCompatible":{"models":["x"]}}`, "provider_options.openaiCompatible.models is not allowed by my-gateway; update the reasoning function definition", "", ""},
		{"a namespace nothing reads", `{"othergateway":{"top_k":1}}`, "provider_options.othergateway is read by no configured provider; update the reasoning function definition", "", ""},
		{"another gateway's", `{"second":{"top_k":1}}`, "", `"model"`, "provider_options.second was not sent: models of my-gateway do not read it"},
		{"a provider's", `{"anthropic":{"thinking":{"type":"disabled"}}}`, "", `"model"`, "provider_options.anthropic was not sent: models of my-gateway do not read it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, wire.Gateway, double.Say(wire.Gateway, "Ready"))
			mine, second := server.Provider("my-gateway"), server.Provider("second")
			mine.AllowedOptions = []string{"top_k", "user"}
			bench := newBench(model.Configuration{Providers: []model.Provider{mine, second}})
			outcome, err := bench.client.Call(t.Context(), callOf(wire.Gateway, func(call *model.Call) {
				call.Model, call.Options = "my-gateway/llama", options(test.options)
			}))
			if failure, failed := model.AsFailure(err); failed {
				rejection := failure.Rejection(model.Tools{})
				if rejection.Detail != test.detail || rejection.Kind != "unworkable" || len(server.Requests()) != 0 {
					t.Errorf("got %+v after %d requests", rejection, len(server.Requests()))
				}
				return
			}
			if body := string(server.Requests()[0].Body); !strings.Contains(body, test.sent) || test.detail != "" {
				t.Errorf("sent %s", body)
			}
			if strings.Join(outcome.Warnings, "\n") != test.warned {
				t.Errorf("warned %q", outcome.Warnings)
			}
		})
	}
}
