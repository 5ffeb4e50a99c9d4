package acceptance_test

// This file is a chat over HTTP: that of auto example-server chat, with calls that
// fail, hang or wait as a test says.

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/tool/example"
	"github.com/beonauto/auto/engine/value"
)

// The chat's tools that the function calls.
const (
	post = "post_message"
	read = "thread_replies"
)

// connecting stands for the first request of a connection, in place of a tool.
const connecting = "connecting"

// called is a call of a tool that reached the chat.
type called struct {
	tool      string
	arguments *value.Object
}

func (c called) text(name string) string {
	v, _ := c.arguments.Get(name)
	text, _ := v.(string)
	return text
}

// When a held call stops: before the chat does anything, or when it has done it
// and has not answered yet.
const (
	beforeIt = "before"
	afterIt  = "after"
)

// hold is a call that stops in the chat until it is let go, or its caller is gone.
type hold struct {
	tool, when string
	reached    chan struct{} // closed when the call stops
	let        chan struct{} // closed to let it go
	answered   chan struct{} // closed when the answer was sent
}

// chat is the chat server of a test.
type chat struct {
	t       testing.TB
	address string // stays, while the chat goes down and comes up

	lock   sync.Mutex
	of     *example.Chat
	faults map[string]string // by what they are of
	calls  []called
	holds  []*hold
	server *http.Server
	falls  string // the tool after whose next answer the chat goes down
}

// The faults of the chat's own, beside those of a double.
const (
	toolError = "tool error"  // the tool answers with an error
	noList    = "no list"     // it answers without a list of messages
	long      = "long answer" // it answers with 100 KiB, which is too much for a read
	endless   = "huge answer" // it answers with 5 MiB, which is too much for any call
)

func newChat(t testing.TB) *chat {
	c := &chat{
		t: t, of: example.OpenChat(filepath.Join(t.TempDir(), "chat.jsonl")), faults: map[string]string{},
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.address = listener.Addr().String()
	c.serve(listener)
	t.Cleanup(c.down)
	return c
}

// settings are the auto.yaml of a playbook that uses the chat.
func (c *chat) settings() string {
	return "tool_servers:\n  - name: chat\n    url: http://" + c.address + "/mcp\n"
}

func (c *chat) serve(on net.Listener) {
	c.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		v, _ := value.ParseJSON(body, 100)
		message, _ := v.(*value.Object)
		fault := c.misbehaves(message)
		switch {
		case own(fault):
			id, _ := message.Get("id")
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, value.JSON(id), faulty(fault))
			return
		case fault != "" || r.Method != http.MethodPost:
			r.Body = io.NopCloser(bytes.NewReader(body))
			misbehaving := &double.Server{Faults: map[string]string{lookup(message, "/method"): fault}}
			misbehaving.Handler().ServeHTTP(w, r)
			return
		}
		if !message.Has("id") {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		c.answer(w, r, body, message)
	})}
	go func(server *http.Server) { _ = server.Serve(on) }(c.server)
}

// down cuts every connection and refuses new ones.
func (c *chat) down() { _ = c.server.Close() }

// up takes connections again.
func (c *chat) up() {
	c.t.Helper()
	listener, err := net.Listen("tcp", c.address)
	if err != nil {
		c.t.Fatal(err)
	}
	c.serve(listener)
}

func lookup(v *value.Object, pointer string) string {
	found, _ := value.Lookup(v, pointer)
	text, _ := found.(string)
	return text
}

// misbehaves gives the fault of a request, empty for none, and keeps the call that
// has one.
func (c *chat) misbehaves(message *value.Object) string {
	key := lookup(message, "/method") + " " + lookup(message, "/params/name")
	c.lock.Lock()
	defer c.lock.Unlock()
	fault, is := c.faults[key]
	if !is {
		return ""
	}
	c.keep(message)
	once, isOnce := strings.CutPrefix(fault, "once ")
	if isOnce {
		delete(c.faults, key)
	}
	return once
}

// keep keeps the call that a message is, under the lock.
func (c *chat) keep(message *value.Object) {
	if lookup(message, "/method") != "tools/call" {
		return
	}
	given, _ := value.Lookup(message, "/params/arguments")
	arguments, _ := given.(*value.Object)
	c.calls = append(c.calls, called{lookup(message, "/params/name"), arguments})
}

func own(fault string) bool {
	return slices.Contains([]string{toolError, noList, long, endless}, fault)
}

