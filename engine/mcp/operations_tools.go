package mcp

// This file is the operations on the tools of the playbook's tool servers.

import (
	"context"
	"slices"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

const (
	serverProperty    = `"server":{"type":"string","minLength":1,"maxLength":64,"description":"The tool server, as search names it","examples":["chat"]}`
	toolProperty      = `"tool":{"type":"string","minLength":1,"maxLength":256,"description":"The tool, as search lists it","examples":["post_message"]}`
	argumentsProperty = `"arguments":{"type":"object","description":"The tool's arguments, as the input_schema from introspect describes them; {} when left out"}`
	markResult        = `"mark":{"type":"string","enum":["reads","acts"],"description":"reads: it only reads. acts: it may change something"}`
	calledSchema      = `{"type":"object","additionalProperties":false,
	"required":["server","tool","mark","status"],
	"properties":{"server":{"type":"string"},"tool":{"type":"string"},` + markResult + `,
	"status":{"type":"string","enum":["answered","failed","checked"],"description":"answered: the tool answered. failed: it did not, and detail says why. checked: dry_run, nothing was sent"},
	"is_error":{"type":"boolean","description":"The tool answered with an error"},
	"http_status":{"type":"integer","description":"The status that an HTTP API answered with"},
	"shown":{"type":"string","description":"What a run's model would read of the answer"},
	"answer":{"description":"The document that read and sent point into: the structured content, else the first text as JSON, else that text"},
	"because":{"type":"string","description":"Why the call failed. arguments_refused: the server did not take the arguments; correct them and call again"},
	"detail":{"type":"string"},
	"sent":{"type":"boolean","description":"Whether the call may have reached the server, and so have had an effect"},
	"duration_ms":{"type":"integer"},
	"event_id":{"type":["integer","null"],"description":"The event that records how the call ended; get_event reads it"},
	"arguments_bytes":{"type":"integer"},"most_bytes":{"type":"integer"},
	"checked":{"type":"boolean","description":"Whether the arguments could be checked against the tool's schema here"},
	"issues":{"type":"array","items":{"type":"object","properties":{"pointer":{"type":"string"},"detail":{"type":"string"}}},"description":"What the arguments do not match of the tool's schema"}}}`
)

func toolOperations() []Operation {
	return []Operation{{
		Name:  "search",
		Title: "Find tools",
		Description: "Finds the tools that this playbook's functions may use, on the tool servers its operator set up, and asks each server for them as a run does. " +
			"Use it before you name a server or a tool in a document: never guess a name. Give a few words for what the function should do, or none for all tools. " +
			"Then introspect reads one tool in full. A server that could not be asked is given with the reason. " +
			"For a request to a person look for a server with a tool whose sends is true and one whose reads_replies is true.",
		Input: `{"type":"object","additionalProperties":false,"properties":{
			"terms":{"type":"string","maxLength":500,"description":"A few words for what the tool should do; left out, every tool is listed","examples":["post a message in a channel"]}}}`,
		Output: `{"type":"object","additionalProperties":false,"required":["servers"],"properties":{"servers":{"type":"array","items":{"type":"object","additionalProperties":false,
			"required":["server","tools","total","failure"],"properties":{
			"server":{"type":"string"},
			"tools":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["tool","mark","description","sends","reads_replies"],"properties":{
				"tool":{"type":"string"},` + markResult + `,"description":{"type":"string","description":"Its start; introspect gives the whole"},
				"sends":{"type":"boolean","description":"It can send a request or a notification to its party, named in deliver"},
				"reads_replies":{"type":"boolean","description":"It may read the replies to a request, named in replies: its name speaks of messages, or its server sends some and has no such name"}}}},
			"total":{"type":"integer","description":"How many tools the server offers, whatever the terms"},
			"failure":{"type":["object","null"],"properties":{"because":{"type":"string"},"detail":{"type":"string"}},"description":"Why the server could not be asked"}}}}}}`,
		Reads: true, Idempotent: true, OpenWorld: true,
		Do: search,
	}, {
		Name:  "introspect",
		Title: "Read a tool",
		Description: "Gives one tool in full: its description, its mark, and the input_schema of its arguments. " +
			"Use it after search and before you write call, deliver or replies, or call the tool. " +
			"It does not say what the tool answers: call it with query_connection where its mark is reads, or, once the person agrees, with execute_connection.",
		Input: `{"type":"object","additionalProperties":false,"required":["server","tool"],"properties":{` + serverProperty + `,` + toolProperty + `}}`,
		Output: `{"type":"object","additionalProperties":false,"required":["server","tool","mark","description","input_schema","model_name","sends","warnings"],"properties":{
			"server":{"type":"string"},"tool":{"type":"string"},` + markResult + `,"description":{"type":"string"},
			"input_schema":{"description":"The JSON Schema of its arguments, as the server gives it"},
			"model_name":{"type":"string","description":"The name a run's model knows it by"},
			"sends":{"type":"boolean","description":"It can send a request or a notification to its party"},
			"warnings":{"type":"array","items":{"type":"string"},"description":"Parts of the schema that a model's provider may refuse or not keep to"}}}`,
		Reads: true, Idempotent: true, OpenWorld: true,
		Do: introspect,
	}, {
		Name:  "query_connection",
		Title: "Call a tool that reads",
		Description: "Calls a tool that is marked reads, once, and gives its answer. It changes nothing outside the playbook, and the call is recorded in the history. " +
			"Use it to see what a tool answers before you write read, replies or output.schema from it. A tool that may change something is refused: that is execute_connection's.",
		Input:  `{"type":"object","additionalProperties":false,"required":["server","tool"],"properties":{` + serverProperty + `,` + toolProperty + `,` + argumentsProperty + `}}`,
		Output: calledSchema,
		Reads:  true, OpenWorld: true,
		Do: func(ctx context.Context, call *Call) (*value.Object, error) { return callTool(ctx, call, true) },
	}, {
		Name:  "execute_connection",
		Title: "Call a tool that acts",
		Description: "Calls a tool once, for real, and gives its answer: a message that it posts is read by people. " +
			"Use it only once the person agrees to this very call, and with a message its party would want anyway, to learn what the tool answers before you write deliver.sent or call.read from it. " +
			"A call that failed with sent true may have taken effect: look before you call again. The call is recorded in the history.",
		Input:       `{"type":"object","additionalProperties":false,"required":["server","tool"],"properties":{` + serverProperty + `,` + toolProperty + `,` + argumentsProperty + `}}`,
		Output:      calledSchema,
		Destructive: true, OpenWorld: true,
		Do: func(ctx context.Context, call *Call) (*value.Object, error) { return callTool(ctx, call, false) },
	}, {
		Name:  "execute",
		Title: "Call a tool as a run would",
		Description: "Calls a tool once, as a run of a reasoning function would, and gives what the run's model would see in shown. " +
			"Use it to try a tool before you name it under tools. With dry_run true nothing is sent: it reports whether the tool may be used and whether the arguments match its schema. " +
			"Without dry_run a tool marked acts may change something: ask the person first. The call is recorded in the history.",
		Input: `{"type":"object","additionalProperties":false,"required":["server","tool"],"properties":{` + serverProperty + `,` + toolProperty + `,` + argumentsProperty + `,
			"dry_run":{"type":"boolean","description":"Report what the call would check, and send nothing; false when left out"}}}`,
		Output:      calledSchema,
		Destructive: true, OpenWorld: true,
		Do: func(ctx context.Context, call *Call) (*value.Object, error) { return callTool(ctx, call, false) },
	}}
}

// longestSummary is the most characters that search gives of a tool's description.
const longestSummary = 300

func search(ctx context.Context, call *Call) (*value.Object, error) {
	var terms []string
	if words := call.text("terms"); words != "" {
		terms = []string{words}
	}
	found, err := call.Runtime.SearchTools(ctx, terms...)
	if err != nil {
		return nil, told(err)
	}
	servers := make([]value.Value, len(found))
	for i := range found {
		of := &found[i]
		tools := make([]value.Value, len(of.Tools))
		for j := range of.Tools {
			t := &of.Tools[j]
			tools[j] = object("tool", t.Name, "mark", t.Mark(), "description", clipped(t.Description, longestSummary), "sends", t.Sends(), "reads_replies", slices.Contains(of.Readers, t.Name))
		}
		var failure value.Value
		if of.Failure != nil {
			failure = object("because", string(of.Failure.Because), "detail", of.Failure.Message)
		}
		servers[i] = object("server", of.Server, "tools", tools, "total", float64(of.Total), "failure", failure)
	}
	return object("servers", servers), nil
}

// clipped is the start of a text, in characters.
func clipped(text string, most int) string {
	if value.Characters(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

func (c *Call) tool() engine.Tool { return engine.Tool{Server: c.text("server"), Name: c.text("tool")} }

func introspect(ctx context.Context, call *Call) (*value.Object, error) {
	if call.text("tool") == "*" {
		return nil, invalid("/tool", "Expected one tool; search lists every tool of a server")
	}
	offered, err := call.Runtime.OfferedTool(ctx, call.tool())
	if err != nil {
		return nil, told(err)
	}
	return object("server", offered.Server, "tool", offered.Name, "mark", offered.Mark(), "description", offered.Description,
		"input_schema", offered.InputSchema, "model_name", offered.ModelName, "sends", offered.Sends(), "warnings", textList(offered.Warnings())), nil
}

// callTool calls a tool once, or says what the call would check. Reads refuses a tool
// that may change something.
func callTool(ctx context.Context, call *Call, reads bool) (*value.Object, error) {
	given, _ := call.Arguments.Get("arguments")
	arguments, _ := given.(*value.Object)
	if arguments == nil {
		arguments = value.NewObject(0)
	}
	trial, err := call.Runtime.TryTool(ctx, call.tool(), arguments)
	if err != nil {
		return nil, told(err)
	}
	if reads && !trial.Tool.Reads {
		return nil, problem.NewRejection(problem.InvalidInput, "The call was not sent", problem.Issue{Pointer: "/tool",
			Detail: "Expected a tool that is marked reads: " + trial.Tool.String() + " may change something; once the person agrees, call it with execute_connection"})
	}
	if dry, _ := call.Arguments.Get("dry_run"); dry == true {
		return trialValue(trial), nil
	}
	done, err := call.Runtime.CallTool(ctx, trial.Tool, arguments)
	if done == nil {
		return nil, told(err)
	}
	// What the call came to counts more than that its end could not be recorded,
	// which event_id tells.
	return calledValue(done), nil
}

func trialValue(trial *engine.ToolTrial) *value.Object {
	issues := make([]value.Value, len(trial.Issues))
	for i, issue := range trial.Issues {
		issues[i] = object("pointer", issue.Pointer, "detail", issue.Message)
	}
	return object("server", trial.Tool.Server, "tool", trial.Tool.Name, "mark", trial.Tool.Mark(), "status", "checked", "sent", false,
		"arguments_bytes", float64(trial.ArgumentBytes), "most_bytes", float64(engine.MostToolArguments), "checked", !trial.Unchecked, "issues", issues)
}

func calledValue(done *engine.ToolCall) *value.Object {
	o := object("server", done.Tool.Server, "tool", done.Tool.Name, "mark", done.Tool.Mark())
	if failure := done.Failure; failure != nil {
		o.Set("status", "failed")
		o.Set("because", string(failure.Because))
		o.Set("detail", failure.Message)
		o.Set("sent", failure.Sent)
		o.Set("duration_ms", float64(failure.Duration.Milliseconds()))
	} else {
		answer, _ := done.Result.Answer()
		o.Set("status", "answered")
		o.Set("is_error", done.Result.IsError)
		if status := done.Result.HTTPStatus(); status != 0 {
			o.Set("http_status", float64(status))
		}
		o.Set("shown", done.Result.Shown())
		o.Set("answer", answer)
		o.Set("sent", true)
		o.Set("duration_ms", float64(done.Result.Duration.Milliseconds()))
	}
	o.Set("event_id", nil)
	if done.EventID != 0 {
		o.Set("event_id", float64(done.EventID))
	}
	return o
}
