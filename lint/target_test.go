package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree makes files in a new folder. A path that ends with a slash is a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		full := filepath.Join(dir, path)
		if strings.HasSuffix(path, "/") {
			full = filepath.Join(full, "x")
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "/") {
			continue
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func found(t *testing.T, options Options) []string {
	t.Helper()
	targets, err := Find(options)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, target := range targets {
		paths = append(paths, target.Path)
	}
	return paths
}

func TestFindGoesThroughAFolderOnce(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a/b/one.reasoning.md": "", "a/two.reasoning.md": "", "c/three.reasoning.md": ""})
	paths := []string{"a/b", "a", ".", "c"}
	for range 5_000 {
		paths = append(paths, ".", "a")
	}
	want := []string{"a/b/one.reasoning.md", "a/two.reasoning.md", "c/three.reasoning.md"}
	if diff := cmp.Diff(want, found(t, Options{Dir: dir, Paths: paths})); diff != "" {
		t.Error(diff)
	}
}

func TestFindReadsNoEndlessRules(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		".git/":            "",
		"a.reasoning.md":   "",
		"x/.gitignore":     strings.Repeat("*.md\n", mostRules/5+1),
		"x/b.reasoning.md": "",
	})
	if err := os.Symlink("/dev/zero", filepath.Join(dir, ".gitignore")); err != nil {
		t.Skip(err)
	}
	if diff := cmp.Diff([]string{"a.reasoning.md", "x/b.reasoning.md"}, found(t, Options{Dir: dir})); diff != "" {
		t.Error(diff)
	}
}

func TestFindInFolders(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"b.reasoning.md":               "",
		"a.interaction.md":             "",
		"README.md":                    "",
		"book/auto.yaml":               "",
		"book/reasoning/one.md":        "",
		"book/interaction/two.md":      "",
		"book/deep/reasoning/not.md":   "",
		"book/deep/three.reasoning.md": "",
		"book/.hidden/x.reasoning.md":  "",
		"book/.x.reasoning.md":         "",
		"node_modules/x.reasoning.md":  "",
	})
	want := []string{
		"a.interaction.md", "b.reasoning.md",
		"book/auto.yaml", "book/deep/three.reasoning.md", "book/interaction/two.md", "book/reasoning/one.md",
	}
	if diff := cmp.Diff(want, found(t, Options{Dir: dir})); diff != "" {
		t.Error(diff)
	}
	want = []string{"book/reasoning/one.md", "book/auto.yaml", "book/deep/three.reasoning.md", "book/interaction/two.md"}
	if diff := cmp.Diff(want, found(t, Options{Dir: dir, Paths: []string{"book/reasoning", "./book/"}})); diff != "" {
		t.Error(diff)
	}
}

// TestFindTakesAFolderForNoSettings keeps the walk's idea of a playbook the
// engine's: only a file named auto.yaml makes one.
func TestFindTakesAFolderForNoSettings(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"auto.yaml":               "",
		"reasoning/one.md":        "",
		"old/auto.yaml/notes.txt": "",
		"old/reasoning/not.md":    "",
		"old/two.reasoning.md":    "",
	})
	want := []string{"auto.yaml", "old/two.reasoning.md", "reasoning/one.md"}
	if diff := cmp.Diff(want, found(t, Options{Dir: dir})); diff != "" {
		t.Error(diff)
	}
}

func TestFindOutsideTheWorkingFolder(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"in/": "", "out/a.reasoning.md": ""})
	in := filepath.Join(dir, "in")
	if diff := cmp.Diff([]string{"../out/a.reasoning.md"}, found(t, Options{Dir: in, Paths: []string{"../out"}})); diff != "" {
		t.Error(diff)
	}
	full := filepath.Join(dir, "out", "a.reasoning.md")
	if diff := cmp.Diff([]string{filepath.ToSlash(full)}, found(t, Options{Dir: in, Paths: []string{full}})); diff != "" {
		t.Error(diff)
	}
}

func TestFindRulesOfAFurtherWorkingTree(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"main/.git/info/exclude":             "private.*\n",
		"main/.git/worktrees/side/commondir": "../..\n",
		"side/.git":                          "gitdir: ../main/.git/worktrees/side\n",
		"side/private.reasoning.md":          "",
		"side/public.reasoning.md":           "",
		"plain/private.reasoning.md":         "",
	})
	if diff := cmp.Diff([]string{"side/public.reasoning.md"}, found(t, Options{Dir: dir, Paths: []string{"side"}})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"plain/private.reasoning.md"}, found(t, Options{Dir: dir, Paths: []string{"plain"}})); diff != "" {
		t.Error(diff)
	}
}

func TestFindLinks(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"real/a.reasoning.md": "", "walk/": ""})
	for link, target := range map[string]string{
		"walk/folder":              "../real",
		"walk/loop":                ".",
		"walk/linked.reasoning.md": "../real/a.reasoning.md",
		"walk/gone.reasoning.md":   "nowhere",
	} {
		if err := os.MkdirAll(filepath.Join(dir, "walk"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip("links cannot be made here:", err)
		}
	}
	if diff := cmp.Diff([]string{"walk/linked.reasoning.md"}, found(t, Options{Dir: dir, Paths: []string{"walk"}})); diff != "" {
		t.Error(diff)
	}
	// A link to a folder that is named is followed.
	if diff := cmp.Diff([]string{"walk/folder/a.reasoning.md"}, found(t, Options{Dir: dir, Paths: []string{"walk/folder"}})); diff != "" {
		t.Error(diff)
	}
}
