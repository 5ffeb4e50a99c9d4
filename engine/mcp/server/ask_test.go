package server

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// This file is about questions to the person.

const askCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{}}}`

func TestAsksClientsThatShowForms(t *testing.T) {
	t.Parallel()
	const older = `{"message":"Where does the request go?","requestedSchema":{"type":"object","properties":{"delivery":{"type":"string","enum":["agent","chat"],"enumNames":["To this agent","To the chat #launch"]}},"required":["delivery"]}}`
	const newer = `{"message":"Where does the request go?","requestedSchema":{"type":"object","properties":{"delivery":{"type":"string","oneOf":[{"const":"agent","title":"To this agent"},{"const":"chat","title":"To the chat #launch"}]}},"required":["delivery"]},"mode":"form"}`
	for _, test := range []struct{ name, version, capabilities, params, reply, answer string }{
		{"accepted", "2025-06-18", `{"elicitation":{}}`, older, `"result":{"action":"accept","content":{"delivery":"chat"}}`, `"structuredContent":{"note":"chat"}`},
		{"accepted by a newer client", "2025-11-25", `{"elicitation":{"form":{},"url":{}}}`, newer, `"result":{"action":"accept","content":{"delivery":"agent"}}`, `"structuredContent":{"note":"agent"}`},
		{"declined", "2025-11-25", `{"elicitation":{}}`, newer, `"result":{"action":"decline"}`, `Nobody said where the request goes`},
		{"cancelled", "2025-11-25", `{"elicitation":{}}`, newer, `"result":{"action":"cancel","content":{"delivery":"chat"}}`, `Nobody said where the request goes`},
		{"refused by the client", "2025-11-25", `{"elicitation":{}}`, newer, `"error":{"code":-32601,"message":"no"}`, `Nobody said where the request goes`},
		{"nonsense", "2025-11-25", `{"elicitation":{}}`, newer, `"result":[7]`, `Nobody said where the request goes`},
		{"not offered", "2025-11-25", `{"elicitation":{}}`, newer, `"result":{"action":"accept","content":{"delivery":"pigeon"}}`, `The answer to the question is none that it offers`},
		{"left out", "2025-11-25", `{"elicitation":{}}`, newer, `"result":{"action":"accept"}`, `The answer to the question is none that it offers`},
		{"no forms", "2025-11-25", `{}`, ``, ``, `nobody to ask`},
		{"links alone", "2025-11-25", `{"elicitation":{"url":{}}}`, ``, ``, `nobody to ask`},
		{"before there were forms", "2025-03-26", `{"elicitation":{}}`, ``, ``, `nobody to ask`},
	} {
		p := open(t, newServer(newTrials(), nil))
		p.greet(test.version, test.capabilities)
		p.send(askCall)
		if test.params != "" {
			question := p.object()
			if at(question, "/method") != `"elicitation/create"` || at(question, "/params") != test.params {
				t.Errorf("%s: %s", test.name, value.JSON(question))
			}
			p.send(`{"jsonrpc":"2.0","id":999,"result":{"action":"accept","content":{"delivery":"chat"}}}`) // to nothing
			p.send(`{"jsonrpc":"2.0","id":` + at(question, "/id") + `,` + test.reply + `}`)
		}
		if got := p.read(); !strings.Contains(got, test.answer) {
			t.Errorf("%s: %s", test.name, got)
		}
		if rest, err := p.end(); rest != "" || err != nil {
			t.Errorf("%s: it ended with %v and %s", test.name, err, rest)
		}
	}
}

func TestQuestionIsWithdrawnWithItsCall(t *testing.T) {
	t.Parallel()
	p := open(t, newServer(newTrials(), nil))
	p.greet("2025-11-25", `{"elicitation":{}}`)
	p.send(askCall)
	question := p.object()
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if got := p.read(); got != `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+at(question, "/id")+`,"reason":"The call was cancelled"}}` {
		t.Error(got)
	}
	p.send(`{"jsonrpc":"2.0","id":` + at(question, "/id") + `,"result":{"action":"accept","content":{"delivery":"chat"}}}`) // too late
	if rest, err := p.end(); rest != "" || err != nil {
		t.Errorf("it ended with %v and %s", err, rest)
	}
}

