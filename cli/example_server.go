package cli

// This file is auto example-server.

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
)

// exampleServers are the servers there are.
var exampleServers = []string{"notes"}

func newExampleServer(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "example-server notes [PATH]",
		Short: "Serve a small tool server to try tools with, over standard input and output",
		Long: "Serve MCP over standard input and output, as a tool server of auto.yaml is started. The\n" +
			"server notes lists, reads, searches and adds notes, and needs no account.\n\n" +
			"PATH is what it starts with: a folder, each of whose .md files is a note, or a JSON file\n" +
			"that is one object of titles and texts. What is added is kept until the server ends, and\n" +
			"no file is written.\n\n" +
			"Exits with 2 when the notes cannot be read.",
		Example: "  auto example-server notes notes/\n" +
			"  echo '{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}' | auto example-server notes",
		Args: func(command *cobra.Command, args []string) error {
			if err := arguments(1, 2, "a server: "+strings.Join(exampleServers, ", "))(command, args); err != nil {
				return err
			}
			if args[0] != exampleServers[0] {
				return usage("Unknown server %s%s", args[0], didYouMean(args[0], "", exampleServers))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return exampleServers, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(_ *cobra.Command, args []string) error {
			path := ""
			if len(args) == 2 {
				path = a.path(args[1])
			}
			err := engine.ServeExampleNotes(path, a.In, a.Out, thisBuild().Version)
			var unread *engine.ExampleNotesError
			if errors.As(err, &unread) {
				return usage("%s", capitalized(unread.Error()))
			}
			return err
		},
	}
}

// capitalized is a text as a message starts.
func capitalized(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
