package model_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
)

func names(listing *model.Listing) string {
	found := []string{}
	for _, model := range listing.Models {
		name := model.Model
		if model.Alias {
			name += "=" + model.ResolvedTo
		}
		found = append(found, name)
	}
	return strings.Join(found, " ")
}

func TestListOfAnthropic(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Anthropic,
		double.Reply{Body: `{"data":[{"type":"model","id":"claude-sonnet-4-5","display_name":"Claude Sonnet 4.5","created_at":"2025-09-29T00:00:00Z","max_input_tokens":200000,"max_tokens":64000}],"has_more":true,"first_id":"claude-sonnet-4-5","last_id":"claude-sonnet-4-5"}`},
		double.Reply{Body: `{"data":[{"id":"claude-old","display_name":7,"created_at":null,"max_tokens":"many"},{"id":"bad id"},{"id":"star*"},{"id":""},{"name":"no id"},{"id":"two-lines","display_name":"a\nb"},{"id":"claude-sonnet-4-5"}],"has_more":false}`})
	listing := benchOf(server).client.ListModels(t.Context(), "")
	if got := names(listing); got != "anthropic/claude-old anthropic/claude-sonnet-4-5 anthropic/two-lines" || listing.Status() != "complete" || listing.Narrowed {
		t.Errorf("%s, %+v", got, listing)
	}
	first := listing.Models[1]
	if first.Name != "Claude Sonnet 4.5" || first.Created != "2025-09-29T00:00:00Z" || *first.MaxInputTokens != 200000 || *first.MaxOutputTokens != 64000 {
		t.Errorf("%+v", first)
	}
	if old := listing.Models[0]; old.Name != "" || old.Created != "" || old.MaxOutputTokens != nil || listing.Models[2].Name != "" {
		t.Errorf("%+v", listing.Models)
	}
	requests := server.Requests()
	if requests[0].Path != "/v1/models?limit=1000" || requests[1].Path != "/v1/models?limit=1000&after_id=claude-sonnet-4-5" ||
		requests[0].Header.Get("anthropic-version") != "2023-06-01" || requests[0].Header.Get("x-api-key") != double.Key {
		t.Errorf("asked %s and %s with %v", requests[0].Path, requests[1].Path, requests[0].Header)
	}
}

func TestListOfOpenAI(t *testing.T) {
	t.Parallel()
	ids := []string{}
	for _, id := range []string{"gpt-5", "ft:gpt-4o:house::x", "text-embedding-3-small", "gpt-4o-audio-preview", "tts-1", "whisper-1", "gpt-4o-transcribe", "gpt-image-1", "dall-e-3", "sora-2", "omni-moderation-latest", "gpt-realtime", "babbage-002", "davinci-002", "o3", "gрt-5"} {
		ids = append(ids, fmt.Sprintf(`{"id":%q,"object":"model","created":1754000000,"owned_by":"system"}`, id))
	}
	server := double.New(t, wire.OpenAI, double.Reply{Body: `{"object":"list","data":[` + strings.Join(ids, ",") + `]}`})
	listing := benchOf(server).client.ListModels(t.Context(), "")
	// The last one is kept: its p is Cyrillic, and a definition would have to write it so.
	if got := names(listing); got != "openai/gpt-5 openai/gрt-5 openai/o3" {
		t.Errorf("listed %s", got)
	}
	if listing.Models[0].Created != "2025-07-31T22:13:20Z" || listing.Models[0].Name != "" {
		t.Errorf("%+v", listing.Models[0])
	}
}

