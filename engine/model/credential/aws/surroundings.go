package aws

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/user"
	"strings"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file is what the chain sees of the process and the network.

// surroundings are read when a request first needs keys, never before.
type surroundings struct {
	region string
	dress  func(*http.Transport)
	now    func() time.Time
	lookup func(string) (string, bool)
	home   func() string
	run    func(ctx context.Context, command string, limit time.Duration) ([]byte, error)

	once   sync.Once
	remote *obtain.Asker // what is on the Internet
	failed error         // why there is no remote
	near   *obtain.Asker // what is on the machine's own network
}

// get is a variable's value; empty stands for unset.
func (s *surroundings) get(name string) string {
	text, _ := s.lookup(name)
	return text
}

// either is the value of the first variable that is set.
func (s *surroundings) either(names ...string) string {
	for _, name := range names {
		if text := s.get(name); text != "" {
			return text
		}
	}
	return ""
}

func (s *surroundings) isTrue(name string) bool { return strings.EqualFold(s.get(name), "true") }

func home() string {
	if folder, err := os.UserHomeDir(); err == nil && folder != "" {
		return folder
	}
	if person, err := user.Current(); err == nil {
		return person.HomeDir
	}
	return ""
}

// The metadata service answers within a network's own time, or not at all.
const (
	nearConnect = 250 * time.Millisecond
	nearAnswer  = 2 * time.Second
)

func (s *surroundings) connect() {
	s.once.Do(func() {
		round := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 90 * time.Second}
		if s.dress != nil {
			s.dress(round)
		}
		s.failed = s.trust(round)
		s.remote = &obtain.Asker{Client: client(round)}
		s.near = &obtain.Asker{Client: client(&http.Transport{
			DialContext:           (&net.Dialer{Timeout: nearConnect}).DialContext,
			ResponseHeaderTimeout: nearAnswer,
			IdleConnTimeout:       10 * time.Second,
		})}
	})
}

// client follows no redirect: keys must not follow one to another host.
func client(round http.RoundTripper) *http.Client {
	return &http.Client{Transport: round, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// trust adds the authorities that AWS's own settings name. As AWS has it, they
// stand in place of the system's.
func (s *surroundings) trust(round *http.Transport) error {
	file, name := s.get("AWS_CA_BUNDLE"), "AWS_CA_BUNDLE"
	if file == "" {
		file, name = s.profiles()[s.profileName()].get("ca_bundle"), "ca_bundle"
	}
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s: the file cannot be read", name)
	}
	if round.TLSClientConfig == nil {
		round.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if round.TLSClientConfig.RootCAs == nil {
		round.TLSClientConfig.RootCAs = x509.NewCertPool()
	}
	if !round.TLSClientConfig.RootCAs.AppendCertsFromPEM(text) {
		return fmt.Errorf("%s: the file holds no certificate in PEM form", name)
	}
	return nil
}
