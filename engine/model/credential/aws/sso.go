package aws

import (
	"bytes"
	"context"
	"crypto/sha1" // names of cache files, as the tools of AWS give them
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file is single sign-on with IAM Identity Center: the token that
// `aws sso login` left in its cache, refreshed where it can be, and the keys of
// a role for it.

// singleSignOn is the way of a profile that signs in.
func (s *surroundings) singleSignOn(of *profile) (*way, error) {
	region, start := of.ssoRegion, of.ssoURL
	if of.session != nil {
		sessionRegion, sessionStart := of.session.get("sso_region"), of.session.get("sso_start_url")
		if region != "" && region != sessionRegion || start != "" && start != sessionStart {
			return nil, errors.New("sso_region and sso_start_url must be those of its sso_session")
		}
		region, start = sessionRegion, sessionStart
	}
	wanted := []struct{ name, text string }{{"sso_region", region}, {"sso_start_url", start}, {"sso_account_id", of.ssoAccount}, {"sso_role_name", of.ssoAs}}
	for _, setting := range wanted {
		if setting.text == "" {
			return nil, errors.New(setting.name + " is missing for single sign-on")
		}
	}
	return &way{name: "single sign-on of profile " + of.name, fetch: func(ctx context.Context) (keys, error) {
		token, err := s.signOnToken(ctx, of, region, start)
		if err != nil {
			return keys{}, fmt.Errorf("%w; run `aws sso login --profile %s`", err, of.name)
		}
		return s.signOnKeys(ctx, of, region, token)
	}}, nil
}

// signOnKeys asks for the keys of the profile's role.
func (s *surroundings) signOnKeys(ctx context.Context, of *profile, region, token string) (keys, error) {
	address, err := s.address(signOnPortal, region, of)
	if err != nil {
		return keys{}, errors.New("the address of the sign-on portal is no URL")
	}
	address = address.JoinPath("federation", "credentials")
	address.RawQuery = url.Values{"account_id": {of.ssoAccount}, "role_name": {of.ssoAs}}.Encode()
	request := &http.Request{Method: http.MethodGet, URL: address, Header: http.Header{"X-Amz-Sso_bearer_token": {token}}}
	answer, err := s.ask(ctx, request, nil, nil)
	if err != nil {
		return keys{}, err
	}
	if !answer.OK() {
		refused := refusedInJSON("IAM Identity Center", answer, token)
		if answer.Status == http.StatusUnauthorized {
			return keys{}, fmt.Errorf("%w; run `aws sso login --profile %s`", refused, of.name)
		}
		return keys{}, refused
	}
	var read struct {
		RoleCredentials struct {
			AccessKeyID     string `json:"accessKeyId"`
			SecretAccessKey string `json:"secretAccessKey"`
			SessionToken    string `json:"sessionToken"`
			Expiration      int64  `json:"expiration"` // milliseconds
		} `json:"roleCredentials"`
	}
	if err := json.Unmarshal(answer.Body, &read); err != nil {
		return keys{}, errors.New("the answer of IAM Identity Center cannot be read")
	}
	got := keys{id: read.RoleCredentials.AccessKeyID, secret: read.RoleCredentials.SecretAccessKey, token: read.RoleCredentials.SessionToken}
	if !got.complete() {
		return keys{}, errors.New("the answer of IAM Identity Center holds no keys")
	}
	got.expires = time.UnixMilli(read.RoleCredentials.Expiration)
	return got, nil
}

// signOnToken is the token of the cache. One that a session gave is refreshed
// when it is over.
func (s *surroundings) signOnToken(ctx context.Context, of *profile, region, start string) (string, error) {
	named := start
	if of.session != nil {
		named = of.ssoSession
	}
	sum := sha1.Sum([]byte(named))
	path := filepath.Join(s.home(), ".aws", "sso", "cache", hex.EncodeToString(sum[:])+".json")
	cache, err := readCache(path)
	if err != nil {
		return "", fmt.Errorf("the token of single sign-on: %w", err)
	}
	expires, err := time.Parse(time.RFC3339, cache.text("expiresAt"))
	if err != nil || cache.text("accessToken") == "" {
		return "", errors.New("the cached token of single sign-on cannot be read")
	}
	switch {
	case s.now().Before(expires):
		return cache.text("accessToken"), nil
	case of.session == nil:
		return "", errors.New("the token of single sign-on has expired")
	}
	return s.refreshSignOn(ctx, of, region, path, cache)
}

// refreshSignOn asks for a new token and writes it to the cache, where the other
// tools of AWS find it.
func (s *surroundings) refreshSignOn(ctx context.Context, of *profile, region, path string, cache cacheFile) (string, error) {
	asked := map[string]string{"grantType": "refresh_token"}
	for _, name := range []string{"clientId", "clientSecret", "refreshToken"} {
		if asked[name] = cache.text(name); asked[name] == "" {
			return "", errors.New("the token of single sign-on has expired and cannot be refreshed")
		}
	}
	address, err := s.address(signOnTokens, region, of)
	if err != nil {
		return "", errors.New("the address of the sign-on service is no URL")
	}
	var read struct {
		AccessToken  string `json:"accessToken"`
		RefreshToken string `json:"refreshToken"`
		ExpiresIn    int64  `json:"expiresIn"`
	}
	if err := s.post(ctx, "IAM Identity Center", address.JoinPath("token"), nil, asked, &read); err != nil {
		return "", fmt.Errorf("the token of single sign-on has expired and was not refreshed: %w", err)
	}
	if read.AccessToken == "" {
		return "", errors.New("the answer of IAM Identity Center holds no token")
	}
	cache.set("accessToken", read.AccessToken)
	cache.set("expiresAt", s.now().Add(time.Duration(read.ExpiresIn)*time.Second).UTC().Format(time.RFC3339))
	if read.RefreshToken != "" {
		cache.set("refreshToken", read.RefreshToken)
	}
	// A cache that cannot be written costs the next process a refresh.
	_ = cache.write(path)
	return read.AccessToken, nil
}

// post sends texts as JSON and reads a JSON answer.
func (s *surroundings) post(ctx context.Context, service string, address *url.URL, header http.Header, texts map[string]string, into any) error {
	body, err := json.Marshal(texts)
	if err != nil {
		return err
	}
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/json")
	answer, err := s.ask(ctx, &http.Request{Method: http.MethodPost, URL: address, Header: header}, body, nil)
	if err != nil {
		return err
	}
	if !answer.OK() {
		secrets := []string{}
		for _, text := range texts {
			secrets = append(secrets, text)
		}
		return refusedInJSON(service, answer, secrets...)
	}
	if err := json.Unmarshal(answer.Body, into); err != nil {
		return errors.New("the answer of " + service + " cannot be read")
	}
	return nil
}

// refusedInJSON reads the several ways in which AWS's JSON services and those of
// OAuth say what went wrong.
func refusedInJSON(service string, answer *obtain.Answer, secrets ...string) error {
	var read map[string]any
	_ = json.Unmarshal(answer.Body, &read) // nothing is said then
	text := func(names ...string) string {
		for _, name := range names {
			if text, ok := read[name].(string); ok && text != "" {
				return text
			}
		}
		return ""
	}
	code := answer.Header.Get("X-Amzn-Errortype")
	if code == "" {
		code = text("__type", "error", "code", "Code")
	}
	code, _, _ = strings.Cut(code, ":")
	code = code[strings.LastIndexByte(code, '#')+1:]
	return &obtain.Refused{Service: service, Status: answer.Status, Code: obtain.Shown(code, secrets...), Message: obtain.Shown(text("error_description", "message", "Message"), secrets...)}
}

// cacheFile is a cache of AWS's tools: what it holds beside what is known here
// is kept as it is.
type cacheFile map[string]json.RawMessage

func readCache(path string) (cacheFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.New("there is none in the cache")
	}
	cache := cacheFile{}
	if err := json.Unmarshal(text, &cache); err != nil {
		return nil, errors.New("its cache cannot be read")
	}
	return cache, nil
}

func (c cacheFile) text(name string) string {
	var text string
	_ = json.Unmarshal(c[name], &text) // something else than a text is none
	return text
}

func (c cacheFile) set(name string, held any) {
	if text, err := json.Marshal(held); err == nil {
		c[name] = text
	}
}

// write replaces the file in one step, so that another tool never reads half.
func (c cacheFile) write(path string) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	mode := os.FileMode(0o600)
	if stat, err := os.Stat(path); err == nil {
		mode = stat.Mode().Perm()
	}
	beside := path + ".auto-" + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(beside, bytes.TrimSpace(text), mode); err != nil {
		return err
	}
	if err := os.Rename(beside, path); err != nil {
		return errors.Join(err, os.Remove(beside))
	}
	return nil
}
