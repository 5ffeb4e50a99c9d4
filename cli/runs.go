package cli

// This file is auto runs and the commands below it: listing, deleting and the
// history. What a run looks like is in show.go.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

func newRuns(a *app) *cobra.Command {
	list := newRunsList(a)
	command := &cobra.Command{
		Use:   "runs",
		Short: "List, show and delete recorded runs",
		Long:  "Without a command below it, auto runs lists the newest runs.",
		Example: "  auto runs\n" +
			"  auto runs list --status failed --since 24h\n" +
			"  auto runs show 0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a",
		Args:              noSuchCommand,
		ValidArgsFunction: fixed(),
		RunE:              list.RunE,
	}
	command.Flags().AddFlagSet(list.Flags())
	command.AddCommand(list, newRunsShow(a), newRunsEvents(a), newRunsDelete(a))
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
	set.StringVar(&flags.status, "status", "", "list the runs of one `STATUS` only: "+strings.Join(statusNames(), ", "))
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
		fmt.Fprintf(a.Err, "%s: No runs found\n", program)
		return nil
	}
	if err := a.printRuns(page); err != nil {
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

// printRuns prints a line for each run, in columns.
func (a *app) printRuns(page []engine.RunSummary) error {
	rows := [][]string{{"RUN", "STARTED", "FUNCTION", "STATUS", "TOOK"}}
	for i := range page {
		rows = append(rows, []string{page[i].ID, dated(page[i].Started), page[i].Type + "/" + page[i].Name, standing(&page[i]), took(&page[i])})
	}
	return a.printTable(rows, func(row, column int, text string) string {
		if row > 0 && column == 3 {
			return report.Paint(a.useColour(), statusStyle(page[row-1].Status), text)
		}
		return a.heading(row, column, text)
	})
}

// heading paints the first row of a table, and leaves the others as they are.
func (a *app) heading(row, _ int, text string) string {
	return report.Paint(a.useColour() && row == 0, report.Dim, text)
}

// printTable prints rows of cells in columns as wide as their widest cell.
func (a *app) printTable(rows [][]string, paint func(row, column int, text string) string) error {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = report.Visible(cell)
			widths[i] = max(widths[i], report.Width(row[i]))
		}
	}
	out := bufio.NewWriter(a.Out)
	for n, row := range rows {
		for i, cell := range row {
			out.WriteString(paint(n, i, cell))
			if i < len(row)-1 {
				out.WriteString(strings.Repeat(" ", widths[i]-report.Width(cell)+2))
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
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

type eventsFlags struct {
	runtimeFlags
	asJSON bool
}

func newRunsEvents(a *app) *cobra.Command {
	var flags eventsFlags
	command := &cobra.Command{
		Use:   "events ID",
		Short: "Print the history of a run, oldest first",
		Long: "Print each event of a run on a line: when, what, and its data as JSON. A text of more\n" +
			"than 2 KiB is shown by its size; --json prints it in full.",
		Example: "  auto runs events 0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a\n" +
			"  auto runs events review-2026-11-30 --json | jq '.events[] | select(.type == \"model_call_failed\")'",
		Args:              arguments(1, 1, "the id of a run"),
		ValidArgsFunction: first(a.runIDs),
		RunE:              func(_ *cobra.Command, args []string) error { return a.runEvents(flags, args[0]) },
	}
	flags.runtimeFlags.add(command)
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON value")
	return command
}

func (a *app) runEvents(flags eventsFlags, id string) (err error) {
	runtime := a.runtime(flags.runtimeFlags, "runs")
	defer closing(runtime, &err)
	if _, err := runtime.RunByID(id); err != nil {
		return noRun(id, err)
	}
	var list []value.Value
	filter := engine.EventFilter{RunID: id, Limit: mostRuns}
	for more := true; more; {
		var page []engine.Event
		if page, more, err = runtime.Events(filter); err != nil {
			return err
		}
		for i := range page {
			filter.After = page[i].ID
			if flags.asJSON {
				list = append(list, page[i].Value())
				continue
			}
			if err := a.printEvent(&page[i]); err != nil {
				return err
			}
		}
	}
	if !flags.asJSON {
		return nil
	}
	o := value.NewObject(1)
	o.Set("events", append([]value.Value{}, list...))
	return printValue(a.Out, o)
}

// shownBytes is the most bytes of one text that a line of the history shows.
const shownBytes = 2 * 1024

func (a *app) printEvent(event *engine.Event) error {
	line := event.Time.UTC().Format("2006-01-02T15:04:05.000Z") + "  " + event.Type
	if event.Data.Len() > 0 {
		line += "  " + report.Paint(a.useColour(), report.Dim, a.printable(value.JSON(shortened(event.Data))))
	}
	_, err := fmt.Fprintln(a.Out, line)
	return err
}

// shortened is the data of an event with the size of each value that is too
// large for a line in its place.
func shortened(data *value.Object) *value.Object {
	short := value.NewObject(data.Len())
	for i := range data.Len() {
		key, v := data.At(i)
		if size := len(value.JSON(v)); size > shownBytes {
			key, v = key+"_bytes", float64(size)
		}
		short.Set(key, v)
	}
	return short
}

type deleteFlags struct {
	runtimeFlags
	olderThan string
	yes       bool
}

func newRunsDelete(a *app) *cobra.Command {
	var flags deleteFlags
	command := &cobra.Command{
		Use:   "delete ID…|--older-than AGE",
		Short: "Delete runs with their history",
		Long: "Delete the runs of these ids, or every run that ended before a time. A run that is in\n" +
			"progress is never deleted. On a terminal the command asks first; elsewhere it wants --yes.",
		Example: "  auto runs delete 0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a\n" +
			"  auto runs delete --older-than 30d --yes",
		ValidArgsFunction: a.runIDs,
		RunE:              func(_ *cobra.Command, args []string) error { return a.deleteRuns(flags, args) },
	}
	flags.runtimeFlags.add(command)
	command.Flags().StringVar(&flags.olderThan, "older-than", "", "delete every run that ended before `AGE`, such as 30d, 12h or 2026-11-01")
	command.Flags().BoolVar(&flags.yes, "yes", false, "delete without asking")
	command.RegisterFlagCompletionFunc("older-than", fixed())
	return command
}

func (a *app) deleteRuns(flags deleteFlags, ids []string) (err error) {
	if (len(ids) == 0) == (flags.olderThan == "") {
		return usage("Expected the ids of runs, or --older-than")
	}
	var before time.Time
	what := "Delete " + report.Count(len(ids), "run") + "?"
	if flags.olderThan != "" {
		var ok bool
		if before, ok = a.ago(flags.olderThan); !ok {
			return usage("--older-than: Expected an age or a time such as 30d, 12h or 2026-11-01")
		}
		what = "Delete every run that ended before " + dated(before) + "?"
	}
	runtime := a.runtime(flags.runtimeFlags, "runs")
	defer closing(runtime, &err)
	for _, id := range ids {
		if _, err := runtime.RunByID(id); err != nil {
			return noRun(id, err)
		}
	}
	if !flags.yes {
		if agreed, err := a.ask(what, "Nothing was deleted"); err != nil || !agreed {
			return err
		}
	}
	deleted := 0
	if flags.olderThan != "" {
		deleted, err = runtime.DeleteRunsBefore(before)
	} else {
		deleted, err = deleteEach(runtime, ids)
	}
	fmt.Fprintf(a.Err, "Deleted %s\n", report.Count(deleted, "run"))
	return err
}

func deleteEach(runtime *engine.Runtime, ids []string) (deleted int, err error) {
	for _, id := range ids {
		err := runtime.DeleteRun(id)
		switch {
		case errors.Is(err, engine.ErrNoRun):
			continue // somebody else deleted it
		case errors.Is(err, engine.ErrRunInProgress):
			return deleted, usage("Run %s is in progress", id)
		case err != nil:
			return deleted, err
		}
		deleted++
	}
	return deleted, nil
}

// ask asks the person at the terminal and tells whether they agreed. Declined is
// what is said when they did not.
func (a *app) ask(question, declined string) (bool, error) {
	if !a.InTerminal {
		return false, usage("Expected --yes, since nobody can be asked")
	}
	fmt.Fprintf(a.Err, "%s [y/N] ", question)
	line, err := bufio.NewReader(io.LimitReader(a.In, 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	fmt.Fprintln(a.Err, declined)
	return false, nil
}

// completedRuns is how many runs a shell is offered.
const completedRuns = 50

// runIDs completes the ids of the newest runs.
func (a *app) runIDs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	page, _, err := a.runtime(runtimeFlags{}, "completion").Runs(engine.RunFilter{Limit: completedRuns})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ids := make([]string, len(page))
	for i := range page {
		ids[i] = page[i].ID + "\t" + page[i].Type + "/" + page[i].Name + ", " + standing(&page[i])
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// functions completes the names of definitions alone.
func (a *app) functions(command *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	names, _ := a.definitions(command, args, typed)
	return names, cobra.ShellCompDirectiveNoFileComp
}
