package mcp_test

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

func TestSearchAndIntrospect(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, map[string]string{"chat": chat, "pager": pager})
	all := h.do("search", nil)
	want(t, all, "/servers/0/server", `"chat"`)
	want(t, all, "/servers/0/total", "4")
	want(t, all, "/servers/0/tools/0", `{"tool":"post_message","mark":"acts","description":"Posts a message","sends":true,"reads_replies":false}`)
	want(t, all, "/servers/0/tools/1/reads_replies", "true")
	want(t, all, "/servers/0/tools/1/mark", `"reads"`)
	found := h.do("search", map[string]any{"terms": "list the replies of a thread"})
	want(t, found, "/servers/0/tools/0/tool", `"thread_replies"`)
	want(t, found, "/servers/1/tools", "[]")
	for _, terms := range []string{"history of a channel", "thread_replies", ""} {
		for _, listed := range toolsOf(t, h.do("search", map[string]any{"terms": terms})) {
			want(t, listed, "/reads_replies", value.JSON(at(t, listed, "/tool") == `"thread_replies"`)) // as without terms
		}
	}

	shown := h.do("introspect", map[string]any{"server": "chat", "tool": "post_message"})
	want(t, shown, "/input_schema", `{"type":"object","required":["channel"],"properties":{"channel":{"type":"string"},"text":{"type":"string"}}}`)
	want(t, shown, "/model_name", `"chat__post_message"`)
	want(t, shown, "/mark", `"acts"`)
	wantWords(t, h.refused("introspect", map[string]any{"server": "chat", "tool": "post_mesage"}), "unavailable tool_not_offered", "did you mean post_message?")
	wantWords(t, h.refused("introspect", map[string]any{"server": "chats", "tool": "post_message"}), "unavailable tool_not_offered", "did you mean chat?")
	wantWords(t, h.refused("introspect", map[string]any{"server": "chat", "tool": "*"}), "/tool Expected one tool")
}

// toolsOf gives the tools of the first server that was found.
func toolsOf(t *testing.T, found *value.Object) []value.Value {
	t.Helper()
	list, _ := value.Lookup(found, "/servers/0/tools")
	tools, _ := list.([]value.Value)
	if len(tools) == 0 {
		t.Fatalf("nothing was found: %s", value.JSON(found))
	}
	return tools
}

func TestAServerThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, map[string]string{"chat": `{"tools":3}`})
	found := h.do("search", nil)
	want(t, found, "/servers/0/tools", "[]")
	wantWords(t, at(t, found, "/servers/0/failure/detail"), "chat")
	wantWords(t, h.refused("execute", map[string]any{"server": "chat", "tool": "post_message"}), "unavailable tool_server_failed")
}

func TestCallTools(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, map[string]string{"usual": double.Usual})
	read := h.do("query_connection", map[string]any{"server": "usual", "tool": "echo", "arguments": map[string]any{"text": "hello"}})
	want(t, read, "/status", `"answered"`)
	want(t, read, "/mark", `"reads"`)
	wantWords(t, at(t, read, "/shown"), "hello")
	want(t, read, "/is_error", "false")
	wantWords(t, h.refused("query_connection", map[string]any{"server": "usual", "tool": "unmarked"}), "/tool Expected a tool that is marked reads: usual/unmarked may change something", "execute_connection")

	dry := h.do("execute", map[string]any{"server": "usual", "tool": "echo", "arguments": map[string]any{"text": 3}, "dry_run": true})
	want(t, dry, "/status", `"checked"`)
	want(t, dry, "/sent", "false")
	want(t, dry, "/issues/0/pointer", `"/text"`)
	want(t, dry, "/most_bytes", "16384")

	called := h.do("execute_connection", map[string]any{"server": "usual", "tool": "unmarked", "arguments": map[string]any{"a": 1}})
	want(t, called, "/status", `"answered"`)
	event := h.do("get_event", map[string]any{"event_id": func() value.Value { v, _ := called.Get("event_id"); return v }()})
	want(t, event, "/type", `"tool_call_answered"`)
	want(t, event, "/run_id", "null")
	events := h.do("list_playbook_events", map[string]any{"type": "tool_call_started"})
	want(t, events, "/events/0/data/tool", `"echo"`)
	want(t, events, "/events/1/data/arguments", `{"a":1}`)
	if _, third := value.Lookup(events, "/events/2"); third {
		t.Error("a call that was not sent is in the history")
	}
	wantWords(t, h.refused("execute", map[string]any{"server": "usual", "tool": "echo", "arguments": map[string]any{"text": strings.Repeat("x", 17_000)}}),
		"conflict unworkable", "16 KiB")
	wantWords(t, h.refused("execute", map[string]any{"server": "usual", "tool": "none"}), "unavailable tool_not_offered")
}

func TestALongResultIsShownByItsSize(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, map[string]string{"usual": double.Usual})
	h.do("query_connection", map[string]any{"server": "usual", "tool": "echo", "arguments": map[string]any{"text": strings.Repeat("x", 5000)}})
	events := h.do("list_playbook_events", nil)
	if _, shown := value.Lookup(events, "/events/0/data/arguments"); shown {
		t.Error("5,000 bytes are shown in a list")
	}
	want(t, events, "/events/0/data/arguments_bytes", "5011")
	id, _ := value.Lookup(events, "/events/0/event_id")
	wantWords(t, at(t, h.do("get_event", map[string]any{"event_id": id}), "/data/arguments/text"), strings.Repeat("x", 5000))
}

func TestListModels(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, nil)
	listed := h.do("list_models", nil)
	want(t, listed, "/models", "[]")
	if note := at(t, listed, "/note"); !strings.Contains(note, "auto doctor") {
		t.Errorf("the agent is told %q", note)
	}
	wantWords(t, h.refused("list_models", map[string]any{"provider": "anthropc"}), "unavailable")
}
