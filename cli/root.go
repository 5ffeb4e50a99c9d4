package cli

// This file is the tree of commands and what all of them share: help, wrong
// usage and colour.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/beonauto/auto/engine/problem"
)

// app is what every command is given.
type app struct {
	*Streams
	colour string // the value of --color
}

func newRoot(streams *Streams) *cobra.Command {
	a := &app{Streams: streams}
	root := &cobra.Command{
		Use:   program,
		Short: "Check, render and run playbooks",
		Long: "auto works with playbooks: folders of Markdown documents, each a function with a\n" +
			"contract in its front matter and a Liquid template as its words.",
		Example: "  auto init my-playbook\n" +
			"  auto lint my-playbook\n" +
			"  auto render review --input @input.json\n" +
			"  auto run review --input @input.json",
		Args:          noSuchCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Flags().Bool("version", false, "print the version")
	root.PersistentFlags().StringVar(&a.colour, "color", "auto", "use colour `WHEN`: auto, always or never")
	root.RegisterFlagCompletionFunc("color", fixed(colourChoices...))
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.checkColour() }
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if wanted, _ := cmd.Flags().GetBool("version"); wanted {
			_, err := fmt.Fprintln(streams.Out, program, versionLine())
			return err
		}
		return cmd.Help()
	}
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Write a playbook:", []*cobra.Command{newInit(a), newNew(a), newLint(a), newRender(a)}},
		{"Run its functions:", []*cobra.Command{newRun(a), newRuns(a), newEvents(a)}},
		{"Requests to people and agents:", []*cobra.Command{newInteractions(a), newAnswer(a), newInbox(a), newWork(a)}},
		{"What it can call, and who can call it:", []*cobra.Command{newDoctor(a), newModels(a), newTools(a), newMCP(a)}},
		{"Besides:", []*cobra.Command{newStore(a), newExampleServer(a), newCompletion(a), newVersion(a)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, command := range group.commands {
			command.GroupID = group.title
			root.AddCommand(command)
		}
	}
	root.SetHelpCommand(newHelp(root))
	root.SetHelpFunc(printHelp)
	root.SetUsageFunc(func(command *cobra.Command) error {
		_, err := fmt.Fprint(command.OutOrStdout(), usageText(command))
		return err
	})
	return root
}

var colourChoices = []string{"auto", "always", "never"}

func (a *app) checkColour() error {
	if !slices.Contains(colourChoices, a.colour) {
		return usage("--color: Expected one of %s", strings.Join(colourChoices, ", "))
	}
	return nil
}

// useColour tells whether standard output is written in colour: where it is a
// terminal, unless NO_COLOR or a dumb terminal says no; --color decides over
// both.
func (a *app) useColour() bool {
	switch a.colour {
	case "always":
		return true
	case "never":
		return false
	}
	return a.OutTerminal && a.Env("NO_COLOR") == "" && a.Env("TERM") != "dumb"
}

// noSuchCommand refuses what stands where a command is expected.
func noSuchCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if meant := guessed(root, args); meant != "" {
		return usage("Unknown command %s%s", args[0], meant)
	}
	var names []string
	for _, command := range root.Commands() {
		if command.IsAvailableCommand() {
			names = append(names, command.Name())
		}
	}
	return usage("Unknown command %s%s", args[0], didYouMean(args[0], "", names))
}

// flagError says what is wrong with a flag, by the kind of its error.
func flagError(command *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown):
		var names []string
		command.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		name := unknown.GetSpecifiedName()
		meant := guessedFlag(command, name)
		if unknown.GetSpecifiedShortnames() != "" {
			return usage("Unknown flag -%s%s", name, meant)
		}
		if name == "json" && command.Flags().Lookup("format") != nil {
			return usage("Unknown flag --json%s", problem.DidYouMean("--format json"))
		}
		if meant == "" {
			meant = didYouMean(name, "--", names)
		}
		return usage("Unknown flag --%s%s", name, meant)
	case errors.As(err, &missing):
		return usage("--%s: Expected a value", missing.GetSpecifiedName())
	case errors.As(err, &invalid):
		return usage("--%s: Expected %s", invalid.GetFlag().Name, expectedOf(invalid.GetFlag().Value.Type()))
	}
	return &UsageError{Message: err.Error()}
}

// expectedOf says what a flag of a type takes.
func expectedOf(flagType string) string {
	switch flagType {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	}
	return "a " + flagType
}

// didYouMean ends a message about an unknown word, when one that is known is
// near to it.
func didYouMean(word, before string, known []string) string {
	if nearest, ok := problem.Nearest(word, known); ok {
		return problem.DidYouMean(before + nearest)
	}
	return ""
}

// arguments checks how many arguments a command is given: the names say what
// each is, and the last may be left out or repeated as its brackets and dots
// say in the command's own usage line.
func arguments(least, most int, names ...string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("Expected %s", names[len(args)])
		case most == 0 && len(args) > 0:
			return usage("Unexpected argument %s%s", args[0], guessed(command, args))
		case most > 0 && len(args) > most:
			return usage("Unexpected argument %s%s", args[most], guessed(command, args))
		}
		return nil
	}
}

// fixed completes a flag or an argument from a list of words.
func fixed(words ...string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
