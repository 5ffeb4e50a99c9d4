package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// This file tests every way in which a server cannot be used or a call fails.

// network are the ways over HTTP.
var network = []string{"http", "events", "older"}

func TestWhatStopsARunBeforeItsModelIsCalled(t *testing.T) {
	t.Parallel()
	pages := func(pages ...string) *double.Server { return &double.Server{Pages: pages} }
	manyTools := `{"tools":[` + strings.Repeat(`{"name":"a"},`, 5) + `{"name":"b"}]}`
	for _, test := range []struct {
		name    string
		ways    []string
		double  func() *double.Server
		because tool.Because
		words   string
		status  int
	}{
		{"a server that ends at once", []string{"stdio"}, func() *double.Server { return faults("initialize", double.Die) }, tool.Failing, "The tool server notes's program ended (exit status 3): fatal: the note base is gone, key [redacted]", 0},
		{"a server that ends in the middle of its greeting", []string{"stdio"}, func() *double.Server { return faults("initialize", double.Half) }, tool.Failing, "ended", 0},
		{"a greeting refused", []string{"stdio", "http", "older"}, func() *double.Server { return faults("initialize", "error:-32603:no licence") }, tool.Failing, "no licence", 0},
		{"a greeting for another request", []string{"stdio", "http", "older"}, func() *double.Server { return faults("initialize", double.WrongID) }, tool.Failing, "answered", 0},
		{"a greeting that is no object", ways, func() *double.Server { return faults("initialize", double.NotObject) }, tool.Failing, "not an object", 0},
		{"a greeting too large", ways, func() *double.Server { return faults("initialize", double.Huge) }, tool.Failing, "larger than 64 KiB", 0},
		{"a list refused", ways, func() *double.Server { return faults("tools/list", "error:-32603:the index is down") }, tool.Failing, "the index is down", 0},
		{"a list too large", ways, func() *double.Server { return faults("tools/list", double.Huge) }, tool.Failing, "larger than 64 KiB", 0},
		{"a list of another request", ways, func() *double.Server { return faults("tools/list", double.WrongID) }, tool.Failing, "answered", 0},
		{"a list that is none", ways, func() *double.Server { return pages(`{"tools":{}}`) }, tool.Failing, "list of tools is not one", 0},
		{"a tool without a name", ways, func() *double.Server { return pages(`{"tools":[{"title":"x"}]}`) }, tool.Failing, "without a name", 0},
		{"pages without end", ways, func() *double.Server {
			return pages(`{"tools":[],"nextCursor":"1"}`, `{"tools":[],"nextCursor":"2"}`, `{"tools":[],"nextCursor":"3"}`, `{"tools":[],"nextCursor":"4"}`, `{"tools":[],"nextCursor":"5"}`, `{"tools":[],"nextCursor":"6"}`)
		}, tool.Failing, "lists more than 5 pages of tools", 0},
		{"pages in a circle", ways, func() *double.Server { return pages(`{"tools":[{"name":"a"}],"nextCursor":"1"}`) }, tool.Failing, "leads back", 0},
		{"too many tools", ways, func() *double.Server {
			page := `{"tools":[`
			for i := range 21 {
				page += fmt.Sprintf(`{"name":"t%d"},`, i)
			}
			return pages(strings.TrimSuffix(page, ",") + `]}`)
		}, tool.Failing, "lists more than 20 tools", 0},
		{"the same tool again", ways, func() *double.Server { return pages(manyTools) }, "", "", 0},
		{"a status that says to slow down", []string{"http"}, func() *double.Server { return faults("initialize", "status:429:7") }, tool.RateLimited, "it asks for 7 seconds", 429},
		{"a list that is to slow down", network, func() *double.Server { return faults("tools/list", "status:429") }, tool.RateLimited, "HTTP 429", 429},
		{"a key refused", []string{"http"}, func() *double.Server { return faults("initialize", "status:401") }, tool.KeyRefused, "did not accept the key", 401},
		{"a key forbidden", network, func() *double.Server { return faults("tools/list", "status:403") }, tool.KeyRefused, "HTTP 403", 403},
		{"a server that is down", []string{"http"}, func() *double.Server { return faults("initialize", "status:503:60") }, tool.Failing, "HTTP 503", 503},
		{"no server of the kind", []string{"http"}, func() *double.Server { return faults("initialize", "status:404") }, tool.Failing, "HTTP 404", 404},
		{"a redirect", []string{"http"}, func() *double.Server {
			return faults("initialize", "redirect:http://127.0.0.1:1/elsewhere")
		}, tool.Failing, "never followed", 307},
		{"a gzip bomb", []string{"http"}, func() *double.Server { return faults("initialize", double.Gzip) }, tool.Failing, "", 0},
		{"no JSON", []string{"http"}, func() *double.Server { return faults("initialize", double.Garbage) }, tool.Failing, "not JSON", 0},
		{"an event that is no message", []string{"events"}, func() *double.Server { return faults("initialize", double.Garbage) }, tool.Failing, "not JSON-RPC", 0},
		{"a stream that names another host", []string{"older"}, func() *double.Server {
			return faults("GET", "endpoint:http://127.0.0.1:1/take")
		}, tool.Failing, "another host", 0},
		{"a connection cut in the middle", []string{"http"}, func() *double.Server { return faults("initialize", double.Half) }, tool.Failing, "broke off", 0},
		{"a connection cut", []string{"http", "older"}, func() *double.Server { return faults("tools/list", double.Die) }, tool.Failing, "closed the connection", 0},
		{"a request taken and not answered", []string{"http"}, func() *double.Server { return faults("tools/list", double.Accepted) }, tool.Failing, "no answer", 0},
	} {
		for _, way := range test.ways {
			t.Run(test.name+" over "+way, func(t *testing.T) {
				t.Parallel()
				servers := reach(t, way, test.double(), tool.Options{})
				_, failure := servers.List(context.Background(), "notes")
				if test.because == "" {
					must(t, failure)
					return
				}
				wants(t, failure, test.because, test.words)
				if failure == nil {
					return
				}
				if failure.Status != test.status || failure.Server != "notes" {
					t.Errorf("status %d of the server %q, want %d", failure.Status, failure.Server, test.status)
				}
				r := failure.Rejection()
				if r.Status != 503 || r.Kind != tool.KindServerFailed || r.Because != string(test.because) {
					t.Errorf("rejected as %d %s %s", r.Status, r.Kind, r.Because)
				}
			})
		}
	}
}

