package cli

// This file is auto doctor.

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

type doctorFlags struct {
	runtimeFlags
	call      bool
	logFormat string
	asJSON    bool
}

func newDoctor(a *app) *cobra.Command {
	var flags doctorFlags
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is configured, from where, and what is missing",
		Long: "Say which providers, gateways and tool servers are configured, from where, and what each\n" +
			"of the others lacks. No secret is printed and nothing is called.\n\n" +
			"With --call each configured provider is called once, with a prompt of a few words and an\n" +
			"answer of at most 16 tokens: a model that a definition names, else a small one that the\n" +
			"provider lists.\n\n" +
			"Exits with 1 when no provider is configured or a call failed, with 2 when the settings are\n" +
			"invalid, and with 3 when the store cannot be read.",
		Example: "  auto doctor\n" +
			"  auto doctor --call\n" +
			"  auto doctor --json | jq '.facts[] | select(.configured)'",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE:              func(command *cobra.Command, _ []string) error { return a.doctor(command.Context(), flags) },
	}
	flags.runtimeFlags.add(command)
	set := command.Flags()
	set.BoolVar(&flags.call, "call", false, "call each configured provider once")
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value")
	set.StringVar(&flags.logFormat, "log-format", logFormats[0], "write the operator's log on standard error as `FORMAT`: text or json")
	command.RegisterFlagCompletionFunc("log-format", fixed(logFormats...))
	return command
}

// diagnosis is what the doctor found.
type diagnosis struct {
	playbook string
	store    string
	invalid  error // why the settings do not stand
	unread   error // why the store cannot be read
	facts    []engine.Fact
	trials   []engine.Trial
	called   bool
}

func (a *app) doctor(ctx context.Context, flags doctorFlags) (err error) {
	waiting := &late{}
	log, err := operatorLog(flags.logFormat, waiting)
	if err != nil {
		return err
	}
	runtime := a.runtimeOf(engine.PlaybookAround(a.folder()), flags.runtimeFlags, "doctor", log)
	defer closing(runtime, &err)
	d := &diagnosis{playbook: runtime.Folder(), store: runtime.StoreFile(), invalid: runtime.SettingsError(), facts: runtime.Facts()}
	_, _, d.unread = runtime.Runs(engine.RunFilter{Limit: 1})
	if flags.call && d.invalid == nil {
		if a.Interruptible != nil {
			var stop context.CancelFunc
			ctx, stop = a.Interruptible(ctx)
			defer stop()
		}
		spinner := a.waiting("calling " + strings.Join(runtime.Providers(), ", "))
		waiting.Writer = spinner
		d.trials, err = runtime.TryProviders(ctx)
		spinner.stop()
		if err != nil {
			return err
		}
		d.called = true
	}
	if flags.asJSON {
		err = printValue(a.Out, d.value())
	} else {
		err = a.printDiagnosis(d)
	}
	if err != nil {
		return err
	}
	return d.verdict()
}

// verdict is how the command ends. What counts most is named by cause.
func (d *diagnosis) verdict() error {
	switch {
	case d.unread != nil:
		return d.unread
	case d.invalid != nil:
		return d.invalid
	case d.ill():
		return errFound
	}
	return nil
}

// ill tells whether no function can run as things are, or a call failed.
func (d *diagnosis) ill() bool {
	for _, trial := range d.trials {
		if trial.Rejection != nil {
			return true
		}
	}
	for _, fact := range d.facts {
		if fact.Configured && (fact.Kind == "provider" || fact.Kind == "gateway") {
			return false
		}
	}
	return true
}

// headings of the kinds of facts, in the order they are shown.
var factHeadings = []struct{ kind, heading string }{
	{"provider", "Providers"}, {"gateway", "Gateways"}, {"tool server", "Tool servers"}, {"setting", "Settings"},
}

// shortestName is the least room in columns for the names of a group.
const shortestName = 20

