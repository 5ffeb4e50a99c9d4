package cli

// This file reads the input of a run from --input and --set.

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint"
)

// deepestInput is how many levels of objects and lists are read. It is past
// what a run takes, so that the run's own check says what is wrong.
const deepestInput = 1_000

// inputFlags are the flags that an input is given by.
type inputFlags struct {
	input string
	set   []string
}

func (flags *inputFlags) add(set *pflag.FlagSet) {
	set.StringVar(&flags.input, "input", "", "the input: `JSON`, @file for a file of JSON, or - for standard input")
	set.StringArrayVar(&flags.set, "set", nil, "set one field of the input: `path=value`, or path=@file (repeatable)")
}

// readsStdin counts how many of the flags read standard input.
func (flags inputFlags) readsStdin() int {
	count := 0
	if flags.input == "-" || flags.input == "@-" {
		count++
	}
	for _, assignment := range flags.set {
		if _, text, _ := strings.Cut(assignment, "="); text == "@-" {
			count++
		}
	}
	return count
}

// input gives the input of a run: the value of --input, an empty object when
// left out, with each --set assigned in turn.
func (a *app) input(flags inputFlags) (value.Value, error) {
	written, set := flags.input, flags.set
	if flags.readsStdin() > 1 {
		return nil, usage("Standard input is read once: only one flag can take it")
	}
	input := value.Value(value.NewObject(0))
	if written != "" {
		text, where, err := a.text("--input", written)
		if err != nil {
			return nil, err
		}
		if err := checkInputText(where, text); err != nil {
			return nil, err
		}
		if input, err = value.ParseJSON(text, deepestInput); err != nil {
			if info, notThere := os.Stat(a.path(written)); notThere == nil && info.Mode().IsRegular() {
				return nil, usage("--input: Expected JSON; write @%s for what the file holds", written)
			}
			return nil, badJSON(where, err)
		}
	}
	for _, assignment := range set {
		path, text, ok := strings.Cut(assignment, "=")
		if !ok || path == "" {
			return nil, usage("--set %s: Expected path=value", assignment)
		}
		field, err := a.field(path, text)
		if err != nil {
			return nil, err
		}
		if input, err = assign(input, splitPath(path), field); err != nil {
			return nil, usage("--set %s: %s", path, err)
		}
	}
	return input, nil
}

// text gives the text that a flag's value stands for, a file's or standard
// input's where it names one, with a name for it in messages.
func (a *app) text(flag, written string) (text []byte, where string, err error) {
	file, isFile := strings.CutPrefix(written, "@")
	switch {
	case written == "-" || file == "-" && isFile:
		text, err = readBounded(a.In)
		where = "standard input"
	case file == "" && isFile:
		return nil, flag, usage("%s: Expected the path of a file after @", flag)
	case isFile:
		where = file
		text, err = readFile(a.path(file))
	default:
		return []byte(written), flag, nil
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, where, unmet("%s: No such file as %s", flag, where)
	}
	if err != nil {
		return nil, where, fmt.Errorf("%s: Cannot be read: %w", where, lint.WithoutPath(err))
	}
	return text, where, nil
}

func badJSON(where string, err error) error {
	var syntax *value.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return unmet("%s, line %d, column %d: Expected JSON: %s", where, syntax.Line, syntax.Column, syntax.Reason)
	case errors.Is(err, value.ErrTooDeep):
		return unmet("%s: Expected JSON of at most %d levels", where, deepestInput)
	}
	return err
}

// field gives the value of one --set: the JSON it is, else its text. @file
// stands for what the file holds.
func (a *app) field(path, written string) (value.Value, error) {
	text := []byte(written)
	if strings.HasPrefix(written, "@") {
		var err error
		if text, _, err = a.text("--set "+path, written); err != nil {
			return nil, err
		}
	}
	if err := checkInputText("--set "+path, text); err != nil {
		return nil, err
	}
	if parsed, err := value.ParseJSON(text, deepestInput); err == nil {
		return parsed, nil
	}
	return string(text), nil
}

// checkInputText refuses text before it is read: what is no UTF-8, which would
// come through changed, and what is larger than any input, which a run rejects.
func checkInputText(where string, text []byte) error {
	if !utf8.Valid(text) {
		return unmet("%s: Expected text in UTF-8", where)
	}
	return engine.CheckInputSize(text)
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
