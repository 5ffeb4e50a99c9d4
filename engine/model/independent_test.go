package model_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/value"
)

// This file calls providers that somebody else wrote: the mock server of the
// npm package @copilotkit/aimock. AUTO_TEST_AIMOCK names a folder that has it in
// node_modules, and AUTO_TEST_NODE a Node to run it with, where node is not on
// the path.

// mockFixtures are what the mock server answers.
const mockFixtures = `{"fixtures":[
{"match":{"userMessage":"slow down"},"response":{"error":{"message":"Slow down","type":"rate_limit_error"},"status":429}},
{"match":{"userMessage":"search","hasToolResult":false},"response":{"toolCalls":[{"name":"graph__search","arguments":"{\"query\":\"tea\"}"}]}},
{"match":{"userMessage":"search","hasToolResult":true},"response":{"content":"A blue tin."}},
{"match":{"userMessage":"Brief"},"response":{"content":"{\"verdict\":\"ready\",\"score\":null}"}}
]}`

// independent starts the mock server, and skips the test where it is not there.
func independent(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("AUTO_TEST_AIMOCK")
	if folder == "" {
		t.Skip("AUTO_TEST_AIMOCK names no folder with the npm package @copilotkit/aimock")
	}
	node := os.Getenv("AUTO_TEST_NODE")
	if node == "" {
		found, err := exec.LookPath("node")
		if err != nil {
			t.Skip("there is no node to run @copilotkit/aimock with")
		}
		node = found
	}
	fixtures := filepath.Join(t.TempDir(), "fixtures.json")
	if err := os.WriteFile(fixtures, []byte(mockFixtures), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, node, filepath.Join(folder, "node_modules/.bin/llmock"), "-p", fmt.Sprint(port), "-f", fixtures, "--log-level", "silent")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = command.Wait() })
	address := fmt.Sprintf("http://127.0.0.1:%d", port)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if answer, err := http.Get(address + "/v1/models"); err == nil {
			answer.Body.Close()
			return address
		}
	}
	t.Fatal("the mock server does not start")
	return ""
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
