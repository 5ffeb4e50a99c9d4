//go:build unix

package cli

// This file tests how the person's own editor is named and read back.

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestTheEditorsCommand(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ visual, editor, want string }{
		{"", "", "vi"},
		{" ", "nano", "nano"},
		{"code --wait", "nano", "code --wait"},
		{"", `"/opt/my editor/edit" -w`, `sh -c "/opt/my editor/edit" -w "$@" sh`},
		{"", "~/bin/edit", `sh -c ~/bin/edit "$@" sh`},
	} {
		a := &app{Streams: &Streams{Env: func(name string) string {
			return map[string]string{"VISUAL": one.visual, "EDITOR": one.editor}[name]
		}}}
		words, named := a.editorWords()
		if got := strings.Join(words, " "); got != one.want || named != (one.want != "vi") {
			t.Errorf("%+v gives %s, %v", one, got, named)
		}
	}
}

// What an editor leaves behind that is no file is not waited for.
func TestWhatAnEditorLeaves(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answer.md")
	if _, err := readEdited(path); err == nil {
		t.Error("a file that is gone was read")
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := readEdited(path); err == nil {
		t.Error("a pipe was read")
	}
	os.Remove(path)
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := readEdited(path); err != nil || text != "text" {
		t.Errorf("read %q, %v", text, err)
	}
}
