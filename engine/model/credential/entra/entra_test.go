package entra

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// tenant answers as Entra ID does.
type tenant struct{ asked []string }

func (e *tenant) RoundTrip(request *http.Request) (*http.Response, error) {
	e.asked = append(e.asked, request.URL.Path)
	body := `{"token_type":"Bearer","expires_in":3600,"access_token":"token-1"}`
	switch {
	case strings.Contains(request.URL.Path, "discovery/instance"):
		body = `{"tenant_discovery_endpoint":"https://login.microsoftonline.com/house/v2.0/.well-known/openid-configuration","metadata":[]}`
	case strings.Contains(request.URL.Path, "openid-configuration"):
		body = `{"token_endpoint":"https://login.microsoftonline.com/house/oauth2/v2.0/token","issuer":"https://login.microsoftonline.com/house/v2.0","authorization_endpoint":"https://login.microsoftonline.com/house/oauth2/v2.0/authorize"}`
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: request}, nil
}

func TestClientSecret(t *testing.T) {
	t.Setenv("AZURE_TENANT_ID", "house")
	t.Setenv("AZURE_CLIENT_ID", "tea")
	t.Setenv("AZURE_CLIENT_SECRET", "secret")
	tenant := &tenant{}
	source := New(&http.Client{Transport: tenant})
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://res.openai.azure.com/openai/v1/responses", nil)
	if err := source.Authorize(t.Context(), request, nil); err != nil {
		t.Fatal(err, tenant.asked)
	}
	if got := request.Header.Get("Authorization"); got != "Bearer token-1" {
		t.Errorf("sent %q after asking %v", got, tenant.asked)
	}
}
