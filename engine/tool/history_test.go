package tool_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// TestTheHistoryOfACall has every field of the three events, with contents and
// without.
func TestTheHistoryOfACall(t *testing.T) {
	t.Parallel()
	arguments := value.Build([]string{"text"}, []value.Value{"hi"})
	of := &tool.Tool{Server: "notes", Name: "echo", Reads: true}
	for _, c := range []struct {
		name              string
		more              []more
		started, answered string
	}{
		{
			"kept", nil,
			`{"server":"notes","tool":"echo","read_only":true,"arguments_bytes":13,"arguments_digest":"","arguments":{"text":"hi"}}`,
			`{"server":"notes","tool":"echo","is_error":false,"result_bytes":41,"result_digest":"","result":{"content":[{"type":"text","text":"hi"}]},"shown_bytes":1,"duration_ms":0,"jsonrpc_id":0}`,
		},
		{
			"not kept", []more{"record_content: false"},
			`{"server":"notes","tool":"echo","read_only":true,"arguments_bytes":13}`,
			`{"server":"notes","tool":"echo","is_error":false,"result_bytes":41,"shown_bytes":1,"duration_ms":0,"jsonrpc_id":0}`,
		},
	} {
		servers := reach(t, "stdio", &double.Server{}, tool.Options{}, c.more...)
		started := servers.StartedData(of, arguments)
		same(t, c.name+": started", started, c.started, "arguments_digest")
		result, failure := servers.Call(context.Background(), tool.Call{Server: "notes", Tool: "echo", Arguments: arguments})
		if failure != nil {
			t.Fatal(failure)
		}
		answered := servers.AnsweredData(of, result, 1)
		same(t, c.name+": answered", answered, c.answered, "result_digest", "duration_ms", "jsonrpc_id")
		if servers.AnsweredData(of, result, 2).Has("shown_bytes") {
			t.Errorf("%s: a result that was shown whole has shown_bytes", c.name)
		}
	}
	servers := tool.New([]settings.ToolServer{{Name: "notes", RecordContent: true}}, tool.Options{})
	failed := servers.FailedData(&tool.Tool{Server: "notes", Name: "add"}, &tool.Failure{Because: tool.TimedOut, Sent: true, Message: "No answer", RequestID: "r-1", JSONRPCID: 4.0})
	same(t, "failed", failed, `{"server":"notes","tool":"add","because":"timed_out","message":"No answer","duration_ms":0,"jsonrpc_id":4,"request_id":"r-1"}`)
	unsent := servers.FailedData(&tool.Tool{Server: "notes", Name: "add"}, &tool.Failure{Because: tool.NotListed, Message: "No such tool"})
	same(t, "not sent", unsent, `{"server":"notes","tool":"add","because":"server_failure","message":"No such tool","sent":false,"duration_ms":0,"jsonrpc_id":null}`)
	if none := servers.StartedData(&tool.Tool{Server: "notes", Name: "add"}, nil); value.JSON(none) != `{"server":"notes","tool":"add","arguments_bytes":2,"arguments_digest":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","arguments":{}}` {
		t.Errorf("no arguments: %s", value.JSON(none))
	}
}

// same compares data, taking what a field holds from the data where it changes
// from call to call.
func same(t *testing.T, what string, got *value.Object, want string, changing ...string) {
	t.Helper()
	v, err := value.ParseJSON([]byte(want), 10)
	if err != nil {
		t.Fatal(err)
	}
	expected := v.(*value.Object)
	for _, key := range changing {
		if held, ok := got.Get(key); ok && expected.Has(key) {
			expected.Set(key, held)
		}
	}
	if value.JSON(got) != value.JSON(expected) {
		t.Errorf("%s:\n got %s\nwant %s", what, value.JSON(got), value.JSON(expected))
	}
}

// TestAutoIsTheProgramItself starts the double by the name of the program.
func TestAutoIsTheProgramItself(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name, encoded := (&double.Server{}).Environment()
	yaml := fmt.Sprintf("tool_servers:\n  - name: notes\n    command: auto\n    env: { %s: %s }\n", name, value.JSON(encoded))
	tools, failure := serversOf(t, yaml, tool.Options{Program: self}).List(context.Background(), "notes")
	must(t, failure)
	if len(tools) != 4 {
		t.Errorf("%d tools are listed", len(tools))
	}
}
