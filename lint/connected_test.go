package lint_test

// This file checks the documents under fixtures/connected, whose tool servers say
// what stands here, each against the two reports that it must give: without the
// servers and with them.

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/lint"
	"github.com/beonauto/auto/lint/report"
)

const connectedFixtures = "../fixtures/connected"

// connections are what the servers of the fixtures say when they are asked.
var connections = []definition.Connection{
	{Server: "chat", Tools: []definition.ConnectedTool{
		{Name: "post_message", Sends: true},
		{Name: "list_replies", Reads: true, ReadsReplies: true},
	}},
	{Server: "notes", Allowed: []string{"search_notes", "read_note", "add_note", "gone_note"}, Tools: []definition.ConnectedTool{
		{Name: "search_notes", Reads: true}, {Name: "read_note", Reads: true}, {Name: "add_note"},
	}},
	{Server: "browser", Tools: []definition.ConnectedTool{{Name: "open_page"}}},
	{Server: "tickets", Unusable: "The tool server tickets did not accept its key"},
}

func TestConnectedFixtures(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob(filepath.Join(connectedFixtures, "*", "*.md"))
	if err != nil || len(documents) == 0 {
		t.Fatal(documents, err)
	}
	connect := func(_ context.Context, playbook string) engine.Surroundings {
		around := engine.Around(playbook)
		around.Connections = connections
		return around
	}
	for _, document := range documents {
		name, _ := filepath.Rel(connectedFixtures, document)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			got := "offline:\n" + reportOf(t, lint.Options{Dir: connectedFixtures, Paths: []string{name}, All: true}) +
				"\nconnected:\n" + reportOf(t, lint.Options{Dir: connectedFixtures, Paths: []string{name}, All: true, Connect: connect, Excerpts: true})
			expect(t, strings.TrimSuffix(document, ".md")+".txt", got)
		})
	}
}

// reportOf gives the text report of a check.
func reportOf(t *testing.T, options lint.Options) string {
	t.Helper()
	targets, err := lint.Find(options)
	if err != nil {
		t.Fatal(err)
	}
	format, _ := report.ByName("text")
	var out bytes.Buffer
	printer := format.New(&out, report.Options{})
	_, err = lint.Run(t.Context(), options, targets, func(file *lint.File) error {
		if file.Err != nil {
			return file.Err
		}
		if len(file.Problems) == 0 {
			fmt.Fprintln(&out, "no problems")
		}
		return printer.File(file)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
