package tui

// This file shares the screen out, and draws the list.

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/list"
	"github.com/beonauto/auto/tui/markdown"
	"github.com/beonauto/auto/tui/when"
)

// The smallest screen, and that from which on a request is shown beside the list.
const (
	leastWidth  = 40
	leastHeight = 12
	wideFrom    = 100
	tallFrom    = 16
	roomyWidth  = 60 // below it, a title says only what it must
)

const (
	listTop = 2 // the first line of the list: under the title and the columns' names
	chrome  = 3 // the lines of a screen beside its middle: title, status and keys
	between = 3 // the cells between two halves of a screen
)

// wide tells whether two halves stand beside each other.
func (m *Inbox) wide() bool { return m.width >= wideFrom && m.height >= tallFrom }

func (m *Inbox) listWidth() int {
	if m.wide() {
		return max(m.width*48/100, 58) // as much as shows how old a request is
	}
	return m.width
}

// readerWidth is the width of the request beside a form.
func (m *Inbox) readerWidth() int { return (m.width - between) * 45 / 100 }

// formSize is what the form is given.
func (m *Inbox) formSize() (width, height int) {
	height = max(m.height-chrome-len(m.banners())-len(m.asked()), 4)
	if m.wide() {
		return m.width - m.readerWidth() - between - 1, height
	}
	return m.width - 2, height
}

// arrange gives every part its cells.
func (m *Inbox) arrange() {
	m.list.SetSize(m.listWidth(), m.height-chrome-1)
	width, height := m.width-2, m.height-chrome
	switch {
	case m.onList() && m.wide():
		width = m.width - m.listWidth() - between - 1
	case m.form != nil && m.wide():
		width = m.readerWidth() - 1
	}
	m.reader.SetSize(max(width, 1), max(height, 1))
	m.reader.SetNamed(m.onList())
	if m.form != nil {
		m.form.SetSize(m.formSize())
	}
}

// onList tells whether the list is what is seen, or seen behind a question.
func (m *Inbox) onList() bool {
	at := m.screen
	if at == helpScreen || at == cancelScreen || at == quitScreen {
		at = m.behind
	}
	return at == listScreen || at == filterScreen
}

// draw draws the screen.
func (m *Inbox) draw() tea.View {
	view := tea.NewView(strings.Join(m.lines(), "\n"))
	view.AltScreen = true
	view.MouseMode = tea.MouseModeCellMotion
	view.WindowTitle = "auto inbox"
	if count := m.list.Open(); count > 0 {
		view.WindowTitle += " (" + strconv.Itoa(count) + ")"
	}
	return view
}

// lines draws the screen, each line over its whole width.
func (m *Inbox) lines() []string {
	if m.width == 0 || m.closed {
		return nil
	}
	if m.width < leastWidth || m.height < leastHeight {
		return m.tooSmall()
	}
	var lines []string
	switch m.screen {
	case readerScreen:
		lines = m.readerLines()
	case formScreen:
		lines = m.formLines()
	case cancelScreen:
		lines = m.cancelLines()
	case quitScreen:
		lines = m.quitLines()
	case helpScreen:
		lines = m.helpScreenLines()
	default:
		lines = m.listLines()
	}
	return lines
}

func (m *Inbox) tooSmall() []string {
	text := "The inbox wants " + strconv.Itoa(leastWidth) + "×" + strconv.Itoa(leastHeight) +
		" cells; here are " + strconv.Itoa(m.width) + "×" + strconv.Itoa(m.height) + ". Nothing is lost; ctrl+c quits"
	lines := cells.Wrap(text, m.width)
	for i := range lines {
		lines[i] = cells.Cut(lines[i], m.width)
	}
	return lines[:min(len(lines), m.height)]
}

// title is the first line: what the screen is, and something at its end.
func (m *Inbox) title(left, right string) string {
	room := m.width - 1 - cells.Width(right) - 2
	if room < m.width/2 {
		right = cells.Cut(right, m.width/2-3)
		room = m.width - 1 - cells.Width(right) - 2
	}
	return " " + cells.Fill(left, room) + " " + right + " "
}

