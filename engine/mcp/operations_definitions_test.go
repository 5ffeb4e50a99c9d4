package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

func TestSaveAndReadADefinition(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"README.md": "# Campaigns\n"}, nil)
	saved := h.do("create_definition", map[string]any{
		"type": "reasoning", "name": "review", "source": review, "overview": "Reviews briefs before **anyone** else does.", "diagram": "flowchart TD\n  A --> B",
	})
	for _, told := range []string{"source", "overview", "diagram"} {
		if saved.Has(told) {
			t.Errorf("the author reads again what they wrote: %s", told)
		}
	}
	read := h.do("get_definition", map[string]any{"type": "reasoning", "name": "review"})
	for pointer, json := range map[string]string{
		"/type": `"reasoning"`, "/name": `"review"`, "/path": `"reasoning/review.md"`, "/version": "1", "/retired": "false", "/media_type": `"text/markdown"`,
		"/source": value.JSON(review), "/overview": `"Reviews briefs before **anyone** else does."`, "/diagram": `"flowchart TD\n  A --> B"`,
		"/used_by": "[]", "/problems": "[]", "/warnings": "[]", "/description": `"Reviews a campaign brief against the team's criteria"`,
	} {
		want(t, read, pointer, json)
	}
	if h.read("reasoning/review.md") != review {
		t.Error("the file holds something else")
	}
	for i := range saved.Len() {
		key, told := saved.At(i)
		want(t, read, "/"+key, value.JSON(told))
	}
	changed := strings.Replace(review, "Brief:", "The brief:", 1)
	updated := h.do("update_definition", map[string]any{
		"type": "reasoning", "name": "review", "source": changed, "diagram": "none", "digest": strings.Trim(at(t, saved, "/digest"), `"`),
	})
	want(t, updated, "/version", "2")
	read = h.do("get_definition", map[string]any{"type": "reasoning", "name": "review"})
	want(t, read, "/digest", at(t, updated, "/digest"))
	want(t, read, "/overview", `"Reviews briefs before **anyone** else does."`)
	want(t, read, "/diagram", `"none"`)
	if h.read("reasoning/review.md") != changed {
		t.Error("the update was not written")
	}
	listed := h.do("list_definitions", nil)
	want(t, listed, "/definitions/0/version", "2")
	want(t, listed, "/cursor", "null")
	if _, has := value.Lookup(listed, "/definitions/0/overview"); has {
		t.Error("a list holds the overview")
	}
}

func TestWarningsOfASavedDefinition(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, nil)
	source := "---\nmodel: anthropic/claude-sonnet-4-5\noutput:\n  format: json\n  schema: { type: object, properties: { total: { type: number, minimum: 1 } } }\n---\nHow many?\n"
	saved := h.do("create_definition", map[string]any{"type": "reasoning", "name": "count", "source": source, "diagram": "none"})
	wantWords(t, at(t, saved, "/warnings"), "Line 5, /output/schema/properties/total/minimum: minimum is not enforced")
	wantWords(t, at(t, h.do("list_definitions", nil), "/definitions/0/warnings"), "minimum is not enforced")
}

func TestListDefinitions(t *testing.T) {
	t.Parallel()
	files := map[string]string{"README.md": "x", "inner/auto.yaml": "", "inner/reasoning/theirs.md": review, "reasoning/broken.md": "---\nmodel: 3\n---\n", "deep/ask.interaction.md": approve}
	for i := range 5 {
		files[fmt.Sprintf("reasoning/review-%d.md", i)] = review
	}
	h := newHouse(t, files, nil)
	var names []string
	cursor := any(nil)
	for {
		arguments := map[string]any{"limit": 3}
		if cursor != nil {
			arguments["cursor"] = cursor
		}
		page := h.do("list_definitions", arguments)
		list, _ := page.Get("definitions")
		for _, one := range list.([]value.Value) {
			name, _ := one.(*value.Object).Get("name")
			names = append(names, name.(string))
		}
		if cursor, _ = page.Get("cursor"); cursor == nil {
			break
		}
	}
	if got := strings.Join(names, " "); got != "ask broken review-0 review-1 review-2 review-3 review-4" {
		t.Errorf("the list is %s", got)
	}
	wantWords(t, h.refused("list_definitions", map[string]any{"cursor": "zz"}), "/cursor Expected the cursor that an earlier page gave")
	only := h.do("list_definitions", map[string]any{"type": "interaction"})
	want(t, only, "/definitions/0/path", `"deep/ask.interaction.md"`)
	want(t, only, "/definitions/0/version", "null")
	list, _ := only.Get("definitions")
	if len(list.([]value.Value)) != 1 {
		t.Errorf("the interactions are %s", value.JSON(only))
	}
	broken := h.do("get_definition", map[string]any{"type": "reasoning", "name": "broken"})
	wantWords(t, at(t, broken, "/problems"), "Line 2, /model: Expected")
	want(t, broken, "/description", "null")
}

