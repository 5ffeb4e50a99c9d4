package tui

// This file drives the inbox in a test: keys and messages go in one at a time, each
// command is done before the next goes in, and the requests lie on a desk in memory.

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
)

// start is when the tests begin, a Monday.
var start = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// memory is a desk that holds requests in memory.
type memory struct {
	requests []*engine.AskedRequest // oldest first
	endings  map[string]*desk.Ending
	now      *time.Time
	changes  int64
	failing  error // what every call gives
	lists    int   // how often the list was read
	answers  []string
}

func (m *memory) Stamp() (desk.Stamp, error) { return desk.Stamp{Size: m.changes}, m.failing }

func (m *memory) List() ([]desk.Row, error) {
	m.lists++
	var rows []desk.Row
	for i := len(m.requests) - 1; i >= 0; i-- {
		if r := m.requests[i]; r.Closed.IsZero() {
			rows = append(rows, desk.Row{RequestSummary: r.RequestSummary, Waits: waitsOn(r.To)})
		}
	}
	return rows, m.failing
}

func waitsOn(to string) desk.Waits {
	switch {
	case to == "priya@acme.example":
		return desk.OnMe
	case strings.Contains(to, "@"):
		return desk.OnOthers
	}
	return desk.OnAnyone
}

func (m *memory) Messages(cursor string) ([]desk.Message, string, error) {
	var messages []desk.Message
	for i := len(m.requests) - 1; i >= 0; i-- {
		messages = append(messages, desk.Message{RunID: m.requests[i].RunID, Text: m.requests[i].Message})
	}
	return messages, "", m.failing
}

func (m *memory) find(id string) *engine.AskedRequest {
	for _, r := range m.requests {
		if r.RunID == id {
			return r
		}
	}
	return nil
}

func (m *memory) Request(id string) (*engine.AskedRequest, error) {
	r := m.find(id)
	if r == nil && m.failing == nil {
		return nil, engine.ErrNoRun
	}
	if m.failing != nil {
		return nil, m.failing
	}
	shown := *r
	return &shown, nil
}

func (m *memory) Ending(id string) (*desk.Ending, error) {
	if m.failing != nil {
		return nil, m.failing
	}
	if m.find(id) == nil {
		return &desk.Ending{RunID: id, How: desk.Gone}, nil
	}
	return m.endings[id], nil
}

func (m *memory) Answer(id string, answer value.Value) (*desk.Ending, error) {
	r := m.find(id)
	switch {
	case m.failing != nil:
		return nil, m.failing
	case !r.Closed.IsZero():
		return nil, problem.NewRejection(problem.Conflict, "The request took another answer")
	}
	if note, _ := value.Lookup(answer, "/note"); note == "refuse me" {
		return nil, problem.NewRejection(problem.InvalidInput, "The answer does not match", problem.Issue{Pointer: "/answer/note", Detail: "Expected other words"})
	}
	m.answers = append(m.answers, value.JSON(answer))
	ending := m.end(id, &desk.Ending{How: desk.Answered, AnswerID: 42, Answer: answer, By: "Local developer"})
	mine := *ending
	mine.Mine = true
	return &mine, nil
}

func (m *memory) Cancel(id string) (*desk.Ending, error) {
	if m.failing != nil {
		return nil, m.failing
	}
	return m.end(id, &desk.Ending{How: desk.Cancelled, Mine: true}), nil
}

// end ends a request as somebody elsewhere does.
func (m *memory) end(id string, ending *desk.Ending) *desk.Ending {
	ending.RunID, ending.At = id, *m.now
	m.find(id).Closed = *m.now
	m.endings[id] = ending
	m.changes++
	return ending
}

// ask adds a request.
func (m *memory) ask(r *engine.AskedRequest) {
	r.Beginning = r.Message[:min(len(r.Message), store.MostBeginning)]
	m.requests = append(m.requests, r)
	m.changes++
}

const verdict = `{"type":"object","required":["verdict"],"additionalProperties":false,"properties":{
	"verdict":{"type":"string","enum":["approve","revise"],"description":"What is to happen with the brief"},
	"note":{"type":"string","maxLength":2000,"description":"What should change"}}}`

func schemaOf(text string) value.Value {
	v, err := value.ParseJSON([]byte(text), 50)
	if err != nil {
		panic(err)
	}
	return v
}

// brief is the request of the format's own example.
func brief(number int, to string, asked, expires time.Duration) *engine.AskedRequest {
	return &engine.AskedRequest{
		RequestSummary: engine.RequestSummary{
			RunID: fmt.Sprintf("0199a3c4-7d2e-7c1a-9b3f-%012d", number), Type: "interaction", Name: "approve-campaign-brief", Version: 3,
			To: to, TakesAnswer: true, Asked: start.Add(-asked), Expires: start.Add(expires), Delivery: "delivered",
		},
		Answerer: to, Server: "chat", Tool: "post_message",
		Message: "## Autumn launch\n\nThe brief for **Autumn launch** is ready. It asks for:\n\n" +
			"- a landing page by *Friday*\n- `3` mails to [the list](https://acme.example/list)\n\n" +
			"| Channel | Budget |\n| --- | ---: |\n| Mail | 1,200 |\n| Search | 14,000 |\n\n> Is this ready to launch?\n\nReply with approve or revise.",
		AnswerSchema: schemaOf(verdict),
		Attempts:     []engine.RequestAttempt{{Started: start.Add(-asked), Ended: start.Add(-asked + time.Second)}},
		Conversation: "C042", Refused: 1,
	}
}

