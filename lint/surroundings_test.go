package lint_test

// This file is about what a check knows of the playbooks around its documents.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/lint"
)

// TestEachPlaybookIsLookedAtOnce checks many documents of two playbooks and of
// none.
func TestEachPlaybookIsLookedAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const document = "---\nto: '#launches'\nexpires: P2D\n---\nWe have launched.\n"
	write := func(path, text string) {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, book := range []string{"first", "second"} {
		write(book+"/auto.yaml", "tool_servers:\n  - { name: of-"+book+", command: auto }\n")
		for i := range 20 {
			write(fmt.Sprintf("%s/interaction/tell-%02d.md", book, i), document)
		}
	}
	write("loose/tell.interaction.md", document)
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	check := func(options lint.Options) (servers map[string]int) {
		t.Helper()
		options.Dir = root
		targets, err := lint.Find(options)
		if err != nil {
			t.Fatal(err)
		}
		servers = map[string]int{}
		if _, err := lint.Run(context.Background(), options, targets, func(file *lint.File) error {
			for _, p := range file.Problems {
				_, end, _ := strings.Cut(p.Message, "; the tool servers of this playbook are ")
				servers[end]++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return servers
	}
	if got := fmt.Sprint(check(lint.Options{Workers: 4})); got != "map[:1 of-first:20 of-second:20]" {
		t.Errorf("offline the documents are told of %s", got)
	}
	var asked atomic.Int32
	connect := func(_ context.Context, playbook string) engine.Surroundings {
		asked.Add(1)
		return engine.Surroundings{ToolServers: []string{"asked-" + filepath.Base(playbook)}}
	}
	if got := fmt.Sprint(check(lint.Options{Workers: 4, Connect: connect})); got != "map[:1 asked-first:20 asked-second:20]" || asked.Load() != 2 {
		t.Errorf("connected the documents are told of %s, after %d questions", got, asked.Load())
	}
	// Settings alone, and documents of no playbook, ask nobody.
	asked.Store(0)
	check(lint.Options{Paths: []string{"first/auto.yaml", "loose"}, Connect: connect})
	if asked.Load() != 0 {
		t.Errorf("%d questions were asked for nothing", asked.Load())
	}
}
