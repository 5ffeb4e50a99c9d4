package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/beonauto/auto/lint/report"
)

// TestHelpFits wants the help of every command to fit a terminal of the usual width.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	for _, command := range Commands() {
		command.InitDefaultHelpFlag()
		var out bytes.Buffer
		command.SetOut(&out)
		if err := command.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); report.Width(line) > helpWidth {
				t.Errorf("%s: %d cells: %s", command.CommandPath(), report.Width(line), line)
			}
		}
		for _, want := range []string{"\nUsage:\n  " + command.CommandPath(), "\nExamples:\n  ", "\nFlags:\n", "-h, --help", "--color WHEN"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: the help lacks %q:\n%s", command.CommandPath(), want, &out)
			}
		}
		if strings.Contains(out.String(), "\n\n\n") {
			t.Errorf("%s: two lines in a row are empty", command.CommandPath())
		}
	}
}

// TestFlagsSayTheSame wants a flag of many commands to be described by one sentence,
// but for those that name what the command itself prints or does.
func TestFlagsSayTheSame(t *testing.T) {
	t.Parallel()
	own := []string{"json", "type", "function", "limit", "since", "input", "set", "yes"}
	said := map[string]string{}
	for _, command := range Commands() {
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			switch before, known := said[flag.Name]; {
			case flag.Name == "help":
			case flag.Usage == "" || strings.HasSuffix(flag.Usage, "."):
				t.Errorf("%s --%s: %q is no phrase", command.CommandPath(), flag.Name, flag.Usage)
			case flag.Name == "json" && !strings.HasPrefix(flag.Usage, "print one JSON value: ") && command.Name() != "work":
				t.Errorf("%s --json: %q does not say what is printed", command.CommandPath(), flag.Usage)
			case known && before != flag.Usage && !slices.Contains(own, flag.Name):
				t.Errorf("%s --%s: %q elsewhere is %q", command.CommandPath(), flag.Name, flag.Usage, before)
			default:
				said[flag.Name] = flag.Usage
			}
		})
	}
}
