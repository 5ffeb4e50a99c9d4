package cli

// This file is auto help.

import "github.com/spf13/cobra"

func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND…]",
		Short: "Show the help of a command",
		Example: "  auto help lint\n" +
			"  auto lint --help",
		Args: arguments(0, -1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, command := range root.Commands() {
				if command.IsAvailableCommand() && len(args) == 0 {
					names = append(names, command.Name()+"\t"+command.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			command, rest, err := root.Find(args)
			if err != nil || command == root {
				return noSuchCommand(root, args)
			}
			if len(rest) > 0 {
				return noSuchCommand(command, rest)
			}
			command.InitDefaultHelpFlag()
			return command.Help()
		},
	}
}
