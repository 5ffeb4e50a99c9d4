package cli

// This file is auto tools and the commands below it that find and show tools.
// Calling one is in tools_call.go.

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

func newTools(a *app) *cobra.Command {
	search := newToolsSearch(a)
	command := &cobra.Command{
		Use:   "tools",
		Short: "Find, show and call the tools of the configured tool servers",
		Long: "Without a command below it, auto tools lists every tool that the tool servers of auto.yaml\n" +
			"offer. A tool is marked reads when its server says that it only reads, and acts otherwise.",
		Example: "  auto tools\n" +
			"  auto tools search notes\n" +
			"  auto tools show notes/search_notes\n" +
			"  auto tools call notes/search_notes --set words=launch",
		Args:              noSuchCommand,
		ValidArgsFunction: fixed(),
		RunE:              func(command *cobra.Command, _ []string) error { return search.RunE(command, nil) },
	}
	command.Flags().AddFlagSet(search.Flags())
	command.AddCommand(search, newToolsShow(a), newToolsCall(a))
	return command
}

func newToolsSearch(a *app) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "search [TERMS…]",
		Short: "List the tools that words find, or all",
		Long: "Ask every tool server for its tools and list those whose name or description holds one of\n" +
			"the words, the best first; all of them without words.\n\n" +
			"Exits with 1 when a server could not be asked, which is named on standard error, and with\n" +
			"2 when the settings are invalid.",
		Example: "  auto tools search\n" +
			"  auto tools search find a note\n" +
			"  auto tools search --json | jq -r '.servers[].tools[].tool'",
		ValidArgsFunction: fixed(),
		RunE: func(command *cobra.Command, args []string) error {
			return a.searchTools(command.Context(), asJSON, args)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON value: each server with its tools, or why it could not be asked")
	return command
}

// asking does something with a runtime's tool servers, while a spinner says so,
// until it is done or somebody stops it.
func (a *app) asking(ctx context.Context, what string, do func(context.Context) error) error {
	if a.Interruptible != nil {
		var stop context.CancelFunc
		ctx, stop = a.Interruptible(ctx)
		defer stop()
	}
	spinner := a.waiting(what)
	defer spinner.stop()
	return do(ctx)
}

func (a *app) searchTools(ctx context.Context, asJSON bool, terms []string) (err error) {
	runtime := a.runtime(runtimeFlags{}, "tools")
	defer closing(runtime, &err)
	var found []engine.FoundTools
	err = a.asking(ctx, "asking the tool servers", func(ctx context.Context) (err error) {
		found, err = runtime.SearchTools(ctx, terms...)
		return err
	})
	if err != nil {
		return err
	}
	if asJSON {
		err = printValue(a.Out, foundValue(found))
	} else {
		err = a.printFound(found)
	}
	if err != nil {
		return err
	}
	for _, of := range found {
		if of.Failure == nil {
			continue
		}
		if of.Failure.Because == engine.ToolCancelled {
			return errReported
		}
		err = errFound
	}
	return err
}

// printFound prints a line for each tool, and on standard error what else there
// is to say.
func (a *app) printFound(found []engine.FoundTools) error {
	rows := [][]string{{"TOOL", "MARK", "WHAT IT DOES"}}
	total := 0
	for _, of := range found {
		for i := range of.Tools {
			rows = append(rows, []string{of.Tools[i].String(), of.Tools[i].Mark(), dash(summary(of.Tools[i].Description))})
		}
		total += of.Total
	}
	if len(rows) > 1 {
		if err := a.printTable(rows, a.markPaint(rows, 1)); err != nil {
			return err
		}
	}
	failed := false
	for _, of := range found {
		a.printLeftOut(&of)
		if of.Failure != nil {
			fmt.Fprintf(a.Err, "%s: %s\n", program, visible(of.Failure.Message))
			printHint(a.Err, of.Failure.Hint)
			failed = true
		}
	}
	switch {
	case len(found) == 0:
		fmt.Fprintf(a.Err, "%s: No tool server is configured; name one under tool_servers in %s\n", program, engine.SettingsFile)
	case len(rows) == 1 && total > 0:
		fmt.Fprintf(a.Err, "%s: No tool found among %s; fewer or other words may find one\n", program, report.Count(total, "tool"))
	case len(rows) == 1 && !failed:
		fmt.Fprintf(a.Err, "%s: The tool servers offer no tools\n", program)
	}
	return nil
}

// mostLeftOut is how many operations are named that a server leaves out.
const mostLeftOut = 5

