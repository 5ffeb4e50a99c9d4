package model_test

import (
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
)

func provider(prefix string) model.Provider {
	route := wire.Route(prefix)
	known := false
	for _, built := range wire.BuiltIn {
		known = known || built == route
	}
	if !known {
		route = wire.Gateway
	}
	return model.Provider{Endpoint: wire.Endpoint{Route: route, Provider: prefix, BaseURL: "http://127.0.0.1:1"}}
}

func providers(prefixes ...string) []model.Provider {
	made := []model.Provider{}
	for _, prefix := range prefixes {
		made = append(made, provider(prefix))
	}
	return made
}

func TestResolve(t *testing.T) {
	t.Parallel()
	configuration := model.Configuration{
		Providers: providers("bedrock", "gateway", "google"),
		Aliases: []model.Alias{
			{From: "anthropic/*", To: "gateway/anthropic/*"},
			{From: "anthropic/claude-haiku-*", To: "gateway/haiku/*"},
			{From: "anthropic/claude-haiku-4-5", To: "bedrock/eu.anthropic.claude-haiku-4-5-20251001-v1:0"},
			{From: "fast/default", To: "google/gemini-2.5-flash"},
		},
	}
	for _, test := range []struct{ reference, resolved, provider, model string }{
		{"google/gemini-2.5-flash", "google/gemini-2.5-flash", "google", "gemini-2.5-flash"},
		{"fast/default", "google/gemini-2.5-flash", "google", "gemini-2.5-flash"},
		{"anthropic/claude-haiku-4-5", "bedrock/eu.anthropic.claude-haiku-4-5-20251001-v1:0", "bedrock", "eu.anthropic.claude-haiku-4-5-20251001-v1:0"},
		{"anthropic/claude-sonnet-4-5", "gateway/anthropic/claude-sonnet-4-5", "gateway", "anthropic/claude-sonnet-4-5"},
		{"anthropic/claude-haiku-3", "gateway/haiku/3", "gateway", "haiku/3"},
		{"bedrock/arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.claude", "bedrock/arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.claude", "bedrock", "arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.claude"},
		{"gateway/a/b/c", "gateway/a/b/c", "gateway", "a/b/c"},
	} {
		target, err := newBench(configuration).client.Resolve(test.reference)
		if err != nil {
			t.Errorf("%s: %v", test.reference, err)
			continue
		}
		if target.Resolved != test.resolved || target.Provider.Endpoint.Provider != test.provider || target.Model != test.model {
			t.Errorf("%s leads to %s, %s, %s", test.reference, target.Resolved, target.Provider.Endpoint.Provider, target.Model)
		}
	}
}

func TestResolveRefusals(t *testing.T) {
	t.Parallel()
	aliases := []model.Alias{{From: "anthropic/*", To: "gateway/*"}, {From: "house/fast", To: "google/gemini-2.5-flash"}, {From: "gone/x", To: "azure/y"}}
	for _, test := range []struct {
		name          string
		configuration model.Configuration
		reference     string
		detail        string
		kind, because string
		rejection     string
	}{
		{"no slash", model.Configuration{Providers: providers("openai")}, "gpt-4o", "gpt-4o is not a model reference, which is written provider/model; update the reasoning function definition", "unworkable", "", "conflict"},
		{"nothing before it", model.Configuration{Providers: providers("openai")}, "/gpt-4o", "/gpt-4o is not a model reference, which is written provider/model; update the reasoning function definition", "unworkable", "", "conflict"},
		{"nothing after it", model.Configuration{Providers: providers("openai")}, "openai/", "openai/ is not a model reference, which is written provider/model; update the reasoning function definition", "unworkable", "", "conflict"},
		{"a built-in provider", model.Configuration{Providers: providers("anthropic", "bedrock", "bedrock-anthropic")}, "openai/gpt-5", "openai is not configured. Configured providers: anthropic, bedrock, bedrock-anthropic", "model_not_offered", "provider_not_configured", "unavailable"},
		{"an unknown provider", model.Configuration{Providers: providers("openai")}, "mistral/large", "There is no provider named mistral. Configured providers: openai", "model_not_offered", "provider_not_configured", "unavailable"},
		{"with aliases", model.Configuration{Providers: providers("gateway"), Aliases: aliases}, "openai/gpt-5", "openai is not configured. Configured providers: gateway. Aliases: anthropic/*", "model_not_offered", "provider_not_configured", "unavailable"},
		{"no provider at all", model.Configuration{Aliases: aliases}, "openai/gpt-5", "No model provider is configured; the operator must set one up, and auto doctor says what is missing", "", "", "unavailable"},
		{"outside the allowed models", model.Configuration{Providers: providers("openai"), Allowed: []string{"openai/gpt-5", "house/fast"}}, "house/slow", "house/slow is not one of the models this server offers", "model_not_offered", "model_not_allowed", "unavailable"},
		{"outside a wildcard", model.Configuration{Providers: providers("openai", "google"), Allowed: []string{"google/*"}}, "openai/gpt-5", "openai/gpt-5 is not one of the models this server offers", "model_not_offered", "model_not_allowed", "unavailable"},
		{"a target named directly", model.Configuration{Providers: providers("google"), Aliases: aliases, Allowed: []string{"house/fast"}}, "google/gemini-2.5-flash", "google/gemini-2.5-flash is not one of the models this server offers", "model_not_offered", "model_not_allowed", "unavailable"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, failure := newBench(test.configuration).fails(t, &model.Call{Model: test.reference})
			rejection := failure.Rejection(model.Tools{})
			if rejection.Detail != test.detail || rejection.Kind != test.kind || rejection.Because != test.because || rejection.Type != "https://on.auto/problems/"+test.rejection {
				t.Errorf("got %+v", rejection)
			}
		})
	}
}

func TestAllowedModels(t *testing.T) {
	t.Parallel()
	client := newBench(model.Configuration{
		Providers: providers("google", "gateway"),
		Aliases:   []model.Alias{{From: "house/fast", To: "google/gemini-2.5-flash"}, {From: "house/deep", To: "gateway/llama"}},
		Allowed:   []string{"house/fast", "gateway/*"},
	}).client
	for _, reference := range []string{"house/fast", "house/deep", "gateway/anything/at-all"} {
		if _, err := client.Resolve(reference); err != nil {
			t.Errorf("%s: %v", reference, err)
		}
	}
}

func TestGuideSentence(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		configuration model.Configuration
		want          string
	}{
		{model.Configuration{Providers: providers("anthropic", "gateway")}, "On this server, a reasoning function names its model through anthropic and gateway, written anthropic/<model id> or gateway/<model id>"},
		{model.Configuration{Providers: providers("gateway"), Aliases: []model.Alias{{From: "anthropic/*", To: "gateway/*"}, {From: "fast/x", To: "azure/y"}}}, "On this server, a reasoning function names its model through gateway and anthropic/*, written gateway/<model id> or anthropic/<model id>"},
		{model.Configuration{Providers: providers("anthropic", "openai"), Allowed: []string{"openai/*"}}, "On this server, a reasoning function names its model through openai, written openai/<model id>"},
		{model.Configuration{}, "On this server, no reasoning function can run until a model provider is configured"},
	} {
		if got := newBench(test.configuration).client.GuideSentence(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
