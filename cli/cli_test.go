package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

// streams gives streams that end in buffers.
func streams(input string) (Streams, *bytes.Buffer, *bytes.Buffer) {
	var out, err bytes.Buffer
	return Streams{
		In: strings.NewReader(input), Out: &out, Err: &err,
		Env: func(string) string { return "" },
		Now: func() time.Time { return time.Date(2026, 11, 1, 9, 30, 0, 0, time.UTC) },
	}, &out, &err
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"nothing", nil, ExitOK},
		{"problems", errFound, ExitFound},
		{"a rejection", fmt.Errorf("rendering: %w", problem.NewRejection(problem.InvalidInput, "x")), ExitFound},
		{"wrong usage", usage("x"), ExitUsage},
		{"wrong paths", errors.Join(&lint.ArgumentError{Path: "x"}, &lint.ArgumentError{Path: "y"}), ExitUsage},
		{"a crash", &lint.Crash{Path: "x"}, ExitFailed},
		{"a failure that was reported", errReported, ExitFailed},
		{"anything else", fs.ErrPermission, ExitFailed},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestAPanicIsReported(t *testing.T) {
	t.Parallel()
	s, out, stderr := streams("")
	root := newRoot(&s)
	root.AddCommand(&cobra.Command{Use: "break", RunE: func(*cobra.Command, []string) error { panic("the sky fell\x1b[2J") }})
	if code := run(root, []string{"break"}, s); code != ExitFailed {
		t.Errorf("exits with %d", code)
	}
	if out.Len() > 0 {
		t.Errorf("standard output holds %q", out)
	}
	for _, want := range []string{
		"auto: The program failed: the sky fell", "Please report it at https://github.com/beonauto/auto/issues", "cli_test.go",
	} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, stderr)
		}
	}
	if strings.Contains(stderr.String(), "\x1b") {
		t.Error("standard error steers the terminal")
	}
}

func TestACrashOfACheckNamesItsFile(t *testing.T) {
	t.Parallel()
	s, _, stderr := streams("")
	root := newRoot(&s)
	root.AddCommand(&cobra.Command{Use: "break", RunE: func(*cobra.Command, []string) error {
		return &lint.Crash{Path: "reasoning/review.md", Value: "index out of range", Stack: []byte("the stack")}
	}})
	if code := run(root, []string{"break"}, s); code != ExitFailed {
		t.Errorf("exits with %d", code)
	}
	for _, want := range []string{"auto: The program failed: checking reasoning/review.md: index out of range", "the stack"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, stderr)
		}
	}
}

func TestUseColour(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		choice   string
		terminal bool
		env      map[string]string
		want     bool
	}{
		{"auto", true, nil, true},
		{"auto", false, nil, false},
		{"auto", true, map[string]string{"NO_COLOR": "1"}, false},
		{"auto", true, map[string]string{"NO_COLOR": ""}, true},
		{"auto", true, map[string]string{"TERM": "dumb"}, false},
		{"auto", false, map[string]string{"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, false},
		{"always", false, map[string]string{"NO_COLOR": "1"}, true},
		{"never", true, nil, false},
	} {
		a := &app{colour: c.choice, Streams: &Streams{
			OutTerminal: c.terminal, Env: func(name string) string { return c.env[name] },
		}}
		if got := a.useColour(); got != c.want {
			t.Errorf("--color %s, terminal %v, %v: got %v", c.choice, c.terminal, c.env, got)
		}
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWrittenFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{"version"}, {"version", "--json"}, {"lint"}, {"init", "x"}} {
		s, _, stderr := streams("")
		s.Dir, s.Out = dir, failingWriter{}
		if code := Execute(args, s); code != ExitFailed {
			t.Errorf("%v exits with %d", args, code)
		}
		if !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v says %q", args, stderr)
		}
	}
}
