package plain

// This file asks for the fields of an answer, one after the other.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/form/plan"
)

// went is where the person goes from a field.
type went uint8

const (
	on went = iota
	back
)

// asking is the asking for one answer.
type asking struct {
	*prompts
	plan *plan.Plan
	root *plan.Entry
}

// words are the words that mean something to every field. A backslash before one
// makes it a text.
var words = map[string]bool{"back": true, "quit": true, "help": true, "clear": true, "empty": true, "null": true, "<<": true}

// entry asks for an entry and what it holds.
func (a *asking) entry(e *plan.Entry) (went, error) {
	switch {
	case e.Field.Fixed():
		a.say("\n%s: always %s.", e.Path(), e.Field.Choices[0].Label)
		return on, nil
	case e.Field.Kind == plan.Object:
		return a.object(e)
	case e.Field.Kind == plan.List:
		return a.list(e)
	}
	a.introduce(e)
	return a.value(e)
}

// introduce says what a field is about and what it takes.
func (a *asking) introduce(e *plan.Entry) {
	name := e.Path()
	if e.Parent != nil && !e.Field.Required && e.Place() < 0 {
		name += ", optional"
	}
	a.say("\n%s.", strings.TrimSuffix(name, "."))
	if e.Field.Hint != "" {
		a.say("%s", e.Field.Hint)
	}
	if bounds := e.Field.Bounds(); bounds != "" {
		a.say("%s.", bounds)
	}
	if e.Field.Kind == plan.Choice {
		a.options(e, "")
	}
}

// mostOptions is how many options are read out at once.
const mostOptions = 20

// options reads out the options that hold some text.
func (a *asking) options(e *plan.Entry, holding string) {
	read, left := 0, 0
	for i, each := range e.Field.Choices {
		if !strings.Contains(strings.ToLower(each.Label), strings.ToLower(holding)) {
			continue
		}
		if read == mostOptions {
			left++
			continue
		}
		read++
		hint := ""
		if each.Hint != "" {
			hint = ". " + strings.ReplaceAll(each.Hint, "\n", " ")
		}
		a.say("%d. %s%s", i+1, each.Label, hint)
	}
	if left > 0 {
		a.say("%s more; type a part of the one you mean.", value.Grouped(int64(left)))
	}
}

// value asks for a value until there is one that is right.
func (a *asking) value(e *plan.Entry) (went, error) {
	for {
		typed, err := a.ask(a.question(e))
		if err != nil {
			return on, err
		}
		word := strings.ToLower(strings.TrimSpace(typed))
		if !words[word] {
			word = ""
		}
		switch word {
		case "quit":
			a.say("Nothing was sent. Goodbye.")
			return on, errQuit
		case "back":
			return back, nil
		case "help":
			a.help(e)
			continue
		}
		before := *e
		if problem, err := a.take(e, word, typed); err != nil {
			return on, err
		} else if problem != "" {
			*e = before
			a.say("Not taken: %s.", strings.TrimSuffix(problem, "."))
			continue
		}
		if problem := a.wrong(e); problem != "" {
			*e = before
			a.say("Not taken: %s.", strings.TrimSuffix(problem, "."))
			continue
		}
		return on, nil
	}
}

// question asks for a value, saying what is there now.
func (a *asking) question(e *plan.Entry) string {
	now := ""
	switch {
	case e.Given() && e.Field.Kind == plan.Choice:
		now = e.Field.Choices[e.Chosen].Label
	case e.Given():
		now = plan.Shown(e.Text)
	case e.Blank == e.Field.Blanks()[0]:
		return "Your answer:"
	case e.Blank == plan.Null:
		now = "nothing (null)"
	default:
		now = "an empty text"
	}
	return "Now: " + strings.TrimSuffix(now, ".") + ". Your answer, or a blank line to keep it:"
}

