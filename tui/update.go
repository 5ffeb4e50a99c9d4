package tui

// This file takes the messages of the inbox: what its commands found, and what the
// terminal says. Keys are in act.go.

import (
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/form"
	"github.com/beonauto/auto/tui/list"
	"github.com/beonauto/auto/tui/reader"
	"github.com/beonauto/auto/tui/theme"
)

// take takes a message and gives the commands that follow from it.
func (m *Inbox) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.arrange()
		return m.follow()
	case tea.ColorProfileMsg:
		if !m.options.FixedProfile {
			m.dress(msg.Profile, m.dark)
		}
	case tea.ModeReportMsg:
		return m.measureBy(msg)
	case tea.BackgroundColorMsg:
		m.dress(m.profile, msg.IsDark())
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		return m.point(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tickMsg:
		return tea.Batch(m.tick(), m.read())
	case listMsg:
		return m.listed(msg)
	case requestMsg:
		return m.arrived(msg)
	case endingMsg:
		m.ends(msg)
	case messagesMsg:
		return m.indexed(msg)
	case answeredMsg:
		return m.answered(msg)
	case cancelledMsg:
		return m.cancelled(msg)
	case Worked:
		tone := quiet
		if msg.Failed {
			tone = caution
		}
		m.say(tone, cells.Line(msg.Text))
		if msg.Ended {
			m.idle = cells.Line(msg.Text)
		}
		m.stale = true
		return m.read()
	case form.EditedMsg:
		return m.toForm(msg)
	}
	return nil
}

// measureBy measures text as the terminal says that it draws it, from then on.
func (m *Inbox) measureBy(report tea.ModeReportMsg) tea.Cmd {
	if report.Mode != ansi.ModeUnicodeCore || report.Value.IsNotRecognized() || report.Value.IsPermanentlyReset() {
		return nil
	}
	cells.ByCluster(true)
	m.list.Measure()
	m.reader.SetTheme(m.theme) // which draws it anew
	m.arrange()
	return m.follow()
}

// dress changes how the inbox looks.
func (m *Inbox) dress(profile colorprofile.Profile, dark bool) {
	if profile == m.profile && dark == m.dark {
		return
	}
	m.profile, m.dark = profile, dark
	m.theme = theme.New(profile, dark)
	m.list.SetTheme(m.theme)
	m.reader.SetTheme(m.theme)
	if m.form != nil {
		m.form.SetTheme(m.theme)
	}
}

// listed takes the list as it was read.
func (m *Inbox) listed(msg listMsg) tea.Cmd {
	m.reading = false
	if msg.err != nil {
		m.trouble, m.troubleWhole = troubleOf(msg.err)
		m.stale = true
		return nil
	}
	m.trouble, m.troubleWhole = "", ""
	if msg.same {
		return nil
	}
	m.cost = min(m.options.Now().Sub(m.since), mostCost)
	first := !m.loaded
	m.loaded, m.stamp = true, msg.stamp
	var came []desk.Row
	now := make(map[string]bool, len(msg.rows))
	for _, row := range msg.rows {
		now[row.RunID] = true
		if !m.known[row.RunID] && !first {
			came = append(came, row)
		}
	}
	cmds := m.left(now)
	m.known = now
	m.list.SetRows(msg.rows)
	if m.wanted != "" {
		m.fetched = "" // what is shown may have changed too
	}
	cmds = append(cmds, m.follow(), m.announce(came))
	if m.messages != nil && !m.indexing && (len(came) > 0 || !m.complete) {
		cmds = append(cmds, m.readMessages(""))
	}
	return tea.Batch(cmds...)
}

// troubleOf says why the store cannot be read, in a line and in full.
func troubleOf(err error) (line, whole string) {
	var held *engine.StoreHeldError
	var damaged *engine.StoreDamagedError
	switch {
	case errors.As(err, &held):
		line = "The store is held by " + holders(held) + "; trying again"
		whole = line
	case errors.As(err, &damaged):
		line = "The store is damaged; auto store check says what is wrong with it"
		whole = err.Error() + "; auto store check says more"
	default:
		whole = err.Error()
		line = "The requests cannot be read, trying again: " + whole
	}
	return cells.Line(line), cells.Line(whole)
}

