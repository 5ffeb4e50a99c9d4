package cli

// This file is auto runs show: a run drawn so that a person sees at once what
// was asked, what came back and what it cost.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

func newRunsShow(a *app) *cobra.Command {
	var flags eventsFlags
	command := &cobra.Command{
		Use:   "show ID",
		Short: "Show a run: what was asked, what came back, what it cost",
		Example: "  auto runs show 0199a3c4-7d2e-7c1a-9b3f-2f1e0d9c8b7a\n" +
			"  auto runs show review-2026-11-30 --json | jq .output",
		Args:              arguments(1, 1, "the id of a run"),
		ValidArgsFunction: first(a.runIDs),
		RunE:              func(_ *cobra.Command, args []string) error { return a.showRun(flags, args[0]) },
	}
	flags.runtimeFlags.add(command)
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON value: the run as it is recorded")
	return command
}

func (a *app) showRun(flags eventsFlags, id string) (err error) {
	runtime := a.runtime(flags.runtimeFlags, "runs")
	defer closing(runtime, &err)
	if id, err = a.runID(runtime, id); err != nil {
		return err
	}
	found, err := runtime.RunByID(id)
	if err != nil {
		return noRun(id, err)
	}
	if flags.asJSON {
		return printValue(a.Out, found.Value())
	}
	asked, err := runtime.RequestOf(id)
	if err != nil && !errors.Is(err, engine.ErrNoRun) {
		return err
	}
	drawn := a.drawn(runtime, found, asked)
	if found.Status != engine.RunSucceeded {
		called, err := a.failedCall(runtime, id)
		if err != nil {
			return err
		}
		drawn += called
	}
	_, err = io.WriteString(a.Out, drawn)
	return err
}

// failedCall is what the history holds of the call of a model without an answer that
// a run could take; empty where there was none. A rejected run's record holds what was
// spent alone, and no answer.
func (a *app) failedCall(runtime *engine.Runtime, id string) (string, error) {
	var called *engine.Event
	err := eachEvent(runtime, engine.EventFilter{RunID: id, Type: "model_call_failed", Limit: mostRuns}, func(event *engine.Event) error {
		called = event // of several attempts at the run, the last
		return nil
	})
	if err != nil || called == nil {
		return "", err
	}
	lines := []string{"model " + textAt(called.Data, "/model")}
	if mode := textAt(called.Data, "/output_mode"); mode != "" {
		lines = append(lines, "asked for JSON as "+mode)
	}
	if because := textAt(called.Data, "/because"); because != "" {
		lines = append(lines, "failed as "+because)
	}
	judged := false
	answer := func(which, pointer string) {
		found, _ := value.Lookup(called.Data, pointer)
		issues, _ := found.([]value.Value)
		for _, issue := range issues {
			at, _ := lookupText(issue, "/pointer")
			detail, _ := lookupText(issue, "/detail")
			judged = true
			lines = append(lines, which+": "+issueText(problem.Issue{Pointer: at, Detail: detail}))
		}
	}
	answer("the first answer", "/repair/issues")
	answer("the last answer", "/issues")
	if judged {
		lines = append(lines, "No answer that was not taken is recorded")
	}
	return "\n" + a.section("Call", strings.Join(lines, "\n")), nil
}

