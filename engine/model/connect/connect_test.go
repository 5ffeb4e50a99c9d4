package connect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/settings"
)

func read(t *testing.T, file string, environment map[string]string) model.Configuration {
	t.Helper()
	from, err := settings.Read([]byte(file), func(name string) (string, bool) {
		text, ok := environment[name]
		return text, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	return Configuration(from, model.Transport{})
}

func TestBuiltInProviders(t *testing.T) {
	t.Parallel()
	type provider struct {
		URL, Header, Value string
		Shows, Authorizes  bool
	}
	for _, test := range []struct {
		environment map[string]string
		want        map[string]provider
	}{
		{map[string]string{"ANTHROPIC_API_KEY": "key-123456"}, map[string]provider{"anthropic": {"https://api.anthropic.com/v1", "x-api-key", "key-123456", true, false}}},
		{map[string]string{"ANTHROPIC_AUTH_TOKEN": "token-1234", "ANTHROPIC_BASE_URL": "https://proxy.test/v1/"}, map[string]provider{"anthropic": {"https://proxy.test/v1", "Authorization", "Bearer token-1234", false, false}}},
		{map[string]string{"OPENAI_API_KEY": "key-123456"}, map[string]provider{"openai": {"https://api.openai.com/v1", "Authorization", "Bearer key-123456", true, false}}},
		{map[string]string{"OPENAI_API_KEY": "key-123456", "OPENAI_BASE_URL": "http://localhost:8080/v1"}, map[string]provider{"openai": {"http://localhost:8080/v1", "Authorization", "Bearer key-123456", false, false}}},
		{map[string]string{"GEMINI_API_KEY": "key-123456"}, map[string]provider{"google": {"https://generativelanguage.googleapis.com/v1beta", "x-goog-api-key", "key-123456", true, false}}},
		{map[string]string{"AZURE_API_KEY": "key-123456", "AZURE_RESOURCE_NAME": "res"}, map[string]provider{"azure": {"https://res.openai.azure.com/openai", "api-key", "key-123456", true, false}}},
		{map[string]string{"AZURE_RESOURCE_NAME": "res"}, map[string]provider{"azure": {"https://res.openai.azure.com/openai", "", "", true, true}}},
		{map[string]string{"AZURE_API_KEY": "key-123456", "AZURE_BASE_URL": "https://res.test/openai/v1"}, map[string]provider{"azure": {"https://res.test/openai/v1", "api-key", "key-123456", false, false}}},
		{map[string]string{"AWS_REGION": "eu-central-1"}, map[string]provider{
			"bedrock":           {"https://bedrock-runtime.eu-central-1.amazonaws.com", "", "", true, true},
			"bedrock-anthropic": {"https://bedrock-runtime.eu-central-1.amazonaws.com", "", "", true, true}}},
		{map[string]string{"AWS_REGION": "cn-north-1", "AWS_BEARER_TOKEN_BEDROCK": "token-1234"}, map[string]provider{
			"bedrock":           {"https://bedrock-runtime.cn-north-1.amazonaws.com.cn", "Authorization", "Bearer token-1234", true, false},
			"bedrock-anthropic": {"https://bedrock-runtime.cn-north-1.amazonaws.com.cn", "Authorization", "Bearer token-1234", true, false}}},
		{map[string]string{"GOOGLE_VERTEX_PROJECT": "proj", "GOOGLE_VERTEX_LOCATION": "eu"}, map[string]provider{
			"vertex":           {"https://aiplatform.eu.rep.googleapis.com/v1beta1/projects/proj/locations/eu/publishers/google", "", "", true, true},
			"vertex-anthropic": {"https://aiplatform.eu.rep.googleapis.com/v1/projects/proj/locations/eu/publishers/anthropic", "", "", true, true}}},
	} {
		got := map[string]provider{}
		for _, configured := range read(t, "", test.environment).Providers {
			one := provider{URL: configured.BaseURL, Shows: configured.ShowsMessages, Authorizes: configured.Authorizer != nil}
			if len(configured.Headers) > 0 {
				one.Header, one.Value = configured.Headers[0].Name, configured.Headers[0].Value
			}
			got[configured.Endpoint.Provider] = one
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v:\n%s", test.environment, diff)
		}
	}
}

func TestGateway(t *testing.T) {
	t.Parallel()
	configuration := read(t, strings.TrimSpace(`
model_gateways:
  - name: gateway
    base_url: https://llm.internal/v1/
    api_key: ${INTERNAL_LLM_KEY}
    headers: { x-team: tea }
    query_params: { api-version: "2" }
    structured_outputs: true
    expose_provider_messages: true
    allowed_provider_options: [user]
    cost_header: x-cost
model_aliases:
  anthropic/*: gateway/anthropic/*
allowed_models: [anthropic/*]
declared_models:
  gateway: [llama-3.3-70b]
`), map[string]string{"INTERNAL_LLM_KEY": "internal-key-1"})
	want := model.Configuration{
		Providers: []model.Provider{{
			Endpoint: wire.Endpoint{
				Route: wire.Gateway, Provider: "gateway", BaseURL: "https://llm.internal/v1", StructuredOutputs: true,
				Headers: []wire.Header{{Name: "Authorization", Value: "Bearer internal-key-1"}, {Name: "x-team", Value: "tea"}},
				Query:   []wire.Header{{Name: "api-version", Value: "2"}},
			},
			ShowsMessages: true, AllowedOptions: []string{"user"}, CostHeader: "x-cost",
		}},
		Aliases:  []model.Alias{{From: "anthropic/*", To: "gateway/anthropic/*"}},
		Allowed:  []string{"anthropic/*"},
		Declared: map[string][]string{"gateway": {"llama-3.3-70b"}},
		Secrets:  []string{"internal-key-1", "tea", "2"},
	}
	if diff := cmp.Diff(want, configuration); diff != "" {
		t.Error(diff)
	}
}
