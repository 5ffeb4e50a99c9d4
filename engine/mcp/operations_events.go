package mcp

// This file is the operations on the playbook's history.

import (
	"context"
	"errors"
	"strconv"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

const eventFields = `"required":["event_id","time","run_id","subject","type","data"],"properties":{
	"event_id":{"type":"integer"},"time":{"type":["string","null"]},
	"run_id":{"type":["string","null"],"description":"null for an event of no run, such as a tool called by hand"},
	"subject":{"type":["string","null"],"description":"The function of its run, as type/name"},
	"type":{"type":"string"},"data":{"type":["object","null"]}}`

// eventTypes are the types of events that runs, requests and calls record.
var eventTypes = []string{
	"run_started", "run_succeeded", "run_rejected", "run_failed",
	"model_call_answered", "model_call_failed",
	"tool_call_started", "tool_call_answered", "tool_call_failed",
	"interaction_requested", "request_answered",
	"delivery_started", "delivery_succeeded", "delivery_failed", "delivery_refused",
	"replies_read", "reading_failed", "reply_refused",
	"telling_started", "telling_succeeded", "telling_failed",
}

func eventOperations() []Operation {
	return []Operation{{
		Name:  "list_playbook_events",
		Title: "Read the history",
		Description: "Lists what happened in this playbook, oldest first: runs that started and ended, requests, deliveries, replies, answers, and calls of models and tools. " +
			"Give a run_id for the history of one run, to see why it ended as it did. " +
			"A value of more than 2 KiB is shown by its size, such as result_bytes; get_event reads it whole.",
		Input: `{"type":"object","additionalProperties":false,"properties":{` + runIDProperty + `,
			"type":{"type":"string","enum":` + value.JSON(textList(eventTypes)) + `,"description":"Only the events of this type"},` + sinceProperty + `,
			"limit":{"type":"integer","minimum":1,"maximum":1000,"description":"The most of one page; 100 when left out"},
			"cursor":{"type":"string","minLength":1,"maxLength":20,"description":"Goes on after the page that gave this cursor. The event_id of the last event you read does the same, and so finds what came since"}}}`,
		Output: `{"type":"object","additionalProperties":false,"required":["events","cursor"],"properties":{"events":{"type":"array","items":{"type":"object",` + eventFields + `}},` + cursorResult + `}}`,
		Reads:  true, Idempotent: true,
		Do: listEvents,
	}, {
		Name:  "get_event",
		Title: "Read an event",
		Description: "Gives one event of the history whole, such as the arguments a tool was called with and its whole result, which list_playbook_events shows by their size. " +
			"The answer_id that answer_interaction gives is an event's id too.",
		Input:  `{"type":"object","additionalProperties":false,"required":["event_id"],"properties":{"event_id":{"type":"integer","minimum":1,"maximum":9007199254740991,"description":"As list_playbook_events gives it"}}}`,
		Output: `{"type":"object",` + eventFields + `}`,
		Reads:  true, Idempotent: true,
		Do: getEvent,
	}}
}

// listedEvents is how many events a page has when limit is left out.
const listedEvents = 100

func listEvents(_ context.Context, call *Call) (*value.Object, error) {
	since, err := call.moment("since")
	if err != nil {
		return nil, err
	}
	filter := engine.EventFilter{RunID: call.text("run_id"), Type: call.text("type"), Since: since, Limit: call.limit(listedEvents)}
	if cursor := call.text("cursor"); cursor != "" {
		if filter.After, err = strconv.ParseUint(cursor, 10, 53); err != nil {
			return nil, told(engine.ErrCursor)
		}
	}
	if filter.RunID != "" {
		// Without this, a wrong id would pass for a run without a history.
		if _, err := call.Runtime.RunByID(filter.RunID); err != nil {
			return nil, noRun(filter.RunID, err)
		}
	}
	page, more, err := call.Runtime.Events(filter)
	if err != nil {
		return nil, told(err)
	}
	events := make([]value.Value, len(page))
	for i := range page {
		events[i] = engine.EventInList(&page[i])
	}
	cursor := ""
	if more {
		cursor = strconv.FormatUint(page[len(page)-1].ID, 10)
	}
	return object("events", events, "cursor", orNull(cursor)), nil
}

func getEvent(_ context.Context, call *Call) (*value.Object, error) {
	id := call.whole("event_id")
	found, err := call.Runtime.EventByID(uint64(id))
	switch {
	case errors.Is(err, engine.ErrNoRun):
		return nil, problem.NewRejection(problem.NotFound, "No event has the id "+strconv.FormatInt(id, 10)+"; list_playbook_events shows those that are recorded")
	case err != nil:
		return nil, told(err)
	}
	return found.Value(), nil
}