func TestWhatAPlaybookMayNotUse(t *testing.T) {
	t.Parallel()
	d := &double.Server{}
	servers := reach(t, "http", d, tool.Options{}, "allowed: [echo, echoo, post_message]")
	for _, test := range []struct {
		server, tool string
		because      tool.Because
		words        string
	}{
		{"graph", "query", tool.NotConfigured, "graph is not configured"},
		{"notes", "delete_note", tool.NotAllowed, "notes/delete_note is not among those"},
		{"notes", "echoo", tool.NotListed, "notes lists no tool echoo; did you mean echo?"},
	} {
		_, failure := servers.Tool(context.Background(), test.server, test.tool)
		wants(t, failure, test.because, test.words)
		wants(t, failure, test.because, "search")
		r := failure.Rejection()
		if r.Type != "https://on.auto/problems/unavailable" || r.Kind != "tool_not_offered" || r.Because != string(test.because) {
			t.Errorf("rejected as %s %s %s", r.Type, r.Kind, r.Because)
		}
	}
	before := len(d.Asked())
	_, failure := servers.Call(context.Background(), call("delete_note"))
	wants(t, failure, tool.NotAllowed, "")
	if failure.Sent || len(d.Asked()) != before {
		t.Error("a tool that is not allowed was called")
	}
	tools, failure := servers.List(context.Background(), "notes")
	must(t, failure)
	if len(tools) != 2 {
		t.Errorf("lists %d tools, want the two that are allowed", len(tools))
	}
}

