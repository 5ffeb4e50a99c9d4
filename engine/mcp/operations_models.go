package mcp

// This file is the operation on models.

import (
	"context"

	"github.com/beonauto/auto/engine/value"
)

func modelOperations() []Operation {
	return []Operation{{
		Name:  "list_models",
		Title: "List models",
		Description: "Lists the models that a reasoning function of this playbook may name. Use it before you write model in a document: a model that is not listed does not run. " +
			"Write model exactly as it is given; where it ends in *, put the id of a model in the place of the *. " +
			"catalog_status partial says that some provider's list could not be read just now: what is missing may still run.",
		Input: `{"type":"object","additionalProperties":false,"properties":{
			"provider":{"type":"string","minLength":1,"maxLength":64,"description":"Only what this provider serves; no other is asked","examples":["anthropic"]}}}`,
		Output: `{"type":"object","additionalProperties":false,"required":["models","narrowed","catalog_status"],"properties":{
			"models":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["model","alias"],"properties":{
				"model":{"type":"string","description":"The reference to write in a document"},
				"alias":{"type":"boolean","description":"The operator's own name for a model"},
				"resolved_to":{"type":["string","null"],"description":"The model an alias stands for"},
				"name":{"type":["string","null"]},"created":{"type":["string","null"]},
				"max_input_tokens":{"type":["integer","null"]},"max_output_tokens":{"type":["integer","null"]}}}},
			"narrowed":{"type":"boolean","description":"The operator allows some models only, and only those are listed"},
			"catalog_status":{"type":"string","enum":["complete","partial"]},
			"note":{"type":"string","description":"What to tell the operator, where no model can be called"}}}`,
		Reads: true, Idempotent: true, OpenWorld: true,
		Do: listModels,
	}}
}

func listModels(ctx context.Context, call *Call) (*value.Object, error) {
	listing, err := call.Runtime.Models(ctx, call.text("provider"))
	if err != nil {
		return nil, told(err)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	listed := listing.Value()
	if len(call.Runtime.Providers()) == 0 {
		listed.Set("note", "No model provider is configured: ask the operator, who set this playbook up, to give it the key of one. auto doctor says what is missing")
	}
	return listed, nil
}
