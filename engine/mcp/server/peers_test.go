package server

import (
	"context"
	"os"
	"testing"
	"time"

	peer "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	wire "github.com/mark3labs/mcp-go/mcp"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
)

// This file has the client of mark3labs/mcp-go use the server, in every revision of
// the protocol and in both ways.

// servingVariable makes the program of the tests a server over its standard input
// and output.
const servingVariable = "AUTO_TEST_SERVING"

func TestMain(m *testing.M) {
	if os.Getenv(servingVariable) != "" {
		if err := newServer(newTrials(), nil).Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// person answers every form with the second choice.
type person struct{ asked chan wire.ElicitationRequest }

func (p person) Elicit(_ context.Context, request wire.ElicitationRequest) (*wire.ElicitationResult, error) {
	p.asked <- request
	return &wire.ElicitationResult{ElicitationResponse: wire.ElicitationResponse{
		Action: wire.ElicitationResponseActionAccept, Content: map[string]any{"delivery": "chat", "name": "Launch"},
	}}, nil
}

func TestPeerClient(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]func(t *testing.T) transport.Interface{
		"stdio": func(*testing.T) transport.Interface {
			return transport.NewStdio(program, []string{servingVariable + "=1"})
		},
		"http": func(t *testing.T) transport.Interface {
			s := host(t, newServer(newTrials(), nil))
			over, err := transport.NewStreamableHTTP(s.url, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + token}))
			if err != nil {
				t.Fatal(err)
			}
			return over
		},
	}
	for name, way := range ways {
		for _, version := range []string{rpc.VersionStateless, rpc.VersionHandshake, rpc.VersionForms, rpc.VersionBatches, rpc.VersionFirst} {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel()
				usePeer(t, way(t), version)
			})
		}
	}
}

func usePeer(t *testing.T, over transport.Interface, version string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	asked := person{make(chan wire.ElicitationRequest, 10)}
	client := peer.NewClient(over, peer.WithElicitationHandler(asked), peer.WithProtocolVersion(version))
	if err := client.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	greeting, err := client.Initialize(ctx, wire.InitializeRequest{Params: wire.InitializeParams{
		ProtocolVersion: version, ClientInfo: wire.Implementation{Name: "test", Version: "0"},
	}})
	if err != nil || greeting.ProtocolVersion != version || greeting.ServerInfo.Name != "auto" {
		t.Fatalf("%v: %+v", err, greeting)
	}
	listed, err := client.ListTools(ctx, wire.ListToolsRequest{})
	if err != nil || len(listed.Tools) != len(newTrials().operations()) || !*listed.Tools[0].Annotations.ReadOnlyHint {
		t.Fatalf("%v: %+v", err, listed)
	}
	call := func(name string, arguments map[string]any) *wire.CallToolResult {
		t.Helper()
		result, err := client.CallTool(ctx, wire.CallToolRequest{Params: wire.CallToolParams{Name: name, Arguments: arguments}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return result
	}
	note := func(result *wire.CallToolResult) any {
		content, _ := result.StructuredContent.(map[string]any)
		return content["note"]
	}
	if result := call("echo_note", map[string]any{"note": "ship", "times": 2}); note(result) != "ship" || result.IsError {
		t.Errorf("%+v", result)
	}
	if result := call("reject", nil); !result.IsError || len(result.Content) != 2 {
		t.Errorf("%+v", result)
	}
	if result := call("echo_note", map[string]any{}); !result.IsError {
		t.Errorf("%+v", result)
	}
	want, questions := "chat", 1
	if version < rpc.VersionForms {
		want, questions = "nobody to ask", 0
	}
	if result := call("ask", nil); note(result) != want || len(asked.asked) != questions {
		t.Errorf("after %d questions: %+v", len(asked.asked), result)
	}
	if questions > 0 {
		if result := call("ask_twice", nil); note(result) != "chat Launch" || len(asked.asked) != 3 {
			t.Errorf("after %d questions: %+v", len(asked.asked), result)
		}
	}
	if _, err := client.CallTool(ctx, wire.CallToolRequest{Params: wire.CallToolParams{Name: "nope"}}); err == nil {
		t.Error("an unknown tool was called")
	}
}
