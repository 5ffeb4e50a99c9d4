package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/tool/mcp"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file is one server: it is opened when it is needed, and opened again when
// its connection has broken.

// connection is an open server, of either kind. Errors are the context's, or a
// *transport.Fault.
type connection interface {
	list(ctx context.Context) ([]Tool, error)
	// nextID gives the JSON-RPC id of the next call; nil when it has none.
	nextID() value.Value
	call(ctx context.Context, id value.Value, tool string, arguments *value.Object, runID string) (raw *value.Object, requestID string, err error)
	broken() bool
	close()
}

type server struct {
	settings settings.ToolServer
	options  Options
	bounds   Bounds
	clock    clock.Clock
	scrub    scrubber

	// door holds one token: whoever has it may open, or replace, the connection.
	door   chan struct{}
	open   connection // nil until it is opened
	closed context.Context
	shut   context.CancelFunc
	// reading are the tools that were marked reads when they were listed last; nil
	// until they were.
	reading atomic.Pointer[map[string]bool]
	// leftOut is what an OpenAPI document leaves out; nil until it was read.
	leftOut atomic.Pointer[[]LeftOut]
}

func newServer(configured settings.ToolServer, options Options) *server {
	s := &server{
		settings: configured, options: options, bounds: *options.Bounds, clock: options.Clock,
		scrub: newScrubber(configured.Secrets()), door: make(chan struct{}, 1),
	}
	s.door <- struct{}{}
	s.closed, s.shut = context.WithCancel(context.Background())
	return s
}

func (s *server) allows(tool string) bool {
	return s.settings.Allowed == nil || slices.Contains(s.settings.Allowed, tool)
}

// bounded does something within a time. The error is a *transport.Fault, one of
// the two below among them.
func (s *server) bounded(ctx context.Context, while time.Duration, do func(context.Context) error) error {
	within, cancel := s.clock.Within(ctx, while)
	defer cancel()
	// What is under way ends when the server is closed.
	within, end := context.WithCancel(within)
	defer end()
	defer context.AfterFunc(s.closed, end)()
	err := do(within)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errCancelled
	case s.closed.Err() != nil:
		return errClosed
	case within.Err() != nil:
		fault := *errTimedOut
		fault.Message = "The server did not respond within " + seconds(while)
		fault.Hint = transport.Host(cmp.Or(s.settings.BaseURL, s.settings.URL.Reveal(), s.settings.OpenAPI))
		if silent := (*mcp.UnansweredError)(nil); errors.As(err, &silent) {
			fault.Message += "; its program last wrote: " + silent.Said
		}
		return &timeout{&fault}
	}
	return transport.FaultOf(err)
}

// errCancelled is a caller that waits no longer, errClosed a server that is used
// no longer, and errTimedOut one that took too long.
var (
	errClosed    = transport.NewFault(transport.Failing, "The server's connection was closed")
	errCancelled = transport.NewFault(transport.Failing, "The caller stopped waiting")
	errTimedOut  = transport.NewFault(transport.Unreachable, "")
)

// timeout is the fault of a server that took too long.
type timeout struct{ *transport.Fault }

func (t *timeout) Unwrap() error { return t.Fault }

func seconds(while time.Duration) string {
	if while == time.Second {
		return "1 second"
	}
	return fmt.Sprintf("%g seconds", while.Seconds())
}

// connect gives the open connection, which it opens if there is none.
func (s *server) connect(ctx context.Context) (connection, error) {
	select {
	case <-s.door:
		defer func() { s.door <- struct{}{} }()
	case <-ctx.Done():
		return nil, errCancelled
	}
	if s.closed.Err() != nil {
		return nil, errClosed
	}
	if s.open != nil && !s.open.broken() {
		return s.open, nil
	}
	if s.open != nil {
		s.open.close()
		s.open = nil
	}
	err := s.bounded(ctx, s.bounds.Open, func(ctx context.Context) (err error) {
		if s.settings.OpenAPI != "" {
			s.open, err = s.openAPI(ctx)
		} else {
			s.open, err = s.openMCP(ctx)
		}
		return err
	})
	if err != nil {
		s.open = nil
		return nil, err
	}
	return s.open, nil
}

func (s *server) close() {
	s.shut()
	<-s.door
	if s.open != nil {
		s.open.close()
		s.open = nil
	}
	s.door <- struct{}{}
}

// list asks the server for all its tools.
func (s *server) list(ctx context.Context) ([]Tool, *Failure) {
	var tools []Tool
	// A connection may turn out to be gone only when it is used.
	for try := 1; ; try++ {
		connection, err := s.connect(ctx)
		if err != nil {
			return nil, s.beforeCall(err)
		}
		err = s.bounded(ctx, s.bounds.List, func(ctx context.Context) (err error) {
			tools, err = connection.list(ctx)
			return err
		})
		if err == nil {
			s.remember(tools)
			return s.scrub.listing(tools), nil
		}
		fault := transport.FaultOf(err)
		if try == 2 || !fault.Unsent && !fault.Untouched || !connection.broken() {
			return nil, s.beforeCall(err)
		}
	}
}

