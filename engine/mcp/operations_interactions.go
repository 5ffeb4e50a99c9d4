package mcp

// This file is the operations on open requests.

import (
	"context"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
)

func interactionOperations() []Operation {
	return []Operation{{
		Name:  "list_interactions",
		Title: "List open requests",
		Description: "Lists the requests of this playbook that wait for an answer, newest first, each with its message, whom it asks and the schema of its answer. " +
			"Use it when the person asks what waits for them, or answers something in the conversation: show them the message, and once they have said what to answer, give it with answer_interaction. " +
			"Never make up an answer. A request whose takes_answer is false only tells something.",
		Input: `{"type":"object","additionalProperties":false,"properties":{
			"to":{"type":"string","minLength":1,"maxLength":256,"description":"Only the requests to this party, exactly as it is shown","examples":["priya@acme.example"]},
			"type":{"type":"string","enum":["reasoning","interaction","lookup"],"description":"Only those that functions of this type asked"},
			"function":{"type":"string","minLength":1,"maxLength":256,"description":"Only those that functions of this name asked","examples":["approve-campaign-brief"]},
			"limit":{"type":"integer","minimum":1,"maximum":1000,"description":"The most of one page; 50 when left out"},` + cursorProperty + `}}`,
		Output: `{"type":"object","additionalProperties":false,"required":["interactions","cursor"],"properties":{"interactions":{"type":"array","items":{"type":"object",
			"required":["run_id","type","name","definition_version","to","delivery","message","takes_answer","asked_at","expires_at","attempts","delivery_state","answer_schema","replies","sign_in"],"properties":{
			"run_id":{"type":"string","description":"Give it to answer_interaction"},
			"type":{"type":"string"},"name":{"type":"string"},"definition_version":{"type":"integer"},
			"to":{"type":"string","description":"The party that is asked"},
			"delivery":{"type":["object","null"],"description":"The tool the request is sent through; null for one held for an agent"},
			"message":{"type":"string","description":"What is asked, as Markdown"},
			"takes_answer":{"type":"boolean"},
			"asked_at":{"type":["string","null"]},"expires_at":{"type":["string","null"]},
			"attempts":{"type":"integer"},
			"delivery_state":{"type":"string","enum":["held_for_an_agent","to_deliver","delivering","delivered","retrying","undelivered","cancelling"]},
			"answer_schema":{"description":"The JSON Schema that an answer must match, as it stood when the request was asked; null for a notification"},
			"replies":{"type":["object","null"],"description":"For a request answered by reply: the conversation that is read, whose reply counts, and how many were refused"},
			"sign_in":{"type":["object","null"],"description":"For a sign-in: the server, the site, and the link where the person signs in"}}}},` + cursorResult + `}}`,
		Reads: true, Idempotent: true,
		Do: listInteractions,
	}, {
		Name:  "answer_interaction",
		Title: "Answer a request",
		Description: "Answers an open request with what the person said, put into the shape of its answer_schema, and ends its run with it. " +
			"Use it only once the person has said what to answer. An answer cannot be taken back: a run takes one, the same again gives the same fact, and another is a conflict. " +
			"An answer that does not match is refused with a pointer under /answer for each problem, and leaves the request open: correct it and answer again. " +
			"Running the function again answers nothing; it asks anew. " +
			"A sign-in is answered by the person alone, in a session of their own; you may only answer {\"signed_in\": false, \"reason\": \"...\"} when they will not sign in.",
		Input: `{"type":"object","additionalProperties":false,"required":["run_id","answer"],"properties":{` + runIDProperty + `,
			"answer":{"description":"The answer, as the request's answer_schema describes it","examples":[{"verdict":"approve"},{"verdict":"revise","note":"Name the job role."}]},
			"claimed_for":{"type":"string","minLength":1,"description":"Whom you answer for, in words, at most 256 bytes; it is kept and not checked","examples":["the campaign team"]}}}`,
		Output: `{"type":"object","required":["run_id","answer_id","answer","claimed_for","answered_by","answered_at"],"properties":{
			"run_id":{"type":"string","description":"get_run shows how the run ended with it"},
			"answer_id":{"type":"integer","description":"The event that records the answer; get_event reads it"},
			"answer":{"description":"The answer that the run took"},
			"claimed_for":{"type":["string","null"]},
			"answered_by":{"type":["object","null"],"properties":{"id":{"type":"string"},"name":{"type":"string"}}},
			"answered_at":{"type":["string","null"]}}}`,
		Idempotent: true,
		Do:         answerInteraction,
	}}
}

// listedInteractions is how many requests a page has when limit is left out.
const listedInteractions = 50

func listInteractions(_ context.Context, call *Call) (*value.Object, error) {
	page, cursor, err := call.Runtime.OpenRequests(engine.RequestFilter{
		To: call.text("to"), Type: call.text("type"), Name: call.text("function"), Cursor: call.text("cursor"), Limit: call.limit(listedInteractions),
	})
	if err != nil {
		return nil, told(err)
	}
	list := make([]value.Value, len(page))
	for i, asked := range page {
		list[i] = engine.ShownRequest(asked)
	}
	return object("interactions", list, "cursor", orNull(cursor)), nil
}

func answerInteraction(_ context.Context, call *Call) (*value.Object, error) {
	by := engine.LocalDeveloper()
	by.Agent = true
	answer, _ := call.Arguments.Get("answer")
	fact, err := call.Runtime.Answer(call.text("run_id"), engine.Given{Answer: answer, ClaimedFor: call.text("claimed_for"), By: by})
	if err != nil {
		return nil, told(err)
	}
	return engine.AnswerFact(fact), nil
}
