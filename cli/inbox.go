package cli

// This file is auto inbox: it opens the inbox of package tui on the terminal, and
// works on the open requests while that is open.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
	"github.com/beonauto/auto/tui"
	"github.com/beonauto/auto/tui/desk"
	prompts "github.com/beonauto/auto/tui/plain"
)

type inboxFlags struct {
	runtimeFlags
	count      bool
	accessible bool
	noWork     bool
	notify     string
}

// The ways to tell of a new request, the default first.
var notifyChoices = []string{"off", "bell", "osc9"}

func newInbox(a *app) *cobra.Command {
	var flags inboxFlags
	command := &cobra.Command{
		Use:   "inbox",
		Short: "Read and answer open requests in the terminal",
		Long: "auto inbox lists the open requests of a playbook, shows their messages, and takes answers\n" +
			"in a form made from each answer schema. It shows what happens as it happens: requests that\n" +
			"come, that are answered elsewhere, that expire. While it is open it does the work of\n" +
			"auto work. Press ? in it for every key.",
		Example: "  auto inbox\n" +
			"  auto inbox --notify bell\n" +
			"  auto inbox --count",
		Args:              arguments(0, 0),
		ValidArgsFunction: fixed(),
		RunE:              func(*cobra.Command, []string) error { return a.inbox(flags) },
	}
	flags.runtimeFlags.add(command)
	set := command.Flags()
	set.BoolVar(&flags.count, "count", false, "print how many requests are open, for a status bar, and end")
	set.BoolVar(&flags.accessible, "accessible", false, "ask with plain prompts, for a screen reader; also with ACCESSIBLE set, and on a dumb terminal")
	set.BoolVar(&flags.noWork, "no-work", false, "deliver no request, read no reply and expire nothing meanwhile")
	set.StringVar(&flags.notify, "notify", notifyChoices[0], "tell of a new request by `HOW`: "+strings.Join(notifyChoices, ", "))
	command.RegisterFlagCompletionFunc("notify", fixed(notifyChoices...))
	return command
}

func (a *app) inbox(flags inboxFlags) (err error) {
	if !slices.Contains(notifyChoices, flags.notify) {
		return usage("--notify: Expected one of %s", strings.Join(notifyChoices, ", "))
	}
	runtime := a.runtime(flags.runtimeFlags, "inbox")
	defer closing(runtime, &err)
	if flags.count {
		return a.countRequests(runtime)
	}
	if flags.accessible || a.Env("ACCESSIBLE") != "" || a.OutTerminal && a.Env("TERM") == "dumb" {
		return a.askInbox(runtime, flags)
	}
	if !a.InTerminal || !a.OutTerminal {
		return unmet("Expected a terminal, which the inbox is shown in; --accessible asks with plain prompts, and --count prints how many requests are open")
	}
	return a.showInbox(runtime, flags)
}

