package cli

// This file says of a run that asked its party whom it waits for, until when, how
// its request is delivered and how to answer it.

import (
	"fmt"
	"strings"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
)

// printWaiting tells of a run that waits: its id on standard output, for a script
// that answers or looks at it later, and all else on standard error.
func (a *app) printWaiting(runtime *engine.Runtime, done *engine.Run, asJSON bool) error {
	asked, err := runtime.RequestOf(done.ID)
	if err != nil {
		return err
	}
	if asked.TakesAnswer {
		fmt.Fprintf(a.Err, "%s: The run waits for %s until %s\n", program, a.party(runtime, asked.To), dated(asked.Expires))
	} else {
		fmt.Fprintf(a.Err, "%s: The run tells %s, and ends once that is delivered, or at %s\n", program, a.party(runtime, asked.To), dated(asked.Expires))
	}
	for _, line := range a.nextSteps(asked) {
		fmt.Fprintf(a.Err, "  %s\n", visible(line))
	}
	if asJSON {
		return nil
	}
	_, err = fmt.Fprintln(a.Out, done.ID)
	return err
}

// party is whom a request goes to, in words.
func (a *app) party(runtime *engine.Runtime, to string) string {
	if to == "person:"+engine.LocalDeveloper().ID {
		return "you"
	}
	if runtime.WaitsOnMe(to) == engine.OnMe {
		return "you (" + visible(to) + ")"
	}
	return visible(to)
}

// nextSteps are how an open request is delivered and answered, a line each.
func (a *app) nextSteps(asked *engine.AskedRequest) []string {
	lines := []string{"Delivery: " + deliveryText(asked)}
	if link, ok := lookupText(asked.SignIn, "/link"); ok {
		lines = append(lines, "Sign in at "+link)
	}
	if asked.TakesAnswer {
		lines = append(lines, "Answer it in "+program+" inbox, or with "+answerCommand(asked))
	}
	switch {
	case asked.Delivery == engine.Retrying || asked.Delivery == engine.ToDeliver:
		lines = append(lines, "While "+program+" work runs, it is sent again")
	case asked.Conversation != "":
		lines = append(lines, "While "+program+" work runs, the replies to it are read")
	}
	return lines
}

// deliveryText is how the delivery of a request stands.
func deliveryText(asked *engine.AskedRequest) string {
	through := asked.Server + "/" + asked.Tool
	failed := func() string {
		last := asked.Attempts[len(asked.Attempts)-1]
		return fmt.Sprintf("%s failed %s, the last time as %s", through, times(len(asked.Attempts)), last.Because)
	}
	switch asked.Delivery {
	case engine.ToDeliver:
		return "to be sent through " + through
	case engine.Delivering:
		return "being sent through " + through
	case engine.Delivered:
		return "sent through " + through
	case engine.Retrying:
		return failed() + "; due again at " + dated(asked.Due)
	case engine.Undelivered:
		if len(asked.Attempts) == 0 {
			return "not sent through " + through + ", which cannot take it"
		}
		return failed() + "; not sent again"
	}
	return "held for an agent or a person to answer"
}

func times(count int) string {
	if count == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", count)
}

// answerCommand is the command that answers a request, with the fields that the
// answer must have.
func answerCommand(asked *engine.AskedRequest) string {
	words := []string{program, "answer", asked.RunID}
	for _, field := range engine.AnswerFields(asked) {
		if field.Required && !strings.ContainsAny(field.Name, ".[") {
			words = append(words, shellWord(field.Name)+"=…")
		}
	}
	if len(words) == 3 {
		words = append(words, "--answer …")
	}
	return strings.Join(words, " ")
}

// choiceText is what a field takes, such as one of approve, revise.
func choiceText(field *engine.Field) string {
	text := field.Type
	if len(field.Choices) > 0 {
		choices := make([]string, len(field.Choices))
		for i, choice := range field.Choices {
			choices[i] = plain(choice)
		}
		text = "one of " + strings.Join(choices, ", ")
	}
	if field.Required {
		text += " (required)"
	}
	if field.Description != "" {
		text += ": " + strings.Join(strings.Fields(field.Description), " ")
	}
	return text
}

// answerFields are the fields of an answer, a line each.
func answerFields(asked *engine.AskedRequest) string {
	var b strings.Builder
	fields := engine.AnswerFields(asked)
	width := 0
	for _, field := range fields {
		width = max(width, len(field.Name))
	}
	for i := range fields {
		fmt.Fprintf(&b, "%-*s  %s\n", width, fields[i].Name, choiceText(&fields[i]))
	}
	if len(fields) == 0 {
		return value.IndentedJSON(asked.AnswerSchema, "  ") + "\n"
	}
	return b.String()
}
