package aws

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// alone gives the chain nothing but what a test sets.
func alone(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_WEB_IDENTITY_TOKEN_FILE"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_CONFIG_FILE", t.TempDir()+"/config")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", t.TempDir()+"/credentials")
}

func authorized(t *testing.T, source *Source) (string, error) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://bedrock-runtime.eu-central-1.amazonaws.com/model/m/converse", nil)
	err := source.Authorize(t.Context(), request, []byte("{}"))
	return request.Header.Get("Authorization"), err
}

func TestChain(t *testing.T) {
	t.Run("the environment", func(t *testing.T) {
		alone(t)
		t.Setenv("AWS_ACCESS_KEY_ID", "AKIAENV")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
		if got, err := authorized(t, New("eu-central-1", nil)); err != nil || !strings.Contains(got, "Credential=AKIAENV/") {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("a container", func(t *testing.T) {
		alone(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"AccessKeyId":"AKIATASK","SecretAccessKey":"secret","Token":"token","Expiration":"2099-01-01T00:00:00Z"}`))
		}))
		defer server.Close()
		t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", server.URL+"/credentials")
		if got, err := authorized(t, New("eu-central-1", nil)); err != nil || !strings.Contains(got, "Credential=AKIATASK/") {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("nothing, and later something", func(t *testing.T) {
		alone(t)
		source := New("eu-central-1", nil)
		if got, err := authorized(t, source); err == nil || got != "" {
			t.Errorf("%q, %v", got, err)
		}
	})
}
