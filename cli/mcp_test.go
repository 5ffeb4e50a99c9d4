package cli_test

// This file has clients of MCP that others wrote use auto mcp as an agent would: a
// document is written, run, answered and looked up, and tools are called.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	peer "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	wire "github.com/mark3labs/mcp-go/mcp"

	"github.com/beonauto/auto/cli"
	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/model/double"
	wireformat "github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

const approval = `---
description: Asks the campaign owner to approve a reviewed brief
to: agent
expires: P2D
deliver: agent
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
---
Shall it go ahead?
`

// TestDocsOperations keeps the table of what an agent is offered.
func TestDocsOperations(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("\n| Tool | What it does | |\n| --- | --- | --- |\n")
	for _, operation := range mcp.Operations() {
		does := "changes"
		switch {
		case operation.Reads:
			does = "reads"
		case operation.Destructive:
			does = "changes, and may overwrite or undo"
		}
		if operation.OpenWorld {
			does += "; reaches other systems"
		}
		about, _, _ := strings.Cut(operation.Description, ". ")
		fmt.Fprintf(&b, "| `%s` | %s. | %s |\n", operation.Name, strings.ReplaceAll(strings.TrimSuffix(about, "."), "|", `\|`), does)
	}
	b.WriteString("\n")
	between(t, "docs/mcp.md", "operations", b.String())
}

// caller calls a tool and gives the texts of its result.
type caller func(tool string, arguments map[string]any) (texts []string, isError bool)

// step is a call of an agent's day.
type step struct {
	tool      string
	arguments map[string]any
	rejected  bool
	says      string // something that the result holds
}

var agentDay = []step{
	{"get_guide", nil, false, `"guides"`},
	{"create_definition", map[string]any{"type": "interaction", "name": "approve", "source": approval, "diagram": "none"}, false, `"name":"approve"`},
	{"list_definitions", nil, false, `"name":"approve"`},
	{"get_definition", map[string]any{"type": "interaction", "name": "approve"}, false, "Shall it go ahead?"},
	{"update_definition", map[string]any{"type": "interaction", "name": "approve", "source": approval + "\nColour: {{ input.colour | shout }}\n", "diagram": "none"}, true, "Unknown filter shout"},
	{"update_definition", map[string]any{"type": "interaction", "name": "approve", "source": approval + "\nPlease.\n", "diagram": "none"}, false, `"version":2`},
	{"run_definition", map[string]any{"type": "interaction", "name": "approve", "input": map[string]any{}, "run_id": "first"}, false, `"started"`},
	{"run_definition", map[string]any{"type": "interaction", "name": "approve", "input": map[string]any{}, "run_id": "second"}, false, `"started"`},
	{"list_interactions", nil, false, `"first"`},
	{"answer_interaction", map[string]any{"run_id": "first", "answer": map[string]any{"verdict": "perhaps"}}, true, "/answer/verdict: Expected one of approve, revise"},
	{"answer_interaction", map[string]any{"run_id": "first", "answer": map[string]any{"verdict": "approve"}}, false, `"approve"`},
	{"get_run", map[string]any{"run_id": "first"}, false, `"succeeded"`},
	{"cancel_run", map[string]any{"run_id": "second"}, false, `problems/cancelled`},
	{"list_runs", nil, false, `"second"`},
	{"list_playbook_events", nil, false, `"events"`},
	{"get_event", nil, false, `"run_id":"first"`}, // the first of the list
	{"list_models", nil, false, `"models"`},
	{"search", map[string]any{"terms": "note"}, false, `"notes"`},
	{"introspect", map[string]any{"server": "notes", "tool": "list_notes"}, false, `"notes"`},
	{"query_connection", map[string]any{"server": "notes", "tool": "list_notes"}, false, ``},
	{"execute_connection", map[string]any{"server": "notes", "tool": "add_note", "arguments": map[string]any{"title": "Plan", "text": "Ship it"}}, false, ``},
	{"execute", map[string]any{"server": "notes", "tool": "list_notes"}, false, ``},
	{"get_run", map[string]any{"run_id": "third"}, true, "No run has the id third"},
}

