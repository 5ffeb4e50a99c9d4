package cli

// This file is auto doctor.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
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
		Long: "Say what each definition of the playbook needs before it can run, and which providers,\n" +
			"gateways and tool servers are configured, from where, and what each of the others lacks. No\n" +
			"secret is printed and nothing is called.\n\n" +
			"With --call each configured provider is called once, with a prompt of a few words and an\n" +
			"answer of at most 16 tokens: a model that a definition names, else a small one that the\n" +
			"provider lists. A call that failed is shown with what the provider said, and with each way\n" +
			"to credentials that was tried.\n\n" +
			"Exits with 1 when a definition cannot run as things are, when a call failed, and, where\n" +
			"there is no definition, when no provider is configured. Exits with 2 when the settings are\n" +
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
	set.BoolVar(&flags.asJSON, "json", false, "print one JSON value: what was found, and what came of each call")
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
	needs    []engine.Need
	trials   []engine.Trial
	called   bool
	told     map[string][]string // what the operator was told of a provider's call
}

func (a *app) doctor(ctx context.Context, flags doctorFlags) (err error) {
	waiting := &late{}
	log, err := operatorLog(flags.logFormat, waiting)
	if err != nil {
		return err
	}
	heard := &hearing{Log: log, told: map[string][]string{}}
	runtime := a.runtimeOf(engine.PlaybookAround(a.folder()), flags.runtimeFlags, "doctor", heard)
	defer closing(runtime, &err)
	d := &diagnosis{playbook: runtime.Folder(), store: runtime.StoreFile(), invalid: runtime.SettingsError(), facts: runtime.Facts(), told: heard.told}
	_, _, d.unread = runtime.Runs(engine.RunFilter{Limit: 1})
	if _, inside := engine.PlaybookRoot(a.folder()); inside && d.invalid == nil {
		if d.needs, err = runtime.Needs(); err != nil {
			return err
		}
	}
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
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return errReported // whoever stopped it knows
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

// ill tells whether a definition cannot run as things are, or a call failed.
func (d *diagnosis) ill() bool {
	for _, trial := range d.trials {
		if trial.Rejection != nil {
			return true
		}
	}
	for i := range d.needs {
		if len(d.needs[i].Missing) > 0 {
			return true
		}
	}
	return len(d.needs) == 0 && !slices.ContainsFunc(d.facts, func(fact engine.Fact) bool {
		return fact.Configured && (fact.Kind == "provider" || fact.Kind == "gateway")
	})
}

// hearing is an operator's log that keeps what it is told of each provider.
type hearing struct {
	engine.Log
	lock sync.Mutex
	told map[string][]string // by the provider's prefix
}

func (h *hearing) Warn(message string, annotations *value.Object) {
	h.Log.Warn(message, annotations)
	provider := textAt(annotations, "/provider")
	if said := textAt(annotations, "/provider_message"); said != "" {
		message = said
	}
	if provider == "" || message == "" {
		return
	}
	message = strings.TrimPrefix(message, "Model provider "+provider+" could not be called: ")
	h.lock.Lock()
	defer h.lock.Unlock()
	h.told[provider] = append(h.told[provider], message)
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
	if len(d.needs) > 0 {
		fmt.Fprintf(&b, "\n%s\n\n%s", report.Paint(a.useColour(), report.Bold, "# Definitions"), a.needLines(d.needs))
	}
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
		if len(d.trials) == 0 {
			b.WriteString("None: no model provider is configured\n")
		}
		for i := range d.trials {
			b.WriteString(a.trialLine(&d.trials[i]) + "\n")
			if d.trials[i].Answered == "" {
				for _, line := range d.told[d.trials[i].Provider] {
					b.WriteString("  " + report.Visible(line) + "\n")
				}
			}
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
		about = append(about, "missing "+problem.AllOf(fact.Missing))
	}
	if fact.Note != "" {
		about = append(about, fact.Note)
	}
	if len(about) == 0 {
		about = append(about, "not set")
	}
	return fmt.Sprintf("%s %-*s %s", mark, width, report.Visible(fact.Name), report.Visible(strings.Join(about, "; ")))
}

// mostListed is how many definitions are listed that can run; of more the number is
// given.
const mostListed = 20

// needLines say of each definition whether it can run, and if not what to do.
func (a *app) needLines(needs []engine.Need) string {
	var b strings.Builder
	width, fine := shortestName, 0
	for i := range needs {
		width = max(width, report.Width(needs[i].Type+"/"+needs[i].Name))
	}
	for i := range needs {
		need := &needs[i]
		if len(need.Missing) == 0 && len(needs) > mostListed {
			fine++
			continue
		}
		mark := report.Paint(a.useColour(), report.Green, "✓")
		if len(need.Missing) > 0 {
			mark = report.Paint(a.useColour(), report.Red, "✗")
		}
		name := report.Visible(need.Type + "/" + need.Name)
		fmt.Fprintf(&b, "%s %s\n", mark, strings.TrimRight(fmt.Sprintf("%-*s %s", width, name, report.Visible(usesText(need))), " "))
		for _, line := range need.Missing {
			b.WriteString("  " + report.Visible(line) + "\n")
		}
	}
	if fine > 0 {
		fmt.Fprintf(&b, "%s %s can run\n", report.Paint(a.useColour(), report.Green, "✓"), report.Count(fine, "definition"))
	}
	return b.String()
}

// usesText is what a definition uses of the settings.
func usesText(need *engine.Need) string {
	var uses []string
	if need.Model != "" {
		uses = append(uses, "the model "+need.Model)
	}
	for _, server := range need.ToolServers {
		uses = append(uses, "the tool server "+server)
	}
	switch {
	case len(uses) > 0:
		return "uses " + strings.Join(uses, ", ")
	case len(need.Missing) > 0:
		return ""
	}
	return "uses no model and no tool server"
}

func (a *app) trialLine(trial *engine.Trial) string {
	if trial.Rejection != nil {
		mark := report.Paint(a.useColour(), report.Red, "✗")
		return fmt.Sprintf("%s %-20s %s", mark, report.Visible(trial.Provider), report.Visible(trial.Rejection.Detail))
	}
	if trial.Untried != "" {
		mark := report.Paint(a.useColour(), report.Dim, "-")
		return fmt.Sprintf("%s %-20s %s", mark, report.Visible(trial.Provider), report.Visible("not called: "+trial.Untried))
	}
	mark := report.Paint(a.useColour(), report.Green, "✓")
	return fmt.Sprintf("%s %-20s %s answered in %s", mark, report.Visible(trial.Provider), report.Visible(trial.Answered), lasted(trial.Took))
}

// value is the diagnosis for programs.
func (d *diagnosis) value() value.Value {
	o := value.NewObject(7)
	o.Set("playbook", d.playbook)
	o.Set("store", d.store)
	o.Set("valid", d.invalid == nil)
	facts := make([]value.Value, len(d.facts))
	for i := range d.facts {
		facts[i] = factValue(&d.facts[i])
	}
	o.Set("facts", facts)
	needs := make([]value.Value, len(d.needs))
	for i := range d.needs {
		needs[i] = needValue(&d.needs[i])
	}
	o.Set("definitions", needs)
	o.Set("calls", nil)
	if d.called {
		calls := make([]value.Value, len(d.trials))
		for i := range d.trials {
			calls[i] = trialValue(&d.trials[i], d.told[d.trials[i].Provider])
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

func needValue(need *engine.Need) value.Value {
	o := value.NewObject(5)
	o.Set("type", need.Type)
	o.Set("name", need.Name)
	o.Set("model", orNull(need.Model))
	o.Set("tool_servers", textList(need.ToolServers))
	o.Set("missing", textList(need.Missing))
	return o
}

// trialValue is a call for programs, with what the operator was told of it.
func trialValue(trial *engine.Trial, told []string) value.Value {
	o := value.NewObject(6)
	o.Set("provider", trial.Provider)
	o.Set("model", orNull(trial.Model))
	o.Set("answered", orNull(trial.Answered))
	o.Set("duration_ms", float64(trial.Took.Milliseconds()))
	o.Set("detail", orNull(trial.Untried))
	o.Set("told", textList(nil))
	if trial.Rejection != nil {
		o.Set("detail", trial.Rejection.Detail)
		o.Set("told", textList(told))
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