// listLines draws the list, with the request beside it where there is room.
func (m *Inbox) listLines() []string {
	lines := []string{m.listTitle(), m.list.Head()}
	middle := m.list.Lines(m.options.Now())
	if text := m.emptiness(); text != nil {
		middle = m.centred(text, m.listWidth(), len(middle))
	}
	lines = append(lines, middle...)
	if m.wide() {
		shown := m.preview()
		for i := range len(lines) - 1 {
			words := ""
			if i < len(shown) {
				words = shown[i]
			}
			lines[i+1] += " " + m.theme.Line.Render("│") + " " + cells.Fill(words, m.width-m.listWidth()-between)
		}
	}
	hints := hintsOf(m.screen)
	return append(lines, m.status(), helpLine(hints, m.width, m.theme))
}

func (m *Inbox) listTitle() string {
	t := m.theme
	left := t.Title.Render("auto inbox")
	if m.loaded {
		left += "  " + t.Strong.Render(strconv.Itoa(m.list.Open())+" open")
		if mine := m.list.Waiting(desk.OnMe); mine > 0 {
			left += t.Dim.Render(" · ") + t.Accent.Render(strconv.Itoa(mine)+" on you")
		}
	}
	switch {
	case m.list.Filter() != "" && m.screen != filterScreen:
		left += t.Dim.Render("  "+strconv.Itoa(m.list.Shown())+" match ") + t.Accent.Render("/"+cells.Cut(cells.Line(m.list.Filter()), m.width/4))
	case m.options.Playbook != "" && m.width >= roomyWidth:
		left += t.Dim.Render("  " + cells.Line(m.options.Playbook))
	}
	scopes := t.Accent.Render("all") + t.Dim.Render(" mine")
	if m.list.Scope() == list.Mine {
		scopes = t.Dim.Render("all ") + t.Accent.Render("mine")
	}
	if m.profilePlain() {
		scopes = "[all] mine"
		if m.list.Scope() == list.Mine {
			scopes = "all [mine]"
		}
	}
	if m.width < 60 {
		scopes = map[list.Scope]string{list.All: "", list.Mine: t.Accent.Render("mine")}[m.list.Scope()]
	}
	if m.list.Order() == list.Expiring && m.width >= 60 {
		scopes = t.Dim.Render("expiring first  ") + scopes
	}
	return m.title(left, scopes)
}

// profilePlain tells whether words must carry what colour would.
func (m *Inbox) profilePlain() bool { return m.theme.Selected.GetReverse() }

// preview draws the chosen request beside the list.
func (m *Inbox) preview() []string {
	e := m.list.Selected()
	shown := m.reader.Shown().Request
	switch {
	case e == nil:
		return nil
	case m.failed != nil && m.fetched == e.ID():
		return []string{m.theme.Bad.Render(cells.Line(m.failed.Error()))}
	case shown == nil || shown.RunID != e.ID():
		return nil
	}
	return m.reader.Lines(m.options.Now())
}

// emptiness says why the list is empty, nil when it is not.
func (m *Inbox) emptiness() []string {
	switch {
	case m.list.Selected() != nil:
		return nil
	case !m.loaded && m.trouble != "":
		return append([]string{"The requests cannot be read yet", ""}, cells.Wrap(m.troubleWhole, m.listWidth()-4)...)
	case !m.loaded && m.options.Now().Sub(m.since) < second:
		return []string{} // most are there at once, and a word that only flashes is none
	case !m.loaded:
		return []string{"Reading the requests…"}
	case m.list.Filter() != "":
		return []string{"Nothing matches " + strconv.Quote(m.list.Filter()), "esc clears the filter"}
	case m.list.Open() > 0:
		return []string{"Nothing waits on you", "m lists all " + strconv.Itoa(m.list.Open())}
	}
	return []string{"Nothing waits for an answer", "", "A request appears here by itself once a run asks:", "auto run of an interaction function makes one", "? shows every key, q quits"}
}

