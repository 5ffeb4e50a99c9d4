package mcp

// This file asks a person for what a document leaves out and only they can choose,
// before the document is refused (interaction format, "How a request reaches its
// party" and "Asking a person to sign in").

import (
	"context"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
)

// theAgent is the choice of the agent way. No server can have its name.
const theAgent = "deliver: agent"

// asker asks one question after another and writes what the person chose into the
// problems that they answer.
type asker struct {
	ask      func(ctx context.Context, question Question) (Reply, error)
	problems []problem.Problem
}

// askPerson asks for what a refused document leaves out, one question at a time. A
// person who declines one is asked no more, and the document is refused in the words
// it would have been refused in without asking.
func askPerson(ctx context.Context, ask func(context.Context, Question) (Reply, error), refused *engine.Refused) (*engine.Refused, error) {
	a := &asker{ask: ask, problems: append([]problem.Problem(nil), refused.Problems...)}
	agreed, err := a.all(ctx, refused)
	if err != nil || !agreed {
		return refused, err
	}
	return &engine.Refused{Problems: a.problems}, nil
}

func (a *asker) all(ctx context.Context, refused *engine.Refused) (agreed bool, err error) {
	unsaid := refused.Unsaid
	if unsaid.IfSignedOut {
		chosen, err := a.choose(ctx, Question{
			Text: "When you are not signed in to " + orSite(unsaid.Site) + ", should a run wait for you, or stop at once?", Field: "if_signed_out",
			Choices: []Choice{{"ask", "Wait until I have signed in"}, {"fail", "Stop at once"}},
		})
		if chosen == "" || err != nil {
			return false, err
		}
		a.answered("/sign_in/if_signed_out", problem.MissingKey, map[string]string{
			"ask": "that a run waits", "fail": "that a run stops at once",
		}[chosen]+"; write if_signed_out: "+chosen)
		if chosen == "fail" {
			return true, nil
		}
	}
	if unsaid.Deliver {
		chosen, err := a.choose(ctx, where(refused))
		if chosen == "" || err != nil {
			return false, err
		}
		a.answered("/deliver", problem.NoDelivery, reached(refused, chosen))
	}
	if unsaid.SignIn && unsaid.Expires {
		chosen, err := a.choose(ctx, Question{
			Text: "How long should a run wait for you to sign in to " + orSite(unsaid.Site) + "?", Field: "expires",
			Choices: []Choice{{"PT1H", "1 hour"}, {"PT4H", "4 hours"}, {"P1D", "1 day"}, {"P2D", "2 days"}, {"P7D", "7 days"}, {"P30D", "30 days"}},
		})
		if chosen == "" || err != nil {
			return false, err
		}
		a.answered("/expires", problem.MissingKey, "that a run waits so long; write expires: "+chosen)
	}
	return true, nil
}

func orSite(site string) string {
	if site == "" {
		return "the site"
	}
	return site
}

// where is the question for the way a request or a notification reaches its party.
func where(refused *engine.Refused) Question {
	question := Question{Text: "Where should the owner be asked?", Field: "deliver"}
	switch {
	case refused.Unsaid.SignIn:
		question.Text = "Where should you be asked to sign in?"
	case refused.Unsaid.Notification:
		question.Text = "Where should the owner be told?"
	}
	for _, way := range refused.Ways {
		label := "Through " + way.Server + " (" + oneOf(way.Send) + " sends it"
		if len(way.Read) > 0 {
			label += ", " + oneOf(way.Read) + " reads the replies"
		}
		question.Choices = append(question.Choices, Choice{way.Server, label + ")"})
	}
	if !refused.Unsaid.Notification {
		question.Choices = append(question.Choices, Choice{theAgent, "In a conversation with an agent, which holds the request until it is answered"})
	}
	return question
}

// reached says what to write for the way that was chosen.
func reached(refused *engine.Refused, chosen string) string {
	for _, way := range refused.Ways {
		if way.Server != chosen {
			continue
		}
		words := chosen + "; write deliver with server: " + chosen + " and tool: " + oneOf(way.Send) + ", which sends it"
		if len(way.Read) > 0 {
			words += ", and replies with tool: " + oneOf(way.Read) + ", which reads the replies"
		}
		return words + "; introspect gives what each takes"
	}
	return "an agent that holds the request; write deliver: agent"
}

// mostNamed is how many tools of a kind a sentence names.
const mostNamed = 3

func oneOf(tools []string) string {
	return problem.AnyOf(tools[:min(len(tools), mostNamed)])
}

// choose asks a question and gives what was chosen, empty when the person declined.
// A question without a choice is not asked.
func (a *asker) choose(ctx context.Context, question Question) (string, error) {
	if len(question.Choices) == 0 {
		return "", nil
	}
	reply, err := a.ask(ctx, question)
	if err != nil || !reply.Answered {
		return "", err
	}
	for _, choice := range question.Choices {
		if choice.Value == reply.Value {
			return choice.Value, nil
		}
	}
	return "", nil // a client that answers with something else has not answered
}

// answered says at a problem's place what the person chose, instead of what could be
// chosen. What was no problem until they chose is added.
func (a *asker) answered(pointer string, rule problem.Rule, chosen string) {
	message := "The person chose " + chosen
	for i := range a.problems {
		if p := &a.problems[i]; p.Pointer == pointer && p.Rule == rule {
			p.Message = message
			return
		}
	}
	a.problems = append(a.problems, problem.Problem{Line: 1, Column: 1, Pointer: pointer, Rule: rule, Severity: problem.Refused, Message: message})
}
