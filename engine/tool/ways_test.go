package tool_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// This file tests listing and calling over every way of reaching a server.

func TestEveryWayListsAndCalls(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		for _, stateless := range []bool{false, true} {
			if stateless && way == "older" {
				continue
			}
			name := way
			if stateless {
				name += " without a handshake"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				d := &double.Server{Stateless: stateless, Session: !stateless}
				servers := reach(t, way, d, tool.Options{Version: "9.9.9"}, "reads: [unmarked, post_message]", "request_id: x-request-id")
				tools, failure := servers.List(context.Background(), "notes")
				must(t, failure)
				got := []string{}
				for _, of := range tools {
					got = append(got, of.String()+" "+of.Mark())
				}
				want := []string{"notes/echo reads", "notes/post_message acts", "notes/unmarked reads", "notes/delete_note acts"}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				// The schema is as the server wrote it: oneOf and $schema stay, nothing is
				// added, keys keep their order.
				if got, want := value.JSON(tools[1].InputSchema), `{"type":"object","oneOf":[{"required":["channel"]},{"required":["user"]}],"properties":{"zebra":{"type":"string"},"channel":{"type":"string"},"user":{"type":"string"}}}`; got != want {
					t.Errorf("schema %s, want %s", got, want)
				}
				if !tools[3].Deletes || tools[1].Deletes {
					t.Error("only delete_note deletes")
				}
				result, failure := servers.Call(context.Background(), call("echo", "text", "Grüße\nover two lines"))
				must(t, failure)
				if got := result.Shown(); got != "Grüße\nover two lines" {
					t.Errorf("shown %q", got)
				}
				if id, ok := value.Whole(result.JSONRPCID); !ok || id < 2 {
					t.Errorf("JSON-RPC id %v", result.JSONRPCID)
				}
				wantID := ""
				if way == "http" || way == "events" {
					wantID = "req-tools/call"
				}
				if result.RequestID != wantID {
					t.Errorf("request id %q, want %q", result.RequestID, wantID)
				}
			})
		}
	}
}

// TestCallsCarryTheirRun wants {} for no arguments, never null, and the run's id.
func TestCallsCarryTheirRun(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			servers := reach(t, way, &double.Server{}, tool.Options{})
			result, failure := servers.Call(context.Background(), tool.Call{Server: "notes", Tool: "whole", RunID: "run-1"})
			must(t, failure)
			if got, want := result.Shown(), `{"name":"whole","arguments":{},"_meta":{"auto.on/run_id":"run-1"}}`; got != want {
				t.Errorf("sent %s, want %s", got, want)
			}
			result, failure = servers.Call(context.Background(), tool.Call{Server: "notes", Tool: "whole", Arguments: object("b", nil, "a", []value.Value{1.5})})
			must(t, failure)
			if got, want := result.Shown(), `{"name":"whole","arguments":{"b":null,"a":[1.5]}}`; got != want {
				t.Errorf("sent %s, want %s", got, want)
			}
		})
	}
}

