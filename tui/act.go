package tui

// This file does what keys and the mouse say.

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/list"
)

// wheel is how many lines a turn of the mouse's wheel scrolls.
const wheel = 3

// press does what a key says on the screen.
func (m *Inbox) press(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	if key == "alt+esc" {
		// Two of them came at once, which a terminal cannot tell from this.
		escape := tea.KeyPressMsg{Code: tea.KeyEscape}
		return tea.Batch(m.press(escape), m.press(escape))
	}
	if m.typeAhead(msg) {
		return nil
	}
	if m.notice.ours {
		m.notice = notice{}
	}
	m.pressing = true
	defer func() { m.pressing = false }()
	does := actionOf(m.screen, key)
	switch m.screen {
	case filterScreen:
		return m.pressFilter(msg, does)
	case formScreen:
		if does == none || m.sending && does != quitAtOnce {
			return m.toForm(msg)
		}
	}
	return m.do(does)
}

// do does an action.
func (m *Inbox) do(does action) tea.Cmd {
	switch does {
	case quitAtOnce:
		return m.end()
	case drawAnew:
		m.stale, m.fetched = true, ""
		return tea.Batch(tea.ClearScreen, m.read())
	case quit:
		if len(m.Drafts()) > 0 {
			m.ask(quitScreen)
			return nil
		}
		return m.end()
	case moveUp, moveDown, pageUp, pageDown, goFirst, goLast:
		m.move(does)
		return m.follow()
	case openRequest:
		return m.open("")
	case nextRequest:
		return m.step(1)
	case previousRequest:
		return m.step(-1)
	case answerRequest:
		return m.answer()
	case startFilter:
		return m.filter()
	case clearFilter:
		m.setFilter("")
		m.screen = listScreen
		return m.follow()
	case switchScope:
		m.switchScope()
		return m.follow()
	case switchOrder:
		m.switchOrder()
		return m.follow()
	case cancelRequest:
		m.askCancel()
	case copyRun:
		return m.copyRun()
	case copyDraft:
		return m.copyDraft()
	case showHelp:
		m.behind, m.screen = m.screen, helpScreen
		_, parts := m.help()
		m.helpAt = parts[m.behind]
	case agree:
		return m.agree()
	case goBack:
		return m.back()
	}
	return nil
}

// end quits.
func (m *Inbox) end() tea.Cmd {
	m.keepDraft()
	m.closed = true
	return tea.Quit
}

// ask shows a question over the screen.
func (m *Inbox) ask(question screen) { m.behind, m.screen = m.screen, question }

// back goes back to the screen behind; nothing is decided.
func (m *Inbox) back() tea.Cmd {
	switch m.screen {
	case helpScreen, cancelScreen, quitScreen:
		m.screen = m.behind
	case readerScreen:
		m.screen, m.toAnswer, m.ahead = listScreen, "", nil
		m.arrange()
	}
	return m.follow()
}

// agree does what the question asked.
func (m *Inbox) agree() tea.Cmd {
	asked := m.screen
	m.screen = m.behind
	if asked == quitScreen {
		return m.end()
	}
	if m.cancel == nil || m.stopping {
		return nil
	}
	m.stopping = true
	d, row := m.desk, *m.cancel
	m.say(quiet, "Cancelling "+cells.Line(row.Name)+"…")
	return func() tea.Msg {
		ending, err := d.Cancel(row.RunID)
		return cancelledMsg{row: row, ending: ending, err: err}
	}
}

