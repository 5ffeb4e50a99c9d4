package wire

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/value"
)

func endpointOf(route Route) *Endpoint {
	return &Endpoint{Route: route, Provider: string(route), BaseURL: "https://models.test/v1"}
}

var routes = append([]Route{Gateway}, BuiltIn...)

// TestEarlyAnswer: an answer that comes beside other calls is dropped from the
// turn, since no call may return without its result.
func TestEarlyAnswer(t *testing.T) {
	t.Parallel()
	for route, body := range map[Route]string{
		Anthropic: `{"content":[{"type":"tool_use","id":"1","name":"json","input":{"a":1}},{"type":"tool_use","id":"2","name":"search","input":{}}],"stop_reason":"tool_use"}`,
		Bedrock:   `{"output":{"message":{"content":[{"toolUse":{"toolUseId":"1","name":"json","input":{"a":1}}},{"toolUse":{"toolUseId":"2","name":"search","input":{}}}]}},"stopReason":"tool_use"}`,
		Google:    `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"json","args":{"a":1}}},{"functionCall":{"name":"search","args":{}}}]},"finishReason":"STOP"}]}`,
	} {
		answer, err := Read(endpointOf(route), &Request{AnswerTool: "json"}, http.Header{}, []byte(body))
		if err != nil || answer.FinishReason != CallsTools || len(answer.Calls) != 1 || answer.Calls[0].Name != "search" || answer.Text != "" {
			t.Errorf("%s: %+v, %v", route, answer, err)
			continue
		}
		if native := value.JSON(answer.Native); strings.Contains(native, `"json"`) || !strings.Contains(native, `"search"`) {
			t.Errorf("%s: the turn is %s", route, native)
		}
	}
}

// TestIgnoredOptions: an option that a route has no use for is warned of.
func TestIgnoredOptions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		route   Route
		model   string
		options string
		warned  []string
	}{
		{OpenAI, "gpt-4.1", `{"openai":{"logitBias":{"50256":-100}}}`, []string{"provider_options.openai.logitBias"}},
		{Azure, "gpt-5", `{"azure":{"logitBias":{}}}`, []string{"provider_options.azure.logitBias"}},
		{BedrockAnthropic, "anthropic.claude-sonnet-4-5", `{"bedrock":{"reasoningConfig":{"type":"enabled"}}}`, []string{"provider_options.bedrock.reasoningConfig"}},
		{VertexAnthropic, "claude-sonnet-4-5", `{"googleVertex":{"thinkingConfig":{},"threshold":"OFF"}}`, []string{"provider_options.googleVertex.thinkingConfig", "provider_options.googleVertex.threshold"}},
		{Vertex, "gemini-2.5-flash", `{"googleVertex":{"thinking":{"type":"enabled"}}}`, []string{"provider_options.googleVertex.thinking"}},
		{Anthropic, "claude-sonnet-4-5", `{"anthropic":{"thinking":"much"}}`, []string{"provider_options.anthropic.thinking"}},
		{Anthropic, "claude-sonnet-4-5", `{"anthropic":{"thinking":{"type":"disabled","budgetTokens":3,"display":"omitted"}}}`, []string{"provider_options.anthropic.thinking.budgetTokens", "provider_options.anthropic.thinking.display"}},
		{Bedrock, "amazon.nova-lite-v1:0", `{"amazonBedrock":{"reasoningConfig":{"type":"adaptive","depth":3}}}`, []string{"provider_options.amazonBedrock.reasoningConfig.depth", "provider_options.amazonBedrock.reasoningConfig.type"}},
	} {
		options := parse(t, []byte(test.options)).(*value.Object)
		request, err := Build(endpointOf(test.route), &Call{Model: test.model, Settings: Settings{MaxOutputTokens: 10}, Messages: []Message{{Text: "Hi"}}, Options: options})
		if err != nil {
			t.Fatal(err)
		}
		if got := warnedSettings(request); !slices.Equal(got, test.warned) {
			t.Errorf("%s %s: warned of %v, %v", test.route, test.options, got, request.Warnings)
		}
	}
}

