// Package form is the form that a person answers a request in: a field for each
// part of the answer, made from the answer's JSON Schema, each with what is wrong
// with it beneath, and a last step that shows exactly what will be sent.
//
// It never sends anything and never reads or writes but through the messages it is
// given: whoever shows it asks State, and takes the answer when the person sent it.
// Leaving it, by esc, decides nothing.
package form

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/form/plan"
	"github.com/beonauto/auto/tui/theme"
)

// State is how far the person is.
type State uint8

// The states of a form.
const (
	Editing   State = iota // the fields are shown
	Reviewing              // what will be sent is shown
	Sent                   // the person said in the review to send it
	Left                   // the person left the form; nothing was decided
)

// Options are what a form is made with.
type Options struct {
	Width, Height int          // cells
	Theme         *theme.Theme // nil for one without colours
	// Draft is what Draft gave for the same request before; nil for none.
	Draft value.Value
	// Editor opens a text in the person's editor, under a name with this extension
	// such as .md, and gives the command that ends in an EditedMsg; nil for none.
	Editor func(text, extension string) tea.Cmd
}

// EditedMsg is what came of the person's editor.
type EditedMsg struct {
	Text   string
	Err    error // the text stays as it was
	AtOnce bool  // the editor ended sooner than a person writes
}

// Form is a form as it stands. It is for one goroutine.
type Form struct {
	options Options
	theme   *theme.Theme
	plan    *plan.Plan
	root    *plan.Entry
	state   State

	reading *plan.Reading          // what the entries come to
	wrong   map[*plan.Entry]string // what is wrong with each entry
	whole   []problem.Issue        // what is wrong with no entry
	refused map[*plan.Entry]string // what the runtime refused, until the entry changes
	outside []problem.Issue        // what it refused that is no entry's
	costly  bool                   // the whole answer is checked in the review alone
	over    bool                   // the request takes no answer any more

	stops []stop
	focus int
	marks map[*plan.Entry]*mark
	said  string // what just happened, for the line below the fields; empty for nothing
	edits *plan.Entry
	top   int  // the first line shown
	away  bool // the wheel turned, so that the person's field need not be seen

	review  review
	history history
}

// New makes the form of an answer schema.
func New(written value.Value, options Options) *Form {
	f := &Form{options: options, theme: options.Theme, plan: plan.New(written), marks: map[*plan.Entry]*mark{}}
	if f.theme == nil {
		f.theme = theme.New(colorprofile.ASCII, true)
	}
	f.root = f.plan.Entry()
	if options.Draft != nil {
		f.root.Restore(options.Draft)
	}
	f.arrange()
	f.check()
	return f
}

// Init starts nothing.
func (f *Form) Init() tea.Cmd { return nil }

// SetSize gives the form this many cells.
func (f *Form) SetSize(width, height int) { f.options.Width, f.options.Height = width, height }

// SetTheme gives the form other styles.
func (f *Form) SetTheme(t *theme.Theme) { f.theme, f.review.lines = t, nil }

// State tells how far the person is.
func (f *Form) State() State { return f.state }

// Answer gives the answer as it stands, with everything that is wrong with it, at
// pointers under /answer. An answer with issues is not one that may be sent.
func (f *Form) Answer() (value.Value, []problem.Issue) {
	reading := f.plan.Read(f.root)
	return reading.Answer, reading.Issues
}

// Typed gives all that was typed so far as a person reads it, whether it is an answer
// yet or not.
func (f *Form) Typed() value.Value { return f.plan.Typed(f.root) }

// Draft gives all that was given so far, to make the form with again.
func (f *Form) Draft() value.Value { return f.root.Draft() }

// Changed tells whether anything was given yet.
func (f *Form) Changed() bool {
	empty := f.plan.Entry()
	return !value.Equal(f.withoutTouch(f.root), f.withoutTouch(empty))
}

// withoutTouch is a draft that holds only what was given.
func (f *Form) withoutTouch(e *plan.Entry) value.Value { return untouched(e.Draft()) }

