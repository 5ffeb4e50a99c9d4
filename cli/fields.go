package cli

// This file sets single fields of a value, each by its path, as a schema reads it:
// of a run's input, of a tool's arguments and of an answer.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

// assignment is a field and the text that was typed for it.
type assignment struct {
	where string // what messages call it
	path  []string
	text  string
}

// assignment reads path=value, where @file stands for what the file holds. The flag
// is what stands before it in messages. The check refuses a text.
func (a *app) assignment(flag, written string, check func(where string, text []byte) error) (assignment, error) {
	path, typed, _ := strings.Cut(written, "=")
	field := assignment{where: flag + path, path: splitPath(path)}
	text := []byte(typed)
	if strings.HasPrefix(typed, "@") {
		var err error
		if text, _, err = a.text(field.where, typed); err != nil {
			return field, err
		}
	}
	field.text = string(text)
	return field, check(field.where, text)
}

// assigned gives v with each field set in turn, as the schema reads it; nil reads
// what is JSON as JSON.
func assigned(v, schema value.Value, fields []assignment) (value.Value, error) {
	for _, field := range fields {
		var err error
		if v, err = withLists(v, schema, field.path); err != nil {
			return nil, usage("%s: %s", field.where, err)
		}
		if v, err = assign(v, field.path, engine.Typed(schema, field.path, field.text)); err != nil {
			return nil, usage("%s: %s", field.where, err)
		}
	}
	return v, nil
}

// withLists gives a value with an empty list where a path leads into a list that is
// not there yet.
func withLists(v, schema value.Value, path []string) (value.Value, error) {
	pointer := ""
	for i := 1; i < len(path); i++ {
		pointer = value.Join(pointer, path[i-1])
		if _, there := value.Lookup(v, pointer); there || !engine.IsListField(schema, path[:i], path[i]) {
			continue
		}
		var err error
		if v, err = assign(v, path[:i], []value.Value{}); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// splitPath splits a dotted path into its names. A backslash lets a dot stand
// in a name.
func splitPath(path string) []string {
	var names []string
	var name strings.Builder
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '\\' && i+1 < len(path) && (path[i+1] == '.' || path[i+1] == '\\'):
			i++
			name.WriteByte(path[i])
		case path[i] == '.':
			names = append(names, name.String())
			name.Reset()
		default:
			name.WriteByte(path[i])
		}
	}
	return append(names, name.String())
}

// assign gives v with a field set, making the objects on the way. In a list a
// name is an index, at most the list's length.
func assign(v value.Value, path []string, field value.Value) (value.Value, error) {
	if len(path) == 0 {
		return field, nil
	}
	switch within := v.(type) {
	case nil:
		return assign(value.NewObject(1), path, field)
	case *value.Object:
		old, _ := within.Get(path[0])
		next, err := assign(old, path[1:], field)
		if err != nil {
			return nil, err
		}
		within.Set(path[0], next)
		return within, nil
	case []value.Value:
		index, err := strconv.Atoi(path[0])
		if err != nil || index < 0 || index > len(within) {
			return nil, fmt.Errorf("Expected an index from 0 to %d where it says %s", len(within), path[0])
		}
		var old value.Value
		if index < len(within) {
			old = within[index]
		}
		next, err := assign(old, path[1:], field)
		if err != nil {
			return nil, err
		}
		if index == len(within) {
			return append(within, next), nil
		}
		within[index] = next
		return within, nil
	}
	return nil, fmt.Errorf("Expected an object or a list where %s is set, found a %s", path[0], value.TypeName(v))
}

// fieldWords completes path=value: the fields of a schema that are not among those
// given, and after = the choices of one.
func fieldWords(fields []engine.Field, given []string, typed string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	name, text, chosen := strings.Cut(typed, "=")
	if strings.HasPrefix(text, "@") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var words []string
	for i := range fields {
		field := &fields[i]
		switch {
		case strings.Contains(field.Name, "[") || report.Visible(field.Name) != field.Name:
		case !chosen && !isTyped(given, field.Name):
			words = append(words, field.Name+"=\t"+report.Visible(choiceText(field)))
		case chosen && field.Name == name:
			for _, choice := range fieldChoices(field) {
				if report.Visible(choice) == choice {
					words = append(words, name+"="+choice)
				}
			}
		}
	}
	if !chosen {
		return words, directive | cobra.ShellCompDirectiveNoSpace
	}
	return words, directive
}

// isTyped tells whether a field is among those that were typed.
func isTyped(fields []string, name string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(field, name+"=") })
}

func fieldChoices(field *engine.Field) []string {
	if field.Type == "boolean" && len(field.Choices) == 0 {
		return []string{"true", "false"}
	}
	choices := make([]string, len(field.Choices))
	for i, choice := range field.Choices {
		choices[i] = plain(choice)
	}
	return choices
}

// inputFields completes --set of a command whose first argument is a document.
func (a *app) inputFields(command *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	typeName, _ := command.Flags().GetString("type")
	if len(args) == 0 || args[0] == "-" || checkType(typeName) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	document, err := a.document(args[0], typeName)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	given, _ := command.Flags().GetStringArray("set")
	return fieldWords(engine.Fields(engine.InputSchema(document.source, document.typeName)), given, typed)
}
