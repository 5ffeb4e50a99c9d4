package worker_test

// This file is what the tests of the worker share: a playbook whose clock only the
// test moves, and a chat that does as it is told.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/engine/worker"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(childStore); file != "" {
		if err := workUntilKilled(file); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var began = time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)

// clock moves when it is moved, and when somebody sleeps by it.
type clock struct {
	lock      sync.Mutex
	at        time.Time
	deadlines map[*deadline]bool
	limits    chan struct{} // something is bounded by the clock from now on
	longest   time.Duration // that somebody slept
}

type deadline struct {
	at  time.Time
	end context.CancelFunc
}

func newClock() *clock {
	return &clock{at: began, deadlines: map[*deadline]bool{}, limits: make(chan struct{}, 100)}
}

func (c *clock) Now() time.Time {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.at
}

func (c *clock) advance(by time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.at = c.at.Add(by)
	for d := range c.deadlines {
		if !c.at.Before(d.at) {
			d.end()
		}
	}
}

func (c *clock) Sleep(ctx context.Context, wait time.Duration) error {
	c.lock.Lock()
	c.longest = max(c.longest, wait)
	c.lock.Unlock()
	// What goes on beside the sleeper is given a moment for each one that goes by.
	select {
	case <-time.After(time.Millisecond):
		c.advance(wait)
	case <-ctx.Done():
	}
	return ctx.Err()
}

func (c *clock) Within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	c.lock.Lock()
	defer c.lock.Unlock()
	d := &deadline{c.at.Add(while), end}
	c.deadlines[d] = true
	c.limits <- struct{}{}
	return ctx, func() {
		c.lock.Lock()
		defer c.lock.Unlock()
		delete(c.deadlines, d)
		end()
	}
}

// message is one of the chat.
type message struct{ ts, user, text, thread string }

// called is a call that reached the chat.
type called struct {
	at        time.Duration // since the test began
	server    string
	tool      string
	runID     string
	arguments string
}

// reply is what a call comes to in place of what the chat would answer.
type reply struct {
	failure *tool.Failure
	result  *tool.Result
	during  func() // what happens while the call is under way
	until   <-chan struct{}
}

// chat is the tool servers: what they record is as real ones do, and their calls are
// those of a chat in memory. The ts of a message is its number, as text.
type chat struct {
	*tool.Servers
	clock *clock

	lock     sync.Mutex
	messages []message
	calls    []called
	replies  map[string][]reply // by tool, taken in turn before the chat answers
}

func (c *chat) will(toolName string, replies ...reply) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.replies[toolName] = append(c.replies[toolName], replies...)
}

func (c *chat) post(m message) string {
	c.lock.Lock()
	defer c.lock.Unlock()
	m.ts = strconv.Itoa(len(c.messages) + 1)
	c.messages = append(c.messages, m)
	return m.ts
}

// says posts as a person, in a thread.
func (c *chat) says(user, text, thread string) string {
	return c.post(message{user: user, text: text, thread: thread})
}

func (c *chat) Call(ctx context.Context, call tool.Call) (*tool.Result, *tool.Failure) {
	if failure := c.Check(call.Server, call.Tool); failure != nil {
		return nil, failure
	}
	c.lock.Lock()
	c.calls = append(c.calls, called{c.clock.Now().Sub(began), call.Server, call.Tool, call.RunID, value.JSON(call.Arguments)})
	var told *reply
	if waiting := c.replies[call.Tool]; len(waiting) > 0 {
		told, c.replies[call.Tool] = &waiting[0], waiting[1:]
	}
	c.lock.Unlock()
	if told != nil {
		if told.during != nil {
			told.during()
		}
		if told.until != nil {
			select {
			case <-told.until:
			case <-ctx.Done():
				return nil, &tool.Failure{Because: tool.Cancelled, Server: call.Server, Tool: call.Tool, Sent: true, RetryAfter: -1, Message: "The caller stopped waiting"}
			}
		}
		if told.failure != nil || told.result != nil {
			return told.result, told.failure
		}
	}
	return c.answer(call), nil
}

