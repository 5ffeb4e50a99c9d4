package mcp

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file is the client: it opens a server, lists its tools and calls one.

// Client is an open connection to a server. It is safe for concurrent use.
type Client struct {
	settings  Settings
	link      link
	stateless bool
	last      atomic.Int64 // the id of the last request
	lock      sync.Mutex
	mirrored  map[string][]mirror // of each listed tool, the arguments that go as headers too
}

// Open connects to a server and agrees on a version with it. The error is the
// context's, when that ended, which may be in an *UnansweredError, or a
// *transport.Fault.
func Open(ctx context.Context, settings Settings) (*Client, error) {
	c := &Client{settings: settings}
	if settings.Command != "" {
		l, err := spawn(settings)
		if err != nil {
			return nil, err
		}
		return c.over(ctx, l)
	}
	opened, err := c.over(ctx, newStreamable(settings))
	if err == nil || ctx.Err() != nil || !mayBeOlder(err) {
		return opened, err
	}
	l, olderErr := openOlder(ctx, settings)
	if olderErr != nil {
		// A stream that opened and went wrong says more than the refused post.
		if ctx.Err() != nil || transport.FaultOf(olderErr).Status == 0 {
			return nil, olderErr
		}
		return nil, err
	}
	return c.over(ctx, l)
}

// mayBeOlder tells whether a refusal is that of a server which takes no posts at
// its address (specification of 2025-11-25, "Backwards Compatibility").
func mayBeOlder(err error) bool {
	switch fault := transport.FaultOf(err); fault.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusUnsupportedMediaType:
		return fault.Code == 0
	}
	return false
}

// over agrees on a version over a link, which it closes when it cannot.
func (c *Client) over(ctx context.Context, l link) (*Client, error) {
	c.link = l
	err := c.handshake(ctx)
	if err != nil {
		err = c.unanswered(ctx, err)
		l.close()
		return nil, err
	}
	return c, nil
}

// UnansweredError is a context that ended while a program that was started, or
// asked for its tools, did not answer.
type UnansweredError struct {
	Err  error
	Said string // the last that it wrote to its standard error, on one line
}

func (e *UnansweredError) Error() string { return e.Err.Error() + ": " + e.Said }

func (e *UnansweredError) Unwrap() error { return e.Err }

// unanswered adds to the end of a context what a program last wrote.
func (c *Client) unanswered(ctx context.Context, err error) error {
	program, is := c.link.(*stdio)
	if !is || ctx.Err() == nil {
		return err
	}
	if said := program.said(); said != "" {
		return &UnansweredError{err, said}
	}
	return err
}

func (c *Client) info() *value.Object {
	return object("name", "auto", "version", c.settings.Version)
}

// handshake greets the server, with the last revision that has a greeting, since
// every server of before knows it. One that knows none, and answers so, is asked
// whether it speaks the revision without.
func (c *Client) handshake(ctx context.Context) error {
	result, err := c.request(ctx, rpc.MethodInitialize, "", nil, object(
		"protocolVersion", rpc.VersionHandshake,
		"capabilities", object(),
		"clientInfo", c.info(),
	))
	if err != nil {
		if ctx.Err() == nil && transport.FaultOf(err).Code != 0 && !c.link.broken() && c.discover(ctx) {
			return nil
		}
		return err
	}
	version, _ := result.text("protocolVersion")
	if !rpc.WithHandshake(version) {
		return transport.NewFault(transport.Failing, "The server speaks a version of MCP that is not known: "+transport.Line(version, 64))
	}
	c.link.agree(version)
	return c.link.announce(ctx, rpc.Notification(rpc.MethodInitialized, nil))
}

// discover tells whether the server speaks the revision without a handshake.
func (c *Client) discover(ctx context.Context) bool {
	c.stateless = true
	c.link.agree(rpc.VersionStateless)
	if _, err := c.request(ctx, rpc.MethodDiscover, "", nil, object()); err != nil {
		c.stateless = false
		return false
	}
	return true
}

// Broken tells whether the connection can be used no more, so that another one
// must be opened.
func (c *Client) Broken() bool { return c.link.broken() }

// Close ends the connection, and the program if it is one, with everything it
// has started.
func (c *Client) Close() { c.link.close() }

// object of a result.
type result struct {
	*value.Object
	requestID string
}

func (r result) text(key string) (string, bool) {
	v, _ := r.Get(key)
	text, ok := v.(string)
	return text, ok
}

// request sends a request and gives its result.
func (c *Client) request(ctx context.Context, method, name string, header http.Header, params *value.Object) (result, error) {
	return c.requestAs(ctx, c.last.Add(1), method, name, header, params)
}

