package cli

// This file is auto tools call: one call of a tool by hand.

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
	"github.com/beonauto/auto/lint/report"
)

// completionTime is how long a shell waits for the names of tools.
const completionTime = 3 * time.Second

type callFlags struct {
	inputFlags
	runtimeFlags
	dryRun bool
	yes    bool
	asJSON bool
}

func newToolsCall(a *app) *cobra.Command {
	var flags callFlags
	command := &cobra.Command{
		Use:   "call SERVER/TOOL",
		Short: "Call a tool once, as a run would, and print what a run's model would see",
		Long: "Call a tool once and print its result as a run's model would read it. The call is recorded\n" +
			"in the playbook's history, before it is sent and when it has ended.\n\n" +
			"A tool that is not marked reads may change something: on a terminal the command asks first,\n" +
			"elsewhere it wants --yes. --dry-run reports what the call would check and sends nothing.\n\n" +
			"Exits with 1 when the tool cannot be used, the call failed or the tool answered with an\n" +
			"error; under --dry-run, when the call would not be sent or its arguments do not match the\n" +
			"tool's schema. Exits with 2 for wrong usage or settings, and with 3 when the call was\n" +
			"interrupted or could not be recorded.",
		Example: "  auto tools call notes/search_notes --input '{\"words\": \"launch\"}'\n" +
			"  auto tools call notes/add_note --set title=Plan --set text=@plan.md --dry-run\n" +
			"  auto tools call notes/add_note --input @note.json --yes --json | jq .shown",
		Args:              arguments(1, 1, "a tool, as server/tool"),
		ValidArgsFunction: first(a.toolNames),
		RunE: func(command *cobra.Command, args []string) error {
			return a.callTool(command.Context(), flags, args[0])
		},
	}
	set := command.Flags()
	set.StringVar(&flags.input, "input", "", "the arguments: `JSON`, @file for a file of JSON, or - for standard input")
	set.StringArrayVar(&flags.set, "set", nil, "set one argument: `path=value`, or path=@file (repeatable)")
	flags.runtimeFlags.add(command)
	set.BoolVar(&flags.dryRun, "dry-run", false, "report what the call would check, and send nothing")
	set.BoolVar(&flags.yes, "yes", false, "call a tool that may change something without asking")
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: what came of the call, or the rejection")
	command.RegisterFlagCompletionFunc("set", a.argumentFields)
	return command
}

func (a *app) callTool(ctx context.Context, flags callFlags, argument string) (err error) {
	wanted, err := toolOf(argument)
	if err != nil {
		return err
	}
	input, err := a.input(flags.inputFlags)
	if err != nil {
		return err
	}
	if _, ok := input.value.(*value.Object); !ok {
		return usage("--input: Expected an object of arguments")
	}
	runtime := a.runtimeOf(engine.PlaybookAround(a.folder()), flags.runtimeFlags, "tools call", nil)
	defer closing(runtime, &err)
	var listed *engine.ListedTool
	err = a.asking(ctx, "asking "+wanted.Server, func(ctx context.Context) (err error) {
		listed, err = runtime.ListedTool(ctx, wanted)
		return err
	})
	if err != nil {
		return a.rejectedTool(err, flags.asJSON)
	}
	set, err := input.by(listed.InputSchema)
	if err != nil {
		return err
	}
	arguments := set.(*value.Object) // as it was before a field was set in it
	trial := listed.Try(arguments)
	if flags.dryRun {
		return a.printTrial(trial, flags.asJSON)
	}
	if !trial.Tool.Reads && !flags.yes && trial.ArgumentBytes <= engine.MostToolArguments {
		question := fmt.Sprintf("%s may change something. Call it with %s?", wanted, visible(shortText(value.JSON(arguments))))
		if agreed, err := a.ask(question, "Nothing was called"); err != nil || !agreed {
			return err
		}
	}
	var done *engine.ToolCall
	err = a.asking(ctx, "calling "+wanted.String(), func(ctx context.Context) (err error) {
		done, err = runtime.CallTool(ctx, trial.Tool, arguments)
		return err
	})
	if done == nil {
		return a.rejectedTool(err, flags.asJSON)
	}
	if ended := a.printCall(done, flags.asJSON); err == nil {
		err = ended
	}
	return err
}

// shortText is a text cut to what a line shows of it.
func shortText(text string) string {
	if len(text) <= engine.ShownEvent {
		return text
	}
	return fmt.Sprintf("%d bytes of arguments", len(text))
}

// rejectedTool ends a command with the rejection of a tool, on standard output
// where a program reads it. Any other error is given as it is.
func (a *app) rejectedTool(err error, asJSON bool) error {
	var rejection *problem.Rejection
	if !errors.As(err, &rejection) {
		return err
	}
	ending := errFound
	if rejection.Type == problem.TypeBase+string(problem.Cancelled) {
		ending = errReported
	}
	if asJSON {
		if err := printJSON(a.Out, rejection); err != nil {
			return err
		}
		return ending
	}
	printRejection(a.Err, rejection)
	return ending
}

// printTrial reports what a call would check, and gives the command's ending.
func (a *app) printTrial(trial *engine.ToolTrial, asJSON bool) error {
	tooLarge := trial.ArgumentBytes > engine.MostToolArguments
	if asJSON {
		if err := printValue(a.Out, trialOfTool(trial)); err != nil {
			return err
		}
	} else if _, err := io.WriteString(a.Out, a.drawnTrial(trial)); err != nil {
		return err
	}
	if tooLarge || len(trial.Issues) > 0 {
		return errFound
	}
	return nil
}

