package google

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// account writes the file of a service account whose tokens a server gives.
func account(t *testing.T, tokens string) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "tea@house.iam.gserviceaccount.com", "token_uri": tokens, "quota_project_id": "tea-project",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "account.json")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestServiceAccount(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"access_token":"token-1","token_type":"Bearer","expires_in":3600}`))
	}))
	defer server.Close()
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", account(t, server.URL))
	source := New(server.Client())
	for range 2 {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://europe-west1-aiplatform.googleapis.com/v1", nil)
		if err := source.Authorize(t.Context(), request, nil); err != nil {
			t.Fatal(err)
		}
		if request.Header.Get("Authorization") != "Bearer token-1" || request.Header.Get("x-goog-user-project") != "tea-project" {
			t.Errorf("sent %v", request.Header)
		}
	}
	if asked != 1 {
		t.Errorf("%d tokens for two requests", asked)
	}
}

func TestNoCredentials(t *testing.T) {
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "none.json"))
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://europe-west1-aiplatform.googleapis.com/v1", nil)
	if err := New(http.DefaultClient).Authorize(t.Context(), request, nil); err == nil || request.Header.Get("Authorization") != "" {
		t.Errorf("%v, %v", err, request.Header)
	}
}
