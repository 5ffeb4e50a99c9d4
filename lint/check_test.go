package lint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/problem"
)

const wrongDocument = "---\nmodel: anthropic/claude-sonnet-4-5\nconfig:\n  temperature: warm\n---\n\nHello.\n"

func TestRunKeepsTheOrder(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 300 {
		// Documents of very different lengths, so that the later ones are often ready first.
		files[fmt.Sprintf("f%03d.reasoning.md", i)] = wrongDocument + strings.Repeat("More words. ", (i*7919)%5_000)
	}
	options := Options{Dir: tree(t, files), Workers: 8}
	targets, err := Find(options)
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	summary, err := Run(t.Context(), options, targets, func(file *File) error {
		if want := fmt.Sprintf("f%03d.reasoning.md", next); file.Path != want {
			t.Errorf("got %s, want %s", file.Path, want)
		}
		next++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Summary{Files: 300, WithProblems: 300, Problems: 300}, summary); diff != "" {
		t.Error(diff)
	}
}

func TestRunStops(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("f%03d.reasoning.md", i)] = wrongDocument
	}
	options := Options{Dir: tree(t, files), Workers: 3}
	targets, err := Find(options)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	seen := 0
	_, err = Run(t.Context(), options, targets, func(*File) error {
		if seen++; seen == 5 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || seen != 5 {
		t.Errorf("got %v after %d files", err, seen)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = Run(ctx, options, targets, func(*File) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRunReportsACrash(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.reasoning.md": wrongDocument})
	targets := []Target{{Path: "a.reasoning.md", Type: "no such type", file: filepath.Join(dir, "a.reasoning.md")}}
	_, err := Run(t.Context(), Options{}, targets, func(*File) error { return nil })
	var crash *Crash
	if !errors.As(err, &crash) {
		t.Fatalf("got %v", err)
	}
	if crash.Path != "a.reasoning.md" || len(crash.Stack) == 0 {
		t.Errorf("got %q with a stack of %d bytes", crash.Path, len(crash.Stack))
	}
}

func TestRunGoesOnBehindAnUnreadableFile(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"b.reasoning.md": wrongDocument})
	targets := []Target{
		{Path: "a.reasoning.md", Type: "reasoning", file: filepath.Join(dir, "a.reasoning.md")},
		{Path: "b.reasoning.md", Type: "reasoning", file: filepath.Join(dir, "b.reasoning.md")},
	}
	var unreadable []string
	summary, err := Run(t.Context(), Options{}, targets, func(file *File) error {
		if file.Err != nil {
			unreadable = append(unreadable, file.Path)
			if !errors.Is(file.Err, os.ErrNotExist) || strings.Contains(file.Err.Error(), dir) {
				t.Errorf("got %v", file.Err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.reasoning.md"}, unreadable); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Summary{Files: 1, WithProblems: 1, Problems: 1, Unreadable: 1}, summary); diff != "" {
		t.Error(diff)
	}
}

func TestShownCutsEachSeverity(t *testing.T) {
	t.Parallel()
	var found []problem.Problem
	for line := 1; line <= 130; line++ {
		found = append(found, problem.Problem{Line: line, Severity: problem.Warning, Message: "warned"})
		if line <= 25 {
			found = append(found, problem.Problem{Line: line, Severity: problem.Refused, Message: "refused"})
		}
	}
	refused, warned := count(found)
	list := shown(found, refused, warned)
	var rest []string
	last := 0
	for _, p := range list {
		if p.Line < last {
			t.Errorf("line %d stands behind line %d", p.Line, last)
		}
		last = p.Line
		if p.Rule == problem.TooMany {
			rest = append(rest, fmt.Sprintf("%d %s %s", p.Line, p.Severity, p.Message))
		}
	}
	want := []string{"21 problem 5 more issues are not shown", "101 warning 30 more issues are not shown"}
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Error(diff)
	}
	if len(list) != 122 {
		t.Errorf("%d are shown", len(list))
	}
}