func TestARetiredDefinition(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, nil)
	arguments := map[string]any{"type": "reasoning", "name": "review", "source": review, "overview": "Reviews.", "diagram": "none"}
	h.do("create_definition", arguments)
	if err := os.Remove(filepath.Join(h.folder, "reasoning/review.md")); err != nil {
		t.Fatal(err)
	}
	name := map[string]any{"type": "reasoning", "name": "review"}
	got := h.do("get_definition", name)
	want(t, got, "/retired", "true")
	want(t, got, "/path", "null")
	want(t, got, "/source", value.JSON(review))
	want(t, got, "/version", "1")
	want(t, h.do("list_definitions", nil), "/definitions/0/retired", "true")
	wantWords(t, h.refused("run_definition", name), "conflict", "is retired")
	delete(arguments, "overview")
	wantWords(t, h.refused("update_definition", arguments), "conflict", "is retired", "create_definition")
	want(t, h.do("create_definition", arguments), "/retired", "false")
	want(t, h.do("get_definition", name), "/overview", `"Reviews."`)
}

func TestWhatIsNotSaved(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"reasoning/review.md": review, "deep/twice.reasoning.md": review, "reasoning/twice.md": review, "lookup/folder.md/x": ""}, nil)
	saving := func(changes map[string]any) map[string]any {
		arguments := map[string]any{"type": "reasoning", "name": "new", "source": review, "diagram": "none"}
		for key, v := range changes {
			arguments[key] = v
		}
		return arguments
	}
	for _, c := range []struct {
		operation string
		changes   map[string]any
		want      []string
	}{
		{"create_definition", map[string]any{"name": "review"}, []string{"conflict", "There is a definition reasoning/review already; update_definition"}},
		{"update_definition", nil, []string{"not_found", "no definition reasoning/new", "list_definitions"}},
		{"update_definition", map[string]any{"name": "reviw"}, []string{"not_found", "did you mean reasoning/review?"}},
		{"update_definition", map[string]any{"name": "review", "digest": strings.Repeat("0", 64)}, []string{"conflict", "was changed since it was read"}},
		{"update_definition", map[string]any{"name": "twice"}, []string{"conflict", "deep/twice.reasoning.md", "reasoning/twice.md"}},
		{"create_definition", map[string]any{"name": "../new"}, []string{"invalid_input", "/name Expected at most 64 lowercase letters"}},
		{"create_definition", map[string]any{"name": "a/b"}, []string{"invalid_input", "/name"}},
		{"create_definition", map[string]any{"name": "New"}, []string{"invalid_input", "/name"}},
		{"create_definition", map[string]any{"name": "readme"}, []string{"invalid_input", "/name Expected another name"}},
		{"create_definition", map[string]any{"diagram": "pie title X"}, []string{"invalid_input", "/diagram Expected Mermaid source whose first line is flowchart"}},
		{"create_definition", map[string]any{"diagram": "```mermaid\nflowchart TD\n```"}, []string{"/diagram Expected Mermaid"}},
		{"create_definition", map[string]any{"diagram": "flowchart TD\n" + strings.Repeat("é", 4096)}, []string{"/diagram Expected at most 8,192 bytes"}},
		{"create_definition", map[string]any{"overview": strings.Repeat("é", 8193)}, []string{"/overview Expected Markdown of 1 character to 16,384 bytes"}},
		{"create_definition", map[string]any{"source": "---\nmodel: x/y\nmodle: z\nconfig: { temperature: hot }\n---\nHi\n"},
			[]string{"invalid_input : The document has problems", "/source Line 3, /modle: Unknown key", "/source Line 4, /config/temperature: Expected number"}},
		{"create_definition", map[string]any{"source": "no front matter"}, []string{"/source Line 1: "}},
	} {
		wantWords(t, h.refused(c.operation, saving(c.changes)), c.want...)
	}
	listed := h.do("list_definitions", map[string]any{"type": "reasoning"})
	if list, _ := listed.Get("definitions"); len(list.([]value.Value)) != 3 {
		t.Errorf("a refused document was kept: %s", value.JSON(listed))
	}
	wantWords(t, h.refused("create_definition", saving(map[string]any{"type": "lookup", "name": "folder", "source": "---\n---\n"})), "invalid_input")

	// Without a diagram, or with an empty one, whoever calls.
	for _, missing := range []*value.Object{object(t, map[string]any{"type": "reasoning", "name": "new", "source": review})} {
		_, err := operation(t, "create_definition").Do(t.Context(), &mcp.Call{Arguments: missing, Runtime: h.Runtime})
		wantWords(t, said(t, err), "/diagram Missing key", "the word none")
		if issues := issuesOf(t, operation(t, "create_definition").Input, missing); len(issues) != 1 {
			t.Errorf("the schema says %v", issues)
		}
	}
}