// office is a desk with requests of every kind.
func office() *memory {
	now := start
	m := &memory{endings: map[string]*desk.Ending{}, now: &now}
	add := func(r *engine.AskedRequest, name string, delivery engine.Delivery) *engine.AskedRequest {
		r.Name, r.Delivery = name, delivery
		m.ask(r)
		return r
	}
	add(brief(1, "sam@acme.example", 26*time.Hour, 70*time.Hour), "pick-supplier", "undelivered")
	add(brief(2, "#launches", 3*time.Hour, 20*time.Hour), "confirm-budget", "retrying")
	held := add(brief(3, "legal", 40*time.Minute, 50*time.Minute), "check-terms", "held_for_an_agent")
	held.Server, held.Tool, held.Attempts, held.Conversation, held.Refused = "", "", nil, "", 0
	add(brief(4, "priya@acme.example", 12*time.Minute, 51*time.Hour), "approve-campaign-brief", "delivered")
	note := add(brief(5, "#ops", time.Minute, 6*24*time.Hour), "tell-ops", "to_deliver")
	note.TakesAnswer, note.AnswerSchema, note.Attempts = false, nil, nil
	return m
}

// driver drives an inbox.
type driver struct {
	t      testing.TB
	inbox  *Inbox
	desk   *memory
	raw    []string // what was written to the terminal beside the screen
	copied string
	quit   bool
}

// drive opens an inbox of a size on a desk.
func drive(t testing.TB, d *memory, width, height int, options Options) *driver {
	t.Helper()
	options.Now = func() time.Time { return *d.now }
	options.Tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	options.FixedProfile = true
	r := &driver{t: t, inbox: New(d, options), desk: d}
	r.send(tea.WindowSizeMsg{Width: width, Height: height})
	r.do(r.inbox.Init())
	return r
}

func plain() Options { return Options{Profile: colorprofile.ASCII, Playbook: "campaigns"} }

// send sends a message and does what follows from it.
func (r *driver) send(msg tea.Msg) {
	r.t.Helper()
	_, cmd := r.inbox.Update(msg)
	r.do(cmd)
}

func (r *driver) do(cmd tea.Cmd) {
	r.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			r.do(one)
		}
	case tea.QuitMsg:
		r.quit = true
	case tea.RawMsg:
		r.raw = append(r.raw, fmt.Sprint(msg.Msg))
	default:
		switch reflect.TypeOf(msg).Name() {
		case "setClipboardMsg":
			r.copied = reflect.ValueOf(msg).String()
			return
		case "backgroundColorMsg", "clearScreenMsg":
			return
		}
		r.send(msg)
	}
}

var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
	"right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"backspace": tea.KeyBackspace, "space": tea.KeySpace, "f1": tea.KeyF1,
}

// press presses keys in turn, each by its name.
func (r *driver) press(keys ...string) {
	r.t.Helper()
	for _, key := range keys {
		r.send(keyOf(key))
	}
}

func keyOf(key string) tea.KeyPressMsg {
	if code, named := keyCodes[key]; named {
		msg := tea.KeyPressMsg{Code: code}
		if key == "space" {
			msg.Text = " "
		}
		return msg
	}
	if letter, ctrl := strings.CutPrefix(key, "ctrl+"); ctrl {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(key)[0], Text: key}
}

// write types text.
func (r *driver) write(text string) {
	r.t.Helper()
	for _, letter := range text {
		key := string(letter)
		if key == " " {
			key = "space"
		}
		r.press(key)
	}
}

// pass lets time go by, a second at a time at most a minute.
func (r *driver) pass(d time.Duration) {
	r.t.Helper()
	*r.desk.now = r.desk.now.Add(d)
	r.send(tickMsg(*r.desk.now))
}

// screen is the screen as text, without styles.
func (r *driver) screen() string {
	r.t.Helper()
	return ansi.Strip(r.inbox.View().Content)
}

// shows fails unless the screen shows every text.
func (r *driver) shows(texts ...string) {
	r.t.Helper()
	screen := r.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			r.t.Errorf("the screen does not show %q:\n%s", text, screen)
		}
	}
}

// hides fails if the screen shows a text.
func (r *driver) hides(texts ...string) {
	r.t.Helper()
	screen := r.screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			r.t.Errorf("the screen shows %q:\n%s", text, screen)
		}
	}
}

// whole fails unless the screen is as large as the terminal.
func (r *driver) whole() {
	r.t.Helper()
	lines := strings.Split(r.inbox.View().Content, "\n")
	if len(lines) > r.inbox.height {
		r.t.Errorf("the screen has %d lines of %d:\n%s", len(lines), r.inbox.height, r.screen())
	}
	for i, line := range lines {
		if wide := cells.Width(line); wide > r.inbox.width {
			r.t.Errorf("line %d takes %d cells of %d: %q", i+1, wide, r.inbox.width, ansi.Strip(line))
		}
	}
}

var errHeld = &engine.StoreHeldError{Path: "runs.db", Waited: 5 * time.Second, By: []store.Process{{PID: 4242, Command: "auto run"}}}
