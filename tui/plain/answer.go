package plain

// This file takes an answer: it asks for the fields, says what will be sent, sends it
// on a yes, and says what came of it.

import (
	"errors"
	"strings"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/tui/form/plan"
)

const (
	kept    = "What you gave is kept until you quit."
	notSent = "Nothing was sent. " + kept
)

// answer asks for an answer and sends it; done says that the request took it, or is
// not open any more. What was given and not sent is kept for the next time.
func (p *prompts) answer(asked *engine.AskedRequest) (done bool, err error) {
	begun, known := p.drafts[asked.RunID]
	if !known {
		begun.plan = plan.New(asked.AnswerSchema)
		begun.root = begun.plan.Entry()
		p.drafts[asked.RunID] = begun
	}
	made, root := begun.plan, begun.root
	p.say("\nThe answer. A blank line leaves an optional field out, or keeps what is there.\nback goes to the field before, help says more, quit leaves without sending.")
	if root.Field.Kind == plan.Object && root.Field.Hint != "" {
		p.say("%s", root.Field.Hint)
	}
	if made.Unchecked {
		p.say("The rules of this answer cannot be read here: it is checked when it is sent.")
	}
	asking := &asking{prompts: p, plan: made, root: root}
	for {
		went, err := asking.entry(root)
		if err != nil {
			return false, err
		}
		if went == back {
			p.say("%s", notSent)
			return false, nil
		}
		reading := made.Read(root)
		if len(reading.Issues) > 0 {
			if again, err := p.problems(reading, reading.Issues); err != nil || !again {
				return false, err
			}
			continue
		}
		p.summary(root, reading)
		yes, err := p.confirm("Send? yes or no:")
		if err != nil {
			return false, err
		}
		if !yes {
			p.say("%s", notSent)
			return false, nil
		}
		done, again, err := p.send(asked, reading)
		if err != nil || !again {
			return done, err
		}
	}
}

// problems says what is wrong with an answer, each by its field, and asks whether to
// go through the fields again.
func (p *prompts) problems(reading *plan.Reading, issues []problem.Issue) (again bool, err error) {
	p.say("\nThe answer cannot be sent yet:")
	for _, issue := range issues {
		name := "Answer"
		if e := reading.Find(issue.Pointer); e != nil {
			name = e.Path()
		}
		p.say("%s: %s.", name, issue.Detail)
	}
	again, err = p.confirm("Go through the fields again? A blank line there keeps what you gave. yes or no:")
	if err == nil && !again {
		p.say("%s", notSent)
	}
	return again, err
}

// summary says what will be sent, in words and as JSON.
func (p *prompts) summary(root *plan.Entry, reading *plan.Reading) {
	p.say("\nWhat will be sent:")
	for _, each := range root.Summary() {
		says := each.Says
		if strings.Contains(says, "\n") {
			says = "\n" + says
		} else if says != "" {
			says = " " + says
		}
		p.say("%s%s:%s", strings.Repeat("  ", each.Level), each.Label, says)
	}
	p.say("As JSON:\n%s", spoken(reading.Answer))
}

// send sends an answer and says what came of it. Again says that the runtime refused
// something of the answer, which the person may put right.
func (p *prompts) send(asked *engine.AskedRequest, reading *plan.Reading) (done, again bool, err error) {
	ending, err := p.desk.Answer(asked.RunID, reading.Answer)
	if err == nil {
		delete(p.drafts, asked.RunID)
		p.say("Sent. %s. The run is %s, and the answer is event %d of its playbook.", p.told(ending), asked.RunID, ending.AnswerID)
		return true, false, p.list(0)
	}
	var rejection *problem.Rejection
	if !errors.As(err, &rejection) {
		p.say("The answer could not be given: %s.\n%s It is safe to send it again: a run takes one answer.", strings.TrimSuffix(err.Error(), "."), kept)
		return false, false, nil
	}
	p.say("The answer was not taken: %s.", strings.TrimSuffix(rejection.Detail, "."))
	if len(rejection.Issues) > 0 {
		again, err := p.problems(reading, rejection.Issues)
		return false, again, err
	}
	if _, open, err := p.open(asked.RunID); err != nil || open {
		return false, false, err
	}
	delete(p.drafts, asked.RunID)
	p.say("What you gave was:\n%s", spoken(reading.Answer))
	return true, false, p.list(0)
}

// refused says why something was not done. A store that others hold, or that cannot
// be read, ends nothing: what was given so far stays.
func (p *prompts) refused(err error) error {
	if err != nil {
		p.say("That could not be done: %s.", strings.TrimSuffix(err.Error(), "."))
	}
	return nil
}