func TestListOfGoogle(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Google,
		double.Reply{Body: `{"models":[{"name":"models/gemini-2.5-flash","displayName":"Gemini 2.5 Flash","inputTokenLimit":1048576,"outputTokenLimit":65536,"supportedGenerationMethods":["generateContent","countTokens"]},{"name":"models/embedding-001","supportedGenerationMethods":["embedContent"]}],"nextPageToken":"a b"}`},
		double.Reply{Body: `{}`})
	listing := benchOf(server).client.ListModels(t.Context(), "google")
	if got := names(listing); got != "google/gemini-2.5-flash" || *listing.Models[0].MaxInputTokens != 1048576 || listing.Models[0].Name != "Gemini 2.5 Flash" {
		t.Errorf("%s, %+v", got, listing)
	}
	requests := server.Requests()
	if requests[0].Path != "/v1/models?pageSize=1000" || requests[1].Path != "/v1/models?pageSize=1000&pageToken=a+b" || requests[0].Header.Get("x-goog-api-key") != double.Key {
		t.Errorf("asked %s and %s", requests[0].Path, requests[1].Path)
	}
}

func TestListOfGateway(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Reply{Body: `{"data":[{"id":"openai/gpt-5","type":"language","name":"GPT-5","context_window":400000},{"id":"openai/embed","type":"embedding"},{"id":"plain"}]}`})
	bench := benchOf(server, func(provider *model.Provider) { provider.Query = []wire.Header{{Name: "team", Value: "tea & tins"}} })
	if got := names(bench.client.ListModels(t.Context(), "")); got != "gateway/openai/gpt-5 gateway/plain" {
		t.Errorf("listed %s", got)
	}
	if path := server.Requests()[0].Path; path != "/v1/models?team=tea+%26+tins" {
		t.Errorf("asked %s", path)
	}
	target, err := bench.client.Resolve("gateway/openai/gpt-5")
	if err != nil || bench.client.ContextWindow(t.Context(), target) != 400000 {
		t.Errorf("the context window is lost: %v", err)
	}
}

// TestPagesOfAList: a list of 10 pages is read, and one of 11 is not.
func TestPagesOfAList(t *testing.T) {
	t.Parallel()
	for pages, models := range map[int]int{10: 10, 11: 0} {
		var replies []double.Reply
		for i := range pages {
			replies = append(replies, double.Reply{Body: fmt.Sprintf(`{"data":[{"id":"m%d"}],"has_more":%t,"last_id":"m%d"}`, i, i < pages-1, i)})
		}
		server := double.New(t, wire.Anthropic, replies...)
		listing := benchOf(server).client.ListModels(t.Context(), "")
		if len(listing.Models) != models || listing.Partial != (models == 0) || len(server.Requests()) != 10 {
			t.Errorf("%d pages give %+v after %d requests", pages, listing, len(server.Requests()))
		}
	}
}

func TestListsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	page := func(int) double.Reply {
		return double.Reply{Body: `{"data":[{"id":"m"}],"has_more":true,"last_id":"m"}`}
	}
	for _, test := range []struct {
		name    string
		replies []double.Reply
		logged  string
	}{
		{"an error", []double.Reply{double.Fail(wire.Anthropic, 401, "authentication_error", "invalid x-api-key "+double.Key)}, `{"message":"Model provider anthropic answered with an error","level":"WARN","annotations":{"provider":"anthropic","model":null,"status":401,"provider_message":"invalid x-api-key [redacted]"}}`},
		{"unreachable", []double.Reply{{Fault: double.Drop}}, `could not be read: it could not be reached"`},
		{"a redirect", []double.Reply{{Status: 302, Fault: double.Redirect, Body: "/elsewhere"}}, `"status":302`},
		{"no JSON", []double.Reply{{Body: "<html>"}}, `Model provider anthropic could not be called: The list of models of anthropic could not be read: its answer is not JSON"`},
		{"no list", []double.Reply{{Body: `{"models":{}}`}}, `could not be read: its answer is not a list of models"`},
		{"large", []double.Reply{{Body: `{"data":["` + strings.Repeat("x", 8<<20) + `"]}`}}, `could not be read: its answer is larger than 8 MiB"`},
		{"long", []double.Reply{page(1)}, `could not be read: it has more than 10 pages of models"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := double.New(t, wire.Anthropic, test.replies...)
			bench := benchOf(server)
			listing := bench.client.ListModels(t.Context(), "")
			if listing.Status() != "partial" || len(listing.Models) != 0 {
				t.Errorf("%+v", listing)
			}
			if !strings.Contains(bench.log.String(), test.logged) {
				t.Errorf("logged %s", bench.log)
			}
			asked := len(server.Requests())
			bench.client.ListModels(t.Context(), "")
			bench.clock.Advance(59 * time.Second)
			bench.client.ListModels(t.Context(), "")
			if got := len(server.Requests()); got != asked {
				t.Errorf("asked again within a minute: %d requests after %d", got, asked)
			}
			bench.clock.Advance(time.Second)
			bench.client.ListModels(t.Context(), "")
			if len(server.Requests()) == asked {
				t.Error("not asked again after a minute")
			}
		})
	}
	t.Run("slow", func(t *testing.T) {
		t.Parallel()
		var bench *bench
		server := double.New(t, wire.OpenAI, double.Reply{Fault: double.Silence, Waiting: func() { bench.clock.Advance(10 * time.Second) }})
		bench = benchOf(server)
		if listing := bench.client.ListModels(t.Context(), ""); listing.Status() != "partial" || !strings.Contains(bench.log.String(), "it did not answer within 10 seconds") {
			t.Errorf("%+v, %s", listing, bench.log)
		}
	})
	t.Run("untrusted", func(t *testing.T) {
		t.Parallel()
		bench := benchOf(double.NewTLS(t, wire.OpenAI))
		bench.client.ListModels(t.Context(), "")
		if !strings.Contains(bench.log.String(), "its TLS certificate is not trusted; add its certificate authority with NODE_EXTRA_CA_CERTS") {
			t.Errorf("logged %s", bench.log)
		}
	})
}

func TestListsAreKept(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Reply{Body: `{"data":[{"id":"first"}]}`}, double.Fail(wire.Gateway, 500, "", "Oops"))
	bench := benchOf(server)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() { bench.client.ListModels(t.Context(), "") })
	}
	wait.Wait()
	if got := len(server.Requests()); got != 1 {
		t.Errorf("eight callers at once ask %d times", got)
	}
	bench.clock.Advance(11 * time.Minute)
	if listing := bench.client.ListModels(t.Context(), ""); names(listing) != "gateway/first" || listing.Status() != "partial" {
		t.Errorf("an earlier list is not kept: %+v", listing)
	}
}

func TestDeclaredModelsAndAliases(t *testing.T) {
	t.Parallel()
	dead := double.New(t, wire.Gateway)
	gateway := dead.Provider("gateway")
	dead.Close()
	configuration := model.Configuration{
		Providers: append(providers("bedrock", "azure"), gateway),
		Declared:  map[string][]string{"bedrock": {"eu.claude"}, "gateway": {"llama-3.3-70b"}},
		Aliases: []model.Alias{
			{From: "anthropic/*", To: "gateway/*"}, {From: "house/arn", To: "bedrock/arn:aws:bedrock:eu-central-1:123456789012:inference-profile/x"},
			{From: "house/gone", To: "openai/gpt-5"}, {From: "azure/old", To: "azure/new"},
		},
	}
	listing := newBench(configuration).client.ListModels(t.Context(), "")
	if got := names(listing); got != "anthropic/*=gateway/* azure/* azure/old=azure/new bedrock/eu.claude gateway/llama-3.3-70b house/arn=" || listing.Status() != "partial" {
		t.Errorf("listed %s, %s", got, listing.Status())
	}
	configuration.Allowed = []string{"bedrock/eu.claude", "house/arn", "azure/one"}
	listing = newBench(configuration).client.ListModels(t.Context(), "")
	if got := names(listing); got != "bedrock/eu.claude house/arn=" || !listing.Narrowed {
		t.Errorf("listed %s", got)
	}
	configuration.Allowed = []string{"gateway/*"}
	listing = newBench(configuration).client.ListModels(t.Context(), "bedrock")
	if got := names(listing); got != "" || listing.Status() != "complete" {
		t.Errorf("listed %s, %s: a provider that is asked for alone asks no other", got, listing.Status())
	}
}