func TestServersThatCannotBeReached(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	noExecute := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(noExecute, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		lines string
		words string
		hint  string // what the operator reads
	}{
		"no program":            {"command: auto-no-such-program", "was not found", ""},
		"a program of no right": {"command: " + noExecute, "may not be run", ""},
		"nobody listens":        {"url: " + closed.URL + "/mcp", "cannot be reached", closed.URL + ": connection refused"},
		"no trusted key":        {"url: " + untrusted.URL, "certificate is not trusted", untrusted.URL + " shows a certificate that is not trusted: certificate signed by unknown authority; add its certificate authority with NODE_EXTRA_CA_CERTS"},
		"no TLS":                {"url: https" + strings.TrimPrefix(closed.URL, "http"), "cannot be reached", "https" + strings.TrimPrefix(closed.URL, "http") + ": connection refused"},
		"no document":           {"openapi: missing.yaml", "The OpenAPI document of the tool server notes cannot be read: missing.yaml: ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			servers := serversOf(t, "tool_servers:\n  - name: notes\n    "+test.lines+"\n", tool.Options{Folder: t.TempDir()})
			_, failure := servers.List(context.Background(), "notes")
			wants(t, failure, tool.Unreachable, test.words)
			if failure.Hint != test.hint {
				t.Errorf("the operator is told %q, want %q", failure.Hint, test.hint)
			}
			if text, err := json.Marshal(failure.Rejection()); err != nil || test.hint != "" && strings.Contains(string(text), test.hint) {
				t.Error("the caller reads the hint")
			}
			_, failure = servers.Call(context.Background(), call("echo"))
			wants(t, failure, tool.ServerFailure, test.words)
			if failure.Sent {
				t.Error("nothing can have been sent")
			}
		})
	}
}

func TestHowACallFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		ways    []string
		fault   string
		because tool.Because
		words   string
		status  int
	}{
		{"the arguments refused", ways, "error:-32602:text is too long for s3cret-key-12345", tool.ArgumentsRefused, "refused the arguments: text is too long for [redacted]", 0},
		{"an error of the server's", ways, "error:-32000:boom, token ghp_0123456789abcdefABCDEF0123456789abcd", tool.ServerFailure, "boom, token [redacted]", 0},
		{"an answer too large", ways, double.Huge, tool.TooLarge, "larger than 64 KiB", 0},
		{"another request's answer", ways, double.WrongID, tool.ServerFailure, "answered", 0},
		{"an answer that is none", []string{"http", "events"}, double.NoResult, tool.ServerFailure, "not JSON-RPC", 0},
		{"an answer that is none", []string{"stdio", "older"}, double.NoResult, tool.ServerFailure, "cannot be read as JSON-RPC", 0},
		{"an answer of 10,000 levels", []string{"stdio", "older"}, double.Deep, tool.ServerFailure, "cannot be read as JSON-RPC", 0},
		{"an answer of 10,000 levels", []string{"http", "events"}, double.Deep, tool.ServerFailure, "is not JSON", 0},
		{"messages without end", []string{"stdio"}, double.Flood, tool.TooLarge, "more than 256 KiB without an answer", 0},
		{"messages without end", []string{"events"}, double.Flood, tool.TooLarge, "events are larger than 256 KiB together", 0},
		{"a result that is no object", ways, double.NotObject, tool.ServerFailure, "not an object", 0},
		{"an error about no request", ways, double.NullID, tool.ServerFailure, "Parse error", 0},
		{"a request for input", ways, double.Input, tool.ServerFailure, "asks for input", 0},
		{"a server that dies", []string{"stdio"}, double.Die, tool.ServerFailure, "ended (exit status 3): fatal: the note base is gone, key [redacted]", 0},
		{"a connection cut", network, double.Die, tool.ServerFailure, "closed the connection", 0},
		{"half an answer", []string{"http"}, double.Half, tool.ServerFailure, "broke off", 0},
		{"half an answer of a program", []string{"stdio"}, double.Half, tool.ServerFailure, "", 0},
		{"a gzip bomb", []string{"http"}, double.Gzip, "", "", 0},
		{"a key refused", network, "status:401", tool.ServerFailure, "did not accept the key", 401},
		{"a server that is down", network, "status:502:300", tool.ServerFailure, "HTTP 502", 502},
		{"to slow down", network, "status:429:60", tool.ServerFailure, "HTTP 429", 429},
		{"a redirect", []string{"http"}, "redirect:http://127.0.0.1:1/", tool.ServerFailure, "never followed", 307},
		{"taken and not answered", []string{"http"}, double.Accepted, tool.ServerFailure, "no answer", 0},
	} {
		for _, way := range test.ways {
			t.Run(test.name+" over "+way, func(t *testing.T) {
				t.Parallel()
				servers := reach(t, way, faults("tools/call post_message", test.fault), tool.Options{})
				_, failure := servers.Call(context.Background(), call("post_message"))
				if test.because == "" {
					if failure == nil {
						t.Error("it did not fail")
					}
				} else {
					wants(t, failure, test.because, test.words)
				}
				if failure == nil {
					return
				}
				if id, ok := value.Whole(failure.JSONRPCID); !ok || id < 1 {
					t.Errorf("JSON-RPC id %v", failure.JSONRPCID)
				}
				if !failure.Sent || failure.Status != test.status || failure.Tool != "post_message" {
					t.Errorf("sent %v, status %d, tool %q", failure.Sent, failure.Status, failure.Tool)
				}
				// The next call finds a server that works, if need be over a new connection.
				result, failure := servers.Call(context.Background(), call("echo", "text", "after"))
				must(t, failure)
				if result.Shown() != "after" {
					t.Errorf("shown %q", result.Shown())
				}
			})
		}
	}
}

