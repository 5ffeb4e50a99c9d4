package playbook

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// folder writes files under a fresh folder, each holding a line.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, file := range files {
		path := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	root := folder(t, "play/auto.yaml", "loose/x")
	for path, want := range map[string]struct{ playbook, typeName, name string }{
		"play/reasoning/review.md":                {"play", "reasoning", "review"},
		"play/interaction/ask-owner.md":           {"play", "interaction", "ask-owner"},
		"play/review.reasoning.md":                {"play", "reasoning", "review"},
		"play/deep/down/ask.v2.interaction.md":    {"play", "interaction", "ask.v2"},
		"play/interaction/review.reasoning.md":    {"play", "reasoning", "review"},
		"loose/reasoning/review.md":               {"", "reasoning", "review"},
		"loose/review.reasoning.md":               {"", "reasoning", "review"},
		"play/reasoning/review.draft.md":          {"play", "reasoning", "review.draft"},
		"play/reasoning/readme.interaction.md":    {"play", "interaction", "readme"},
		"play/other/.reasoning.md":                {},
		"play/README.md":                          {},
		"play/reasoning/README.md":                {},
		"play/docs/reasoning/notes.md":            {},
		"play/reasoning/review.txt":               {},
		"play/reasoning/review":                   {},
		"play/workflows/review.workflow.md":       {},
		"loose/notes.md":                          {},
		"play/reasoning/nested/review.md":         {},
		"play/reasoning/nested/fine.reasoning.md": {"play", "reasoning", "fine"},
	} {
		place, err := Identify(filepath.Join(root, filepath.FromSlash(path)))
		if want.typeName == "" {
			var unknown *UnknownTypeError
			if !errors.As(err, &unknown) {
				t.Errorf("Identify(%s) = %v, %v; want an UnknownTypeError", path, place, err)
			}
			continue
		}
		if err != nil || place.Type != want.typeName || place.Name != want.name {
			t.Errorf("Identify(%s) = %v, %v; want %v", path, place, err, want)
		}
		if want.playbook != "" && place.Playbook != filepath.Join(root, want.playbook) {
			t.Errorf("Identify(%s) is of the playbook %q, want %s", path, place.Playbook, want.playbook)
		}
	}
}

func TestDefinitionsPassOverWhatIsNone(t *testing.T) {
	t.Parallel()
	root := folder(t, "a/auto.yaml", "a/reasoning/one.md", "a/reasoning/README.md", "a/node_modules/x.reasoning.md", "a/.git/y.reasoning.md",
		"a/sub/two.interaction.md", "a/inner/auto.yaml", "a/inner/interaction/three.md", "a/README.md")
	found, err := Definitions(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range found {
		got = append(got, one.Type+"/"+one.Name)
	}
	if want := []string{"interaction/three", "reasoning/one", "interaction/two"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	root := folder(t, "a/auto.yaml", "a/reasoning/review.md", "a/interaction/ask.md", "a/interaction/both.md", "a/reasoning/both.md", "a/docs/x",
		"b/auto.yaml", "b/reasoning/review.md")
	inside := filepath.Join(root, "a", "docs")
	for name, want := range map[string]string{
		"review": "a/reasoning/review.md", "reasoning/review": "a/reasoning/review.md", "ask": "a/interaction/ask.md",
		"reasoning/both": "a/reasoning/both.md", "interaction/both": "a/interaction/both.md",
	} {
		found, err := Find(inside, name)
		if err != nil || found.Path != filepath.Join(root, filepath.FromSlash(want)) {
			t.Errorf("Find(%s) = %v, %v; want %s", name, found.Path, err, want)
		}
	}
	var ambiguous *AmbiguousError
	if _, err := Find(inside, "both"); !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 {
		t.Errorf("Find(both) gives %v, want an AmbiguousError of two", err)
	}
	if _, err := Find(root, "review"); !errors.As(err, &ambiguous) {
		t.Errorf("Find(review) over two playbooks gives %v, want an AmbiguousError", err)
	}
	var missing *NotFoundError
	if _, err := Find(inside, "reveiw"); !errors.As(err, &missing) || !slices.Contains(missing.Known, "reasoning/review") {
		t.Errorf("Find(reveiw) gives %v, want a NotFoundError that knows reasoning/review", err)
	}
	if _, err := Find(inside, "interaction/review"); !errors.As(err, &missing) {
		t.Errorf("Find(interaction/review) gives %v, want a NotFoundError", err)
	}
}

// TestAFolderNamedLikeTheSettingsMakesNoPlaybook holds the two ways of finding
// a playbook, upwards from a file and downwards to it, to one answer.
func TestAFolderNamedLikeTheSettingsMakesNoPlaybook(t *testing.T) {
	t.Parallel()
	root := folder(t, "play/auto.yaml", "play/archive/auto.yaml/notes.txt", "play/archive/reasoning/old.md", "play/reasoning/review.md")
	archive := filepath.Join(root, "play", "archive")
	if found, _ := Root(archive); found != filepath.Join(root, "play") {
		t.Errorf("Root(archive) = %s, want the playbook around it", found)
	}
	all, err := Definitions(filepath.Join(root, "play"))
	if err != nil || len(all) != 1 || all[0].Name != "review" {
		t.Errorf("Definitions gives %v, %v; want review alone", all, err)
	}
}
