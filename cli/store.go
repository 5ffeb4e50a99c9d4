package cli

// This file is auto store and the commands below it.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

func newStore(a *app) *cobra.Command {
	command := &cobra.Command{
		Use:   "store",
		Short: "Check, back up and compact the record of runs",
		Long: "The store is one file, .auto/runs.db beside auto.yaml unless AUTO_STORE or --store says\n" +
			"otherwise. Any number of processes may use it at once.",
		Example: "  auto store check\n" +
			"  auto store backup runs-2026-11-30.db\n" +
			"  auto store compact",
		Args:              noSuchCommand,
		ValidArgsFunction: fixed(),
		RunE:              func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.AddCommand(newStoreCheck(a), newStoreBackup(a), newStoreCompact(a))
	return command
}

func newStoreCheck(a *app) *cobra.Command {
	var flags eventsFlags
	command := &cobra.Command{
		Use:   "check",
		Short: "Look at every page and record of the store, and change nothing",
		Long: "Look at every page and record of the store, and change nothing. Exits with 1 when faults\n" +
			"are found, with 2 when the file that --store names does not exist, and with 3 when the\n" +
			"file is no store or cannot be read at all.",
		Example: "  auto store check\n" +
			"  auto store check --store backup.db --json",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE:              func(*cobra.Command, []string) error { return a.checkStore(flags) },
	}
	flags.runtimeFlags.add(command)
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON value: what was counted, and the faults")
	return command
}

// checkStore checks a store. The usual one may be without a file, since nothing
// need be recorded yet; a file that was named must be there, or a backup whose
// name is mistyped would pass.
func (a *app) checkStore(flags eventsFlags) (err error) {
	if flags.store != "" {
		if _, err := os.Stat(a.path(flags.store)); errors.Is(err, fs.ErrNotExist) {
			return unmet("--store: No such file as %s", flags.store)
		}
	}
	runtime := a.runtime(flags.runtimeFlags, "store")
	defer closing(runtime, &err)
	found, err := runtime.CheckStore()
	if err != nil {
		return err
	}
	if flags.asJSON {
		err = printValue(a.Out, reportValue(runtime.StoreFile(), found))
	} else {
		err = a.printReport(runtime.StoreFile(), found)
	}
	if err == nil && len(found.Faults) > 0 {
		err = errFound
	}
	return err
}

func (a *app) printReport(file string, found *engine.StoreReport) error {
	var b strings.Builder
	for _, fault := range found.Faults {
		fmt.Fprintf(&b, "%s: %s\n", report.Visible(file), report.Paint(a.useColour(), report.Red, report.Visible(fault)))
	}
	switch {
	case len(found.Faults) > 0:
		fmt.Fprintf(&b, "%s found; restore a backup, or move the file away to start anew\n", report.Count(len(found.Faults), "fault"))
	case found.Format == 0:
		fmt.Fprintf(&b, "%s: Nothing was recorded yet\n", report.Visible(file))
	default:
		fmt.Fprintf(&b, "%s: No faults in %s, %s and %s of %s (%s)\n", report.Visible(file),
			report.Count(found.Runs, "run"), report.Count(found.Events, "event"),
			report.Count(found.Versions, "version"), report.Count(found.Definitions, "definition"), size(found.Bytes))
		if found.CutOff > 0 {
			fmt.Fprintf(&b, "%s cut off: the process is gone\n", was(found.CutOff, "run"))
		}
	}
	_, err := fmt.Fprint(a.Out, b.String())
	return err
}

// was counts things that something happened to, such as 1 run was.
func was(number int, thing string) string {
	if number == 1 {
		return report.Count(number, thing) + " was"
	}
	return report.Count(number, thing) + " were"
}

// size is a number of bytes for people.
func size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return report.Count(int(bytes), "byte")
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

func reportValue(file string, found *engine.StoreReport) value.Value {
	o := value.NewObject(9)
	o.Set("store", file)
	o.Set("format", float64(found.Format))
	o.Set("bytes", float64(found.Bytes))
	o.Set("runs", float64(found.Runs))
	o.Set("events", float64(found.Events))
	o.Set("definitions", float64(found.Definitions))
	o.Set("versions", float64(found.Versions))
	o.Set("cut_off", float64(found.CutOff))
	o.Set("faults", textList(found.Faults))
	return o
}

func newStoreBackup(a *app) *cobra.Command {
	var flags runtimeFlags
	command := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the store as it stands into a new file",
		Long: "Copy the store as it stands into a new file, and check the copy. Other processes may go\n" +
			"on using the store. A file that is there already is left as it is.",
		Example: "  auto store backup runs-2026-11-30.db",
		Args:    arguments(1, 1, "the file to write"),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			runtime := a.runtime(flags, "store")
			defer closing(runtime, &err)
			err = runtime.BackupStore(a.path(args[0]))
			switch {
			case errors.Is(err, engine.ErrBackupExists):
				return unmet("%s: The file exists already", args[0])
			case err != nil:
				return noStore(runtime, err)
			}
			fmt.Fprintf(a.Err, "Copied %s to %s\n", report.Visible(runtime.StoreFile()), report.Visible(args[0]))
			return nil
		},
	}
	flags.add(command)
	return command
}

func newStoreCompact(a *app) *cobra.Command {
	var flags runtimeFlags
	command := &cobra.Command{
		Use:   "compact",
		Short: "Give back the room that deleted runs left in the store",
		Long: "Write the store anew without the room that deleted runs left. Other processes wait for as\n" +
			"long as it takes.",
		Example:           "  auto runs delete --older-than 30d --yes && auto store compact",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE: func(*cobra.Command, []string) (err error) {
			runtime := a.runtime(flags, "store")
			defer closing(runtime, &err)
			before, after, err := runtime.CompactStore()
			if err != nil {
				return noStore(runtime, err)
			}
			fmt.Fprintf(a.Err, "Compacted %s from %s to %s\n", report.Visible(runtime.StoreFile()), size(before), size(after))
			return nil
		},
	}
	flags.add(command)
	return command
}

// noStore says that nothing was recorded yet, and gives any other error as it is.
func noStore(runtime *engine.Runtime, err error) error {
	if errors.Is(err, engine.ErrNoStore) {
		return unmet("%s: Nothing was recorded yet", runtime.StoreFile())
	}
	return err
}
