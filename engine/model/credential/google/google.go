// Package google puts Google's application default credentials on requests to
// Vertex.
//
// It is written over net/http because Google's libraries cost every command of
// the program start-up time. It takes every kind of file that the tools of
// Google Cloud write, and the identity of a machine. It reads nothing before the
// first request.
package google

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

const scope = "https://www.googleapis.com/auth/cloud-platform"

// Source gives tokens. It is safe for concurrent use.
type Source struct{ kept *obtain.Kept[granted] }

// granted is a token with the project that a person's own credentials bill.
type granted struct{ token, quota string }

// New makes a source. The client reaches Google's token service; it must follow
// no redirect.
func New(client *http.Client) *Source {
	near := &http.Client{
		// The services of a machine are never behind a proxy.
		Transport:     &http.Transport{DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext, IdleConnTimeout: 10 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return from(&surroundings{
		lookup: os.LookupEnv, home: home, now: time.Now, run: obtain.Output,
		remote: &obtain.Asker{Client: client}, near: &obtain.Asker{Client: near},
	})
}

func from(around *surroundings) *Source {
	var found *found
	return &Source{kept: obtain.Keep(around.now, func(ctx context.Context) (granted, time.Time, error) {
		// What was not found is looked for again by the next request.
		if found == nil {
			looked, err := around.find(ctx)
			if err != nil {
				return granted{}, time.Time{}, err
			}
			found = looked
		}
		got, err := found.get(ctx)
		if err == nil && got.text == "" {
			err = errors.New("its answer holds no token")
		}
		if err != nil {
			failed := fmt.Errorf("%s: %w", found.name, err)
			found = nil
			return granted{}, time.Time{}, failed
		}
		return granted{got.text, found.quota}, got.expires, nil
	})}
}

// Authorize adds a token. Its error means that no credential was found, or that
// none was given for it.
func (s *Source) Authorize(ctx context.Context, request *http.Request, _ []byte) error {
	got, err := s.kept.Get(ctx)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+got.token)
	if got.quota != "" {
		request.Header.Set("x-goog-user-project", got.quota)
	}
	return nil
}

// surroundings are what the credentials see of the process and the network.
type surroundings struct {
	lookup func(string) (string, bool)
	home   func() string
	now    func() time.Time
	run    func(context.Context, *exec.Cmd) ([]byte, error)
	remote *obtain.Asker
	near   *obtain.Asker
}

// get is a variable's value; empty stands for unset.
func (s *surroundings) get(name string) string {
	text, _ := s.lookup(name)
	return text
}

func home() string {
	folder, _ := os.UserHomeDir() // without one, the file is not there
	return folder
}

// token is a token and when it is over.
type token struct {
	text    string
	expires time.Time
}

// found are credentials that were found, ready to give tokens.
type found struct {
	name, quota string
	get         func(context.Context) (token, error)
}

// find looks where Google's own libraries look, in their order: the file that
// the variable names, the file of gcloud, and the machine.
func (s *surroundings) find(ctx context.Context) (*found, error) {
	const variable = "GOOGLE_APPLICATION_CREDENTIALS"
	if path := s.get(variable); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, errors.New(variable + ": the file cannot be read")
		}
		return s.ofFile(variable, text)
	}
	if text, err := os.ReadFile(s.wellKnown()); err == nil {
		return s.ofFile("the credentials of `gcloud auth application-default login`", text)
	}
	if err := s.onMachine(ctx); err != nil {
		return nil, fmt.Errorf("no Google credentials: %s is not set; there is no file of `gcloud auth application-default login`; %w", variable, err)
	}
	return &found{name: "the metadata service", get: s.ofMachine}, nil
}

func (s *surroundings) wellKnown() string {
	const name = "application_default_credentials.json"
	if runtime.GOOS == "windows" {
		return filepath.Join(s.get("APPDATA"), "gcloud", name)
	}
	return filepath.Join(s.home(), ".config", "gcloud", name)
}

