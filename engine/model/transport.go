package model

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"
)

// This file makes the HTTP client that providers are called through: proxies
// and certificate authorities as the environment names them, and no redirects.

// Transport says what an HTTP client is made of.
type Transport struct {
	// ExtraAuthorities is a file of certificates to trust beside the system's
	// (NODE_EXTRA_CA_CERTS). SSL_CERT_FILE, which replaces the system's, needs
	// nothing: Go reads it.
	ExtraAuthorities string
	// Proxy picks the proxy of a request; nil: HTTPS_PROXY, HTTP_PROXY and
	// NO_PROXY.
	Proxy func(*http.Request) (*url.URL, error)
	// Warn is told of a file of certificates that cannot be read; nil: nobody.
	Warn func(message string)
}

// TransportOf is the transport that the environment names.
func TransportOf(lookup func(name string) (string, bool)) Transport {
	file, _ := lookup("NODE_EXTRA_CA_CERTS")
	return Transport{ExtraAuthorities: file}
}

// NewHTTP makes the client. It reads no file until a connection is made.
func NewHTTP(transport Transport) *http.Client {
	if transport.Proxy == nil {
		transport.Proxy = http.ProxyFromEnvironment
	}
	round := transport.round()
	if transport.ExtraAuthorities != "" {
		return &http.Client{Transport: &answers{&trusting{round: round, plain: transport.round(), from: transport}}, CheckRedirect: keepRedirect}
	}
	return &http.Client{Transport: &answers{round}, CheckRedirect: keepRedirect}
}

// round makes one transport of the client, which trusts the system's authorities.
func (t Transport) round() *http.Transport {
	return &http.Transport{
		Proxy:               t.Proxy,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 30 * time.Second,
		// Answers are small beside the work of making them, and a bound on a
		// body holds only for what is read of it.
		DisableCompression:     true,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// answers takes nothing for an answer but an answer: what follows on HTTP 101 is the
// bare connection, whose reading no deadline ends.
type answers struct{ round http.RoundTripper }

// ErrSwitched is a server that answers with HTTP 101.
var ErrSwitched = errors.New("it wants to speak another protocol than HTTP")

func (a *answers) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := a.round.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusSwitchingProtocols {
		_ = response.Body.Close()
		return nil, ErrSwitched
	}
	return response, err
}

// CloseIdleConnections closes what no request uses, for http.Client.
func (a *answers) CloseIdleConnections() {
	if round, can := a.round.(interface{ CloseIdleConnections() }); can {
		round.CloseIdleConnections()
	}
}

// keepRedirect makes a redirect a response like any other: a key must not
// follow it to another host.
func keepRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// authorities reads the certificates to trust: the system's, and those of a
// file beside them.
func authorities(file string) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return pool, fmt.Errorf("NODE_EXTRA_CA_CERTS: the file cannot be read")
	}
	if !pool.AppendCertsFromPEM(text) {
		return pool, fmt.Errorf("NODE_EXTRA_CA_CERTS: the file holds no certificate in PEM form")
	}
	return pool, nil
}

// trusting reads the extra authorities before its first request that trusts any:
// reading those of a system takes longer than all else that goes before a request.
type trusting struct {
	round *http.Transport
	plain *http.Transport // for what needs no authority
	from  Transport
	once  sync.Once
}

func (t *trusting) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme == "http" {
		// A proxy that cannot be told is the other transport's to refuse.
		if proxy, err := t.from.Proxy(request); err == nil && (proxy == nil || proxy.Scheme == "http") {
			return t.plain.RoundTrip(request)
		}
	}
	t.once.Do(func() { t.from.Dress(t.round) })
	return t.round.RoundTrip(request)
}

// CloseIdleConnections closes what no request uses, for http.Client.
func (t *trusting) CloseIdleConnections() {
	t.round.CloseIdleConnections()
	t.plain.CloseIdleConnections()
}

// Dress gives another transport the same proxy and authorities: one that a
// credential library makes. It reads the file of authorities.
func (t Transport) Dress(round *http.Transport) {
	round.Proxy = t.Proxy
	if t.Proxy == nil {
		round.Proxy = http.ProxyFromEnvironment
	}
	if t.ExtraAuthorities == "" {
		return
	}
	pool, err := authorities(t.ExtraAuthorities)
	if err != nil && t.Warn != nil {
		t.Warn(err.Error())
	}
	round.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}
