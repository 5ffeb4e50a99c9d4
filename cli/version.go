package cli

// This file is auto version, and what the program knows of its own build.

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version and commit are set by the linker in a release.
var (
	version string
	commit  string
)

type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisBuild gives what the linker set, else what Go recorded in the binary.
func thisBuild() build {
	b := build{Version: version, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok && b.Version == "" {
		b.Version = info.Main.Version
	}
	if b.Version == "" || b.Version == "(devel)" {
		b.Version = "devel"
	}
	if ok && b.Commit == "" {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				b.Commit = setting.Value
			}
		}
	}
	return b
}

func versionLine() string {
	b := thisBuild()
	line := b.Version
	if b.Commit != "" {
		line += " (" + b.Commit[:min(12, len(b.Commit))] + ")"
	}
	return line + " " + b.Go + " " + b.Platform
}

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the Go version it was built with",
		Example: "  auto version\n" +
			"  auto version --json",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(a.Out, thisBuild())
			}
			_, err := fmt.Fprintln(a.Out, program, versionLine())
			return err
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON value: the same")
	return command
}
