package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/beonauto/auto/engine/tool/mcp/rpc"
	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file takes a client's messages, and answers all of them but calls.

// codeBusy is the server's own: it does as much as it may.
const codeBusy = -32000

// instructions are what a client tells its model of the server.
const instructions = "These tools work on one playbook: a folder of Markdown documents, each a function with a contract " +
	"in its front matter and a template as its words. Call get_guide with the name playbook before anything else, and with " +
	"the name of a type before you write a function. List the definitions, and read the one you mean to run. " +
	"A run may ask a person and wait for days: its id is what to look for it by. " +
	"A result that is an error holds a problem document, which names what to correct by JSON Pointers."

// fault is why a request gets an error for an answer.
type fault struct {
	code    int
	message string
	data    *value.Object
}

func (f *fault) answer(id value.Value) *value.Object {
	return rpc.Failure(id, f.code, f.message, f.data)
}

func invalidParams(format string, values ...any) *fault {
	return &fault{code: rpc.InvalidParams, message: fmt.Sprintf(format, values...)}
}

// parse reads the text of a message or a batch. The answer is that to a text which
// is neither.
func parse(text []byte) (v value.Value, answer *value.Object) {
	if !utf8.Valid(text) {
		// What is not a character would be saved as another.
		return nil, rpc.Failure(nil, rpc.ParseError, "The message is not UTF-8", nil)
	}
	v, err := value.ParseJSON(text, rpc.Deepest)
	var wrong *value.SyntaxError
	switch {
	case err == nil:
		return v, nil
	case errors.Is(err, value.ErrTooDeep):
		return nil, rpc.Failure(nil, rpc.ParseError, fmt.Sprintf("The message nests more than %d levels deep", rpc.Deepest), nil)
	case errors.As(err, &wrong):
		return nil, rpc.Failure(nil, rpc.ParseError, fmt.Sprintf("The message is not JSON, at line %d, column %d", wrong.Line, wrong.Column), nil)
	}
	return nil, rpc.Failure(nil, rpc.ParseError, "The message is not JSON", nil)
}

// receive takes what the client sent: a message or a batch. It calls done once,
// now or later, with the answer: an object, a list, or nil when nothing is to be
// answered. A call ends with ctx.
func (c *connection) receive(ctx context.Context, v value.Value, out outlet, done func(answer value.Value)) {
	batch, ok := v.([]value.Value)
	if !ok {
		c.one(ctx, v, out, func(answer *value.Object) {
			if answer == nil {
				done(nil)
				return
			}
			done(answer)
		})
		return
	}
	refuse := func(why string) { done(rpc.Failure(nil, rpc.InvalidRequest, why, nil)) }
	switch {
	case !c.batches():
		refuse("Batches are not part of this revision of the protocol")
		return
	case len(batch) == 0:
		refuse("The batch is empty")
		return
	case len(batch) > c.server.bounds.Batch:
		refuse(fmt.Sprintf("The batch holds more than %d messages", c.server.bounds.Batch))
		return
	}
	type placed struct {
		at     int
		answer *value.Object
	}
	answers := make(chan placed, len(batch))
	for i, v := range batch {
		c.one(ctx, v, out, func(answer *value.Object) { answers <- placed{i, answer} })
	}
	started := c.start(func() {
		list := make([]value.Value, len(batch))
		for range batch {
			if one := <-answers; one.answer != nil {
				list[one.at] = one.answer
			}
		}
		list = slices.DeleteFunc(list, func(v value.Value) bool { return v == nil })
		if len(list) == 0 {
			done(nil)
			return
		}
		done(list)
	})
	if !started {
		done(nil)
	}
}

// one takes one message.
func (c *connection) one(ctx context.Context, v value.Value, out outlet, done func(*value.Object)) {
	m, refused := valid(v)
	switch {
	case refused != nil:
		done(refused)
	case m.Answers():
		c.deliver(m)
		done(nil)
	case !m.HasID:
		c.notified(m)
		done(nil)
	default:
		c.request(ctx, m, out, done)
	}
}

// valid gives the message that a value is, or the answer to one that is none.
func valid(v value.Value) (m rpc.Message, refused *value.Object) {
	o, ok := v.(*value.Object)
	if !ok {
		return m, rpc.Failure(nil, rpc.InvalidRequest, "Expected a message, which is an object", nil)
	}
	m, ok = rpc.Of(o)
	id := m.ID
	switch id.(type) {
	case string, float64, value.Exact:
	default:
		id = nil
		if m.HasID && m.Method != "" {
			return m, rpc.Failure(nil, rpc.InvalidRequest, "id: Expected a text or a number", nil)
		}
	}
	if version, _ := o.Get("jsonrpc"); version != "2.0" {
		return m, rpc.Failure(id, rpc.InvalidRequest, "jsonrpc: Expected 2.0", nil)
	}
	if !ok {
		return m, rpc.Failure(id, rpc.InvalidRequest, "method: Expected a text", nil)
	}
	return m, nil
}

// notified takes a notification. One that is not known, or cannot be read, is left
// at that, as JSON-RPC wants it.
func (c *connection) notified(m rpc.Message) {
	if m.Method == rpc.MethodCancelled {
		params, _ := m.Params.(*value.Object)
		if id, ok := params.Get("requestId"); ok {
			c.drop(id)
		}
	}
}

// asking is who sends a request, and by which revision of the protocol.
type asking struct {
	version   string
	stateless bool // the request itself says who sends it
	forms     bool // the client answers forms
}

