package cli

// This file is auto runs delete and auto runs cancel, which ask before they do it.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint/report"
)

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
			"progress or waits is never deleted. On a terminal the command asks first; elsewhere it\n" +
			"wants --yes.",
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
	for i := range ids {
		if ids[i], err = a.runID(runtime, ids[i]); err != nil {
			return err
		}
		asked, err := runtime.RequestOf(ids[i])
		switch {
		case errors.Is(err, engine.ErrNoRun):
		case err != nil:
			return err
		case asked.Closed.IsZero():
			return unmet("Run %s waits for an answer; %s runs cancel %s ends it", ids[i], program, ids[i])
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
	if err == nil || deleted > 0 {
		fmt.Fprintf(a.Err, "Deleted %s\n", report.Count(deleted, "run"))
	}
	return err
}

func deleteEach(runtime *engine.Runtime, ids []string) (deleted int, err error) {
	for _, id := range ids {
		err := runtime.DeleteRun(id)
		switch {
		case errors.Is(err, engine.ErrNoRun):
			continue // somebody else deleted it
		case errors.Is(err, engine.ErrRunInProgress):
			return deleted, unmet("Run %s is in progress", id)
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

type cancelFlags struct {
	runtimeFlags
	yes bool
}

func newRunsCancel(a *app) *cobra.Command {
	var flags cancelFlags
	command := &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel a run that waits for an answer",
		Long: "Cancel a run that waits: it ends as rejected, and its request takes no answer any more. A\n" +
			"run that has ended cannot be cancelled, nor can one that a process is at work on: end that\n" +
			"process. On a terminal the command asks first; elsewhere it wants --yes.",
		Example: "  auto runs cancel 0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a\n" +
			"  auto runs cancel approve-2026-11-30 --yes",
		Args:              arguments(1, 1, "the id of a run"),
		ValidArgsFunction: first(a.waitingIDs),
		RunE:              func(_ *cobra.Command, args []string) error { return a.cancelRun(flags, args[0]) },
	}
	flags.runtimeFlags.add(command)
	command.Flags().BoolVar(&flags.yes, "yes", false, "cancel without asking")
	return command
}

func (a *app) cancelRun(flags cancelFlags, id string) (err error) {
	runtime := a.runtime(flags.runtimeFlags, "runs")
	defer closing(runtime, &err)
	if id, err = a.runID(runtime, id); err != nil {
		return err
	}
	asked, err := runtime.RequestOf(id)
	if err != nil && !errors.Is(err, engine.ErrNoRun) {
		return err
	}
	if asked != nil && asked.Closed.IsZero() && !flags.yes {
		question := fmt.Sprintf("Cancel the run of %s/%s that waits for %s?", asked.Type, asked.Name, report.Visible(asked.To))
		if agreed, err := a.ask(question, "Nothing was cancelled"); err != nil || !agreed {
			return err
		}
	}
	ended, err := runtime.CancelRun(id)
	if err != nil {
		return noRun(id, err)
	}
	if ended.Reason == string(problem.Cancelled) && ended.Status == engine.RunRejected {
		fmt.Fprintf(a.Err, "Cancelled run %s\n", id)
	} else {
		fmt.Fprintf(a.Err, "Run %s was cut off before; it has ended as %s\n", id, standing(&ended.Summary))
	}
	return nil
}
