package mcp

// This file is the operation on guides: texts that say how to work in a playbook,
// written for agents. What a table of the engine knows is put in from that table, so
// that a guide cannot say anything else than what documents are checked by.

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

//go:embed guides/*.md
var guideFiles embed.FS

// guides is the table of guides, in the order they are best read in.
var guides = []struct{ name, about string }{
	{"playbook", "How to work in a playbook: read this first"},
	{"reasoning", "Write a function that asks a model"},
	{"interaction", "Write a function that asks a person, an agent or a system, or for a sign-in"},
	{"lookup", "Write a function that reads from a system"},
	{"templates", "The template language: its rules, tags and filters"},
	{"schemas", "JSON Schema in documents: what may be used"},
	{"tools", "Find tools, try them, and name them in documents"},
	{"requests", "Requests that wait: show them, answer them, cancel them"},
	{"overview", "Write the overview and the diagram of a function"},
}

func guideOperations() []Operation {
	names := make([]string, len(guides))
	lines := make([]string, len(guides))
	for i, guide := range guides {
		names[i] = value.JSON(guide.name)
		lines[i] = guide.name + ": " + guide.about
	}
	return []Operation{{
		Name:  "get_guide",
		Title: "Read a guide",
		Description: "Gives a guide to working in this playbook, as Markdown. Read playbook before anything else, and the guide of a type before you write a function of that type: " +
			"the documents are checked strictly, and what is written from memory is refused. Without a name it lists the guides.",
		Input: `{"type":"object","additionalProperties":false,"properties":{
			"name":{"type":"string","enum":[` + strings.Join(names, ",") + `],"description":` + value.JSON(strings.Join(lines, ". ")) + `}}}`,
		Output: `{"type":"object","additionalProperties":false,"required":["name","text"],"properties":{
			"name":{"type":["string","null"]},
			"text":{"type":["string","null"],"description":"The guide, as Markdown"},
			"guides":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["name","about"],"properties":{"name":{"type":"string"},"about":{"type":"string"}}},"description":"Every guide there is, where none was named"}}}`,
		Reads: true, Idempotent: true,
		Do: getGuide,
	}}
}

func getGuide(_ context.Context, call *Call) (*value.Object, error) {
	var all []value.Value
	found := false
	name := call.text("name")
	for _, guide := range guides {
		all = append(all, object("name", guide.name, "about", guide.about))
		found = found || guide.name == name
	}
	if name == "" {
		return object("name", nil, "text", nil, "guides", all), nil
	}
	if !found {
		return nil, problem.NewRejection(problem.NotFound, "There is no guide "+name+"; get_guide without a name lists them")
	}
	text, err := guideFiles.ReadFile("guides/" + name + ".md")
	if err != nil {
		return nil, fmt.Errorf("reading the guide %s: %w", name, err)
	}
	return object("name", name, "text", filledIn(name, string(text), call.Runtime)), nil
}

// filledIn is a guide with its tables, and with what is true of this playbook.
func filledIn(name, text string, runtime *engine.Runtime) string {
	for _, kind := range definition.Types {
		text = put(text, "fields "+kind.Name, func(b *strings.Builder) { writeFields(b, "", kind.Fields) })
	}
	text = put(text, "tags", writeTags)
	text = put(text, "filters", writeFilters)
	text = put(text, "keywords", writeKeywords)
	if name == "reasoning" {
		if sentence := runtime.ModelSentence(); sentence != "" {
			text += "\n" + sentence + "\n"
		}
	}
	return text
}

// put writes in the place of a mark.
func put(text, mark string, write func(*strings.Builder)) string {
	before, after, has := strings.Cut(text, "<!-- "+mark+" -->\n")
	if !has {
		return text
	}
	var b strings.Builder
	b.WriteString(before)
	write(&b)
	b.WriteString(after)
	return b.String()
}

func writeFields(b *strings.Builder, above string, fields []definition.FieldText) {
	for _, field := range fields {
		required := ""
		if field.Required {
			required = " (required)"
		}
		fmt.Fprintf(b, "- `%s`%s: %s\n", above+field.Name, required, field.Takes)
		writeFields(b, above+field.Name+".", field.Within)
	}
}

func writeTags(b *strings.Builder) {
	for _, tag := range liquid.Tags {
		fmt.Fprintf(b, "- `%s`: %s\n", tag.Signature, tag.About)
	}
	writeRefused(b, liquid.RefusedTags)
}

func writeFilters(b *strings.Builder) {
	for _, filter := range liquid.Filters {
		written := filter.Name
		if filter.Signature != "" {
			written += ": " + filter.Signature
		}
		fmt.Fprintf(b, "- `%s`: %s\n", written, filter.About)
	}
	writeRefused(b, liquid.RefusedFilters)
}

func writeRefused(b *strings.Builder, refused []liquid.Refusal) {
	names := make([]string, len(refused))
	for i, word := range refused {
		names[i] = "`" + word.Name + "`"
	}
	b.WriteString("\nOther engines have these, and they are refused here: " + strings.Join(names, ", ") + ".\n")
}

func writeKeywords(b *strings.Builder) {
	var checked, unchecked, refused []string
	for _, keyword := range schema.Keywords() {
		name := "`" + keyword.Name + "`"
		switch {
		case keyword.Refused != "":
			refused = append(refused, name)
		case keyword.Checked:
			checked = append(checked, name)
		default:
			unchecked = append(unchecked, name)
		}
	}
	fmt.Fprintf(b, "- Values are checked by %s.\n- Allowed, and checked by nobody: %s.\n- Refused: %s.\n",
		strings.Join(checked, ", "), strings.Join(unchecked, ", "), strings.Join(refused, ", "))
}
