package cli

// This file reaches a tool server whose certificate only NODE_EXTRA_CA_CERTS
// makes trusted.

import (
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/tool/double"
)

func TestToolServersBehindAnAuthorityOfOnesOwn(t *testing.T) {
	t.Parallel()
	serving := httptest.NewUnstartedServer((&double.Server{}).Handler())
	serving.Config.ErrorLog = log.New(io.Discard, "", 0)
	serving.StartTLS()
	t.Cleanup(serving.Close)
	folder := t.TempDir()
	authority := filepath.Join(folder, "authority.pem")
	for file, text := range map[string]string{
		authority:                          string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: serving.Certificate().Raw})),
		filepath.Join(folder, "auto.yaml"): fmt.Sprintf("tool_servers:\n  - name: notes\n    url: %s/mcp\n", serving.URL),
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ file, said string }{
		{authority, "notes/post_message"},
		{"", "The tool server notes's certificate is not trusted"},
	} {
		s, stdout, stderr := streams("")
		s.Dir = folder
		s.Env = func(name string) string {
			if name == "NODE_EXTRA_CA_CERTS" {
				return c.file
			}
			return ""
		}
		Execute([]string{"tools"}, s)
		if text := stdout.String() + stderr.String(); !strings.Contains(text, c.said) {
			t.Errorf("with %q it says %s", c.file, text)
		}
	}
}
