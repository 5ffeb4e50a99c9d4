package mcp_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// guide gives the text of a guide.
func (h *house) guide(name string) string {
	h.t.Helper()
	text, _ := h.do("get_guide", map[string]any{"name": name}).Get("text")
	return text.(string)
}

func (h *house) guideNames() (names []string) {
	h.t.Helper()
	listed := h.do("get_guide", nil)
	want(h.t, listed, "/text", "null")
	list, _ := listed.Get("guides")
	for _, one := range list.([]value.Value) {
		name, _ := one.(*value.Object).Get("name")
		names = append(names, name.(string))
	}
	return names
}

func TestTheDocumentsOfTheGuidesCanBeSaved(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, nil)
	documents := regexp.MustCompile("(?s)```markdown\n(.*?)```\n")
	seen := 0
	for _, name := range engine.Types() {
		for _, match := range documents.FindAllStringSubmatch(h.guide(name), -1) {
			seen++
			report := engine.Check([]byte(match[1]), name, engine.Surroundings{})
			for _, p := range report.Problems {
				t.Errorf("guide %s: %s\n%s", name, p, match[1])
			}
		}
	}
	if seen != 6 {
		t.Errorf("the guides hold %d documents", seen)
	}
	for _, match := range regexp.MustCompile("(?s)```mermaid\n(.*?)```\n").FindAllStringSubmatch(h.guide("overview"), -1) {
		h.do("create_definition", map[string]any{"type": "interaction", "name": "approve", "source": approve, "diagram": match[1]})
	}
}

func TestGuidesNameWhatThereIs(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, nil)
	names := h.guideNames()
	all := ""
	for _, name := range names {
		text := h.guide(name)
		if strings.Contains(text, "<!--") || !strings.HasPrefix(text, "# ") {
			t.Errorf("guide %s is not whole:\n%s", name, text)
		}
		for _, match := range regexp.MustCompile("[Gg]uide `([a-z]+)`").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+match[1]+" ") {
				t.Errorf("guide %s names the guide %s, which is none", name, match[1])
			}
		}
		all += text
	}
	for _, o := range mcp.Operations() {
		if o.Name != "get_guide" && o.Name != "list_runs" && !strings.Contains(all, "`"+o.Name+"`") {
			t.Errorf("no guide names %s", o.Name)
		}
	}
	templates, schemas := h.guide("templates"), h.guide("schemas")
	for _, filter := range liquid.Filters {
		wantWords(t, templates, "- `"+filter.Name)
	}
	for _, keyword := range schema.Keywords() {
		wantWords(t, schemas, "`"+keyword.Name+"`")
	}
	for _, key := range []string{"`config.max_output_tokens`", "`tools`"} {
		wantWords(t, h.guide("reasoning"), key)
	}
	wantWords(t, h.guide("interaction"), "`replies.read.each.sender` (required)")
}

func TestTheReasoningGuideEndsWithTheModels(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, map[string]string{"chat": chat})
	if text := h.guide("reasoning"); !strings.HasSuffix(text, "\nOn this server, no reasoning function can run until a model provider is configured.\n") {
		t.Errorf("the guide ends %q", text[len(text)-200:])
	}
	h.Runtime = engine.Open(engine.Options{Folder: h.folder, Lookup: func(name string) (string, bool) {
		if name == "ANTHROPIC_API_KEY" {
			return "key", true
		}
		return "", false
	}})
	t.Cleanup(func() { h.Close() })
	const end = "\nOn this server, a reasoning function names its model through anthropic, written anthropic/<model id>; it may name the tools of the tool servers that search finds.\n"
	if text := h.guide("reasoning"); !strings.HasSuffix(text, end) {
		t.Errorf("the guide ends %q", text[len(text)-200:])
	}
}