func TestNothingIsSavedInAPlaybookInside(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"reasoning/auto.yaml": ""}, nil)
	refused := h.refused("create_definition", map[string]any{"type": "reasoning", "name": "review", "source": review, "diagram": "none"})
	wantWords(t, refused, "conflict : Nothing was written: the folder reasoning is a playbook of its own")
	if _, err := os.Lstat(filepath.Join(h.folder, "reasoning/review.md")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, nil)
	source := "---\nmodel: x/y\n"
	for i := range 60 {
		source += fmt.Sprintf("k%d: 1\n", i)
	}
	_, err := h.try("create_definition", map[string]any{"type": "reasoning", "name": "many", "source": source + "---\nHi\n", "diagram": "none"})
	lines := issuesIn(err)
	if len(lines) != problem.ShownProblems+1 || lines[20] != "/source Line 23: 40 more issues are not shown" {
		t.Errorf("the issues are %v", lines)
	}
}

func TestFilesThatAreNoDocuments(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"reasoning/bytes.md": "---\nmodel: x/y\n---\n\xff\x00\n", "reasoning/huge.md": strings.Repeat("x", 9<<20), "reasoning/a-folder.md/x": ""}, nil)
	if err := os.Symlink("/dev/zero", filepath.Join(h.folder, "reasoning", "endless.md")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(h.folder, "reasoning", "nowhere.md")); err != nil {
		t.Skip(err)
	}
	for name, words := range map[string]string{"bytes": "Line 4: ", "huge": "Line 1: Expected a file of at most 8 MiB", "endless": "Line 1: The file cannot be read: expected a file, found a link that leads out of the playbook", "nowhere": "Line 1: The file cannot be read: expected a file, found a link that leads nowhere"} {
		got := h.do("get_definition", map[string]any{"type": "reasoning", "name": name})
		wantWords(t, at(t, got, "/problems"), words)
		if name == "huge" && len(value.JSON(got)) > 1<<10 {
			t.Errorf("%d bytes of a file that is no document are given", len(value.JSON(got)))
		}
		wantWords(t, h.refused("run_definition", map[string]any{"type": "reasoning", "name": name}), "conflict : The document of reasoning/"+name+" has problems", "/source "+words)
	}
	want(t, h.do("list_definitions", nil), "/cursor", "null")
	for name, words := range map[string]string{"endless": "a link that leads out of the playbook", "nowhere": "a link that leads nowhere"} {
		wantWords(t, h.refused("update_definition", map[string]any{"type": "reasoning", "name": name, "source": review, "diagram": "none"}), "conflict : Nothing was written: reasoning/"+name+".md is "+words)
	}
	mended := h.do("update_definition", map[string]any{"type": "reasoning", "name": "bytes", "source": review, "diagram": "none"})
	want(t, mended, "/problems", "[]")
}

