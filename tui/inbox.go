// Package tui is the inbox: the open requests of a playbook, listed, read, answered
// and cancelled in a terminal.
//
// It never reads or writes anything in an update: what takes time is a command over
// desk.Desk, and comes back as a message. It decides nothing without showing what is
// decided, and leaving a screen decides nothing.
package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/form"
	"github.com/beonauto/auto/tui/list"
	"github.com/beonauto/auto/tui/reader"
	"github.com/beonauto/auto/tui/theme"
)

// Options say what the inbox is given of the world.
type Options struct {
	Now func() time.Time
	// Playbook is the name of the playbook, as the first line shows it.
	Playbook string
	// Profile is the colours of the terminal, until the terminal says more.
	Profile colorprofile.Profile
	// FixedProfile says that Profile stands, whatever the terminal says.
	FixedProfile bool
	// Light says that the background is light, until the terminal says.
	Light bool
	// Notify is how a new request is told of: empty for not at all, bell or osc9.
	Notify string
	// Tick gives a command that sends a message after a while; nil for the clock of
	// the machine.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// Stop is asked to end the program when drawing failed; it must not wait for that.
	Stop func()
	// Editor opens text in the person's editor; nil for none.
	Editor func(text, extension string) tea.Cmd
}

// Inbox is the model of the inbox.
type Inbox struct {
	desk    desk.Desk
	options Options
	theme   *theme.Theme
	profile colorprofile.Profile
	dark    bool
	width   int
	height  int

	screen screen
	behind screen // what help and questions go back to
	list   *list.List
	reader *reader.Reader
	helpAt int // the first line of the help

	begun   tea.Cmd       // what Prepare left to do
	loaded  bool          // the list was read once
	stale   bool          // it is to be read again, whatever the stamp
	reading bool          // a command is reading it
	since   time.Time     // when that began
	cost    time.Duration // how long the last reading of the whole list took
	polls   int
	stamp   desk.Stamp
	known   map[string]bool // the open requests as they were read last
	ended   []list.Ended
	told    map[string]bool // those whose ending is known or asked for

	wanted  string // the request that is to be shown
	fetched string // the one that is shown, or could not be read
	failed  error  // why it could not
	// toAnswer is the request whose form is to be shown once it is read.
	toAnswer string
	ahead    []tea.Msg // what was typed for it meanwhile
	fetch    bool      // a command is reading one

	form     *form.Form
	formOf   *engine.AskedRequest
	sending  bool
	sent     time.Time // when that began
	refusal  string    // why the last answer was not taken
	drafts   map[string]draft
	cancel   *desk.Row
	stopping bool // a cancel is under way

	typed    string // the filter as it is typed
	messages map[string]string
	complete bool // every message was read once
	indexing bool

	notice       notice
	pressing     bool   // a key is being obeyed
	trouble      string // what keeps the store from being read
	troubleWhole string // the same in full
	idle         string // why nobody works here; empty while that goes on, or is not wanted
	closed       bool
	crash        *Crash // why it ended
}

// notice is what the status line says for a while.
type notice struct {
	text string
	tone tone
	till time.Time
	ours bool // what the person did brought it, so that the next key takes it away
}

type tone int

const (
	quiet tone = iota
	good
	caution
	bad
)

const (
	second      = time.Second
	noticeStays = 8 * time.Second
	mostEnded   = 200 // that are kept
	mostTold    = 20  // whose ending is asked for at once
	// everyPolls is after how many looks at the stamp the list is read though the
	// stamp is the same, since two changes may fall into one tick of the file
	// system's clock.
	everyPolls = 15
	// restful is how many times as long as a reading of the list took the inbox waits
	// before it reads the list anew by itself, so that a large list that changes all
	// the time costs little.
	restful = 20
	// mostCost is the most that counts of that: what took longer waited for others.
	mostCost = 150 * time.Millisecond
)

