package cli

// This file is auto answer, which answers a request from the command line.

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

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
		text, where, err := a.text("--answer", written)
		if err != nil {
			return nil, err
		}
		if !utf8.Valid(text) {
			return nil, unmet("%s: Expected text in UTF-8", where)
		}
		if answer, err = value.ParseJSON(text, deepestInput); err != nil {
			if info, notThere := os.Stat(a.path(written)); notThere == nil && info.Mode().IsRegular() {
				return nil, usage("--answer: Expected JSON; write @%s for what the file holds", written)
			}
			return nil, badJSON(where, err)
		}
	}
	for _, field := range fields {
		path, text, ok := strings.Cut(field, "=")
		if !ok || path == "" {
			return nil, usage("%s: Expected FIELD=VALUE", field)
		}
		names := splitPath(path)
		if err := knownField(asked, path, names[0]); err != nil {
			return nil, err
		}
		if strings.HasPrefix(text, "@") {
			read, _, err := a.text(path, text)
			if err != nil {
				return nil, err
			}
			text = string(read)
		}
		if !utf8.ValidString(text) {
			return nil, unmet("%s: Expected text in UTF-8", path)
		}
		var err error
		if answer, err = withLists(asked, answer, names); err != nil {
			return nil, usage("%s: %s", path, err)
		}
		if answer, err = assign(answer, names, engine.TypedField(asked, names, text)); err != nil {
			return nil, usage("%s: %s", path, err)
		}
	}
	return answer, nil
}

// withLists gives an answer with an empty list where a path leads into a list that
// is not there yet.
func withLists(asked *engine.AskedRequest, answer value.Value, path []string) (value.Value, error) {
	for i := 1; i < len(path); i++ {
		pointer := ""
		for _, name := range path[:i] {
			pointer = value.Join(pointer, name)
		}
		isList := slices.ContainsFunc(engine.AnswerFields(asked), func(field engine.AnswerField) bool {
			return field.Name == strings.Join(path[:i], ".") && strings.HasPrefix(field.Type, "array")
		})
		if _, there := value.Lookup(answer, pointer); there || !isList {
			continue
		}
		var err error
		if answer, err = assign(answer, path[:i], []value.Value{}); err != nil {
			return nil, err
		}
	}
	return answer, nil
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
	name, _, chosen := strings.Cut(typed, "=")
	var words []string
	for _, field := range engine.AnswerFields(asked) {
		switch {
		case strings.Contains(field.Name, "[") || report.Visible(field.Name) != field.Name:
		case !chosen && !isTyped(args[1:], field.Name):
			words = append(words, field.Name+"=\t"+report.Visible(choiceText(field)))
		case chosen && field.Name == name:
			for _, choice := range fieldChoices(field) {
				if report.Visible(choice) == choice {
					words = append(words, name+"="+choice)
				}
			}
		}
	}
	if !chosen {
		return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// isTyped tells whether a field is among those that were typed.
func isTyped(fields []string, name string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(field, name+"=") })
}

func fieldChoices(field engine.AnswerField) []string {
	if field.Type == "boolean" && len(field.Choices) == 0 {
		return []string{"true", "false"}
	}
	choices := make([]string, len(field.Choices))
	for i, choice := range field.Choices {
		choices[i] = plain(choice)
	}
	return choices
}