func TestNothingIsWrittenOutsideThePlaybook(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	h := newHouse(t, nil, nil)
	secret := filepath.Join(outside, "secret.md")
	if err := errors.Join(os.WriteFile(secret, []byte(review), 0o600), os.Symlink(outside, filepath.Join(h.folder, "interaction")),
		os.Mkdir(filepath.Join(h.folder, "reasoning"), 0o755), os.Symlink(secret, filepath.Join(h.folder, "reasoning", "linked.md"))); err != nil {
		t.Skip(err)
	}
	wantWords(t, h.refused("create_definition", map[string]any{"type": "interaction", "name": "ask", "source": approve, "diagram": "none"}),
		"conflict", "Nothing was written: interaction is a link to another folder")
	wantWords(t, h.refused("update_definition", map[string]any{"type": "reasoning", "name": "linked", "source": review + "More.\n", "diagram": "none"}),
		"conflict", "Nothing was written: reasoning/linked.md is a link that leads out of the playbook")
	// Nor is anything out there shown, which a playbook from somebody else might ask for.
	linked := map[string]any{"type": "reasoning", "name": "linked"}
	shown := h.do("get_definition", linked)
	want(t, shown, "/source", `""`)
	want(t, shown, "/problems", `["Line 1: The file cannot be read: expected a file, found a link that leads out of the playbook"]`)
	wantWords(t, h.refused("run_definition", linked), "conflict")
	entries, err := os.ReadDir(outside)
	text, failed := os.ReadFile(secret)
	if err != nil || failed != nil || len(entries) != 1 || string(text) != review {
		t.Errorf("the folder outside holds %v, %q", entries, text)
	}
}

func TestSavesAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, map[string]string{"reasoning/review.md": review}, nil)
	digest := strings.Trim(at(t, h.do("get_definition", map[string]any{"type": "reasoning", "name": "review"}), "/digest"), `"`)
	// Two runtimes stand for two processes.
	other := &house{folder: h.folder, t: t, Runtime: engine.Open(engine.Options{Folder: h.folder, Lookup: func(string) (string, bool) { return "", false }})}
	t.Cleanup(func() { other.Close() })
	var all sync.WaitGroup
	taken := make(chan string, 20)
	for i := range 10 {
		source := review + fmt.Sprintf("Mind rule %d.\n", i)
		h := []*house{h, other}[i%2]
		all.Go(func() {
			_, err := h.try("create_definition", map[string]any{"type": "reasoning", "name": "fresh", "source": source, "diagram": "none"})
			if err != nil {
				wantWords(t, said(t, err), "conflict")
			} else if h.read("reasoning/fresh.md") != source {
				t.Error("the new document is another's")
			} else {
				taken <- "create"
			}
		})
		all.Go(func() {
			_, err := h.try("update_definition", map[string]any{"type": "reasoning", "name": "review", "source": source, "diagram": "none", "digest": digest})
			if err != nil {
				wantWords(t, said(t, err), "conflict")
			} else {
				taken <- "update"
			}
		})
	}
	all.Wait()
	close(taken)
	count := map[string]int{}
	for what := range taken {
		count[what]++
	}
	if count["create"] != 1 || count["update"] != 1 {
		t.Errorf("of ten each were taken %v", count)
	}
}

// asks gives answers to questions in turn, and keeps the questions.
func (h *house) asks(answers ...string) *[]mcp.Question {
	asked := &[]mcp.Question{}
	h.ask = func(_ context.Context, question mcp.Question) (mcp.Reply, error) {
		answer := answers[len(*asked)]
		*asked = append(*asked, question)
		return mcp.Reply{Answered: answer != "", Value: answer}, nil
	}
	return asked
}

func choices(question mcp.Question) string {
	var values []string
	for _, choice := range question.Choices {
		values = append(values, choice.Value)
	}
	return strings.Join(values, ", ")
}

