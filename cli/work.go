package cli

// This file is auto work.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
)

type workFlags struct {
	runtimeFlags
	once   bool
	asJSON bool
}

func newWork(a *app) *cobra.Command {
	var flags workFlags
	command := &cobra.Command{
		Use:   "work",
		Short: "Deliver open requests, read the replies to them and end those that expire",
		Long: "Work on the open requests of the playbook around the working folder until it is stopped,\n" +
			"as with ctrl-c: send them through their tools, and again when an attempt failed; read the\n" +
			"replies to them, take answers from those and tell a party whose reply was none; end those\n" +
			"that expire. Each thing that is done is a line on standard output.\n\n" +
			"Any number of workers share the work, on one machine and one store: no attempt, read or\n" +
			"telling is made twice. What a worker leaves when it is stopped, another one goes on with.\n\n" +
			"With --once it does what is due now and ends, as for cron.\n\n" +
			"Exits with 2 for wrong usage or settings, such as a working folder that is in no playbook,\n" +
			"and with 3 when the store cannot be used. Being stopped is no failure.",
		Example: "  auto work\n" +
			"  auto work --json >> work.jsonl\n" +
			"  * * * * * cd ~/playbooks/campaigns && auto work --once",
		Args:              arguments(0, 0, ""),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			return a.work(command.Context(), flags)
		},
	}
	set := command.Flags()
	flags.runtimeFlags.add(command)
	set.BoolVar(&flags.once, "once", false, "do what is due now and end")
	set.BoolVar(&flags.asJSON, "json", false, "print each thing that is done as one JSON object on a line")
	return command
}

func (a *app) work(ctx context.Context, flags workFlags) (err error) {
	if a.outside(flags.runtimeFlags) != "" {
		// A line of cron that names the wrong folder would pass for one with nothing to do.
		return unmet("%s", inNoPlaybook("The working folder"))
	}
	runtime := a.runtime(flags.runtimeFlags, "work")
	defer closing(runtime, &err)
	if a.Interruptible != nil {
		var stop context.CancelFunc
		ctx, stop = a.Interruptible(ctx)
		defer stop()
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	if a.ErrTerminal && !flags.once && runtime.SettingsError() == nil {
		fmt.Fprintf(a.Err, "%s: Working on the requests of %s; ctrl-c ends it\n", program, visible(runtime.Playbook()))
	}
	var printing error
	err = runtime.Work(ctx, engine.WorkOptions{Once: flags.once, Told: func(fact engine.WorkFact) {
		// Nobody reads on: the work ends, and what it did is recorded.
		if printed := a.printWork(&fact, flags.asJSON); printed != nil && printing == nil {
			printing = printed
			end()
		}
	}})
	if err == nil {
		err = printing
	}
	return err
}

// printWork prints one thing that was done.
func (a *app) printWork(fact *engine.WorkFact, asJSON bool) error {
	line := a.workLine(fact)
	if asJSON {
		line = value.JSON(fact.Value())
	}
	_, err := fmt.Fprintln(a.Out, line)
	return err
}

// workLine is a thing that was done on one line: when, in the clock of the person
// who reads it, of which function, for whom, in which run, and what.
func (a *app) workLine(fact *engine.WorkFact) string {
	parts := []string{a.timeOfDay(fact.Time), fact.Name, fact.To, fact.RunID, a.workWords(fact)}
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
	}
	return visible(strings.Join(parts, "  "))
}

func (a *app) timeOfDay(t time.Time) string { return t.In(a.Now().Location()).Format("15:04:05") }

// refusals are why a reply was refused, in words for a person, by the word of its
// event.
var refusals = map[string]string{
	"unread":           "no answer can be read from it",
	"does_not_match":   "it does not match the answer schema",
	"too_large":        "it is longer than 8 KiB",
	"several_requests": "it names none of the open requests",
}

// workWords says what was done.
func (a *app) workWords(fact *engine.WorkFact) string {
	through := fact.Server + "/" + fact.Tool
	why := fact.Because
	if fact.Words != "" {
		why += ": " + fact.Words
	}
	switch fact.Did {
	case engine.WorkDelivered:
		return "Sent through " + through
	case engine.WorkDeliveryFailed:
		next := "not sent again"
		if !fact.Next.IsZero() {
			next = "due again at " + a.timeOfDay(fact.Next)
		}
		return fmt.Sprintf("Attempt %d through %s failed, %s; %s", fact.Attempt, through, why, next)
	case engine.WorkDeliveryRefused:
		return "Not sent through " + through + ", " + why
	case engine.WorkExpired:
		return "Expired: nobody answered in time"
	case engine.WorkUndelivered:
		return "Ended undelivered: every attempt failed"
	case engine.WorkAnswered:
		return "Answered by the reply " + fact.Reply
	case engine.WorkReplyRefused:
		if words, known := refusals[fact.Because]; known {
			why = words
		}
		return "Refused the reply " + fact.Reply + ": " + why
	case engine.WorkReadingFailed:
		return "Replies could not be read through " + through + ", " + why
	case engine.WorkTold:
		return "Told how to answer through " + through
	case engine.WorkTellingFailed:
		return "Could not be told how to answer, " + why
	}
	return string(fact.Did)
}