// Worked is a fact of the work that is done while the inbox is open. The command
// that works sends it.
type Worked struct {
	Text   string
	Failed bool
	Ended  bool // nothing more is done
}

// The messages of the inbox's own commands.
type (
	tickMsg time.Time
	listMsg struct {
		rows  []desk.Row
		stamp desk.Stamp
		same  bool
		err   error
	}
	requestMsg struct {
		id      string
		request *engine.AskedRequest
		ending  *desk.Ending
		err     error
	}
	endingMsg struct {
		row    desk.Row
		ending *desk.Ending
		err    error
	}
	messagesMsg struct {
		messages []desk.Message
		next     string
		err      error
	}
	answeredMsg struct {
		row    desk.Row
		ending *desk.Ending
		err    error
	}
	cancelledMsg struct {
		row    desk.Row
		ending *desk.Ending
		err    error
	}
)

// New gives an inbox over a desk.
func New(d desk.Desk, options Options) *Inbox {
	if options.Tick == nil {
		options.Tick = tea.Tick
	}
	t := theme.New(options.Profile, !options.Light)
	return &Inbox{
		desk: d, options: options, theme: t, profile: options.Profile, dark: !options.Light,
		list: list.New(t), reader: reader.New(t),
		known: map[string]bool{}, told: map[string]bool{}, drafts: map[string]draft{},
	}
}

// Init reads the list and starts the clock.
func (m *Inbox) Init() tea.Cmd {
	return m.guard(tea.Batch(m.begin(), m.tick(), tea.RequestBackgroundColor))
}

func (m *Inbox) tick() tea.Cmd {
	return m.options.Tick(second, func(at time.Time) tea.Msg { return tickMsg(at) })
}

// read reads the list, unless that is under way or nothing has changed.
func (m *Inbox) read() tea.Cmd {
	if m.reading || m.resting() {
		return nil
	}
	m.reading, m.since = true, m.options.Now()
	m.polls++
	d, last, always := m.desk, m.stamp, !m.loaded || m.stale || m.polls%everyPolls == 0
	m.stale = false
	return func() tea.Msg {
		// The stamp is taken first: what changes after it shows in the next one.
		stamp, err := d.Stamp()
		if err != nil {
			return listMsg{err: err}
		}
		if stamp == last && !always {
			return listMsg{same: true, stamp: stamp}
		}
		rows, err := d.List()
		return listMsg{rows: rows, stamp: stamp, err: err}
	}
}

// resting tells whether the list was read so lately, for what that takes, that it is
// left for a while.
func (m *Inbox) resting() bool {
	return m.loaded && m.options.Now().Sub(m.since) < m.cost*restful
}

// readRequest reads the request that is wanted, one at a time: while keys move
// faster than the store is read, those in between are passed over.
func (m *Inbox) readRequest() tea.Cmd {
	if m.fetch || m.wanted == "" {
		return nil
	}
	m.fetch = true
	d, id := m.desk, m.wanted
	return func() tea.Msg {
		request, err := d.Request(id)
		var ending *desk.Ending
		if err == nil && !request.Closed.IsZero() {
			ending, err = d.Ending(id)
		}
		return requestMsg{id: id, request: request, ending: ending, err: err}
	}
}

// readEnding reads how a request ended that is no longer open.
func (m *Inbox) readEnding(row desk.Row) tea.Cmd {
	d := m.desk
	return func() tea.Msg {
		ending, err := d.Ending(row.RunID)
		return endingMsg{row: row, ending: ending, err: err}
	}
}

// readMessages reads a page of the messages, for the filter.
func (m *Inbox) readMessages(cursor string) tea.Cmd {
	m.indexing = true
	d := m.desk
	return func() tea.Msg {
		messages, next, err := d.Messages(cursor)
		return messagesMsg{messages: messages, next: next, err: err}
	}
}

func (m *Inbox) say(tone tone, text string) {
	m.notice = notice{text: text, tone: tone, till: m.options.Now().Add(noticeStays), ours: m.pressing}
}