// help says what a field takes and the words that there are.
func (a *asking) help(e *plan.Entry) {
	a.introduce(e)
	switch e.Field.Kind {
	case plan.Choice:
		a.say("Type the number or the name of one.")
	case plan.Text, plan.JSON:
		a.say("Type it on one line, or type << for several lines, ended by a line that holds one dot alone.")
	}
	a.say("back goes to the field before; before the first field it goes back to the request.")
	a.say("clear takes away what is there. quit leaves without sending anything.")
	for _, blank := range e.Field.Blanks() {
		switch blank {
		case plan.Empty:
			a.say("empty gives an empty text.")
		case plan.Null:
			a.say("null gives nothing, in the word of JSON.")
		}
	}
	a.say(`To give one of these words as the answer itself, put a backslash before it, as in \back.`)
}

// take takes what was typed, and gives a reason when it cannot.
func (a *asking) take(e *plan.Entry, word, typed string) (string, error) {
	blanks := map[string]plan.Blank{"empty": plan.Empty, "null": plan.Null}
	switch word {
	case "clear":
		e.Clear()
		return "", nil
	case "empty", "null":
		for _, blank := range e.Field.Blanks() {
			if blank == blanks[word] {
				e.Clear()
				e.Blank = blank
				return "", nil
			}
		}
		if e.Field.Kind != plan.Choice {
			return "Expected a value: this field is never " + word, nil
		}
	case "<<":
		if e.Field.Kind == plan.Text || e.Field.Kind == plan.JSON {
			text, err := a.several()
			e.Text = text
			return "", err
		}
	}
	if strings.TrimSpace(typed) == "" {
		return "", nil // it is left as it is
	}
	if rest, escaped := strings.CutPrefix(typed, `\`); escaped && words[strings.ToLower(strings.TrimSpace(rest))] {
		typed = rest
	}
	if e.Field.Kind == plan.Choice {
		return a.choose(e, typed), nil
	}
	e.Text = typed
	return "", nil
}

// several reads lines until one that holds a dot alone.
func (a *asking) several() (string, error) {
	var lines []string
	size := 0
	for {
		typed, err := a.ask("|")
		if err != nil {
			return "", err
		}
		if typed == "." {
			return strings.Join(lines, "\n"), nil
		}
		if size += len(typed) + 1; size > longestLine {
			a.say("That line was not taken: an answer takes at most %d KiB. Type a dot to end the text.", plan.MaxAnswer>>10)
			size -= len(typed) + 1
			continue
		}
		lines = append(lines, typed)
	}
}

// choose finds the option that was meant, by its name, its number, or a part of its
// name that no other has.
func (a *asking) choose(e *plan.Entry, typed string) string {
	meant := strings.ToLower(strings.TrimSpace(typed))
	var holding []int
	for i, each := range e.Field.Choices {
		label := strings.ToLower(each.Label)
		if text, isText := each.Value.(string); label == meant || (isText && strings.ToLower(text) == meant) {
			e.Chosen = i
			return ""
		}
		if strings.Contains(label, meant) {
			holding = append(holding, i)
		}
	}
	if number, err := strconv.Atoi(meant); err == nil && number >= 1 && number <= len(e.Field.Choices) {
		e.Chosen = number - 1
		return ""
	}
	var begin []int
	for _, i := range holding {
		if strings.HasPrefix(strings.ToLower(e.Field.Choices[i].Label), meant) {
			begin = append(begin, i)
		}
	}
	switch {
	case len(begin) == 1:
		e.Chosen = begin[0]
		return ""
	case len(holding) == 1:
		e.Chosen = holding[0]
		return ""
	case len(holding) > 1:
		a.options(e, meant)
		return fmt.Sprintf("%d of them hold that; type the number of one", len(holding))
	}
	return "Expected the number or the name of one"
}

// wrong gives what is wrong with an entry, or with something within.
func (a *asking) wrong(e *plan.Entry) string {
	reading := a.plan.Read(a.root)
	at, _ := reading.At(reading.Issues)
	return at[e]
}

// object asks for the fields of an object.
func (a *asking) object(e *plan.Entry) (went, error) {
	if e.Parent != nil && !e.Field.Required && e.Place() < 0 {
		a.introduce(e)
		yes, went, err := a.yesOrNo("Give it? yes or no:", e.Given() || e.Blank == plan.Empty)
		if err != nil || went == back {
			return went, err
		}
		if !yes {
			e.Clear()
			return on, nil
		}
		e.Blank = plan.Empty // with whatever is given in it
	} else if e.Parent != nil && e.Place() < 0 {
		a.introduce(e)
	}
	return a.inTurn(e)
}

// inTurn asks for each field of an object in turn.
func (a *asking) inTurn(e *plan.Entry) (went, error) {
	for i := 0; i < len(e.Fields); {
		went, err := a.entry(e.Fields[i])
		if err != nil {
			return on, err
		}
		if went == on {
			i++
			continue
		}
		for i--; i >= 0 && e.Fields[i].Field.Fixed(); i-- {
		}
		if i < 0 {
			return back, nil
		}
	}
	return on, nil
}

// yesOrNo asks a question about the answer. A blank line keeps what is so now.
func (a *asking) yesOrNo(question string, now bool) (yes bool, _ went, err error) {
	for {
		typed, err := a.ask(question)
		if err != nil {
			return false, on, err
		}
		switch strings.ToLower(strings.TrimSpace(typed)) {
		case "yes", "y":
			return true, on, nil
		case "no", "n":
			return false, on, nil
		case "":
			return now, on, nil
		case "back":
			return false, back, nil
		case "quit":
			a.say("Nothing was sent. Goodbye.")
			return false, on, errQuit
		}
		a.say("Expected yes or no, back or quit.")
	}
}

// list asks for the items of a list.
func (a *asking) list(e *plan.Entry) (went, error) {
	a.introduce(e)
	if len(e.Items) > 0 {
		a.say("There are %d items now.", len(e.Items))
		keep, went, err := a.yesOrNo("Keep them? yes or no:", true)
		if err != nil || went == back {
			return went, err
		}
		if !keep {
			e.Clear()
		}
	}
	ask := a.item
	if e.Field.Item.Kind == plan.Object {
		ask = a.itemIfWanted
	}
	for !e.Full() {
		added, went, err := ask(e)
		switch {
		case err != nil:
			return on, err
		case went == back && len(e.Items) == 0:
			return back, nil
		case went == back:
			e.Items[len(e.Items)-1].Remove()
			a.say("The last item was taken away.")
		case !added:
			problem := a.wrong(e)
			if problem == "" {
				return on, nil
			}
			a.say("Not taken: %s.", strings.TrimSuffix(problem, "."))
		}
	}
	a.say("The list takes no more items.")
	return on, nil
}

// item asks for an item that is one value; a blank line ends the list.
func (a *asking) item(e *plan.Entry) (added bool, _ went, err error) {
	item := e.Add(len(e.Items))
	a.introduce(item)
	a.say("A blank line ends the list.")
	went, err := a.value(item)
	if err != nil || went == back || (!item.Given() && item.Blank == plan.LeftOut) {
		item.Remove()
		return false, went, err
	}
	return true, on, nil
}

// itemIfWanted asks whether there is another item, and for its fields.
func (a *asking) itemIfWanted(e *plan.Entry) (added bool, _ went, err error) {
	more, went, err := a.yesOrNo(fmt.Sprintf("Add item %d to %s? yes or no:", len(e.Items)+1, e.Path()), false)
	if err != nil || went == back || !more {
		return false, went, err
	}
	item := e.Add(len(e.Items))
	went, err = a.entry(item)
	if err != nil {
		return false, on, err
	}
	if went == back {
		item.Remove()
	}
	return true, on, nil // whether there is another is asked again
}
