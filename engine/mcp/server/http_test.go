package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/value"
)

// This file is about streamable HTTP: who is answered, how, and what is kept.

const token = "a-token-for-tests-alone"

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestWhoIsAnswered(t *testing.T) {
	t.Parallel()
	s := host(t, newServer(newTrials(), func(o *Options) { o.Bounds.Message = 1 << 10 }))
	stateless := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + meta + `}}`
	}
	for _, test := range []struct {
		name, method, body string
		header             []string
		status             int
		says               string
	}{
		{"one who may", "POST", ping, nil, 200, `"result":{}`},
		{"by a name", "POST", ping, []string{"Host", "localhost:9"}, 200, `"result":{}`},
		{"by another address", "POST", ping, []string{"Host", "[::1]"}, 200, `"result":{}`},
		{"from a page of this machine", "POST", ping, []string{"Origin", "http://localhost:6274"}, 200, `"result":{}`},
		{"no token", "POST", ping, []string{"Authorization", "-"}, 401, "Authorization: Expected Bearer"},
		{"another token", "POST", ping, []string{"Authorization", "Bearer a-token-for-tests-alonf"}, 401, "Authorization: Expected Bearer"},
		{"a longer token", "POST", ping, []string{"Authorization", "Bearer " + token + "x"}, 401, "Authorization: Expected Bearer"},
		{"an empty token", "POST", ping, []string{"Authorization", "Bearer "}, 401, "Authorization: Expected Bearer"},
		{"another scheme", "POST", ping, []string{"Authorization", "Basic " + token}, 401, "Authorization: Expected Bearer"},
		{"scheme in small letters", "POST", ping, []string{"Authorization", "bearer " + token}, 200, `"result":{}`},
		{"a name led here", "POST", ping, []string{"Host", "evil.example:4242"}, 403, "Host: Expected this machine"},
		{"a name like ours", "POST", ping, []string{"Host", "localhost.evil.example"}, 403, "Host: Expected this machine"},
		{"a page elsewhere", "POST", ping, []string{"Origin", "https://evil.example"}, 403, "Origin: Expected this machine"},
		{"a page of nowhere", "POST", ping, []string{"Origin", "null"}, 403, "Origin: Expected this machine"},
		{"a page like ours", "POST", ping, []string{"Origin", "http://127.0.0.1.evil.example"}, 403, "Origin: Expected this machine"},

		{"another kind of body", "POST", ping, []string{"Content-Type", "text/plain"}, 415, "Content-Type: Expected application/json"},
		{"no kind of body", "POST", ping, []string{"Content-Type", "-"}, 415, "Content-Type: Expected application/json"},
		{"kind with a character set", "POST", ping, []string{"Content-Type", "application/json; charset=utf-8"}, 200, `"result":{}`},
		{"another kind of answer", "POST", ping, []string{"Accept", "text/html"}, 406, "Accept: Expected application/json"},
		{"any kind of answer", "POST", ping, []string{"Accept", "*/*"}, 200, `"result":{}`},
		{"no kind of answer named", "POST", ping, []string{"Accept", "-"}, 200, `"result":{}`},
		{"a stream for an answer", "POST", ping, []string{"Accept", "text/event-stream"}, 200, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"},
		{"too large", "POST", ping + strings.Repeat(" ", 1<<10), nil, 413, "The message is larger than 1 KiB"},
		{"not JSON", "POST", "hello", nil, 400, `"code":-32700`},
		{"a notification", "POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, ""},
		{"an answer", "POST", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 202, ""},
		{"an older revision", "POST", ping, []string{"Mcp-Protocol-Version", "2025-06-18"}, 200, `"result":{}`},
		{"an unknown revision", "POST", ping, []string{"Mcp-Protocol-Version", "2019-01-01"}, 400, `"code":-32022`},
		{"a session that is not", "POST", ping, []string{"Mcp-Session-Id", "nope"}, 404, "The session has ended"},
		{"a batch outside a session", "POST", "[" + ping + "]", nil, 200, `"code":-32600`},

		{"stream without a session", "GET", "", nil, 400, "Mcp-Session-Id: Expected"},
		{"stream of a session that is not", "GET", "", []string{"Mcp-Session-Id", "nope"}, 404, "The session has ended"},
		{"stream that is none", "GET", "", []string{"Accept", "application/json"}, 406, "Accept: Expected text/event-stream"},
		{"end of a session that is not", "DELETE", "", []string{"Mcp-Session-Id", "nope"}, 404, "The session has ended"},
		{"another method", "PUT", ping, nil, 405, "GET, POST, DELETE"},
		{"a browser's question", "OPTIONS", "", nil, 405, "GET, POST, DELETE"},

		{"discovery", "POST", stateless("server/discover", ""), []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover"}, 200, `"supportedVersions":["2026-07-28"`},
		{"discovery without headers", "POST", stateless("server/discover", ""), nil, 400, `"code":-32020,"message":"Mcp-Protocol-Version: Expected`},
		{"discovery under another method", "POST", stateless("server/discover", ""), []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "ping"}, 400, `"code":-32020,"message":"Mcp-Method: Expected`},
		{"header without its message", "POST", ping, []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "ping"}, 400, `"code":-32020`},
		{"call", "POST", stateless("tools/call", `"name":"echo_note","arguments":{"note":"a"},`),
			[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "echo_note"}, 200, `"structuredContent":{"note":"a"}`},
		{"call by a name in Base64", "POST", stateless("tools/call", `"name":"echo_note","arguments":{"note":"a"},`),
			[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "=?base64?ZWNob19ub3Rl?="}, 200, `"structuredContent":{"note":"a"}`},
		{"call under another name", "POST", stateless("tools/call", `"name":"echo_note","arguments":{"note":"a"},`),
			[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "reject"}, 400, `"code":-32020,"message":"Mcp-Name: Expected`},
		{"unknown method of the newest revision", "POST", stateless("ping", ""), []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "ping"}, 404, `"code":-32601`},
		{"unknown tool of the newest revision", "POST", stateless("tools/call", `"name":"nope",`), []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "nope"}, 400, `"code":-32602`},
		{"stream of the newest revision", "GET", "", []string{"Mcp-Protocol-Version", "2026-07-28"}, 405, "POST"},
	} {
		response, body := s.do(s.request(test.method, test.body, test.header...))
		if response.StatusCode != test.status || !strings.Contains(body, test.says) || test.says == "" && body != "" {
			t.Errorf("%s: %s %s", test.name, response.Status, body)
		}
		if strings.Contains(body, token) {
			t.Errorf("%s: the answer holds the token", test.name)
		}
		if test.status == 401 && response.Header.Get("WWW-Authenticate") == "" || test.status == 405 && response.Header.Get("Allow") == "" {
			t.Errorf("%s: %v", test.name, response.Header)
		}
	}
	s.url = strings.TrimSuffix(s.url, Path) + "/"
	if response, body := s.do(s.request("POST", ping)); response.StatusCode != 404 || !strings.Contains(body, "The server is at /mcp") {
		t.Errorf("%s %s", response.Status, body)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	clock := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	var lock sync.Mutex
	pass := func(d time.Duration) {
		lock.Lock()
		defer lock.Unlock()
		clock = clock.Add(d)
	}
	trials := newTrials()
	s := host(t, newServer(trials, func(o *Options) {
		o.Bounds.Sessions = 3
		o.Now = func() time.Time {
			lock.Lock()
			defer lock.Unlock()
			return clock
		}
	}))
	status := func(id string) int {
		response, _ := s.do(s.request("POST", ping, rpc.HeaderSession, id))
		return response.StatusCode
	}
	first := s.greet("2025-06-18", `{}`)
	pass(50 * time.Minute)
	if status(first) != 200 {
		t.Error("a session that is used ended")
	}
	pass(50 * time.Minute)
	if status(first) != 200 {
		t.Error("a session that is used ended")
	}
	pass(61 * time.Minute)
	if status(first) != 404 {
		t.Error("a session that nobody used goes on")
	}
	// There are three at most, and the one that nobody used for the longest goes.
	ids := []string{}
	for range 3 {
		ids = append(ids, s.greet("2025-06-18", `{}`))
		pass(time.Minute)
	}
	if status(ids[0]) != 200 {
		t.Error("a session ended too early")
	}
	fourth := s.greet("2025-06-18", `{}`)
	if status(ids[1]) != 404 || status(ids[0]) != 200 || status(ids[2]) != 200 || status(fourth) != 200 {
		t.Error("another session ended than the one that nobody used for the longest")
	}
	if response, _ := s.do(s.request("DELETE", "", rpc.HeaderSession, fourth)); response.StatusCode != 204 || status(fourth) != 404 {
		t.Errorf("%s", response.Status)
	}
	// A session ends with its calls.
	ended := make(chan string, 1)
	go func() {
		_, body := s.do(s.request("POST", callOf(1, "wait", "n"), rpc.HeaderSession, ids[0]))
		ended <- body
	}()
	patience.Receive(t, trials.started)
	if response, _ := s.do(s.request("DELETE", "", rpc.HeaderSession, ids[0])); response.StatusCode != 204 {
		t.Error(response.Status)
	}
	if err := patience.Receive(t, trials.ended); !errors.Is(err, errGone) {
		t.Errorf("the call ended with %v", err)
	}
	if body := patience.Receive(t, ended); !strings.Contains(body, "The call was cancelled") {
		t.Error(body)
	}
	// Sessions that are in use are not ended for another.
	for _, id := range []string{ids[2], s.greet("2025-06-18", `{}`), s.greet("2025-06-18", `{}`)} {
		go func() { s.do(s.request("POST", callOf(1, "wait", "n"), rpc.HeaderSession, id)) }()
		patience.Receive(t, trials.started)
	}
	response, body := s.do(s.request("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`))
	if response.StatusCode != 503 || !strings.Contains(body, "Too many sessions at once") {
		t.Errorf("%s %s", response.Status, body)
	}
	close(trials.release)
}

func TestAsksOverHTTP(t *testing.T) {
	t.Parallel()
	s := host(t, newServer(newTrials(), nil))
	id := s.greet("2025-11-25", `{"elicitation":{}}`)
	answered := func(question *value.Object) string {
		return `{"jsonrpc":"2.0","id":` + at(question, "/id") + `,"result":{"action":"accept","content":{"delivery":"chat"}}}`
	}
	stream := s.stream(s.request("POST", askCall, rpc.HeaderSession, id))
	question := stream.next()
	if response, body := s.do(s.request("POST", answered(question), rpc.HeaderSession, id)); response.StatusCode != 202 || body != "" {
		t.Errorf("%s %s", response.Status, body)
	}
	if answer := stream.next(); at(answer, "/result/structuredContent") != `{"note":"chat"}` {
		t.Error(value.JSON(answer))
	}
	// Without a session there is nobody to hear the answer.
	if _, body := s.do(s.request("POST", askCall)); !strings.Contains(body, "nobody to ask") {
		t.Error(body)
	}
	// A client that takes no streams for answers is asked on the one it holds open.
	if _, body := s.do(s.request("POST", askCall, rpc.HeaderSession, id, "Accept", "application/json")); !strings.Contains(body, "nobody to ask") {
		t.Error(body)
	}
	standing := s.stream(s.request("GET", "", rpc.HeaderSession, id))
	if response, body := s.do(s.request("GET", "", rpc.HeaderSession, id)); response.StatusCode != 409 {
		t.Errorf("%s %s", response.Status, body)
	}
	done := make(chan string, 1)
	go func() {
		_, body := s.do(s.request("POST", askCall, rpc.HeaderSession, id, "Accept", "application/json"))
		done <- body
	}()
	question = standing.next()
	s.do(s.request("POST", answered(question), rpc.HeaderSession, id))
	if body := patience.Receive(t, done); !strings.Contains(body, `"structuredContent":{"note":"chat"}`) {
		t.Error(body)
	}
}

func TestCancelledOverHTTP(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	s := host(t, newServer(trials, nil))
	id := s.greet("2025-11-25", `{}`)
	done := make(chan string, 1)
	go func() {
		_, body := s.do(s.request("POST", callOf(1, "wait", "n"), rpc.HeaderSession, id))
		done <- body
	}()
	patience.Receive(t, trials.started)
	if response, _ := s.do(s.request("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, rpc.HeaderSession, id)); response.StatusCode != 202 {
		t.Error(response.Status)
	}
	if err := patience.Receive(t, trials.ended); !errors.Is(err, errCancelled) {
		t.Errorf("the call ended with %v", err)
	}
	if body := patience.Receive(t, done); !strings.Contains(body, "The call was cancelled") {
		t.Error(body)
	}
}

// TestClientThatLeaves: in a session a call goes on without its listener; a call
// that stands alone ends with it.
func TestClientThatLeaves(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	s := host(t, newServer(trials, nil))
	id := s.greet("2025-11-25", `{}`)
	leave := func(header ...string) {
		ctx, cancel := context.WithCancel(context.Background())
		r := s.request("POST", callOf(1, "wait", "n"), header...).WithContext(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if response, err := http.DefaultClient.Do(r); err == nil {
				_ = response.Body.Close()
			}
		}()
		patience.Receive(t, trials.started)
		cancel()
		patience.Receive(t, done)
	}
	leave(rpc.HeaderSession, id)
	trials.release <- struct{}{}
	if err := patience.Receive(t, trials.ended); err != nil {
		t.Errorf("the call of a session ended with %v", err)
	}
	leave()
	if err := patience.Receive(t, trials.ended); err == nil {
		t.Error("the call that stands alone goes on")
	}
}

func TestStreamShowsThatTheServerLives(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	s := host(t, newServer(trials, func(o *Options) { o.Bounds.Beat = 5 * time.Millisecond }))
	stream := s.stream(s.request("POST", callOf(1, "wait", "n")))
	if line, _ := stream.lines.ReadString('\n'); line != ": waiting\n" {
		t.Error(line)
	}
	trials.release <- struct{}{}
	if answer := stream.next(); at(answer, "/result/structuredContent") != `{"note":"n"}` {
		t.Error(value.JSON(answer))
	}
}

func TestSlowClientIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := host(t, newServer(newTrials(), func(o *Options) { o.Bounds.Body = 20 * time.Millisecond }))
	address := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), Path)
	for given, want := range map[string]string{token: "HTTP/1.1 408", "another": "HTTP/1.1 401"} {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		_, _ = fmt.Fprintf(connection, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", address, given)
		if answer, _ := io.ReadAll(connection); !strings.HasPrefix(string(answer), want) {
			t.Errorf("%s", answer)
		}
	}
}

func TestNoMoreRequestsThanAreAnswered(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	s := host(t, newServer(trials, func(o *Options) { o.Bounds.Requests = 1 }))
	go func() { s.do(s.request("POST", callOf(1, "wait", "n"))) }()
	patience.Receive(t, trials.started)
	response, body := s.do(s.request("POST", ping))
	if response.StatusCode != 503 || response.Header.Get("Retry-After") == "" || !strings.Contains(body, "Too many requests at once") {
		t.Errorf("%s %s", response.Status, body)
	}
	close(trials.release)
}

// TestServerThatEndsRecordsItsCalls: when the server is told to end, its calls are
// cancelled and have ended before it has.
func TestServerThatEndsRecordsItsCalls(t *testing.T) {
	t.Parallel()
	trials := newTrials()
	server := newServer(trials, nil)
	listener, err := Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Web(token).Serve(ctx, listener) }()
	s := &site{t: t, url: "http://" + listener.Addr().String() + Path}
	id := s.greet("2025-11-25", `{}`)
	for _, header := range [][]string{nil, {rpc.HeaderSession, id}} {
		r := s.request("POST", callOf(1, "wait", "n"), header...)
		go func() {
			if response, err := http.DefaultClient.Do(r); err == nil {
				_ = response.Body.Close()
			}
		}()
		patience.Receive(t, trials.started)
	}
	s.stream(s.request("GET", "", rpc.HeaderSession, id))
	cancel()
	if err := patience.Receive(t, ended); err != nil {
		t.Error(err)
	}
	if len(trials.ended) != 2 {
		t.Errorf("%d calls have ended", len(trials.ended))
	}
}