// drawn is a run as a person reads it: its facts, then each text under its
// heading, in the order they came to be. Asked is its request, nil where it made none.
func (a *app) drawn(runtime *engine.Runtime, r *engine.Run, asked *engine.AskedRequest) string {
	var b strings.Builder
	title := report.Paint(a.useColour(), report.Bold, r.Type+"/"+r.Name)
	fmt.Fprintf(&b, "%s  %s\n\n", title, report.Paint(a.useColour(), statusStyle(r.Status), standing(&r.Summary)))
	list := facts(r)
	if asked != nil {
		list = append(list, a.requestFacts(runtime, asked, r.Status)...)
	}
	for _, fact := range list {
		fmt.Fprintf(&b, "%s  %s\n", report.Paint(a.useColour(), report.Dim, fmt.Sprintf("%-9s", fact.name)), report.Visible(fact.text))
	}
	sections := []string{a.section("Input", value.IndentedJSON(r.Input, "  "))}
	prompt, _ := value.Lookup(r.Record, "/prompt")
	cut := ""
	if truncated, _ := value.Lookup(prompt, "/truncated"); truncated == true {
		cut = " (its start)"
	}
	for _, part := range []struct{ heading, key string }{{"Instructions", "/instructions"}, {"Message", "/message"}} {
		if text, ok := lookupText(prompt, part.key); ok {
			sections = append(sections, a.section(part.heading+cut, text))
		}
	}
	if asked != nil {
		sections = append(sections, a.section("Message", asked.Message))
	}
	switch text, isText := r.Output.(string); {
	case isText:
		sections = append(sections, a.section("Output", text))
	case r.Output != nil:
		sections = append(sections, a.section("Output", value.IndentedJSON(r.Output, "  ")))
	}
	if r.Rejection != nil {
		sections = append(sections, a.section("Rejection", rejectionText(r.Rejection)))
	}
	for _, section := range sections {
		b.WriteString("\n" + section)
	}
	return b.String()
}

// requestFacts are what is known of the request of a run.
func (a *app) requestFacts(runtime *engine.Runtime, asked *engine.AskedRequest, status engine.RunStatus) []fact {
	party := "to"
	if status == engine.RunStarted {
		party = "waits for"
	}
	if !asked.TakesAnswer {
		party = "tells"
	}
	list := []fact{{party, a.party(runtime, asked.To)}}
	if asked.Answerer != asked.To {
		list = append(list, fact{"answerer", asked.Answerer})
	}
	if status != engine.RunStarted {
		if asked.Server != "" && len(asked.Attempts) > 0 {
			list = append(list, fact{"delivery", deliveryText(asked)})
		}
		if answered := a.answeredText(runtime, asked); answered != "" {
			list = append(list, fact{"answered", answered})
		}
		return list
	}
	list = append(list, fact{"until", dated(asked.Expires)}, fact{"delivery", deliveryText(asked)})
	if link, ok := lookupText(asked.SignIn, "/link"); ok {
		list = append(list, fact{"sign in", link})
	}
	if asked.TakesAnswer {
		list = append(list, fact{"answer", answerCommand(asked)})
	}
	return list
}

// answeredText says who answered a request and when; empty without an answer.
func (a *app) answeredText(runtime *engine.Runtime, asked *engine.AskedRequest) string {
	if asked.AnswerID == 0 {
		return ""
	}
	taken, err := runtime.EventByID(asked.AnswerID)
	if err != nil {
		return ""
	}
	by := textAt(taken.Data, "/answered_by/name")
	if by == "" {
		by = textAt(taken.Data, "/answered_by/id")
	}
	text := "by " + by + " on " + dated(taken.Time)
	if claimed := textAt(taken.Data, "/claimed_for"); claimed != "" {
		text += ", for " + claimed
	}
	return text
}

type fact struct{ name, text string }

// facts are what is known of a run beside its texts.
func facts(r *engine.Run) []fact {
	list := []fact{
		{"run", r.ID},
		{"started", dated(r.Started)},
		{"took", took(&r.Summary)},
		{"version", fmt.Sprintf("%d of %s/%s", r.Version, r.Type, r.Name)},
	}
	if r.Attempt > 1 {
		list = append(list, fact{"attempt", fmt.Sprint(r.Attempt)})
	}
	add := func(name, text string) {
		if text != "" {
			list = append(list, fact{name, text})
		}
	}
	add("model", modelText(r.Record))
	if settings, ok := value.Lookup(r.Record, "/settings"); ok {
		add("settings", settingsText(settings))
	}
	add("ended", finishText(r.Record))
	add("tokens", tokensText(r.Record))
	add("cost", costText(r.Record))
	add("call", callText(r.Record))
	add("response", textAt(r.Record, "/response_id"))
	warnings, _ := value.Lookup(r.Record, "/warnings")
	lines, _ := warnings.([]value.Value)
	for _, line := range lines {
		if text, ok := line.(string); ok {
			add("warning", text)
		}
	}
	return list
}