// move moves within the list, the request or the help.
func (m *Inbox) move(does action) {
	switch m.screen {
	case helpScreen:
		height := max(m.height-2, 1)
		m.helpAt += map[action]int{moveUp: -1, moveDown: 1, pageUp: -height, pageDown: height, goFirst: -1 << 20, goLast: 1 << 20}[does]
		m.helpAt = max(min(m.helpAt, m.helpLength()-height), 0)
	case readerScreen:
		switch does {
		case moveUp:
			m.reader.Scroll(-1)
		case moveDown:
			m.reader.Scroll(1)
		case pageUp:
			m.reader.Page(-1)
		case pageDown:
			m.reader.Page(1)
		case goFirst:
			m.reader.Start()
		case goLast:
			m.reader.End()
		}
	default:
		switch does {
		case moveUp:
			m.list.Move(-1)
		case moveDown:
			m.list.Move(1)
		case pageUp:
			m.list.Page(-1)
		case pageDown:
			m.list.Page(1)
		case goFirst:
			m.list.First()
		case goLast:
			m.list.Last()
		}
	}
}

// open shows the chosen request; ThenAnswer is its id when the form is to follow.
func (m *Inbox) open(thenAnswer string) tea.Cmd {
	e := m.list.Selected()
	if e == nil {
		return nil
	}
	m.screen, m.wanted, m.toAnswer = readerScreen, e.ID(), thenAnswer
	if m.fetched != m.wanted {
		m.failed = nil
	}
	m.arrange()
	if thenAnswer != "" {
		return m.openForm()
	}
	return m.follow()
}

// step shows the request after or before the one that is shown.
func (m *Inbox) step(by int) tea.Cmd {
	m.list.Select(m.wanted)
	before := m.here()
	m.list.Move(by)
	if e := m.list.Selected(); e == nil || e.ID() == before {
		m.say(quiet, map[bool]string{true: "This is the last one", false: "This is the first one"}[by > 0]+m.ofFilter())
		return nil
	}
	return m.open("")
}

// ofFilter says that a filter keeps others away.
func (m *Inbox) ofFilter() string {
	if m.list.Filter() == "" {
		return ""
	}
	return " that " + strconv.Quote(m.list.Filter()) + " matches"
}

// filter starts the typing of a filter. The messages are read the first time.
func (m *Inbox) filter() tea.Cmd {
	m.screen, m.typed = filterScreen, m.list.Filter()
	if m.messages != nil && (m.complete || m.indexing) {
		return nil
	}
	if m.messages == nil {
		m.messages = map[string]string{}
	}
	return m.readMessages("")
}

func (m *Inbox) setFilter(text string) {
	m.typed = text
	m.list.SetFilter(text, m.found)
}

// mostFilter is the most bytes of a filter.
const mostFilter = 256

// pressFilter takes a key while a filter is typed.
func (m *Inbox) pressFilter(msg tea.KeyPressMsg, does action) tea.Cmd {
	switch key := msg.String(); {
	case does == keepFilter:
		m.screen = listScreen
		if key == "down" {
			m.list.Move(1)
		}
	case does != none:
		return m.do(does)
	case key == "backspace":
		if m.typed != "" {
			_, size := utf8.DecodeLastRuneInString(m.typed)
			m.setFilter(m.typed[:len(m.typed)-size])
		}
	case key == "ctrl+w":
		words := strings.TrimRight(m.typed, " ")
		m.setFilter(words[:strings.LastIndexByte(words, ' ')+1])
	case key == "ctrl+u":
		m.setFilter("")
	case msg.Text != "":
		m.typeFilter(msg.Text)
	}
	return m.follow()
}

func (m *Inbox) typeFilter(text string) {
	if text = cells.Line(text); len(m.typed)+len(text) <= mostFilter {
		m.setFilter(m.typed + text)
	}
}

// paste gives pasted text to what is typed.
func (m *Inbox) paste(msg tea.PasteMsg) tea.Cmd {
	if m.typeAhead(msg) {
		return nil
	}
	switch m.screen {
	case filterScreen:
		m.typeFilter(strings.TrimSpace(ansi.Strip(msg.Content)))
		return m.follow()
	case formScreen:
		return m.toForm(msg)
	}
	return nil
}

