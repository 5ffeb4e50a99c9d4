package model_test

import (
	"bufio"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	clockdouble "github.com/beonauto/auto/engine/clock/double"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
)

// certificateOf writes a server's certificate to a file.
func certificateOf(t *testing.T, server *double.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func callThrough(t *testing.T, client *http.Client, provider model.Provider) (*model.Outcome, error) {
	t.Helper()
	configuration := model.Configuration{Providers: []model.Provider{provider}}
	return model.New(configuration, model.Options{HTTP: client, Clock: clockdouble.New()}).Call(t.Context(), callOf(wire.Gateway))
}

func TestExtraAuthorities(t *testing.T) {
	t.Parallel()
	server := double.NewTLS(t, wire.Gateway, double.Say(wire.Gateway, "Ready"))
	environment := map[string]string{"NODE_EXTRA_CA_CERTS": certificateOf(t, server)}
	client := model.NewHTTP(model.TransportOf(func(name string) (string, bool) { v, ok := environment[name]; return v, ok }))
	outcome, err := callThrough(t, client, server.Provider("gateway"))
	if err != nil || outcome.Answer.Text != "Ready" {
		t.Errorf("%+v, %v", outcome, err)
	}
	warned := ""
	client = model.NewHTTP(model.Transport{ExtraAuthorities: filepath.Join(t.TempDir(), "none.pem"), Warn: func(message string) { warned = message }})
	if _, err := callThrough(t, client, server.Provider("gateway")); err == nil || warned != "NODE_EXTRA_CA_CERTS: the file cannot be read" {
		t.Errorf("%v, warned %q", err, warned)
	}
	warned = ""
	server = double.New(t, wire.Gateway, double.Say(wire.Gateway, "Ready"))
	client = model.NewHTTP(model.Transport{ExtraAuthorities: filepath.Join(t.TempDir(), "none.pem"), Warn: func(message string) { warned = message }})
	if outcome, err := callThrough(t, client, server.Provider("gateway")); err != nil || outcome.Answer.Text != "Ready" || warned != "" {
		t.Errorf("a request that needs no authority: %v, warned %q", err, warned)
	}
}

// proxy passes on what it is asked to, and counts.
func proxy(t *testing.T, to string) (*url.URL, *atomic.Int64) {
	t.Helper()
	used := &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		used.Add(1)
		if r.Method != http.MethodConnect {
			_, _ = io.WriteString(w, double.Say(wire.Gateway, "through the proxy for "+r.URL.Host).Body)
			return
		}
		upstream, err := net.Dial("tcp", to)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer upstream.Close()
		client, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer client.Close()
		_, _ = io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
		go func() { _, _ = io.Copy(upstream, buffered) }()
		_, _ = io.Copy(client, bufio.NewReader(upstream))
	}))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return address, used
}

func TestProxy(t *testing.T) {
	t.Parallel()
	server := double.NewTLS(t, wire.Gateway, double.Say(wire.Gateway, "Ready"))
	address, used := proxy(t, server.Listener.Addr().String())
	client := model.NewHTTP(model.Transport{ExtraAuthorities: certificateOf(t, server), Proxy: http.ProxyURL(address)})
	// example.com is a name of the test server's certificate; only the proxy
	// knows where it is.
	provider := server.Provider("gateway")
	provider.BaseURL = "https://example.com/v1"
	outcome, err := callThrough(t, client, provider)
	if err != nil || outcome.Answer.Text != "Ready" || used.Load() != 1 {
		t.Errorf("%+v, %v after %d connections", outcome, err, used.Load())
	}
}

// TestProxyOfTheEnvironment runs in a process of its own, since Go reads
// HTTP_PROXY once.
func TestProxyOfTheEnvironment(t *testing.T) {
	const asked = "AUTO_TEST_PROXIED_CALL"
	if os.Getenv(asked) != "" {
		provider := model.Provider{Endpoint: wire.Endpoint{Route: wire.Gateway, Provider: "gateway", BaseURL: "http://gateway.test/v1"}}
		outcome, err := callThrough(t, model.NewHTTP(model.Transport{}), provider)
		if err != nil || outcome.Answer.Text != "through the proxy for gateway.test" {
			t.Fatalf("%+v, %v", outcome, err)
		}
		return
	}
	address, used := proxy(t, "")
	output, err := child(t, "TestProxyOfTheEnvironment", asked+"=1", "HTTP_PROXY="+address.String(), "NO_PROXY=", "no_proxy=")
	if err != nil || used.Load() != 1 {
		t.Errorf("%v after %d requests: %s", err, used.Load(), output)
	}
}

// TestCertificateFileOfTheEnvironment: SSL_CERT_FILE is Go's own, and works.
func TestCertificateFileOfTheEnvironment(t *testing.T) {
	const asked = "AUTO_TEST_TRUSTED_CALL"
	if address := os.Getenv(asked); address != "" {
		provider := model.Provider{Endpoint: wire.Endpoint{Route: wire.Gateway, Provider: "gateway", BaseURL: address}}
		if outcome, err := callThrough(t, model.NewHTTP(model.Transport{}), provider); err != nil {
			t.Fatalf("%+v, %v", outcome, err)
		}
		return
	}
	server := double.NewTLS(t, wire.Gateway, double.Say(wire.Gateway, "Ready"))
	output, err := child(t, "TestCertificateFileOfTheEnvironment", asked+"="+server.URL, "SSL_CERT_FILE="+certificateOf(t, server))
	if err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := double.New(t, wire.Anthropic, double.Say(wire.Anthropic, "stolen"))
	server := double.New(t, wire.Anthropic, double.Reply{Status: 307, Fault: double.Redirect, Body: elsewhere.URL + "/v1/messages"})
	_, failure := benchOf(server).fails(t, callOf(wire.Anthropic))
	if failure.Kind != model.ProviderUnavailable || len(elsewhere.Requests()) != 0 {
		t.Errorf("%s, %d requests elsewhere", failure.Kind, len(elsewhere.Requests()))
	}
	if strings.Contains(failure.Detail(model.Tools{}), elsewhere.URL) {
		t.Error("the address of a redirect is shown")
	}
}

// TestAProviderThatSwitchesProtocolsIsNotWaitedFor answers with what no deadline
// would end.
func TestAProviderThatSwitchesProtocolsIsNotWaitedFor(t *testing.T) {
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
			_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		}
	}()
	server := double.New(t, wire.Gateway, double.Say(wire.Gateway, "Ready"))
	server.URL = "http://" + listener.Addr().String()
	_, err = callThrough(t, model.NewHTTP(model.Transport{}), server.Provider("gateway"))
	var failure *model.Failure
	if !errors.As(err, &failure) || failure.Kind != model.ProviderUnavailable {
		t.Errorf("%v", err)
	}
}
