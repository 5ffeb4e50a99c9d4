package cli

// This file is auto render.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint"
	"github.com/beonauto/auto/lint/report"
)

// previewRun is the run id that a rendered delivery reads: no run is made.
const previewRun = "preview"

type renderFlags struct {
	inputFlags
	now      string
	typeName string
	asJSON   bool
}

func newRender(a *app) *cobra.Command {
	var flags renderFlags
	command := &cobra.Command{
		Use:   "render NAME|FILE",
		Short: "Print what a run would send, without sending it",
		Long: "Render a definition's templates from an input, offline: for a reasoning function the\n" +
			"instructions and the message, for an interaction its party, its message and the\n" +
			"arguments of its call or delivery.\n\n" +
			"NAME is a definition of the playbook around the working folder, such as review or\n" +
			"reasoning/review. FILE is a path, or - for standard input beside --type.\n\n" +
			"An input or a document that a run would reject is reported as the run would report it,\n" +
			"and exits with 1.",
		Example: "  auto render review --input @inputs/review.json\n" +
			"  auto render reasoning/review --set brief=@brief.md --set criteria='One goal'\n" +
			"  auto render review --input '{\"brief\": \"…\"}' --json | jq -r .message\n" +
			"  auto render drafts/review.reasoning.md --input - --now 2026-11-01 < input.json",
		Args:              arguments(1, 1, "a definition: its name, a file or -"),
		ValidArgsFunction: first(a.definitions),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.render(flags, args[0])
		},
	}
	set := command.Flags()
	flags.add(set)
	set.StringVar(&flags.now, "now", "", "the `TIME` of the run, such as 2026-11-01 or 2026-11-01T09:30:00Z")
	set.StringVar(&flags.typeName, "type", "", "render the document as this `TYPE`: "+problem.AnyOf(engine.Types()))
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: what would be sent, or the rejection")
	command.RegisterFlagCompletionFunc("type", types)
	command.RegisterFlagCompletionFunc("now", fixed())
	command.RegisterFlagCompletionFunc("set", a.inputFields)
	return command
}

func (a *app) render(flags renderFlags, argument string) error {
	if err := checkType(flags.typeName); err != nil {
		return err
	}
	moment, err := a.moment(flags.now)
	if err != nil {
		return err
	}
	if argument == "-" && flags.readsStdin() > 0 {
		return usage("Standard input cannot be both the document and its input")
	}
	document, err := a.document(argument, flags.typeName)
	if err != nil {
		return err
	}
	input, err := a.inputOf(document, flags.inputFlags)
	if err != nil {
		return a.refused(err, flags.asJSON)
	}
	request := engine.Request{Name: document.name, RunID: previewRun, Moment: moment}
	rendering, err := engine.Render(document.source, document.typeName, input, request)
	switch {
	case err != nil:
		return a.refused(err, flags.asJSON)
	case flags.asJSON:
		return printValue(a.Out, renderingValue(rendering))
	}
	return a.printRendering(rendering)
}

// moment reads --now; left out, it is the clock's.
func (a *app) moment(written string) (time.Time, error) {
	if written == "" {
		return a.Now().UTC(), nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		moment, err := time.Parse(layout, written)
		// An offset may lead past the years that are written with four digits.
		if moment = moment.UTC(); err == nil && moment.Year() >= 0 && moment.Year() <= 9999 {
			return moment, nil
		}
	}
	return time.Time{}, usage("--now: Expected a date or a time such as 2026-11-01 or 2026-11-01T09:30:00Z")
}

// document is a definition's source with what its path tells.
type document struct {
	source   []byte
	typeName string
	name     string
	playbook string // the folder of its playbook, empty when it is in none
}

// document reads the document that a command's argument stands for: standard
// input, a file, or the definition of a name.
func (a *app) document(argument, typeName string) (*document, error) {
	if argument == "-" {
		if typeName == "" {
			return nil, usage("Expected --type beside -, which tells the type of the document")
		}
		source, err := readBounded(a.In)
		if err != nil {
			return nil, fmt.Errorf("reading standard input: %w", err)
		}
		return &document{source: source, typeName: typeName}, nil
	}
	path := a.path(argument)
	info, err := os.Stat(path)
	if (err != nil || info.IsDir()) && !strings.HasSuffix(argument, ".md") {
		return a.named(argument, typeName)
	}
	place, err := engine.Identify(path)
	switch {
	case typeName != "":
		place.Type = typeName
	case err != nil:
		return nil, &lint.ArgumentError{Path: argument, Reason: lint.UntoldType()}
	}
	return a.documentAt(path, argument, place)
}

