package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// This file is about many calls at once, their cancellation, the end of a client,
// and clients that mean no good.

func callOf(id int, tool, note string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":{"note":"%s"}}}`, id, tool, note)
}

func TestCallsGoOnSideBySide(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	p := open(t, newServer(trials, func(o *Options) { o.Bounds.Running, o.Bounds.Waiting = 2, 2 }))
	for i := 1; i <= 5; i++ {
		p.send(callOf(i, "wait", "n"))
	}
	// The fifth finds two that run and two that wait.
	if got := p.read(); got != `{"jsonrpc":"2.0","id":5,"error":{"code":-32000,"message":"Too many calls at once; wait for some to be answered"}}` {
		t.Error(got)
	}
	patience.Receive(t, trials.started)
	patience.Receive(t, trials.started)
	select {
	case note := <-trials.started:
		t.Errorf("a third call began: %s", note)
	default:
	}
	p.send(`{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
	if got := p.read(); !strings.Contains(got, `"ping"`) {
		t.Errorf("a ping does not wait for calls: %s", got)
	}
	close(trials.release)
	answered := map[string]bool{}
	for range 4 {
		answered[at(p.object(), "/id")] = true
	}
	if len(answered) != 4 {
		t.Errorf("answered were %v", answered)
	}
	if rest, err := p.end(); rest != "" || err != nil {
		t.Errorf("it ended with %v and %s", err, rest)
	}
}

func TestCancelledCallHasNoAnswer(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	p := open(t, newServer(trials, func(o *Options) { o.Bounds.Running = 1 }))
	p.send(callOf(1, "wait", "running"))
	patience.Receive(t, trials.started)
	p.send(callOf(2, "wait", "waiting"))
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"no need"}}`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}`) // another id
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if err := patience.Receive(t, trials.ended); !errors.Is(err, errCancelled) {
		t.Errorf("the call ended with %v", err)
	}
	p.send(callOf(1, "echo_note", "again")) // the id is free once the call has left
	for {
		got := p.read()
		if strings.Contains(got, "is being answered") {
			p.send(callOf(1, "echo_note", "again"))
			continue
		}
		if !strings.Contains(got, `"structuredContent":{"note":"again"}`) {
			t.Error(got)
		}
		break
	}
	if rest, err := p.end(); rest != "" || err != nil || len(trials.started) > 0 {
		t.Errorf("it ended with %v, %d calls and %s", err, len(trials.started), rest)
	}
}

func TestSameIDTwice(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	p := open(t, newServer(trials, nil))
	p.send(callOf(7, "wait", "first"))
	patience.Receive(t, trials.started)
	p.send(callOf(7, "echo_note", "second"))
	if got := p.read(); got != `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"A request with this id is being answered"}}` {
		t.Error(got)
	}
	close(trials.release)
	if got := p.read(); !strings.Contains(got, `"note":"first"`) {
		t.Error(got)
	}
	p.send(callOf(7, "echo_note", "third"))
	if got := p.read(); !strings.Contains(got, `"note":"third"`) {
		t.Error(got)
	}
}

func TestInputThatEndsLetsCallsFinish(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	p := open(t, newServer(trials, func(o *Options) { o.Bounds.Finish = time.Hour }))
	p.send(callOf(1, "wait", "last"))
	patience.Receive(t, trials.started)
	_ = p.to.Close()
	close(trials.release)
	rest, err := p.end()
	if err != nil || !strings.Contains(rest, `"note":"last"`) {
		t.Errorf("it ended with %v and %s", err, rest)
	}
}

func TestInputThatEndsCancelsWhatTakesLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		trials := newTrials()
		in, to := io.Pipe()
		ended := make(chan error, 1)
		began := time.Now()
		go func() {
			ended <- newServer(trials, func(o *Options) { o.Bounds = UsualBounds }).Serve(context.Background(), in, io.Discard)
		}()
		_, _ = to.Write([]byte(callOf(1, "wait", "long") + "\n"))
		patience.Receive(t, trials.started)
		_ = to.Close()
		if err := patience.Receive(t, trials.ended); !errors.Is(err, errGone) {
			t.Errorf("the call ended with %v", err)
		}
		if err := patience.Receive(t, ended); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != UsualBounds.Finish {
			t.Errorf("it took %v", took)
		}
	})
}

// TestContextThatEndsEndsTheServer holds while the client keeps its end open.
func TestContextThatEndsEndsTheServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		trials := newTrials()
		p := open(t, newServer(trials, nil))
		p.send(callOf(1, "wait", "n"))
		patience.Receive(t, trials.started)
		began := time.Now()
		p.cancel()
		if err := patience.Receive(t, trials.ended); err == nil {
			t.Error("the call was not cancelled")
		}
		if err := patience.Receive(t, p.ended); err != nil {
			t.Error(err)
		}
		// The client takes no answer, which is not waited for any longer.
		if took := time.Since(began); took != quick().End {
			t.Errorf("it ended after %v", took)
		}
	})
}

func TestClientThatReadsNothingMore(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	in, to := io.Pipe()
	from, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- newServer(trials, nil).Serve(context.Background(), in, out) }()
	_, _ = to.Write([]byte(callOf(1, "wait", "n") + "\n"))
	patience.Receive(t, trials.started)
	_ = from.Close()
	_, _ = to.Write([]byte(`{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n"))
	if err := patience.Receive(t, trials.ended); err == nil {
		t.Error("the call was not cancelled")
	}
	if err := patience.Receive(t, ended); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func TestHugeLineIsLeftOut(t *testing.T) {
	t.Parallel()
	p := open(t, newServer(newTrials(), func(o *Options) { o.Bounds.Message = 1 << 20 }))
	go func() {
		for range 50 {
			_, _ = p.to.Write([]byte(strings.Repeat("x", 1<<20)))
		}
		_, _ = p.to.Write([]byte("\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"))
	}()
	if got := p.read(); got != `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The message is larger than 1 MiB"}}` {
		t.Error(got)
	}
	if got := p.read(); got != `{"jsonrpc":"2.0","id":1,"result":{}}` {
		t.Error(got)
	}
	// One without an end, which leaves with the client.
	go func() {
		_, _ = p.to.Write([]byte(strings.Repeat("x", 2<<20)))
		_ = p.to.Close()
	}()
	if got := p.read(); !strings.Contains(got, "larger than 1 MiB") {
		t.Error(got)
	}
	if err := patience.Receive(t, p.ended); err != nil {
		t.Error(err)
	}
}

func TestLastLineWithoutAnEnd(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	in := strings.NewReader("\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if err := newServer(newTrials(), nil).Serve(context.Background(), in, &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n"+`{"jsonrpc":"2.0","id":2,"result":{}}`+"\n" {
		t.Error(out.String())
	}
}

func TestTenThousandPings(t *testing.T) {
	t.Parallel()
	p := open(t, newServer(newTrials(), nil))
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := range 10_000 {
			_, _ = p.to.Write([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i) + "\n"))
		}
	})
	for i := range 10_000 {
		if got := p.read(); got != fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i) {
			t.Fatal(got)
		}
	}
	sending.Wait()
}