func TestWhereAPersonIsAsked(t *testing.T) {
	t.Parallel()
	servers := map[string]string{"chat": chat, "pager": pager}
	ask := strings.Replace(approve, "deliver: agent\n", "", 1)
	tell := "---\nto: Priya\nexpires: P2D\n---\nWe have launched.\n"
	for name, c := range map[string]struct {
		source, answer, question, choices string
		want                              []string
		not                               string
	}{
		"a request, the chat": {ask, "chat", "Where should the owner be asked?", "chat, deliver: agent",
			[]string{"/source Line 1, /deliver: The person chose chat; write deliver with server: chat and tool: post_message, which sends it, and replies with tool: thread_replies, which reads the replies"}, "names no way"},
		"a request, an agent": {ask, "deliver: agent", "Where should the owner be asked?", "chat, deliver: agent",
			[]string{"Line 1, /deliver: The person chose an agent that holds the request; write deliver: agent"}, "chat"},
		"a request, declined": {ask, "", "Where should the owner be asked?", "chat, deliver: agent",
			[]string{"names no way to reach its party", "the tool server chat (post_message sends it, thread_replies reads the replies)", "deliver: agent"}, "chose"},
		"a notification": {tell, "pager", "Where should the owner be told?", "chat, pager",
			[]string{"The person chose pager; write deliver with server: pager and tool: send_page, which sends it; introspect"}, "replies"},
		"a notification for an agent": {strings.Replace(tell, "expires", "deliver: agent\nexpires", 1), "chat", "Where should the owner be told?", "chat, pager",
			[]string{"Line 3, /deliver: The person chose chat; write deliver with server: chat and tool: post_message"}, "agent holds"},
		"a document with another fault": {strings.Replace(ask, "P2D", "P90D", 1), "chat", "Where should the owner be asked?", "chat, deliver: agent",
			[]string{"/expires: ", "The person chose chat"}, "names no way"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, nil, servers)
			asked := h.asks(c.answer)
			refused := h.refused("create_definition", map[string]any{"type": "interaction", "name": "ask", "source": c.source, "diagram": "none"})
			wantWords(t, refused, c.want...)
			if strings.Contains(refused, c.not) {
				t.Errorf("%q speaks of %q", refused, c.not)
			}
			if len(*asked) != 1 || (*asked)[0].Text != c.question || choices((*asked)[0]) != c.choices {
				t.Errorf("the person is asked %+v", *asked)
			}
		})
	}
}

func TestNobodyIsAskedWithoutNeed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, map[string]string{"chat": chat})
	h.ask = func(context.Context, mcp.Question) (mcp.Reply, error) {
		t.Error("the person was asked")
		return mcp.Reply{}, nil
	}
	h.do("create_definition", map[string]any{"type": "interaction", "name": "ask", "source": approve, "diagram": "none"})
	broken := strings.Replace(approve, "P2D", "soon", 1)
	ask := strings.Replace(approve, "deliver: agent\n", "", 1)
	h.refused("create_definition", map[string]any{"type": "interaction", "name": "other", "source": broken, "diagram": "none"})
	h.refused("create_definition", map[string]any{"type": "interaction", "name": "ask", "source": ask, "diagram": "none"})
	h.refused("create_definition", map[string]any{"type": "interaction", "name": "other", "source": ask, "diagram": "chart"})
	// A notification that nothing can carry leaves nothing to choose.
	h = newHouse(t, nil, nil)
	h.ask = func(context.Context, mcp.Question) (mcp.Reply, error) {
		t.Error("the person was asked")
		return mcp.Reply{}, nil
	}
	wantWords(t, h.refused("create_definition", map[string]any{"type": "interaction", "name": "tell", "source": "---\nto: Priya\nexpires: P2D\n---\nDone.\n", "diagram": "none"}),
		"no tool server is configured")
}

func TestAQuestionThatFails(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, nil)
	gone := errors.New("the client went away")
	h.ask = func(context.Context, mcp.Question) (mcp.Reply, error) { return mcp.Reply{}, gone }
	ask := strings.Replace(approve, "deliver: agent\n", "", 1)
	if _, err := h.try("create_definition", map[string]any{"type": "interaction", "name": "ask", "source": ask, "diagram": "none"}); !errors.Is(err, gone) {
		t.Errorf("the error is %v", err)
	}
}

