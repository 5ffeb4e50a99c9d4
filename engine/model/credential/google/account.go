package google

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file gives the tokens of a service account, of a person who signed in, of
// an account that another one speaks for, and of a machine.

const tokenService = "https://oauth2.googleapis.com/token"

// ofServiceAccount asks with a claim that the account's key signs.
func (s *surroundings) ofServiceAccount(ctx context.Context, of *file) (token, error) {
	address := of.TokenURI
	if address == "" {
		address = tokenService
	}
	audience := of.Audience
	if audience == "" {
		audience = address
	}
	// The clock of this machine may be a little ahead of Google's.
	now := s.now().Add(-10 * time.Second)
	claim, err := signed(of, map[string]any{"iss": of.ClientEmail, "scope": scope, "aud": audience, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()})
	if err != nil {
		return token{}, err
	}
	form := url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {claim}}
	got, _, err := s.exchange(ctx, address, form, nil, claim)
	return got, err
}

func signed(of *file, claims map[string]any) (string, error) {
	key, err := privateKey(of.PrivateKey)
	if err != nil {
		return "", err
	}
	header := map[string]string{"alg": "RS256", "typ": "JWT"}
	if of.PrivateKeyID != "" {
		header["kid"] = of.PrivateKeyID
	}
	first, err := json.Marshal(header)
	if err != nil {
		return "", err
	}
	second, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(first) + "." + base64.RawURLEncoding.EncodeToString(second)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	if err != nil {
		return "", errors.New("the private key cannot sign")
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

func privateKey(text string) (*rsa.PrivateKey, error) {
	der := []byte(text)
	if block, _ := pem.Decode(der); block != nil {
		der = block.Bytes
	}
	if read, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		if key, ok := read.(*rsa.PrivateKey); ok {
			return key, nil
		}
	}
	key, err := x509.ParsePKCS1PrivateKey(der)
	if err != nil {
		return nil, errors.New("the private key in the file cannot be read as an RSA key")
	}
	return key, nil
}

// ofPerson asks with the refresh token of a person.
func (s *surroundings) ofPerson(ctx context.Context, of *file) (token, error) {
	address := of.TokenURI
	if address == "" {
		address = tokenService
	}
	form := url.Values{"grant_type": {"refresh_token"}, "client_id": {of.ClientID}, "client_secret": {of.ClientSecret}, "refresh_token": {of.RefreshToken}}
	got, _, err := s.exchange(ctx, address, form, nil, of.ClientSecret, of.RefreshToken)
	return got, err
}

// impersonated asks for the token of an account with another one's token.
func (s *surroundings) impersonated(ctx context.Context, of *file, source func(context.Context) (token, error)) (token, error) {
	with, err := source(ctx)
	if err != nil {
		return token{}, err
	}
	seconds := of.Impersonation.Seconds
	if seconds == 0 {
		seconds = 3600
	}
	body, err := json.Marshal(struct {
		Delegates []string `json:"delegates,omitempty"`
		Lifetime  string   `json:"lifetime"`
		Scope     []string `json:"scope"`
	}{of.Delegates, strconv.Itoa(seconds) + "s", []string{scope}})
	if err != nil {
		return token{}, err
	}
	address, err := url.Parse(of.ImpersonationURL)
	if err != nil || address.Host == "" {
		return token{}, errors.New("service_account_impersonation_url is no URL")
	}
	request := &http.Request{Method: http.MethodPost, URL: address, Header: http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + with.text}}}
	answer, err := s.remote.Ask(ctx, request, body)
	if err != nil {
		return token{}, err
	}
	if !answer.OK() {
		return token{}, fmt.Errorf("the account it speaks for: %w", refused("IAM", answer, with.text))
	}
	var read struct {
		AccessToken string    `json:"accessToken"`
		ExpireTime  time.Time `json:"expireTime"`
	}
	if err := json.Unmarshal(answer.Body, &read); err != nil || read.ExpireTime.IsZero() {
		return token{}, errors.New("the answer of IAM cannot be read")
	}
	return token{read.AccessToken, read.ExpireTime}, nil
}

const (
	metadataHost = "169.254.169.254"
	probeTime    = time.Second
)

// metadata asks the metadata service of a machine.
func (s *surroundings) metadata(ctx context.Context, path string, query url.Values) (*obtain.Answer, error) {
	host := s.get("GCE_METADATA_HOST")
	if host == "" {
		host = metadataHost
	}
	address := &url.URL{Scheme: "http", Host: host, Path: path, RawQuery: query.Encode()}
	return s.near.Ask(ctx, &http.Request{Method: http.MethodGet, URL: address, Header: http.Header{"Metadata-Flavor": {"Google"}}}, nil)
}

// onMachine tells whether the program runs on a machine of Google.
func (s *surroundings) onMachine(ctx context.Context) error {
	if s.get("GCE_METADATA_HOST") != "" {
		return nil
	}
	probing, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	answer, err := s.metadata(probing, "/", nil)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || answer.Header.Get("Metadata-Flavor") != "Google" {
		return errors.New("no metadata service of Google answers on this machine")
	}
	return nil
}

// ofMachine is the token of the machine's own account.
func (s *surroundings) ofMachine(ctx context.Context) (token, error) {
	answer, err := s.metadata(ctx, "/computeMetadata/v1/instance/service-accounts/default/token", url.Values{"scopes": {scope}})
	if err != nil {
		return token{}, err
	}
	if answer.Status == http.StatusNotFound {
		return token{}, errors.New("the machine has no service account")
	}
	if !answer.OK() {
		return token{}, &obtain.Refused{Service: "it", Status: answer.Status, Message: obtain.Shown(string(bytes.TrimSpace(answer.Body)))}
	}
	got, _, err := s.read("the metadata service", answer)
	return got, err
}
