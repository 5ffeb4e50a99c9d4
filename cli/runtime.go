package cli

// This file opens a playbook's runtime for the commands that run functions or
// read what was recorded.

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
)

// The formats of the operator's log, the default first.
var logFormats = []string{"text", "json"}

// runtimeFlags say which store a command uses.
type runtimeFlags struct{ store string }

func (flags *runtimeFlags) add(command *cobra.Command) {
	command.Flags().StringVar(&flags.store, "store", "", "the `FILE` of the store, in place of AUTO_STORE and of .auto/runs.db beside auto.yaml")
}

// runtime opens the runtime of the playbook around the working folder.
func (a *app) runtime(flags runtimeFlags, command string) *engine.Runtime {
	return a.runtimeOf(engine.PlaybookAround(a.folder()), flags, command, nil)
}

// outside says, at the end of a sentence that nothing was found, that the
// working folder is in no playbook, where that may be why: no store is named.
func (a *app) outside(flags runtimeFlags) string {
	if _, inside := engine.PlaybookRoot(a.folder()); inside || flags.store != "" || a.Env("AUTO_STORE") != "" {
		return ""
	}
	return "; the " + inNoPlaybook("working folder")
}

// inNoPlaybook says that a folder is in no playbook.
func inNoPlaybook(folder string) string {
	return folder + " is in no playbook: no " + engine.SettingsFile + " is in it or above it"
}

// outsideOf is outside for a runtime that is open.
func (a *app) outsideOf(runtime *engine.Runtime) string {
	flags := runtimeFlags{}
	if runtime.StoreFile() != filepath.Join(runtime.Folder(), ".auto", "runs.db") {
		flags.store = runtime.StoreFile()
	}
	return a.outside(flags)
}

func (a *app) runtimeOf(folder string, flags runtimeFlags, command string, log engine.Log) *engine.Runtime {
	file := flags.store
	if file != "" {
		file = a.path(file)
	}
	self, _ := os.Executable()
	return engine.Open(engine.Options{
		Folder: folder, Store: file, Log: log, Command: program + " " + command, Now: a.Now,
		Version: thisBuild().Version, Program: self, Lookup: a.lookup,
	})
}

// lookup gives a variable of the environment and whether it is set.
func (a *app) lookup(name string) (string, bool) {
	text := a.Env(name)
	return text, text != ""
}

// closing closes a runtime where a command ends. What the command came to counts
// more than that.
func closing(runtime *engine.Runtime, err *error) {
	if failed := runtime.Close(); *err == nil {
		*err = failed
	}
}

// operatorLog writes what the operator reads in a format of --log-format.
func operatorLog(format string, to io.Writer) (engine.Log, error) {
	switch format {
	case "text":
		return engine.NewTextLog(to), nil
	case "json":
		return engine.NewJSONLog(to), nil
	}
	return nil, usage("--log-format: Expected one of text, json")
}

// noRun says that a run is not there, and gives any other error as it is.
func noRun(id string, err error) error {
	if errors.Is(err, engine.ErrNoRun) {
		return unmet("No run has the id %s", id)
	}
	return err
}