func (m *Inbox) centred(text []string, width, height int) []string {
	lines := make([]string, height)
	top := max((height-len(text))/2, 0)
	for i := range lines {
		words := ""
		if at := i - top; at >= 0 && at < len(text) {
			words = cells.Cut(cells.Line(text[at]), width-2)
			words = strings.Repeat(" ", max((width-cells.Width(words))/2, 0)) + m.theme.Dim.Render(words)
		}
		lines[i] = cells.Fill(words, width)
	}
	return lines
}

func (m *Inbox) toneStyle(tone tone) lipgloss.Style {
	switch tone {
	case good:
		return m.theme.Good
	case caution:
		return m.theme.Caution
	case bad:
		return m.theme.Bad
	}
	return m.theme.Dim
}

// slow is how long a read of the store takes before that is said.
const slow = 1500 * time.Millisecond

// status is the line above the keys: the filter while it is typed, then what is
// wrong, then what just happened.
func (m *Inbox) status() string {
	now := m.options.Now()
	text := ""
	switch {
	case m.screen == filterScreen:
		return m.filterLine()
	case m.sending && now.Sub(m.sent) > slow:
		text = m.theme.Caution.Render("Sending… The store is held by others; what you typed is kept")
	case m.sending:
		text = m.theme.Caution.Render("Sending…")
	case m.screen == readerScreen && m.toAnswer != "" && m.trouble == "":
		text = m.theme.Caution.Render("Opening the form…")
	case m.trouble != "" && !m.loaded: // which the middle of the screen says
	case m.trouble != "":
		text = m.theme.Bad.Render("! " + m.trouble)
	case now.Before(m.notice.till):
		text = m.toneStyle(m.notice.tone).Render(m.notice.text)
	case m.reading && now.Sub(m.since) > slow:
		text = m.theme.Caution.Render("Waiting for the store, which others hold…")
	case m.onList() && m.list.Filter() != "":
		return m.filterLine()
	case m.onList() && m.idle != "":
		text = m.theme.Caution.Render("! " + m.idle)
	case m.screen == listScreen:
		text = m.detail(now)
	}
	return cells.Fill(" "+text, m.width)
}

func (m *Inbox) filterLine() string {
	cursor := ""
	if m.screen == filterScreen {
		cursor = m.theme.Cursor.Render(" ")
	}
	count := strconv.Itoa(m.list.Shown()) + " of " + strconv.Itoa(m.list.Open())
	if m.indexing && !m.complete {
		count = "reading the messages… " + count
	}
	typed := cells.CutStart(cells.Line(m.typed), max(m.width-cells.Width(count)-5, 4))
	left := m.theme.Accent.Render(" /") + m.theme.Input.Render(typed) + cursor
	return cells.Fill(left, m.width-cells.Width(count)-1) + m.theme.Dim.Render(count) + " "
}

// detail says of the chosen request what the columns have no room for, and where it
// stands in the list.
func (m *Inbox) detail(now time.Time) string {
	e := m.list.Selected()
	if e == nil {
		return ""
	}
	at, of := m.list.Place()
	place := strconv.Itoa(at) + " of " + strconv.Itoa(of)
	if m.width >= 74 || e.Row == nil {
		if shown := m.reader.Shown().Request; shown != nil && shown.RunID == e.ID() && !m.wide() {
			place += " · " + markdown.Gist(shown.Message)
		}
		return m.theme.Dim.Render(place)
	}
	words, style := list.DeliveryWords(e.Row.Delivery, m.theme)
	text := style.Render(words)
	if m.width < 48 {
		text = cells.Line("to "+e.Row.To) + m.theme.Dim.Render(" · ") + text
	}
	return text + m.theme.Dim.Render(" · asked "+when.Short(now.Sub(e.Row.Asked))+" ago · "+place)
}