func TestWhatASignInLeavesOut(t *testing.T) {
	t.Parallel()
	signIn := func(lines string) string {
		return "---\nsign_in:\n  server: browser\n  site: portal.supplier.example\n" + lines + "---\nYou are not signed in there.\n"
	}
	for name, c := range map[string]struct {
		source    string
		answers   []string
		questions []string
		want      []string
	}{
		"everything": {signIn(""), []string{"ask", "chat", "P1D"},
			[]string{"When you are not signed in to portal.supplier.example, should a run wait for you, or stop at once?", "Where should you be asked to sign in?", "How long should a run wait for you to sign in to portal.supplier.example?"},
			[]string{"/sign_in/if_signed_out: The person chose that a run waits; write if_signed_out: ask", "/deliver: The person chose chat; write deliver with server: chat and tool: post_message", "/expires: The person chose that a run waits so long; write expires: P1D"}},
		"stops": {signIn(""), []string{"fail"}, []string{"When you are not"}, []string{"/sign_in/if_signed_out: The person chose that a run stops at once; write if_signed_out: fail"}},
		"the way alone": {signIn("  if_signed_out: ask\nexpires: P1D\n"), []string{"deliver: agent"}, []string{"Where should you be asked to sign in?"},
			[]string{"/deliver: The person chose an agent that holds the request; write deliver: agent"}},
		"the time alone": {signIn("  if_signed_out: ask\ndeliver: agent\n"), []string{"PT4H"}, []string{"How long should a run wait"}, []string{"write expires: PT4H"}},
		"declined at the second": {signIn(""), []string{"ask", ""}, []string{"When you are not", "Where should you"},
			[]string{"/sign_in/if_signed_out: Missing key"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, nil, map[string]string{"chat": chat})
			asked := h.asks(c.answers...)
			refused := h.refused("create_definition", map[string]any{"type": "interaction", "name": "sign-in", "source": c.source, "diagram": "none"})
			wantWords(t, refused, c.want...)
			if len(*asked) != len(c.questions) {
				t.Fatalf("the questions are %+v", *asked)
			}
			for i, question := range *asked {
				if !strings.HasPrefix(question.Text, c.questions[i]) {
					t.Errorf("question %d is %q", i, question.Text)
				}
			}
			if c.answers[len(c.answers)-1] == "" && strings.Contains(refused, "chose") {
				t.Errorf("who declined chose in %q", refused)
			}
		})
	}
}

func TestTheMarkOfACall(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, map[string]string{"chat": chat})
	call := func(tool string) string {
		return "---\ncall: { server: chat, tool: " + tool + " }\noutput: { schema: { type: object } }\n---\n"
	}
	wantWords(t, h.refused("create_definition", map[string]any{"type": "interaction", "name": "x", "source": call("thread_replies"), "diagram": "none"}),
		"/source Line 2, /call/tool: chat/thread_replies is marked reads", "save it with the type lookup")
	wantWords(t, h.refused("create_definition", map[string]any{"type": "lookup", "name": "x", "source": call("post_message"), "diagram": "none"}), "save it with the type interaction")
	h.do("create_definition", map[string]any{"type": "lookup", "name": "x", "source": call("thread_replies"), "diagram": "none"})
	h.do("create_definition", map[string]any{"type": "interaction", "name": "x", "source": call("post_message"), "diagram": "none"})
	// What is not there refuses nothing, and is told with what was saved.
	saved := h.do("create_definition", map[string]any{"type": "interaction", "name": "typo", "source": call("post_mesage"), "diagram": "none"})
	wantWords(t, at(t, saved, "/warnings"), "Line 2, /call/tool: The tool server chat lists no tool post_mesage; did you mean post_message?")
	elsewhere := strings.Replace(call("post_message"), "server: chat", "server: chatt", 1)
	saved = h.do("create_definition", map[string]any{"type": "interaction", "name": "elsewhere", "source": elsewhere, "diagram": "none"})
	wantWords(t, at(t, saved, "/warnings"), "/call/server: The tool server chatt is not configured for this playbook; did you mean chat?")
}