// holders names who holds the store.
func holders(held *engine.StoreHeldError) string {
	if len(held.By) == 0 {
		return "another program, such as a backup"
	}
	names := make([]string, len(held.By))
	for i, process := range held.By {
		names[i] = process.String()
	}
	return strings.Join(names, " or ")
}

// left asks for the endings of requests that are no longer open.
func (m *Inbox) left(now map[string]bool) []tea.Cmd {
	var cmds []tea.Cmd
	rows := m.list.Rows()
	for i := range rows {
		id := rows[i].RunID
		if now[id] || m.told[id] {
			continue
		}
		if len(cmds) < mostTold || id == m.wanted {
			m.told[id] = true
			cmds = append(cmds, m.readEnding(rows[i]))
		}
	}
	return cmds
}

// announce tells of requests that came.
func (m *Inbox) announce(came []desk.Row) tea.Cmd {
	if len(came) == 0 {
		return nil
	}
	text := "New: " + cells.Line(came[0].Name) + ", to " + cells.Line(came[0].To)
	if len(came) > 1 {
		text = strconv.Itoa(len(came)) + " new requests"
	}
	m.say(good, text)
	switch m.options.Notify {
	case "bell":
		return tea.Raw("\a")
	case "osc9":
		return tea.Raw("\x1b]9;" + text + "\a")
	}
	return nil
}

// ends takes how a request ended.
func (m *Inbox) ends(msg endingMsg) {
	switch {
	case msg.err != nil:
		delete(m.told, msg.row.RunID)
		return
	case msg.ending == nil:
		delete(m.told, msg.row.RunID) // it is open after all
		return
	}
	m.keepEnding(msg.row, msg.ending)
	tone := caution
	if msg.ending.How == desk.Answered || msg.ending.How == desk.Delivered {
		tone = good
	}
	m.say(tone, cells.Line(msg.row.Name)+": "+reader.Told(msg.ending))
}

// keepEnding lists a request among those that ended, and shows its ending where the
// request is shown.
func (m *Inbox) keepEnding(row desk.Row, ending *desk.Ending) {
	if ending.At.IsZero() { // deleted with its run, at a time that nobody knows
		ending.At = m.options.Now()
	}
	if m.told[row.RunID] {
		for i := range m.ended {
			if m.ended[i].RunID == row.RunID {
				return
			}
		}
	}
	m.told[row.RunID] = true
	m.ended = append([]list.Ended{{Row: row, Ending: *ending}}, m.ended...)
	m.ended = m.ended[:min(len(m.ended), mostEnded)]
	m.list.SetEnded(m.ended)
	if now := m.reader.Shown(); now.Request != nil && now.Request.RunID == row.RunID {
		now.Ending = ending
		m.reader.Show(now)
	}
}

// endingOf gives how a request ended, nil when that is not known.
func (m *Inbox) endingOf(id string) *desk.Ending {
	for i := range m.ended {
		if m.ended[i].RunID == id {
			return &m.ended[i].Ending
		}
	}
	return nil
}

// rowOf gives what the list shows of a request.
func (m *Inbox) rowOf(id string) (desk.Row, bool) {
	rows := m.list.Rows()
	for i := range rows {
		if rows[i].RunID == id {
			return rows[i], true
		}
	}
	for i := range m.ended {
		if m.ended[i].RunID == id {
			return m.ended[i].Row, true
		}
	}
	return desk.Row{}, false
}

// follow has the request read that the screen shows, unless it is there.
func (m *Inbox) follow() tea.Cmd {
	if m.screen == listScreen || m.screen == filterScreen {
		m.wanted = ""
		if e := m.list.Selected(); e != nil {
			m.wanted = e.ID()
		}
	}
	if m.wanted == "" || m.wanted == m.fetched {
		return nil
	}
	return m.readRequest()
}

