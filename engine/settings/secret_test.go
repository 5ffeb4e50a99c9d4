package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// Whatever is printed, logged or written as JSON, a secret stays one, also deep
// inside a value whose fields are not exported.
func TestASecretNeverShows(t *testing.T) {
	t.Parallel()
	s, err := Read([]byte(house), environment(houseVariables()))
	if err != nil {
		t.Fatal(err)
	}
	type wrapper struct {
		secret  Secret
		list    []Secret
		byName  map[string]Secret
		pointer *Secret
		any     any
	}
	secret := hidden("canary")
	wrapped := wrapper{secret, []Secret{secret}, map[string]Secret{"a": secret}, &secret, secret}
	values := []any{secret, &secret, wrapped, &wrapped, s, *s, s.Gateways(), s.Providers(), s.ToolServers(), s.Secrets(), s.Facts()}
	var shown bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&shown, nil))
	plain := slog.New(slog.NewTextHandler(&shown, nil))
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%10.3s", "%p"} {
			fmt.Fprintf(&shown, verb+"\n", v)
		}
		fmt.Fprintln(&shown, v)
		logger.Info("settings", "value", v)
		plain.Info("settings", "value", v)
		text, err := json.Marshal(v)
		if err != nil {
			t.Error(err)
		}
		shown.Write(text)
	}
	all := shown.String()
	for _, canary := range []string{"canary", fmt.Sprintf("%x", "canary"), fmt.Sprintf("%X", "canary")} {
		if i := strings.Index(all, canary); i >= 0 {
			t.Fatalf("shown is %s", all[max(0, i-200):i+20])
		}
	}
	if secret.String() != "[redacted]" || secret.Reveal() != "canary" || !secret.IsSet() {
		t.Error("a secret lost its text")
	}
	var none Secret
	if text, err := json.Marshal(none); none.String() != "" || none.Reveal() != "" || none.IsSet() || string(text) != `""` || err != nil {
		t.Error("no secret shows as one")
	}
}
