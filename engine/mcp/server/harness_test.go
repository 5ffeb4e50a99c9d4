package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// This file is what the tests stand on: operations that do as they are told, and a
// client that writes lines and reads lines.

// trials are operations for every way that a call can go.
type trials struct {
	started chan string   // takes the note of each call of wait that began
	release chan struct{} // lets calls of wait end
	ended   chan error    // takes what ended each call of wait
}

func newTrials() *trials {
	return &trials{started: make(chan string, 1000), release: make(chan struct{}), ended: make(chan error, 1000)}
}

const (
	noteInput  = `{"type": "object", "properties": {"note": {"type": "string", "maxLength": 100}, "times": {"type": "integer", "minimum": 1, "maximum": 9}}, "required": ["note"], "additionalProperties": false}`
	noteOutput = `{"type": "object", "properties": {"note": {"type": "string"}, "times": {"type": "number"}}, "required": ["note"]}`
	noInput    = `{"type": "object", "additionalProperties": false}`
)

func (t *trials) operations() []mcp.Operation {
	echo := func(_ context.Context, call *mcp.Call) (*value.Object, error) { return call.Arguments, nil }
	return []mcp.Operation{
		{Name: "echo_note", Title: "Echo a note", Description: "Gives the note back.", Input: noteInput, Output: noteOutput, Reads: true, Do: echo},
		{Name: "reject", Title: "Reject", Description: "Rejects every call.", Input: noInput, Output: noteOutput,
			Do: func(context.Context, *mcp.Call) (*value.Object, error) {
				return nil, problem.NewRejection(problem.Conflict, "The document has changed", problem.Issue{Pointer: "/source", Detail: "Line 3: Unknown key colour"})
			}},
		{Name: "fail", Title: "Fail", Description: "Fails.", Input: noInput, Output: noteOutput, Destructive: true, OpenWorld: true,
			Do: func(context.Context, *mcp.Call) (*value.Object, error) {
				return nil, errors.New("the store is held by auto inbox")
			}},
		{Name: "panic", Title: "Panic", Description: "Panics.", Input: noInput, Output: noteOutput,
			Do: func(context.Context, *mcp.Call) (*value.Object, error) { panic("a wrong turn") }},
		{Name: "wait", Title: "Wait", Description: "Waits until it is let go.", Input: noteInput, Output: noteOutput, Do: t.wait},
		{Name: "ask", Title: "Ask", Description: "Asks the person.", Input: noInput, Output: noteOutput, Do: t.ask},
		{Name: "ask_twice", Title: "Ask twice", Description: "Asks two things.", Input: noInput, Output: noteOutput, Do: t.askTwice},
	}
}

func (t *trials) wait(ctx context.Context, call *mcp.Call) (*value.Object, error) {
	note, _ := call.Arguments.Get("note")
	t.started <- note.(string)
	select {
	case <-t.release:
		t.ended <- nil
		return call.Arguments, nil
	case <-ctx.Done():
		t.ended <- context.Cause(ctx)
		return nil, context.Cause(ctx)
	}
}

var channels = mcp.Question{Text: "Where does the request go?", Field: "delivery", Choices: []mcp.Choice{
	{Value: "agent", Label: "To this agent"}, {Value: "chat", Label: "To the chat #launch"},
}}

func (t *trials) ask(ctx context.Context, call *mcp.Call) (*value.Object, error) {
	if call.Ask == nil {
		return rpc.Object("note", "nobody to ask"), nil
	}
	reply, err := call.Ask(ctx, channels)
	if err != nil {
		return nil, err
	}
	if !reply.Answered {
		return nil, problem.NewRejection(problem.InvalidInput, "Nobody said where the request goes")
	}
	return rpc.Object("note", reply.Value), nil
}

func (t *trials) askTwice(ctx context.Context, call *mcp.Call) (*value.Object, error) {
	first, err := call.Ask(ctx, channels)
	if err != nil {
		return nil, err
	}
	second, err := call.Ask(ctx, mcp.Question{Text: "What is it called?", Field: "name"})
	if err != nil {
		return nil, err
	}
	return rpc.Object("note", first.Value+" "+second.Value), nil
}

// quick are bounds for tests: nothing is waited for long.
func quick() Bounds {
	bounds := UsualBounds
	bounds.Finish, bounds.End = 5*time.Second, 5*time.Second
	return bounds
}

// newServer gives a server of the trials.
func newServer(trials *trials, change func(*Options)) *Server {
	options := Options{Operations: trials.operations(), Version: "1.2.3", Bounds: quick()}
	if change != nil {
		change(&options)
	}
	return New(options)
}

// pipe is a client of a server over streams in memory.
type pipe struct {
	t      *testing.T
	to     *io.PipeWriter
	from   *bufio.Reader
	cancel context.CancelFunc
	ended  chan error
}

func open(t *testing.T, server *Server) *pipe {
	t.Helper()
	theirs, to := io.Pipe()
	from, ours := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &pipe{t: t, to: to, from: bufio.NewReader(from), cancel: cancel, ended: make(chan error, 1)}
	go func() {
		p.ended <- server.Serve(ctx, theirs, ours)
		_ = ours.Close()
		_ = theirs.Close()
	}()
	t.Cleanup(func() {
		cancel()
		_ = to.Close()
		_ = from.Close()
	})
	return p
}

func (p *pipe) send(line string) {
	p.t.Helper()
	if _, err := p.to.Write([]byte(line + "\n")); err != nil {
		p.t.Fatal(err)
	}
}

// read gives the next message of the server.
func (p *pipe) read() string {
	p.t.Helper()
	line, err := p.from.ReadString('\n')
	if err != nil {
		p.t.Fatalf("the server wrote nothing more: %v", err)
	}
	return line[:len(line)-1]
}

func (p *pipe) object() *value.Object {
	p.t.Helper()
	return objectOf(p.t, p.read())
}

func objectOf(t *testing.T, text string) *value.Object {
	t.Helper()
	v, err := value.ParseJSON([]byte(text), rpc.Deepest)
	o, ok := v.(*value.Object)
	if err != nil || !ok {
		t.Fatalf("not an object: %s", text)
	}
	return o
}

// at gives what a pointer names, as JSON; empty when there is none.
func at(o *value.Object, pointer string) string {
	v, ok := value.Lookup(o, pointer)
	if !ok {
		return ""
	}
	return value.JSON(v)
}

// greet does the handshake.
func (p *pipe) greet(version, capabilities string) *value.Object {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":` + capabilities + `,"clientInfo":{"name":"test","version":"0"}}}`)
	answer := p.object()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return answer
}

// end closes the input and gives what Serve came to, with what was written until
// then.
func (p *pipe) end() (rest string, err error) {
	p.t.Helper()
	_ = p.to.Close()
	text, _ := io.ReadAll(p.from)
	return string(text), patience.Receive(p.t, p.ended)
}
