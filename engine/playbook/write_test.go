package playbook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/beonauto/auto/engine/patience"
)

func mustRead(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wantTidy holds that a folder has these entries and nothing else.
func wantTidy(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	if strings.Join(found, " ") != strings.Join(names, " ") {
		t.Errorf("%s holds %v, want %v", folder, found, names)
	}
}

func TestPathOf(t *testing.T) {
	t.Parallel()
	if file, ok := PathOf("reasoning", "review-2"); !ok || file != "reasoning/review-2.md" {
		t.Errorf("PathOf gives %s, %v", file, ok)
	}
	for _, name := range []string{
		"", ".", "..", "../x", "a/b", `a\b`, "/etc/passwd", "Review", "2x", "-x", "a b", "a.b", "a\x00", "a\n", "é", "readme", "con", "com1", "lpt9", "nul", "con:", "x.interaction", strings.Repeat("a", 65),
	} {
		if file, ok := PathOf("reasoning", name); ok {
			t.Errorf("the name %q may be written, as %s", name, file)
		}
	}
	for _, typeName := range []string{"", "..", "other", "reasoning/..", "/reasoning"} {
		if file, ok := PathOf(typeName, "review"); ok {
			t.Errorf("the type %q may be written, as %s", typeName, file)
		}
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	root := folder(t, "auto.yaml")
	if err := Create(root, "reasoning/review.md", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := Create(root, "reasoning/review.md", []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there gives %v", err)
	}
	if got := mustRead(t, filepath.Join(root, "reasoning/review.md")); got != "one" {
		t.Errorf("the file holds %q", got)
	}
	wantTidy(t, filepath.Join(root, "reasoning"), "review.md")
}

func TestCreateIsDoneOnce(t *testing.T) {
	t.Parallel()
	root := folder(t, "auto.yaml")
	var all sync.WaitGroup
	created := make(chan string, 20)
	for i := range cap(created) {
		all.Go(func() {
			text := strings.Repeat(fmt.Sprint(i%10), 10_000)
			if err := Create(root, "lookup/x.md", []byte(text)); err == nil {
				created <- text
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(created) != 1 || mustRead(t, filepath.Join(root, "lookup/x.md")) != patience.Receive(t, created) {
		t.Errorf("%d of them created it", len(created)+1)
	}
	wantTidy(t, filepath.Join(root, "lookup"), "x.md")
}

func TestNothingIsCreatedThroughALink(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	for name, to := range map[string]string{"outside": outside, "relative": "../..", "inside": "other", "nowhere": "/nowhere"} {
		root := folder(t, "auto.yaml", "other/x")
		if err := os.Symlink(to, filepath.Join(root, "reasoning")); err != nil {
			t.Skip(err)
		}
		var refused *UnwritableError
		if err := Create(root, "reasoning/review.md", []byte("one")); !errors.As(err, &refused) || refused.Path != "reasoning" {
			t.Errorf("%s: a folder that is a link gives %v", name, err)
		}
		wantTidy(t, filepath.Join(root, "other"), "x")
	}
	wantTidy(t, outside)
	root := folder(t, "auto.yaml", "reasoning")
	var refused *UnwritableError
	if err := Create(root, "reasoning/review.md", nil); !errors.As(err, &refused) {
		t.Errorf("a file in the folder's place gives %v", err)
	}
	// A link to nothing takes the name as well as a file does.
	root = folder(t, "auto.yaml", "reasoning/x.md")
	target := filepath.Join(outside, "new.md")
	if err := os.Symlink(target, filepath.Join(root, "reasoning/review.md")); err != nil {
		t.Skip(err)
	}
	if err := Create(root, "reasoning/review.md", []byte("one")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a link to nothing gives %v", err)
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("a file was written outside the playbook")
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	root := folder(t, "auto.yaml", "reasoning/review.md")
	file := filepath.Join(root, "reasoning/review.md")
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Replace(root, file, []byte("text\n"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o640 || mustRead(t, file) != "new" {
		t.Errorf("the file holds %q with the mode %v, %v", mustRead(t, file), info.Mode(), err)
	}
	if err := Replace(root, file, []byte("text\n"), []byte("newer")); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that changed gives %v", err)
	}
	if err := Replace(root, filepath.Join(root, "reasoning/none.md"), nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there gives %v", err)
	}
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	var refused *UnwritableError
	if err := Replace(root, file, []byte("new"), []byte("newer")); !errors.As(err, &refused) {
		t.Errorf("a file that may only be read gives %v", err)
	}
	wantTidy(t, filepath.Join(root, "reasoning"), "review.md")
}

func TestReplaceThroughLinks(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(folder(t, "secret.md"), "secret.md")
	root := folder(t, "auto.yaml", "reasoning/real.md", "drafts/review.md")
	link := func(name, to string) string {
		path := filepath.Join(root, "reasoning", name)
		if err := os.Symlink(to, path); err != nil {
			t.Skip(err)
		}
		return path
	}
	var refused *UnwritableError
	if err := Replace(root, link("out.md", outside), []byte("text\n"), []byte("new")); !errors.As(err, &refused) || refused.Path != "reasoning/out.md" {
		t.Errorf("a link that leads out gives %v", err)
	}
	if mustRead(t, outside) != "text\n" {
		t.Error("a file outside the playbook was written")
	}
	inside := link("in.md", "../drafts/review.md")
	if err := Replace(root, inside, []byte("text\n"), []byte("new")); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(inside); err != nil || info.Mode()&fs.ModeSymlink == 0 || mustRead(t, inside) != "new" {
		t.Errorf("the link is now %v, %v", info.Mode(), err)
	}
	for name, to := range map[string]string{"nowhere.md": "gone.md", "itself.md": "itself.md", "settings.md": "../auto.yaml", "hidden.md": "../.env"} {
		hidden := filepath.Join(root, ".env")
		if err := os.WriteFile(hidden, []byte("KEY=1"), 0o600); err != nil {
			t.Fatal(err)
		}
		path := link(name, to)
		if err := Replace(root, path, []byte("KEY=1"), []byte("new")); !errors.As(err, &refused) || refused.Path != "reasoning/"+name {
			t.Errorf("%s: writing gives %v", name, err)
		}
		var none *NotFileError
		if _, err := ReadWithin(root, path, MostDocument); !errors.As(err, &none) || none.Found != refused.Found {
			t.Errorf("%s: reading gives %v, and writing %v", name, err, refused)
		}
		if mustRead(t, hidden) != "KEY=1" || mustRead(t, filepath.Join(root, "auto.yaml")) != "text\n" {
			t.Errorf("%s: a file that holds no document was written", name)
		}
	}
	// A playbook that is reached by a link is itself.
	other := filepath.Join(t.TempDir(), "playbook")
	if err := os.Symlink(root, other); err != nil {
		t.Skip(err)
	}
	if err := Replace(other, filepath.Join(other, "reasoning/real.md"), []byte("text\n"), []byte("new")); err != nil {
		t.Error(err)
	}
}

func TestAWritingThatIsCutOffLeavesTheOldDocument(t *testing.T) {
	t.Parallel()
	root := folder(t, "auto.yaml", "reasoning/review.md")
	file := filepath.Join(root, "reasoning/review.md")
	reached := false
	func() {
		defer func() { recover() }()
		replace(root, file, []byte("text\n"), []byte("new"), func(of *os.Root, from, to string) error {
			reached = true
			if whole, err := readIn(of, from); err != nil || string(whole) != "new" {
				t.Errorf("before its name is given the file holds %q, %v", whole, err)
			}
			panic("the process is gone")
		})
	}()
	if !reached || mustRead(t, file) != "text\n" {
		t.Errorf("the document is %q", mustRead(t, file))
	}
	// What is left lies beside it and is no definition.
	found, err := Definitions(root)
	if err != nil || len(found) != 1 {
		t.Errorf("the playbook has %v, %v", found, err)
	}
	// The next writing but a minute later takes it away, and nothing else.
	left, err := filepath.Glob(filepath.Join(root, "reasoning", ".review.md.*.tmp"))
	if err != nil || len(left) != 1 {
		t.Fatalf("there are left %v, %v", left, err)
	}
	info, err := os.Stat(left[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := Replace(root, file, []byte("text\n"), []byte("text\n")); err != nil {
		t.Fatal(err)
	}
	wantTidy(t, filepath.Join(root, "reasoning"), filepath.Base(left[0]), "review.md")
	// So does that of another document, whose writer never comes again.
	other := filepath.Join(root, "reasoning", ".other.md.X.tmp")
	never := filepath.Join(root, "reasoning", freshName("never.md"))
	earlier := info.ModTime().Add(-2 * abandoned)
	for _, file := range []string{other, never, left[0]} {
		if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, earlier, earlier)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Replace(root, file, []byte("text\n"), []byte("text\n")); err != nil {
		t.Fatal(err)
	}
	wantTidy(t, filepath.Join(root, "reasoning"), filepath.Base(other), "review.md")
	failed := errors.New("the disk is full")
	if err := replace(root, file, []byte("text\n"), []byte("new"), func(*os.Root, string, string) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("a rename that fails gives %v", err)
	}
	if mustRead(t, file) != "text\n" {
		t.Error("a rename that failed changed the document")
	}
}