// TestTheFailureOfACallKeepsWhatTheServerSaid is for the fields that events and
// deliveries need.
func TestTheFailureOfACallKeepsWhatTheServerSaid(t *testing.T) {
	t.Parallel()
	servers := reach(t, "http", faults("tools/call", "status:503:120"), tool.Options{}, "request_id: X-Request-Id")
	_, failure := servers.Call(context.Background(), call("echo"))
	wants(t, failure, tool.ServerFailure, "HTTP 503")
	if failure.RetryAfter != 2*time.Minute || failure.RequestID != "req-refused" || !failure.CountsAsServerFailure() {
		t.Errorf("retry after %s, request %q", failure.RetryAfter, failure.RequestID)
	}
}

func TestArgumentsPastTheBoundAreNotSent(t *testing.T) {
	t.Parallel()
	d := &double.Server{}
	servers := reach(t, "http", d, tool.Options{})
	fits := strings.Repeat("x", tool.MostArguments-len(`{"text":""}`))
	_, failure := servers.Call(context.Background(), call("echo", "text", fits))
	must(t, failure)
	before := len(d.Asked())
	_, failure = servers.Call(context.Background(), call("echo", "text", fits+"x"))
	wants(t, failure, tool.ArgumentsRefused, "16385 bytes, more than the 16 KiB of a call")
	if failure.Sent || len(d.Asked()) != before || failure.CountsAsServerFailure() {
		t.Error("the arguments were sent")
	}
}

// eventually moves the clock until something is done.
func eventually(t *testing.T, c *clockdouble.Clock, by time.Duration, done <-chan struct{}) {
	t.Helper()
	for {
		select {
		case <-done:
			return
		case <-time.After(5 * time.Millisecond):
			c.Advance(by)
		}
	}
}

