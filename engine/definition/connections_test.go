package definition

import (
	"strings"
	"testing"
)

// chatAndMore are servers as they answer: one that carries requests, one that
// only tells, one that only reads, and one that did not answer.
var chatAndMore = []Connection{
	{Server: "chat", Tools: []ConnectedTool{
		{Name: "post_message", Sends: true}, {Name: "reply_in_thread", Sends: true}, {Name: "publish", Sends: true}, {Name: "send_mail", Sends: true},
		{Name: "list_replies", Reads: true, ReadsReplies: true}, {Name: "delete_message"},
	}},
	{Server: "pager", Tools: []ConnectedTool{{Name: "send_page", Sends: true}}},
	{Server: "wiki", Tools: []ConnectedTool{{Name: "read_page", Reads: true, ReadsReplies: true}, {Name: "edit_page"}}},
	{Server: "mail", Unusable: "The tool server mail did not accept its key"},
}

const (
	askSource = "---\nto: Priya\nexpires: P2D\noutput:\n  schema: { type: object, required: [verdict], properties: { verdict: { type: string } } }\n---\nShall we launch?\n"
	// The document names an agent, which holds no notification.
	tellSource = "---\nto: Priya\nexpires: P2D\ndeliver: agent\n---\nWe have launched.\n"
)

// problemsAround gives the problems of a document as they are reported.
func problemsAround(t *testing.T, typeName, source string, around Surroundings) (lines []string) {
	t.Helper()
	kind, ok := TypeNamed(typeName)
	if !ok {
		t.Fatalf("no type %s", typeName)
	}
	for _, p := range Check([]byte(source), kind, around).Problems {
		lines = append(lines, string(p.Rule)+" "+p.String())
	}
	return lines
}

func TestTheWaysOfAPlaybook(t *testing.T) {
	t.Parallel()
	names := []string{"chat", "pager", "wiki", "mail"}
	for _, c := range []struct {
		name, source string
		around       Surroundings
		want         string
	}{
		{"a request, nothing known", askSource, Surroundings{}, "; no tool server is configured for this playbook"},
		{"a request, names known", askSource, Surroundings{ToolServers: names}, "; the tool servers of this playbook are chat, mail, pager, wiki"},
		{"a request, asked", askSource, Surroundings{ToolServers: names, Connections: chatAndMore},
			"; in this playbook that is the tool server chat (post_message, reply_in_thread or publish sends it, list_replies reads the replies)"},
		{"a notification, asked", tellSource, Surroundings{ToolServers: names, Connections: chatAndMore},
			"; in this playbook that is one of the tool server chat (post_message, reply_in_thread or publish sends it), the tool server pager (send_page sends it)"},
		{"a request that none can carry", askSource, Surroundings{ToolServers: names, Connections: chatAndMore[1:]},
			"; no tool server of this playbook can carry it; mail cannot be used just now (The tool server mail did not accept its key)"},
		{"a notification that none can carry", tellSource, Surroundings{ToolServers: names, Connections: chatAndMore[2:]},
			"; no tool server of this playbook can carry it; mail cannot be used just now (The tool server mail did not accept its key)"},
		{"asked, and there are none", askSource, Surroundings{Connections: []Connection{}}, "; no tool server is configured for this playbook"},
	} {
		lines := problemsAround(t, "interaction", c.source, c.around)
		if len(lines) != 1 || !strings.HasPrefix(lines[0], "no-delivery ") || !strings.HasSuffix(lines[0], c.want) {
			t.Errorf("%s: %q, want one that ends with %q", c.name, lines, c.want)
		}
		if wantsAgent := c.source == askSource; len(lines) == 1 && strings.Contains(lines[0], "or deliver: agent") != wantsAgent {
			t.Errorf("%s: the agent is a way for a request alone: %s", c.name, lines[0])
		}
	}
}

func TestTheMarkOfTheToolOfACall(t *testing.T) {
	t.Parallel()
	source := func(tool string) string {
		return "---\ncall:\n  server: notes\n  tool: " + tool + "\noutput:\n  schema: { type: object }\n---\n"
	}
	notes := []Connection{{Server: "notes", Tools: []ConnectedTool{{Name: "read_note", Reads: true}, {Name: "add_note"}}}}
	const (
		toLookup      = "tool-mark Line 4, /call/tool: notes/read_note is marked reads, and belongs to a lookup function; save it with the type lookup, which takes the same call"
		toInteraction = "tool-mark Line 4, /call/tool: notes/add_note may change something, and a lookup function only reads; save it with the type interaction, which takes the same call"
	)
	for _, c := range []struct {
		typeName, tool string
		around         Surroundings
		want           string
	}{
		{"interaction", "read_note", Surroundings{Connections: notes}, toLookup},
		{"interaction", "add_note", Surroundings{Connections: notes}, ""},
		{"lookup", "read_note", Surroundings{Connections: notes}, ""},
		{"lookup", "add_note", Surroundings{Connections: notes}, toInteraction},
		// What is not known is not refused.
		{"interaction", "read_note", Surroundings{ToolServers: []string{"notes"}}, ""},
		{"lookup", "add_note", Surroundings{ToolServers: []string{"notes"}}, ""},
		{"lookup", "add_note", Surroundings{Connections: []Connection{{Server: "notes", Unusable: "No"}, {Server: "other", Tools: notes[0].Tools}}}, ""},
	} {
		if got := strings.Join(problemsAround(t, c.typeName, source(c.tool), c.around), "\n"); got != c.want {
			t.Errorf("%s %s with %v: %q, want %q", c.typeName, c.tool, c.around, got, c.want)
		}
	}
	// A call that is no mapping, or names no tool, is refused for that alone.
	for _, broken := range []string{"---\ncall: read_note\noutput:\n  schema: { type: object }\n---\n", "---\ncall: { server: notes }\noutput:\n  schema: { type: object }\n---\n"} {
		for _, typeName := range []string{"interaction", "lookup"} {
			for _, line := range problemsAround(t, typeName, broken, Surroundings{Connections: notes}) {
				if strings.HasPrefix(line, "tool-mark") {
					t.Errorf("%s: %s", typeName, line)
				}
			}
		}
	}
}