func (c *Client) requestAs(ctx context.Context, id int64, method, name string, header http.Header, params *value.Object) (result, error) {
	if c.stateless {
		params = c.withMeta(params)
		header = standardHeader(header, method, name)
	}
	in, err := c.link.send(ctx, outgoing{id: id, method: method, name: name, text: rpc.Request(float64(id), method, params), header: header})
	if err != nil {
		// Without a handshake, closing the request over HTTP is the cancellation.
		if ctx.Err() != nil && method == rpc.MethodCall && !(c.stateless && c.settings.URL != "") {
			c.link.tell(rpc.Notification(rpc.MethodCancelled,
				object("requestId", float64(id), "reason", "The caller waits no longer")))
		}
		return result{}, err
	}
	if in.Fault != nil {
		return result{}, withRequestID(in.rpcFault(), in.requestID)
	}
	o, ok := in.Result.(*value.Object)
	if !ok {
		return result{}, withRequestID(transport.NewFault(transport.Failing, "The server's result is not an object"), in.requestID)
	}
	if kind, _ := (result{Object: o}).text("resultType"); kind == "input_required" {
		return result{}, withRequestID(transport.NewFault(transport.Failing, "The server asks for input, which a call cannot give"), in.requestID)
	}
	return result{o, in.requestID}, nil
}

// withMeta adds what each request says of the client where no handshake did.
func (c *Client) withMeta(params *value.Object) *value.Object {
	meta := object(
		rpc.MetaVersion, rpc.VersionStateless,
		rpc.MetaClient, c.info(),
		rpc.MetaCapabilities, object(),
	)
	own := value.NewObject(params.Len() + 1)
	for i := range params.Len() {
		key, v := params.At(i)
		if key == "_meta" {
			if given, ok := v.(*value.Object); ok {
				for j := range given.Len() {
					name, v := given.At(j)
					meta.Set(name, v)
				}
			}
			continue
		}
		own.Set(key, v)
	}
	own.Set("_meta", meta)
	return own
}

// List gives the server's tools, in its order and as it wrote them. Its errors are
// those of Open.
func (c *Client) List(ctx context.Context) ([]Tool, error) {
	var tools []Tool
	seen, cursors := map[string]bool{}, map[string]bool{}
	cursor, size := "", int64(0)
	for page := 1; ; page++ {
		params := object()
		if cursor != "" {
			params.Set("cursor", cursor)
		}
		result, err := c.request(ctx, rpc.MethodList, "", nil, params)
		if err != nil {
			return nil, c.unanswered(ctx, err)
		}
		listed, ok := result.Get("tools")
		list, isList := listed.([]value.Value)
		if !ok || !isList {
			return nil, transport.NewFault(transport.Failing, "The server's list of tools is not one")
		}
		size += int64(len(value.JSON(listed)))
		for _, v := range list {
			tool, ok := toolOf(v)
			if !ok {
				return nil, transport.NewFault(transport.Failing, "The server lists a tool without a name")
			}
			if !seen[tool.Name] {
				seen[tool.Name] = true
				tools = append(tools, tool)
			}
		}
		cursor, _ = result.text("nextCursor")
		switch {
		case len(tools) > c.settings.Bounds.Tools:
			return nil, tooMuchListed(value.Grouped(int64(c.settings.Bounds.Tools)) + " tools")
		case size > c.settings.Bounds.Listed:
			return nil, tooMuchListed(transport.Size(c.settings.Bounds.Listed) + " of tools")
		case cursor != "" && page >= c.settings.Bounds.Pages:
			return nil, tooMuchListed(value.Grouped(int64(c.settings.Bounds.Pages)) + " pages of tools")
		case cursor == "":
			c.mirror(tools)
			return tools, nil
		case cursors[cursor]:
			return nil, transport.NewFault(transport.Failing, "The server's list of tools leads back to a page it has given")
		}
		cursors[cursor] = true
	}
}

func tooMuchListed(bound string) *transport.Fault {
	return transport.NewFault(transport.Failing, "The server lists more than "+bound+", which is the most that is read")
}

// toolOf reads a listed tool. One without a schema takes any object.
func toolOf(v value.Value) (Tool, bool) {
	o, ok := v.(*value.Object)
	if !ok {
		return Tool{}, false
	}
	r := result{Object: o}
	var t Tool
	if t.Name, ok = r.text("name"); !ok || t.Name == "" {
		return Tool{}, false
	}
	t.Description, _ = r.text("description")
	if schema, _ := o.Get("inputSchema"); schema != nil {
		t.InputSchema = schema
	} else {
		t.InputSchema = object("type", "object")
	}
	annotations, _ := o.Get("annotations")
	t.Annotations, _ = annotations.(*value.Object)
	return t, true
}

// NextID gives the id of a request that is about to be sent.
func (c *Client) NextID() int64 { return c.last.Add(1) }

// Call calls a tool with arguments, under an id that NextID gave, and sends meta
// as the request's metadata.
func (c *Client) Call(ctx context.Context, id int64, tool string, arguments, meta *value.Object) (Result, error) {
	if arguments == nil {
		arguments = object()
	}
	params := object("name", tool, "arguments", arguments)
	if meta.Len() > 0 {
		params.Set("_meta", meta)
	}
	r, err := c.requestAs(ctx, id, rpc.MethodCall, tool, c.mirroredHeader(tool, arguments), params)
	if err != nil {
		return Result{}, err
	}
	return Result{r.Object, r.requestID}, nil
}