func (c *chat) answer(call tool.Call) *tool.Result {
	text := func(key string) string {
		v, _ := call.Arguments.Get(key)
		t, _ := v.(string)
		return t
	}
	switch call.Tool {
	case "post_message", "post_reply":
		ts := c.post(message{user: "U-bot", text: text("text"), thread: text("thread_ts")})
		return structured(object("channel", text("channel"), "ts", ts))
	case "thread_replies":
		c.lock.Lock()
		defer c.lock.Unlock()
		oldest, _ := strconv.Atoi(text("oldest"))
		listed := []value.Value{}
		for i, m := range c.messages {
			thread := text("ts")
			if i+1 <= oldest || thread != "" && m.thread != thread && m.ts != thread {
				continue
			}
			o := object("ts", m.ts, "user", m.user, "text", m.text)
			if m.thread != "" {
				o.Set("thread_ts", m.thread)
			}
			listed = append(listed, o)
		}
		return structured(object("messages", listed))
	}
	panic("the chat has no tool " + call.Tool)
}

// made gives the calls so far of a tool, or of all.
func (c *chat) made(toolName string) (made []called) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, call := range c.calls {
		if toolName == "" || call.tool == toolName {
			made = append(made, call)
		}
	}
	return made
}

// seconds gives when the calls of a tool were made, in seconds since the test began.
func (c *chat) seconds(toolName string) string {
	var at []string
	for _, call := range c.made(toolName) {
		at = append(at, strconv.FormatFloat(call.at.Seconds(), 'f', -1, 64))
	}
	return strings.Join(at, " ")
}

func object(pairs ...any) *value.Object {
	o := &value.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func structured(o *value.Object) *tool.Result {
	return &tool.Result{Structured: o, HasStructured: true, Whole: object("structuredContent", o)}
}

func fails(because tool.Because, retryAfter time.Duration) reply {
	return reply{failure: &tool.Failure{Because: because, Server: "chat", Sent: true, RetryAfter: retryAfter, Message: "The tool server chat is tired"}}
}

// desk is a playbook.
type desk struct {
	*store.Store
	t      testing.TB
	clock  *clock
	chat   *chat
	owner  *store.Owner
	runner *run.Runner
	*worker.Worker

	lock  sync.Mutex
	facts []worker.Fact
}

const serverSettings = `tool_servers:
  - { name: chat, url: "http://127.0.0.1:1/mcp" }
  - { name: mail, url: "http://127.0.0.1:1/mcp", record_content: false }
`

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{t: t, clock: newClock()}
	read, err := settings.Read([]byte(serverSettings), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	servers := tool.New(read.ToolServers(), tool.Options{Clock: d.clock})
	t.Cleanup(servers.Close)
	d.chat = &chat{Servers: servers, clock: d.clock, replies: map[string][]reply{}}
	d.Store = store.At(filepath.Join(t.TempDir(), ".auto", "runs.db"), store.Options{Now: d.clock.Now})
	d.owner = d.own()
	d.runner = run.New(run.Options{Store: d.Store, Tools: d.chat, Owner: func() (*store.Owner, error) { return d.owner, nil }})
	d.Worker = d.another(d.owner)
	return d
}

// own makes another process of the playbook.
func (d *desk) own() *store.Owner {
	d.t.Helper()
	owner, err := d.Own("auto work")
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { owner.Close() })
	return owner
}

// another makes a worker for a process, with a store of its own.
func (d *desk) another(owner *store.Owner) *worker.Worker {
	return worker.New(worker.Options{
		Store: d.Store, Tools: d.chat, Owner: func() (*store.Owner, error) { return owner, nil }, Clock: d.clock, Playbook: "campaigns",
		Told: func(fact worker.Fact) {
			d.lock.Lock()
			defer d.lock.Unlock()
			d.facts = append(d.facts, fact)
		},
	})
}