func TestManyCallsCancelledAtOnce(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	p := open(t, newServer(trials, func(o *Options) { o.Bounds.Running, o.Bounds.Waiting = 50, 1000 }))
	for i := range 500 {
		p.send(callOf(i, "wait", "n"))
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
	}
	p.send(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
	if got := p.read(); got != `{"jsonrpc":"2.0","id":"after","result":{}}` {
		t.Error(got)
	}
	if rest, err := p.end(); rest != "" || err != nil {
		t.Errorf("it ended with %v and %s", err, rest)
	}
}

func TestProgressIsSaidToThoseWhoAsk(t *testing.T) {
	t.Parallel()
	for _, token := range []string{`"mine"`, `7`, ``, `{}`} {
		synctest.Test(t, func(t *testing.T) {
			trials := newTrials()
			in, to := io.Pipe()
			from, out := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				ended <- newServer(trials, func(o *Options) { o.Bounds = UsualBounds }).Serve(context.Background(), in, out)
				_ = out.Close()
			}()
			said := make(chan string, 1)
			go func() {
				all, _ := io.ReadAll(from)
				said <- string(all)
			}()
			meta := ""
			if token != "" {
				meta = `,"_meta":{"progressToken":` + token + `}`
			}
			_, _ = to.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"note":"n"}` + meta + "}}\n"))
			patience.Receive(t, trials.started)
			time.Sleep(25 * time.Second)
			trials.release <- struct{}{}
			synctest.Wait()
			_ = to.Close()
			if err := patience.Receive(t, ended); err != nil {
				t.Error(err)
			}
			want := ""
			if token == `"mine"` || token == `7` {
				for _, seconds := range []string{"10", "20"} {
					want += `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":` + seconds + `,"message":"wait has been going on for ` + seconds + ` seconds"}}` + "\n"
				}
			}
			want += `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"note\":\"n\"}"}],"structuredContent":{"note":"n"}}}` + "\n"
			if got := patience.Receive(t, said); got != want {
				t.Errorf("%s: %s", token, got)
			}
		})
	}
}

// FuzzMessages wants a line, whatever it holds, to be answered with JSON-RPC alone,
// one message a line, and to leave a server that still answers.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[{"jsonrpc":"2.0","id":1,"method":"ping"},1]`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{"elicitation":{}}}}`,
		`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_twice","inputResponses":{"a":1},"requestState":"a.b",` + meta + `}}`,
		callOf(1, "echo_note", "a"), callOf(2, "panic", "a"), "\xff\xfe", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":[]}}",
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}` + "\n" + `[` + callOf(1, "echo_note", "a") + `,{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":[]}}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		operations := newTrials().operations()
		server := New(Options{Operations: append(operations[:4:4], operations[5:]...), Bounds: UsualBounds}) // without wait
		server.bounds.Message = 1 << 16
		var out strings.Builder
		in := io.MultiReader(strings.NewReader(string(text)+"\n"), strings.NewReader(`{"jsonrpc":"2.0","id":"after","method":"ping"}`+"\n"))
		if err := server.Serve(context.Background(), in, &out); err != nil {
			t.Fatal(err)
		}
		pinged := false
		for line := range strings.Lines(out.String()) {
			v, err := value.ParseJSON([]byte(line), rpc.Deepest+2)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			list, ok := v.([]value.Value)
			if !ok {
				list = []value.Value{v}
			}
			for _, v := range list {
				o, _ := v.(*value.Object)
				version, _ := o.Get("jsonrpc")
				if version != "2.0" || !o.Has("id") || o.Has("result") == o.Has("error") {
					t.Fatalf("%q answers %q", line, text)
				}
				id, _ := o.Get("id")
				pinged = pinged || id == "after"
			}
		}
		if !pinged {
			t.Fatalf("%q: the server answers no more: %s", text, out.String())
		}
	})
}
