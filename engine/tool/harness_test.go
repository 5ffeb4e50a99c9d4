package tool_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/tool/mcp"
	"github.com/beonauto/auto/engine/value"
)

// This file is what the tests of servers share: a double behind each way of
// reaching one.

func TestMain(m *testing.M) {
	double.Child()
	peerChild()
	code := m.Run()
	os.Exit(code)
}

// narrow are bounds that a test reaches quickly.
func narrow() *tool.Bounds {
	b := tool.UsualBounds
	b.Grace = 200 * time.Millisecond
	b.Read = mcp.Bounds{Message: 64 << 10, Pages: 5, Listed: 64 << 10, Tools: 20}
	return &b
}

// environment is what references of the settings are filled with in tests.
var environment = map[string]string{
	"NOTES_KEY": "s3cret-key-12345",
	"SHORT":     "abc",
}

// serversOf gives the servers of an auto.yaml, closed when the test ends.
func serversOf(t *testing.T, yaml string, options tool.Options) *tool.Servers {
	t.Helper()
	lookup := func(name string) (string, bool) {
		text, ok := environment[name]
		return text, ok
	}
	read, err := settings.Read([]byte(yaml), lookup)
	if err != nil {
		t.Fatal(err)
	}
	if options.Bounds == nil {
		options.Bounds = narrow()
	}
	servers := tool.New(read.ToolServers(), options)
	t.Cleanup(servers.Close)
	return servers
}

// ways are the ways of reaching a double.
var ways = []string{"stdio", "http", "events", "older"}

// more are further lines of a server's settings, indented by four spaces.
type more string

// reach gives a double as the server notes, reached in a way.
func reach(t *testing.T, way string, d *double.Server, options tool.Options, lines ...more) *tool.Servers {
	t.Helper()
	return serversOf(t, settingsFor(t, way, d, lines...), options)
}

func settingsFor(t *testing.T, way string, d *double.Server, lines ...more) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("tool_servers:\n  - name: notes\n")
	if way == "stdio" {
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		name, encoded := d.Environment()
		fmt.Fprintf(&text, "    command: %s\n    env:\n      %s: %s\n      NOTES_API_KEY: ${NOTES_KEY}\n", value.JSON(program), name, value.JSON(encoded))
	} else {
		d.Events = d.Events || way == "events"
		server := httptest.NewServer(d.Handler())
		t.Cleanup(server.Close)
		path := map[string]string{"http": "/mcp", "events": "/mcp", "older": "/sse"}[way]
		fmt.Fprintf(&text, "    url: %s%s\n    headers:\n      Authorization: Bearer ${NOTES_KEY}\n", server.URL, path)
	}
	for _, line := range lines {
		text.WriteString("    " + string(line) + "\n")
	}
	return text.String()
}

// faults is a double with one fault.
func faults(pairs ...string) *double.Server {
	d := &double.Server{Faults: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		d.Faults[pairs[i]] = pairs[i+1]
	}
	return d
}

func object(pairs ...any) *value.Object {
	o := &value.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func call(name string, pairs ...any) tool.Call {
	return tool.Call{Server: "notes", Tool: name, Arguments: object(pairs...), RunID: "run-1"}
}

// must fails the test on a failure.
func must(t *testing.T, failure *tool.Failure) {
	t.Helper()
	if failure != nil {
		t.Fatalf("%s: %s", failure.Because, failure.Message)
	}
}

// wants fails the test unless it failed for a reason, in words that hold a part.
func wants(t *testing.T, failure *tool.Failure, because tool.Because, part string) {
	t.Helper()
	switch {
	case failure == nil:
		t.Errorf("it did not fail, want %s", because)
	case failure.Because != because || !strings.Contains(failure.Message, part):
		t.Errorf("failed as %s: %q, want %s with %q", failure.Because, failure.Message, because, part)
	}
	if failure != nil && strings.Contains(failure.Message, environment["NOTES_KEY"]) {
		t.Errorf("a secret is in %q", failure.Message)
	}
}

func noRedirects() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableCompression: true}}
}
