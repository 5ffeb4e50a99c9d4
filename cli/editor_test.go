//go:build unix

package cli

// This file tests how the person's own editor is named and read back.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/beonauto/auto/tui/form"
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

// TestWhatAnEditorSavedIsNotLost fails editors that saved something.
func TestWhatAnEditorSavedIsNotLost(t *testing.T) {
	t.Parallel()
	failed := errors.New("exit status 1")
	long := strings.Repeat("x", form.MostEdited+1)
	for name, test := range map[string]struct {
		saved, text string
		failed      error
		says        string
		kept        bool
	}{
		"it is taken":                 {saved: "new", text: "new"},
		"it failed":                   {saved: "new", failed: failed, says: "exit status 1; what it saved is kept in ", kept: true},
		"it failed and saved nothing": {saved: "old", failed: failed, says: "exit status 1"},
		"it is too much":              {saved: long, says: "it left more than 256 KiB; what it saved is kept in ", kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "answer.md")
			if err := os.WriteFile(path, []byte(test.saved), 0o600); err != nil {
				t.Fatal(err)
			}
			text, err := takeEdited(path, "old", test.failed)
			says := ""
			if err != nil {
				says = err.Error()
			}
			want := test.says
			if test.kept {
				want += path
			}
			if text != test.text || says != want {
				t.Errorf("it gives %q, %q, want %q, %q", text, says, test.text, want)
			}
			if _, err := os.Stat(path); (err == nil) != test.kept {
				t.Errorf("the file: %v", err)
			}
		})
	}
}
