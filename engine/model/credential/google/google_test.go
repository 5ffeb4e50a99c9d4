package google

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// oneKey is made once: that takes long.
var oneKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// newKey gives a key, and the key in PEM form.
func newKey(t *testing.T) (*rsa.PrivateKey, string) {
	t.Helper()
	key, err := oneKey()
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// account writes the file of a service account whose tokens a server gives.
func account(t *testing.T, tokens string) string {
	t.Helper()
	_, key := newKey(t)
	file, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "tea@house.iam.gserviceaccount.com", "token_uri": tokens, "quota_project_id": "tea-project",
		"private_key": key,
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

// TestMachine asks the metadata service, whose token is used until it is nearly
// over.
func TestMachine(t *testing.T) {
	t.Parallel()
	double := newDouble(t)
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	source := from(&surroundings{
		lookup: func(name string) (string, bool) {
			if name != "GCE_METADATA_HOST" {
				return "", false
			}
			return double.Listener.Addr().String(), true
		},
		home: t.TempDir, now: func() time.Time { return now }, near: &obtain.Asker{Client: double.Client()},
	})
	for _, minutes := range []int{0, 20, 26} {
		now = now.Add(time.Duration(minutes) * time.Minute)
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://europe-west1-aiplatform.googleapis.com/v1", nil)
		if err := source.Authorize(t.Context(), request, nil); err != nil {
			t.Fatal(err)
		}
		if got := request.Header.Get("Authorization"); got != "Bearer token-of-machine" {
			t.Errorf("sent %q", got)
		}
	}
	asked := "GET /computeMetadata/v1/instance/service-accounts/default/token?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform  Metadata-Flavor=Google"
	if want := []string{asked, asked}; !slices.Equal(double.asked, want) {
		t.Errorf("asked %q", double.asked)
	}
}

// TestNowhere says where it looked.
func TestNowhere(t *testing.T) {
	t.Parallel()
	source := from(&surroundings{
		lookup: func(string) (string, bool) { return "", false }, home: t.TempDir, now: time.Now,
		near: &obtain.Asker{Client: &http.Client{Transport: refusing{}}, Sleep: func(context.Context, time.Duration) error { return nil }},
	})
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://europe-west1-aiplatform.googleapis.com/v1", nil)
	err := source.Authorize(t.Context(), request, nil)
	const want = "no Google credentials: GOOGLE_APPLICATION_CREDENTIALS is not set; there is no file of `gcloud auth application-default login`; no metadata service of Google answers on this machine"
	if err == nil || err.Error() != want {
		t.Errorf("said %v", err)
	}
}

// refusing is a network that reaches nobody.
type refusing struct{}

func (refusing) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("refused") }
