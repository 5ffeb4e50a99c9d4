package definition

import (
	"strings"
	"testing"
)

// TestWhatIsKnownOfTheServers is when a name can be told to be unknown. The
// fixtures of lint hold every place of a document where one stands.
func TestWhatIsKnownOfTheServers(t *testing.T) {
	t.Parallel()
	const noServer = "tool-unknown Line 3, /call/server: The tool server note is not configured for this playbook"
	source := func(server, tool string) string {
		return "---\ncall:\n  server: " + server + "\n  tool: " + tool + "\noutput:\n  schema: { type: object }\n---\n"
	}
	notes := Connection{Server: "notes", Tools: []ConnectedTool{{Name: "add_note"}}}
	narrow := Connection{Server: "notes", Allowed: []string{}}
	for _, c := range []struct {
		name, server, tool string
		around             Surroundings
		want               string
	}{
		{"nothing is known", "note", "add_note", Surroundings{}, ""},
		{"there may be none yet", "note", "add_note", Surroundings{ToolServers: []string{}}, ""},
		{"there are none, and they were to be asked", "note", "add_note", Surroundings{ToolServers: []string{}, Connections: []Connection{}}, noServer},
		{"what there is cannot be told", "note", "add_note", Surroundings{Connections: []Connection{}}, ""},
		{"another one is there", "note", "add_note", Surroundings{ToolServers: []string{"notes"}}, noServer + "; did you mean notes?"},
		{"the server was not asked", "notes", "ad_note", Surroundings{ToolServers: []string{"notes"}}, ""},
		{"it could not be asked", "notes", "ad_note", Surroundings{ToolServers: []string{"notes"}, Connections: []Connection{{Server: "notes", Unusable: "No"}}}, ""},
		{"it was asked", "notes", "ad_note", Surroundings{ToolServers: []string{"notes"}, Connections: []Connection{notes}},
			"tool-unknown Line 4, /call/tool: The tool server notes lists no tool ad_note; did you mean add_note?"},
		{"nothing of it is allowed", "notes", "add_note", Surroundings{ToolServers: []string{"notes"}, Connections: []Connection{narrow}},
			"tool-unknown Line 4, /call/tool: The tool notes/add_note is not among those its server's allowed setting names"},
	} {
		if got := strings.Join(problemsAround(t, "interaction", source(c.server, c.tool), c.around), "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	// A warning refuses nothing, and a name that is none is refused alone.
	asked := Surroundings{ToolServers: []string{"notes"}, Connections: []Connection{notes}}
	if Check([]byte(source("note", "add_note")), interactionType, asked).Definition == nil {
		t.Error("a document of a server that is not there is refused")
	}
	if got := problemsAround(t, "interaction", source("Note", "add note"), asked); len(got) != 2 || strings.Contains(strings.Join(got, ""), "tool-unknown") {
		t.Errorf("%q", got)
	}
}
