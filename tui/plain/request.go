package plain

// This file reads one request out, and takes what the person wants to do about it.

import (
	"errors"
	"strings"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/reader"
	"github.com/beonauto/auto/tui/safe"
	"github.com/beonauto/auto/tui/when"
)

// request reads a request out until the person is done with it.
func (p *prompts) request(runID string) error {
	asked, open, err := p.open(runID)
	if err != nil || !open {
		return err
	}
	p.read(asked)
	for {
		question, known := "answer, read, cancel, help, back or quit:", "Expected answer, read, cancel, help, back or quit."
		if !asked.TakesAnswer {
			question, known = "read, cancel, help, back or quit:", "Expected read, cancel, help, back or quit."
		}
		p.pause()
		typed, err := p.ask("What now? Type " + question)
		if err != nil {
			return err
		}
		switch word := meant(typed); {
		case word == "":
		case word == "quit":
			p.say("Goodbye.")
			return errQuit
		case word == "back":
			return p.list(p.from)
		case word == "help":
			p.say("read reads the request again. back goes to the list. cancel cancels the run that asked, after asking you.\nanswer asks you for each part of the answer, then says what will be sent and asks whether to send it.")
		case word == "read":
			p.read(asked)
		case word == "cancel":
			done, err := p.cancel(runID)
			if err != nil || done {
				return err
			}
		case word == "answer" && asked.TakesAnswer:
			done, err := p.answer(asked)
			if err != nil || done {
				return err
			}
		default:
			p.say("%s", known)
		}
	}
}

// open gives a request, and false, having said why, when it is not open any more.
func (p *prompts) open(runID string) (asked *engine.AskedRequest, open bool, err error) {
	ending, err := p.desk.Ending(runID)
	if err != nil {
		return nil, false, p.refused(err)
	}
	if ending != nil {
		p.say("This request is not open any more. %s.", p.told(ending))
		return nil, false, nil
	}
	asked, err = p.desk.Request(runID)
	if errors.Is(err, engine.ErrNoRun) {
		p.say("This request is not open any more. It was deleted with its run.")
		return nil, false, nil
	}
	return asked, err == nil, p.refused(err)
}

// told says how a request ended and when.
func (p *prompts) told(ending *desk.Ending) string {
	words := reader.Told(ending)
	if !ending.At.IsZero() {
		words += " at " + moment(ending.At)
	}
	if ending.Detail != "" {
		words += ": " + strings.TrimSuffix(safe.Line(ending.Detail), ".")
	}
	return words
}

func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }

// read reads a request out.
func (p *prompts) read(asked *engine.AskedRequest) {
	p.say("\nRequest of %s %s, version %d.", asked.Type, safe.Line(asked.Name), asked.Version)
	p.say("To: %s.", safe.Line(asked.To))
	p.say("Asked: %s, %s.", moment(asked.Asked), when.Ago(asked.Asked, p.now()))
	if left, open := when.Left(asked.Expires, p.now()); open {
		p.say("Expires: %s, in %s.", moment(asked.Expires), left)
	} else {
		p.say("Expires: %s, which is over.", moment(asked.Expires))
	}
	if asked.SignIn != nil {
		for _, key := range [...]string{"site", "link"} {
			if v, _ := asked.SignIn.Get(key); v != nil {
				if text, ok := v.(string); ok {
					p.say("Sign in, %s: %s", key, safe.Line(text))
				}
			}
		}
	}
	p.say("Run: %s.", safe.Line(asked.RunID))
	p.say("\nMessage:\n%s\nEnd of the message.", Softened(asked.Message))
	if !asked.TakesAnswer {
		p.say("This is a notification, which takes no answer.")
	}
}

// cancel cancels the run that asked, once the person said yes.
func (p *prompts) cancel(runID string) (done bool, err error) {
	yes, err := p.confirm("Cancel the run that asked? It ends without an answer. yes or no:")
	if err != nil {
		return false, err
	}
	if !yes {
		p.say("Nothing was cancelled.")
		return false, nil
	}
	ending, err := p.desk.Cancel(runID)
	if err != nil {
		return false, p.refused(err)
	}
	p.say("%s.", p.told(ending))
	return true, p.list(0)
}

// confirm asks until it hears yes or no. The word back is a no.
func (p *prompts) confirm(question string) (bool, error) {
	for {
		typed, err := p.ask(question)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(strings.TrimSpace(typed)) {
		case "yes", "y":
			return true, nil
		case "no", "n", "back":
			return false, nil
		case "quit":
			p.say("Nothing was sent. Goodbye.")
			return false, errQuit
		}
		p.say("Expected yes or no.")
	}
}

// spoken writes JSON as it will be sent.
func spoken(v value.Value) string { return safe.JSON(value.IndentedJSON(v, "  ")) }