func (m *Inbox) switchScope() {
	if m.list.Scope() == list.All {
		m.list.SetScope(list.Mine)
		m.say(quiet, "Listed: what waits on you and on anyone")
		return
	}
	m.list.SetScope(list.All)
	m.say(quiet, "Listed: all open requests")
}

func (m *Inbox) switchOrder() {
	if m.list.Order() == list.Newest {
		m.list.SetOrder(list.Expiring)
		m.say(quiet, "What expires soonest comes first")
		return
	}
	m.list.SetOrder(list.Newest)
	m.say(quiet, "The newest come first")
}

// here is the id of the request that the screen is about.
func (m *Inbox) here() string {
	if m.screen == readerScreen || m.screen == formScreen {
		return m.wanted
	}
	if e := m.list.Selected(); e != nil {
		return e.ID()
	}
	return ""
}

// askCancel asks whether to cancel the request that the screen is about.
func (m *Inbox) askCancel() {
	id := m.here()
	rows := m.list.Rows()
	at := slices.IndexFunc(rows, func(row desk.Row) bool { return row.RunID == id })
	switch {
	case id == "":
	case at < 0:
		m.say(caution, "It is not open any more")
	default:
		row := rows[at]
		m.cancel = &row
		m.ask(cancelScreen)
	}
}

// copyRun puts the run id into the clipboard of the terminal.
func (m *Inbox) copyRun() tea.Cmd {
	id := m.here()
	if id == "" {
		return nil
	}
	m.say(quiet, "Copied the run id "+cells.Line(id)+" (OSC 52)")
	return tea.SetClipboard(id)
}

// copyDraft puts what was typed into the clipboard of the terminal.
func (m *Inbox) copyDraft() tea.Cmd {
	var typed value.Value
	if m.screen == formScreen && m.form != nil {
		typed = m.form.Typed()
	} else {
		typed = m.draftShown(m.wanted)
	}
	if typed == nil {
		m.say(quiet, "Nothing was typed here")
		return nil
	}
	text := value.IndentedJSON(typed, "  ")
	m.say(quiet, "Copied what you typed, "+strconv.Itoa(len(text))+" bytes of JSON (OSC 52)")
	return tea.SetClipboard(text)
}

// point does what the mouse says.
func (m *Inbox) point(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if m.screen == formScreen && (!m.wide() || msg.X >= m.readerWidth()) {
			return m.toForm(msg)
		}
		by := wheel
		switch msg.Button {
		case tea.MouseWheelUp:
			by = -wheel
		case tea.MouseWheelDown:
		default:
			return nil
		}
		m.roll(msg.X, by)
		return m.follow()
	case tea.MouseClickMsg:
		if m.screen == formScreen {
			x, y := m.formAt()
			msg.X, msg.Y = msg.X-x, msg.Y-y
			return m.toForm(msg)
		}
		if msg.Button != tea.MouseLeft || m.screen != listScreen && m.screen != filterScreen {
			return nil
		}
		before := m.here()
		if msg.X >= m.listWidth() {
			if m.wide() && m.list.Selected() != nil {
				return m.open("")
			}
			return nil
		}
		if !m.list.Click(msg.Y - listTop) {
			return nil
		}
		m.screen = listScreen
		if m.here() == before && before != "" {
			return m.open("")
		}
		return m.follow()
	}
	return nil
}

// roll scrolls what is in a column of the screen.
func (m *Inbox) roll(x, by int) {
	switch m.screen {
	case helpScreen:
		height := max(m.height-2, 1)
		m.helpAt = max(min(m.helpAt+by, m.helpLength()-height), 0)
	case readerScreen:
		m.reader.Scroll(by)
	case formScreen:
		if m.wide() && x < m.readerWidth() {
			m.reader.Scroll(by)
		}
	case listScreen, filterScreen:
		if m.wide() && x >= m.listWidth() {
			m.reader.Scroll(by)
			return
		}
		m.list.Move(by)
	}
}