func TestQuestionEndsWithTheClient(t *testing.T) {
	t.Parallel()
	p := open(t, newServer(newTrials(), func(o *Options) { o.Bounds.Finish = time.Hour }))
	p.greet("2025-11-25", `{"elicitation":{}}`)
	p.send(askCall)
	p.object()
	if rest, err := p.end(); !strings.Contains(rest, "The call was cancelled") || err != nil {
		t.Errorf("it ended with %v and %s", err, rest)
	}
}

func TestNobodyAnswersForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, to := io.Pipe()
		from, out := io.Pipe()
		go func() {
			_ = newServer(newTrials(), func(o *Options) { o.Bounds = UsualBounds }).Serve(context.Background(), in, out)
			_ = out.Close()
		}()
		said := make(chan string, 1)
		go func() {
			all, _ := io.ReadAll(from)
			said <- string(all)
		}()
		began := time.Now()
		_, _ = to.Write([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}}` + "\n" + askCall + "\n"))
		time.Sleep(UsualBounds.Answer + time.Second)
		_ = to.Close()
		got := <-said
		for _, want := range []string{`"reason":"Nobody answered in time"`, `Nobody said where the request goes`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s is not in %s", want, got)
			}
		}
		if took := time.Since(began); took != UsualBounds.Answer+time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// rounds of the revision without a handshake

const formsMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

func round(tool, more string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{},` + more + formsMeta + `}}`
}

func TestAsksInRounds(t *testing.T) {
	t.Parallel()
	p := open(t, newServer(newTrials(), nil))
	ask := func(line string) *value.Object {
		p.send(line)
		return p.object()
	}
	first := ask(round("ask_twice", ""))
	requests, _ := value.Lookup(first, "/result/inputRequests")
	if at(first, "/result/resultType") != `"input_required"` || requests.(*value.Object).Len() != 1 || at(first, "/result/requestState") != "" {
		t.Fatal(value.JSON(first))
	}
	key, question := requests.(*value.Object).At(0)
	if at(question.(*value.Object), "/method") != `"elicitation/create"` || at(question.(*value.Object), "/params/requestedSchema/properties/delivery/oneOf/1/title") != `"To the chat #launch"` {
		t.Fatal(value.JSON(question))
	}
	second := ask(round("ask_twice", `"inputResponses":{"`+key+`":{"action":"accept","content":{"delivery":"chat"}}},`))
	requests, _ = value.Lookup(second, "/result/inputRequests")
	state := at(second, "/result/requestState")
	if at(second, "/result/resultType") != `"input_required"` || state == "" {
		t.Fatal(value.JSON(second))
	}
	next, _ := requests.(*value.Object).At(0)
	answers := `"inputResponses":{"` + next + `":{"action":"accept","content":{"name":"Launch"}}},`
	third := ask(round("ask_twice", `"requestState":`+state+`,`+answers))
	if at(third, "/result/structuredContent") != `{"note":"chat Launch"}` || at(third, "/result/resultType") != `"complete"` {
		t.Error(value.JSON(third))
	}
	for name, line := range map[string]string{
		"state of another tool":   round("ask", `"requestState":`+state+`,`),
		"state that was changed":  round("ask_twice", `"requestState":`+strings.Replace(state, ".", "A.", 1)+`,`),
		"state that is no text":   round("ask_twice", `"requestState":{},`),
		"responses that are none": round("ask_twice", `"inputResponses":[],`),
	} {
		if answer := ask(line); at(answer, "/error/code") != "-32602" {
			t.Errorf("%s: %s", name, value.JSON(answer))
		}
	}
	// An answer to another question is none, and declining is an answer.
	if answer := ask(round("ask", `"inputResponses":{"delivery":{"action":"accept","content":{"delivery":"chat"}}},`)); at(answer, "/result/resultType") != `"input_required"` {
		t.Error(value.JSON(answer))
	}
	if answer := ask(round("ask", `"inputResponses":{"`+key+`":{"action":"decline"}},`)); !strings.Contains(value.JSON(answer), "Nobody said where the request goes") {
		t.Error(value.JSON(answer))
	}
	if answer := ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask",` + meta + `}}`); at(answer, "/result/structuredContent") != `{"note":"nobody to ask"}` {
		t.Error(value.JSON(answer))
	}
	if rest, err := p.end(); rest != "" || err != nil {
		t.Errorf("it ended with %v and %s", err, rest)
	}
}

func TestErrorsOfTheServerAreToldApart(t *testing.T) {
	t.Parallel()
	var r *rounds
	if r.waits(errAsks) || (&rounds{}).waits(errors.New("another")) {
		t.Error("a call waits that asked nothing")
	}
}