// file is a file of credentials, of any kind.
type file struct {
	Type  string `json:"type"`
	Quota string `json:"quota_project_id"`

	// Of a service account.
	ClientEmail  string `json:"client_email"`
	PrivateKeyID string `json:"private_key_id"`
	PrivateKey   string `json:"private_key"`
	TokenURI     string `json:"token_uri"`

	// Of a person.
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	RefreshToken string `json:"refresh_token"`

	// Of a federation.
	Audience         string        `json:"audience"`
	SubjectTokenType string        `json:"subject_token_type"`
	TokenURL         string        `json:"token_url"`
	From             subjectSource `json:"credential_source"`
	UserProject      string        `json:"workforce_pool_user_project"`
	ImpersonationURL string        `json:"service_account_impersonation_url"`
	Impersonation    struct {
		Seconds int `json:"token_lifetime_seconds"`
	} `json:"service_account_impersonation"`

	// Of one account that speaks for another.
	Delegates []string `json:"delegates"`
	Source    *file    `json:"source_credentials"`
}

func (s *surroundings) ofFile(name string, text []byte) (*found, error) {
	var read file
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, errors.New(name + ": the file cannot be read as JSON")
	}
	get, err := s.kind(&read)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &found{name: name, quota: read.Quota, get: get}, nil
}

// kind gives what a file's kind of credentials gives tokens by.
func (s *surroundings) kind(of *file) (func(context.Context) (token, error), error) {
	switch of.Type {
	case "service_account", "gdch_service_account":
		return func(ctx context.Context) (token, error) { return s.ofServiceAccount(ctx, of) }, nil
	case "authorized_user":
		return func(ctx context.Context) (token, error) { return s.ofPerson(ctx, of) }, nil
	case "external_account":
		return s.federated(of)
	case "external_account_authorized_user":
		return s.federatedPerson(of)
	case "impersonated_service_account":
		if of.ImpersonationURL == "" || of.Source == nil {
			return nil, errors.New("the file has no service_account_impersonation_url or no source_credentials")
		}
		source, err := s.kind(of.Source)
		if err != nil {
			return nil, fmt.Errorf("source_credentials: %w", err)
		}
		return func(ctx context.Context) (token, error) { return s.impersonated(ctx, of, source) }, nil
	case "":
		return nil, errors.New("the file holds no type of credentials")
	}
	return nil, errors.New("the file's type is not one that is known: " + obtain.Shown(of.Type))
}

// exchange asks a token service of OAuth with a form.
func (s *surroundings) exchange(ctx context.Context, address string, form url.Values, header http.Header, secrets ...string) (token, string, error) {
	endpoint, err := url.Parse(address)
	if err != nil || endpoint.Host == "" {
		return token{}, "", errors.New("the address of the token service is no URL")
	}
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := s.remote.Ask(ctx, &http.Request{Method: http.MethodPost, URL: endpoint, Header: header}, []byte(form.Encode()))
	if err != nil {
		return token{}, "", err
	}
	return s.read("the token service", answer, secrets...)
}

// read reads the answer of a token service, with the refresh token it may give.
func (s *surroundings) read(service string, answer *obtain.Answer, secrets ...string) (token, string, error) {
	if !answer.OK() {
		return token{}, "", refused(service, answer, secrets...)
	}
	var read struct {
		AccessToken  string  `json:"access_token"`
		ExpiresIn    float64 `json:"expires_in"`
		RefreshToken string  `json:"refresh_token"`
	}
	if err := json.Unmarshal(answer.Body, &read); err != nil {
		return token{}, "", errors.New("the answer of " + service + " cannot be read")
	}
	return token{read.AccessToken, s.now().Add(time.Duration(read.ExpiresIn * float64(time.Second)))}, read.RefreshToken, nil
}

// refused reads the ways in which OAuth and Google's own services say what went
// wrong.
func refused(service string, answer *obtain.Answer, secrets ...string) error {
	said := &obtain.Refused{Service: service, Status: answer.Status}
	var ofOAuth struct {
		Code    string `json:"error"`
		Message string `json:"error_description"`
	}
	var ofGoogle struct {
		Error struct{ Status, Message string } `json:"error"`
	}
	switch {
	case json.Unmarshal(answer.Body, &ofOAuth) == nil:
		said.Code, said.Message = obtain.Shown(ofOAuth.Code, secrets...), obtain.Shown(ofOAuth.Message, secrets...)
	case json.Unmarshal(answer.Body, &ofGoogle) == nil:
		said.Code, said.Message = obtain.Shown(ofGoogle.Error.Status, secrets...), obtain.Shown(ofGoogle.Error.Message, secrets...)
	}
	if said.Code == "invalid_grant" && strings.Contains(said.Message, "reauth") || said.Code == "invalid_rapt" {
		return fmt.Errorf("%w; run `gcloud auth application-default login`", said)
	}
	return said
}
