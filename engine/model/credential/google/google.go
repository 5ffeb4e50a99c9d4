// Package google puts Google's application default credentials on requests to
// Vertex.
//
// It stands apart so that a program without Vertex need not hold it. It reads
// nothing before the first request.
package google

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

const scope = "https://www.googleapis.com/auth/cloud-platform"

// Source gives tokens. It is safe for concurrent use.
type Source struct {
	client *http.Client
	lock   sync.Mutex
	tokens oauth2.TokenSource
	quota  string // the project that a person's own credentials bill
}

// New makes a source. The client reaches Google's token service.
func New(client *http.Client) *Source { return &Source{client: client} }

// Authorize adds a token. Its error means that no credential was found, or that
// none was given for it.
func (s *Source) Authorize(ctx context.Context, request *http.Request, _ []byte) error {
	tokens, err := s.source()
	if err != nil {
		return err
	}
	type given struct {
		token *oauth2.Token
		err   error
	}
	// The library's sources take no context of their own.
	answer := make(chan given, 1)
	go func() {
		token, err := tokens.Token()
		answer <- given{token, err}
	}()
	select {
	case got := <-answer:
		if got.err != nil {
			return got.err
		}
		request.Header.Set("Authorization", "Bearer "+got.token.AccessToken)
		if s.quota != "" {
			request.Header.Set("x-goog-user-project", s.quota)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// source finds the credentials once. What was not found is looked for again by
// the next request.
func (s *Source) source() (oauth2.TokenSource, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.tokens != nil {
		return s.tokens, nil
	}
	// Tokens outlive the request that first asks for one.
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, s.client)
	found, err := google.FindDefaultCredentials(ctx, scope)
	if err != nil {
		return nil, err
	}
	var file struct {
		Quota string `json:"quota_project_id"`
	}
	_ = json.Unmarshal(found.JSON, &file) // credentials of a machine have no file
	s.tokens, s.quota = found.TokenSource, file.Quota
	return s.tokens, nil
}
