package tui

// This file is the answering: the form of the request that is shown, what was typed
// in it, and the sending.

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/form"
	"github.com/beonauto/auto/tui/reader"
)

// draft is an answer that was typed and not sent.
type draft struct {
	form  value.Value // to make the form with again
	typed value.Value // to be read by a person
}

// answer shows the form of the request that the screen is about.
func (m *Inbox) answer() tea.Cmd {
	if m.screen == listScreen {
		return m.open(m.here())
	}
	return m.openForm()
}

// openForm shows the form of the wanted request once that is read.
func (m *Inbox) openForm() tea.Cmd {
	if m.fetched == m.wanted && m.failed == nil {
		m.toAnswer = ""
		return m.startAnswer()
	}
	m.toAnswer, m.fetched, m.failed = m.wanted, "", nil
	return m.follow()
}

// mostAhead is how many keys are kept for a form that is not there yet.
const mostAhead = 4096

// typeAhead keeps what is typed until the form is there that it is typed for, and tells
// whether it did: what is meant as an answer must do nothing else.
func (m *Inbox) typeAhead(msg tea.Msg) bool {
	if m.screen != readerScreen || m.toAnswer == "" {
		return false
	}
	if key, ok := msg.(tea.KeyPressMsg); ok && slices.Contains([]string{"esc", "ctrl+c", "ctrl+l"}, key.String()) {
		m.ahead = nil
		return false
	}
	if len(m.ahead) < mostAhead {
		m.ahead = append(m.ahead, msg)
	}
	return true
}

// catchUp types into the form what was typed before it was there. What comes after the
// fields is left out, since nobody has seen it.
func (m *Inbox) catchUp(cmd tea.Cmd) tea.Cmd {
	ahead := m.ahead
	m.ahead = nil
	cmds := []tea.Cmd{cmd}
	for _, msg := range ahead {
		if m.screen != formScreen || m.form.State() != form.Editing {
			break
		}
		cmds = append(cmds, m.take(msg))
	}
	return tea.Batch(cmds...)
}

// startAnswer shows the form of the request that is shown.
func (m *Inbox) startAnswer() tea.Cmd {
	shown := m.reader.Shown()
	request := shown.Request
	if request == nil || request.RunID != m.wanted || shown.Ending != nil || !request.TakesAnswer {
		m.ahead = nil
	}
	switch {
	case request == nil || request.RunID != m.wanted:
		return nil
	case shown.Ending != nil:
		m.say(caution, "It takes no answer any more: "+reader.Told(shown.Ending))
		return nil
	case !request.TakesAnswer:
		m.say(caution, "A notification takes no answer")
		return nil
	}
	m.form, m.formOf, m.refusal = m.makeForm(request, m.drafts[request.RunID].form), request, ""
	m.screen = formScreen
	m.arrange()
	return m.catchUp(m.form.Init())
}

func (m *Inbox) makeForm(request *engine.AskedRequest, typed value.Value) *form.Form {
	width, height := m.formSize()
	return form.New(request.AnswerSchema, form.Options{
		Width: width, Height: height, Theme: m.theme, Draft: typed, Editor: m.options.Editor,
	})
}

// toForm gives a message to the form and does what follows from it.
func (m *Inbox) toForm(msg tea.Msg) tea.Cmd {
	if m.form == nil || m.sending {
		return nil
	}
	m.form.SetOver(m.isOver())
	var cmd tea.Cmd
	m.form, cmd = m.form.Update(msg)
	switch m.form.State() {
	case form.Sent:
		return tea.Batch(cmd, m.send())
	case form.Left:
		id := m.formOf.RunID
		m.keepDraft()
		if _, kept := m.drafts[id]; kept {
			m.say(quiet, "What you typed is kept until you quit; nothing was sent")
		}
		m.form, m.formOf, m.refusal = nil, nil, ""
		m.screen = readerScreen
		m.showDraft(id)
		m.arrange()
		return tea.Batch(cmd, m.follow())
	}
	return cmd
}

// isOver tells whether the request of the form takes no answer any more.
func (m *Inbox) isOver() bool {
	return m.endingOf(m.formOf.RunID) != nil || !m.formOf.Expires.After(m.options.Now())
}

// send sends the answer that the person confirmed.
func (m *Inbox) send() tea.Cmd {
	answer, _ := m.form.Answer()
	m.keepDraft()
	m.sending, m.sent, m.refusal = true, m.options.Now(), ""
	d, id := m.desk, m.formOf.RunID
	row, known := m.rowOf(id)
	if !known {
		row.RequestSummary = m.formOf.RequestSummary
	}
	return func() tea.Msg {
		ending, err := d.Answer(id, answer)
		return answeredMsg{row: row, ending: ending, err: err}
	}
}

// keepDraft keeps what is typed in the form, by its request.
func (m *Inbox) keepDraft() {
	if m.form == nil {
		return
	}
	id := m.formOf.RunID
	if !m.form.Changed() {
		delete(m.drafts, id)
		return
	}
	m.drafts[id] = draft{form: m.form.Draft(), typed: m.form.Typed()}
}

// draftShown is what was typed for a request and not sent, nil when nothing was.
func (m *Inbox) draftShown(id string) value.Value { return m.drafts[id].typed }

// showDraft shows what was typed where the request is shown.
func (m *Inbox) showDraft(id string) {
	if now := m.reader.Shown(); now.Request != nil && now.Request.RunID == id {
		now.Draft = m.draftShown(id)
		m.reader.Show(now)
	}
}

// Drafts are the answers that were typed and not sent, by run id.
func (m *Inbox) Drafts() map[string]value.Value {
	m.keepDraft()
	left := make(map[string]value.Value, len(m.drafts))
	for id, one := range m.drafts {
		left[id] = one.typed
	}
	return left
}

// drafted are the run ids of what was typed and not sent, in order.
func (m *Inbox) drafted() []string { return slices.Sorted(maps.Keys(m.Drafts())) }

// sample is a schema with a field of each kind, for the keys of the form.
const sample = `{"type":"object","required":["verdict"],"properties":{
	"verdict":{"enum":["approve","revise"]},
	"colour":{"enum":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q","r","s","t"]},
	"note":{"type":"string"},
	"days":{"type":"integer"},
	"names":{"type":"array","items":{"type":"string"}}}}`

// formHints gives every key of a form, by walking through one with a field of each
// kind.
func formHints() []hint {
	schema, err := value.ParseJSON([]byte(sample), 10)
	if err != nil {
		return nil
	}
	f := form.New(schema, form.Options{Width: 80, Height: 24, Editor: func(string, string) tea.Cmd { return nil }})
	var hints []hint
	note := func() {
		for _, key := range f.Keys() {
			if h := (hint{key.Press, key.Does}); !slices.Contains(hints, h) {
				hints = append(hints, h)
			}
		}
	}
	tab := tea.KeyPressMsg{Code: tea.KeyTab}
	enter := tea.KeyPressMsg{Code: tea.KeyEnter}
	note()
	for range 4 {
		f, _ = f.Update(tab)
		note()
	}
	f, _ = f.Update(enter) // an item of the list
	note()
	f, _ = f.Update(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl})
	note()
	return hints
}
