package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// This file holds the protocol against tables of messages.

func TestHandshakeAgreesOnAVersion(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "2099-01-01": "2025-11-25", "": "2025-11-25",
	} {
		p := open(t, newServer(newTrials(), nil))
		answer := p.greet(asked, `{}`)
		if got := at(answer, "/result/protocolVersion"); got != `"`+want+`"` {
			t.Errorf("%s: %s", asked, got)
		}
		if got := at(answer, "/result/serverInfo"); got != `{"name":"auto","title":"auto","version":"1.2.3"}` {
			t.Errorf("%s: %s", asked, got)
		}
		if at(answer, "/result/capabilities") != `{"tools":{}}` || len(at(answer, "/result/instructions")) < 50 {
			t.Errorf("%s: %s", asked, value.JSON(answer))
		}
	}
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// TestMessages gives the answer to a message that comes after a handshake of
// 2025-11-25; an empty one means that nothing is answered.
func TestMessages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, sent, answer string }{
		{"ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"ping with parameters", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"text as id", `{"jsonrpc":"2.0","id":"a/1","method":"ping"}`, `{"jsonrpc":"2.0","id":"a/1","result":{}}`},
		{"empty id", `{"jsonrpc":"2.0","id":"","method":"ping"}`, `{"jsonrpc":"2.0","id":"","result":{}}`},
		{"zero as id", `{"jsonrpc":"2.0","id":0,"method":"ping"}`, `{"jsonrpc":"2.0","id":0,"result":{}}`},
		{"negative id", `{"jsonrpc":"2.0","id":-7,"method":"ping"}`, `{"jsonrpc":"2.0","id":-7,"result":{}}`},
		{"id past 2^53", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`},
		{"fraction as id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"result":{}}`},
		{"bytes that are no text", "{\"jsonrpc\":\"2.0\",\"id\":\"caf\xe9\",\"method\":\"ping\"}", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"The message is not UTF-8"}}`},
		{"null as id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id: Expected a text or a number"}}`},
		{"object as id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id: Expected a text or a number"}}`},
		{"carriage return", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", `{"jsonrpc":"2.0","id":1,"result":{}}`},

		{"not JSON", `hello`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"half a message", `{"jsonrpc":"2.0","id":1,`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"too deep", strings.Repeat("[", 700) + strings.Repeat("]", 700), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"a number", `7`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Expected a message, which is an object"}}`},
		{"an empty object", `{}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"jsonrpc: Expected 2.0"}}`},
		{"no version", `{"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"jsonrpc: Expected 2.0"}}`},
		{"version 1", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"jsonrpc: Expected 2.0"}}`},
		{"method of a wrong type", `{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"method: Expected a text"}}`},
		{"list of parameters", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params: Expected an object"}}`},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Unknown method prompts/list"}}`},
		{"greeting without a version", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.protocolVersion: Expected a text"}}`},
		{"discovery without its revision", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Unknown method server/discover"}}`},

		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/unheard"}`, ``},
		{"cancellation of nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, ``},
		{"cancellation of a wrong type", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`, ``},
		{"answer to nothing", `{"jsonrpc":"2.0","id":12,"result":{}}`, ``},
		{"error to nothing", `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}`, ``},
		{"an empty line", ``, ``},
		{"spaces", `   `, ``},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Batches are not part of this revision of the protocol"}}`},

		{"page that is not", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.cursor: Expected none; all tools are on one page"}}`},
		{"call without a name", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name: Expected a text"}}`},
		{"call without parameters", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name: Expected a text"}}`},
		{"unknown tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_not"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool echo_not; did you mean echo_note?"}}`},
		{"arguments of a wrong type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_note","arguments":[]}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.arguments: Expected an object"}}`},
		{"call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_note","arguments":{"times":2,"note":"ship"}}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"times\":2,\"note\":\"ship\"}"}],"structuredContent":{"times":2,"note":"ship"}}}`},
		{"arguments that do not match", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_note","arguments":{"times":12,"colour":1}}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The input is not valid: The arguments are not valid\n- /note: `},
		{"rejection", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"reject"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`},
		{"failure", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail","arguments":null}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`},
		{"panic", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"panic"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`},

		{"stateless ping", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + meta + `}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Unknown method ping"}}`},
		{"stateless greeting", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` + meta + `}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Unknown method initialize"}}`},
		{"stateless without capabilities", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta: Expected an object under io.modelcontextprotocol/clientCapabilities"}}`},
		{"stateless of the future", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unknown revision of the protocol 2099-01-01","data":{"requested":"2099-01-01","supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]}}}`},
		{"stateless call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_note","arguments":{"note":"ship"},` + meta + `}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"note\":\"ship\"}"}],"structuredContent":{"note":"ship"},"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"auto","title":"auto","version":"1.2.3"}}}}`},
		{"discovery", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"capabilities":{"tools":{}},"instructions":`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, newServer(newTrials(), nil))
			p.greet("2025-11-25", `{}`)
			p.send(test.sent)
			// What follows shows that the server goes on, and that nothing else was said.
			if test.answer != "" {
				if got := p.read(); got != test.answer && (strings.HasSuffix(test.answer, "}}") || !strings.HasPrefix(got, test.answer)) {
					t.Errorf("%s\n got %s\nwant %s", test.sent, got, test.answer)
				}
			}
			p.send(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
			if got := p.read(); got != `{"jsonrpc":"2.0","id":"after","result":{}}` {
				t.Errorf("%s: %s", test.sent, got)
			}
			if rest, err := p.end(); rest != "" || err != nil {
				t.Errorf("it ended with %v and %s", err, rest)
			}
		})
	}
}

func TestRejectionsAreWordsAndADocument(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct{ words, document string }{
		"reject": {"%s: The document has changed\n- /source: Line 3: Unknown key colour",
			`{"type":"https://on.auto/problems/conflict","title":"%s","status":409,"detail":"The document has changed","issues":[{"pointer":"/source","detail":"Line 3: Unknown key colour"}]}`},
		"fail":  {"%s: the store is held by auto inbox", `{"type":"https://on.auto/problems/failed","title":"%s","status":500,"detail":"the store is held by auto inbox"}`},
		"panic": {"%s: The program failed, which is a fault of auto", `{"type":"https://on.auto/problems/failed","title":"%s","status":500,"detail":"The program failed, which is a fault of auto"}`},
	} {
		var warned []string
		p := open(t, newServer(newTrials(), func(o *Options) { o.Warn = func(message string) { warned = append(warned, message) } }))
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `"}}`)
		answer := p.object()
		document, _ := value.Lookup(answer, "/result/content/1/text")
		title := strings.Trim(at(objectOf(t, document.(string)), "/title"), `"`)
		if got, want := document.(string), fmt.Sprintf(want.document, title); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got, _ := value.Lookup(answer, "/result/content/0/text"); got != fmt.Sprintf(want.words, title) {
			t.Errorf("%s: %v", name, got)
		}
		if at(answer, "/result/isError") != "true" || at(answer, "/result/structuredContent") != "" {
			t.Errorf("%s: %s", name, value.JSON(answer))
		}
		if _, err := p.end(); err != nil {
			t.Error(err)
		}
		if (len(warned) > 0) != (name != "reject") {
			t.Errorf("%s: the operator read %q", name, warned)
		}
	}
}

