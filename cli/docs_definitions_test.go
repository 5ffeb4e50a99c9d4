package cli_test

// This file writes docs/definitions.md from the tables that the engine checks
// documents by, so that the page can say nothing else.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

const definitionsPage = "docs/definitions.md"

// TestDocsDefinitions writes one part of the page after the other.
func TestDocsDefinitions(t *testing.T) {
	t.Parallel()
	between(t, definitionsPage, "fields", fields())
	between(t, definitionsPage, "provider options", providerOptions())
	between(t, definitionsPage, "tags", tags())
	between(t, definitionsPage, "filters", filters())
	between(t, definitionsPage, "keywords", keywords())
}

// cell is a sentence as it stands in a table of Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text)
}

// code is text in a cell as code; nothing for an empty one.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.NewReplacer("|", `\|`, "\n", "⏎").Replace(text) + "`"
}

func fields() string {
	var b strings.Builder
	for _, kind := range definition.Types {
		fmt.Fprintf(&b, "\n### %s\n\n%s.\n\n| Key | Required | What it takes |\n| --- | --- | --- |\n", kind.Name, kind.About)
		writeFields(&b, "", kind.Fields)
	}
	b.WriteString("\n")
	return b.String()
}

// writeFields writes a row for each key of a mapping and for those within it.
func writeFields(b *strings.Builder, above string, fields []definition.FieldText) {
	for _, field := range fields {
		required := ""
		if field.Required {
			required = "yes"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", above+field.Name, required, cell(field.Takes))
		writeFields(b, above+field.Name+".", field.Within)
	}
}

func providerOptions() string {
	var b strings.Builder
	b.WriteString("\n| Namespace | Read for the models of | Options |\n| --- | --- | --- |\n")
	for _, namespace := range definition.Namespaces {
		options := make([]string, len(namespace.Options))
		for i, option := range namespace.Options {
			options[i] = code(option.Name)
			if option.Within != nil {
				options[i] += " of " + strings.Join(option.Within, ", ")
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", namespace.Name, namespace.Read, strings.Join(options, ", "))
	}
	b.WriteString("\n")
	return b.String()
}

func tags() string {
	var b strings.Builder
	b.WriteString("\n| Tag | What it does | Example | Renders |\n| --- | --- | --- | --- |\n")
	for _, tag := range liquid.Tags {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(tag.Signature), cell(tag.About), code(tag.Example), code(tag.Output))
	}
	writeRefusals(&b, liquid.RefusedTags)
	return b.String()
}

func filters() string {
	var b strings.Builder
	b.WriteString("\n| Filter | Arguments | What it gives | Example | Renders |\n| --- | --- | --- | --- | --- |\n")
	for _, filter := range liquid.Filters {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n",
			filter.Name, code(filter.Signature), cell(filter.About), code(filter.Example), code(filter.Output))
	}
	writeRefusals(&b, liquid.RefusedFilters)
	return b.String()
}

// writeRefusals lists the words of other Liquid engines that are refused, those
// with one reason together.
func writeRefusals(b *strings.Builder, refused []liquid.Refusal) {
	var reasons []string
	words := map[string][]string{}
	for _, word := range refused {
		if words[word.Reason] == nil {
			reasons = append(reasons, word.Reason)
		}
		words[word.Reason] = append(words[word.Reason], code(word.Name))
	}
	b.WriteString("\nNot available, though other engines have them:\n\n")
	for _, reason := range reasons {
		fmt.Fprintf(b, "- %s: %s\n", strings.Join(words[reason], ", "), reason)
	}
	b.WriteString("\n")
}

func keywords() string {
	var checked, unchecked []string
	var refused strings.Builder
	for _, keyword := range schema.Keywords() {
		switch {
		case keyword.Refused != "":
			fmt.Fprintf(&refused, "| `%s` | %s |\n", keyword.Name, cell(keyword.Refused))
		case keyword.Checked:
			checked = append(checked, code(keyword.Name))
		default:
			unchecked = append(unchecked, code(keyword.Name))
		}
	}
	return fmt.Sprintf(`
Values are checked by %s.

Allowed, and checked by nobody: %s.

| Refused | What to do, or why |
| --- | --- |
%s
`, strings.Join(checked, ", "), strings.Join(unchecked, ", "), refused.String())
}

// TestDocsInputOfTheExamples renders each example over the input that the page
// gives, and wants what it says.
func TestDocsInputOfTheExamples(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, definitionsPage))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```json\n")
	written, _, _ := strings.Cut(rest, "```\n")
	input, err := value.ParseJSON([]byte(written), 100)
	if err != nil {
		t.Fatalf("the input of the examples: %v", err)
	}
	variables := map[string]value.Value{"input": input, "today": "2026-10-01", "now": "2026-10-01T12:00:00.000Z"}
	wants := map[string]string{}
	for _, tag := range liquid.Tags {
		wants[tag.Example] = tag.Output
	}
	for _, filter := range liquid.Filters {
		wants[filter.Example] = filter.Output
	}
	for example, want := range wants {
		template, problems := liquid.Parse(example, liquid.Options{System: true})
		if len(problems) > 0 {
			t.Errorf("%s: %v", example, problems)
			continue
		}
		if rendered, err := template.Render(variables, liquid.Limits{}); err != nil || rendered.Message != want {
			t.Errorf("%s gives %q, %v; want %q", example, rendered.Message, err, want)
		}
	}
}
