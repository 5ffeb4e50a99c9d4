package cli

// This file shows tests what the program shows nobody.

import "github.com/spf13/cobra"

// Commands gives every command of the program, for its documentation: the
// program itself, then each command in the order of the help.
func Commands() []*cobra.Command {
	return within(newRoot(&Streams{}))
}

// within gives a command and those below it.
func within(command *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{command}
	for _, one := range command.Commands() {
		if one.IsAvailableCommand() {
			list = append(list, within(one)...)
		}
	}
	return list
}
