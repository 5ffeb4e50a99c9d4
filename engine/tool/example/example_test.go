package example_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/example"
	"github.com/beonauto/auto/engine/value"
)

// The notes and the chat that a test's own program serves.
const (
	childVariable = "AUTO_EXAMPLE_NOTES"
	chatVariable  = "AUTO_EXAMPLE_CHAT"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(chatVariable); path != "" {
		if err := example.OpenChat(path).Serve(os.Stdin, os.Stdout, "test"); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv(childVariable); path != "" {
		notes, err := example.Load(path)
		if err == nil {
			err = notes.Serve(os.Stdin, os.Stdout, "test")
		}
		if err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve gives the notes of a path as the tool server notes.
func serve(t *testing.T, path string) *tool.Servers {
	t.Helper()
	return serveAs(t, "notes", childVariable, path)
}

// serveAs gives a server that the test's own program is told of by a variable.
func serveAs(t *testing.T, name, variable, path string) *tool.Servers {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	read, err := settings.Read([]byte("tool_servers:\n  - name: "+name+"\n    command: "+value.JSON(program)+"\n    env: { "+variable+": "+value.JSON(path)+" }\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	servers := tool.New(read.ToolServers(), tool.Options{})
	t.Cleanup(servers.Close)
	return servers
}

func folder(t *testing.T) string {
	t.Helper()
	path := t.TempDir()
	for name, text := range map[string]string{
		"Launch brief.md": "The brief of the autumn launch\nOwner: Priya\n", "Budget.md": "12,000 for the launch\n", "README.txt": "no note",
	} {
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestTheToolsOfTheNotes(t *testing.T) {
	t.Parallel()
	servers := serve(t, folder(t))
	tools, failure := servers.List(context.Background(), "notes")
	if failure != nil {
		t.Fatal(failure)
	}
	got := []string{}
	for _, of := range tools {
		arguments := []string{}
		for _, a := range of.Arguments() {
			arguments = append(arguments, a.Name+" "+a.Type)
		}
		got = append(got, of.Name+" "+of.Mark()+": "+strings.Join(arguments, ", "))
	}
	want := []string{
		"list_notes reads: ", "read_note reads: title string", "search_notes reads: words string, limit integer",
		"add_note acts: title string, text string", "append_note acts: title string, text string",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// In turn, since the later ones find what the earlier ones did.
	for _, test := range []struct{ name, arguments, want string }{
		{"list_notes", `{}`, `{"notes":[{"title":"Budget","first_line":"12,000 for the launch"},{"title":"Launch brief","first_line":"The brief of the autumn launch"}]}`},
		{"read_note", `{"title":"Launch brief"}`, `{"title":"Launch brief","text":"The brief of the autumn launch\nOwner: Priya"}`},
		{"read_note", `{"title":"Launch breif"}`, `error: There is no note titled "Launch breif"; did you mean "Launch brief"?`},
		{"read_note", `{}`, "arguments_refused: The tool server notes refused the arguments: Expected the argument title"},
		{"read_note", `{"titel":"x","title":"y"}`, "arguments_refused: The tool server notes refused the arguments: Unknown argument titel; did you mean title?"},
		{"search_notes", `{"words":"LAUNCH"}`, `{"notes":[{"title":"Launch brief","line":"The brief of the autumn launch"},{"title":"Budget","line":"12,000 for the launch"}]}`},
		{"search_notes", `{"words":"priya launch","limit":1}`, `{"notes":[{"title":"Launch brief","line":"The brief of the autumn launch"}]}`},
		{"search_notes", `{"words":"x","limit":0}`, "error: Expected limit to be from 1 to 50"},
		{"search_notes", `{"words":"x","limit":1.5}`, "arguments_refused: The tool server notes refused the arguments: Expected the argument limit to be a whole number"},
		{"add_note", `{"title":"Decision","text":"Approved"}`, `{"title":"Decision","added":true}`},
		{"add_note", `{"title":"Decision","text":"Again"}`, `error: There is a note titled "Decision" already; append_note adds to it`},
		{"add_note", `{"title":" ","text":""}`, "error: A note needs a title"},
		{"append_note", `{"title":"Decision","text":"by Priya"}`, `{"title":"Decision","text":"Approved\nby Priya"}`},
		{"append_note", `{"title":"Decision","text":"` + strings.Repeat("x", 15<<10) + `"}`, ""},
		{"remove_note", `{}`, "arguments_refused: The tool server notes refused the arguments: Unknown tool remove_note"},
	} {
		arguments, err := value.ParseJSON([]byte(test.arguments), 5)
		if err != nil {
			t.Fatal(err)
		}
		result, failure := servers.Call(context.Background(), tool.Call{Server: "notes", Tool: test.name, Arguments: arguments.(*value.Object)})
		got := ""
		switch {
		case failure != nil:
			got = string(failure.Because) + ": " + failure.Message
		case result.IsError:
			got = "error: " + result.Shown()
		default:
			answer, _ := result.Answer()
			if got = value.JSON(answer); got != result.Shown() {
				t.Errorf("%s shows %s beside its answer %s", test.name, result.Shown(), got)
			}
		}
		if test.want != "" && got != test.want {
			t.Errorf("%s %s: %s, want %s", test.name, test.arguments, got, test.want)
		}
	}
}

func TestNotesFromAFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"b":"two","a":"one"}`: "",
		`["a"]`:                 "expected a JSON object of titles and texts",
		`{"a":1}`:               `expected the note "a" to be text`,
		`{"a":{"b":{}}}`:        "expected a JSON object of titles and texts",
		`{`:                     "expected a JSON object of titles and texts",
	} {
		path := filepath.Join(t.TempDir(), "notes.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := example.Load(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := example.Load(filepath.Join(t.TempDir(), "missing")); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a missing path: %v", err)
	}
}

// TestTheProtocol is for what the client of this project never sends.
func TestTheProtocol(t *testing.T) {
	t.Parallel()
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		``,
		`{"jsonrpc":"2.0","id":"two","method":"initialize","params":{"protocolVersion":"1999-01-01"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":4,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_notes","arguments":[]}}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":7,"result":{}}`,
		`nonsense`,
	}, "\n") + "\n"
	var out bytes.Buffer
	if err := example.New().Serve(strings.NewReader(in), &out, "9"); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"auto-notes","version":"9"}}}`,
		`{"jsonrpc":"2.0","id":"two","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"auto-notes","version":"9"}}}`,
		`{"jsonrpc":"2.0","id":3,"result":{}}`,
		`{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found"}}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Expected the arguments to be an object"}}`,
		`{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"Unknown tool "}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
	}, "\n") + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
