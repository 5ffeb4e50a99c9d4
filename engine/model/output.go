package model

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// This file asks for the answer: as text, or as JSON in the way the route and
// the schema allow, with one more request where that can mend it (model
// settings, "Answers that are JSON" and the sections after it).

// asking is a call while it is asked.
type asking struct {
	sending
	outcome *Outcome
}

const describing = "Answer with only a JSON value that matches this JSON Schema, and no other text. " +
	"Leave out a property that is not required when you have no value for it."

// described adds the schema to the instructions, after the definition's own.
func described(instructions string, schema value.Value) string {
	told := describing + "\n" + value.JSON(schema)
	if instructions == "" {
		return told
	}
	return instructions + "\n\n" + told
}

// mode says how JSON is asked for: from the route and the schema, never from
// the model's name.
func (a *asking) mode() OutputMode {
	provider := a.target.Provider
	switch {
	case a.call.Output == nil:
		return ""
	case a.call.Output.Portable == nil, provider.Route == wire.Gateway && !provider.StructuredOutputs:
		return DescribedMode
	}
	return PortableMode
}

func (a *asking) ask(ctx context.Context) *Failure {
	a.outcome.OutputMode = a.mode()
	got, reply, failure, took := a.request(ctx, a.call.Messages)
	if failure != nil && reply != nil && a.outcome.OutputMode == PortableMode && refusesSchema(reply) {
		got, failure, took = a.describe(ctx, reply.Status, failure, took)
	}
	if failure != nil {
		return failure
	}
	a.outcome.answered(got)
	if failure := a.refusedContent(got.answer); failure != nil {
		return failure
	}
	if a.call.Output == nil || len(got.answer.Calls) > 0 {
		return nil
	}
	return a.check(ctx, got.answer, took)
}

// describe asks again, with the schema in the instructions, after the provider
// refused the request for its schema.
func (a *asking) describe(ctx context.Context, status int, refused *Failure, took time.Duration) (*sent, *Failure, time.Duration) {
	record := &SchemaRefusal{Outcome: "described", Status: status, Duration: took.Milliseconds()}
	a.outcome.Refusal = record
	if a.left() < took {
		record.Outcome, record.Because = "skipped", "time"
		refused.reason = noTimeToDescribe
		return nil, refused, 0
	}
	a.outcome.OutputMode = DescribedMode
	got, _, failure, took := a.request(ctx, a.call.Messages)
	if failure == nil {
		return got, nil, took
	}
	a.outcome.OutputMode = PortableMode
	if failure.Kind == DefinitionInvalid && (failure.Status == 400 || failure.Status == 422) {
		record.Outcome = "refused_again"
		failure.reason = notTheSchema
	}
	return nil, failure, took
}

// left is the time until the call must be over.
func (a *asking) left() time.Duration { return a.deadline.Sub(a.client.clock.Now()) }

// refusedContent is the failure of an answer that the provider stopped under
// its content policy, or that the model refused to give.
func (a *asking) refusedContent(answer *wire.Answer) *Failure {
	if answer.FinishReason == wire.ContentFilter || answer.Refusal != "" && len(answer.Calls) == 0 {
		return a.failure(ContentRefused)
	}
	return nil
}

// check reads a JSON answer, and asks once more for one that does not match.
func (a *asking) check(ctx context.Context, answer *wire.Answer, took time.Duration) *Failure {
	if answer.FinishReason == wire.Length {
		failure := a.failure(OutputInvalid)
		failure.reason = cutOff
		return failure
	}
	if strings.TrimSpace(answer.Text) == "" {
		failure := a.failure(OutputInvalid)
		failure.reason = emptyAnswer
		return failure
	}
	first := a.judge(answer)
	if first.fits() {
		a.outcome.Value, a.outcome.HasValue = first.read, true
		return nil
	}
	return a.correct(ctx, answer, first, took)
}

// judged is a JSON answer held against its schema.
type judged struct {
	read   value.Value
	issues []problem.Issue // at pointers of the schema as written
	told   []problem.Issue // the same, at pointers of what the model wrote
}

func (j judged) fits() bool { return len(j.issues) == 0 }

// notJSON is the issue of an answer that cannot be read.
const notJSON = "The answer is not JSON"

// answerLevels is how deeply an answer may nest.
const answerLevels = 128

func (a *asking) judge(answer *wire.Answer) judged {
	text := answer.Text
	if a.outcome.OutputMode == DescribedMode {
		text = unfenced(text)
	}
	written, err := value.ParseJSON([]byte(text), answerLevels)
	if err != nil {
		issues := []problem.Issue{{Pointer: "", Detail: notJSON}}
		if err == value.ErrTooDeep {
			issues[0].Detail = fmt.Sprintf("The answer nests more than %d levels", answerLevels)
		}
		return judged{issues: issues, told: issues}
	}
	if a.outcome.OutputMode == DescribedMode {
		issues := a.issuesOf(written, nil)
		return judged{read: written, issues: issues, told: issues}
	}
	portable := a.call.Output.Portable
	read, issues := portable.Read(written)
	issues = a.issuesOf(read, issues)
	told := make([]problem.Issue, len(issues))
	for i, issue := range issues {
		told[i] = problem.Issue{Pointer: portable.Place(written, issue.Pointer), Detail: issue.Detail}
	}
	return judged{read: read, issues: issues, told: told}
}

// issuesOf adds what the schema and the shape find to what reading found. An
// answer that takes too long to check is one issue.
func (a *asking) issuesOf(answer value.Value, found []problem.Issue) []problem.Issue {
	issues, err := a.call.Output.Check(answer)
	if err != nil {
		return []problem.Issue{{Pointer: "", Detail: "The answer takes too long to check"}}
	}
	return append(found[:len(found):len(found)], issues...)
}

// unfenced gives what stands inside the one Markdown code fence that is the
// whole answer, and any other answer as it is. A fence ends at the first line
// that closes it: what looks like one within a line, as a text of the answer may
// hold, does not.
func unfenced(answer string) string {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(answer, "\r\n", "\n")), "\n")
	last := len(lines) - 1
	mark, length := fenceOf(lines[0])
	info := lines[0][length:]
	if last < 1 || length < shortestFence || mark == "`" && strings.Contains(info, mark) {
		return answer
	}
	for i, line := range lines[1:] {
		if closesFence(line, mark, length) {
			if i+1 < last {
				return answer
			}
			return strings.Join(lines[1:last], "\n")
		}
	}
	return answer
}

// shortestFence is the fewest characters of a Markdown code fence.
const shortestFence = 3

// fenceOf gives the character that a line begins with, and how often it does,
// where that may begin a code fence.
func fenceOf(line string) (mark string, length int) {
	for _, mark := range [...]string{"`", "~"} {
		if length := len(line) - len(strings.TrimLeft(line, mark)); length > 0 {
			return mark, length
		}
	}
	return "", 0
}

// closesFence tells whether a line closes a code fence: nothing but at least as
// many of its characters, at most three spaces in.
func closesFence(line, mark string, length int) bool {
	closing := strings.TrimLeft(line, " ")
	indent := len(line) - len(closing)
	is, run := fenceOf(closing)
	return indent <= 3 && is == mark && run >= length && strings.TrimSpace(closing[run:]) == ""
}