func (d *desk) tick() time.Time {
	d.t.Helper()
	next, err := d.Tick(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return next
}

// tickFor goes through a while, from one thing that is due to the next.
func (d *desk) tickFor(while time.Duration) {
	d.t.Helper()
	for end := d.clock.Now().Add(while); ; {
		next := d.tick()
		if next.IsZero() || next.After(end) {
			d.clock.advance(end.Sub(d.clock.Now()))
			return
		}
		if !next.After(d.clock.Now()) {
			d.t.Fatalf("at %s what is due next is %s", d.clock.Now(), next)
		}
		d.clock.advance(next.Sub(d.clock.Now()))
	}
}

// told gives what was done, a word each.
func (d *desk) told() string {
	d.lock.Lock()
	defer d.lock.Unlock()
	var words []string
	for _, fact := range d.facts {
		words = append(words, string(fact.Did))
	}
	return strings.Join(words, " ")
}

func interaction(t testing.TB) *definition.Type {
	t.Helper()
	named, ok := definition.TypeNamed("interaction")
	if !ok {
		t.Fatal("there is no type interaction")
	}
	return named
}

// ask starts a run of a document and wants it to wait.
func (d *desk) ask(id, source string) *store.Request {
	d.t.Helper()
	input := object("owner", "U-priya", "review", "Two figures have no source.")
	started, err := d.runner.Do(d.t.Context(), run.Request{ID: id, Type: interaction(d.t), Name: "approve-campaign-brief", Source: []byte(source), Input: input})
	if err != nil {
		d.t.Fatal(err)
	}
	if started.Status != store.Started {
		d.t.Fatalf("run %s is %s", id, value.JSON(started.Value()))
	}
	return d.request(id)
}

func (d *desk) request(id string) *store.Request {
	d.t.Helper()
	request, err := d.Request(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return request
}

func (d *desk) run(id string) *store.Run {
	d.t.Helper()
	found, err := d.Get(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return found
}

// history gives the types of a run's events.
func (d *desk) history(id string) string {
	d.t.Helper()
	var types []string
	for _, e := range d.events(store.EventFilter{RunID: id}) {
		types = append(types, e.Type)
	}
	return strings.Join(types, " ")
}

func (d *desk) events(filter store.EventFilter) []store.Event {
	d.t.Helper()
	filter.Limit = 1000
	events, _, err := d.Events(filter)
	if err != nil {
		d.t.Fatal(err)
	}
	return events
}

// data gives the data of the events of a type, a line each.
func (d *desk) data(eventType string) string {
	d.t.Helper()
	var lines []string
	for _, e := range d.events(store.EventFilter{Type: eventType}) {
		lines = append(lines, value.JSON(e.Data))
	}
	return strings.Join(lines, "\n")
}

// sound wants a check of the store to find nothing.
func (d *desk) sound() {
	d.t.Helper()
	report, err := d.Check()
	if err != nil || len(report.Faults) > 0 {
		d.t.Errorf("the store: %+v, %v", report, err)
	}
}

// The documents of the tests. approval is that of the format's page, but for the
// wait of its reading.
const (
	head = `---
to: '{{ input.owner }}'
expires: P2D
deliver:
  server: chat
  tool: post_message
  with: { channel: C1, text: '{{ message }}', at: '{{ now }}', run: '{{ run_id }}' }
`
	sentAs  = "  sent: { conversation: /channel, id: /ts }\n"
	reading = `replies:
  conversation: '{{ sent.conversation }}/{{ sent.id }}'
  tool: thread_replies
  with: { channel: '{{ sent.conversation }}', ts: '{{ sent.id }}', oldest: '{{ since | default: "0" }}' }
  read:
    list: /messages
    order: oldest_first
    each: { id: /ts, sender: /user, text: /text, to: /thread_ts }
`
	telling = `  tell:
    with: { channel: '{{ sent.conversation }}', thread_ts: '{{ sent.id }}', text: '{{ message }}' }
`
	answering = `reply: { verdict: word, note: rest }
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string, maxLength: 20 }
`
	inputSchema = `input: { schema: { type: object, properties: { owner: { type: string }, review: { type: string } } } }
`
	body = "---\nThe review of your campaign brief is ready:\n\n{{ input.review }}\n"

	approval     = head + sentAs + reading + telling + answering + inputSchema + body
	unread       = head + answering + inputSchema + body
	notification = head + inputSchema + body
)

// inChannel is an approval whose replies are read in the whole channel, where no
// message says what it answers.
var inChannel = strings.NewReplacer(
	"/{{ sent.id }}'\n  tool", "'\n  tool",
	", ts: '{{ sent.id }}'", "",
	", to: /thread_ts", "",
).Replace(approval)
