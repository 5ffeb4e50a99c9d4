package mcp

// This file is the operations on runs.

import (
	"context"
	"errors"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// runSchema is the schema of a run as get_run gives it.
const runSchema = `{"type":"object","additionalProperties":false,
	"required":["run_id","type","name","definition_version","status","started","ended","input","output","record","rejection"],
	"properties":{
	"run_id":{"type":"string"},
	"type":{"type":"string"},
	"name":{"type":"string"},
	"definition_version":{"type":"integer"},
	"status":{"type":"string","enum":["started","succeeded","rejected","failed"],"description":"started: it is at work, or waits for its request to be answered"},
	"started":{"type":["string","null"]},
	"ended":{"type":["string","null"]},
	"input":{"description":"As it was supplied, before defaults"},
	"output":{"description":"Of a run that succeeded; null otherwise"},
	"record":{"type":["object","null"],"description":"What a model call recorded of itself"},
	"rejection":{"type":["object","null"],"description":"Why the run did not succeed, as a problem document"}}}`

const runIDProperty = `"run_id":{"type":"string","minLength":1,"maxLength":128,"description":"The run's id, as run_definition, list_runs or list_interactions gives it"}`

func runOperations() []Operation {
	return []Operation{{
		Name:  "get_run",
		Title: "Get a run",
		Description: "Gives one run whole: how it stands, its input, its output or why it did not succeed, and its record. " +
			"Use it after run_definition gave the status started, to see whether the run has ended. " +
			"A run that waits for an answer stays started: list_interactions shows its request, and answer_interaction answers it.",
		Input:  `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{` + runIDProperty + `}}`,
		Output: runSchema,
		Reads:  true, Idempotent: true,
		Do: getRun,
	}}
}

func getRun(_ context.Context, call *Call) (*value.Object, error) {
	id := call.text("run_id")
	found, err := call.Runtime.RunByID(id)
	if err != nil {
		return nil, noRun(id, err)
	}
	return found.Value(), nil
}

// noRun says that a run is not there, and gives any other error as told does.
func noRun(id string, err error) error {
	if errors.Is(err, engine.ErrNoRun) {
		return problem.NewRejection(problem.NotFound, "No run has the id "+id+"; list_runs shows those that are recorded")
	}
	return told(err)
}