// faulty gives the result of a call that has a fault of the chat's own.
func faulty(fault string) string {
	size := map[string]int{long: 100 << 10, endless: 5 << 20}[fault]
	return fmt.Sprintf(`{"content":[{"type":"text","text":"The channel is archived%s"}],"isError":%t}`, strings.Repeat("x", size), fault == toolError)
}

// goDownAfter has the chat go down once it has answered a call of a tool.
func (c *chat) goDownAfter(name string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.falls = name
}

func (c *chat) answer(w http.ResponseWriter, r *http.Request, body []byte, message *value.Object) {
	c.lock.Lock()
	c.keep(message)
	name := lookup(message, "/params/name")
	if lookup(message, "/method") == "initialize" {
		name = connecting
	}
	stops, falls := c.stop(name), name != "" && c.falls == name
	if falls {
		c.falls = ""
	}
	c.lock.Unlock()
	if stops != nil && stops.when == beforeIt {
		close(stops.reached)
		select {
		case <-stops.let:
		case <-r.Context().Done():
			return // its caller died, and the chat does nothing
		}
	}
	answer := c.do(body)
	if stops != nil && stops.when == afterIt {
		close(stops.reached)
		select {
		case <-stops.let:
		case <-r.Context().Done():
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	_, _ = w.Write(answer)
	w.(http.Flusher).Flush()
	if stops != nil {
		close(stops.answered)
	}
	if falls {
		c.down()
	}
}

// do has the chat answer one message.
func (c *chat) do(message []byte) []byte {
	var answer bytes.Buffer
	if err := c.of.Serve(bytes.NewReader(append(bytes.ReplaceAll(message, []byte("\n"), nil), '\n')), &answer, "test"); err != nil {
		c.t.Error(err)
	}
	return answer.Bytes()
}

// stop gives the hold of a call, under the lock.
func (c *chat) stop(name string) *hold {
	for i, h := range c.holds {
		if h.tool != name {
			continue
		}
		c.holds = slices.Delete(c.holds, i, i+1)
		return h
	}
	return nil
}

// hold stops the next call of a tool.
func (c *chat) hold(name, when string) *hold {
	h := &hold{tool: name, when: when, reached: make(chan struct{}), let: make(chan struct{}), answered: make(chan struct{})}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.holds = append(c.holds, h)
	return h
}

// fault has every call of a tool, or the next one, misbehave.
func (c *chat) fault(name, fault string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.faults["tools/call "+name] = fault
}

func (c *chat) behave(name string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	delete(c.faults, "tools/call "+name)
}

// called gives the calls of a tool so far, in order.
func (c *chat) called(name string) []called {
	c.lock.Lock()
	defer c.lock.Unlock()
	var of []called
	for _, one := range c.calls {
		if one.tool == name {
			of = append(of, one)
		}
	}
	return of
}

// reply has a person answer in the thread of a message, and gives the reply's ts.
func (c *chat) reply(channel, thread, user, text string) string {
	c.t.Helper()
	return c.use("reply_as", "channel", channel, "thread_ts", thread, "user", user, "text", text)
}

// use calls a tool of the chat past its faults, and gives the message's ts.
func (c *chat) use(name string, pairs ...string) string {
	c.t.Helper()
	arguments := &value.Object{}
	for i := 0; i < len(pairs); i += 2 {
		arguments.Set(pairs[i], pairs[i+1])
	}
	answer, err := value.ParseJSON(c.do(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, value.JSON(arguments))), 20)
	if err != nil {
		c.t.Fatal(err)
	}
	ts := lookup(answer.(*value.Object), "/result/structuredContent/ts")
	if ts == "" {
		c.t.Fatalf("%s %s: %s", name, value.JSON(arguments), value.JSON(answer))
	}
	return ts
}

// messages gives the thread of a message, each as who: what.
func (c *chat) messages(channel, thread string) []string {
	c.t.Helper()
	answer, err := value.ParseJSON(c.do(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"thread_replies","arguments":{"channel":%q,"ts":%q,"limit":100}}}`, channel, thread)), 20)
	if err != nil {
		c.t.Fatal(err)
	}
	listed, _ := value.Lookup(answer, "/result/structuredContent/messages")
	list, _ := listed.([]value.Value)
	var all []string
	for _, v := range list {
		m := v.(*value.Object)
		text := lookup(m, "/text")
		line, _, _ := strings.Cut(text, "\n")
		all = append(all, lookup(m, "/user")+": "+line)
	}
	return all
}
