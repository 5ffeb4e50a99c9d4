package tool_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
)

// This file tests servers whose lists and answers are made to cost much, or to pass
// for something else.

// TestAServerThatSwitchesProtocolsIsNotWaitedFor answers with what ends in no
// context: the bare connection.
func TestAServerThatSwitchesProtocolsIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = connection.Close() })
			_, _ = connection.Read(make([]byte, 64<<10))
			_, _ = connection.Write([]byte("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"))
		}
	}()
	servers := serversOf(t, "tool_servers:\n  - name: notes\n    url: http://"+listener.Addr().String()+"/mcp\n", tool.Options{})
	_, failure := servers.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "another protocol than HTTP")
}

func TestAToolWithANameTooLongToWriteIsLeftOut(t *testing.T) {
	t.Parallel()
	fits := strings.Repeat("n", 256)
	d := &double.Server{Pages: []string{`{"tools":[{"name":"` + fits + `"},{"name":"` + fits + `n"},{"name":"echo"}]}`}}
	tools, failure := reach(t, "http", d, tool.Options{}).List(context.Background(), "notes")
	must(t, failure)
	if len(tools) != 2 || tools[0].Name != fits || tools[1].Name != "echo" {
		t.Errorf("it lists %d tools", len(tools))
	}
}

// TestLongKeysOfASchemaAreCutInWarnings keeps what a run records of a schema small,
// and the walk through it quick: no clock judges that, since one without a bound
// takes minutes.
func TestLongKeysOfASchemaAreCutInWarnings(t *testing.T) {
	t.Parallel()
	var inner strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&inner, `"q%d":{"type":"string"},`, i)
	}
	schema := `{"type":"object","properties":{"` + strings.Repeat("p", 1<<20) + `":{"type":"object","properties":{` + inner.String() + `"last":{"maxLength":3}}}}}`
	bounds := tool.UsualBounds
	d := &double.Server{Pages: []string{`{"tools":[{"name":"echo","inputSchema":` + schema + `}]}`}}
	servers := reach(t, "http", d, tool.Options{Bounds: &bounds})
	offered, failure := servers.Offer(context.Background(), []definition.Tool{{Server: "notes", Name: "echo"}})
	must(t, failure)
	warnings := offered[0].Warnings()
	if len(warnings) != 1 || len(warnings[0]) > 400 || !strings.HasSuffix(warnings[0], "pp…/properties/last/maxLength") {
		t.Errorf("%d warnings: %.500q", len(warnings), warnings)
	}
}

// TestAFailureIsOneLine keeps a server from writing lines that look like the
// program's own.
func TestAFailureIsOneLine(t *testing.T) {
	t.Parallel()
	servers := reach(t, "stdio", faults("initialize", "error:-32000:no\r\nauto: all is well\n\n\tat once"), tool.Options{})
	_, failure := servers.List(context.Background(), "notes")
	wants(t, failure, tool.Failing, "answered with an error: no auto: all is well at once")
}
