package mcp_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

func TestTheTableOfOperations(t *testing.T) {
	t.Parallel()
	var names []string
	for _, o := range mcp.Operations() {
		names = append(names, o.Name)
		if o.Title == "" || len(o.Description) < 80 || o.Do == nil {
			t.Errorf("%s has no title, no description or nothing to do", o.Name)
		}
		if len(o.Description) > 1024 {
			t.Errorf("the description of %s takes %d bytes, which clients may cut", o.Name, len(o.Description))
		}
		if o.Reads && o.Destructive {
			t.Errorf("%s reads and destroys", o.Name)
		}
		input, output := parsed(t, o.Input), parsed(t, o.Output)
		want(t, input, "/type", `"object"`)
		want(t, input, "/additionalProperties", `false`)
		want(t, output, "/type", `"object"`)
		issuesOf(t, o.Output, output) // it compiles
		if issues := issuesOf(t, o.Input, object(t, map[string]any{"playbook": "campaigns"})); !strings.Contains(strings.Join(issues, " "), "/playbook") {
			t.Errorf("%s takes an argument that it does not know: %v", o.Name, issues)
		}
		properties, _ := value.Lookup(input, "/properties")
		for i := range properties.(*value.Object).Len() {
			key, of := properties.(*value.Object).At(i)
			if about, _ := value.Lookup(of, "/description"); about == nil {
				t.Errorf("%s says nothing of its argument %s", o.Name, key)
			}
			if choices, ok := value.Lookup(of, "/enum"); key == "type" && ok && o.Name != "list_playbook_events" {
				var types []value.Value
				for _, name := range engine.Types() {
					types = append(types, name)
				}
				if !value.Equal(choices, types) {
					t.Errorf("%s takes the types %s", o.Name, value.JSON(choices))
				}
			}
		}
		required, _ := value.Lookup(output, "/required")
		if list, _ := required.([]value.Value); len(list) == 0 {
			t.Errorf("%s promises nothing of its result", o.Name)
		}
	}
	const all = "list_definitions get_definition create_definition update_definition run_definition get_run list_runs cancel_run " +
		"list_interactions answer_interaction list_playbook_events get_event list_models search introspect query_connection execute_connection execute get_guide"
	if got := strings.Join(names, " "); got != all {
		t.Errorf("the operations are %s, want %s", got, all)
	}
}

func TestSettingsThatDoNotStand(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"reasoning/review.md": review}, nil)
	h.write(engine.SettingsFile, "tool_servers: 3\n")
	h.Runtime = engine.Open(engine.Options{Folder: h.folder, Lookup: func(string) (string, bool) { return "", false }})
	t.Cleanup(func() { h.Close() })
	for name, arguments := range map[string]map[string]any{
		"list_models": {}, "search": {}, "introspect": {"server": "chat", "tool": "post_message"}, "execute": {"server": "chat", "tool": "post_message"},
		"run_definition": {"type": "reasoning", "name": "review"},
	} {
		wantWords(t, h.refused(name, arguments), "unavailable", "tool_servers")
	}
	want(t, h.do("list_definitions", nil), "/definitions/0/name", `"review"`)
}

// TestHostileArguments gives every text argument of every operation what nobody
// means well by: each call is done or refused, and none is the server's failure.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"reasoning/review.md": review, "interaction/approve.md": approve}, map[string]string{"chat": chat})
	h.runOf("approve", map[string]any{"type": "interaction", "run_id": "r-1", "input": map[string]any{"owner": "#campaigns", "review": "x"}})
	usual := map[string]any{
		"type": "interaction", "name": "approve", "source": approve, "diagram": "none", "run_id": "r-1", "event_id": 1, "server": "chat", "tool": "thread_replies",
		"answer": map[string]any{"verdict": "no"},
	}
	hostile := []string{
		"\x00", "..", "../../../../etc/passwd", "/etc/passwd", `C:\Windows`, "a/b", "a\nb", "é\u202e", "\u0085", "{{ input }}", "%00", "${HOME}", "*", "-", "--help", "0", "-1", "1e999",
		strings.Repeat("a", 64), strings.Repeat("a/", 120), strings.Repeat("[", 5000), "---\n" + strings.Repeat("a: &x [*x]\n", 50) + "---\n", "---\nto: '{% for'\n---\n",
	}
	calls := 0
	for _, o := range mcp.Operations() {
		input := parsed(t, o.Input)
		found, _ := value.Lookup(input, "/properties")
		properties := found.(*value.Object)
		base := map[string]any{}
		required, _ := value.Lookup(input, "/required")
		list, _ := required.([]value.Value)
		for _, name := range list {
			base[name.(string)] = usual[name.(string)]
		}
		for i := range properties.Len() {
			name, of := properties.At(i)
			if kind, _ := value.Lookup(of, "/type"); kind != "string" && name != "answer" {
				continue
			}
			for _, text := range hostile {
				arguments := map[string]any{}
				for key, v := range base {
					arguments[key] = v
				}
				arguments[name] = text
				given := object(t, arguments)
				if len(issuesOf(t, o.Input, given)) > 0 {
					continue
				}
				calls++
				result, err := o.Do(t.Context(), &mcp.Call{Arguments: given, Runtime: h.Runtime})
				var rejection *problem.Rejection
				switch {
				case err != nil && !errors.As(err, &rejection):
					t.Errorf("%s fails with %s %q: %v", o.Name, name, text, err)
				case err == nil:
					if issues := issuesOf(t, o.Output, result); len(issues) > 0 {
						t.Errorf("%s with %s %q gives what its schema does not say: %v", o.Name, name, text, issues)
					}
				}
			}
		}
	}
	if calls < 200 {
		t.Errorf("only %d calls were made", calls)
	}
	var files []string
	err := filepath.WalkDir(h.folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.Contains(path, ".auto") {
			files = append(files, strings.TrimPrefix(path, h.folder+"/"))
		}
		return err
	})
	for _, file := range files {
		if base := strings.TrimSuffix(filepath.Base(file), ".md"); err != nil || strings.Trim(base, "abcdefghijklmnopqrstuvwxyz-") != "" && base != engine.SettingsFile {
			t.Errorf("there is a file %s, %v", file, err)
		}
	}
}
