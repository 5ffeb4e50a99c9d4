package definition

// This file renders what a run sends, and turns what keeps it from that into a
// rejection.

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// The bounds of what a request renders (interaction format, "Bounds").
const (
	PartyBytes   = 256
	MessageBytes = 8 * 1024
)

// TemplateError is a template that could not be rendered, with the line of
// the file.
type TemplateError struct {
	Line   int
	Reason *liquid.RenderError
}

func (e *TemplateError) Error() string {
	return fmt.Sprintf("Line %d: %s", e.Line, e.Reason.Message)
}

// Unwrap gives the template language's own error.
func (e *TemplateError) Unwrap() error { return e.Reason }

// moments gives today and now, fixed once for a run.
func moments(at time.Time) map[string]value.Value {
	at = at.UTC()
	return map[string]value.Value{
		"today": at.Format(time.DateOnly),
		"now":   isoTime(at),
	}
}

// isoTime prints a time as JavaScript's toISOString does.
func isoTime(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func (t *Template) failed(err error) error {
	var reason *liquid.RenderError
	if errors.As(err, &reason) {
		return &TemplateError{Line: t.Line(reason.Line), Reason: reason}
	}
	return err
}

// text renders the template to text, untrimmed, on an account that is shared
// with other renders.
func (t *Template) text(account *liquid.Account, variables map[string]value.Value) (string, error) {
	rendered, err := t.Render(variables, liquid.Limits{Account: account})
	if err != nil {
		return "", t.failed(err)
	}
	return rendered.Message, nil
}

// argument renders the template as an argument of a call: the value itself
// when it is exactly one output, text without structures in it otherwise. The
// account is shared with other renders.
func (t *Template) argument(account *liquid.Account, variables map[string]value.Value) (value.Value, error) {
	limits := liquid.Limits{Account: account}
	if t.Lone() {
		v, err := t.Value(variables, limits)
		if err != nil {
			return nil, t.failed(err)
		}
		return v, nil
	}
	limits.RefuseStructures = true
	rendered, err := t.Render(variables, limits)
	if err != nil {
		return nil, t.failed(err)
	}
	return rendered.Message, nil
}

// rejected turns a template's error into the rejection of the run: a fault of
// the input, or of the definition when a structure stands among text.
func rejected(err error) error {
	var failure *TemplateError
	if !errors.As(err, &failure) {
		return fmt.Errorf("rendering: %w", err)
	}
	if failure.Reason.Kind == liquid.Structure {
		return unworkable(failure.Error())
	}
	pointer := "/input"
	if strings.HasPrefix(failure.Reason.Path, "/input") {
		pointer = failure.Reason.Path
	}
	return invalidInput(notRendered, problem.Issue{Pointer: pointer, Detail: failure.Error()})
}

// unworkable is a run that the definition cannot make, whatever is tried.
func unworkable(detail string) error {
	rejection := problem.NewRejection(problem.Conflict, detail)
	rejection.Kind = "unworkable"
	return rejection
}

// notRendered is the detail of every template that an input does not fill; the
// issue says which one, by its line (interaction format, "How a run ends").
const notRendered = "The message cannot be rendered with this input"

// Render renders the instructions and the message (reasoning format, "How a
// run works").
func (f *Reasoning) Render(input *value.Object, request Request) (*Rendering, error) {
	variables := moments(request.Moment)
	variables["input"] = input
	rendered, err := f.Template.Render(variables, liquid.Limits{})
	if err != nil {
		return nil, rejected(f.Template.failed(err))
	}
	message := trim(rendered.Message)
	if message == "" {
		return nil, emptyMessage(f.Template)
	}
	rendering := &Rendering{ToModel: true, Message: &message}
	if rendered.HasInstructions {
		if instructions := trim(rendered.Instructions); instructions != "" {
			rendering.Instructions = &instructions
		}
	}
	return rendering, nil
}

func emptyMessage(t *Template) error {
	return invalidInput(notRendered, problem.Issue{
		Pointer: "/input", Detail: fmt.Sprintf("Line %d: The message renders empty", t.Line(1)),
	})
}

// trim drops white space, as JavaScript counts it, at both ends.
func trim(text string) string {
	return strings.TrimFunc(text, func(c rune) bool { return unicode.IsSpace(c) && c != 0x85 || c == 0xFEFF })
}

// Render renders what a function that asks sends: the arguments of its call,
// or its party, its message and the arguments of its delivery. A sign-in's
// party is the person the run acts for, so it renders none, and its message ends
// with the link on a line of its own. All of its templates have the time and the
// memory of one.
func (i *Interaction) Render(input *value.Object, request Request) (*Rendering, error) {
	variables := moments(request.Moment)
	variables["input"] = input
	if i.Call != nil {
		return i.Call.render(variables)
	}
	rendering, account := &Rendering{}, &liquid.Account{}
	if err := i.renderParties(account, rendering, variables); err != nil {
		return nil, err
	}
	if i.SignIn != nil && request.Person != "" {
		rendering.Party, rendering.Answerer = &request.Person, &request.Person
	}
	if i.Message == nil {
		return rendering, nil
	}
	text, err := i.Message.text(account, variables)
	if err != nil {
		return nil, rejected(err)
	}
	message := trim(text)
	if message == "" {
		return nil, emptyMessage(i.Message)
	}
	if i.SignIn != nil && request.Link != "" {
		message += "\n\n" + request.Link
	}
	if len(message) > MessageBytes {
		return nil, unworkable(fmt.Sprintf("The message is longer than 8 KiB: it takes %s bytes", value.Grouped(int64(len(message)))))
	}
	rendering.Message = &message
	if i.Deliver == nil {
		return rendering, nil
	}
	i.ask(variables, rendering, request)
	rendering.Tool = &i.Deliver.Tool
	rendering.Arguments, err = renderArguments(account, i.Deliver.With, variables, "deliver")
	return rendering, err
}

// ask adds what the templates of deliver.with read of the request itself.
func (i *Interaction) ask(variables map[string]value.Value, rendering *Rendering, request Request) {
	variables["to"] = nil
	if rendering.Party != nil {
		variables["to"] = *rendering.Party
	}
	variables["message"] = *rendering.Message
	variables["run_id"] = request.RunID
	variables["function"] = request.Name
	variables["expires_at"] = isoTime(request.Moment.Add(i.Expires))
	switch {
	case i.Answer != nil:
		variables["answer_schema"] = i.Answer.Value()
	case i.SignIn != nil:
		variables["answer_schema"] = i.SignIn.AnswerSchema()
	default:
		variables["answer_schema"] = nil
	}
}

func (c *Call) render(variables map[string]value.Value) (*Rendering, error) {
	rendering := &Rendering{Tool: &c.Tool, Arguments: value.NewObject(0)}
	if c.With == nil {
		return rendering, nil
	}
	var err error
	rendering.Arguments, err = renderArguments(&liquid.Account{}, c.With, variables, "call")
	return rendering, err
}

func renderArguments(account *liquid.Account, with *Arguments, variables map[string]value.Value, block string) (*value.Object, error) {
	arguments, err := with.renderOn(account, variables)
	var large *LargeArgumentsError
	if errors.As(err, &large) {
		return nil, largeCall("The arguments of %s pass 16 KiB: they take more than %s bytes", block, large.Bytes)
	}
	if err != nil {
		return nil, rejected(err)
	}
	if size := len(value.JSON(arguments)); size > ArgumentBytes {
		return nil, largeCall("The arguments of %s pass 16 KiB: they take %s bytes", block, size)
	}
	return arguments, nil
}

// LargeCallError is the rejection of a call whose arguments pass ArgumentBytes.
type LargeCallError struct{ *problem.Rejection }

// Unwrap gives the rejection.
func (e *LargeCallError) Unwrap() error { return e.Rejection }

func largeCall(words, block string, size int) error {
	rejection := problem.NewRejection(problem.Conflict, fmt.Sprintf(words, block, value.Grouped(int64(size))))
	rejection.Kind = "unworkable"
	return &LargeCallError{rejection}
}

func (i *Interaction) renderParties(account *liquid.Account, rendering *Rendering, variables map[string]value.Value) error {
	var err error
	if i.To != nil {
		if rendering.Party, err = renderParty(account, i.To, "to", variables); err != nil {
			return err
		}
		rendering.Answerer = rendering.Party
	}
	if i.From != nil {
		rendering.Answerer, err = renderParty(account, i.From, "from", variables)
	}
	return err
}

// renderParty renders to or from: text that is not empty, of at most
// PartyBytes, without a control character.
func renderParty(account *liquid.Account, t *Template, name string, variables map[string]value.Value) (*string, error) {
	v, err := t.argument(account, variables)
	if err != nil {
		return nil, rejected(err)
	}
	party, isText := v.(string)
	party = trim(party)
	reason := ""
	switch {
	case !isText:
		reason = "as something that is not text"
	case party == "":
		reason = "empty"
	case len(party) > PartyBytes:
		reason = "longer than 256 bytes"
	case strings.ContainsFunc(party, unicode.IsControl) || !utf8.ValidString(party):
		reason = "with a control character"
	default:
		return &party, nil
	}
	return nil, unworkable(fmt.Sprintf("Line %d: %s rendered %s", t.Line(1), name, reason))
}
