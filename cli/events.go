package cli

// This file is auto events: the whole history of a playbook, of runs and of what
// people did beside them, such as calls of tools by hand.

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

type historyFlags struct {
	runtimeFlags
	run    string
	typed  string
	since  string
	after  int
	last   int
	asJSON bool
}

func newEvents(a *app) *cobra.Command {
	var flags historyFlags
	command := &cobra.Command{
		Use:   "events",
		Short: "Print the history of a playbook: every run, request and call of a tool",
		Long: "Print each event of the playbook's history on a line, oldest first: its number, when, what,\n" +
			"the run it belongs to, and its data as JSON. A call that a person made by hand belongs to\n" +
			"no run, which is shown as -. Data that is long is cut; auto events show prints one event\n" +
			"whole, and --json all of them.",
		Example: "  auto events --last 20\n" +
			"  auto events --type tool_call_started --since 7d\n" +
			"  auto events --json --after 120 | jq '.events[] | select(.run_id == null)'\n" +
			"  auto events show 121",
		Args:              noSuchCommand,
		ValidArgsFunction: fixed(),
		RunE:              func(*cobra.Command, []string) error { return a.events(flags) },
	}
	flags.runtimeFlags.add(command)
	set := command.Flags()
	set.StringVar(&flags.run, "run", "", "print the events of one run only: its `ID`, or the beginning of it")
	set.StringVar(&flags.typed, "type", "", "print the events of one `TYPE` only, such as tool_call_started")
	set.StringVar(&flags.since, "since", "", "print the events since a `TIME`, such as 24h, 7d or 2026-11-01")
	set.IntVar(&flags.after, "after", 0, "print the events after the one with this `NUMBER` only")
	set.IntVar(&flags.last, "last", 0, "print the last `NUMBER` events only, of those that the other flags leave")
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: events")
	command.RegisterFlagCompletionFunc("run", first(a.runIDs))
	command.RegisterFlagCompletionFunc("type", a.eventTypes)
	for _, name := range []string{"since", "after", "last"} {
		command.RegisterFlagCompletionFunc(name, fixed())
	}
	command.AddCommand(newEventsShow(a))
	return command
}

