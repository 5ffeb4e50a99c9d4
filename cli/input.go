package cli

// This file reads the input of a run from --input and --set.

import (
	"errors"
	"fmt"
	"os"
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

// given is an input as it was written: what --input gives, and the fields to set in
// it, which a schema may say how to read.
type given struct {
	value  value.Value
	fields []assignment
}

// by gives the input with each field set in turn, as the schema reads it.
func (g given) by(schema value.Value) (value.Value, error) {
	return assigned(g.value, schema, g.fields)
}

// inputOf gives the input of a run of a document, which says how its fields are
// read.
func (a *app) inputOf(of *document, flags inputFlags) (value.Value, error) {
	input, err := a.input(flags)
	if err != nil || len(input.fields) == 0 {
		return input.value, err
	}
	return input.by(engine.InputSchema(of.source, of.typeName))
}

// input reads the input of a run: the value of --input, an empty object when left
// out, and each --set.
func (a *app) input(flags inputFlags) (given, error) {
	input := given{value: value.NewObject(0)}
	if flags.readsStdin() > 1 {
		return input, usage("Standard input is read once: only one flag can take it")
	}
	if flags.input != "" {
		var err error
		if input.value, err = a.json("--input", flags.input, checkInputText); err != nil {
			return input, err
		}
	}
	for _, written := range flags.set {
		if path, _, ok := strings.Cut(written, "="); !ok || path == "" {
			return input, usage("--set %s: Expected path=value", written)
		}
		field, err := a.assignment("--set ", written, checkInputText)
		if err != nil {
			return input, err
		}
		input.fields = append(input.fields, field)
	}
	return input, nil
}

// json reads a flag that takes JSON. The check refuses its text before it is read.
func (a *app) json(flag, written string, check func(where string, text []byte) error) (value.Value, error) {
	text, where, err := a.text(flag, written)
	if err != nil {
		return nil, err
	}
	if err := check(where, text); err != nil {
		return nil, err
	}
	read, err := value.ParseJSON(text, deepestInput)
	if err == nil {
		return read, nil
	}
	if info, notThere := os.Stat(a.path(written)); notThere == nil && info.Mode().IsRegular() {
		return nil, usage("%s: Expected JSON; write @%s for what the file holds", flag, written)
	}
	if where == flag && !strings.ContainsAny(written, "{[\"") {
		return nil, usage("%s: Expected JSON, or @ and the path of a file that holds it", flag)
	}
	return nil, badJSON(where, err)
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

// checkInputText refuses text before it is read: what is no UTF-8, and what is
// larger than any input, which a run rejects.
func checkInputText(where string, text []byte) error {
	if err := checkText(where, text); err != nil {
		return err
	}
	return engine.CheckInputSize(text)
}

// checkText refuses text that is no UTF-8, which would come through changed.
func checkText(where string, text []byte) error {
	if !utf8.Valid(text) {
		return unmet("%s: Expected text in UTF-8", where)
	}
	return nil
}
