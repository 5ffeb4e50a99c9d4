package cli

// This file is auto runs, and the list of runs below it.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
	"github.com/beonauto/auto/tui/when"
)

func newRuns(a *app) *cobra.Command {
	list := newRunsList(a)
	command := &cobra.Command{
		Use:   "runs",
		Short: "List, show, cancel and delete recorded runs",
		Long:  "Without a command below it, auto runs lists the newest runs.",
		Example: "  auto runs\n" +
			"  auto runs list --status failed --since 24h\n" +
			"  auto runs show 0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a",
		Args:              noSuchCommand,
		ValidArgsFunction: fixed(),
		RunE:              list.RunE,
	}
	command.Flags().AddFlagSet(list.Flags())
	command.AddCommand(list, newRunsShow(a), newRunsEvents(a), newRunsCancel(a), newRunsDelete(a))
	completeFilters(a, command)
	return command
}

type listFlags struct {
	runtimeFlags
	function string
	status   string
	since    string
	cursor   string
	limit    int
	asJSON   bool
}

const (
	listedRuns = 20   // of one page, when --limit is left out
	mostRuns   = 1000 // of one page
)

func newRunsList(a *app) *cobra.Command {
	var flags listFlags
	command := &cobra.Command{
		Use:   "list",
		Short: "List recorded runs, newest first",
		Example: "  auto runs list\n" +
			"  auto runs list --function review --status rejected\n" +
			"  auto runs list --since 7d --json | jq -r '.runs[].run_id'",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE:              func(*cobra.Command, []string) error { return a.listRuns(flags) },
	}
	flags.runtimeFlags.add(command)
	set := command.Flags()
	set.StringVar(&flags.function, "function", "", "list the runs of a function only: `NAME`, such as review or reasoning/review")
	set.StringVar(&flags.status, "status", "", "list the runs of one `STATUS` only: "+problem.AnyOf(statusNames()))
	set.StringVar(&flags.since, "since", "", "list the runs started since a `TIME`, such as 24h, 7d or 2026-11-01")
	set.IntVar(&flags.limit, "limit", listedRuns, "list at most `NUMBER` runs, up to "+strconv.Itoa(mostRuns))
	set.StringVar(&flags.cursor, "cursor", "", "go on after the page that gave this `CURSOR`")
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: runs, and the cursor of the next page or null")
	completeFilters(a, command)
	return command
}

func completeFilters(a *app, command *cobra.Command) {
	command.RegisterFlagCompletionFunc("function", a.functions)
	command.RegisterFlagCompletionFunc("status", fixed(statusNames()...))
	for _, name := range []string{"since", "limit", "cursor"} {
		command.RegisterFlagCompletionFunc(name, fixed())
	}
}

func statusNames() []string {
	var names []string
	for _, status := range engine.RunStatuses() {
		names = append(names, string(status))
	}
	return names
}

func (a *app) listRuns(flags listFlags) (err error) {
	filter, err := a.filter(flags)
	if err != nil {
		return err
	}
	runtime := a.runtime(flags.runtimeFlags, "runs")
	defer closing(runtime, &err)
	page, cursor, err := runtime.Runs(filter)
	switch {
	case errors.Is(err, engine.ErrCursor):
		return usage("--cursor: Expected the cursor that an earlier page gave")
	case err != nil:
		return err
	case flags.asJSON:
		return printValue(a.Out, pageValue(page, cursor))
	}
	if len(page) == 0 {
		fmt.Fprintf(a.Err, "%s: No runs found%s\n", program, a.outside(flags.runtimeFlags))
		return nil
	}
	if err := a.printRuns(runtime, page); err != nil {
		return err
	}
	if cursor != "" {
		fmt.Fprintf(a.Err, "%s: There are more; --cursor %s goes on\n", program, cursor)
	}
	return nil
}

func (a *app) filter(flags listFlags) (engine.RunFilter, error) {
	filter := engine.RunFilter{Status: engine.RunStatus(flags.status), Cursor: flags.cursor, Limit: flags.limit}
	if typeName, name, typed := strings.Cut(flags.function, "/"); typed {
		filter.Type, filter.Name = typeName, name
	} else {
		filter.Name = flags.function
	}
	if flags.status != "" && !slices.Contains(engine.RunStatuses(), filter.Status) {
		return filter, usage("--status: Expected one of %s", strings.Join(statusNames(), ", "))
	}
	if flags.limit < 1 || flags.limit > mostRuns {
		return filter, usage("--limit: Expected a number from 1 to %d", mostRuns)
	}
	if flags.since != "" {
		var ok bool
		if filter.Since, ok = a.ago(flags.since); !ok {
			return filter, usage("--since: Expected a time such as 24h, 7d, 2026-11-01 or 2026-11-01T09:30:00Z")
		}
	}
	return filter, nil
}

