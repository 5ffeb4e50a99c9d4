package cli_test

// This file keeps the documentation true: every console example prints what
// it shows, the reference is what the commands say of themselves, the table of
// rules is the engine's, and links lead somewhere.

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/beonauto/auto/cli"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/settings"
)

const repository = ".."

// pages are the files of documentation, as paths from the repository's root.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"*.md", "docs/*.md", "playbooks/*/README.md"} {
		paths, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			page, _ := filepath.Rel(repository, path)
			found = append(found, filepath.ToSlash(page))
		}
	}
	if len(found) < 4 {
		t.Fatalf("only %v were found", found)
	}
	return found
}

// rewrite compares a page with what it should be, or writes it.
func rewrite(t *testing.T, page, want string) {
	t.Helper()
	path := filepath.Join(repository, page)
	have, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if string(have) == want {
		return
	}
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is not up to date; write it with go test ./cli -update (-page +now):\n%s", page, cmp.Diff(string(have), want))
}

// TestDocsExamples runs every console block. A line that starts with $ is a
// command, what follows is what it prints, on both streams. A page is typed from
// top to bottom as in one terminal, which starts in a folder that holds a copy of
// playbooks.
func TestDocsExamples(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join(repository, page))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("```console\n")) {
			continue
		}
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			copyPlaybooks(t, filepath.Join(dir, "playbooks"))
			environment := append(answering(t, text), standing(t, text)...)
			var b strings.Builder
			folder, rest := dir, string(text)
			for {
				before, after, found := strings.Cut(rest, "```console\n")
				b.WriteString(before)
				if !found {
					break
				}
				block, following, closed := strings.Cut(after, "```\n")
				if !closed {
					t.Fatal("a console block has no end")
				}
				var printed string
				printed, folder = runBlock(t, bash, folder, environment, block)
				b.WriteString("```console\n" + printed + "```\n")
				rest = following
			}
			rewrite(t, page, b.String())
		})
	}
}

// answers is how a page says what every model answers in its examples.
var answers = regexp.MustCompile(`<!-- the model answers: (.*) -->`)

// answering starts the provider of a page whose examples call one, and gives the
// variables that lead to it.
func answering(t *testing.T, page []byte) []string {
	t.Helper()
	answer := answers.FindSubmatch(page)
	if answer == nil {
		return nil
	}
	provider := double.New(t, wire.Anthropic, double.Say(wire.Anthropic, string(answer[1])))
	return []string{"ANTHROPIC_API_KEY=" + double.Key, "ANTHROPIC_BASE_URL=" + provider.URL + "/v1"}
}

// standing has the time of a page stand still where its examples sleep, or where a
// comment says so, and gives the variable that says where: they move it.
func standing(t *testing.T, page []byte) []string {
	t.Helper()
	if !bytes.Contains(page, []byte("\n$ sleep ")) && !bytes.Contains(page, []byte("<!-- the time of this page stands still -->")) {
		return nil
	}
	file := filepath.Join(t.TempDir(), "clock")
	start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	if err := os.WriteFile(file, []byte(strconv.FormatInt(start.Unix(), 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{clockVariable + "=" + file}
}

// sleeping is what sleep does in a page whose time stands still.
const sleeping = "sleep() { echo $(($(cat \"$" + clockVariable + "\") + $1)) > \"$" + clockVariable + "\"; }\n"

// runBlock gives a console block as running its commands in a folder makes it, and
// the folder that they end in.
func runBlock(t *testing.T, bash, dir string, environment []string, block string) (asRun, endsIn string) {
	t.Helper()
	var commands []string
	for line := range strings.SplitSeq(block, "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, command)
		}
	}
	if len(commands) == 0 {
		t.Fatalf("a console block has no command:\n%s", block)
	}
	var script strings.Builder
	script.WriteString(sleeping)
	for _, command := range commands {
		command = strings.ReplaceAll(command, "go run ./cmd/auto", "auto")
		// The exit code survives for a following echo $?.
		fmt.Fprintf(&script, "(exit $code)\n%s\ncode=$?; printf '\\0'\n", command)
	}
	script.WriteString("pwd\n")
	run := patience.Command(t, bash, "-c", script.String())
	run.Dir = dir
	run.Env = append(append(os.Environ(), "LC_ALL=C.UTF-8", "NO_COLOR=1"), environment...)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	printed := strings.Split(string(out), "\x00")
	var b strings.Builder
	for i, command := range commands {
		fmt.Fprintf(&b, "$ %s\n%s", command, printed[i])
		if !strings.HasSuffix(b.String(), "\n") {
			b.WriteString("\n")
		}
	}
	return b.String(), strings.TrimSuffix(printed[len(commands)], "\n")
}

// between replaces what a page holds between two comments.
func between(t *testing.T, page, mark, want string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, page))
	if err != nil {
		t.Fatal(err)
	}
	start, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->\n"
	before, rest, opened := strings.Cut(string(text), start)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("%s has no place for %s", page, mark)
	}
	rewrite(t, page, before+start+want+end+after)
}

