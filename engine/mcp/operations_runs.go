package mcp

// This file is the operations on runs.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// runSchema is the schema of a run as get_run gives it.
const runSchema = `{"type":"object",
	"required":["run_id","type","name","definition_version","status","started","ended","input","output","record","rejection"],
	"properties":{
	"run_id":{"type":"string"},
	"type":{"type":"string"},
	"name":{"type":"string"},
	"definition_version":{"type":"integer"},
	"status":{"type":"string","enum":["started","succeeded","rejected","failed"],"description":"started: it is at work, or waits for its request to be answered. rejected: it was not done, and rejection says why. failed: the runtime itself broke down"},
	"started":{"type":["string","null"]},
	"ended":{"type":["string","null"],"description":"null while the run is started"},
	"input":{"description":"As it was supplied, before defaults"},
	"output":{"description":"Of a run that succeeded; null otherwise"},
	"record":{"type":["object","null"],"description":"What a model call recorded of itself: the model, the tokens, the prompt"},
	"rejection":{"type":["object","null"],"description":"Why the run did not succeed, as a problem document: detail says it in words, kind in a word to decide by"}}}`

const (
	runIDProperty = `"run_id":{"type":"string","minLength":1,"maxLength":128,"description":"The run's id, as run_definition, list_runs or list_interactions gives it"}`
	sinceProperty = `"since":{"type":"string","minLength":1,"maxLength":40,"description":"Only those since this time","examples":["2026-11-30","2026-11-30T09:30:00Z"]}`
)

func runOperations() []Operation {
	return []Operation{{
		Name:  "run_definition",
		Title: "Run a function",
		Description: "Runs a function of this playbook and gives the run as it stands then. Read the function with get_definition first: its front matter says which input it takes. " +
			"succeeded: output is the result. started: it asked a person or an agent and waits for the answer; tell the person, and look with get_run later; running it again would ask again. " +
			"rejected: rejection says why, and whether another input, or waiting, helps. " +
			"A run calls models, tools or people, which costs and may change things outside the playbook: run what the person wants run. " +
			"With a run_id of your own a run is safe to repeat after a lost connection: the same id and input give the run that is recorded.",
		Input: `{"type":"object","additionalProperties":false,"required":["type","name"],"properties":{` + typeProperty + `,` + nameProperty + `,
			"input":{"type":"object","description":"What the function's input.schema describes; {} when left out"},
			"run_id":{"type":"string","minLength":1,"maxLength":128,"description":"An id of your own for the run: letters, digits, -, _, . and :. Left out, the run gets a new one","examples":["review-2026-11-30"]}}}`,
		Output:      runSchema,
		Destructive: true, OpenWorld: true,
		Do: runDefinition,
	}, {
		Name:  "get_run",
		Title: "Read a run",
		Description: "Gives one run whole: how it stands, its input, its output or why it did not succeed, and its record. " +
			"Use it after run_definition gave the status started, to see whether the run has ended. " +
			"A run that waits for an answer stays started: list_interactions shows its request, and answer_interaction answers it. " +
			"list_playbook_events with its run_id tells what it did, step by step.",
		Input:  `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{` + runIDProperty + `}}`,
		Output: runSchema,
		Reads:  true, Idempotent: true,
		Do: getRun,
	}, {
		Name:  "list_runs",
		Title: "List runs",
		Description: "Lists the recorded runs of this playbook, newest first, each with how it stands and not with its output. " +
			"Use it to find a run, or to see what failed lately; get_run reads one whole.",
		Input: `{"type":"object","additionalProperties":false,"properties":{` + typeProperty + `,` + nameProperty + `,
			"status":{"type":"string","enum":["started","succeeded","rejected","failed"],"description":"Only the runs that stand so"},` + sinceProperty + `,
			"limit":{"type":"integer","minimum":1,"maximum":1000,"description":"The most of one page; 20 when left out"},` + cursorProperty + `}}`,
		Output: `{"type":"object","additionalProperties":false,"required":["runs","cursor"],"properties":{"runs":{"type":"array","items":{"type":"object",
			"required":["run_id","type","name","definition_version","status","started","ended","reason","kind"],"properties":{
			"run_id":{"type":"string"},"type":{"type":"string"},"name":{"type":"string"},"definition_version":{"type":"integer"},"status":{"type":"string"},
			"started":{"type":["string","null"]},"ended":{"type":["string","null"]},
			"reason":{"type":["string","null"],"description":"The name of its rejection, such as unavailable"},
			"kind":{"type":["string","null"],"description":"The kind of its rejection, such as tool_not_offered"}}}},` + cursorResult + `}}`,
		Reads: true, Idempotent: true,
		Do: listRuns,
	}, {
		Name:  "cancel_run",
		Title: "Cancel a waiting run",
		Description: "Ends a run that waits for its request to be answered, and gives the run as it ended: rejected as cancelled. " +
			"Use it when the person no longer wants the answer. Its request can be answered no more, and nothing that was sent is called back. " +
			"A run that has ended, or that is at work in a process, is not cancelled.",
		Input:       `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{` + runIDProperty + `}}`,
		Output:      runSchema,
		Destructive: true,
		Do:          cancelRun,
	}}
}