func TestStatelessRequestsSayWhoTheyAre(t *testing.T) {
	t.Parallel()
	d := &double.Server{Stateless: true, Pages: []string{`{"tools":[{"name":"query","inputSchema":{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},"deep":{"type":"object","properties":{"on":{"type":"boolean","x-mcp-header":"On"}}}}}}]}`}}
	servers := reach(t, "http", d, tool.Options{Version: "9.9.9"})
	_, failure := servers.List(context.Background(), "notes")
	must(t, failure)
	_, failure = servers.Call(context.Background(), call("query", "region", "Zürich", "deep", object("on", true)))
	must(t, failure)
	asked := d.Asked()
	last := asked[len(asked)-1]
	for pointer, want := range map[string]string{
		"/_meta/io.modelcontextprotocol~1protocolVersion":    `"2026-07-28"`,
		"/_meta/io.modelcontextprotocol~1clientCapabilities": `{}`,
		"/_meta/io.modelcontextprotocol~1clientInfo":         `{"name":"auto","version":"9.9.9"}`,
		"/_meta/auto.on~1run_id":                             `"run-1"`,
	} {
		if got := value.JSON(last.Param(pointer)); got != want {
			t.Errorf("%s is %s, want %s", pointer, got, want)
		}
	}
	for header, want := range map[string]string{
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "query",
		"Mcp-Param-Region": "=?base64?WsO8cmljaA==?=", "Mcp-Param-On": "true", "Authorization": "Bearer s3cret-key-12345",
	} {
		if got := strings.Join(last.Header[header], ", "); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
}

func TestSessionsAreKeptAndEnded(t *testing.T) {
	t.Parallel()
	d := &double.Server{Session: true, Faults: map[string]string{"tools/call echo": "once status:404"}}
	servers := reach(t, "http", d, tool.Options{})
	_, failure := servers.List(context.Background(), "notes")
	must(t, failure)
	// The server has forgotten the session, so it has not looked at the call: that of
	// a tool that only reads is sent again in a new one.
	result, failure := servers.Call(context.Background(), call("echo", "text", "again"))
	must(t, failure)
	if result.Shown() != "again" {
		t.Errorf("shown %q", result.Shown())
	}
	servers.Close()
	methods := []string{}
	for _, a := range d.Asked() {
		methods = append(methods, a.Method)
		if session := strings.Join(a.Header["Mcp-Session-Id"], ""); a.Method != "initialize" && session != "session-1" {
			t.Errorf("%s was sent in the session %q", a.Method, session)
		}
	}
	got := strings.Join(methods, " ")
	got = strings.ReplaceAll(got, " notifications/initialized", "")
	if want := "initialize tools/list tools/call initialize tools/call DELETE"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}

// TestACallThatMayActIsNotSentAgain is for a server that ends a session with a call,
// whatever it did before.
func TestACallThatMayActIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"post_message", "unmarked", "unlisted"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &double.Server{Session: true, Faults: map[string]string{"tools/call " + name: "once status:404"}}
			servers := reach(t, "http", d, tool.Options{})
			_, failure := servers.List(context.Background(), "notes")
			must(t, failure)
			_, failure = servers.Call(context.Background(), call(name))
			wants(t, failure, tool.ServerFailure, "ended the session")
			if failure != nil && !failure.Sent {
				t.Error("it was sent")
			}
			calls := 0
			for _, a := range d.Asked() {
				if a.Method == "tools/call" {
					calls++
				}
			}
			if calls != 1 {
				t.Errorf("the call was sent %d times", calls)
			}
			// The next one finds a new session.
			_, failure = servers.Call(context.Background(), call("echo", "text", "after"))
			must(t, failure)
		})
	}
}

func TestASessionWhoseIDCannotBeSentBack(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a b", "é", strings.Repeat("x", 5000)} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Mcp-Session-Id"] = []string{id}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
		}))
		t.Cleanup(server.Close)
		servers := serversOf(t, "tool_servers:\n  - name: notes\n    url: "+server.URL+"\n", tool.Options{})
		_, failure := servers.List(context.Background(), "notes")
		wants(t, failure, tool.Failing, "an id that no header can hold")
	}
}

func TestAServerThatTalksMeanwhileIsAnswered(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			servers := reach(t, way, faults("tools/call", double.Chatty), tool.Options{})
			result, failure := servers.Call(context.Background(), call("echo", "text", "done"))
			must(t, failure)
			if result.Shown() != "done" {
				t.Errorf("shown %q", result.Shown())
			}
		})
	}
}

func TestLinesThatAreNotMessagesArePassedOver(t *testing.T) {
	t.Parallel()
	servers := reach(t, "stdio", faults("initialize", double.Noise, "tools/call", double.Noise), tool.Options{})
	result, failure := servers.Call(context.Background(), call("echo", "text", "heard"))
	must(t, failure)
	if result.Shown() != "heard" {
		t.Errorf("shown %q", result.Shown())
	}
}

func TestADroppedStreamIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	servers := reach(t, "http", faults("tools/call", double.Drop), tool.Options{})
	result, failure := servers.Call(context.Background(), call("echo", "text", "later"))
	must(t, failure)
	if result.Shown() != "later" {
		t.Errorf("shown %q", result.Shown())
	}
}

// TestAChildSeesOnlyItsOwnEnvironment is for secrets of this process that the
// settings do not name.
func TestAChildSeesOnlyItsOwnEnvironment(t *testing.T) {
	t.Parallel()
	servers := reach(t, "stdio", &double.Server{}, tool.Options{})
	result, failure := servers.Call(context.Background(), call("environment"))
	must(t, failure)
	names := []string{}
	for _, line := range strings.Split(result.Shown(), "\n") {
		name, _, _ := strings.Cut(line, "=")
		names = append(names, name)
	}
	if diff := cmp.Diff([]string{"AUTO_TOOL_DOUBLE", "NOTES_API_KEY"}, names); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(result.Shown(), environment["NOTES_KEY"]) {
		t.Error("the secret reaches the model")
	}
	if !strings.Contains(result.Shown(), "NOTES_API_KEY="+tool.Redacted) {
		t.Errorf("shown %q", result.Shown())
	}
}

func TestCallsAtOnceGetTheirOwnAnswers(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			servers := reach(t, way, &double.Server{}, tool.Options{})
			done := make(chan string)
			const calls = 20
			for i := range calls {
				go func() {
					want := strings.Repeat("x", i)
					result, failure := servers.Call(context.Background(), call("echo", "text", want+"."))
					switch {
					case failure != nil:
						done <- failure.Message
					case result.Shown() != want+".":
						done <- "another call's answer"
					default:
						done <- ""
					}
				}()
			}
			for range calls {
				if wrong := patience.Receive(t, done); wrong != "" {
					t.Error(wrong)
				}
			}
		})
	}
}

// TestAnErrorWithAStatusIsReadAsOne is for servers that answer a refused call with
// HTTP 400 and an error of JSON-RPC in it.
func TestAnErrorWithAStatusIsReadAsOne(t *testing.T) {
	t.Parallel()
	for status, test := range map[int]struct {
		because tool.Because
		words   string
	}{
		400: {tool.ArgumentsRefused, "The tool server notes refused the arguments: no such page"},
		404: {tool.ArgumentsRefused, "The tool server notes refused the arguments: no such page"},
		401: {tool.ServerFailure, "did not accept the key it was given (HTTP 401): The server refused the arguments: no such page"},
		500: {tool.ServerFailure, "failed (HTTP 500)"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			v, _ := value.ParseJSON(body, 10)
			id, _ := value.Lookup(v, "/id")
			method, _ := value.Lookup(v, "/method")
			w.Header().Set("Content-Type", "application/json")
			answer := object("jsonrpc", "2.0", "id", id)
			if method == "initialize" {
				answer.Set("result", object("protocolVersion", "2025-06-18"))
			} else {
				w.WriteHeader(status)
				answer.Set("error", object("code", -32602.0, "message", "no such page"))
			}
			_, _ = w.Write(value.AppendJSON(nil, answer))
		}))
		t.Cleanup(server.Close)
		servers := serversOf(t, "tool_servers:\n  - name: notes\n    url: "+server.URL+"\n", tool.Options{})
		_, failure := servers.Call(context.Background(), call("echo"))
		wants(t, failure, test.because, test.words)
	}
}

// TestAVersionThatIsNotKnown refuses a server that answers with one.
func TestAVersionThatIsNotKnown(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2031-01-01\nx"}}]`)
	}))
	t.Cleanup(server.Close)
	servers := serversOf(t, "tool_servers:\n  - name: notes\n    url: "+server.URL+"\n", tool.Options{})
	_, failure := servers.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "speaks a version of MCP that is not known: 2031-01-01")
}