func (a *app) printDiagnosis(d *diagnosis) error {
	var b strings.Builder
	playbook := report.Visible(d.playbook)
	if _, inside := engine.PlaybookRoot(a.folder()); !inside {
		playbook = "none: no " + engine.SettingsFile + " is in the working folder or above it"
	}
	fmt.Fprintf(&b, "Playbook  %s\nStore     %s\n", playbook, report.Visible(d.store))
	for _, group := range factHeadings {
		var lines []string
		width := shortestName
		for i := range d.facts {
			if d.facts[i].Kind == group.kind {
				width = max(width, len(d.facts[i].Name))
			}
		}
		for i := range d.facts {
			if fact := &d.facts[i]; fact.Kind == group.kind {
				lines = append(lines, a.factLine(fact, width))
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n%s\n\n%s\n", report.Paint(a.useColour(), report.Bold, "# "+group.heading), strings.Join(lines, "\n"))
		}
	}
	if d.called {
		fmt.Fprintf(&b, "\n%s\n\n", report.Paint(a.useColour(), report.Bold, "# Calls"))
		for i := range d.trials {
			b.WriteString(a.trialLine(&d.trials[i]) + "\n")
		}
	}
	_, err := fmt.Fprint(a.Out, b.String())
	return err
}

// factLine is one line of the report: a mark, the name in its room of width
// columns, and what is known of it.
func (a *app) factLine(fact *engine.Fact, width int) string {
	mark := report.Paint(a.useColour(), report.Dim, "-")
	if fact.Configured {
		mark = report.Paint(a.useColour(), report.Green, "✓")
	}
	var about []string
	if len(fact.From) > 0 {
		about = append(about, "from "+strings.Join(fact.From, ", "))
	}
	if len(fact.Missing) > 0 && !fact.Configured {
		about = append(about, "missing "+strings.Join(fact.Missing, " and "))
	}
	if fact.Note != "" {
		about = append(about, fact.Note)
	}
	if len(about) == 0 {
		about = append(about, "not set")
	}
	return fmt.Sprintf("%s %-*s %s", mark, width, report.Visible(fact.Name), report.Visible(strings.Join(about, "; ")))
}

func (a *app) trialLine(trial *engine.Trial) string {
	if trial.Rejection != nil {
		mark := report.Paint(a.useColour(), report.Red, "✗")
		return fmt.Sprintf("%s %-20s %s", mark, report.Visible(trial.Provider), report.Visible(trial.Rejection.Detail))
	}
	mark := report.Paint(a.useColour(), report.Green, "✓")
	return fmt.Sprintf("%s %-20s %s answered in %s", mark, report.Visible(trial.Provider), report.Visible(trial.Answered), lasted(trial.Took))
}

// value is the diagnosis for programs.
func (d *diagnosis) value() value.Value {
	o := value.NewObject(6)
	o.Set("playbook", d.playbook)
	o.Set("store", d.store)
	o.Set("valid", d.invalid == nil)
	facts := make([]value.Value, len(d.facts))
	for i := range d.facts {
		facts[i] = factValue(&d.facts[i])
	}
	o.Set("facts", facts)
	o.Set("calls", nil)
	if d.called {
		calls := make([]value.Value, len(d.trials))
		for i := range d.trials {
			calls[i] = trialValue(&d.trials[i])
		}
		o.Set("calls", calls)
	}
	return o
}

func factValue(fact *engine.Fact) value.Value {
	o := value.NewObject(6)
	o.Set("kind", fact.Kind)
	o.Set("name", fact.Name)
	o.Set("configured", fact.Configured)
	o.Set("from", textList(fact.From))
	o.Set("missing", textList(fact.Missing))
	o.Set("note", orNull(fact.Note))
	return o
}

func trialValue(trial *engine.Trial) value.Value {
	o := value.NewObject(5)
	o.Set("provider", trial.Provider)
	o.Set("model", orNull(trial.Model))
	o.Set("answered", orNull(trial.Answered))
	o.Set("duration_ms", float64(trial.Took.Milliseconds()))
	o.Set("detail", nil)
	if trial.Rejection != nil {
		o.Set("detail", trial.Rejection.Detail)
	}
	return o
}

func textList(texts []string) []value.Value {
	list := make([]value.Value, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}
