package engine

// This file writes the overview of a reasoning function from its document, for one
// whose author gave none (reasoning format, "The overview").

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/value"
)

// mostProse is the most characters of the instructions, and of the message, that an
// overview holds.
const mostProse = 8192

// writtenOverview is what a document says of itself in plain words; empty for one
// that does not stand or is of another type.
func writtenOverview(d *definition.Definition, name string) string {
	if d == nil {
		return ""
	}
	function, ok := d.Function.(*definition.Reasoning)
	if !ok {
		return ""
	}
	w := &overviewWriter{}
	if d.Description != "" {
		w.paragraph(d.Description)
	} else {
		w.paragraph("This function has no description yet.")
	}
	w.needs(d.Input)
	w.gives(function)
	w.asks(function, name)
	instructions, message := function.Template.Prose()
	if instructions != nil {
		w.told("What the model is told, as instructions", instructions, function.Template)
	}
	w.told("What the model is asked", message, function.Template)
	return strings.TrimSpace(w.String())
}

type overviewWriter struct{ strings.Builder }

func (w *overviewWriter) paragraph(text string) { w.WriteString(text + "\n\n") }

func (w *overviewWriter) needs(input definition.Input) {
	properties := value.Value(nil)
	if input.Schema != nil {
		properties, _ = value.Lookup(input.Schema.Value(), "/properties")
	}
	fields, _ := properties.(*value.Object)
	if fields.Len() == 0 {
		w.paragraph("**It needs** no input that it names.")
		return
	}
	w.paragraph("**It needs**")
	w.fields(input.Schema.Value(), input.Default)
	w.WriteString("\n")
}

// fields writes a line for each property of an object's schema, with its default.
func (w *overviewWriter) fields(of value.Value, defaults *value.Object) {
	found, _ := value.Lookup(of, "/properties")
	properties, _ := found.(*value.Object)
	required, _ := value.Lookup(of, "/required")
	names, _ := required.([]value.Value)
	for i := range properties.Len() {
		key, property := properties.At(i)
		line := "- **" + key + "**: " + kindInWords(property, fieldLevels)
		needed := false
		for _, name := range names {
			needed = needed || name == key
		}
		if given, has := defaults.Get(key); has {
			line += "; " + plainly(given) + " when left out"
		} else if !needed {
			line += "; may be left out"
		}
		if about, ok := textAt(property, "/description"); ok {
			line += ". " + strings.TrimSuffix(strings.Join(strings.Fields(about), " "), ".")
		}
		w.WriteString(line + ".\n")
	}
}

func (w *overviewWriter) gives(function *definition.Reasoning) {
	switch {
	case !function.Output.JSON:
		w.paragraph("**It gives** text.")
	case function.Output.Shape != nil:
		w.paragraph("**It gives** " + shapeInWords[function.Output.Shape.Name()] + ".")
	case function.Output.Schema != nil:
		written := function.Output.Schema.Value()
		if properties, _ := value.Lookup(written, "/properties"); properties == nil {
			w.paragraph("**It gives** " + kindInWords(written, fieldLevels) + ".")
			return
		}
		w.paragraph("**It gives**")
		w.fields(written, nil)
		w.WriteString("\n")
	}
}

// shapeInWords says what an answer of each output shape is.
var shapeInWords = map[string]string{
	"series":     "lines over time, each with its points in order",
	"categories": "named values, to be compared",
	"table":      "a table of columns and rows",
	"text":       "a text, as JSON",
}

func (w *overviewWriter) asks(function *definition.Reasoning, name string) {
	if len(function.Tools) == 0 {
		w.paragraph("**It asks** the model " + function.Model + ".")
		return
	}
	var tools []string
	for _, tool := range function.Tools {
		if tool.Name == definition.EveryTool {
			tools = append(tools, "every tool of "+tool.Server)
		} else {
			tools = append(tools, tool.String())
		}
	}
	w.paragraph("**It asks** the model " + function.Model + ", which may call " + listed(tools) + ".")
	w.WriteString("```mermaid\nflowchart TD\n  function[\"" + quoted(name) + "\"] --> model[\"" + quoted(function.Model) + "\"]\n")
	for i, tool := range tools {
		fmt.Fprintf(w, "  model --> tool%d[\"%s\"]\n", i+1, quoted(tool))
	}
	w.WriteString("```\n\n")
}

