// Package entra puts tokens of Microsoft Entra ID on requests to Azure, where
// no key of Azure is set.
//
// It stands apart so that a program without Azure need not hold it. It reads
// nothing before the first request.
package entra

import (
	"context"
	"net/http"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

const scope = "https://cognitiveservices.azure.com/.default"

// Source gives tokens. It is safe for concurrent use.
type Source struct {
	client     *http.Client
	lock       sync.Mutex
	credential azcore.TokenCredential
}

// New makes a source. The client reaches Entra ID.
func New(client *http.Client) *Source { return &Source{client: client} }

// Authorize adds a token. Its error means that no source of credentials gave
// one.
func (s *Source) Authorize(ctx context.Context, request *http.Request, _ []byte) error {
	credential, err := s.source()
	if err != nil {
		return err
	}
	token, err := credential.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{scope}})
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token.Token)
	return nil
}

func (s *Source) source() (azcore.TokenCredential, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.credential != nil {
		return s.credential, nil
	}
	made, err := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{
		ClientOptions: policy.ClientOptions{Transport: s.client},
	})
	if err != nil {
		return nil, err
	}
	s.credential = made
	return made, nil
}
