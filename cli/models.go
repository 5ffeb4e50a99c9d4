package cli

// This file is auto models.

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
)

type modelsFlags struct {
	provider  string
	logFormat string
	asJSON    bool
}

func newModels(a *app) *cobra.Command {
	var flags modelsFlags
	command := &cobra.Command{
		Use:   "models",
		Short: "List the models that a definition may name",
		Long: "List the models of each configured provider, as it lists them itself or as the settings\n" +
			"declare them, and the aliases. A provider whose list cannot be read is named on standard\n" +
			"error, with the reason.\n\n" +
			"A list that lacks a provider's models is no error. Exits with 1 when no provider is\n" +
			"configured, or not the one of --provider, and with 2 when the settings are invalid.",
		Example: "  auto models\n" +
			"  auto models --provider anthropic\n" +
			"  auto models --json | jq -r '.models[].model'",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE:              func(command *cobra.Command, _ []string) error { return a.models(command.Context(), flags) },
	}
	set := command.Flags()
	set.StringVar(&flags.provider, "provider", "", "list the models of one `PROVIDER` only, and ask no other")
	set.StringVar(&flags.logFormat, "log-format", logFormats[0], "write the operator's log on standard error as `FORMAT`: text or json")
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: models, narrowed, and whether the catalog is complete or partial")
	command.RegisterFlagCompletionFunc("provider", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.runtime(runtimeFlags{}, "completion").Providers(), cobra.ShellCompDirectiveNoFileComp
	})
	command.RegisterFlagCompletionFunc("log-format", fixed(logFormats...))
	return command
}

func (a *app) models(ctx context.Context, flags modelsFlags) error {
	waiting := &late{}
	log, err := operatorLog(flags.logFormat, waiting)
	if err != nil {
		return err
	}
	runtime := a.runtimeOf(engine.PlaybookAround(a.folder()), runtimeFlags{}, "models", log)
	if a.Interruptible != nil {
		var stop context.CancelFunc
		ctx, stop = a.Interruptible(ctx)
		defer stop()
	}
	spinner := a.waiting("asking for models")
	waiting.Writer = spinner
	listing, err := runtime.Models(ctx, flags.provider)
	spinner.stop()
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return errReported
	case flags.asJSON:
		err = printValue(a.Out, listing.Value())
	case len(listing.Models) > 0:
		err = a.printModels(listing)
	}
	if err != nil {
		return err
	}
	if len(listing.Unread) > 0 && !flags.asJSON {
		fmt.Fprintf(a.Err, "%s: The list of models of %s could not be read\n", program, strings.Join(listing.Unread, ", "))
	}
	if len(runtime.Providers()) == 0 {
		fmt.Fprintf(a.Err, "%s: No model provider is configured; run %s doctor to see what is missing\n", program, program)
		return errFound
	}
	return nil
}

func (a *app) printModels(listing *engine.ModelListing) error {
	rows := [][]string{{"MODEL", "NAME", "READS", "WRITES"}}
	for _, listed := range listing.Models {
		name := listed.Name
		if listed.ResolvedTo != "" {
			name = "alias of " + listed.ResolvedTo
		} else if listed.Alias {
			name = "alias"
		}
		rows = append(rows, []string{listed.Model, dash(name), tokens(listed.MaxInputTokens), tokens(listed.MaxOutputTokens)})
	}
	return a.printTable(rows, a.heading)
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func tokens(count *int64) string {
	if count == nil {
		return "-"
	}
	return fmt.Sprint(*count)
}
