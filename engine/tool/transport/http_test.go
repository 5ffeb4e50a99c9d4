package transport_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/tool/transport"
)

func TestWhatAStatusMeans(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	h := &transport.HTTP{Now: func() time.Time { return now }, RequestIDHeader: "X-Request-Id"}
	for _, test := range []struct {
		status     int
		retryAfter string
		said       string
		kind       transport.Kind
		wait       time.Duration
		message    string
	}{
		{429, "3", "", transport.RateLimited, 3 * time.Second, "The server asks to slow down (HTTP 429)"},
		{429, "0.5", "", transport.RateLimited, time.Second / 2, "The server asks to slow down (HTTP 429)"},
		{429, "Sun, 01 Mar 2026 09:02:00 GMT", "", transport.RateLimited, 2 * time.Minute, "The server asks to slow down (HTTP 429)"},
		{429, "Sun, 01 Mar 2020 09:02:00 GMT", "", transport.RateLimited, 0, "The server asks to slow down (HTTP 429)"},
		{429, "1e300", "", transport.RateLimited, 24 * time.Hour, "The server asks to slow down (HTTP 429)"},
		{429, "-1", "", transport.RateLimited, -1, "The server asks to slow down (HTTP 429)"},
		{429, "NaN", "", transport.RateLimited, -1, "The server asks to slow down (HTTP 429)"},
		{429, "soon", "quota", transport.RateLimited, -1, "The server asks to slow down (HTTP 429): quota"},
		{401, "", "", transport.KeyRefused, -1, "The server did not accept the key it was given (HTTP 401)"},
		{403, "", "", transport.KeyRefused, -1, "The server did not accept the key it was given (HTTP 403)"},
		{308, "", "", transport.Failing, -1, "The server sends its callers elsewhere (HTTP 308), which is never followed"},
		{503, "60", "", transport.Failing, time.Minute, "The server failed (HTTP 503)"},
	} {
		response := &http.Response{StatusCode: test.status, Header: http.Header{"X-Request-Id": {" q-1\r\nx"}}}
		if test.retryAfter != "" {
			response.Header.Set("Retry-After", test.retryAfter)
		}
		got := h.Fault(response, test.said)
		if got.Kind != test.kind || got.RetryAfter != test.wait || got.Message != test.message || got.RequestID != "q-1" || got.Status != test.status {
			t.Errorf("%d %q: %+v", test.status, test.retryAfter, got)
		}
	}
}

func TestSameOrigin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"https://a.example/x", "https://A.example:443/y", true},
		{"http://a.example", "http://a.example:80", true},
		{"http://a.example", "https://a.example", false},
		{"https://a.example", "https://a.example:8443", false},
		{"https://a.example", "https://b.example", false},
		{"https://a.example", "https://a.example.evil", false},
	} {
		a, _ := url.Parse(test.a)
		b, _ := url.Parse(test.b)
		if got := transport.SameOrigin(a, b); got != test.want {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}

func TestCutAndLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 10, "short"}, {"ééééé", 8, "éé…"}, {"abcdef", 4, "a…"}, {"abcdef", 2, "…"},
	} {
		if got := transport.Cut(test.text, test.limit); got != test.want {
			t.Errorf("%q cut at %d is %q, want %q", test.text, test.limit, got, test.want)
		}
	}
	if got := transport.Line("\n a\x00b\tc \r\nd", 100); got != "a b c" {
		t.Errorf("%q", got)
	}
	for bytes, want := range map[int64]string{4 << 20: "4 MiB", 64 << 10: "64 KiB", 100: "100 bytes", 1<<20 + 1: "1048577 bytes"} {
		if got := transport.Size(bytes); got != want {
			t.Errorf("%d is %q, want %q", bytes, got, want)
		}
	}
}
