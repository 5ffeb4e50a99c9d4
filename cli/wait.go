package cli

// This file is the waiting of auto run --wait.

import (
	"context"
	"fmt"

	"github.com/beonauto/auto/engine"
)

// untilEnded does the work on the playbook's requests until a run that waits has
// ended, and gives it. A person who stops waiting leaves the request open; the run
// is given as it stands, beside errReported.
func (a *app) untilEnded(ctx context.Context, runtime *engine.Runtime, waiting *engine.Run) (*engine.Run, error) {
	if err := a.printWaiting(runtime, waiting, true); err != nil {
		return waiting, err
	}
	spinner := a.waiting(waiting.Type + "/" + waiting.Name)
	err := runtime.Work(ctx, engine.WorkOptions{Until: waiting.ID, Told: func(fact engine.WorkFact) {
		if fact.RunID == waiting.ID {
			fmt.Fprintf(spinner, "%s: %s\n", program, visible(a.workWords(&fact)))
		}
	}})
	spinner.stop()
	if err != nil {
		return waiting, err
	}
	ended, err := runtime.RunByID(waiting.ID)
	if err != nil {
		return waiting, err
	}
	if ended.Status != engine.RunStarted {
		return ended, nil
	}
	fmt.Fprintf(a.Err, "%s: Stopped waiting; the request of run %s stays open\n", program, ended.ID)
	if asked, err := runtime.RequestOf(ended.ID); err == nil {
		for _, line := range a.nextSteps(asked) {
			fmt.Fprintf(a.Err, "  %s\n", visible(line))
		}
	}
	return ended, errReported
}

// stoppedWaiting ends the command with the run as it stands, for a script that asked
// for JSON.
func (a *app) stoppedWaiting(flags runFlags, waiting *engine.Run, why error) error {
	if flags.asJSON {
		if err := printValue(a.Out, waiting.Value()); err != nil {
			return err
		}
	}
	return why
}
