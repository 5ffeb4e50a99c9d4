package tool_test

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/tool"
)

func TestReadersOfReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, tools, want string }{
		{"those that speak of messages", "list_users* thread_replies* listMessages* post_message list_comments", "thread_replies listMessages"},
		{"any that read beside one that sends, where none speaks of messages", "fetch* get_page* send_page", "fetch get_page"},
		{"none where nothing sends and none speaks of messages", "fetch* get_page* edit_page", ""},
		{"those that speak of messages, whatever sends", "list_messages* get_page*", "list_messages"},
		{"none", "post_message", ""},
	} {
		var tools []tool.Tool
		for _, name := range strings.Fields(c.tools) {
			name, reads := strings.CutSuffix(name, "*")
			tools = append(tools, tool.Tool{Name: name, Reads: reads})
		}
		var got []string
		for _, of := range tool.ReadersOfReplies(tools) {
			got = append(got, of.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