func untouched(draft value.Value) value.Value {
	switch draft := draft.(type) {
	case *value.Object:
		o := value.NewObject(draft.Len())
		for i := range draft.Len() {
			if key, v := draft.At(i); key != "touched" {
				if rest := untouched(v); rest != nil {
					o.Set(key, rest)
				}
			}
		}
		if o.Len() == 0 {
			return nil
		}
		return o
	case []value.Value:
		list := make([]value.Value, len(draft))
		for i, each := range draft {
			list[i] = untouched(each)
		}
		return list
	}
	return draft
}

// Refuse brings the form back with what the runtime refused about the answer, at
// pointers under /answer; what is about no field stands above the fields.
func (f *Form) Refuse(issues []problem.Issue) {
	f.state = Editing
	f.reading = f.plan.Read(f.root)
	f.refused, f.outside = f.reading.At(issues)
	first := -1
	for i, s := range f.stops {
		if first < 0 && s.kind == fieldStop && f.refused[s.entry] != "" {
			first = i
		}
	}
	f.root.Each(func(e *plan.Entry) { e.Touched = true })
	f.check()
	f.goTo(max(first, 0))
}

// check reads the entries again and finds what is wrong with each.
func (f *Form) check() {
	if f.costly && f.state == Editing {
		f.reading = f.plan.Peek(f.root)
	} else {
		f.reading = f.plan.Read(f.root)
	}
	for _, issue := range f.reading.Issues {
		f.costly = f.costly || issue.Detail == plan.TooCostly
	}
	f.wrong, f.whole = f.reading.At(f.reading.Issues)
}

// changed takes note that an entry holds something else now.
func (f *Form) changed(e *plan.Entry) {
	for at := e; at != nil; at = at.Parent {
		delete(f.refused, at)
	}
	f.outside = nil
	f.check()
}

// problemOf gives what to say is wrong with an entry; nothing before the person was
// there. What an entry holds more than it may, or what ties its fields together, is
// said once the person looked at the whole.
func (f *Form) problemOf(e *plan.Entry) string {
	if refused := f.refused[e]; refused != "" {
		return refused
	}
	if !e.Touched && !(e.Given() && e.Field.Kind != plan.Object && e.Field.Kind != plan.List) {
		return ""
	}
	if f.beginsItemOf(e) {
		return ""
	}
	return f.wrong[e]
}

// beginsItemOf tells whether the person is in an item of a list in which nothing was
// given yet: it is left out as long as that is so, and the list is judged once it is
// not.
func (f *Form) beginsItemOf(list *plan.Entry) bool {
	item := itemAround(f.here().entry)
	return item != nil && item.Parent == list && !item.Given()
}

// Update takes a message. Messages that mean nothing to a form change nothing. Those
// of the mouse count their cells from the form's own first one.
func (f *Form) Update(msg tea.Msg) (*Form, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		f.said, f.away = "", false
		if f.state == Reviewing {
			f.reviewKey(msg)
			return f, nil
		}
		if f.state != Editing {
			return f, nil
		}
		return f, f.press(msg)
	case tea.PasteMsg:
		if f.state == Editing {
			f.said = ""
			f.paste(msg.Content)
		}
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			f.click(msg.X, msg.Y)
		}
	case tea.MouseWheelMsg:
		f.wheel(msg.Button)
	case EditedMsg:
		f.edited(msg)
	}
	return f, nil
}

// edited takes what came of the person's editor.
func (f *Form) edited(msg EditedMsg) {
	e := f.edits
	f.edits = nil
	if e == nil {
		return
	}
	if msg.Err != nil {
		f.said = "The editor failed, and the text is as it was: " + plan.Shown(msg.Err.Error())
		return
	}
	if len(msg.Text) > MostEdited {
		f.said = fmt.Sprintf("The text is as it was: the edited one has %s, and an answer takes %s", size(len(msg.Text)), size(plan.MaxAnswer))
		return
	}
	text := withoutLastLineEnd(clean(msg.Text))
	if text == e.Text {
		f.said = "Nothing was changed in the editor"
		if msg.AtOnce {
			f.said = "The editor ended at once and changed nothing. One with its own window wants an option such as --wait"
		}
		return
	}
	f.remember(e, false)
	e.Text = text
	e.Touched = true
	f.markOf(e).cursor = len(e.Text)
	f.changed(e)
}

// MostEdited is the most bytes taken from an editor. It is more than an answer
// takes, so that a text that is somewhat too long can be made shorter here.
const MostEdited = 4 * plan.MaxAnswer
