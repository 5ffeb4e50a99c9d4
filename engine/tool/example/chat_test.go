package example_test

// This file tests the chat: its tools, and its file under many processes and
// after a crash.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// call gives what a call shows, or its failure in words.
func call(t *testing.T, servers *tool.Servers, name, arguments string) string {
	t.Helper()
	given, err := value.ParseJSON([]byte(arguments), 5)
	if err != nil {
		t.Fatal(err)
	}
	result, failure := servers.Call(context.Background(), tool.Call{Server: "chat", Tool: name, Arguments: given.(*value.Object)})
	switch {
	case failure != nil:
		return string(failure.Because) + ": " + failure.Message
	case result.IsError:
		return "error: " + result.Shown()
	}
	answer, _ := result.Answer()
	return value.JSON(answer)
}

func TestTheToolsOfTheChat(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kept", "chat.jsonl")
	servers := serveAs(t, "chat", chatVariable, path)
	tools, failure := servers.List(context.Background(), "chat")
	if failure != nil {
		t.Fatal(failure)
	}
	got := []string{}
	for _, of := range tools {
		got = append(got, of.Name+" "+of.Mark())
	}
	want := []string{"post_message acts", "reply_as acts", "thread_replies reads", "channel_history reads", "list_channels reads"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	const first, second, third, fourth = "1764460800.000100", "1764460800.000200", "1764460800.000300", "1764460800.000400"
	// In turn, since the later ones find what the earlier ones did. The arguments are
	// those that a document writes.
	for _, test := range []struct{ name, arguments, want string }{
		{"list_channels", `{}`, `{"channels":[]}`},
		{"thread_replies", `{"channel":"priya@acme.example"}`, "error: There is no message in priya@acme.example; list_channels gives the channels"},
		{"reply_as", `{"channel":"priya@acme.example","user":"priya@acme.example","text":"hello"}`, "error: There is no message in priya@acme.example; list_channels gives the channels"},
		{"post_message", `{"channel":"priya@acme.example","text":"Reply **approve**"}`, `{"channel":"priya@acme.example","ts":"` + first + `"}`},
		{"post_message", `{"channel":"#campaigns","text":"Good morning"}`, `{"channel":"#campaigns","ts":"` + second + `"}`},
		{"reply_as", `{"channel":"priya@acme.example","user":"priya@acme.example","text":"looks fine"}`, `{"channel":"priya@acme.example","ts":"` + third + `","thread_ts":"` + first + `"}`},
		{"post_message", `{"channel":"priya@acme.example","text":"To answer, reply","thread_ts":"` + third + `"}`, `{"channel":"priya@acme.example","ts":"` + fourth + `","thread_ts":"` + first + `"}`},
		{"thread_replies", `{"channel":"priya@acme.example","ts":"` + first + `","oldest":"0","limit":15}`,
			`{"messages":[{"ts":"` + first + `","user":"auto","text":"Reply **approve**","thread_ts":"` + first + `"},{"ts":"` + third + `","user":"priya@acme.example","text":"looks fine","thread_ts":"` + first + `"},{"ts":"` + fourth + `","user":"auto","text":"To answer, reply","thread_ts":"` + first + `"}],"has_more":false}`},
		{"thread_replies", `{"channel":"priya@acme.example","ts":"` + first + `","oldest":"` + first + `","limit":1}`,
			`{"messages":[{"ts":"` + third + `","user":"priya@acme.example","text":"looks fine","thread_ts":"` + first + `"}],"has_more":true}`},
		{"thread_replies", `{"channel":"priya@acme.example","ts":"` + first + `","oldest":"` + fourth + `"}`, `{"messages":[],"has_more":false}`},
		{"thread_replies", `{"channel":"#campaigns"}`, `{"messages":[{"ts":"` + second + `","user":"auto","text":"Good morning","thread_ts":"` + second + `"}],"has_more":false}`},
		{"channel_history", `{"channel":"priya@acme.example"}`, `{"messages":[{"ts":"` + first + `","user":"auto","text":"Reply **approve**","replies":2}],"has_more":false}`},
		{"channel_history", `{"channel":"#none"}`, `{"messages":[],"has_more":false}`},
		{"list_channels", `{}`, `{"channels":[{"channel":"priya@acme.example","messages":3},{"channel":"#campaigns","messages":1}]}`},
		{"thread_replies", `{"channel":"#campaigns","ts":"` + first + `"}`, "error: There is no message " + first + " in #campaigns; channel_history gives the messages"},
		{"post_message", `{"channel":"#campaigns","text":"x","thread_ts":"1"}`, "error: There is no message 1 in #campaigns; channel_history gives the messages"},
		{"thread_replies", `{"channel":"#campaigns","oldest":"yesterday"}`, "error: Expected oldest to be the ts of a message, such as " + first},
		{"thread_replies", `{"channel":"#campaigns","limit":0}`, "error: Expected limit to be from 1 to 100"},
		{"post_message", `{"channel":"#campaigns","text":" \n"}`, "error: A message needs a text"},
		{"post_message", `{"channel":"","text":"x"}`, "error: Expected the channel to be 1 to 256 bytes without a control character"},
		{"reply_as", `{"channel":"#campaigns","user":"a\u0007","text":"x"}`, "error: Expected the user to be 1 to 256 bytes without a control character"},
		{"post_message", `{"chanel":"#campaigns","text":"x"}`, "arguments_refused: The tool server chat refused the arguments: Expected the argument channel"},
	} {
		if got := call(t, servers, test.name, test.arguments); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.name, test.arguments, got, test.want)
		}
	}
	// Another process has the same chat.
	other := serveAs(t, "chat", chatVariable, path)
	if got := call(t, other, "list_channels", `{}`); !strings.Contains(got, `"messages":3`) {
		t.Errorf("another process lists %s", got)
	}
}

