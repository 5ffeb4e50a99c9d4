package server

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// This file keeps everyone out but the holders of the token, on this machine, and
// no page of a browser that was led here under another name.

// ShortestToken is how many characters a token has at least.
const ShortestToken = 16

// NewToken gives a token that nobody can guess.
func NewToken() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

// CheckToken tells what keeps a text from being a token; it never repeats it.
func CheckToken(token string) error {
	for _, c := range []byte(token) {
		if c <= ' ' || c > '~' {
			return fmt.Errorf("Expected a token of letters, digits and signs, without spaces")
		}
	}
	if len(token) < ShortestToken {
		return fmt.Errorf("Expected a token of at least %d characters", ShortestToken)
	}
	return nil
}

// An AddressError is an address that is not one of this machine alone.
type AddressError struct{ Message string }

func (e *AddressError) Error() string { return e.Message }

// Listen opens an address that only this machine reaches, such as 127.0.0.1:4242;
// port 0 takes a free one. The error is an *AddressError, or the system's.
func Listen(address string) (net.Listener, error) {
	const expected = "Expected an address of this machine with a port, such as 127.0.0.1:4242"
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return nil, &AddressError{expected}
	}
	if !isLoopback(host) {
		return nil, &AddressError{expected + "; others could reach " + address}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", address, err)
	}
	if on, ok := listener.Addr().(*net.TCPAddr); !ok || !on.IP.IsLoopback() {
		_ = listener.Close()
		return nil, &AddressError{expected + "; " + host + " is none"}
	}
	return listener, nil
}

// isLoopback tells whether a host is this machine's own, by its name.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return err == nil && ip.Unmap().IsLoopback()
}

// guard decides who is answered.
type guard struct{ token [sha256.Size]byte }

func newGuard(token string) guard { return guard{sha256.Sum256([]byte(token))} }

// refuses gives the status and the words for a request that is not answered, and 0
// for one that is.
func (g guard) refuses(r *http.Request) (status int, why string) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !isLoopback(host) {
		return http.StatusForbidden, "Host: Expected this machine"
	}
	if origin := r.Header.Get("Origin"); origin != "" || len(r.Header.Values("Origin")) > 0 {
		from, err := url.Parse(origin)
		if err != nil || from.Scheme != "http" && from.Scheme != "https" || !isLoopback(from.Hostname()) {
			return http.StatusForbidden, "Origin: Expected this machine"
		}
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if subtle.ConstantTimeCompare(given[:], g.token[:]) != 1 || !strings.EqualFold(scheme, "Bearer") {
		return http.StatusUnauthorized, "Authorization: Expected Bearer and the token of this server"
	}
	return 0, ""
}