func (a *app) events(flags historyFlags) (err error) {
	filter := engine.EventFilter{Type: flags.typed, After: uint64(max(flags.after, 0)), Limit: mostRuns}
	if flags.since != "" {
		var ok bool
		if filter.Since, ok = a.ago(flags.since); !ok {
			return usage("--since: Expected a time such as 24h, 7d, 2026-11-01 or 2026-11-01T09:30:00Z")
		}
	}
	if flags.last < 0 || flags.after < 0 {
		return usage("--last and --after: Expected numbers of 0 or more")
	}
	runtime := a.runtime(flags.runtimeFlags, "events")
	defer closing(runtime, &err)
	if flags.run != "" {
		if filter.RunID, err = a.runID(runtime, flags.run); err != nil {
			return err
		}
	}
	kept := []*engine.Event{} // of --json and of --last, which can print nothing yet
	found, cut := false, false
	err = eachEvent(runtime, filter, func(event *engine.Event) error {
		found = true
		if !flags.asJSON && flags.last == 0 {
			return a.printHistory(event, &cut)
		}
		kept = append(kept, event)
		if flags.last > 0 && len(kept) > flags.last {
			kept = kept[1:]
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case flags.asJSON:
		return printValue(a.Out, eventsValue(kept))
	case !found:
		fmt.Fprintf(a.Err, "%s: No events found%s\n", program, a.outside(flags.runtimeFlags))
	}
	for _, event := range kept {
		if err := a.printHistory(event, &cut); err != nil {
			return err
		}
	}
	if cut {
		fmt.Fprintf(a.Err, "%s: Data that ends with … is cut; %s events show NUMBER shows an event whole, and --json prints all\n", program, program)
	}
	return nil
}

// eventTypes completes the types of the events that there are.
func (a *app) eventTypes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	types := soon(func() []string {
		found := map[string]bool{}
		runtime := a.runtime(runtimeFlags{}, "completion")
		_ = eachEvent(runtime, engine.EventFilter{Limit: mostRuns}, func(event *engine.Event) error {
			found[event.Type] = true
			return nil
		})
		return slices.Sorted(maps.Keys(found))
	})
	return types, cobra.ShellCompDirectiveNoFileComp
}

// eachEvent gives the events of a filter in order, page after page.
func eachEvent(runtime *engine.Runtime, filter engine.EventFilter, take func(*engine.Event) error) error {
	for more := true; more; {
		var page []engine.Event
		var err error
		if page, more, err = runtime.Events(filter); err != nil {
			return err
		}
		for i := range page {
			filter.After = page[i].ID
			if err := take(&page[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func eventsValue(events []*engine.Event) value.Value {
	list := make([]value.Value, len(events))
	for i, event := range events {
		list[i] = event.Value()
	}
	o := value.NewObject(1)
	o.Set("events", list)
	return o
}

// printHistory prints an event on a line, with the run it belongs to, and tells
// whether its data was cut.
func (a *app) printHistory(event *engine.Event, cut *bool) error {
	line := fmt.Sprintf("%4d  %s  %s  %s", event.ID, event.Time.UTC().Format("2006-01-02T15:04:05.000Z"), event.Type, dash(event.RunID))
	_, err := fmt.Fprintln(a.Out, line+a.dataOnLine(event, cut))
	return err
}

// shownData is the most cells of an event's data that a line shows: what was called
// or refused, and not all of what came back.
const shownData = 200

// dataOnLine is the data of an event as its line ends, empty without any. It tells
// whether the data was cut.
func (a *app) dataOnLine(event *engine.Event, cut *bool) string {
	if event.Data.Len() == 0 {
		return ""
	}
	text, short := shortData(report.Visible(value.JSON(engine.DataInList(event.Data))))
	*cut = *cut || short
	return "  " + report.Paint(a.useColour(), report.Dim, text)
}

// shortData is data cut to shownData cells, and whether it was longer.
func shortData(text string) (string, bool) {
	if len(text) <= shownData || report.Width(text) <= shownData {
		return text, false
	}
	cells := 0
	for i, r := range text {
		if cells += report.Width(string(r)); cells >= shownData {
			return text[:i] + "…", true
		}
	}
	return text, false
}

func newEventsShow(a *app) *cobra.Command {
	var flags eventsFlags
	command := &cobra.Command{
		Use:   "show NUMBER",
		Short: "Show one event whole, such as the arguments and the result of a call",
		Example: "  auto events show 121\n" +
			"  auto events show 121 --json | jq .data.result",
		Args:              arguments(1, 1, "the number of an event"),
		ValidArgsFunction: fixed(),
		RunE:              func(_ *cobra.Command, args []string) error { return a.showEvent(flags, args[0]) },
	}
	flags.runtimeFlags.add(command)
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON value: the event as it is recorded")
	return command
}

func (a *app) showEvent(flags eventsFlags, number string) (err error) {
	id, err := strconv.ParseUint(number, 10, 53)
	if err != nil || id == 0 {
		return usage("Expected the number of an event, such as 121, where it says %s", number)
	}
	runtime := a.runtime(flags.runtimeFlags, "events")
	defer closing(runtime, &err)
	event, err := runtime.EventByID(id)
	switch {
	case errors.Is(err, engine.ErrNoRun):
		return unmet("No event has the number %d%s", id, a.outside(flags.runtimeFlags))
	case err != nil:
		return err
	case flags.asJSON:
		return printValue(a.Out, event.Value())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", report.Paint(a.useColour(), report.Bold, event.Type))
	for _, fact := range [][2]string{{"event", number}, {"time", dated(event.Time)}, {"run", dash(event.RunID)}, {"function", dash(event.Subject)}} {
		fmt.Fprintf(&b, "%s  %s\n", report.Paint(a.useColour(), report.Dim, fmt.Sprintf("%-9s", fact[0])), report.Visible(fact[1]))
	}
	if event.Data.Len() > 0 {
		b.WriteString("\n" + a.section("Data", value.IndentedJSON(event.Data, "  ")))
	}
	_, err = io.WriteString(a.Out, b.String())
	return err
}
