package cli

// This file is auto completion, and the completion of words that only the
// engine and the files know.

import (
	"bytes"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint/report"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a script that completes auto's commands in a shell",
		Long: "Print a script that completes commands, flags, types and the names of definitions.\n" +
			"Load it in the shell's own start-up file.",
		Example: "  source <(auto completion bash)\n" +
			"  auto completion zsh > \"${fpath[1]}/_auto\"\n" +
			"  auto completion fish > ~/.config/fish/completions/auto.fish\n" +
			"  auto completion powershell | Out-String | Invoke-Expression",
		Args:              arguments(1, 1, "a shell: "+problem.AnyOf(shells)),
		ValidArgsFunction: first(fixed(shells...)),
		RunE: func(command *cobra.Command, args []string) error {
			root := command.Root()
			switch args[0] {
			case "bash":
				if err := root.GenBashCompletionV2(a.Out, true); err != nil {
					return err
				}
				_, err := io.WriteString(a.Out, bashAlone)
				return err
			case "zsh":
				return root.GenZshCompletion(a.Out)
			case "fish":
				return root.GenFishCompletion(a.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.Out)
			}
			return usage("Unknown shell %s%s", args[0], didYouMean(args[0], "", shells))
		},
	}
}

// bashAlone takes the place of a function of the bash script that calls the
// package bash-completion, which a container or a Mac often lacks: each Tab
// would print an error there. Without it the line is split at its blanks.
const bashAlone = `
__auto_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local line="${COMP_LINE:0:COMP_POINT}"
    read -ra words <<<"$line"
    if [[ $line == *[[:blank:]] ]]; then
        words+=("")
    fi
    cword=$((${#words[@]} - 1))
    cur="${words[cword]}"
    prev="${words[cword-1]}"
}
`

// completionPatience is how long a shell waits for what the store tells: another
// program may hold it.
const completionPatience = 500 * time.Millisecond

// soon gives what a function reads, or nothing where that takes too long for a
// person who pressed Tab. The process ends soon after.
func soon[T any](read func() T) (found T) {
	done := make(chan T, 1)
	go func() { done <- read() }()
	select {
	case found = <-done:
	case <-time.After(completionPatience):
	}
	return found
}

// unquoting takes from what is said of a flag the signs that mark the word for its
// value, which only help reads. Each completion is one write.
type unquoting struct{ to io.Writer }

func (u unquoting) Write(line []byte) (int, error) {
	shown := line
	if bytes.HasPrefix(line, []byte("-")) {
		shown = bytes.ReplaceAll(line, []byte("`"), nil)
	}
	if _, err := u.to.Write(shown); err != nil {
		return 0, err
	}
	return len(line), nil
}

type completer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// first completes the first argument only.
func first(complete completer) completer {
	return func(command *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(command, args, typed)
	}
}

// types completes the types of definitions.
func types(command *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return fixed(engine.Types()...)(command, args, typed)
}

// definitions completes the names of the definitions of the playbook around
// the working folder, and files besides.
func (a *app) definitions(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	places, err := engine.Definitions(a.folder())
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	times := map[string]int{}
	for _, place := range places {
		times[place.Name]++
	}
	names := make([]string, 0, len(places))
	for _, place := range places {
		switch {
		case report.Visible(place.Name) != place.Name:
			// A shell shows what it is given, and takes a line for each name.
		case times[place.Name] == 1:
			names = append(names, place.Name+"\t"+place.Type)
		default:
			names = append(names, place.Type+"/"+place.Name)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}
