package example

import (
	"bufio"
	"io"
	"slices"

	"github.com/beonauto/auto/engine/value"
)

// This file speaks MCP over two streams, one message a line.

// versions are the revisions of the protocol that the server speaks, the one it
// offers to a client that asks for another first.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

const (
	longestLine = 1 << 20
	deepest     = 64

	parseError     = -32700
	methodNotFound = -32601
	invalidParams  = -32602
)

// service is a server: its name and its tools.
type service struct {
	name  string
	tools func() []tool
}

// Serve answers requests until the input ends. Version is that of the program,
// as clients are told it.
func (n *Notes) Serve(in io.Reader, out io.Writer, version string) error {
	return service{"auto-notes", n.tools}.serve(in, out, version)
}

// Serve answers requests until the input ends. Version is that of the program,
// as clients are told it.
func (c *Chat) Serve(in io.Reader, out io.Writer, version string) error {
	return service{"auto-chat", c.tools}.serve(in, out, version)
}

func (s service) serve(in io.Reader, out io.Writer, version string) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		answer := s.answer(lines.Bytes(), version)
		if answer == nil {
			continue
		}
		if _, err := out.Write(append(value.AppendJSON(nil, answer), '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

// answer gives the answer to a message; nil for one that wants none.
func (s service) answer(text []byte, version string) *value.Object {
	v, err := value.ParseJSON(text, deepest)
	message, ok := v.(*value.Object)
	if err != nil || !ok {
		return failed(nil, parseError, "Parse error")
	}
	id, ok := message.Get("id")
	if !ok || !message.Has("method") {
		return nil // a notification, or an answer to nothing that was asked
	}
	given, _ := message.Get("params")
	params, _ := given.(*value.Object)
	switch stringOf(message, "method") {
	case "initialize":
		spoken := stringOf(params, "protocolVersion")
		if !slices.Contains(versions, spoken) {
			spoken = versions[0]
		}
		return succeeded(id, object(
			"protocolVersion", spoken,
			"capabilities", object("tools", object()),
			"serverInfo", object("name", s.name, "version", version),
		))
	case "ping":
		return succeeded(id, object())
	case "tools/list":
		listed := []value.Value{}
		for _, t := range s.tools() {
			listed = append(listed, t.listed())
		}
		return succeeded(id, object("tools", listed))
	case "tools/call":
		return s.call(id, params)
	}
	return failed(id, methodNotFound, "Method not found")
}

func (s service) call(id value.Value, params *value.Object) *value.Object {
	all := s.tools()
	at := slices.IndexFunc(all, func(t tool) bool { return t.name == stringOf(params, "name") })
	if at < 0 {
		return failed(id, invalidParams, "Unknown tool "+stringOf(params, "name"))
	}
	arguments, _ := params.Get("arguments")
	given, ok := arguments.(*value.Object)
	if !ok && arguments != nil {
		return failed(id, invalidParams, "Expected the arguments to be an object")
	}
	if wrong := all[at].check(given); wrong != "" {
		return failed(id, invalidParams, wrong)
	}
	result, err := all[at].call(given)
	if err != nil {
		return succeeded(id, object("content", textContent(err.Error()), "isError", true))
	}
	return succeeded(id, object("content", textContent(value.JSON(result)), "structuredContent", result))
}

func textContent(words string) value.Value {
	return []value.Value{object("type", "text", "text", words)}
}

func succeeded(id value.Value, result *value.Object) *value.Object {
	return object("jsonrpc", "2.0", "id", id, "result", result)
}

func failed(id value.Value, code float64, words string) *value.Object {
	return object("jsonrpc", "2.0", "id", id, "error", object("code", code, "message", words))
}
