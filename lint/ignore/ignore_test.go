package ignore

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/engine/patience"
)

// cases pairs a .gitignore file with paths; a path that ends with a slash is
// a folder. What each must give is git's own answer, checked by TestAgainstGit
// and written down in TestDecide for machines without git.
var cases = []struct {
	rules   string
	ignored []string
	kept    []string
}{
	{"*.md", []string{"a.md", "x/a.md"}, []string{"a.txt", "a.md.txt"}},
	{"build", []string{"build", "x/build", "build/"}, []string{"builds", "abuild"}},
	{"build/", []string{"build/", "x/build/"}, []string{"build"}},
	{"/build", []string{"build", "build/"}, []string{"x/build"}},
	{"x/build", []string{"x/build"}, []string{"build", "y/x/build"}},
	{"drafts/*.md", []string{"drafts/a.md"}, []string{"drafts/x/a.md", "y/drafts/a.md"}},
	{"**/drafts", []string{"drafts", "x/y/drafts"}, []string{"drafts2"}},
	{"drafts/**", []string{"drafts/a", "drafts/x/a"}, []string{"drafts"}},
	{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"ab", "a/xb", "b"}},
	{"a**b", []string{"ab", "axxb", "x/axb"}, []string{"a/b"}},
	{"*.md\n!keep.md", []string{"a.md"}, []string{"keep.md", "x/keep.md"}},
	{"!keep.md\n*.md", []string{"keep.md"}, nil},
	{"# a comment\n\\#hash\n\\!bang", []string{"#hash", "!bang"}, []string{"# a comment", "hash", "bang"}},
	{"trailing   \nescaped\\ ", []string{"trailing", "escaped "}, []string{"escaped", "trailing   "}},
	{"a?c", []string{"abc"}, []string{"ac", "abbc", "aäc"}},
	{"[a-c]x", []string{"ax", "cx"}, []string{"dx", "-x"}},
	{"[!a-c]x", []string{"dx"}, []string{"ax", "x"}},
	{"[]a]x", []string{"]x", "ax"}, []string{"[x"}},
	{"[[:digit:]]x", []string{"1x"}, []string{"dx", ":x"}},
	{"[a-]x", []string{"ax", "-x"}, []string{"bx"}},
	{"[abc", nil, []string{"a", "[abc"}},
	{"\\*star", []string{"*star"}, []string{"xstar"}},
	{"\r\n*.tmp\r\n", []string{"a.tmp"}, []string{"a"}},
	{"/", nil, []string{"a"}},
	{"***", []string{"a"}, nil},
	{"übung.md", []string{"übung.md"}, []string{"ubung.md"}},
	{"foo//bar", nil, []string{"foo/bar"}},
	{"*/x", []string{"a/x"}, []string{"x", "a/b/x"}},
	{"a/", nil, []string{"b/"}},
	{"*", []string{"a", "b/"}, nil},
	{"\ufeffbom.md", []string{"bom.md"}, nil},
}

func TestDecide(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		rules := Parse(c.rules)
		for _, path := range c.ignored {
			if got := decide(rules, path); got != Ignored {
				t.Errorf("%q: %q is not ignored", c.rules, path)
			}
		}
		for _, path := range c.kept {
			if got := decide(rules, path); got == Ignored {
				t.Errorf("%q: %q is ignored", c.rules, path)
			}
		}
	}
}

// decide asks as a walk does: about the path alone, its parents having passed.
func decide(rules *Rules, path string) Decision {
	trimmed, folder := strings.CutSuffix(path, "/")
	return rules.Decide(strings.Split(trimmed, "/"), folder)
}

func TestAgainstGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, c := range cases {
		dir := t.TempDir()
		if out, err := patience.Command(t, "git", "-C", dir, "init", "-q").CombinedOutput(); err != nil {
			t.Fatalf("git init: %v\n%s", err, out)
		}
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(c.rules), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range append(append([]string{}, c.ignored...), c.kept...) {
			full := filepath.Join(dir, path)
			if strings.HasSuffix(path, "/") {
				if err := os.MkdirAll(full, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			check := patience.Command(t, "git", "-C", dir, "check-ignore", "-q", "--no-index", "--stdin", "-z")
			check.Stdin = strings.NewReader(path + "\x00")
			var out bytes.Buffer
			check.Stdout = &out
			err := check.Run()
			if want, got := err == nil, walked(Parse(c.rules), path); want != got {
				t.Errorf("%q: git ignores %q: %v, the rules: %v", c.rules, path, want, got)
			}
			if err := os.RemoveAll(full); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// walked tells whether a walk from the top would miss the path, because of
// the path itself or of a folder above it.
func walked(rules *Rules, path string) bool {
	trimmed, folder := strings.CutSuffix(path, "/")
	names := strings.Split(trimmed, "/")
	for i := range names {
		last := i == len(names)-1
		if rules.Decide(names[:i+1], folder || !last) == Ignored {
			return true
		}
	}
	return false
}

func TestHostilePatternsStayFast(t *testing.T) {
	t.Parallel()
	glob := strings.Repeat("*a", 2_000) + "b"
	deep := strings.Repeat("**/a/", 500) + "b"
	classes := strings.Repeat("*[[:", 2_000)
	rules := Parse(glob + "\n" + deep + "\n" + classes + "\n" + strings.Repeat("[[:", 1<<20))
	names := strings.Split(strings.Repeat("a/", 1_000)+strings.Repeat("a", 5_000), "/")
	effort.AtMost(t, 2*time.Second, func() {
		if got := rules.Decide(names, false); got != Undecided {
			t.Errorf("got %v", got)
		}
	})
}

func FuzzDecide(f *testing.F) {
	for _, c := range cases {
		for _, path := range append(append([]string{}, c.ignored...), c.kept...) {
			f.Add(c.rules, path)
		}
	}
	f.Fuzz(func(t *testing.T, rules, path string) {
		if len(rules) > 1_000 || len(path) > 1_000 {
			t.Skip()
		}
		decide(Parse(rules), path)
	})
}