// ago reads a time: a date, a moment, or how long ago in minutes, hours, days
// or weeks.
func (a *app) ago(written string) (time.Time, bool) {
	if moment, err := a.moment(written); err == nil {
		return moment, true
	}
	units := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	if len(written) < 2 {
		return time.Time{}, false
	}
	number, err := strconv.ParseUint(written[:len(written)-1], 10, 32)
	unit, known := units[written[len(written)-1]]
	// A hundred years are past every run, and still a duration.
	if err != nil || !known || number > uint64(100*365*24*time.Hour/unit) {
		return time.Time{}, false
	}
	return a.Now().UTC().Add(-time.Duration(number) * unit), true
}

func pageValue(page []engine.RunSummary, cursor string) value.Value {
	runs := make([]value.Value, len(page))
	for i := range page {
		runs[i] = summaryValue(&page[i])
	}
	o := value.NewObject(2)
	o.Set("runs", runs)
	o.Set("cursor", nil)
	if cursor != "" {
		o.Set("cursor", cursor)
	}
	return o
}

func summaryValue(s *engine.RunSummary) *value.Object {
	o := value.NewObject(9)
	o.Set("run_id", s.ID)
	o.Set("type", s.Type)
	o.Set("name", s.Name)
	o.Set("definition_version", float64(s.Version))
	o.Set("status", string(s.Status))
	o.Set("started", instant(s.Started))
	o.Set("ended", instant(s.Ended))
	o.Set("reason", orNull(s.Reason))
	o.Set("kind", orNull(s.Kind))
	return o
}

func orNull(text string) value.Value {
	if text == "" {
		return nil
	}
	return text
}

// instant is a time as JSON holds it, null for the zero time.
func instant(t time.Time) value.Value {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// dated is a time for people.
func dated(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// printRuns prints a line for each run, in columns that a terminal has room for.
func (a *app) printRuns(runtime *engine.Runtime, page []engine.RunSummary) error {
	ids := make([]string, len(page))
	for i := range page {
		ids[i] = page[i].ID
	}
	waiting, err := runtime.RequestsOf(ids)
	if err != nil {
		return err
	}
	rows := [][]string{{"RUN", "STARTED", "FUNCTION", "STATUS", "TOOK"}}
	for i, id := range shortIDs(runtime, ids) {
		status := standing(&page[i])
		if asked := waiting[i]; page[i].Status == engine.RunStarted && asked != nil {
			status = "waits for " + asked.To
		}
		rows = append(rows, []string{id, a.since(page[i].Started), page[i].Type + "/" + page[i].Name, status, took(&page[i])})
	}
	const function, status = 2, 3
	cells := a.tableWidth()
	if width(rows) > cells {
		for i := range page {
			rows[i+1][function] = page[i].Name
		}
	}
	fit(rows, cells, function, status)
	return a.printTable(rows, func(row, column int, text string) string {
		if row > 0 && column == status {
			return report.Paint(a.useColour(), statusStyle(page[row-1].Status), text)
		}
		return a.heading(row, column, text)
	})
}

// since is how long ago a moment is, in short.
func (a *app) since(moment time.Time) string {
	if d := a.Now().Sub(moment); d >= time.Minute {
		return when.Short(d) + " ago"
	}
	return "just now"
}

// standing says how a run stands, and why it did not succeed.
func standing(s *engine.RunSummary) string {
	why := s.Reason
	if s.Kind != "" {
		why = s.Kind
	}
	if why == "" || why == string(s.Status) {
		return string(s.Status)
	}
	return fmt.Sprintf("%s (%s)", s.Status, why)
}

func statusStyle(status engine.RunStatus) report.Style {
	switch status {
	case engine.RunSucceeded:
		return report.Green
	case engine.RunStarted:
		return report.Cyan
	case engine.RunRejected:
		return report.Yellow
	}
	return report.Red
}

// took is how long a run took.
func took(s *engine.RunSummary) string {
	if s.Ended.IsZero() {
		return "-"
	}
	return lasted(s.Ended.Sub(s.Started))
}

// lasted is a length of time for people, such as 340 ms or 12.4 s.
func lasted(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// functions completes the names of definitions alone.
func (a *app) functions(command *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	names, _ := a.definitions(command, args, typed)
	return names, cobra.ShellCompDirectiveNoFileComp
}
