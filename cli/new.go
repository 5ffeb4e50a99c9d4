package cli

// This file is auto new.

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint/report"
)

func newNew(a *app) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "new " + strings.Join(newTypes(), "|") + " NAME",
		Short: "Add a function to the playbook",
		Long: "Write the document of a new function to the playbook around the working folder, as\n" +
			"<type>/<name>.md. NAME holds lowercase letters, digits and hyphens and starts with a\n" +
			"letter. A document that is there already stays as it is.",
		Example: "  auto new reasoning review-brief\n" +
			"  auto new interaction approve-brief\n" +
			"  auto new lookup read-note",
		Args: newArguments,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return newTypes(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.new(args[0], args[1], asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON value: the path, the type and the name")
	return command
}

// newArguments wants a type and a name. A name without a type is told the types.
func newArguments(command *cobra.Command, args []string) error {
	if len(args) == 1 && !slices.Contains(newTypes(), args[0]) {
		return unknownType(args[0])
	}
	return arguments(2, 2, "a type: "+problem.AnyOf(newTypes()), "a name")(command, args)
}

func unknownType(typeName string) error {
	meant := didYouMean(typeName, "", newTypes())
	if meant == "" {
		meant = "; expected " + problem.AnyOf(newTypes())
	}
	return usage("Unknown type %s%s", typeName, meant)
}

func (a *app) new(typeName, name string, asJSON bool) error {
	text, known := newDocument(typeName, name)
	if !known {
		return unknownType(typeName)
	}
	file, expected := engine.PathOfNew(typeName, name)
	if expected != "" {
		return usage("%s, found %s", expected, name)
	}
	root, ok := engine.PlaybookRoot(a.folder())
	if !ok {
		return unmet("%s; make one with auto init", inNoPlaybook("The working folder"))
	}
	var missing *engine.NotFoundError
	if path, _, err := engine.FindDefinition(root, typeName+"/"+name); !errors.As(err, &missing) {
		if err != nil {
			return err
		}
		return unmet("%s is there already", a.shown(path))
	}
	path := filepath.Join(root, filepath.FromSlash(file))
	err := a.create(path, text)
	switch {
	case errors.Is(err, fs.ErrExist):
		return unmet("%s is there already", a.shown(path))
	case err != nil:
		return err
	}
	if asJSON {
		return printJSON(a.Out, struct {
			Path string `json:"path"`
			Type string `json:"type"`
			Name string `json:"name"`
		}{a.shown(path), typeName, name})
	}
	shown := a.shown(path)
	_, err = fmt.Fprintf(a.Out, "Created %s\n\nNext:\n  edit %s\n  auto lint %s\n", report.Visible(shown), shellWord(shown), shellWord(shown))
	return err
}

// shown is a path as a reader in the working folder would write it.
func (a *app) shown(path string) string {
	folder, err := filepath.Abs(a.folder())
	if err == nil {
		if relative, err := filepath.Rel(folder, path); err == nil {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}

// shellWord quotes a word for a shell where it needs it.
func shellWord(word string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:@%+=,", c)
	}
	if word != "" && strings.IndexFunc(word, func(c rune) bool { return !plain(c) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(report.Visible(word), "'", `'\''`) + "'"
}
