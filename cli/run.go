package cli

// This file is auto run.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

type runFlags struct {
	inputFlags
	runtimeFlags
	id        string
	typeName  string
	logFormat string
	wait      bool
	asJSON    bool
}

func newRun(a *app) *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:   "run NAME|FILE",
		Short: "Run a function and print its output",
		Long: "Run a function: check its input, render its prompt, call its model, check the answer and\n" +
			"record what happened. The output is printed on standard output, all else on standard\n" +
			"error.\n\n" +
			"NAME is a definition of the playbook around the working folder, such as review or\n" +
			"reasoning/review. FILE is a path.\n\n" +
			"With --run-id a run is safe to repeat: the same id and input give a recorded success, or a\n" +
			"recorded invalid input, without calling the model again. After any other ending the\n" +
			"function runs again.\n\n" +
			"A run that asks a person or an agent waits in the store, not in this command: its id is\n" +
			"printed, and auto work, auto inbox or auto answer see it through. With --wait the command\n" +
			"does the work on requests itself until the run has ended, and prints its output. Stopping\n" +
			"it, as with ctrl-c, leaves the request open.\n\n" +
			"Exits with 1 when the run is rejected, with 2 for wrong usage or settings, and with 3 when\n" +
			"the run failed, was interrupted or could not be recorded.",
		Example: "  auto run review --input @inputs/review.json\n" +
			"  auto run reasoning/review --set brief=@brief.md --set criteria='One goal'\n" +
			"  auto run review --input @input.json --run-id spring-1 --json | jq .output\n" +
			"  generate-input | auto run review --input -\n" +
			"  auto run approve --set owner=priya@acme.example --set review=@review.md --wait",
		Args:              arguments(1, 1, "a definition: its name or a file"),
		ValidArgsFunction: first(a.definitions),
		RunE: func(command *cobra.Command, args []string) error {
			return a.run(command, flags, args[0])
		},
	}
	set := command.Flags()
	flags.inputFlags.add(set)
	flags.runtimeFlags.add(command)
	set.StringVar(&flags.id, "run-id", "", "the `ID` to record the run under: 1 to 128 letters, digits, -, _, . or :")
	set.StringVar(&flags.typeName, "type", "", "run the document as this `TYPE`: "+problem.AnyOf(engine.Types()))
	set.BoolVar(&flags.wait, "wait", false, "wait until the person or the agent that is asked has answered")
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: the run as it is recorded, however it ended")
	set.StringVar(&flags.logFormat, "log-format", logFormats[0], "write the operator's log on standard error as `FORMAT`: text or json")
	command.RegisterFlagCompletionFunc("type", types)
	command.RegisterFlagCompletionFunc("set", a.inputFields)
	command.RegisterFlagCompletionFunc("run-id", fixed())
	command.RegisterFlagCompletionFunc("log-format", fixed(logFormats...))
	return command
}

func (a *app) run(command *cobra.Command, flags runFlags, argument string) (err error) {
	ctx := command.Context()
	if err := checkType(flags.typeName); err != nil {
		return err
	}
	if argument == "-" {
		return usage("Expected a name or a file: a run records its function by name")
	}
	document, err := a.document(argument, flags.typeName)
	if err != nil {
		return guessedName(command, argument, err)
	}
	input, err := a.inputOf(document, flags.inputFlags)
	if err != nil {
		return a.refused(err, flags.asJSON)
	}
	waiting := &late{}
	log, err := operatorLog(flags.logFormat, waiting)
	if err != nil {
		return err
	}
	runtime := a.runtimeOf(a.playbookOf(document), flags.runtimeFlags, "run", log)
	defer closing(runtime, &err)
	if a.Interruptible != nil {
		var stop context.CancelFunc
		ctx, stop = a.Interruptible(ctx)
		defer stop()
	}
	spinner := a.waiting(document.typeName + "/" + document.name)
	waiting.Writer = spinner
	began := a.Now()
	done, err := runtime.Run(ctx, engine.RunRequest{
		ID: flags.id, Type: document.typeName, Name: document.name, Source: document.source, Input: input,
	})
	spinner.stop()
	if done == nil {
		return a.refused(err, flags.asJSON)
	}
	if err == nil && done.Status != engine.RunStarted && done.Started.Before(began.Truncate(time.Millisecond)) {
		fmt.Fprintf(a.Err, "%s: Recorded on %s; nothing was called\n", program, dated(done.Started))
	}
	if flags.wait && err == nil && done.Status == engine.RunStarted {
		if done, err = a.untilEnded(ctx, runtime, done); err != nil {
			return a.stoppedWaiting(flags, done, err)
		}
	}
	if printed := a.printRun(runtime, flags, done); err == nil {
		err = printed
	}
	return err
}