func TestAddressesOfThisMachineAlone(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1:0", "localhost:0", "[::1]:0"} {
		listener, err := Listen(address)
		var wrong *AddressError
		if errors.As(err, &wrong) {
			t.Errorf("%s: %v", address, err)
		}
		if err == nil {
			_ = listener.Close()
		}
	}
	for _, address := range []string{"", ":4242", "4242", "0.0.0.0:4242", "[::]:4242", "192.168.1.7:4242", "example.com:4242", "127.0.0.1", "localhost.example:80"} {
		listener, err := Listen(address)
		var wrong *AddressError
		if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Message, "Expected an address of this machine with a port, such as 127.0.0.1:4242") {
			t.Errorf("%s: %v", address, err)
		}
		if err == nil {
			_ = listener.Close()
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	if a, b := NewToken(), NewToken(); a == b || CheckToken(a) != nil || len(a) < 40 {
		t.Errorf("%s and %s", a, b)
	}
	for _, wrong := range []string{"", "short", "fifteen-letters", "with a space in it all", "grüße-grüße-grüße"} {
		if err := CheckToken(wrong); err == nil || wrong != "" && strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// TestAnswersWithoutAListener keeps a handler from writing to a recorder that is
// gone: what comes late is dropped.
func TestAnswersWithoutAListener(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	e := &exchange{to: recorder, control: http.NewResponseController(recorder), stream: true, single: true}
	e.drop()
	e.beat()
	e.finish(rpc.Object())
	if e.send([]byte("{}")) || recorder.Body.Len() > 0 {
		t.Error(recorder.Body.String())
	}
}