// costs are what a run used, in short.
func costs(r *engine.Run) []string {
	list := []string{lasted(r.Ended.Sub(r.Started))}
	if text := tokensText(r.Record); text != "" {
		list = append(list, text)
	}
	if text := costText(r.Record); text != "" {
		list = append(list, text)
	}
	return list
}

func lookupText(v value.Value, pointer string) (string, bool) {
	found, _ := value.Lookup(v, pointer)
	text, ok := found.(string)
	return text, ok
}

func textAt(record *value.Object, pointer string) string {
	if record == nil {
		return ""
	}
	text, _ := lookupText(record, pointer)
	return text
}

// modelText is the model as it was requested and, where they differ, as it was
// resolved and as it answered.
func modelText(record *value.Object) string {
	text := textAt(record, "/model/requested")
	if resolved := textAt(record, "/model/resolved"); resolved != text {
		text += ", resolved to " + resolved
	}
	if answered := textAt(record, "/model/answered"); answered != "" {
		text += ", answered by " + answered
	}
	return text
}

func settingsText(settings value.Value) string {
	object, _ := settings.(*value.Object)
	var parts []string
	for i := range object.Len() {
		key, v := object.At(i)
		parts = append(parts, key+" "+plain(v))
	}
	return strings.Join(parts, ", ")
}

// plain is a value as a sentence holds it: a text without its quotes.
func plain(v value.Value) string {
	if text, ok := v.(string); ok {
		return text
	}
	return value.JSON(v)
}

func finishText(record *value.Object) string {
	reason, raw := textAt(record, "/finish_reason"), textAt(record, "/raw_finish_reason")
	if raw == "" || raw == reason {
		return reason
	}
	return reason + " (" + raw + ")"
}

// tokensText is the usage in words, such as 120 in (80 from the cache), 30 out.
func tokensText(record *value.Object) string {
	if record == nil {
		return ""
	}
	count := func(pointer string) (string, bool) {
		found, _ := value.Lookup(record, "/usage"+pointer)
		number, ok := value.Whole(found)
		return fmt.Sprint(number), ok && (number > 0 || strings.HasSuffix(pointer, "/total"))
	}
	side := func(pointer, word string, details ...[2]string) string {
		total, known := count(pointer + "/total")
		if !known {
			return ""
		}
		var parts []string
		for _, detail := range details {
			if number, some := count(pointer + detail[0]); some {
				parts = append(parts, number+" "+detail[1])
			}
		}
		text := total + " tokens " + word
		if len(parts) > 0 {
			text += " (" + strings.Join(parts, ", ") + ")"
		}
		return text
	}
	var sides []string
	for _, text := range []string{
		side("/input_tokens", "in", [2]string{"/cache_read", "from the cache"}, [2]string{"/cache_write", "to the cache"}),
		side("/output_tokens", "out", [2]string{"/reasoning", "of reasoning"}),
	} {
		if text != "" {
			sides = append(sides, text)
		}
	}
	return strings.Join(sides, ", ")
}

func costText(record *value.Object) string {
	if record == nil {
		return ""
	}
	cost, ok := value.Lookup(record, "/cost_usd")
	if !ok {
		return ""
	}
	return plain(cost) + " US dollars"
}

func callText(record *value.Object) string {
	if record == nil {
		return ""
	}
	found, _ := value.Lookup(record, "/duration_ms")
	if _, ok := value.Whole(found); !ok {
		return ""
	}
	return plain(found) + " ms"
}

// rejectionText is a problem document as a person reads it.
func rejectionText(r *problem.Rejection) string {
	name := strings.TrimPrefix(r.Type, problem.TypeBase)
	about := []string{fmt.Sprintf("HTTP %d", r.Status)}
	if r.Kind != "" {
		about = append(about, r.Kind)
	}
	if r.Because != "" {
		about = append(about, "because "+r.Because)
	}
	text := fmt.Sprintf("%s (%s): %s", name, strings.Join(about, ", "), r.Detail)
	for _, issue := range r.Issues {
		text += "\n  " + issueText(issue)
	}
	return text
}