func TestASilentServerIsNotWaitedForLongerThanTheFormatsSay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		method  string
		because tool.Because
		words   string
	}{
		{"initialize", tool.Unreachable, "did not respond within 10 seconds"},
		{"tools/list", tool.Unreachable, "did not respond within 10 seconds"},
		{"tools/call", tool.TimedOut, "did not respond within 30 seconds"},
	} {
		for _, way := range ways {
			t.Run(test.method+" over "+way, func(t *testing.T) {
				t.Parallel()
				c := clockdouble.New()
				servers := reach(t, way, faults(test.method, double.Silent), tool.Options{Clock: c})
				done := make(chan struct{})
				var failure *tool.Failure
				if test.method == "tools/call" {
					// It is opened before the clock moves.
					_, failure = servers.List(context.Background(), "notes")
					must(t, failure)
				}
				go func() {
					defer close(done)
					if test.method == "tools/call" {
						_, failure = servers.Call(context.Background(), call("echo"))
					} else {
						_, failure = servers.List(context.Background(), "notes")
					}
				}()
				eventually(t, c, time.Second/2, done)
				wants(t, failure, test.because, test.words)
			})
		}
	}
}

func asked(d *double.Server, method string) *double.Asked {
	for _, a := range d.Asked() {
		if a.Method == method {
			return &a
		}
	}
	return nil
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for range 2000 {
		if done() {
			return
		}
		<-time.After(5 * time.Millisecond)
	}
	t.Fatal("it did not happen")
}

func TestALimitOnTheRateIsWaitedOutOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		fault    string
		waitsOut bool
		slept    string
		because  tool.Because
	}{
		{"a short one", "once status:429:7", true, "[7s]", ""},
		{"the longest", "once status:429:10", true, "[10s]", ""},
		{"a longer one", "once status:429:11", true, "[]", tool.ServerFailure},
		{"one without a time", "once status:429", true, "[]", tool.ServerFailure},
		{"one as a date", "once status:429:Sun, 01 Mar 2026 09:00:04 GMT", true, "[4s]", ""},
		{"one that stays", "status:429:3", true, "[3s]", tool.ServerFailure},
		{"a delivery", "once status:429:7", false, "[]", tool.ServerFailure},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := clockdouble.New()
			d := faults("tools/call", test.fault)
			servers := reach(t, "http", d, tool.Options{Clock: c})
			of := call("echo", "text", "at last")
			of.WaitsOut = test.waitsOut
			result, failure := servers.Call(context.Background(), of)
			if test.because == "" {
				must(t, failure)
				if result.Shown() != "at last" || result.Duration < 4*time.Second {
					t.Errorf("shown %q after %s", result.Shown(), result.Duration)
				}
			} else {
				wants(t, failure, test.because, "HTTP 429")
			}
			if got := fmt.Sprint(c.Slept()); got != test.slept {
				t.Errorf("slept %s, want %s", got, test.slept)
			}
			if failure != nil && test.name == "a delivery" && failure.RetryAfter != 7*time.Second {
				t.Errorf("retry after %s", failure.RetryAfter)
			}
		})
	}
}

// TestARedirectTakesNoKeyWithIt wants the other host to see nothing at all.
func TestARedirectTakesNoKeyWithIt(t *testing.T) {
	t.Parallel()
	seen := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { seen++ }))
	t.Cleanup(other.Close)
	// A client that would follow redirects is made one that does not.
	servers := reach(t, "http", faults("initialize", "redirect:"+other.URL), tool.Options{HTTP: noRedirects()})
	_, failure := servers.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "never followed")
	if seen != 0 {
		t.Error("the redirect was followed")
	}
}

func TestAChangingListIsAskedForAnew(t *testing.T) {
	t.Parallel()
	d := &double.Server{Pages: []string{
		`{"tools":[{"name":"one"}],"nextCursor":"x"}`, `{"tools":[{"name":"two"}]}`, `{"tools":[{"name":"three"}]}`,
	}}
	servers := reach(t, "http", d, tool.Options{})
	for _, want := range []string{"[one two]", "[three]"} {
		tools, failure := servers.List(context.Background(), "notes")
		must(t, failure)
		names := []string{}
		for _, of := range tools {
			names = append(names, of.Name)
		}
		if got := fmt.Sprint(names); got != want {
			t.Errorf("lists %s, want %s", got, want)
		}
	}
}
