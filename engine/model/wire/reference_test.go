package wire

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/value"
)

// This file compares every case of fixtures/wire to its recorded reference: the
// request, what is read from the answer, and which settings are warned about.

const fixtures = "../../../fixtures/wire"

type recordedCase struct {
	Name            string          `json:"name"`
	Route           Route           `json:"route"`
	Model           string          `json:"model"`
	Config          json.RawMessage `json:"config"`
	Instructions    string          `json:"instructions"`
	Messages        []recordedTurn  `json:"messages"`
	Schema          json.RawMessage `json:"schema"`
	Strict          bool            `json:"strict"`
	Tools           []recordedTool  `json:"tools"`
	ProviderOptions json.RawMessage `json:"provider_options"`
	Reply           *recordedReply  `json:"reply"`
}

type recordedTurn struct {
	Role  string `json:"role"`
	Text  string `json:"text"`
	Calls []struct {
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"tool_calls"`
	Results []struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Text  string `json:"text"`
		Error bool   `json:"is_error"`
	} `json:"results"`
}

type recordedTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type recordedReply struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

func (c *recordedCase) endpoint() *Endpoint {
	key := Header{"authorization", "Bearer key"}
	token := Header{"authorization", "Bearer t"}
	signed := Header{"authorization", "AWS4-HMAC-SHA256"}
	endpoints := map[Route]Endpoint{
		Anthropic:        {BaseURL: AnthropicURL, Headers: []Header{{"x-api-key", "key"}}},
		OpenAI:           {BaseURL: OpenAIURL, Headers: []Header{key}},
		Google:           {BaseURL: GoogleURL, Headers: []Header{{"x-goog-api-key", "key"}}},
		Azure:            {BaseURL: AzureURL("res"), Headers: []Header{{"api-key", "key"}}},
		Bedrock:          {BaseURL: BedrockURL("eu-central-1"), Headers: []Header{signed}},
		BedrockAnthropic: {BaseURL: BedrockURL("eu-central-1"), Headers: []Header{signed}},
		Vertex:           {BaseURL: VertexURL("proj", "europe-west1"), Headers: []Header{token}},
		VertexAnthropic:  {BaseURL: VertexAnthropicURL("proj", "europe-west1"), Headers: []Header{token}},
		Gateway:          {BaseURL: "http://gateway.test/v1", Headers: []Header{key}},
	}
	endpoint := endpoints[c.Route]
	endpoint.Route, endpoint.Provider, endpoint.StructuredOutputs = c.Route, string(c.Route), c.Strict
	return &endpoint
}

func (c *recordedCase) call(t *testing.T) *Call {
	t.Helper()
	var config struct {
		MaxOutputTokens *int64   `json:"max_output_tokens"`
		Temperature     *float64 `json:"temperature"`
		TopP            *float64 `json:"top_p"`
		Seed            *int64   `json:"seed"`
		StopSequences   []string `json:"stop_sequences"`
		Reasoning       string   `json:"reasoning"`
	}
	if c.Config != nil {
		if err := json.Unmarshal(c.Config, &config); err != nil {
			t.Fatal(err)
		}
	}
	call := &Call{Model: c.Model, Instructions: c.Instructions, Schema: parse(t, c.Schema), Settings: Settings{
		MaxOutputTokens: 1024, Temperature: config.Temperature, TopP: config.TopP, Seed: config.Seed,
		StopSequences: config.StopSequences, Reasoning: config.Reasoning,
	}}
	if config.MaxOutputTokens != nil {
		call.Settings.MaxOutputTokens = *config.MaxOutputTokens
	}
	call.Options, _ = parse(t, c.ProviderOptions).(*value.Object)
	for _, tool := range c.Tools {
		call.Tools = append(call.Tools, Tool{tool.Name, tool.Description, parse(t, tool.InputSchema)})
	}
	roles := map[string]Role{"user": User, "assistant": Assistant, "tool": ToolResults}
	for _, turn := range c.Messages {
		message := Message{Role: roles[turn.Role], Text: turn.Text}
		for _, made := range turn.Calls {
			message.Calls = append(message.Calls, ToolCall{ID: made.ID, Name: made.Name, Input: parse(t, made.Input)})
		}
		for _, result := range turn.Results {
			message.Results = append(message.Results, ToolResult(result))
		}
		call.Messages = append(call.Messages, message)
	}
	return call
}

func parse(t *testing.T, text []byte) value.Value {
	t.Helper()
	if text == nil {
		return nil
	}
	v, err := value.ParseJSON(text, 200)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

type recordedResult struct {
	Name     string          `json:"name"`
	Requests []sentRequest   `json:"requests"`
	Warnings []string        `json:"warnings"`
	Result   json.RawMessage `json:"result"`
	Error    *string         `json:"error"`
}

// sentRequest is a request as plain values, which a difference may change.
type sentRequest struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    map[string]any    `json:"body"`
}

func read[T any](t *testing.T, name string) []T {
	t.Helper()
	file, err := os.Open(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var found []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		found = append(found, one)
	}
	return found
}

func TestReference(t *testing.T) {
	t.Parallel()
	cases, recorded := read[recordedCase](t, "cases.jsonl"), read[recordedResult](t, "expected.jsonl")
	if len(cases) != len(recorded) || len(cases) < 240 {
		t.Fatalf("%d cases and %d recorded results", len(cases), len(recorded))
	}
	used := map[string]int{}
	for i := range cases {
		t.Run(cases[i].Name, func(t *testing.T) { compare(t, &cases[i], &recorded[i], used) })
	}
	for _, difference := range differences {
		if used[difference.name] == 0 {
			t.Errorf("the difference %q changes no case", difference.name)
		}
	}
	t.Logf("%d cases; differences by case: %v", len(cases), used)
}

func compare(t *testing.T, c *recordedCase, want *recordedResult, used map[string]int) {
	if c.Name != want.Name || len(want.Requests) != 1 {
		t.Fatalf("case %q is beside the result %q", c.Name, want.Name)
	}
	expected := want.Requests[0]
	warnings := settingNames(want.Warnings)
	before := asText(t, expected, warnings)
	for _, difference := range differences {
		if difference.apply == nil {
			continue
		}
		difference.apply(c, &expected, &warnings)
		if now := asText(t, expected, warnings); now != before {
			used[difference.name]++
			before = now
		}
	}
	endpoint := c.endpoint()
	request, err := Build(endpoint, c.call(t))
	if err != nil {
		t.Fatal(err)
	}
	got := sentRequest{URL: request.URL, Headers: map[string]string{}}
	for _, header := range request.Headers {
		got.Headers[strings.ToLower(header.Name)] = header.Value
	}
	if err := json.Unmarshal(request.Body, &got.Body); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("request (- reference, + sent):\n%s", diff)
	}
	if want.Warnings != nil {
		if diff := cmp.Diff(warnings, warnedSettings(request)); diff != "" {
			t.Errorf("warnings (- reference, + given):\n%s\n%v", diff, request.Warnings)
		}
	}
	if c.Reply != nil && want.Result != nil {
		compareAnswer(t, c, endpoint, request, want.Result, used)
	}
}

func compareAnswer(t *testing.T, c *recordedCase, endpoint *Endpoint, request *Request, want json.RawMessage, used map[string]int) {
	header := http.Header{}
	for name, v := range c.Reply.Headers {
		header.Set(name, v)
	}
	answer, err := Read(endpoint, request, header, c.Reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	var expected, got readAnswer
	if err := json.Unmarshal(want, &expected); err != nil {
		t.Fatal(err)
	}
	expected.Reason = strings.ReplaceAll(expected.Reason, "-", "_")
	for _, difference := range differences {
		before := expected
		if difference.read != nil {
			difference.read(c, &expected)
		}
		if !cmp.Equal(before, expected) {
			used[difference.name]++
		}
	}
	got.Text, got.Reason, got.RawReason = answer.Text, string(answer.FinishReason), answer.RawFinishReason
	got.ResponseID, got.Usage = answer.ResponseID, answer.Usage
	got.Calls = []comparedCall{}
	for _, made := range answer.Calls {
		var input any
		_ = json.Unmarshal([]byte(value.JSON(made.Input)), &input)
		got.Calls = append(got.Calls, comparedCall{made.ID, made.Name, input})
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("answer (- reference, + read):\n%s", diff)
	}
}

// settingNames gives the settings the reference warns about, by the names that
// a definition gives them.
func settingNames(features []string) []string {
	names := map[string]string{
		"topP": "top_p", "maxOutputTokens": "max_output_tokens", "stopSequences": "stop_sequences",
		"providerOptions.anthropic.thinking": "provider_options.anthropic.thinking", "extended thinking": "provider_options.anthropic.thinking",
		"reasoningMode": "provider_options.openai.reasoningMode", "budgetTokens": "provider_options.amazonBedrock.reasoningConfig.budgetTokens",
		"toolChoice": "output",
	}
	settings := []string{}
	for _, feature := range features {
		if name, ok := names[feature]; ok {
			feature = name
		}
		settings = append(settings, feature)
	}
	slices.Sort(settings)
	return slices.Compact(settings)
}

func warnedSettings(request *Request) []string {
	settings := []string{}
	for _, warning := range request.Warnings {
		settings = append(settings, warning.Setting)
	}
	slices.Sort(settings)
	return slices.Compact(settings)
}

func asText(t *testing.T, request sentRequest, warnings []string) string {
	t.Helper()
	text, err := json.Marshal([]any{request, warnings})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
