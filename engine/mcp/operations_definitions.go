package mcp

// This file is the operations on definitions.

import (
	"context"

	"github.com/beonauto/auto/engine/value"
)

func definitionOperations() []Operation {
	return []Operation{{
		Name:  "list_definitions",
		Title: "List definitions",
		Description: "Lists the functions of this playbook, with what each is for. Use it first, to see what exists before you write or run anything. " +
			"get_definition gives one whole; run_definition runs one.",
		Input: `{"type":"object","additionalProperties":false,"properties":{
			"type":{"type":"string","enum":["reasoning","interaction","lookup"],"description":"Only the functions of this type"}}}`,
		Output: `{"type":"object","required":["definitions"],"properties":{"definitions":{"type":"array","items":{"type":"object","required":["type","name"]}}}}`,
		Reads:  true, Idempotent: true,
		Do: listDefinitions,
	}}
}

func listDefinitions(_ context.Context, call *Call) (*value.Object, error) {
	places, err := call.Runtime.DefinitionPlaces()
	if err != nil {
		return nil, err
	}
	list := []value.Value{}
	for _, place := range places {
		if wanted := call.text("type"); wanted == "" || wanted == place.Type {
			list = append(list, object("type", place.Type, "name", place.Name))
		}
	}
	return object("definitions", list), nil
}