// quoted is a text as a label of Mermaid holds it.
func quoted(text string) string { return strings.NewReplacer(`"`, "#quot;", "\n", " ").Replace(text) }

// listed lists names as a sentence does.
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// told writes a part of the template, cut past mostProse characters.
func (w *overviewWriter) told(heading string, prose liquid.Prose, template *definition.Template) {
	whole := prose.String()
	if whole == "" {
		return
	}
	w.paragraph("**" + heading + "**")
	if utf8.RuneCountInString(whole) <= mostProse {
		w.paragraph(whole)
		return
	}
	room := mostProse
	for _, piece := range prose {
		characters := []rune(piece.Text)
		if len(characters) <= room {
			w.WriteString(piece.Text)
			room -= len(characters)
			continue
		}
		shown := string(characters[:room])
		w.WriteString(shown)
		line := template.Line(piece.Line + strings.Count(shown, "\n"))
		w.paragraph(fmt.Sprintf("…\n\n_It goes on in line %d of the document._", line))
		return
	}
}

// fieldLevels is how many levels of lists and objects a sentence tells.
const fieldLevels = 2

// kindInWords says what a schema takes, such as whole number from 1 to 10.
func kindInWords(of value.Value, levels int) string {
	if choices, _ := value.Lookup(of, "/enum"); choices != nil {
		if list, ok := choices.([]value.Value); ok {
			words := make([]string, len(list))
			for i, choice := range list {
				words[i] = plainly(choice)
			}
			return "one of " + strings.Join(words, ", ")
		}
	}
	if only, has := value.Lookup(of, "/const"); has {
		return plainly(only)
	}
	kind, _ := value.Lookup(of, "/type")
	var kinds []string
	switch given := kind.(type) {
	case string:
		kinds = []string{given}
	case []value.Value:
		for _, one := range given {
			if text, ok := one.(string); ok {
				kinds = append(kinds, text)
			}
		}
	}
	if len(kinds) == 0 {
		return "anything"
	}
	var words []string
	for _, kind := range kinds {
		words = append(words, oneKind(kind, of, levels))
	}
	return strings.Join(words, " or ")
}

func oneKind(kind string, of value.Value, levels int) string {
	switch kind {
	case "string":
		return "text" + bounds(of, "/minLength", "/maxLength", "character")
	case "number":
		return "number" + bounds(of, "/minimum", "/maximum", "")
	case "integer":
		return "whole number" + bounds(of, "/minimum", "/maximum", "")
	case "boolean":
		return "yes or no"
	case "null":
		return "nothing"
	case "array":
		items, _ := value.Lookup(of, "/items")
		if items == nil || levels == 0 {
			return "list" + bounds(of, "/minItems", "/maxItems", "item")
		}
		return "list" + bounds(of, "/minItems", "/maxItems", "item") + ", each " + kindInWords(items, levels-1)
	}
	found, _ := value.Lookup(of, "/properties")
	properties, _ := found.(*value.Object)
	if properties.Len() == 0 || levels == 0 {
		return "object"
	}
	return "object of " + listed(properties.Keys())
}

// bounds says how little and how much is taken, such as of 1 to 5 items.
func bounds(of value.Value, low, high, unit string) string {
	least, hasLeast := value.Lookup(of, low)
	most, hasMost := value.Lookup(of, high)
	counted := func(number value.Value) string {
		words := plainly(number)
		switch {
		case unit == "":
		case words == "1":
			words += " " + unit
		default:
			words += " " + unit + "s"
		}
		return words
	}
	from := " of "
	if unit == "" {
		from = " from "
	}
	switch {
	case hasLeast && hasMost:
		return from + plainly(least) + " to " + counted(most)
	case hasLeast:
		return " of at least " + counted(least)
	case hasMost:
		return " of at most " + counted(most)
	}
	return ""
}

// plainly is a value as a sentence holds it: a text without its quotes.
func plainly(v value.Value) string {
	if text, ok := v.(string); ok {
		return text
	}
	return value.JSON(v)
}

func textAt(v value.Value, pointer string) (string, bool) {
	found, _ := value.Lookup(v, pointer)
	text, ok := found.(string)
	return text, ok && strings.TrimSpace(text) != ""
}