func (a *app) drawnTrial(trial *engine.ToolTrial) string {
	var b strings.Builder
	line := func(fine bool, text string) {
		mark := report.Paint(a.useColour(), report.Green, "✓")
		if !fine {
			mark = report.Paint(a.useColour(), report.Red, "✗")
		}
		fmt.Fprintf(&b, "%s %s\n", mark, text)
	}
	of := trial.Tool
	line(true, report.Visible(fmt.Sprintf("The tool server %s is configured and answers", of.Server)))
	line(true, report.Visible(fmt.Sprintf("The tool %s is allowed and listed", of)))
	switch size := trial.ArgumentBytes; {
	case size > engine.MostToolArguments:
		line(false, engine.TooManyArguments(size))
	default:
		line(true, fmt.Sprintf("The arguments take %s bytes of at most %s", value.Grouped(int64(size)), value.Grouped(engine.MostToolArguments)))
	}
	switch {
	case trial.Unchecked:
		line(true, "The tool's schema uses what is not checked here; the server checks the arguments itself")
	case len(trial.Issues) == 0:
		line(true, "The arguments match the tool's schema")
	default:
		line(false, "The arguments do not match the tool's schema")
		for _, issue := range trial.Issues {
			fmt.Fprintf(&b, "  %s: %s\n", dash(report.Visible(issue.Pointer)), visible(issue.Message))
		}
	}
	if of.Reads {
		b.WriteString("\nNothing was sent. The tool is marked reads: a call asks nobody\n")
	} else {
		b.WriteString("\nNothing was sent. The tool may change something: a call asks first, or wants --yes\n")
	}
	return b.String()
}

func trialOfTool(trial *engine.ToolTrial) value.Value {
	issues := make([]value.Value, len(trial.Issues))
	for i, issue := range trial.Issues {
		issues[i] = value.Build([]string{"pointer", "detail"}, []value.Value{issue.Pointer, issue.Message})
	}
	o := value.NewObject(9)
	o.Set("server", trial.Tool.Server)
	o.Set("tool", trial.Tool.Name)
	o.Set("mark", trial.Tool.Mark())
	o.Set("status", "checked")
	o.Set("sent", false)
	o.Set("arguments_bytes", float64(trial.ArgumentBytes))
	o.Set("most_bytes", float64(engine.MostToolArguments))
	o.Set("checked", !trial.Unchecked)
	o.Set("issues", issues)
	return o
}

// printCall prints what came of a call, and gives the command's ending.
func (a *app) printCall(done *engine.ToolCall, asJSON bool) error {
	failure := done.Failure
	ending := error(nil)
	switch {
	case failure != nil && failure.Because == engine.ToolCancelled:
		ending = errReported
	case failure != nil || done.Result.IsError:
		ending = errFound
	}
	if asJSON {
		if err := printValue(a.Out, callValue(done)); err != nil {
			return err
		}
		return ending
	}
	if failure != nil {
		fmt.Fprintf(a.Err, "%s: The call failed as %s: %s\n", program, failure.Because, visible(failure.Message))
		printHint(a.Err, failure.Hint)
		if failure.Sent && !done.Tool.Reads {
			fmt.Fprintf(a.Err, "The call was sent, and may have changed something\n")
		}
		return ending
	}
	if err := a.printOutput(done.Result.Shown()); err != nil {
		return err
	}
	if done.Result.IsError {
		status := ""
		if code := done.Result.HTTPStatus(); code != 0 {
			status = fmt.Sprintf(" (HTTP %d)", code)
		}
		fmt.Fprintf(a.Err, "%s: The tool answered with an error%s\n", program, status)
	}
	return ending
}

// callValue is what came of a call for programs, in the words that the operation
// execute has for it, with the ids that a server's own log knows the call by.
func callValue(done *engine.ToolCall) value.Value {
	o := value.NewObject(13)
	o.Set("server", done.Tool.Server)
	o.Set("tool", done.Tool.Name)
	o.Set("mark", done.Tool.Mark())
	if failure := done.Failure; failure != nil {
		o.Set("status", "failed")
		o.Set("because", string(failure.Because))
		o.Set("detail", failure.Message)
		o.Set("sent", failure.Sent)
		o.Set("duration_ms", float64(failure.Duration.Milliseconds()))
		o.Set("jsonrpc_id", failure.JSONRPCID)
		o.Set("request_id", orNull(failure.RequestID))
	} else {
		result := done.Result
		answer, _ := result.Answer()
		o.Set("status", "answered")
		o.Set("is_error", result.IsError)
		if status := result.HTTPStatus(); status != 0 {
			o.Set("http_status", float64(status))
		}
		o.Set("shown", result.Shown())
		o.Set("answer", answer)
		o.Set("sent", true)
		o.Set("duration_ms", float64(result.Duration.Milliseconds()))
		o.Set("jsonrpc_id", result.JSONRPCID)
		o.Set("request_id", orNull(result.RequestID))
	}
	o.Set("event_id", nil)
	if done.EventID != 0 {
		o.Set("event_id", float64(done.EventID))
	}
	return o
}