// TestSchemaKeepsItsOrder: the order of properties steers what a model writes
// first, on every route.
func TestSchemaKeepsItsOrder(t *testing.T) {
	t.Parallel()
	schema := parse(t, []byte(`{"type":"object","properties":{"zebra":{"type":"string"},"apple":{"const":"x"}},"required":["zebra","apple"],"additionalProperties":false}`))
	for _, route := range routes {
		request, err := Build(endpointOf(route), &Call{Model: "anthropic.claude-3-haiku", Schema: schema, Messages: []Message{{Text: "Hi"}}})
		if err != nil {
			t.Fatal(err)
		}
		body := string(request.Body)
		if zebra, apple := strings.Index(body, `"zebra":{`), strings.Index(body, `"apple":{`); zebra < 0 || apple < zebra {
			t.Errorf("%s sends %s", route, body)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		route             Route
		base, model, want string
	}{
		{Azure, "https://res.openai.azure.com/openai", "m", "https://res.openai.azure.com/openai/v1/responses?api-version=v1"},
		{Azure, "https://res.openai.azure.com/openai/v1", "m", "https://res.openai.azure.com/openai/v1/responses"},
		{Azure, "https://gateway.test/azure", "m", "https://gateway.test/azure/responses"},
		{Azure, "https://res.services.ai.azure.com/api/projects/tea", "m", "https://res.services.ai.azure.com/api/projects/tea/v1/responses"},
		{Google, GoogleURL, "gemini-2.5-flash", GoogleURL + "/models/gemini-2.5-flash:generateContent"},
		{Google, GoogleURL, "tunedModels/tea", GoogleURL + "/tunedModels/tea:generateContent"},
		{Google, GoogleURL, "../../secrets?x", GoogleURL + "/%2E%2E/%2E%2E/secrets%3Fx:generateContent"},
		{VertexAnthropic, "https://h", "claude@1#f", "https://h/models/claude@1%23f:rawPredict"},
		{Bedrock, "https://h", "arn:aws:bedrock:eu:1:x/y z", "https://h/model/arn%3Aaws%3Abedrock%3Aeu%3A1%3Ax%2Fy%20z/converse"},
	} {
		endpoint := &Endpoint{Route: test.route, BaseURL: test.base}
		if got := endpoint.address(test.model); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	endpoint := &Endpoint{Route: Gateway, BaseURL: "https://h/v1", Query: []Header{{"a b", "c&d"}}}
	if got := endpoint.ListAddress(); got != "https://h/v1/models?a+b=c%26d" {
		t.Errorf("listed at %s", got)
	}
}

func TestErrorBodies(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name, body, code, message string
	}{
		{"OpenAI", `{"error":{"message":"No","type":"invalid_request_error","param":"x","code":"bad_x"}}`, "bad_x", "No"},
		{"OpenAI without a code", `{"error":{"message":"No","type":"invalid_request_error","param":null,"code":null}}`, "invalid_request_error", "No"},
		{"Anthropic", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`, "overloaded_error", "Overloaded"},
		{"Google", `{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}`, "NOT_FOUND", "models/x is not found"},
		{"Vertex in a list", `[{"error":{"code":400,"message":"No","status":"INVALID_ARGUMENT"}}]`, "INVALID_ARGUMENT", "No"},
		{"AWS", `{"message":"No"}`, "", "No"},
		{"AWS with a type", `{"__type":"com.amazon#ValidationException","Message":"No"}`, "com.amazon#ValidationException", "No"},
		{"text in error", `{"error":"No"}`, "", "No"},
		{"a detail", `{"detail":"Not Found"}`, "", "Not Found"},
		{"an error at the root", `{"object":"error","message":"No","type":"BadRequestError","code":400}`, "BadRequestError", "No"},
		{"plain text", "  upstream connect error  ", "", "upstream connect error"},
		{"broken JSON", `{"error":`, "", ""},
		{"nothing", "", "", ""},
		{"a number", "7", "", "7"},
	} {
		reply := ReadError(400, http.Header{}, []byte(test.body), now)
		if reply.Code != test.code || reply.Message != test.message || reply.Status != 400 {
			t.Errorf("%s: %+v", test.name, reply)
		}
	}
}

// FuzzRead: whatever a provider sends is read or refused, never a panic.
func FuzzRead(f *testing.F) {
	for _, body := range []string{
		`{}`, `null`, `[]`, `{"error":{}}`, `{"error":[{"code":1}]}`, `{"choices":[null]}`, `{"choices":[{"message":{"content":[7],"tool_calls":[null,{"function":{"arguments":"{"}}]}}]}`,
		`{"content":[null,{"type":"tool_use"}],"usage":{"input_tokens":-1}}`, `{"output":[null,{"type":"message","content":7}]}`, `{"output":{"message":{"content":[{"toolUse":null},{"reasoningContent":7}]}}}`,
		`{"candidates":[{"content":{"parts":[null,{"functionCall":7}]},"finishReason":7}]}`, `{"candidates":[7]}`, `{"usageMetadata":{"promptTokenCount":1e300},"promptFeedback":{"blockReason":"OTHER"}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, route := range routes {
			answer, err := Read(endpointOf(route), &Request{AnswerTool: "json"}, http.Header{}, body)
			var unreadable *Unreadable
			var reply *ErrorReply
			if (answer == nil) == (err == nil) || err != nil && !errors.As(err, &unreadable) && !errors.As(err, &reply) {
				t.Errorf("%s: %v, %v", route, answer, err)
			}
			if answer != nil {
				// What was read goes back with the next request.
				call := &Call{Model: "m", Messages: []Message{{Text: "Hi"}, {Role: Assistant, Native: answer.Native, Text: answer.Text, Calls: answer.Calls}}}
				if _, err := Build(endpointOf(route), call); err != nil {
					t.Error(err)
				}
			}
		}
		ReadError(400, http.Header{}, body, time.Time{})
	})
}

func BenchmarkBuildAndRead(b *testing.B) {
	endpoint := endpointOf(Anthropic)
	call := &Call{Model: "claude-sonnet-4-5", Settings: Settings{MaxOutputTokens: 1024}, Instructions: strings.Repeat("Review the brief. ", 100), Messages: []Message{{Text: strings.Repeat("A tin for loose tea. ", 500)}}}
	body := []byte(`{"id":"msg_1","model":"claude-sonnet-4-5","content":[{"type":"text","text":"` + strings.Repeat("Ready. ", 500) + `"}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":5}}`)
	for b.Loop() {
		request, err := Build(endpoint, call)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Read(endpoint, request, http.Header{}, body); err != nil {
			b.Fatal(err)
		}
	}
}
