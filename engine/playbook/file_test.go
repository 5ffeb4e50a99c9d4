package playbook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.md")
	for _, c := range []struct{ length, most, want int }{
		{0, 10, 0}, {9, 10, 9}, {10, 10, 10}, {11, 10, 11}, {5_000, 10, 11}, {5_000, 1 << 20, 5_000},
	} {
		if err := os.WriteFile(path, []byte(strings.Repeat("x", c.length)), 0o600); err != nil {
			t.Fatal(err)
		}
		text, err := ReadFile(path, int64(c.most))
		if err != nil || len(text) != c.want {
			t.Errorf("%d bytes read up to %d give %d, %v", c.length, c.most, len(text), err)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there gives %v", err)
	}
	wantNotFile(t, t.TempDir(), "a folder")
}

// wantNotFile holds that reading a path says what is there instead of a file.
func wantNotFile(t *testing.T, path, found string) {
	t.Helper()
	var other *NotFileError
	if _, err := ReadFile(path, 1<<20); !errors.As(err, &other) || other.Found != found {
		t.Errorf("%s gives %v, want %s", path, err, found)
	}
}
