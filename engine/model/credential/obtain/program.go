package obtain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// This file runs the programs that print a credential: credential_process of
// AWS, the command lines of the clouds, and executables of a federation.

// ErrNotInstalled is a program that the shell did not find.
var ErrNotInstalled = errors.New("the program is not installed")

// ProgramFailed is a program that ended with an error. Words is what it printed
// on standard error.
type ProgramFailed struct {
	Words string
	Cause error
}

func (e *ProgramFailed) Error() string {
	words := e.Words
	// Warnings may stand before what went wrong.
	if at := strings.Index("\n"+words, "\nERROR"); at >= 0 {
		words = words[at:]
	}
	if shown := Shown(words); shown != "" {
		return shown
	}
	return e.Cause.Error()
}

// Unwrap gives the cause.
func (e *ProgramFailed) Unwrap() error { return e.Cause }

// Run runs a command line in the system's shell, with the process's own
// environment and nothing on standard input, and gives what it printed on
// standard output. It ends within the limit.
func Run(ctx context.Context, command string, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return Output(ctx, inShell(ctx, command))
}

// Output runs a program made with the context and gives what it printed on
// standard output.
func Output(ctx context.Context, program *exec.Cmd) ([]byte, error) {
	var out, words bytes.Buffer
	program.Stdout, program.Stderr = &bounded{to: &out}, &bounded{to: &words}
	program.WaitDelay = 100 * time.Millisecond
	err := program.Run()
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay) && out.Len() > 0:
		return out.Bytes(), nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("the program did not end in time: %w", ctx.Err())
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit) && isNotFound(exit.ExitCode(), words.String()), errors.Is(err, exec.ErrNotFound):
		return nil, ErrNotInstalled
	}
	return nil, &ProgramFailed{words.String(), err}
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ to *bytes.Buffer }

func (b *bounded) Write(text []byte) (int, error) {
	if room := answerBytes - b.to.Len(); room > 0 {
		b.to.Write(text[:min(room, len(text))])
	}
	return len(text), nil
}
