package cli

// This file reads, shortens and completes the ids of runs.

import (
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
)

// shownIDs is how many ids are named to choose from.
const shownIDs = 5

// runID gives the id of the run that a person names by it, or by a beginning that no
// other run's id has.
func (a *app) runID(runtime *engine.Runtime, typed string) (string, error) {
	if typed == "" {
		return "", usage("Expected the id of a run")
	}
	found, err := runtime.RunsBeginning(typed, shownIDs+1)
	switch {
	case err != nil:
		return "", err
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return "", unmet("No run has the id %s%s", typed, a.outsideOf(runtime))
	}
	named := strings.Join(found[:min(len(found), shownIDs)], ", ")
	if len(found) > shownIDs {
		named += " and more"
	}
	return "", unmet("The ids of several runs begin with %s: %s", typed, named)
}

// The ids that the program makes are shown by their beginnings: those are much
// alike, and take half a line. No beginning is shorter than this.
const shortestID = 8

// shortIDs gives the ids of runs as a table shows them: one that the program made by
// a beginning that no other run has, and one that a person gave as it is.
func shortIDs(runtime *engine.Runtime, ids []string) []string {
	short := append([]string{}, ids...)
	lengths, err := runtime.Beginnings(ids)
	if err != nil {
		return short
	}
	most := shortestID
	for i, id := range ids {
		if uuid.Validate(id) == nil {
			most = max(most, lengths[i])
		}
	}
	for i, id := range ids {
		if uuid.Validate(id) == nil {
			// All of one length, and none that ends at a hyphen.
			short[i] = strings.TrimSuffix(id[:min(most, len(id))], "-")
		}
	}
	return short
}

// completedRuns is how many runs a shell is offered.
const completedRuns = 50

// runIDs completes the ids of the newest runs.
func (a *app) runIDs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	page := soon(func() []engine.RunSummary {
		page, _, _ := a.runtime(runtimeFlags{}, "completion").Runs(engine.RunFilter{Limit: completedRuns})
		return page
	})
	ids := make([]string, len(page))
	for i := range page {
		ids[i] = page[i].ID + "\t" + page[i].Type + "/" + page[i].Name + ", " + standing(&page[i])
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// waitingIDs completes the ids of the runs whose requests are open.
func (a *app) waitingIDs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	page := soon(func() []engine.RequestSummary {
		page, _, _ := a.runtime(runtimeFlags{}, "completion").ListRequests(engine.RequestFilter{Limit: completedRuns})
		return page
	})
	ids := make([]string, len(page))
	for i := range page {
		ids[i] = page[i].RunID + "\t" + visible(page[i].Name+", waits for "+page[i].To)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