// arrived takes a request as it was read.
func (m *Inbox) arrived(msg requestMsg) tea.Cmd {
	m.fetch = false
	if msg.id != m.wanted {
		return m.follow()
	}
	m.fetched, m.failed = msg.id, msg.err
	if msg.err != nil {
		if shown := m.reader.Shown().Request; shown != nil && shown.RunID == msg.id {
			m.failed = nil // what was read before still stands there
		}
		if errors.Is(msg.err, engine.ErrNoRun) {
			m.toAnswer, m.ahead = "", nil
			return nil
		}
		m.stale = true // and it is read again with the list
		return nil
	}
	ending := msg.ending
	if ending == nil {
		ending = m.endingOf(msg.id)
	} else if known := m.endingOf(msg.id); known != nil {
		ending = known
	}
	if ending != nil && ending.At.IsZero() {
		ending.At = m.options.Now()
	}
	row, _ := m.rowOf(msg.id)
	m.reader.Show(reader.Shown{Request: msg.request, Waits: row.Waits, Ending: ending, Draft: m.draftShown(msg.id)})
	if m.screen == readerScreen && m.toAnswer == msg.id {
		m.toAnswer = ""
		return m.startAnswer()
	}
	return nil
}

// indexed takes a page of messages for the filter.
func (m *Inbox) indexed(msg messagesMsg) tea.Cmd {
	m.indexing = false
	if msg.err != nil {
		m.complete = false
		return nil
	}
	unknown := false
	for _, one := range msg.messages {
		if _, known := m.messages[one.RunID]; !known {
			unknown = true
			m.messages[one.RunID] = strings.ToLower(one.Text)
		}
	}
	if m.list.Filter() != "" {
		m.list.SetFilter(m.list.Filter(), m.found)
	}
	if msg.next == "" {
		m.complete = true
		return m.follow()
	}
	if unknown || !m.complete {
		return tea.Batch(m.readMessages(msg.next), m.follow())
	}
	return m.follow()
}

// found tells whether a message holds a word.
func (m *Inbox) found(runID, term string) bool { return strings.Contains(m.messages[runID], term) }

// answered takes what came of an answer.
func (m *Inbox) answered(msg answeredMsg) tea.Cmd {
	m.sending = false
	id := msg.row.RunID
	if msg.err == nil {
		delete(m.drafts, id)
		m.form, m.formOf, m.refusal = nil, nil, ""
		m.screen = readerScreen
		m.keepEnding(msg.row, msg.ending)
		m.say(good, "Answered "+cells.Line(msg.row.Name))
		m.showDraft(id)
		m.stale = true
		m.arrange()
		return m.read()
	}
	var rejection *problem.Rejection
	var issues []problem.Issue
	m.refusal = "The answer was not taken: " + cells.Line(msg.err.Error())
	var damaged *engine.StoreDamagedError
	if errors.As(msg.err, &damaged) {
		m.refusal += "; auto store check says more"
	}
	if errors.As(msg.err, &rejection) {
		issues = rejection.Issues
		if rejection.Type == problem.TypeBase+string(problem.InvalidInput) && len(issues) > 0 {
			m.refusal = ""
		}
	}
	m.form.Refuse(issues)
	m.keepDraft()
	m.stale = true
	cmds := []tea.Cmd{m.read()}
	if !m.told[id] {
		m.told[id] = true
		cmds = append(cmds, m.readEnding(msg.row))
	}
	return tea.Batch(cmds...)
}

// cancelled takes what came of a cancel.
func (m *Inbox) cancelled(msg cancelledMsg) tea.Cmd {
	m.stopping = false
	m.stale = true
	if msg.err != nil {
		m.say(bad, "It was not cancelled: "+cells.Line(msg.err.Error()))
		return m.read()
	}
	m.keepEnding(msg.row, msg.ending)
	m.say(good, "Cancelled "+cells.Line(msg.row.Name))
	return m.read()
}
