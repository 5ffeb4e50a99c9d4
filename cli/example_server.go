package cli

// This file is auto example-server and the servers below it.

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
)

func newExampleServer(a *app) *cobra.Command {
	command := &cobra.Command{
		Use:   "example-server",
		Short: "Serve a small tool server to try tools with, over standard input and output",
		Long: "Serve MCP over standard input and output, as a tool server of auto.yaml is started. The\n" +
			"servers need no account and no connection. In auto.yaml:\n\n" +
			"    tool_servers:\n" +
			"      - name: notes\n" +
			"        command: auto\n" +
			"        args: [example-server, notes, notes]",
		Example: "  auto example-server notes notes/\n" +
			"  auto example-server chat --file chat.jsonl",
		ValidArgsFunction: fixed(),
		RunE:              func(*cobra.Command, []string) error { return nil }, // Args lets nothing through
	}
	command.Args = func(_ *cobra.Command, args []string) error {
		var servers []string
		for _, one := range command.Commands() {
			servers = append(servers, one.Name())
		}
		if len(args) == 0 {
			return usage("Expected a server: %s", strings.Join(servers, ", "))
		}
		return usage("Unknown server %s%s", args[0], didYouMean(args[0], "", servers))
	}
	command.AddCommand(newExampleNotes(a), newExampleChat(a))
	return command
}

func newExampleNotes(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "notes [PATH]",
		Short: "Serve notes: list, read, search and add them",
		Long: "Serve notes, which its tools list, read, search and add.\n\n" +
			"PATH is what it starts with: a folder, each of whose .md files is a note, or a JSON file\n" +
			"that is one object of titles and texts. What is added is kept until the server ends, and\n" +
			"no file is written.\n\n" +
			"Exits with 2 when the notes cannot be read.",
		Example: "  auto example-server notes notes/\n" +
			"  auto example-server notes < requests.jsonl",
		Args: arguments(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			path := ""
			if len(args) == 1 {
				path = a.path(args[0])
			}
			err := engine.ServeExampleNotes(path, a.In, a.Out, thisBuild().Version)
			var unread *engine.ExampleNotesError
			if errors.As(err, &unread) {
				return unmet("%s", capitalized(unread.Error()))
			}
			return err
		},
	}
}

func newExampleChat(a *app) *cobra.Command {
	var file string
	command := &cobra.Command{
		Use:   "chat --file FILE",
		Short: "Serve a team chat: post messages, read threads and reply as a person",
		Long: "Serve a small team chat, which its tools post to and read. The tool reply_as stands for the\n" +
			"people in it: what a person would type into the chat, call it with.\n\n" +
			"The messages are kept in FILE, a line of JSON each, so that every process that is told the\n" +
			"same file has the same chat. It is made with the first message; remove it to begin anew. A\n" +
			"message's ts reads like a time but counts the messages, so that the same calls always give\n" +
			"the same answers.",
		Example: "  auto example-server chat --file chat.jsonl\n" +
			"  auto example-server chat --file chat.jsonl < requests.jsonl",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE: func(*cobra.Command, []string) error {
			if file == "" {
				return usage("--file: Expected the file that keeps the chat")
			}
			return engine.ServeExampleChat(a.path(file), a.In, a.Out, thisBuild().Version)
		},
	}
	command.Flags().StringVar(&file, "file", "", "keep the messages in `FILE`")
	return command
}

// capitalized is a text as a message starts.
func capitalized(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