// spend goes through the day, and wants what is returned to match its schema.
func spend(t *testing.T, call caller) {
	t.Helper()
	outputs := map[string]*schema.Schema{}
	left := map[string]bool{}
	for _, operation := range mcp.Operations() {
		v, err := value.ParseJSON([]byte(operation.Output), 64)
		if err != nil {
			t.Fatal(err)
		}
		compiled, problems := schema.FromValue(v)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", operation.Name, problems)
		}
		outputs[operation.Name], left[operation.Name] = compiled, true
	}
	var first value.Value
	for _, step := range agentDay {
		delete(left, step.tool)
		if step.tool == "get_event" {
			id, _ := value.Whole(first)
			step.arguments = map[string]any{"event_id": id}
		}
		texts, isError := call(step.tool, step.arguments)
		if all := strings.Join(texts, "\n"); isError != step.rejected || !strings.Contains(all, step.says) {
			t.Errorf("%s %v: %t, %s", step.tool, step.arguments, isError, all)
			continue
		}
		if isError {
			continue
		}
		v, err := value.ParseJSON([]byte(texts[0]), 600)
		if err != nil {
			t.Errorf("%s: %v", step.tool, err)
			continue
		}
		if issues, err := outputs[step.tool].Validate(v); err != nil || len(issues) > 0 {
			t.Errorf("%s: %v %v\n%s", step.tool, err, issues, texts[0])
		}
		if step.tool == "list_playbook_events" {
			first, _ = value.Lookup(v, "/events/0/event_id")
		}
	}
	for name := range left {
		t.Errorf("%s is not called", name)
	}
}

func agentPlaybook(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, dir, "auto.yaml", "tool_servers:\n  - name: notes\n    command: auto\n    args: [example-server, notes]\n")
	return dir
}

// throughPeer gives a caller through mcp-go.
func throughPeer(t *testing.T, over transport.Interface, options ...peer.ClientOption) caller {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	client := peer.NewClient(over, options...)
	if err := client.Start(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	if _, err := client.Initialize(ctx, wire.InitializeRequest{Params: wire.InitializeParams{ClientInfo: wire.Implementation{Name: "test", Version: "0"}}}); err != nil {
		t.Fatal(err)
	}
	listed, err := client.ListTools(ctx, wire.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	sameTools(t, names)
	return func(tool string, arguments map[string]any) (texts []string, isError bool) {
		t.Helper()
		result, err := client.CallTool(ctx, wire.CallToolRequest{Params: wire.CallToolParams{Name: tool, Arguments: arguments}})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		for _, content := range result.Content {
			texts = append(texts, content.(wire.TextContent).Text)
		}
		return texts, result.IsError
	}
}

func sameTools(t *testing.T, listed []string) {
	t.Helper()
	var names []string
	for _, operation := range mcp.Operations() {
		names = append(names, operation.Name)
	}
	if !slices.Equal(listed, names) {
		t.Errorf("listed are %v", listed)
	}
}

func TestAgentOverStandardInput(t *testing.T) {
	t.Parallel()
	spend(t, throughPeer(t, transport.NewStdio("auto", nil, "mcp", agentPlaybook(t))))
}

// httpServer starts auto mcp --http, and gives its address and token.
func httpServer(t *testing.T, dir string, environment ...string) (address, token string, stop func() string) {
	t.Helper()
	command := patience.Command(t, "auto", "mcp", dir, "--http", "127.0.0.1:0")
	command.Env = append(os.Environ(), environment...)
	said, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	command.Stdout = &out
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	lines := bufio.NewScanner(said)
	for _, want := range []struct {
		pattern string
		to      *string
	}{{`at (http://127\.0\.0\.1:\d+/mcp); ctrl-c ends it$`, &address}, {`The token is (\S+);`, &token}} {
		if want.to == &token && len(environment) > 0 {
			break
		}
		if !lines.Scan() {
			t.Fatal("the server said nothing more")
		}
		found := regexp.MustCompile(want.pattern).FindStringSubmatch(lines.Text())
		if found == nil {
			t.Fatalf("the server said %s", lines.Text())
		}
		*want.to = found[1]
	}
	return address, token, func() string {
		t.Helper()
		if err := command.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		var rest strings.Builder
		for lines.Scan() {
			rest.WriteString(lines.Text() + "\n")
		}
		if err := command.Wait(); err != nil || out.Len() > 0 {
			t.Errorf("the server ended with %v and wrote %s", err, out.String())
		}
		return rest.String()
	}
}

func TestAgentOverHTTP(t *testing.T) {
	t.Parallel()
	for _, environment := range [][]string{nil, {"AUTO_MCP_TOKEN=the-token-that-we-agreed-on"}} {
		address, token, stop := httpServer(t, agentPlaybook(t), environment...)
		if len(environment) > 0 {
			token = "the-token-that-we-agreed-on"
		}
		over, err := transport.NewStreamableHTTP(address, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + token}))
		if err != nil {
			t.Fatal(err)
		}
		spend(t, throughPeer(t, over))
		if rest := stop(); strings.Contains(rest, token) {
			t.Errorf("the server said its token: %s", rest)
		}
	}
}