// remember keeps which of the listed tools only read.
func (s *server) remember(tools []Tool) {
	reading := map[string]bool{}
	for i := range tools {
		if tools[i].Reads {
			reading[tools[i].Name] = true
		}
	}
	s.reading.Store(&reading)
}

// onlyReads tells whether a tool was marked reads when it was listed last.
func (s *server) onlyReads(tool string) bool {
	reading := s.reading.Load()
	return reading != nil && (*reading)[tool]
}

// beforeCall gives the failure to open the server or to list its tools.
func (s *server) beforeCall(err error) *Failure {
	fault := transport.FaultOf(err)
	if err == errCancelled {
		return s.failureOf(Cancelled, fault)
	}
	failure := s.failureOf(beforeCall[fault.Kind], fault)
	if failure.Because == RateLimited && failure.RetryAfter >= 0 {
		failure.Message += fmt.Sprintf("; it asks for %s", seconds(failure.RetryAfter))
	}
	return failure
}

// header gives the headers of the settings.
func (s *server) header() http.Header {
	header := http.Header{}
	for _, h := range s.settings.Headers {
		header.Set(h.Name, h.Value.Reveal())
	}
	return header
}

// http gives the way to make requests of the server.
func (s *server) http(header http.Header) transport.HTTP {
	of := transport.HTTP{Client: transport.WithoutRedirects(s.options.HTTP), Header: header, Now: s.clock.Now}
	if !strings.HasPrefix(s.settings.RequestID, "/") {
		of.RequestIDHeader = s.settings.RequestID
	}
	return of
}

// requestID finds the server's own id of a request in a result.
func (s *server) requestID(raw *value.Object, ofHeader string) string {
	if !strings.HasPrefix(s.settings.RequestID, "/") {
		return s.scrub.words(ofHeader)
	}
	found, _ := value.Lookup(raw, s.settings.RequestID)
	switch id := found.(type) {
	case string:
		return s.scrub.words(transport.Line(id, 256))
	case float64:
		return value.FormatNumber(id)
	}
	return ""
}

// marks says what a tool's annotations say.
func (s *server) marks(tool *Tool, annotations *value.Object) {
	mark, given := annotations.Get("readOnlyHint")
	if is, ok := mark.(bool); given && ok {
		tool.Reads = is
	} else {
		tool.Reads = slices.Contains(s.settings.Reads, tool.Name)
	}
	destroys, _ := annotations.Get("destructiveHint")
	tool.Deletes = destroys == true && !tool.Reads
}

// mcpConnection is an MCP server.
type mcpConnection struct {
	server *server
	client *mcp.Client
}

func (s *server) openMCP(ctx context.Context) (connection, error) {
	of := mcp.Settings{
		Command: s.program(), Folder: s.options.Folder,
		URL: s.settings.URL.Reveal(), HTTP: s.http(s.header()),
		Version: s.options.Version, Bounds: s.bounds.Read, Grace: s.bounds.Grace,
	}
	for _, argument := range s.settings.Args {
		of.Args = append(of.Args, argument.Reveal())
	}
	for _, variable := range s.settings.Env {
		of.Env = append(of.Env, variable.Name+"="+variable.Value.Reveal())
	}
	client, err := mcp.Open(ctx, of)
	if err != nil {
		return nil, err
	}
	return &mcpConnection{s, client}, nil
}

// itself is the command that stands for this program, wherever it is installed:
// the notes server it holds works where it works.
const itself = "auto"

// program is what is started for a server.
func (s *server) program() string {
	if s.settings.Command == itself && s.options.Program != "" {
		return s.options.Program
	}
	return s.settings.Command
}

// longestListedName is the most bytes of the name of a tool. One with a longer name
// cannot be named anywhere, and is left out.
const longestListedName = 256

func (c *mcpConnection) list(ctx context.Context) ([]Tool, error) {
	listed, err := c.client.List(ctx)
	if err != nil {
		return nil, err
	}
	tools := make([]Tool, 0, len(listed))
	for _, t := range listed {
		if len(t.Name) > longestListedName {
			continue
		}
		tool := Tool{Server: c.server.settings.Name, Name: t.Name, Description: t.Description, InputSchema: t.InputSchema}
		c.server.marks(&tool, t.Annotations)
		tools = append(tools, tool)
	}
	return tools, nil
}

func (c *mcpConnection) nextID() value.Value { return float64(c.client.NextID()) }

// runIDKey is the key of a request's metadata that holds the run's id.
const runIDKey = "auto.on/run_id"

func (c *mcpConnection) call(ctx context.Context, id value.Value, tool string, arguments *value.Object, runID string) (*value.Object, string, error) {
	meta := &value.Object{}
	if runID != "" {
		meta.Set(runIDKey, runID)
	}
	number, _ := value.Whole(id)
	result, err := c.client.Call(ctx, number, tool, arguments, meta)
	return result.Result, result.RequestID, err
}

func (c *mcpConnection) broken() bool { return c.client.Broken() }

func (c *mcpConnection) close() { c.client.Close() }
