package cli

// This file is auto help, and what --help prints: a command's words in lines that a
// terminal has room for.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/beonauto/auto/lint/report"
)

// helpWidth is the most cells of a line of help.
const helpWidth = 80

func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND…]",
		Short: "Show the help of a command",
		Example: "  auto help lint\n" +
			"  auto lint --help",
		Args: arguments(0, -1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			command, rest, err := root.Find(args)
			var names []string
			if err == nil && len(rest) == 0 {
				for _, below := range command.Commands() {
					if below.IsAvailableCommand() {
						names = append(names, below.Name()+"\t"+below.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			command, rest, err := root.Find(args)
			if err != nil || command == root {
				return noSuchCommand(root, args)
			}
			if len(rest) > 0 {
				return noSuchCommand(command, rest)
			}
			command.InitDefaultHelpFlag()
			return command.Help()
		},
	}
}

// printHelp prints the help of a command.
func printHelp(command *cobra.Command, _ []string) {
	about := command.Long
	if about == "" {
		about = command.Short + "."
	}
	fmt.Fprint(command.OutOrStdout(), wrappedText(about), usageText(command))
}

// usageText is how a command is written: its own line, examples, the commands below
// it and its flags.
func usageText(command *cobra.Command) string {
	var b strings.Builder
	b.WriteString("\nUsage:\n")
	if command.Runnable() {
		fmt.Fprintf(&b, "  %s\n", command.UseLine())
	}
	if command.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", command.CommandPath())
	}
	if command.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", command.Example)
	}
	for _, group := range append(command.Groups(), &cobra.Group{Title: "Commands:"}) {
		if lines := commandLines(command, group.ID); len(lines) > 0 {
			fmt.Fprintf(&b, "\n%s\n", group.Title)
			writeColumns(&b, lines, widestName(command))
		}
	}
	var flags []*pflag.Flag
	for _, set := range []*pflag.FlagSet{command.LocalFlags(), command.InheritedFlags()} {
		set.VisitAll(func(flag *pflag.Flag) { flags = append(flags, flag) })
	}
	slices.SortFunc(flags, func(a, b *pflag.Flag) int { return strings.Compare(a.Name, b.Name) })
	lines := make([][2]string, len(flags))
	width := 0
	for i, flag := range flags {
		lines[i] = flagLine(flag)
		width = max(width, report.Width(lines[i][0]))
	}
	b.WriteString("\nFlags:\n")
	writeColumns(&b, lines, width)
	if command.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nRun %s COMMAND --help for more about a command.\n", command.CommandPath())
	}
	return b.String()
}

// commandLines are the commands below one that belong to a group.
func commandLines(command *cobra.Command, group string) (lines [][2]string) {
	for _, below := range command.Commands() {
		if below.IsAvailableCommand() && below.GroupID == group {
			lines = append(lines, [2]string{below.Name(), below.Short})
		}
	}
	return lines
}

// widestName is the most cells of a name of the commands below one.
func widestName(command *cobra.Command) (width int) {
	for _, below := range command.Commands() {
		width = max(width, report.Width(below.Name()))
	}
	return width
}

// flagLine is a flag with its value, and what it does.
func flagLine(flag *pflag.Flag) [2]string {
	value, about := pflag.UnquoteUsage(flag)
	name := "--" + flag.Name
	if flag.Shorthand != "" {
		name = "-" + flag.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	if flag.Name == "help" {
		about = "show this help"
	}
	if !slices.Contains(noDefaults, flag.DefValue) {
		about += "; " + flag.DefValue + " when left out"
	}
	return [2]string{name, about}
}

// noDefaults are defaults of flags that say nothing.
var noDefaults = []string{"", "false", "0", "[]"}

// writeColumns writes names of at most so many cells with what is said of each
// beside it, in lines that a terminal has room for.
func writeColumns(b *strings.Builder, lines [][2]string, width int) {
	for _, line := range lines {
		rest := wrapped(line[1], helpWidth-width-5)
		for i, part := range rest {
			name := ""
			if i == 0 {
				name = line[0]
			}
			fmt.Fprintf(b, "  %s%s   %s\n", name, strings.Repeat(" ", width-report.Width(name)), part)
		}
	}
}

// wrappedText is text in lines that a terminal has room for: its paragraphs, and as
// they are the lines that stand in.
func wrappedText(text string) string {
	var b strings.Builder
	var paragraph []string
	flush := func() {
		for _, line := range wrapped(strings.Join(paragraph, " "), helpWidth) {
			b.WriteString(line + "\n")
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		b.WriteString(line + "\n")
	}
	flush()
	return b.String()
}

// wrapped breaks text at its blanks into lines of at most so many cells. A word that
// is longer has a line of its own.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case report.Width(line)+1+report.Width(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