// Processes that post at once lose no message of each other, and give none the
// same ts.
func TestManyPostAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chat.jsonl")
	const processes, each = 3, 20
	var group sync.WaitGroup
	for p := range processes {
		servers := serveAs(t, "chat", chatVariable, path)
		group.Go(func() {
			for i := range each {
				if got := call(t, servers, "post_message", fmt.Sprintf(`{"channel":"#c","text":"%d of %d"}`, i, p)); !strings.HasPrefix(got, "{") {
					t.Error(got)
				}
				call(t, servers, "thread_replies", `{"channel":"#c"}`)
			}
		})
	}
	group.Wait()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	posted := map[string]int{}
	for i, line := range lines {
		v, err := value.ParseJSON([]byte(line), 5)
		if err != nil {
			t.Fatal(err)
		}
		ts, _ := value.Lookup(v, "/message/ts")
		if want := fmt.Sprintf("1764460800.%06d", (i+1)*100); ts != want {
			t.Errorf("line %d has the ts %v, want %s", i+1, ts, want)
		}
		words, _ := value.Lookup(v, "/message/text")
		posted[words.(string)]++
	}
	if len(lines) != processes*each || len(posted) != processes*each {
		t.Errorf("%d lines hold %d messages, want %d", len(lines), len(posted), processes*each)
	}
}

// What a process that died left of a line is no message; what no process wrote is
// named, and stays.
func TestAChatThatWasCutOff(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chat.jsonl")
	servers := serveAs(t, "chat", chatVariable, path)
	call(t, servers, "post_message", `{"channel":"#c","text":"one"}`)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(whole, whole[:len(whole)/2]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := call(t, servers, "list_channels", `{}`), `{"channels":[{"channel":"#c","messages":1}]}`; got != want {
		t.Errorf("half a line: %s, want %s", got, want)
	}
	if got, want := call(t, servers, "post_message", `{"channel":"#c","text":"two"}`), `{"channel":"#c","ts":"1764460800.000200"}`; got != want {
		t.Errorf("after half a line: %s, want %s", got, want)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "\n") != 2 {
		t.Errorf("the file is %q, %v", text, err)
	}
	for _, bad := range []string{"hello\n", string(whole) + string(whole), `{"channel":"#c","message":{"ts":"1"}}` + "\n"} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := call(t, servers, "post_message", `{"channel":"#c","text":"x"}`); !strings.HasPrefix(got, "error: Line ") || !strings.HasSuffix(got, " is no message of a chat") {
			t.Errorf("%q: %s", bad, got)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != bad {
			t.Errorf("%q became %q, %v", bad, text, err)
		}
	}
}
