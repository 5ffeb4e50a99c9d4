package tool_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// This file runs the reference servers of MCP, where they are installed: npm install in
// fixtures/tool/node, or AUTO_TOOL_NODE naming another folder.

// reference gives node and the program of a reference server, or skips the test.
func reference(t *testing.T, name string) (node, script string) {
	t.Helper()
	folder := os.Getenv("AUTO_TOOL_NODE")
	if folder == "" {
		folder = filepath.Join("..", "..", "fixtures", "tool", "node")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skipf("@modelcontextprotocol/%s is not run: node is not installed", name)
	}
	script, err = filepath.Abs(filepath.Join(folder, "node_modules", "@modelcontextprotocol", name, "dist", "index.js"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		t.Skipf("@modelcontextprotocol/%s is not installed: npm install in fixtures/tool/node", name)
	}
	return node, script
}

func overNode(t *testing.T, name string, lines string, args ...string) *tool.Servers {
	t.Helper()
	node, script := reference(t, name)
	list := []value.Value{script}
	for _, a := range args {
		list = append(list, a)
	}
	// Node takes long to start on a machine that does much else.
	bounds := tool.UsualBounds
	bounds.Open = time.Minute
	return serversOf(t, fmt.Sprintf("tool_servers:\n  - name: notes\n    command: %s\n    args: %s\n%s", value.JSON(node), value.JSON(list), lines), tool.Options{Bounds: &bounds})
}

func toolNames(t *testing.T, servers *tool.Servers) map[string]tool.Tool {
	t.Helper()
	tools, failure := servers.List(context.Background(), "notes")
	must(t, failure)
	named := map[string]tool.Tool{}
	for _, of := range tools {
		named[of.Name] = of
	}
	return named
}

// everything holds for the reference server that has every feature, however it is
// reached.
func everything(t *testing.T, servers *tool.Servers) {
	tools := toolNames(t, servers)
	for _, name := range []string{"echo", "get-sum", "get-tiny-image", "get-structured-content"} {
		if _, ok := tools[name]; !ok {
			t.Fatalf("%s is not listed among %d tools", name, len(tools))
		}
	}
	if schema := value.JSON(tools["echo"].InputSchema); !strings.Contains(schema, `"$schema"`) {
		t.Errorf("the schema of echo lost its $schema: %s", schema)
	}
	result, failure := servers.Call(context.Background(), call("echo", "message", "héllo"))
	must(t, failure)
	if got := result.Shown(); got != "Echo: héllo" {
		t.Errorf("echo shows %q", got)
	}
	result, failure = servers.Call(context.Background(), call("get-sum", "a", 2.0, "b", 40.5))
	must(t, failure)
	if got := result.Shown(); got != "The sum of 2 and 40.5 is 42.5." {
		t.Errorf("get-sum shows %q", got)
	}
	result, failure = servers.Call(context.Background(), call("get-tiny-image"))
	must(t, failure)
	if got := result.Shown(); !strings.Contains(got, "\n[image content is not shown, image/png, ") {
		t.Errorf("get-tiny-image shows %q", got)
	}
	result, failure = servers.Call(context.Background(), call("get-structured-content", "location", "Chicago"))
	must(t, failure)
	answer, _ := result.Answer()
	if _, ok := value.Lookup(answer, "/temperature"); !ok || !result.HasStructured {
		t.Errorf("get-structured-content answers %s", value.JSON(answer))
	}
	// The server judges arguments itself: newer ones answer with a tool error.
	result, failure = servers.Call(context.Background(), call("get-sum", "a", "two"))
	if failure != nil {
		wants(t, failure, tool.ArgumentsRefused, "")
	} else if !result.IsError || !strings.Contains(result.Shown(), "Invalid arguments") && !strings.Contains(result.Shown(), "validation") {
		t.Errorf("get-sum of a text shows %q", result.Shown())
	}
	// A long call is cancelled, and the connection goes on.
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, failure = servers.Call(ctx, call("trigger-long-running-operation", "duration", 20.0, "steps", 100.0))
	wants(t, failure, tool.Cancelled, "")
	result, failure = servers.Call(context.Background(), call("echo", "message", "still here"))
	must(t, failure)
	if got := result.Shown(); got != "Echo: still here" {
		t.Errorf("after a cancelled call, echo shows %q", got)
	}
}

func TestReferenceServerEverythingOverStdio(t *testing.T) {
	t.Parallel()
	everything(t, overNode(t, "server-everything", ""))
}

func TestReferenceServerEverythingOverHTTP(t *testing.T) {
	t.Parallel()
	for way, path := range map[string]string{"streamableHttp": "/mcp", "sse": "/sse"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			node, script := reference(t, "server-everything")
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			address := listener.Addr().String()
			_ = listener.Close()
			_, port, _ := net.SplitHostPort(address)
			server := patience.Command(t, node, script, way)
			server.Env = append(os.Environ(), "PORT="+port)
			if err := server.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
			patience.Until(t, func() bool {
				connection, err := net.Dial("tcp", address)
				if err == nil {
					_ = connection.Close()
				}
				return err == nil
			})
			bounds := tool.UsualBounds
			bounds.Open = time.Minute
			everything(t, serversOf(t, "tool_servers:\n  - name: notes\n    url: http://"+address+path+"\n", tool.Options{Bounds: &bounds}))
		})
	}
}

func TestReferenceServerFilesystem(t *testing.T) {
	t.Parallel()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "brief.md")
	if err := os.WriteFile(path, []byte("# The brief\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	servers := overNode(t, "server-filesystem", "    allowed: [read_text_file, write_file, list_directory]\n", folder)
	tools := toolNames(t, servers)
	names := []string{}
	for name, of := range tools {
		names = append(names, name+" "+of.Mark())
	}
	slices.Sort(names)
	if got, want := fmt.Sprint(names), "[list_directory reads read_text_file reads write_file acts]"; got != want {
		t.Errorf("offers %s, want %s", got, want)
	}
	result, failure := servers.Call(context.Background(), call("read_text_file", "path", path))
	must(t, failure)
	if got := result.Shown(); got != "# The brief\n" {
		t.Errorf("reads %q", got)
	}
	_, failure = servers.Call(context.Background(), call("write_file", "path", filepath.Join(folder, "new.md"), "content", "written"))
	must(t, failure)
	if text, _ := os.ReadFile(filepath.Join(folder, "new.md")); string(text) != "written" {
		t.Errorf("wrote %q", text)
	}
	result, failure = servers.Call(context.Background(), call("read_text_file", "path", "/etc/passwd"))
	must(t, failure)
	if !result.IsError || !strings.Contains(result.Shown(), "Access denied") {
		t.Errorf("a file outside its folder shows %q", result.Shown())
	}
}

func TestReferenceServerMemory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "memory.jsonl")
	servers := overNode(t, "server-memory", "    env:\n      MEMORY_FILE_PATH: "+file+"\n")
	tools := toolNames(t, servers)
	if of := tools["read_graph"]; of.Mark() != "reads" {
		t.Errorf("read_graph %s", of.Mark())
	}
	_, failure := servers.Call(context.Background(), call("create_entities", "entities", []value.Value{
		object("name", "Priya", "entityType", "person", "observations", []value.Value{"owns the brief"}),
	}))
	must(t, failure)
	result, failure := servers.Call(context.Background(), call("search_nodes", "query", "brief"))
	must(t, failure)
	answer, _ := result.Answer()
	if name, _ := value.Lookup(answer, "/entities/0/name"); name != "Priya" {
		t.Errorf("search_nodes answers %s", value.JSON(answer))
	}
}
