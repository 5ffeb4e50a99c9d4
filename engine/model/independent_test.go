package model_test

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/value"
)

// This file calls providers that somebody else wrote: the mock server of the
// npm package @copilotkit/aimock, and the gateway of @portkey-ai/gateway in front
// of it. AUTO_TEST_AIMOCK names a folder that has them in node_modules, and
// AUTO_TEST_NODE a Node to run them with, where node is not on the path.

// mockFixtures are what the mock server answers.
const mockFixtures = `{"fixtures":[
{"match":{"userMessage":"slow down"},"response":{"error":{"message":"Slow down","type":"rate_limit_error"},"status":429}},
{"match":{"userMessage":"search","hasToolResult":false},"response":{"toolCalls":[{"name":"graph__search","arguments":"{\"query\":\"tea\"}"}]}},
{"match":{"userMessage":"search","hasToolResult":true},"response":{"content":"A blue tin."}},
{"match":{"userMessage":"Brief"},"response":{"content":"{\"verdict\":\"ready\",\"score\":null}"}}
]}`

// program starts a program of the folder on a free port, and skips the test
// where it is not there. It gives the address once path is answered there.
func program(t *testing.T, script, path string, arguments func(port string) []string) string {
	t.Helper()
	folder := os.Getenv("AUTO_TEST_AIMOCK")
	if folder == "" {
		t.Skip("AUTO_TEST_AIMOCK names no folder with the npm packages @copilotkit/aimock and @portkey-ai/gateway")
	}
	node := os.Getenv("AUTO_TEST_NODE")
	if node == "" {
		found, err := exec.LookPath("node")
		if err != nil {
			t.Skip("there is no node to run the npm packages with")
		}
		node = found
	}
	script = filepath.Join(folder, "node_modules", script)
	if _, err := os.Stat(script); err != nil {
		t.Skip("AUTO_TEST_AIMOCK has no " + script)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	listener.Close()
	command := patience.Command(t, node, append([]string{script}, arguments(port)...)...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	address := "http://127.0.0.1:" + port
	patience.Until(t, func() bool {
		answer, err := http.Get(address + path)
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	})
	return address
}

// independent starts the mock server.
func independent(t *testing.T) string {
	t.Helper()
	fixtures := filepath.Join(t.TempDir(), "fixtures.json")
	if err := os.WriteFile(fixtures, []byte(mockFixtures), 0o600); err != nil {
		t.Fatal(err)
	}
	return program(t, "@copilotkit/aimock/dist/cli.js", "/v1/models", func(port string) []string {
		return []string{"-p", port, "-f", fixtures, "--log-level", "silent"}
	})
}

// TestIndependentGateway calls the mock through a gateway that speaks to it.
func TestIndependentGateway(t *testing.T) {
	t.Parallel()
	mock := independent(t)
	address := program(t, "@portkey-ai/gateway/build/start-server.js", "/", func(port string) []string { return []string{"--port=" + port, "--headless"} })
	for _, upstream := range []string{"openai", "anthropic"} {
		t.Run(upstream, func(t *testing.T) {
			provider := double.New(t, wire.Gateway).Provider("gateway")
			provider.BaseURL, provider.StructuredOutputs = address+"/v1", upstream == "openai"
			provider.Headers = append(provider.Headers, wire.Header{Name: "x-portkey-provider", Value: upstream}, wire.Header{Name: "x-portkey-custom-host", Value: mock + "/v1"})
			bench := newBench(model.Configuration{Providers: []model.Provider{provider}})
			outcome, err := bench.client.Call(t.Context(), verdictCall(t, wire.Gateway, func(call *model.Call) { call.Model = "gateway/" + modelOf(wire.Route(upstream)) }))
			if err != nil && upstream == "openai" || outcome.Answer == nil || !strings.Contains(outcome.Answer.Text, `"verdict":"ready"`) {
				t.Errorf("%+v, %v, %s", outcome, err, bench.log)
			}
			_, failure := bench.fails(t, callOf(wire.Gateway, func(call *model.Call) { call.Messages[0].Text = "slow down" }))
			if failure.Kind != model.RateLimited {
				t.Errorf("%s, %s", failure.Kind, bench.log)
			}
		})
	}
}

func TestIndependentProviders(t *testing.T) {
	t.Parallel()
	address := independent(t)
	for route, base := range map[wire.Route]string{
		wire.OpenAI: "/v1", wire.Gateway: "/v1", wire.Anthropic: "/v1", wire.Google: "/v1beta", wire.Bedrock: "", wire.BedrockAnthropic: "",
		wire.Vertex: "/v1/projects/proj/locations/europe-west1/publishers/google",
	} {
		t.Run(string(route), func(t *testing.T) {
			provider := double.New(t, route).Provider(string(route))
			provider.BaseURL, provider.StructuredOutputs = address+base, true
			bench := newBench(model.Configuration{Providers: []model.Provider{provider}})
			if outcome := bench.answers(t, verdictCall(t, route)); value.JSON(outcome.Value) != `{"verdict":"ready"}` || outcome.Answer.FinishReason != wire.Stop {
				t.Errorf("%+v", outcome.Answer)
			}
			call := callOf(route, func(call *model.Call) {
				call.Messages[0].Text = "search for tea"
				call.Tools = []wire.Tool{{Name: "graph__search", Description: "Searches.", InputSchema: value.NewObject(0)}}
			})
			first := bench.answers(t, call)
			if len(first.Answer.Calls) != 1 || value.JSON(first.Answer.Calls[0].Input) != `{"query":"tea"}` || first.Answer.FinishReason != wire.CallsTools {
				t.Fatalf("%+v", first.Answer)
			}
			call.Messages = append(call.Messages, wire.Message{Role: wire.Assistant, Native: first.Answer.Native, Calls: first.Answer.Calls},
				wire.Message{Role: wire.ToolResults, Results: []wire.ToolResult{{ID: first.Answer.Calls[0].ID, Name: "graph__search", Text: "blue"}}})
			if second := bench.answers(t, call); second.Answer.Text != "A blue tin." {
				t.Errorf("%+v", second.Answer)
			}
			_, failure := bench.fails(t, callOf(route, func(call *model.Call) { call.Messages[0].Text = "slow down" }))
			if failure.Kind != model.RateLimited || !strings.Contains(bench.log.String(), "Slow down") {
				t.Errorf("%s, %s", failure.Kind, bench.log)
			}
		})
	}
}
