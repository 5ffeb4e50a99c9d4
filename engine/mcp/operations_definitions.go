package mcp

// This file is the operations on definitions.

import (
	"context"
	"errors"
	"fmt"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// The properties of several operations.
const (
	typeProperty = `"type":{"type":"string","enum":["reasoning","interaction","lookup"],` +
		`"description":"What the function does: reasoning asks a model, interaction asks a person, an agent or a system, lookup reads from a system"}`
	nameProperty   = `"name":{"type":"string","minLength":1,"maxLength":256,"description":"The function's name, such as approve-campaign-brief; unique within its type"}`
	cursorProperty = `"cursor":{"type":"string","minLength":1,"maxLength":1024,"description":"Goes on after the page that gave this cursor; leave it out for the first page"}`
	cursorResult   = `"cursor":{"type":["string","null"],"description":"Give it back to read the page after this one; null on the last page"}`
)

// savingProperties are what both operations take that save a definition.
const savingProperties = typeProperty + `,` +
	`"source":{"type":"string","minLength":1,"description":"The whole document: YAML front matter between two lines of ---, then the message or prompt as a Liquid template. get_guide says how to write it"},` +
	`"overview":{"type":"string","minLength":1,"maxLength":16384,"description":"Markdown for the person who runs the business: why the function exists, what it does and how it fits, in one to three short paragraphs. Write it after the document, and again with every update; left out, the saved one stays"},` +
	`"diagram":{"type":"string","minLength":1,"maxLength":8192,"description":"Mermaid source of how the function works, top to bottom, in three to eight nodes of a few plain words; its first line is flowchart, graph or stateDiagram. Or the word none when a picture would add nothing","examples":["flowchart TD\n  A[Brief arrives] --> B[Owner is asked] --> C[Approved or sent back]","none"]}`

// definitionFields are what is told of a definition, in a list and of one.
const definitionFields = `"type":{"type":"string"},"name":{"type":"string"},
	"path":{"type":["string","null"],"description":"The document's file in the playbook; null for a retired definition"},
	"description":{"type":["string","null"]},
	"version":{"type":["integer","null"],"description":"The version that this document is; null when it was edited since it was last saved or run"},
	"retired":{"type":"boolean","description":"Its document went away: it cannot run"},
	"problems":{"type":"array","items":{"type":"string"},"description":"What keeps it from running, each with its line"},
	"warnings":{"type":"array","items":{"type":"string"},"description":"What refuses nothing, each with its line: what a provider may not keep to, and tools that are not there"}`

// savedFields are what is told of one definition beside that.
const savedFields = `"media_type":{"type":"string"},
	"digest":{"type":"string","description":"SHA-256 of the document. Give it to update_definition, so that a change made meanwhile is not overwritten"},
	"used_by":{"type":"array","items":{"type":"object"},"description":"The active definitions of the playbook that use this one"}`

// savedSchema is that of a definition as it was saved: its author, who has just
// written the document, the overview and the diagram, does not pay to read them.
const savedSchema = `{"type":"object","additionalProperties":false,
	"required":["type","name","path","description","version","retired","media_type","digest","used_by","problems","warnings"],
	"properties":{` + definitionFields + `,` + savedFields + `}}`

const definitionSchema = `{"type":"object","additionalProperties":false,
	"required":["type","name","path","description","version","retired","media_type","source","digest","overview","diagram","used_by","problems","warnings"],
	"properties":{` + definitionFields + `,` + savedFields + `,
	"source":{"type":"string","description":"The whole document; of a retired definition its last version"},
	"overview":{"type":["string","null"],"description":"Markdown, as it was last given; of a reasoning function whose author gave none, what its document says of itself"},
	"diagram":{"type":["string","null"],"description":"Mermaid source or the word none, as it was last given"}}}`

func definitionOperations() []Operation {
	return []Operation{{
		Name:  "list_definitions",
		Title: "List functions",
		Description: "Lists the functions of this playbook with what each is for. Use it before you run or write anything: a function that exists is better than a new one. " +
			"Then get_definition reads one whole, and run_definition runs it. A function with problems does not run until they are mended; a retired one has no document any more.",
		Input: `{"type":"object","additionalProperties":false,"properties":{` + typeProperty + `,
			"limit":{"type":"integer","minimum":1,"maximum":1000,"description":"The most of one page; 100 when left out"},` + cursorProperty + `}}`,
		Output: `{"type":"object","additionalProperties":false,"required":["definitions","cursor"],"properties":{"definitions":{"type":"array","items":
			{"type":"object","additionalProperties":false,"required":["type","name","path","description","version","retired","problems","warnings"],"properties":{` + definitionFields + `}}},` + cursorResult + `}}`,
		Reads: true, Idempotent: true,
		Do: listDefinitions,
	}, {
		Name:  "get_definition",
		Title: "Read a function",
		Description: "Gives one function whole: its document, what is told of it, and its problems and warnings. " +
			"Use it to see the input a function takes before you run it, and always before update_definition, which takes the whole document back with the digest from here.",
		Input:  `{"type":"object","additionalProperties":false,"required":["type","name"],"properties":{` + typeProperty + `,` + nameProperty + `}}`,
		Output: definitionSchema,
		Reads:  true, Idempotent: true,
		Do: getDefinition,
	}, {
		Name:  "create_definition",
		Title: "Save a new function",
		Description: "Saves a new function as a file of this playbook. The whole document is checked first; one with problems is refused with every problem and its line, and nothing is written: mend them all and call again. " +
			"Read the type's guide with get_guide before you write, and show the person the whole document before you save it. " +
			"A request to a person must name in deliver how it reaches them: ask the person once where they want to be asked. " +
			"Gives its digest and its warnings, and not the document again; run_definition runs it next. A function that exists is changed with update_definition.",
		Input: `{"type":"object","additionalProperties":false,"required":["type","name","source","diagram"],"properties":{` + savingProperties + `,
			"name":{"type":"string","minLength":1,"maxLength":64,"description":"Lowercase letters, digits and hyphens, a letter first, saying what the function does, such as approve-campaign-brief","examples":["approve-campaign-brief"]}}}`,
		Output: savedSchema,
		Do:     func(ctx context.Context, call *Call) (*value.Object, error) { return saveDefinition(ctx, call, true) },
	}, {
		Name:  "update_definition",
		Title: "Save a change of a function",
		Description: "Saves a changed document in the place of a function's own. Give the whole document, not a part of it: read it with get_definition, change it, show the person what changes, and give it back with that digest. " +
			"It is checked as create_definition checks; with problems nothing is written. Runs that wait go on as they were asked; the next run uses the new document. " +
			"A conflict says that the document was changed since you read it: read it again and make your change there.",
		Input: `{"type":"object","additionalProperties":false,"required":["type","name","source","diagram"],"properties":{` + savingProperties + `,` + nameProperty + `,
			"digest":{"type":"string","minLength":64,"maxLength":64,"description":"The digest that get_definition gave with the document you changed; left out, whatever is there is replaced"}}}`,
		Output:      savedSchema,
		Destructive: true, Idempotent: true,
		Do: func(ctx context.Context, call *Call) (*value.Object, error) { return saveDefinition(ctx, call, false) },
	}}
}

func listDefinitions(_ context.Context, call *Call) (*value.Object, error) {
	page, cursor, err := call.Runtime.ListDefinitions(engine.DefinitionFilter{Type: call.text("type"), Cursor: call.text("cursor"), Limit: int(call.whole("limit"))})
	if err != nil {
		return nil, told(err)
	}
	list := make([]value.Value, len(page))
	for i := range page {
		list[i] = definitionValue(&page[i], listed)
	}
	return object("definitions", list, "cursor", orNull(cursor)), nil
}

func getDefinition(_ context.Context, call *Call) (*value.Object, error) {
	found, err := call.Runtime.DefinitionNamed(call.text("type"), call.text("name"))
	if err != nil {
		return nil, told(err)
	}
	return definitionValue(found, whole), nil
}

func saveDefinition(ctx context.Context, call *Call, isNew bool) (*value.Object, error) {
	given := engine.Saving{
		New: isNew, Type: call.text("type"), Name: call.text("name"), Source: call.text("source"),
		Diagram: call.text("diagram"), Digest: call.text("digest"),
	}
	if overview, ok := call.Arguments.Get("overview"); ok {
		text, _ := overview.(string)
		given.Overview = &text
	}
	if call.Ask != nil {
		given.Ask = func(ctx context.Context, refused *engine.Refused) (*engine.Refused, error) {
			return askPerson(ctx, call.Ask, refused)
		}
	}
	saved, err := call.Runtime.SaveDefinition(ctx, given)
	if err != nil {
		return nil, told(err)
	}
	return definitionValue(saved, saving), nil
}

// extent is how much is told of a definition.
type extent int

const (
	listed extent = iota // in a list
	saving               // to its author, who has just saved it
	whole                // with its document
)

// definitionValue is a definition as an agent is told of it.
func definitionValue(d *engine.SavedDefinition, much extent) *value.Object {
	o := object("type", d.Type, "name", d.Name, "path", orNull(d.Path), "description", orNull(d.Description), "version", nil, "retired", d.Retired)
	if d.Version > 0 {
		o.Set("version", float64(d.Version))
	}
	if much != listed {
		o.Set("media_type", "text/markdown")
		o.Set("digest", d.Digest)
		o.Set("used_by", []value.Value{}) // no type of function that there is uses another
	}
	if much == whole {
		overview := d.Overview.Text
		if overview == "" {
			overview = d.Written
		}
		o.Set("source", d.Source)
		o.Set("overview", orNull(overview))
		o.Set("diagram", orNull(d.Overview.Diagram))
	}
	problems, warnings := []value.Value{}, []value.Value{}
	for _, p := range problem.Cut(problem.Refusals(d.Problems), problem.ShownProblems) {
		problems = append(problems, p.String())
	}
	for _, p := range d.Problems {
		if p.Severity == problem.Warning {
			warnings = append(warnings, p.String())
		}
	}
	o.Set("problems", problems)
	o.Set("warnings", warnings)
	return o
}

// noDefinition gives an error of a definition's name as a rejection; nil for any
// other error.
func noDefinition(err error) error {
	var (
		missing   *engine.NotFoundError
		ambiguous *engine.AmbiguousError
	)
	switch {
	case errors.As(err, &missing):
		detail := "This playbook has no definition " + missing.Name
		return problem.NewRejection(problem.NotFound, detail+problem.OrNear(missing.Name, missing.Known)+"; list_definitions shows those it has")
	case errors.As(err, &ambiguous):
		paths := ""
		for _, one := range ambiguous.Candidates {
			paths += ", " + one.Path
		}
		return problem.NewRejection(problem.Conflict, fmt.Sprintf("%s is more than one file of this playbook: %s; its keeper must rename all but one", ambiguous.Name, paths[2:]))
	}
	return nil
}
