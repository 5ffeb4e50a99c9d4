package cli

// This file is auto interactions: the requests that wait for their party.

import (
	"errors"
	"fmt"
	"io"
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

func newInteractions(a *app) *cobra.Command {
	list := newInteractionsList(a)
	command := &cobra.Command{
		Use:   "interactions",
		Short: "List and show the requests that wait for an answer",
		Long:  "Without a command below it, auto interactions lists the open requests.",
		Example: "  auto interactions\n" +
			"  auto interactions list --to priya@acme.example\n" +
			"  auto interactions show 0199a3c4-7d2e",
		Args:              noSuchCommand,
		ValidArgsFunction: fixed(),
		RunE:              list.RunE,
	}
	command.Flags().AddFlagSet(list.Flags())
	command.AddCommand(list, newInteractionsShow(a))
	completeRequestFilters(a, command)
	return command
}

type interactionFlags struct {
	runtimeFlags
	to       string
	typeName string
	function string
	cursor   string
	limit    int
	asJSON   bool
}

const (
	listedRequests = 20   // of one page, when --limit is left out
	mostRequests   = 1000 // of one page
)

func newInteractionsList(a *app) *cobra.Command {
	var flags interactionFlags
	command := &cobra.Command{
		Use:   "list",
		Short: "List open requests, newest first",
		Long: "List the requests that wait for their party, newest first. One that was answered, or has\n" +
			"expired, is not among them. AUTO_EMAIL says which address is yours: a request to it is\n" +
			"shown as one to you.",
		Example: "  auto interactions list\n" +
			"  auto interactions list --function approve-campaign-brief\n" +
			"  auto interactions list --json | jq -r '.interactions[].run_id'",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE:              func(*cobra.Command, []string) error { return a.listInteractions(flags) },
	}
	flags.runtimeFlags.add(command)
	set := command.Flags()
	set.StringVar(&flags.to, "to", "", "list the requests to one `PARTY` only")
	set.StringVar(&flags.typeName, "type", "", "list the requests of functions of one `TYPE` only: "+problem.AnyOf(engine.Types()))
	set.StringVar(&flags.function, "function", "", "list the requests of a function only: `NAME`, such as approve or interaction/approve")
	set.IntVar(&flags.limit, "limit", listedRequests, "list at most `NUMBER` requests, up to "+strconv.Itoa(mostRequests))
	set.StringVar(&flags.cursor, "cursor", "", "go on after the page that gave this `CURSOR`")
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: interactions, and the cursor of the next page or null")
	completeRequestFilters(a, command)
	return command
}

func completeRequestFilters(a *app, command *cobra.Command) {
	command.RegisterFlagCompletionFunc("to", a.parties)
	command.RegisterFlagCompletionFunc("type", types)
	command.RegisterFlagCompletionFunc("function", a.functions)
	for _, name := range []string{"limit", "cursor"} {
		command.RegisterFlagCompletionFunc(name, fixed())
	}
}

// parties completes the parties of open requests.
func (a *app) parties(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	page := soon(func() []engine.RequestSummary {
		page, _, _ := a.runtime(runtimeFlags{}, "completion").ListRequests(engine.RequestFilter{Limit: mostRequests})
		return page
	})
	var parties []string
	for i := range page {
		if report.Visible(page[i].To) == page[i].To {
			parties = append(parties, page[i].To)
		}
	}
	slices.Sort(parties)
	return slices.Compact(parties), cobra.ShellCompDirectiveNoFileComp
}

func (flags interactionFlags) filter() (engine.RequestFilter, error) {
	filter := engine.RequestFilter{To: flags.to, Type: flags.typeName, Name: flags.function, Cursor: flags.cursor, Limit: flags.limit}
	if typeName, name, typed := strings.Cut(flags.function, "/"); typed {
		if flags.typeName != "" && flags.typeName != typeName {
			return filter, usage("--type: Expected %s, the type that --function names", typeName)
		}
		filter.Type, filter.Name = typeName, name
	}
	if err := checkType(flags.typeName); err != nil {
		return filter, err
	}
	if flags.limit < 1 || flags.limit > mostRequests {
		return filter, usage("--limit: Expected a number from 1 to %d", mostRequests)
	}
	return filter, nil
}

func (a *app) listInteractions(flags interactionFlags) (err error) {
	filter, err := flags.filter()
	if err != nil {
		return err
	}
	runtime := a.runtime(flags.runtimeFlags, "interactions")
	defer closing(runtime, &err)
	if flags.asJSON {
		page, cursor, err := runtime.OpenRequests(filter)
		if err != nil {
			return badCursor(err)
		}
		return printValue(a.Out, requestsValue(page, cursor))
	}
	page, cursor, err := runtime.ListRequests(filter)
	if err != nil {
		return badCursor(err)
	}
	if len(page) == 0 {
		fmt.Fprintf(a.Err, "%s: No open requests found%s\n", program, a.outside(flags.runtimeFlags))
		return nil
	}
	if err := a.printRequests(runtime, page); err != nil {
		return err
	}
	if cursor != "" {
		fmt.Fprintf(a.Err, "%s: There are more; --cursor %s goes on\n", program, cursor)
	}
	return nil
}

func badCursor(err error) error {
	if errors.Is(err, engine.ErrCursor) {
		return usage("--cursor: Expected the cursor that an earlier page gave")
	}
	return err
}

func requestsValue(page []*engine.AskedRequest, cursor string) value.Value {
	shown := make([]value.Value, len(page))
	for i, asked := range page {
		shown[i] = engine.ShownRequest(asked)
	}
	o := value.NewObject(2)
	o.Set("interactions", shown)
	o.Set("cursor", orNull(cursor))
	return o
}

// deliveryWords are how a delivery stands, in a table.
var deliveryWords = map[engine.Delivery]string{
	engine.HeldForAnAgent: "held", engine.ToDeliver: "to send", engine.Delivering: "sending", engine.Delivered: "sent",
	engine.Retrying: "to retry", engine.Undelivered: "not sent",
}

// printRequests prints a line for each request, in columns that a terminal has room
// for.
func (a *app) printRequests(runtime *engine.Runtime, page []engine.RequestSummary) error {
	ids := make([]string, len(page))
	for i := range page {
		ids[i] = page[i].RunID
	}
	const to, function = 1, 2
	rows := [][]string{{"RUN", "TO", "FUNCTION", "ASKED", "EXPIRES", "DELIVERY"}}
	for i, id := range shortIDs(runtime, ids) {
		party := page[i].To
		if runtime.WaitsOnMe(party) == engine.OnMe {
			party = "you"
		}
		rows = append(rows, []string{
			id, party, page[i].Name, a.since(page[i].Asked),
			left(page[i].Expires.Sub(a.Now())), deliveryWords[page[i].Delivery],
		})
	}
	fit(rows, a.tableWidth(), to, function)
	return a.printTable(rows, func(row, column int, text string) string {
		if row > 0 && column == to && runtime.WaitsOnMe(page[row-1].To) == engine.OnMe {
			return report.Paint(a.useColour(), report.Bold, text)
		}
		return a.heading(row, column, text)
	})
}

// left is how long a request stays open, in short: under two days in hours.
func left(d time.Duration) string {
	switch {
	case d <= 0:
		return "now"
	case d >= 24*time.Hour && d < 48*time.Hour:
		return fmt.Sprintf("in %dh", int(d.Hours()))
	}
	return "in " + when.Short(d)
}

func newInteractionsShow(a *app) *cobra.Command {
	var flags eventsFlags
	command := &cobra.Command{
		Use:   "show RUN_ID",
		Short: "Show a request: its message, what it takes and how to answer",
		Long: "Show the request of a run: its message, the fields of its answer and the command that\n" +
			"answers it. RUN_ID may be the beginning of an id that no other run has.",
		Example: "  auto interactions show 0199a3c4-7d2e\n" +
			"  auto interactions show approve-2026-11-30 --json | jq .answer_schema",
		Args:              arguments(1, 1, "the id of a run"),
		ValidArgsFunction: first(a.waitingIDs),
		RunE:              func(_ *cobra.Command, args []string) error { return a.showInteraction(flags, args[0]) },
	}
	flags.runtimeFlags.add(command)
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON value: the request as the list has it")
	return command
}

func (a *app) showInteraction(flags eventsFlags, id string) (err error) {
	runtime := a.runtime(flags.runtimeFlags, "interactions")
	defer closing(runtime, &err)
	asked, err := a.requestOf(runtime, id)
	if err != nil {
		return err
	}
	if flags.asJSON {
		return printValue(a.Out, engine.ShownRequest(asked))
	}
	found, err := runtime.RunByID(asked.RunID)
	if err != nil {
		return noRun(asked.RunID, err)
	}
	_, err = io.WriteString(a.Out, a.drawnRequest(runtime, found, asked))
	return err
}

// requestOf gives the request of the run that a person names.
func (a *app) requestOf(runtime *engine.Runtime, typed string) (*engine.AskedRequest, error) {
	id, err := a.runID(runtime, typed)
	if err != nil {
		return nil, err
	}
	asked, err := runtime.RequestOf(id)
	if errors.Is(err, engine.ErrNoRun) {
		return nil, unmet("The run %s asked nobody; %s interactions lists the requests that wait", id, program)
	}
	return asked, err
}

// drawnRequest is a request as a person reads it.
func (a *app) drawnRequest(runtime *engine.Runtime, r *engine.Run, asked *engine.AskedRequest) string {
	var b strings.Builder
	title := report.Paint(a.useColour(), report.Bold, r.Type+"/"+r.Name)
	fmt.Fprintf(&b, "%s  %s\n\n", title, report.Paint(a.useColour(), statusStyle(r.Status), standing(&r.Summary)))
	list := append([]fact{{"run", r.ID}, {"asked", dated(asked.Asked)}}, a.requestFacts(runtime, asked, r.Status)...)
	if asked.Conversation != "" {
		replies := "1 reply"
		if asked.Refused != 1 {
			replies = fmt.Sprint(asked.Refused, " replies")
		}
		list = append(list, fact{"replies", fmt.Sprintf("read in %s, %s refused", asked.Conversation, replies)})
	}
	for _, fact := range list {
		fmt.Fprintf(&b, "%s  %s\n", report.Paint(a.useColour(), report.Dim, fmt.Sprintf("%-9s", fact.name)), report.Visible(fact.text))
	}
	b.WriteString("\n" + a.section("Message", asked.Message))
	switch {
	case r.Status != engine.RunStarted && r.Rejection != nil:
		b.WriteString("\n" + a.section("Rejection", rejectionText(r.Rejection)))
	case r.Status != engine.RunStarted:
		b.WriteString("\n" + a.section("Answer", value.IndentedJSON(r.Output, "  ")))
	case asked.TakesAnswer:
		b.WriteString("\n" + a.section("Answer", strings.TrimSuffix(answerFields(asked), "\n")))
	}
	return b.String()
}