func runDefinition(ctx context.Context, call *Call) (*value.Object, error) {
	found, err := call.Runtime.DefinitionNamed(call.text("type"), call.text("name"))
	if err != nil {
		return nil, told(err)
	}
	if found.Retired {
		return nil, problem.NewRejection(problem.Conflict, fmt.Sprintf("The definition %s/%s is retired: its document went away, so it does not run", found.Type, found.Name))
	}
	if found.Digest == "" {
		return nil, problem.NewRejection(problem.Conflict, fmt.Sprintf("The document of %s/%s has problems", found.Type, found.Name), problem.Rejects(found.Problems).Issues...)
	}
	request := engine.RunRequest{ID: call.text("run_id"), Type: found.Type, Name: found.Name, Source: []byte(found.Source)}
	if input, given := call.Arguments.Get("input"); given {
		request.Input = input
	}
	done, err := call.Runtime.Run(ctx, request)
	if done == nil {
		return nil, told(err)
	}
	// A run whose end could not be recorded is given still: its answer was paid for.
	return done.Value(), nil
}

func getRun(_ context.Context, call *Call) (*value.Object, error) {
	id := call.text("run_id")
	found, err := call.Runtime.RunByID(id)
	if err != nil {
		return nil, noRun(id, err)
	}
	return found.Value(), nil
}

func cancelRun(_ context.Context, call *Call) (*value.Object, error) {
	id := call.text("run_id")
	ended, err := call.Runtime.CancelRun(id)
	if err != nil {
		return nil, noRun(id, err)
	}
	return ended.Value(), nil
}

// listedRuns is how many runs a page has when limit is left out.
const listedRuns = 20

func listRuns(_ context.Context, call *Call) (*value.Object, error) {
	since, err := call.moment("since")
	if err != nil {
		return nil, err
	}
	filter := engine.RunFilter{
		Type: call.text("type"), Name: call.text("name"), Status: engine.RunStatus(call.text("status")),
		Since: since, Cursor: call.text("cursor"), Limit: call.limit(listedRuns),
	}
	page, cursor, err := call.Runtime.Runs(filter)
	if err != nil {
		return nil, told(err)
	}
	runs := make([]value.Value, len(page))
	for i := range page {
		s := &page[i]
		runs[i] = object("run_id", s.ID, "type", s.Type, "name", s.Name, "definition_version", float64(s.Version), "status", string(s.Status),
			"started", instant(s.Started), "ended", instant(s.Ended), "reason", orNull(s.Reason), "kind", orNull(s.Kind))
	}
	return object("runs", runs, "cursor", orNull(cursor)), nil
}

// noRun says that a run is not there, and gives any other error as told does.
func noRun(id string, err error) error {
	if errors.Is(err, engine.ErrNoRun) {
		return problem.NewRejection(problem.NotFound, "No run has the id "+id+"; list_runs shows those that are recorded")
	}
	return told(err)
}

// moment reads an argument that is a time or a date, in UTC; the zero time when it
// was left out.
func (c *Call) moment(name string) (time.Time, error) {
	text := c.text(name)
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if moment, err := time.Parse(layout, strings.ToUpper(text)); err == nil {
			return moment.UTC(), nil
		}
	}
	return time.Time{}, invalid("/"+name, "Expected a time in ISO 8601, such as 2026-11-30 or 2026-11-30T09:30:00Z")
}

// limit gives how many a page may have.
func (c *Call) limit(usual int) int {
	if limit := c.whole("limit"); limit > 0 {
		return int(min(limit, 1000))
	}
	return usual
}
