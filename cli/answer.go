package cli

// This file is auto answer, which answers a request from the command line.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

type answerFlags struct {
	runtimeFlags
	answer     string
	claimedFor string
	asJSON     bool
}

func newAnswer(a *app) *cobra.Command {
	var flags answerFlags
	command := &cobra.Command{
		Use:   "answer RUN_ID [FIELD=VALUE…]",
		Short: "Answer a request that a run waits on",
		Long: "Answer the request of a run, which succeeds with the answer as its output. A request takes\n" +
			"one answer: the same one again changes nothing, and another one is refused.\n\n" +
			"FIELD=VALUE sets a field of the answer, of the type that its schema gives it; a dot leads\n" +
			"into an object, and VALUE may be @file. --answer gives the answer as JSON; fields are set\n" +
			"in it. RUN_ID may be the beginning of an id that no other run has.\n\n" +
			"Exits with 1 when the answer is not taken, and says how to send it again.",
		Example: "  auto answer 0199a3c4-7d2e verdict=approve\n" +
			"  auto answer 0199a3c4-7d2e verdict=revise note='Name the job role'\n" +
			"  auto answer approve-2026-11-30 --answer @answer.json --claimed-for 'the team'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("Expected the id of a run")
			}
			return nil
		},
		ValidArgsFunction: a.answerWords,
		RunE:              func(_ *cobra.Command, args []string) error { return a.answer(flags, args[0], args[1:]) },
	}
	flags.runtimeFlags.add(command)
	set := command.Flags()
	set.StringVar(&flags.answer, "answer", "", "the answer: `JSON`, @file for a file of JSON, or - for standard input")
	set.StringVar(&flags.claimedFor, "claimed-for", "", "whom the answer is given for: `TEXT` that is kept and not checked")
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: the answer as it was recorded")
	command.RegisterFlagCompletionFunc("claimed-for", fixed())
	return command
}

func (a *app) answer(flags answerFlags, id string, fields []string) (err error) {
	runtime := a.runtime(flags.runtimeFlags, "answer")
	defer closing(runtime, &err)
	asked, err := a.requestOf(runtime, id)
	if err != nil {
		return err
	}
	if flags.answer == "" && len(fields) == 0 && asked.TakesAnswer {
		fmt.Fprintf(a.Err, "%s: Expected an answer: %s\n%s", program, answerCommand(asked), indented(answerFields(asked)))
		return &UsageError{Message: "Nothing was answered"}
	}
	answer, err := a.answerOf(asked, flags.answer, fields)
	if err != nil {
		return err
	}
	given := engine.Given{Answer: answer, ClaimedFor: flags.claimedFor, By: engine.LocalDeveloper()}
	taken, err := runtime.Answer(asked.RunID, given)
	var rejection *problem.Rejection
	switch {
	case errors.As(err, &rejection):
		return a.notTaken(asked, flags, fields, answer, rejection)
	case err != nil:
		printError(a.Err, err)
		fmt.Fprintf(a.Err, "Send it again with:\n  %s\n", again(asked, flags, fields, answer))
		return errReported
	}
	fact := engine.AnswerFact(taken)
	if flags.asJSON {
		return printValue(a.Out, fact)
	}
	return a.printTaken(fact)
}

// indented is lines that stand in a little.
func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// answerOf gives the answer of --answer with each field set in it.
func (a *app) answerOf(asked *engine.AskedRequest, written string, fields []string) (value.Value, error) {
	if (inputFlags{input: written, set: fields}).readsStdin() > 1 {
		return nil, usage("Standard input is read once: only one of --answer and the fields can take it")
	}
	answer := value.Value(value.NewObject(len(fields)))
	if written != "" {
		var err error
		if answer, err = a.json("--answer", written, checkText); err != nil {
			return nil, err
		}
	}
	set := make([]assignment, len(fields))
	for i, field := range fields {
		path, _, ok := strings.Cut(field, "=")
		if !ok || path == "" {
			return nil, usage("%s: Expected FIELD=VALUE", field)
		}
		if err := knownField(asked, path, splitPath(path)[0]); err != nil {
			return nil, err
		}
		var err error
		if set[i], err = a.assignment("", field, checkText); err != nil {
			return nil, err
		}
	}
	return assigned(answer, asked.AnswerSchema, set)
}

// knownField refuses a field that the answer schema does not name, since it is
// likely mistyped, unless the schema says that there are others.
func knownField(asked *engine.AskedRequest, path, name string) error {
	if _, others := value.Lookup(asked.AnswerSchema, "/additionalProperties"); others {
		return nil
	}
	var names []string
	for _, field := range engine.AnswerFields(asked) {
		if !strings.ContainsAny(field.Name, ".[") {
			names = append(names, field.Name)
		}
	}
	if len(names) == 0 || slices.Contains(names, name) {
		return nil
	}
	return unmet("%s: Expected one of %s%s", path, strings.Join(names, ", "), didYouMean(name, "", names))
}

// notTaken says why an answer was not taken, and keeps what was typed.
func (a *app) notTaken(asked *engine.AskedRequest, flags answerFlags, fields []string, answer value.Value, rejection *problem.Rejection) error {
	if flags.asJSON {
		if err := printJSON(a.Out, rejection); err != nil {
			return err
		}
	} else {
		printRejection(a.Err, rejection)
	}
	if len(rejection.Issues) > 0 {
		fmt.Fprintf(a.Err, "The request waits on; change the answer and send it again:\n  %s\n", again(asked, flags, fields, answer))
	} else if !flags.ofFile(fields) {
		fmt.Fprintf(a.Err, "The answer that was not taken: %s\n", report.Visible(value.JSON(answer)))
	}
	return errFound
}

// ofFile tells whether a file still holds the whole answer.
func (flags answerFlags) ofFile(fields []string) bool {
	return len(fields) == 0 && strings.HasPrefix(flags.answer, "@") && flags.answer != "@-"
}

// again is the command that sends an answer again.
func again(asked *engine.AskedRequest, flags answerFlags, fields []string, answer value.Value) string {
	given := value.JSON(answer)
	if flags.ofFile(fields) {
		given = flags.answer
	}
	command := fmt.Sprintf("%s answer %s --answer %s", program, asked.RunID, shellWord(given))
	if flags.claimedFor != "" {
		command += " --claimed-for " + shellWord(flags.claimedFor)
	}
	return report.Visible(command)
}

// printTaken prints the fact that a run took.
func (a *app) printTaken(fact *value.Object) error {
	text := func(pointer string) string {
		found, _ := value.Lookup(fact, pointer)
		if found == nil {
			return ""
		}
		return plain(found)
	}
	rows := []struct{ name, text string }{
		{"run", text("/run_id")}, {"answer", text("/answer")}, {"for", text("/claimed_for")},
		{"by", text("/answered_by/name")}, {"at", text("/answered_at")}, {"event", text("/answer_id")},
	}
	for _, row := range rows {
		if row.text == "" {
			continue
		}
		if _, err := fmt.Fprintf(a.Out, "%s  %s\n", report.Paint(a.useColour(), report.Dim, fmt.Sprintf("%-6s", row.name)), a.printable(row.text)); err != nil {
			return err
		}
	}
	return nil
}

// answerWords completes the id of a run that waits, then the fields of its answer
// with their choices.
func (a *app) answerWords(command *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return a.waitingIDs(command, args, typed)
	}
	runtime := a.runtime(runtimeFlags{}, "completion")
	asked, err := a.requestOf(runtime, args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return fieldWords(engine.AnswerFields(asked), args[1:], typed)
}
