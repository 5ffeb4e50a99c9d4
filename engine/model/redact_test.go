package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/value"
)

// This file has providers send back what they were sent, in the forms in which
// programs write it.

// refusing is the log of a call that a gateway refuses with these words.
func refusing(t *testing.T, secrets []string, instructions, prompt, words string) string {
	t.Helper()
	server := double.New(t, wire.Gateway, double.Reply{Status: 400, Body: `{"error":{"message":` + value.JSON(words) + `}}`})
	bench := newBench(model.Configuration{Providers: []model.Provider{server.Provider("gateway")}, Secrets: secrets})
	bench.fails(t, callOf(wire.Gateway, func(call *model.Call) {
		call.Instructions, call.Messages[0].Text = instructions, prompt
	}))
	return bench.entries(t)[0].Annotations["provider_message"].(string)
}

// TestASecretWithinThePrompt: a gateway's header may hold a word that prompts
// hold too. Neither may be read for it.
func TestASecretWithinThePrompt(t *testing.T) {
	t.Parallel()
	const instructions, prompt = "You write for marketing.", "A tin for loose tea."
	for words, want := range map[string]string{
		"no " + instructions + " for marketing": "no [prompt] for [redacted]",
		"no " + prompt + " for marketing":       "no [prompt] for [redacted]",
		"no key house " + prompt + " key":       "no [redacted] key",
	} {
		if got := refusing(t, []string{"marketing", "key house " + prompt}, instructions, prompt, words); got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
}

// TestThePromptInOtherForms: as JSON of ASCII alone, as JSON for a page, as a
// literal in single quotes, as the text of a page, and in a query.
func TestThePromptInOtherForms(t *testing.T) {
	t.Parallel()
	const prompt = "Naïve \"tea\" <tin> & 🫖,\nin two lines"
	forPages, err := json.Marshal(prompt)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{
		prompt,
		value.JSON(prompt),
		string(forPages),
		strings.NewReplacer(`\U0001fad6`, `\ud83e\uded6`, `\xef`, `\u00ef`).Replace(strconv.QuoteToASCII(prompt)),
		`'Naïve "tea" <tin> & 🫖,\nin two lines'`,
		`Na\u00efve \"tea\" \u003ctin\u003e \u0026 \ud83e\uded6,\nin two lines`,
		"Naïve &#34;tea&#34; &lt;tin&gt; &amp; 🫖,\nin two lines",
		"Na%C3%AFve+%22tea%22+%3Ctin%3E+%26+%F0%9F%AB%96%2C%0Ain+two+lines",
	} {
		got := refusing(t, nil, "", prompt, "you sent "+form+" here")
		if strings.Contains(got, "tin") || !strings.Contains(got, "[prompt]") {
			t.Errorf("%s: got %s", form, got)
		}
	}
}

// TestArgumentsAreThePrompt: the calls of earlier steps are part of what is sent.
func TestArgumentsAreThePrompt(t *testing.T) {
	t.Parallel()
	server := double.New(t, wire.Gateway, double.Fail(wire.Gateway, 400, "bad", `odd call {"term":"loose tea"} of the model`))
	bench := benchOf(server)
	arguments := value.NewObject(1)
	arguments.Set("term", "loose tea")
	bench.fails(t, callOf(wire.Gateway, func(call *model.Call) {
		call.Messages = append(call.Messages,
			wire.Message{Role: wire.Assistant, Calls: []wire.ToolCall{{ID: "c1", Name: "notes__find", Input: arguments}}},
			wire.Message{Role: wire.ToolResults, Results: []wire.ToolResult{{ID: "c1", Name: "notes__find", Text: "Nothing"}}})
	}))
	if got := bench.entries(t)[0].Annotations["provider_message"]; got != "odd call [prompt] of the model" {
		t.Errorf("got %s", got)
	}
}

// TestARefusedCorrectionShowsNoAnswer: the request for a correction holds the
// answer that did not match, which nobody may read.
func TestARefusedCorrectionShowsNoAnswer(t *testing.T) {
	t.Parallel()
	const answer = "The verdict on the tea tin is yes"
	server := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, answer), double.Fail(wire.OpenAI, 400, "bad", "odd turn: "+answer))
	bench := benchOf(server, func(provider *model.Provider) { provider.ShowsMessages = true })
	_, failure := bench.fails(t, verdictCall(t, wire.OpenAI))
	if got := bench.entries(t)[0].Annotations["provider_message"]; got != "odd turn: [prompt]" {
		t.Errorf("logged %s", got)
	}
	if strings.Contains(failure.Detail(model.Tools{}), "tea tin") {
		t.Errorf("said %s", failure.Detail(model.Tools{}))
	}
}

// TestACorrectionThatIsCancelled is recorded as one that failed.
func TestACorrectionThatIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	away := double.Reply{Fault: double.Silence, Before: cancel}
	server := double.New(t, wire.OpenAI, double.Say(wire.OpenAI, "Yes"), away)
	outcome, err := benchOf(server).client.Call(ctx, verdictCall(t, wire.OpenAI))
	failure, _ := model.AsFailure(err)
	if failure == nil || failure.Kind != model.Cancelled || outcome.Repair == nil || outcome.Repair.Outcome != "failed" || outcome.Repair.Because != "cancelled" {
		t.Errorf("%+v, repair %+v", failure, outcome.Repair)
	}
}

// TestTheLogSteersNoTerminal: in both forms of the log, and the values are the
// same all the same.
func TestTheLogSteersNoTerminal(t *testing.T) {
	t.Parallel()
	const words = "\x1b[2J\u009b31m\u202etxt\u2028\u007f é\nend"
	server := double.New(t, wire.Gateway, double.Reply{Status: 400, Body: `{"error":{"message":` + value.JSON(words) + `}}`})
	bench := benchOf(server)
	bench.fails(t, callOf(wire.Gateway))
	if got := bench.entries(t)[0].Annotations["provider_message"]; got != words {
		t.Errorf("got %q", got)
	}
	var text bytes.Buffer
	client := model.New(model.Configuration{Providers: []model.Provider{server.Provider("gateway")}}, model.Options{Log: model.NewTextLog(&text)})
	server.Script(double.Reply{Status: 400, Body: `{"error":{"message":` + value.JSON(words) + `}}`})
	if _, err := client.Call(t.Context(), callOf(wire.Gateway)); err == nil {
		t.Fatal("the call did not fail")
	}
	for _, log := range []string{bench.log.String(), text.String()} {
		if strings.ContainsAny(log, "\x1b\u009b\u202e\u2028\u007f") || strings.Count(log, "\n") != 1 || !strings.Contains(log, `\u009b31m\u202etxt`) {
			t.Errorf("logged %q", log)
		}
	}
}
