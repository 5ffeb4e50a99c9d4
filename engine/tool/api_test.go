package tool_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
)

// This file tests APIs that an OpenAPI document describes, as servers.

// reply is what the API answers any request with.
type reply struct {
	status int
	header map[string]string
	body   string
	do     func(w http.ResponseWriter, r *http.Request)
}

// api is an API behind the tickets' document, and what it was asked.
type api struct {
	*tool.Servers
	asked []string
	next  reply
}

func newAPI(t *testing.T, options tool.Options, lines ...string) *api {
	t.Helper()
	a := &api{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		a.asked = append(a.asked, strings.TrimSpace(fmt.Sprintf("%s %s %s key=%s run=%s %s", r.Method, r.URL.EscapedPath(), r.URL.RawQuery,
			r.Header.Get("X-Api-Key"), r.Header.Get("Auto-Run-Id"), body)))
		if a.next.do != nil {
			a.next.do(w, r)
			return
		}
		for name, text := range a.next.header {
			w.Header().Set(name, text)
		}
		w.WriteHeader(a.next.status)
		_, _ = io.WriteString(w, a.next.body)
	}))
	t.Cleanup(server.Close)
	folder, err := filepath.Abs(filepath.Join("..", "..", "fixtures", "tool", "openapi"))
	if err != nil {
		t.Fatal(err)
	}
	options.Folder = folder
	text := "tool_servers:\n  - name: notes\n    openapi: tickets.yaml\n    base_url: " + server.URL + "/v2\n    headers: { X-Api-Key: \"${NOTES_KEY}\" }\n    request_id: x-request-id\n"
	for _, line := range lines {
		text += "    " + line + "\n"
	}
	a.Servers = serversOf(t, text, options)
	return a
}

var asJSON = map[string]string{"Content-Type": "application/json; charset=utf-8", "X-Request-Id": "r-1"}

func TestAnAPIListsItsOperations(t *testing.T) {
	t.Parallel()
	a := newAPI(t, tool.Options{}, "reads: [create_ticket]")
	tools, failure := a.List(context.Background(), "notes")
	must(t, failure)
	got := []string{}
	for _, of := range tools {
		got = append(got, fmt.Sprintf("%s %s deletes=%v withoutBody=%v sends=%v", of.Name, of.Mark(), of.Deletes, of.WithoutBody, of.Sends()))
	}
	want := []string{
		"listTickets reads deletes=false withoutBody=false sends=false",
		"create_ticket reads deletes=false withoutBody=false sends=false",
		"getTicket reads deletes=false withoutBody=false sends=false",
		"head_tickets_id reads deletes=false withoutBody=true sends=false",
		"deleteTicket acts deletes=true withoutBody=true sends=false",
		"addComment acts deletes=false withoutBody=true sends=false",
		"putNote acts deletes=false withoutBody=true sends=false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if tools[0].Description != "Lists tickets\n\nNewest first. Page with `after`." {
		t.Errorf("described as %q", tools[0].Description)
	}
	if len(a.asked) > 0 {
		t.Error("listing asked the API")
	}
}

func TestWhatAnAPIAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		reply   reply
		shown   string
		answer  string
		isError bool
	}{
		{"JSON", reply{status: 200, header: asJSON, body: `{"z":1,"a":[2]}`}, `{"z":1,"a":[2]}`, `{"z":1,"a":[2]}`, false},
		{"a list", reply{status: 200, header: asJSON, body: ` [1] `}, `[1]`, `[1]`, false},
		{"text", reply{status: 200, header: map[string]string{"Content-Type": "text/plain"}, body: "two\nlines"}, "two\nlines", `"two\nlines"`, false},
		{"JSON as text", reply{status: 200, header: map[string]string{"Content-Type": "text/plain"}, body: `{"a":1}`}, `{"a":1}`, `{"a":1}`, false},
		{"null", reply{status: 200, header: asJSON, body: "null"}, "null", "null", false},
		{"nothing", reply{status: 204}, "HTTP 204 without a body", `"HTTP 204 without a body"`, false},
		{"an image", reply{status: 200, header: map[string]string{"Content-Type": "image/png"}, body: "\x89PNG\x00"}, "[binary content is not shown, image/png, 5 bytes]", "", false},
		{"not found", reply{status: 404, header: asJSON, body: `{"error":"no ticket 9, key s3cret-key-12345"}`}, `{"error":"no ticket 9, key [redacted]"}`, `{"error":"no ticket 9, key [redacted]"}`, true},
		{"forbidden by policy", reply{status: 403, header: map[string]string{"Content-Type": "text/plain"}, body: "not yours"}, "not yours", `"not yours"`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, tool.Options{})
			a.next = test.reply
			result, failure := a.Call(context.Background(), call("getTicket", "id", "9"))
			must(t, failure)
			if result.Shown() != test.shown || result.IsError != test.isError {
				t.Errorf("shown %q, an error %v", result.Shown(), result.IsError)
			}
			answer, ok := result.Answer()
			if got := value.JSON(answer); ok != (test.answer != "") || ok && got != test.answer {
				t.Errorf("answers %s, want %s", got, test.answer)
			}
			if result.JSONRPCID != nil || result.RequestID != test.reply.header["X-Request-Id"] {
				t.Errorf("ids %v, %q", result.JSONRPCID, result.RequestID)
			}
			if want := "GET /v2/tickets/9  key=s3cret-key-12345 run=run-1"; strings.Join(a.asked, "; ") != want {
				t.Errorf("asked %q, want %q", a.asked, want)
			}
		})
	}
}

func TestHowACallOfAnAPIFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		reply   reply
		because tool.Because
		words   string
		status  int
	}{
		{"arguments refused", reply{status: 422, header: asJSON, body: `{"field":"id","key":"s3cret-key-12345"}`}, tool.ArgumentsRefused, `refused the arguments (HTTP 422): {"field":"id","key":"[redacted]"}`, 422},
		{"a bad request", reply{status: 400, body: "<html>Bad"}, tool.ArgumentsRefused, "refused the arguments (HTTP 400)", 400},
		{"the key", reply{status: 401}, tool.ServerFailure, "did not accept the key", 401},
		{"to slow down", reply{status: 429, header: map[string]string{"Retry-After": "60"}}, tool.ServerFailure, "HTTP 429", 429},
		{"down", reply{status: 500, body: "stack trace"}, tool.ServerFailure, "failed (HTTP 500): stack trace", 500},
		{"elsewhere", reply{status: 302, header: map[string]string{"Location": "https://elsewhere.example"}}, tool.ServerFailure, "never followed", 302},
		{"too large", reply{status: 200, header: asJSON, body: `"` + strings.Repeat("x", 65<<10) + `"`}, tool.TooLarge, "larger than 64 KiB", 0},
		{"cut", reply{do: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}, tool.ServerFailure, "closed the connection", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, tool.Options{})
			a.next = test.reply
			_, failure := a.Call(context.Background(), call("deleteTicket", "id", "9"))
			wants(t, failure, test.because, test.words)
			if failure != nil && (!failure.Sent || failure.Status != test.status) {
				t.Errorf("sent %v, status %d", failure.Sent, failure.Status)
			}
		})
	}
}

func TestACallOfAnAPIThatIsNotSent(t *testing.T) {
	t.Parallel()
	a := newAPI(t, tool.Options{})
	_, failure := a.Call(context.Background(), call("getTicket"))
	wants(t, failure, tool.ArgumentsRefused, "Expected the argument id")
	if failure.Sent {
		t.Error("it cannot have been sent")
	}
	_, failure = a.Call(context.Background(), call("getTickets", "id", "1"))
	wants(t, failure, tool.NotListed, "lists no tool getTickets")
	if len(a.asked) > 0 {
		t.Errorf("asked %q", a.asked)
	}
}

func TestASilentAPI(t *testing.T) {
	t.Parallel()
	c := clockdouble.New()
	a := newAPI(t, tool.Options{Clock: c})
	a.next.do = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	_, failure := a.List(context.Background(), "notes")
	must(t, failure)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, failure = a.Call(context.Background(), call("getTicket", "id", "1"))
	}()
	eventually(t, c, time.Second, done)
	wants(t, failure, tool.TimedOut, "within 30 seconds")
}

func TestADocumentFromAnAddress(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "tool", "openapi", "contacts.json"))
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.URL.Path+" "+r.Header.Get("X-Api-Key"))
		switch r.URL.Path {
		case "/docs/openapi.json":
			_, _ = w.Write(text)
		case "/contacts/search":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"found":[]}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	servers := serversOf(t, "tool_servers:\n  - name: notes\n    openapi: "+server.URL+"/docs/openapi.json\n    headers: { X-Api-Key: \"${NOTES_KEY}\" }\n", tool.Options{})
	result, failure := servers.Call(context.Background(), call("post_contacts_search", "body", &value.Object{}))
	must(t, failure)
	if result.Shown() != `{"found":[]}` {
		t.Errorf("shown %q", result.Shown())
	}
	// The key is the API's, not that of whoever has the document.
	if diff := cmp.Diff([]string{"/docs/openapi.json ", "/contacts/search s3cret-key-12345"}, keys); diff != "" {
		t.Error(diff)
	}
	gone := serversOf(t, "tool_servers:\n  - name: notes\n    openapi: "+server.URL+"/gone.json\n", tool.Options{})
	_, failure = gone.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "The OpenAPI document of the tool server notes cannot be read (HTTP 404)")
	if failure.Hint != server.URL {
		t.Errorf("the operator is told %q", failure.Hint)
	}
}