// request answers a request.
func (c *connection) request(ctx context.Context, m rpc.Message, out outlet, done func(*value.Object)) {
	params, ok := m.Params.(*value.Object)
	if m.HasParams && !ok {
		done(invalidParams("params: Expected an object").answer(m.ID))
		return
	}
	by, refused := c.from(params)
	if refused != nil {
		done(refused.answer(m.ID))
		return
	}
	var result *value.Object
	switch {
	case m.Method == rpc.MethodCall:
		c.call(ctx, m.ID, params, by, out, done)
		return
	case m.Method == rpc.MethodList:
		result, refused = c.server.list(params)
	case m.Method == rpc.MethodDiscover && by.stateless:
		result = c.server.discover()
	case m.Method == rpc.MethodInitialize && !by.stateless:
		result, refused = c.initialize(params)
	case m.Method == rpc.MethodPing && !by.stateless:
		result = rpc.Object()
	default:
		refused = &fault{code: rpc.MethodNotFound, message: "Unknown method " + transport.Line(m.Method, 64)}
	}
	if refused != nil {
		done(refused.answer(m.ID))
		return
	}
	if by.stateless {
		result = c.server.signed(result)
		if m.Method == rpc.MethodList || m.Method == rpc.MethodDiscover {
			result.Set("ttlMs", float64(cacheTime.Milliseconds()))
			result.Set("cacheScope", "private")
		}
	}
	done(rpc.Result(m.ID, result))
}

// from tells who sends a request: what the request says of itself, or else what
// the handshake came to.
func (c *connection) from(params *value.Object) (asking, *fault) {
	given, _ := params.Get("_meta")
	meta, _ := given.(*value.Object)
	version, said := meta.Get(rpc.MetaVersion)
	text, _ := version.(string)
	switch {
	case !said || rpc.WithHandshake(text):
		version, forms := c.agreed()
		return asking{version: version, forms: forms}, nil
	case text != rpc.VersionStateless:
		return asking{}, unsupported(text)
	}
	given, _ = meta.Get(rpc.MetaCapabilities)
	capabilities, ok := given.(*value.Object)
	if !ok {
		return asking{}, invalidParams("params._meta: Expected an object under %s", rpc.MetaCapabilities)
	}
	return asking{version: text, stateless: true, forms: answersForms(capabilities)}, nil
}

func unsupported(version string) *fault {
	return &fault{
		code: rpc.UnsupportedVersion, message: "Unknown revision of the protocol " + transport.Line(version, 64),
		data: rpc.Object("requested", transport.Line(version, 64), "supported", versions()),
	}
}

// versions are the revisions that the server speaks, the newest first.
func versions() []value.Value {
	list := []value.Value{rpc.VersionStateless}
	for _, version := range rpc.Handshakes {
		list = append(list, version)
	}
	return list
}

// answersForms tells whether a client says that it shows forms. One that names no
// mode shows forms, and nothing else.
func answersForms(capabilities *value.Object) bool {
	given, _ := capabilities.Get("elicitation")
	modes, ok := given.(*value.Object)
	return ok && (modes.Len() == 0 || modes.Has("form"))
}

// initialize is the handshake.
func (c *connection) initialize(params *value.Object) (*value.Object, *fault) {
	given, _ := params.Get("protocolVersion")
	version, ok := given.(string)
	if !ok {
		return nil, invalidParams("params.protocolVersion: Expected a text")
	}
	if !rpc.WithHandshake(version) {
		version = rpc.VersionHandshake
	}
	given, _ = params.Get("capabilities")
	capabilities, _ := given.(*value.Object)
	c.agree(version, answersForms(capabilities) && version >= rpc.VersionForms)
	return rpc.Object(
		"protocolVersion", version,
		"capabilities", rpc.Object("tools", rpc.Object()),
		"serverInfo", c.server.info(),
		"instructions", instructions,
	), nil
}

func (s *Server) info() *value.Object {
	return rpc.Object("name", "auto", "title", "auto", "version", s.version)
}

// discover says what the handshake says, where there is none.
func (s *Server) discover() *value.Object {
	return rpc.Object(
		"supportedVersions", versions(),
		"capabilities", rpc.Object("tools", rpc.Object()),
		"instructions", instructions,
	)
}

// signed adds to a result what every result says in the revision without a
// handshake.
func (s *Server) signed(result *value.Object) *value.Object {
	if !result.Has("resultType") {
		result.Set("resultType", "complete")
	}
	result.Set("_meta", rpc.Object(rpc.MetaServer, s.info()))
	return result
}

// list lists the tools, all on one page.
func (s *Server) list(params *value.Object) (*value.Object, *fault) {
	if cursor, ok := params.Get("cursor"); ok && cursor != nil {
		return nil, invalidParams("params.cursor: Expected none; all tools are on one page")
	}
	list := make([]value.Value, len(s.tools))
	for i, tool := range s.tools {
		listed, err := tool.listed()
		if err != nil {
			return nil, s.broke(err)
		}
		list[i] = listed
	}
	return rpc.Object("tools", list), nil
}

// broke is a failure of the program, which the operator is told too.
func (s *Server) broke(err error) *fault {
	s.warn(transport.Line(err.Error(), 1000))
	return &fault{code: rpc.InternalError, message: "The server failed: " + transport.Line(err.Error(), 300)}
}
