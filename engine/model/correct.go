package model

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/problem"
)

// This file asks once more for a JSON answer that does not match (model
// settings, "One correction").

// toldIssues is how many issues a model and a caller are told.
const toldIssues = 5

// correct makes the second request, where there is room for it.
func (a *asking) correct(ctx context.Context, answer *wire.Answer, first judged, took time.Duration) *Failure {
	repair := &Repair{Issues: problem.Limited(first.issues)}
	a.outcome.Repair = repair
	failed := a.failure(OutputInvalid)
	failed.Issues = firstOf(first.issues)

	messages := append(append([]wire.Message{}, a.call.Messages...),
		wire.Message{Role: wire.Assistant, Text: answer.Text}, wire.Message{Role: wire.User, Text: correction(first.told)})
	if because := a.noRoom(answer, messages, took); because != "" {
		// The record of a correction that was not made says only why.
		*repair = Repair{Outcome: "skipped", Because: because}
		failed.correction = "and no correction was attempted: " + skipped[because]
		return failed
	}
	// A provider that refuses this request may repeat the answer it holds.
	a.redact = a.redact.with(answer.Text, messages[len(messages)-1].Text)
	got, _, failure, took := a.request(ctx, messages)
	milliseconds := took.Milliseconds()
	repair.Duration = &milliseconds
	if failure != nil {
		repair.Outcome, repair.Because = "failed", string(failure.Kind)
		if failure.Kind == Cancelled {
			return failure
		}
		failed.correction = "and the request for a correction failed: " + failedAs(failure)
		return failed
	}
	a.outcome.answered(got)
	repair.Usage, repair.CostUSD = &got.answer.Usage, got.cost
	second := a.judgeSecond(got.answer)
	if second.fits() {
		repair.Outcome = "repaired"
		a.outcome.Value, a.outcome.HasValue = second.read, true
		return nil
	}
	repair.Outcome = "invalid"
	failed.Issues = firstOf(second.issues)
	failed.correction = "after one correction"
	return failed
}

// judgeSecond holds the second answer against the schema. One that calls a tool
// or is refused instead is not JSON.
func (a *asking) judgeSecond(answer *wire.Answer) judged {
	if len(answer.Calls) > 0 || answer.FinishReason == wire.ContentFilter {
		issues := []problem.Issue{{Detail: notJSON}}
		return judged{issues: issues, told: issues}
	}
	return a.judge(answer)
}

func firstOf(issues []problem.Issue) []problem.Issue { return issues[:min(len(issues), toldIssues)] }

// correction is what the model is told of its answer.
func correction(issues []problem.Issue) string {
	var told strings.Builder
	if len(issues) == 1 && issues[0].Detail == notJSON {
		told.WriteString("Your answer is not JSON.\n")
	} else {
		told.WriteString("Your answer does not meet these rules of the answer's schema:\n")
		for _, issue := range firstOf(issues) {
			told.WriteString("- ")
			if issue.Pointer != "" {
				told.WriteString(issue.Pointer + ": ")
			}
			told.WriteString(issue.Detail + "\n")
		}
	}
	told.WriteString("Answer again in full, following every rule.")
	return told.String()
}

// skipped says why a correction was not made.
var skipped = map[string]string{
	"time":           "too little time was left",
	"input_tokens":   "too few input tokens were left",
	"context_window": "it would not fit in the model's context window",
}

// noRoom gives what a second request has too little room in, and an empty text
// where it has enough.
func (a *asking) noRoom(answer *wire.Answer, messages []wire.Message, took time.Duration) string {
	if a.left() < took {
		return "time"
	}
	input := answer.Usage.Input.Total
	if input == nil {
		return ""
	}
	// The provider's own count for the first request gives tokens for bytes; the
	// answer is counted as it was written.
	added := int64(0)
	if output := answer.Usage.Output.Total; output != nil {
		added = *output
	}
	issues := messages[len(messages)-1].Text
	added += int64(len(issues))/4 + 1
	if left := a.call.Room.InputTokens; left > 0 && *input+*input+added > left {
		return "input_tokens"
	}
	if window := a.call.Room.ContextWindow; window > 0 && *input+added > window {
		return "context_window"
	}
	return ""
}

// failedAs says in a few words how the second request failed.
func failedAs(failure *Failure) string {
	switch {
	case failure.Kind == TimedOut:
		return "it was not answered in time"
	case failure.Status != 0:
		return fmt.Sprintf("HTTP %d", failure.Status)
	case failure.words != "":
		return failure.Provider + " " + failure.words
	}
	return strings.ReplaceAll(string(failure.Kind), "_", " ")
}