func TestListsTools(t *testing.T) {
	t.Parallel()
	for _, params := range []string{``, `{}`, `{` + meta + `}`} {
		p := open(t, newServer(newTrials(), nil))
		sent := `{"jsonrpc":"2.0","id":1,"method":"tools/list"`
		if params != "" {
			sent += `,"params":` + params
		}
		p.send(sent + `}`)
		answer := p.object()
		if got := at(answer, "/result/tools/0"); got != `{"name":"echo_note","title":"Echo a note","description":"Gives the note back.","inputSchema":`+compact(t, noteInput)+`,"outputSchema":`+compact(t, noteOutput)+
			`,"annotations":{"title":"Echo a note","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}}` {
			t.Error(got)
		}
		if got := at(answer, "/result/tools/2/annotations"); got != `{"title":"Fail","readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}` {
			t.Error(got)
		}
		if stateless := strings.Contains(params, "_meta"); (at(answer, "/result/ttlMs") == "300000") != stateless || (at(answer, "/result/resultType") == `"complete"`) != stateless {
			t.Errorf("%s: %s", params, value.JSON(answer))
		}
	}
}

func compact(t *testing.T, text string) string {
	t.Helper()
	return value.JSON(objectOf(t, text))
}

func TestBatches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, version, sent, answer string }{
		{"in the order sent", "2025-03-26", `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_note","arguments":{"note":"a"}}},{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":2,"method":"ping"}]`,
			`[{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"note\":\"a\"}"}],"structuredContent":{"note":"a"}}},` +
				`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Expected a message, which is an object"}},{"jsonrpc":"2.0","id":2,"result":{}}]`},
		{"notifications alone", "2024-11-05", `[{"jsonrpc":"2.0","method":"x"}]`, ``},
		{"empty", "2025-03-26", `[]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The batch is empty"}}`},
		{"too many", "2025-03-26", `[` + strings.Repeat(`1,`, 100) + `1]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The batch holds more than 100 messages"}}`},
		{"gone again", "2025-06-18", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Batches are not part of this revision of the protocol"}}`},
	} {
		p := open(t, newServer(newTrials(), nil))
		p.greet(test.version, `{}`)
		p.send(test.sent)
		if test.answer != "" {
			if got := p.read(); got != test.answer {
				t.Errorf("%s: %s", test.name, got)
			}
		}
		if rest, err := p.end(); rest != "" || err != nil {
			t.Errorf("%s: it ended with %v and %s", test.name, err, rest)
		}
	}
}

// TestSchemasOfTrials keeps the tests honest: what the trials give matches what
// they say they give.
func TestSchemasOfTrials(t *testing.T) {
	t.Parallel()
	for _, operation := range newTrials().operations() {
		for _, text := range []string{operation.Input, operation.Output} {
			if _, problems := schema.FromValue(objectOf(t, text)); len(problems) > 0 {
				t.Errorf("%s: %v", operation.Name, problems)
			}
		}
	}
}
