package cli

// This file is auto runs events: the history of a run.

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
)

type eventsFlags struct {
	runtimeFlags
	asJSON bool
}

func newRunsEvents(a *app) *cobra.Command {
	var flags eventsFlags
	command := &cobra.Command{
		Use:   "events ID",
		Short: "Print the history of a run, oldest first",
		Long: "Print each event of a run on a line: when, what, and its data as JSON. Data that is long\n" +
			"is cut; --json prints it in full.",
		Example: "  auto runs events 0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a\n" +
			"  auto runs events review-2026-11-30 --json | jq -r '.events[].type'",
		Args:              arguments(1, 1, "the id of a run"),
		ValidArgsFunction: first(a.runIDs),
		RunE:              func(_ *cobra.Command, args []string) error { return a.runEvents(flags, args[0]) },
	}
	flags.runtimeFlags.add(command)
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON value: events")
	return command
}

func (a *app) runEvents(flags eventsFlags, id string) (err error) {
	runtime := a.runtime(flags.runtimeFlags, "runs")
	defer closing(runtime, &err)
	if id, err = a.runID(runtime, id); err != nil {
		return err
	}
	if _, err := runtime.RunByID(id); err != nil {
		return noRun(id, err)
	}
	kept, cut := []*engine.Event{}, false
	err = eachEvent(runtime, engine.EventFilter{RunID: id, Limit: mostRuns}, func(event *engine.Event) error {
		if flags.asJSON {
			kept = append(kept, event)
			return nil
		}
		return a.printEvent(event, &cut)
	})
	if err != nil {
		return err
	}
	if !flags.asJSON {
		if cut {
			fmt.Fprintf(a.Err, "%s: Data that ends with … is cut; --json prints it in full\n", program)
		}
		return nil
	}
	return printValue(a.Out, eventsValue(kept))
}

func (a *app) printEvent(event *engine.Event, cut *bool) error {
	line := event.Time.UTC().Format("2006-01-02T15:04:05.000Z") + "  " + event.Type
	_, err := fmt.Fprintln(a.Out, line+a.dataOnLine(event, cut))
	return err
}