// TestInspector has the reference inspector list and call every tool, where it is
// installed: npm install in fixtures/tool/node, or AUTO_TOOL_NODE naming another folder.
func TestInspector(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("@modelcontextprotocol/inspector is not run: node is not installed")
	}
	folder := os.Getenv("AUTO_TOOL_NODE")
	if folder == "" {
		folder = filepath.Join(repository, "fixtures", "tool", "node")
	}
	script, err := filepath.Abs(filepath.Join(folder, "node_modules", ".bin", "mcp-inspector"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		t.Skip("@modelcontextprotocol/inspector is not installed: npm install in fixtures/tool/node")
	}
	dir := agentPlaybook(t)
	inspect := func(arguments ...string) (*value.Object, int) {
		t.Helper()
		command := patience.Command(t, node, append([]string{script, "--cli", "auto", "mcp", dir, "--no-work"}, arguments...)...)
		command.Env = append(os.Environ(), "HOME="+t.TempDir())
		var said bytes.Buffer
		command.Stderr = &said
		out, err := command.Output()
		code := 0
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		v, err := value.ParseJSON(out, 600)
		result, ok := v.(*value.Object)
		if err != nil || !ok {
			t.Fatalf("%v ended with %d: %s\n%s", arguments, code, out, said.String())
		}
		return result, code
	}
	result, _ := inspect("--method", "tools/list")
	listed, _ := result.Get("tools")
	var names []string
	for _, tool := range listed.([]value.Value) {
		name, _ := tool.(*value.Object).Get("name")
		names = append(names, name.(string))
	}
	sameTools(t, names)
	spend(t, func(tool string, arguments map[string]any) (texts []string, isError bool) {
		args := []string{"--method", "tools/call", "--tool-name", tool}
		for name, v := range arguments {
			text, isText := v.(string)
			if !isText {
				encoded, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				text = string(encoded)
			}
			args = append(args, "--tool-arg", fmt.Sprintf("%s=%s", name, text))
		}
		result, code := inspect(args...)
		content, _ := result.Get("content")
		for _, block := range content.([]value.Value) {
			text, _ := block.(*value.Object).Get("text")
			texts = append(texts, text.(string))
		}
		failed, _ := result.Get("isError")
		if (code != 0) != (failed == true) {
			t.Errorf("%s ended with %d", tool, code)
		}
		return texts, failed == true
	})
}

// chooser answers a form with one of its choices.
type chooser struct {
	t      *testing.T
	choice string
	asked  atomic.Int32
}