// printLeftOut says which operations of an OpenAPI document are no tools.
func (a *app) printLeftOut(found *engine.FoundTools) {
	for i, of := range found.LeftOut {
		if i == mostLeftOut {
			fmt.Fprintf(a.Err, "%s: The tool server %s leaves out %s more; --json names them all\n",
				program, found.Server, report.Count(len(found.LeftOut)-i, "operation"))
			return
		}
		fmt.Fprintf(a.Err, "%s: The tool server %s leaves out %s: %s\n", program, found.Server, report.Visible(of.Operation), report.Visible(of.Why))
	}
}

// markPaint paints the column of marks: what acts stands out.
func (a *app) markPaint(rows [][]string, marks int) func(row, column int, text string) string {
	return func(row, column int, text string) string {
		if row > 0 && column == marks {
			return report.Paint(a.useColour(), markStyle(rows[row][column]), text)
		}
		return a.heading(row, column, text)
	}
}

func markStyle(mark string) report.Style {
	if mark == "acts" {
		return report.Yellow
	}
	return report.Green
}

// longestSummary is the most characters that a list shows of a description.
const longestSummary = 80

// summary is the first sentence of a description, or the start of it.
func summary(description string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(description), "\n\n")
	text := strings.Join(strings.Fields(first), " ")
	if end := strings.Index(text, ". "); end >= 0 {
		text = text[:end]
	}
	text = strings.TrimSuffix(text, ".")
	if characters := []rune(text); len(characters) > longestSummary {
		text = strings.TrimSpace(string(characters[:longestSummary-1])) + "…"
	}
	return text
}

// foundValue is what a search found for programs, in the words that the operation
// search has for it.
func foundValue(found []engine.FoundTools) value.Value {
	servers := make([]value.Value, len(found))
	for i, of := range found {
		tools := make([]value.Value, len(of.Tools))
		for j := range of.Tools {
			o := value.NewObject(5)
			o.Set("tool", of.Tools[j].Name)
			o.Set("mark", of.Tools[j].Mark())
			o.Set("description", of.Tools[j].Description)
			o.Set("sends", of.Tools[j].Sends())
			o.Set("reads_replies", slices.Contains(of.Readers, of.Tools[j].Name))
			tools[j] = o
		}
		left := make([]value.Value, len(of.LeftOut))
		for j, one := range of.LeftOut {
			left[j] = value.Build([]string{"tool", "operation", "why"}, []value.Value{one.Tool, one.Operation, one.Why})
		}
		o := value.NewObject(5)
		o.Set("server", of.Server)
		o.Set("tools", tools)
		o.Set("total", float64(of.Total))
		o.Set("failure", nil)
		if of.Failure != nil {
			o.Set("failure", value.Build([]string{"because", "detail"}, []value.Value{string(of.Failure.Because), of.Failure.Message}))
		}
		o.Set("left_out", left)
		servers[i] = o
	}
	return value.Build([]string{"servers"}, []value.Value{servers})
}

func newToolsShow(a *app) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "show SERVER/TOOL",
		Short: "Show a tool: its mark, what it does and the arguments it takes",
		Long: "Ask the tool's server for it and show it as a run's model is told of it: its description,\n" +
			"its arguments and their schema.\n\n" +
			"Exits with 1 when the tool cannot be used, and with 2 when the settings are invalid.",
		Example: "  auto tools show notes/search_notes\n" +
			"  auto tools show notes/search_notes --json | jq .input_schema",
		Args:              arguments(1, 1, "a tool, as server/tool"),
		ValidArgsFunction: first(a.toolNames),
		RunE: func(command *cobra.Command, args []string) error {
			return a.showTool(command.Context(), asJSON, args[0])
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON value: the tool with its whole schema, or the rejection")
	return command
}

// toolOf reads the name of a tool as it is written on the command line.
func toolOf(argument string) (engine.Tool, error) {
	server, name, both := strings.Cut(argument, "/")
	if !both || server == "" || name == "" {
		return engine.Tool{}, usage("Expected a tool as server/tool, such as notes/search_notes, where it says %s", argument)
	}
	if name == engine.EveryTool {
		return engine.Tool{}, usage("Expected one tool, such as %s/search_notes, where it says %s: %s tools lists every tool", server, argument, program)
	}
	return engine.Tool{Server: server, Name: name}, nil
}