// named reads the definition of a name.
func (a *app) named(name, typeName string) (*document, error) {
	path, place, err := engine.FindDefinition(a.folder(), name)
	var missing *engine.NotFoundError
	var ambiguous *engine.AmbiguousError
	switch {
	case errors.As(err, &missing):
		return nil, unmet("No definition is named %s%s", name, nearDefinition(name, missing.Known))
	case errors.As(err, &ambiguous):
		return nil, unmet("%s", ambiguous.Error())
	case err != nil:
		return nil, err
	}
	if typeName != "" {
		place.Type = typeName
	}
	return a.documentAt(path, path, place)
}

// nearDefinition ends the message about a name that no definition has. The
// names are known as type/name, and a caller may have left the type out.
func nearDefinition(name string, known []string) string {
	if len(known) == 0 {
		return "; the folder holds no definitions"
	}
	if strings.Contains(name, "/") {
		return didYouMean(name, "", known)
	}
	bare := make([]string, len(known))
	for i, one := range known {
		_, bare[i], _ = strings.Cut(one, "/")
	}
	return didYouMean(name, "", bare)
}

func (a *app) documentAt(path, shown string, place engine.Place) (*document, error) {
	source, err := readFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &lint.ArgumentError{Path: shown, Reason: "No such file"}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: Cannot be read: %w", shown, lint.WithoutPath(err))
	}
	name := place.Name
	if name == "" {
		name = nameOf(path)
	}
	return &document{source: source, typeName: place.Type, name: name, playbook: place.Playbook}, nil
}

// nameOf is the name of a document whose path gives none: the file's own, up to
// its first dot.
func nameOf(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	if name == "" {
		return "unnamed"
	}
	return name
}

// readBounded reads what a command reads whole. More than the bound is an
// error: nothing of that size is a document or an input.
func readBounded(from io.Reader) ([]byte, error) {
	return bounded(io.ReadAll(io.LimitReader(from, lint.MaxFileBytes+1)))
}

// readFile is readBounded for a file.
func readFile(path string) ([]byte, error) {
	return bounded(engine.ReadFile(path, lint.MaxFileBytes))
}

func bounded(text []byte, err error) ([]byte, error) {
	if err == nil && len(text) > lint.MaxFileBytes {
		return nil, fmt.Errorf("Expected at most %d MiB", lint.MaxFileBytes>>20)
	}
	return text, err
}

// renderingValue is the rendering as --json prints it.
func renderingValue(r *engine.Rendering) value.Value {
	object := value.NewObject(4)
	if r.ToModel {
		object.Set("instructions", textOrNull(r.Instructions))
		object.Set("message", textOrNull(r.Message))
		return object
	}
	object.Set("party", textOrNull(r.Party))
	object.Set("answerer", textOrNull(r.Answerer))
	object.Set("message", textOrNull(r.Message))
	object.Set("tool", nil)
	object.Set("arguments", nil)
	if r.Tool != nil {
		object.Set("tool", r.Tool.String())
		object.Set("arguments", r.Arguments)
	}
	return object
}

func textOrNull(text *string) value.Value {
	if text == nil {
		return nil
	}
	return *text
}

// section is a text under its heading.
func (a *app) section(heading, text string) string {
	return report.Paint(a.useColour(), report.Bold, "# "+heading) + "\n\n" + a.printable(text) + "\n"
}

// printRendering prints each part of a rendering under its heading.
func (a *app) printRendering(r *engine.Rendering) error {
	var parts []string
	add := func(heading string, text *string) {
		if text != nil {
			parts = append(parts, a.section(heading, *text))
		}
	}
	add("To", r.Party)
	if r.Party == nil || r.Answerer == nil || *r.Answerer != *r.Party {
		add("Answered by", r.Answerer)
	}
	add("Instructions", r.Instructions)
	add("Message", r.Message)
	if r.Tool != nil {
		arguments := value.IndentedJSON(r.Arguments, "  ")
		add("Arguments of "+r.Tool.String(), &arguments)
	}
	_, err := io.WriteString(a.Out, strings.Join(parts, "\n"))
	return err
}