func (c *chooser) Elicit(_ context.Context, request wire.ElicitationRequest) (*wire.ElicitationResult, error) {
	c.asked.Add(1)
	form, err := json.Marshal(request.Params.RequestedSchema)
	if err != nil || !strings.Contains(string(form), `"const":"`+c.choice+`"`) || request.Params.Message != "Where should the owner be asked?" {
		c.t.Errorf("%v: asked is %s, %s", err, request.Params.Message, form)
	}
	return &wire.ElicitationResult{ElicitationResponse: wire.ElicitationResponse{
		Action: wire.ElicitationResponseActionAccept, Content: map[string]any{"deliver": c.choice},
	}}, nil
}

// TestPersonChoosesTheWayOfARequest, in the form of a client, and the agent is told.
func TestPersonChoosesTheWayOfARequest(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		person := &chooser{t: t, choice: "deliver: agent"}
		call := throughPeer(t, transport.NewStdio("auto", nil, "mcp", agentPlaybook(t)), peer.WithElicitationHandler(person), peer.WithProtocolVersion(version))
		texts, isError := call("create_definition", map[string]any{
			"type": "interaction", "name": "approve", "source": strings.Replace(approval, "deliver: agent\n", "", 1), "diagram": "none",
		})
		if !isError || !strings.Contains(texts[0], "write deliver: agent") || person.asked.Load() != 1 {
			t.Errorf("%s: after %d questions: %t, %v", version, person.asked.Load(), isError, texts)
		}
	}
}

// TestServerOnATerminalSaysWhatItIs, to whoever started it by hand.
func TestServerOnATerminalSaysWhatItIs(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{true, false} {
		var out, said bytes.Buffer
		code := cli.Execute([]string{"mcp", "--no-work"}, cli.Streams{
			In: strings.NewReader(""), Out: &out, Err: &said, Dir: agentPlaybook(t),
			Env: func(string) string { return "" }, Now: time.Now, InTerminal: terminal,
		})
		if code != cli.ExitOK || out.Len() > 0 || strings.HasPrefix(said.String(), "auto: This speaks MCP with a program on its standard input") != terminal {
			t.Errorf("%d, %q, %q", code, out.String(), said.String())
		}
	}
}

// TestCallThatIsCutOffIsRecorded: whatever ends the server, what it was doing is on
// record when it has ended.
func TestCallThatIsCutOffIsRecorded(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there is no ctrl-c to send")
	}
	for name, end := range map[string]func(command *exec.Cmd, in io.Closer) error{
		"ctrl-c":          func(command *exec.Cmd, _ io.Closer) error { return command.Process.Signal(os.Interrupt) },
		"end of input":    func(_ *exec.Cmd, in io.Closer) error { return in.Close() },
		"cancelled, then": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan struct{}, 1)
			provider := double.New(t, wireformat.OpenAI, double.Reply{Fault: double.Silence, Waiting: func() { asked <- struct{}{} }})
			dir := t.TempDir()
			writeFile(t, dir, "auto.yaml", "")
			writeFile(t, dir, "reasoning/review.md", "---\nmodel: openai/gpt-5\n---\n\nReview it.\n")
			command := patience.Command(t, "auto", "mcp", dir)
			command.Env = append(os.Environ(), "OPENAI_API_KEY="+double.Key, "OPENAI_BASE_URL="+provider.URL+"/v1")
			in, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var said bytes.Buffer
			command.Stderr = &said
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = command.Process.Kill() })
			write := func(line string) {
				t.Helper()
				if _, err := io.WriteString(in, line+"\n"); err != nil {
					t.Fatal(err)
				}
			}
			write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_definition","arguments":{"type":"reasoning","name":"review","input":{},"run_id":"one"}}}`)
			patience.Receive(t, asked)
			if end == nil {
				write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
				end = func(_ *exec.Cmd, in io.Closer) error { return in.Close() }
			}
			if err := end(command, in); err != nil {
				t.Fatal(err)
			}
			if err := command.Wait(); err != nil {
				t.Errorf("the server ended with %v: %s", err, said.String())
			}
			run, err := store.At(filepath.Join(dir, ".auto", "runs.db"), store.Options{}).Get("one")
			if err != nil || run.Status != store.Failed {
				t.Errorf("%v: %+v\n%s", err, run, said.String())
			}
		})
	}
}
