package tool_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	peer "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// This file holds the client against the servers of mcp-go, which speak every
// revision of the protocol.

const peerVariable = "AUTO_TOOL_PEER"

func peerServer() *server.MCPServer {
	s := server.NewMCPServer("peer", "1.0.0", server.WithToolCapabilities(true), server.WithInstructions("Obey"))
	s.AddTool(peer.NewTool("greet", peer.WithDescription("Greets"), peer.WithString("name", peer.Required()), peer.WithReadOnlyHintAnnotation(true)),
		func(_ context.Context, request peer.CallToolRequest) (*peer.CallToolResult, error) {
			name, err := request.RequireString("name")
			if err != nil {
				return peer.NewToolResultError(err.Error()), nil
			}
			run := request.Params.Meta.GetMetaField("auto.on/run_id")
			return peer.NewToolResultText(fmt.Sprintf("Hello %s, from %v", name, run)), nil
		})
	s.AddTool(peer.NewToolWithRawSchema("raw", "", []byte(`{"type":"object","oneOf":[{"required":["b"]},{"required":["a"]}],"properties":{"b":{},"a":{}}}`)),
		func(context.Context, peer.CallToolRequest) (*peer.CallToolResult, error) {
			return peer.NewToolResultStructuredOnly(map[string]any{"posted": true}), nil
		})
	s.AddTool(peer.NewTool("breaks"), func(context.Context, peer.CallToolRequest) (*peer.CallToolResult, error) {
		return nil, fmt.Errorf("the note base is gone")
	})
	return s
}

// peerChild serves over standard input and output, where the environment says so.
func peerChild() {
	if os.Getenv(peerVariable) != "" {
		if err := server.ServeStdio(peerServer()); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(0)
	}
}

func TestAgainstAnotherImplementation(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	streamable := httptest.NewServer(server.NewStreamableHTTPServer(peerServer()))
	t.Cleanup(streamable.Close)
	older := httptest.NewServer(server.NewSSEServer(peerServer()))
	t.Cleanup(older.Close)
	for way, lines := range map[string]string{
		"stdio": fmt.Sprintf("command: %s\n    env: { %s: \"1\" }", value.JSON(program), peerVariable),
		"http":  "url: " + streamable.URL + "/mcp",
		"older": "url: " + older.URL + "/sse",
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			servers := serversOf(t, "tool_servers:\n  - name: notes\n    "+lines+"\n", tool.Options{Version: "1"})
			of, failure := servers.Tool(context.Background(), "notes", "greet")
			must(t, failure)
			if !of.Reads {
				t.Error("greet is marked as one that reads")
			}
			result, failure := servers.Call(context.Background(), call("greet", "name", "Priya"))
			must(t, failure)
			if got := result.Shown(); got != "Hello Priya, from run-1" {
				t.Errorf("greet shows %q", got)
			}
			raw, failure := servers.Tool(context.Background(), "notes", "raw")
			must(t, failure)
			if got := value.JSON(raw.InputSchema); !strings.Contains(got, `"oneOf":[{"required":["b"]},{"required":["a"]}]`) {
				t.Errorf("the schema is %s", got)
			}
			result, failure = servers.Call(context.Background(), call("raw", "a", 1.0))
			must(t, failure)
			if answer, ok := result.Answer(); !ok || value.JSON(answer) != `{"posted":true}` {
				t.Errorf("raw answers %s", value.JSON(answer))
			}
			if _, failure = servers.Call(context.Background(), call("breaks")); failure == nil || failure.Because != tool.ServerFailure {
				t.Errorf("breaks fails as %+v", failure)
			}
			if _, failure = servers.Call(context.Background(), call("missing")); failure == nil || failure.Because != tool.ArgumentsRefused {
				t.Errorf("missing fails as %+v", failure)
			}
		})
	}
}
