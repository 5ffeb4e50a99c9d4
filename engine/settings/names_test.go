package settings

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestNamesOfToolServers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"none", "allowed_models: [openai/*]\n", nil},
		{"a comment", "# tool_servers go here\n", nil},
		{"some", "tool_servers:\n  - { name: notes, command: auto }\n  - { name: chat, url: '${CHAT_URL}' }\n", []string{"notes", "chat"}},
		{"one that lacks what it needs", "tool_servers:\n  - { name: notes }\n  - { url: https://chat.example }\n  - name: Chat\n  - name: [x]\n  - name: notes\n  - chat\n", []string{"notes"}},
		{"something else", "tool_servers: notes\n", nil},
		{"a mapping", "tool_servers: { name: notes }\n", nil},
		{"a list of settings", "- tool_servers\n", nil},
		{"no YAML", "tool_servers: [\n", nil},
		{"nothing", "", nil},
	} {
		// That there are none is known of any settings that can be read.
		known := c.name != "a list of settings" && c.name != "no YAML"
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, FileName), []byte(c.source), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := NamesOf(folder).ToolServers; !slices.Equal(got, c.want) || (got != nil) != known {
			t.Errorf("%s: %#v, want %q, known %v", c.name, got, c.want, known)
		}
	}
	if got := NamesOf(t.TempDir()).ToolServers; got == nil || len(got) > 0 {
		t.Errorf("without a file: %#v", got)
	}
}

func TestNamesOfModels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source            string
		gateways, aliases []string
	}{
		{"model_gateways:\n  - { name: house, base_url: https://models.example }\n  - { base_url: https://other.example }\n  - other\nmodel_aliases: { fast: house/small, good: house/large }\n",
			[]string{"house"}, []string{"fast", "good"}},
		{"model_gateways: { name: house }\nmodel_aliases: [fast]\n", nil, nil},
		{"model_gateways: 3\nmodel_aliases:\n", nil, nil},
		{"model_gateways: [\n", nil, nil},
		{"tool_servers: [{ name: notes }]\n", nil, nil},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, FileName), []byte(c.source), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := NamesOf(folder); !slices.Equal(got.Gateways, c.gateways) || !slices.Equal(got.Aliases, c.aliases) {
			t.Errorf("%s gives %q and %q, want %q and %q", c.source, got.Gateways, got.Aliases, c.gateways, c.aliases)
		}
	}
}