func (a *app) showTool(ctx context.Context, asJSON bool, argument string) (err error) {
	wanted, err := toolOf(argument)
	if err != nil {
		return err
	}
	runtime := a.runtime(runtimeFlags{}, "tools")
	defer closing(runtime, &err)
	var offered *engine.OfferedTool
	err = a.asking(ctx, "asking "+wanted.Server, func(ctx context.Context) (err error) {
		offered, err = runtime.OfferedTool(ctx, wanted)
		return err
	})
	switch {
	case err != nil:
		return a.rejectedTool(err, asJSON)
	case asJSON:
		return printValue(a.Out, toolValue(offered))
	}
	_, err = io.WriteString(a.Out, a.drawnTool(offered))
	return err
}

// toolValue is a tool for programs, in the words that introspect has for it.
func toolValue(offered *engine.OfferedTool) value.Value {
	o := value.NewObject(8)
	o.Set("server", offered.Server)
	o.Set("tool", offered.Name)
	o.Set("mark", offered.Mark())
	o.Set("description", offered.Description)
	o.Set("input_schema", offered.InputSchema)
	o.Set("model_name", offered.ModelName)
	o.Set("sends", offered.Sends())
	o.Set("warnings", textList(offered.Warnings()))
	return o
}

// drawnTool is a tool as a person reads it.
func (a *app) drawnTool(offered *engine.OfferedTool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", report.Paint(a.useColour(), report.Bold, report.Visible(offered.String())),
		report.Paint(a.useColour(), markStyle(offered.Mark()), offered.Mark()))
	if offered.ModelDescription != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimRight(visible(offered.ModelDescription), "\n"))
	}
	b.WriteString("\n")
	rows := [][]string{{"ARGUMENT", "TYPE", "REQUIRED", "DESCRIPTION"}}
	for _, of := range offered.Arguments() {
		required := "no"
		if of.Required {
			required = "yes"
		}
		rows = append(rows, []string{of.Name, of.Type, required, dash(aboutArgument(of))})
	}
	if len(rows) == 1 {
		b.WriteString("It takes no arguments that its schema names\n")
	} else {
		table := *a.Streams
		table.Out = &b
		// A strings.Builder takes whatever is written to it.
		_ = (&app{Streams: &table, colour: a.colour}).printTable(rows, a.heading)
	}
	if warnings := offered.Warnings(); len(warnings) > 0 {
		b.WriteString("\nA provider may refuse these parts of the schema, or not keep to them:\n")
		for _, warning := range warnings {
			fmt.Fprintf(&b, "  %s\n", report.Visible(warning))
		}
	}
	fmt.Fprintf(&b, "\nA model calls it %s\n", report.Visible(offered.ModelName))
	return b.String()
}

// aboutArgument is what an argument is for and what it may be, on one line.
func aboutArgument(of engine.ToolArgument) string {
	var about []string
	if text := strings.Join(strings.Fields(of.Description), " "); text != "" {
		about = append(about, strings.TrimSuffix(text, "."))
	}
	if len(of.Choices) > 0 {
		choices := make([]string, len(of.Choices))
		for i, choice := range of.Choices {
			choices[i] = plain(choice)
		}
		about = append(about, "one of "+strings.Join(choices, ", "))
	}
	if of.HasDefault {
		about = append(about, plain(of.Default)+" when left out")
	}
	return strings.Join(about, "; ")
}

// toolNames completes the tools of the configured servers.
func (a *app) toolNames(command *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	runtime := a.runtime(runtimeFlags{}, "completion")
	defer runtime.Close()
	ctx, cancel := completing(command)
	defer cancel()
	found, err := runtime.SearchTools(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, of := range found {
		for i := range of.Tools {
			about := of.Tools[i].Mark() + ": " + summary(of.Tools[i].Description)
			names = append(names, report.Visible(of.Tools[i].String())+"\t"+report.Visible(about))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// argumentFields completes --set of auto tools call, by the schema that the tool's
// server gives.
func (a *app) argumentFields(command *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	wanted, err := toolOf(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	runtime := a.runtime(runtimeFlags{}, "completion")
	defer runtime.Close()
	ctx, cancel := completing(command)
	defer cancel()
	listed, err := runtime.ListedTool(ctx, wanted)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	given, _ := command.Flags().GetStringArray("set")
	return fieldWords(listed.Arguments(), given, typed)
}

// completing bounds how long a shell waits for words.
func completing(command *cobra.Command) (context.Context, context.CancelFunc) {
	ctx := command.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	return context.WithTimeout(ctx, completionTime)
}