// askInbox is the inbox as plain prompts.
func (a *app) askInbox(runtime *engine.Runtime, flags inboxFlags) error {
	ctx := context.Background()
	if a.Interruptible != nil {
		var stop context.CancelFunc
		ctx, stop = a.Interruptible(ctx)
		defer stop()
	}
	if !flags.noWork {
		defer workFor(runtime, func(tui.Worked) {}, nil)()
	}
	err := prompts.Run(ctx, a.In, a.Out, &desk.Runtime{Engine: runtime}, prompts.Options{Now: a.Now, Echo: !a.InTerminal})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (a *app) countRequests(runtime *engine.Runtime) error {
	count, err := runtime.CountOpenRequests()
	if err != nil && !errors.Is(err, engine.ErrNoStore) {
		return err
	}
	_, err = fmt.Fprintln(a.Out, count)
	return err
}

const (
	// framesASecond is how often the screen is drawn at most: a key is seen within half
	// the time of Bubble Tea's usual 60.
	framesASecond = 120
	// garbagePercent lets a list of 10,000 requests be read before memory is collected
	// for the first time: what the inbox holds is little beside that.
	garbagePercent = 400
	// untilReleased is how long the terminal is let go before it is taken back: what drew
	// the screen stops its clock by itself some time after it was told to end, and would
	// stop that of what draws it next.
	untilReleased = 100 * time.Millisecond
)

func (a *app) showInbox(runtime *engine.Runtime, flags inboxFlags) error {
	if a.Env("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(garbagePercent))
	}
	var away atomic.Bool // an editor has the terminal
	options := tui.Options{Now: a.Now, Playbook: playbookName(runtime.Folder()), Profile: colorprofile.ANSI, Editor: a.editor(&away)}
	if flags.notify != notifyChoices[0] {
		options.Notify = flags.notify
	}
	programOptions := []tea.ProgramOption{tea.WithInput(a.In), tea.WithOutput(a.Out), tea.WithFPS(framesASecond)}
	if fixed, ok := a.inboxColours(); ok {
		options.Profile, options.FixedProfile = fixed, true
		programOptions = append(programOptions, tea.WithColorProfile(fixed))
	}
	var screen *tea.Program
	options.Stop = func() { go screen.Quit() }
	inbox := tui.New(&desk.Runtime{Engine: runtime}, options)
	inbox.Prepare()
	screen = tea.NewProgram(inbox, programOptions...)
	if a.HungUp != nil {
		// The terminal is put back and what was typed printed, should it still be there.
		defer a.HungUp(screen.Quit)()
	}
	if a.Continued != nil {
		// A shell has the terminal while the process is stopped, and changes it.
		defer a.Continued(func() {
			if !away.Load() {
				screen.ReleaseTerminal()
				time.Sleep(untilReleased)
				screen.RestoreTerminal()
			}
		})()
	}
	stop := func() {}
	if !flags.noWork {
		stop = workFor(runtime, func(done tui.Worked) { screen.Send(done) }, func(crash *tui.Crash) { screen.Send(crash) })
	}
	_, err := screen.Run()
	stop()
	a.printDrafts(inbox.Drafts())
	if crash := inbox.Crash(); crash != nil {
		reportCrash(a.Err, crash.What, crash.Stack)
		return errReported
	}
	if errors.Is(err, tea.ErrInterrupted) {
		return nil
	}
	return err
}

// inboxColours gives the colours that stand whatever the terminal says, and false
// when the terminal decides.
func (a *app) inboxColours() (colorprofile.Profile, bool) {
	if !a.useColour() {
		return colorprofile.ASCII, true
	}
	return colorprofile.ANSI256, a.colour == "always"
}

func playbookName(folder string) string {
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	return filepath.Base(folder)
}

// workFor works on the open requests and tells what was done, until stop is called.
// Stop waits for the calls that are under way. A panic goes to crashed, so that the
// terminal is put back before it is reported; where that is nil, it ends the process.
func workFor(runtime *engine.Runtime, tell func(tui.Worked), crashed func(*tui.Crash)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if crashed != nil {
			defer func() {
				if panicked := recover(); panicked != nil {
					crashed(tui.Caught(panicked))
				}
			}()
		}
		err := runtime.Work(ctx, engine.WorkOptions{Told: func(fact engine.WorkFact) {
			tell(tui.Worked{Text: workedText(&fact), Failed: workFailed[fact.Did]})
		}})
		if err != nil && ctx.Err() == nil {
			tell(tui.Worked{Text: "Requests are only shown, not worked on: " + err.Error(), Failed: true, Ended: true})
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// workFailed are the things done that did not go well.
var workFailed = map[engine.WorkDid]bool{
	engine.WorkDeliveryFailed: true, engine.WorkDeliveryRefused: true, engine.WorkUndelivered: true,
	engine.WorkReadingFailed: true, engine.WorkTellingFailed: true, engine.WorkExpired: true,
}

// workedText is a fact of the work in a line.
func workedText(fact *engine.WorkFact) string {
	text := fact.Name + ": " + strings.ReplaceAll(string(fact.Did), "_", " ")
	for _, more := range []string{fact.Because, fact.Words} {
		if more != "" {
			text += ", " + strings.ReplaceAll(more, "_", " ")
		}
	}
	return text
}

// printDrafts prints what was typed and not sent, so that leaving loses nothing.
func (a *app) printDrafts(drafts map[string]value.Value) {
	for _, id := range slices.Sorted(maps.Keys(drafts)) {
		fmt.Fprintf(a.Err, "%s: What was typed for the run %s was not sent:\n%s\n",
			program, visible(id), report.VisibleJSON(value.IndentedJSON(drafts[id], "  ")))
	}
}