// late is a writer that is known later than its user.
type late struct{ io.Writer }

// playbookOf is the folder of the playbook that a document belongs to: its own,
// or the one around the working folder.
func (a *app) playbookOf(d *document) string {
	if d.playbook != "" {
		return d.playbook
	}
	return engine.PlaybookAround(a.folder())
}

// refused ends a command that a rejection kept from its work, which --json
// prints as the value it asks for.
func (a *app) refused(err error, asJSON bool) error {
	var rejection *problem.Rejection
	if !errors.As(err, &rejection) || !asJSON {
		return err
	}
	if err := printJSON(a.Out, rejection); err != nil {
		return err
	}
	return errFound
}

// printRun prints how a run ended, and gives the command's ending.
func (a *app) printRun(runtime *engine.Runtime, flags runFlags, done *engine.Run) error {
	if flags.asJSON {
		if err := printValue(a.Out, done.Value()); err != nil {
			return err
		}
	}
	switch {
	case done.Status == engine.RunStarted:
		return a.printWaiting(runtime, done, flags.asJSON)
	case done.Status == engine.RunSucceeded:
		a.remark(done)
		if !flags.asJSON {
			return a.printOutput(done.Output)
		}
		return nil
	case done.Rejection != nil && !flags.asJSON:
		a.printEnding(done)
	}
	if done.Status == engine.RunRejected {
		return errFound
	}
	return errReported
}

// printOutput prints a run's output: text as it is, anything else as JSON.
func (a *app) printOutput(output value.Value) error {
	text, isText := output.(string)
	if !isText {
		return printValue(a.Out, output)
	}
	if text = a.printable(text); !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(a.Out, text)
	return err
}

// remark says on standard error what a reader of the output should know of it.
func (a *app) remark(done *engine.Run) {
	if reason, _ := value.Lookup(done.Record, "/finish_reason"); reason == "length" {
		fmt.Fprintf(a.Err, "%s: The answer was cut off at config.max_output_tokens\n", program)
	}
	warnings, _ := value.Lookup(done.Record, "/warnings")
	list, _ := warnings.([]value.Value)
	for _, warning := range list {
		if text, ok := warning.(string); ok {
			fmt.Fprintf(a.Err, "%s: Warning: %s\n", program, visible(text))
		}
	}
	if a.ErrTerminal {
		fmt.Fprintf(a.Err, "%s: Run %s, %s\n", program, done.ID, strings.Join(costs(done), ", "))
	}
}

// printEnding says on standard error why a run did not succeed.
func (a *app) printEnding(done *engine.Run) {
	if done.Status == engine.RunFailed {
		fmt.Fprintf(a.Err, "%s: The run failed: %s\n", program, visible(done.Rejection.Detail))
	} else {
		printRejection(a.Err, done.Rejection)
	}
	rejection := done.Rejection
	switch {
	case rejection.Because == "provider_not_configured":
		fmt.Fprintf(a.Err, "Run %s models to see what this playbook can call, and %s doctor to see what is missing\n", program, program)
	case rejection.Kind == "model_not_offered":
		fmt.Fprintf(a.Err, "Run %s models to see what this playbook can call\n", program)
	}
	fmt.Fprintf(a.Err, "Run %s runs show %s to see what was recorded\n", program, done.ID)
}