func TestDocsRules(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("\n| Rule | What breaks it |\n| --- | --- |\n")
	for _, rule := range problem.Rules {
		fmt.Fprintf(&b, "| `%s` | %s |\n", rule.Rule, rule.About)
	}
	b.WriteString("\n")
	between(t, "docs/lint.md", "rules", b.String())
}

func TestDocsSettings(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("\n| In `auto.yaml` | Variable | What it holds | |\n| --- | --- | --- | --- |\n")
	code := func(name string) string {
		if name == "" {
			return ""
		}
		return "`" + name + "`"
	}
	for _, s := range settings.Table() {
		about := s.About
		if s.Default != "" {
			about += " Left out: " + s.Default + "."
		}
		form := strings.ReplaceAll(s.Form, "<", `\<`)
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(s.Key), code(s.Variable), form, about)
	}
	for _, s := range settings.Table() {
		if s.Fields == nil {
			continue
		}
		fmt.Fprintf(&b, "\n### An entry of %s\n\n| Key | Required | |\n| --- | --- | --- |\n", code(s.Key))
		for _, key := range s.Fields {
			required := "no"
			if key.Required {
				required = "yes"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", code(key.Name), required, key.About)
		}
	}
	b.WriteString("\n")
	between(t, "docs/settings.md", "settings", b.String())
}

func TestDocsReference(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, command := range cli.Commands() {
		writeReference(&b, command)
	}
	between(t, "docs/cli.md", "commands", b.String())
}

func writeReference(b *strings.Builder, command *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n```sh\n%s\n```\n", command.CommandPath(), command.Short, command.UseLine())
	if command.Long != "" {
		fmt.Fprintf(b, "\n%s\n", command.Long)
	}
	fmt.Fprintf(b, "\nExamples:\n\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(command.Example, "  "), "\n  ", "\n"))
	rows := 0
	command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "help" {
			return
		}
		if rows++; rows == 1 {
			b.WriteString("\n| Flag | What it does |\n| --- | --- |\n")
		}
		value, about := pflag.UnquoteUsage(flag)
		name := "--" + flag.Name
		if value != "" {
			name += " " + value
		}
		if flag.DefValue != "" && flag.DefValue != "false" && flag.DefValue != "[]" && flag.DefValue != "0" {
			about += "; " + flag.DefValue + " when left out"
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, about)
	})
	b.WriteString("\n")
}

// TestDocsCommandsHaveExamples wants help that helps from every command.
func TestDocsCommandsHaveExamples(t *testing.T) {
	t.Parallel()
	for _, command := range cli.Commands() {
		if command.Short == "" || !strings.Contains(command.Example, command.CommandPath()) {
			t.Errorf("%s has no description or no example of itself", command.CommandPath())
		}
		if strings.HasSuffix(command.Short, ".") {
			t.Errorf("%s: the description is a phrase and ends without a full stop", command.CommandPath())
		}
	}
}

func TestDocsLinks(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join(repository, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(repository, filepath.Dir(page), match[1])); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, match[1])
			}
		}
	}
}

// copyPlaybooks copies the shipped playbooks as they are shipped: what was recorded by
// those who followed their pages in this checkout stays out.
func copyPlaybooks(t *testing.T, to string) {
	t.Helper()
	from := filepath.Join(repository, "playbooks")
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if !entry.IsDir() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(target, text, 0o666)
		}
		if entry.Name() == ".auto" {
			return fs.SkipDir
		}
		return os.MkdirAll(target, 0o777)
	})
	if err != nil {
		t.Fatal(err)
	}
}
