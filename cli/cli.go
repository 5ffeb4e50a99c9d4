// Package cli is the command line: one file a command, each with its flags,
// its calls into the engine and the linter, and what it prints.
//
// It never knows a rule of a format and never touches the process itself:
// standard streams, the environment, the clock and the working folder come in
// as Streams, and an exit code goes out.
package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

// The exit codes of every command.
const (
	ExitOK     = 0 // done, and nothing to report
	ExitFound  = 1 // the work was done and found problems, or the run was rejected
	ExitUsage  = 2 // wrong usage or settings
	ExitFailed = 3 // the program or its store failed, or a file could not be read
)

// Execute runs the command that the arguments name and gives its exit code. A
// panic is reported and gives ExitFailed.
func Execute(args []string, streams Streams) int {
	return run(newRoot(&streams), args, streams)
}

func run(root *cobra.Command, args []string, streams Streams) (code int) {
	defer func() {
		if value := recover(); value != nil {
			reportCrash(streams.Err, fmt.Sprint(value), debug.Stack())
			code = ExitFailed
		}
	}()
	root.SetArgs(args)
	root.SetIn(streams.In)
	help := &remembering{Writer: streams.Out}
	root.SetOut(help)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		root.SetOut(unquoting{help})
	}
	root.SetErr(streams.Err)
	command, err := root.ExecuteC()
	if err == nil {
		err = help.err
	}
	reportError(streams, command, err)
	return exitCode(err)
}

// remembering keeps the first error of a writer whose user does not look at it,
// as the printing of help does not.
type remembering struct {
	io.Writer
	err error
}

func (r *remembering) Write(text []byte) (int, error) {
	written, err := r.Writer.Write(text)
	if r.err == nil {
		r.err = err
	}
	return written, err
}

// A UsageError is a command line that the program cannot follow.
type UsageError struct {
	Message string // a short sentence without a full stop
	// Understood tells that the command line was read, and asks for what is not
	// there or cannot be: how the command is used is no help then.
	Understood bool
}

func (e *UsageError) Error() string { return e.Message }

func usage(format string, values ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, values...)}
}

// unmet is what a command line asks for in the right way and cannot have, such as
// a file or a run that is not there.
func unmet(format string, values ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, values...), Understood: true}
}

// errFound ends a command that did its work, reported what it found, and
// found problems.
var errFound = errors.New("problems were found")

// errReported ends a command that failed and has said so already.
var errReported = errors.New("the failure was reported")

func exitCode(err error) int {
	var (
		wrong     *UsageError
		argument  *lint.ArgumentError
		rejection *problem.Rejection
		settings  *engine.SettingsError
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, errFound), errors.As(err, &rejection):
		return ExitFound
	case errors.As(err, &wrong), errors.As(err, &argument), errors.As(err, &settings):
		return ExitUsage
	}
	return ExitFailed
}

// reportError says on standard error why a command ended, once.
func reportError(streams Streams, command *cobra.Command, err error) {
	var (
		wrong     *UsageError
		rejection *problem.Rejection
		crash     *lint.Crash
		settings  *engine.SettingsError
		damaged   *engine.StoreDamagedError
	)
	switch {
	case err == nil, errors.Is(err, errFound), errors.Is(err, errReported):
	case errors.As(err, &crash):
		reportCrash(streams.Err, crash.Error(), crash.Stack)
	case errors.As(err, &rejection):
		printRejection(streams.Err, rejection)
	case errors.As(err, &settings) && len(settings.Faults) > 1:
		printFaults(streams.Err, settings)
	case errors.As(err, &wrong) && !wrong.Understood:
		printError(streams.Err, err)
		fmt.Fprintf(streams.Err, "Run %s --help to see how it is used\n", command.CommandPath())
	case errors.As(err, &damaged) && !(command.HasParent() && command.Parent().Name() == "store"):
		printError(streams.Err, err)
		fmt.Fprintf(streams.Err, "Run %s store check to see what is wrong with it; a backup is the repair\n", program)
	default:
		printError(streams.Err, err)
	}
}

func reportCrash(to io.Writer, what string, stack []byte) {
	fmt.Fprintf(to, "auto: The program failed: %s\n", visible(what))
	fmt.Fprintf(to, "This is a fault of auto, not of your files. Please report it at %s/issues\n", repository)
	fmt.Fprintf(to, "with the command, the document it was given and these lines:\n\n%s %s\n%s", program, versionLine(), stack)
}

const (
	program    = "auto"
	repository = "https://github.com/beonauto/auto"
)
