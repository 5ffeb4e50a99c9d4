package cli

// This file is auto init.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/lint"
	"github.com/beonauto/auto/lint/report"
)

// firstFiles are what a new playbook holds.
var firstFiles = []struct{ path, text string }{
	{engine.SettingsFile, settingsTemplate},
	{"reasoning/review.md", firstReasoning},
	{"interaction/approve.md", firstInteraction},
	{".gitignore", gitignoreTemplate},
}

// written says what a command wrote.
type written struct {
	Created []string `json:"created"`
	Kept    []string `json:"kept"`
	Inside  *string  `json:"inside"` // the playbook around the new one, null without
}

func newInit(a *app) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Start a playbook with a first function of each type",
		Long: "Make a folder a playbook: write auto.yaml, a first reasoning function, a first\n" +
			"interaction and a .gitignore. DIR is made when it does not exist; the working folder\n" +
			"when left out. A file that is there already is kept as it is. A new playbook inside\n" +
			"another is one of its own, which is said on standard error.",
		Example: "  auto init\n" +
			"  auto init campaign-review",
		Args: arguments(0, 1),
		ValidArgsFunction: first(func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}),
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = filepath.Clean(args[0])
			}
			return a.init(folder, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON value: the files created and kept, and the playbook around them or null")
	return command
}

func (a *app) init(folder string, asJSON bool) error {
	settings := filepath.Join(folder, engine.SettingsFile)
	if _, err := os.Lstat(a.path(settings)); err == nil {
		return unmet("%s is there already: the folder is a playbook; add to it with auto new", settings)
	}
	done := written{Created: []string{}, Kept: []string{}}
	if around, inside := engine.PlaybookRoot(a.path(folder)); inside {
		around = a.shown(around)
		done.Inside = &around
	}
	for _, file := range firstFiles {
		path := filepath.Join(folder, filepath.FromSlash(file.path))
		shown := filepath.ToSlash(path)
		err := a.create(path, file.text)
		switch {
		case errors.Is(err, fs.ErrExist):
			done.Kept = append(done.Kept, shown)
		case err != nil:
			return err
		default:
			done.Created = append(done.Created, shown)
		}
	}
	if done.Inside != nil {
		fmt.Fprintf(a.Err, "%s: The new playbook stands inside the playbook %s and has a record and settings of its own; %s new adds a function to that one instead\n",
			program, report.Visible(*done.Inside), program)
	}
	if asJSON {
		return printJSON(a.Out, done)
	}
	for _, path := range done.Created {
		fmt.Fprintf(a.Out, "Created %s\n", report.Visible(path))
	}
	for _, path := range done.Kept {
		fmt.Fprintf(a.Out, "Kept %s, which was there already\n", report.Visible(path))
	}
	enter := ""
	if folder != "." {
		enter = "  cd " + shellWord(folder) + "\n"
	}
	_, err := fmt.Fprintf(a.Out, "\nNext:\n%s  auto lint\n  auto render review --set text='Our new plan starts on Monday.'\n", enter)
	return err
}

// create writes a new file and the folders above it. The error is
// fs.ErrExist when there is one of that name, which stays as it is.
func (a *app) create(path, text string) error {
	full := a.path(path)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return fmt.Errorf("%s: The folder cannot be made: %w", filepath.Dir(path), lint.WithoutPath(err))
	}
	file, err := os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("%s: The file cannot be made: %w", path, lint.WithoutPath(err))
	}
	_, err = file.WriteString(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s: The file cannot be written: %w", path, lint.WithoutPath(err))
	}
	return nil
}
