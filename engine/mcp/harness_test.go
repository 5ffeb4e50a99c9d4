package mcp_test

// This file is what the tests of operations share: a playbook of their own, tool
// servers that answer as they are told, and calls whose arguments and results are
// held against the schemas.

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// chat is what a chat's server lists.
const chat = `{"tools":[
{"name":"post_message","description":"Posts a message","inputSchema":{"type":"object","required":["channel"],"properties":{"channel":{"type":"string"},"text":{"type":"string"}}}},
{"name":"thread_replies","description":"Lists the replies of a thread","inputSchema":{"type":"object","properties":{"ts":{"type":"string"}}},"annotations":{"readOnlyHint":true}},
{"name":"channel_history","description":"Lists the messages of a channel","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
{"name":"delete_message","inputSchema":{"type":"object"},"annotations":{"destructiveHint":true}}]}`

// pager only sends.
const pager = `{"tools":[{"name":"send_page","inputSchema":{"type":"object"}}]}`

// house is a playbook with its runtime.
type house struct {
	*engine.Runtime
	folder string
	t      testing.TB
	ask    func(context.Context, mcp.Question) (mcp.Reply, error)
}

// newHouse makes a playbook of these files, whose tool servers list what is given
// by their names.
func newHouse(t testing.TB, files map[string]string, servers map[string]string) *house {
	t.Helper()
	folder := t.TempDir()
	settings := "tool_servers:\n"
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		of := httptest.NewServer((&double.Server{Pages: []string{servers[name]}}).Handler())
		t.Cleanup(of.Close)
		settings += "  - { name: " + name + ", url: '" + of.URL + "/mcp' }\n"
	}
	if len(servers) == 0 {
		settings = "{}\n"
	}
	h := &house{folder: folder, t: t}
	h.write(engine.SettingsFile, settings)
	for file, text := range files {
		h.write(file, text)
	}
	h.Runtime = engine.Open(engine.Options{
		Folder: folder, Command: "auto mcp", Now: func() time.Time { return time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC) },
		Lookup: func(string) (string, bool) { return "", false },
	})
	if err := h.SettingsError(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func (h *house) write(file, text string) {
	h.t.Helper()
	path := filepath.Join(h.folder, filepath.FromSlash(file))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) read(file string) string {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(h.folder, filepath.FromSlash(file)))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

func operation(t testing.TB, name string) mcp.Operation {
	t.Helper()
	for _, o := range mcp.Operations() {
		if o.Name == name {
			return o
		}
	}
	t.Fatalf("there is no operation %s", name)
	return mcp.Operation{}
}

func parsed(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON([]byte(text), 600)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// object makes arguments of Go values.
func object(t testing.TB, fields map[string]any) *value.Object {
	t.Helper()
	if fields == nil {
		return value.NewObject(0)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, string(text)).(*value.Object)
}

// issuesOf gives what a value does not match of a schema.
func issuesOf(t testing.TB, text string, v value.Value) (found []string) {
	t.Helper()
	compiled, problems := schema.FromValue(parsed(t, text))
	if compiled == nil || len(problems) > 0 {
		t.Fatalf("the schema does not compile: %v", problems)
	}
	issues, err := compiled.Validate(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, issue := range issues {
		found = append(found, issue.Pointer+": "+issue.Message)
	}
	return found
}

// try does an operation as a server does, once its arguments match its schema.
func (h *house) try(name string, arguments map[string]any) (*value.Object, error) {
	h.t.Helper()
	o := operation(h.t, name)
	given := object(h.t, arguments)
	if issues := issuesOf(h.t, o.Input, given); len(issues) > 0 {
		h.t.Fatalf("%s is called with %s, whose issues are %v", name, value.JSON(given), issues)
	}
	result, err := o.Do(h.t.Context(), &mcp.Call{Arguments: given, Runtime: h.Runtime, Ask: h.ask})
	if err == nil {
		if issues := issuesOf(h.t, o.Output, result); len(issues) > 0 {
			h.t.Errorf("%s gives %s, whose issues are %v", name, value.JSON(result), issues)
		}
	}
	return result, err
}

// do is try for an operation that must be done.
func (h *house) do(name string, arguments map[string]any) *value.Object {
	h.t.Helper()
	result, err := h.try(name, arguments)
	if err != nil {
		h.t.Fatalf("%s: %v %v", name, err, issuesIn(err))
	}
	return result
}

// refused is try for an operation that must not be done; it gives the rejection as
// text, its name first and then its issues.
func (h *house) refused(name string, arguments map[string]any) string {
	h.t.Helper()
	result, err := h.try(name, arguments)
	if err == nil {
		h.t.Fatalf("%s gives %s and should be refused", name, value.JSON(result))
	}
	return said(h.t, err)
}

func said(t testing.TB, err error) string {
	t.Helper()
	var rejection *problem.Rejection
	if !errors.As(err, &rejection) {
		t.Fatalf("%v is no rejection", err)
	}
	lines := append([]string{strings.TrimPrefix(rejection.Type, problem.TypeBase) + " " + rejection.Kind + ": " + rejection.Detail}, issuesIn(err)...)
	return strings.Join(lines, "\n")
}

func issuesIn(err error) (lines []string) {
	var rejection *problem.Rejection
	if errors.As(err, &rejection) {
		for _, issue := range rejection.Issues {
			lines = append(lines, issue.Pointer+" "+issue.Detail)
		}
	}
	return lines
}

// at gives what a result holds at a pointer, as JSON.
func at(t testing.TB, v value.Value, pointer string) string {
	t.Helper()
	found, ok := value.Lookup(v, pointer)
	if !ok {
		t.Fatalf("nothing is at %s in %s", pointer, value.JSON(v))
	}
	return value.JSON(found)
}

func want(t testing.TB, v value.Value, pointer, json string) {
	t.Helper()
	if got := at(t, v, pointer); got != json {
		t.Errorf("%s holds %s, want %s", pointer, got, json)
	}
}

func wantWords(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q says nothing of %q", text, word)
		}
	}
}

const review = `---
description: Reviews a campaign brief against the team's criteria
model: anthropic/claude-sonnet-4-5
input:
  schema:
    type: object
    required: [brief]
    properties:
      brief: { type: string }
---
Brief: {{ input.brief }}
`

const approve = `---
description: Asks the campaign owner to approve a reviewed brief
to: '{{ input.owner }}'
expires: P2D
deliver: agent
input:
  schema:
    type: object
    required: [owner, review]
    properties:
      owner: { type: string }
      review: { type: string }
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string, maxLength: 2000 }
---
The review of your campaign brief is ready:

{{ input.review }}
`
