// Package aws signs requests to Bedrock with the credentials of AWS's own
// chain: the environment, the shared files, a role of the machine or the
// container, and single sign-on.
//
// It stands apart because the chain's packages cost start-up time in every
// program that holds them. It reads nothing before the first request.
package aws

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
)

// service is the name Bedrock's requests are signed for.
const service = "bedrock"

// Source signs for one region. It is safe for concurrent use.
type Source struct {
	region      string
	dress       func(*http.Transport)
	now         func() time.Time
	lock        sync.Mutex
	credentials aws.CredentialsProvider
}

// New makes a source. Dress sets the proxy and the authorities of the transport
// that reaches what the chain asks, such as STS; nil leaves it as it is.
func New(region string, dress func(*http.Transport)) *Source {
	return &Source{region: region, dress: dress, now: time.Now}
}

// Authorize signs a request. Its error means that the chain gave nothing.
func (s *Source) Authorize(ctx context.Context, request *http.Request, body []byte) error {
	provider, err := s.provider(ctx)
	if err != nil {
		return err
	}
	credentials, err := provider.Retrieve(ctx)
	if err != nil {
		return err
	}
	return s.sign(ctx, credentials, request, body)
}

func (s *Source) sign(ctx context.Context, credentials aws.Credentials, request *http.Request, body []byte) error {
	sum := sha256.Sum256(body)
	return v4.NewSigner().SignHTTP(ctx, credentials, request, hex.EncodeToString(sum[:]), service, s.region, s.now())
}

// provider loads the chain once. A chain that could not be loaded is loaded
// again by the next request.
func (s *Source) provider(ctx context.Context) (aws.CredentialsProvider, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.credentials != nil {
		return s.credentials, nil
	}
	// The library adds AWS_CA_BUNDLE to a client of its own kind alone, and
	// refuses any other where that is set.
	client := awshttp.NewBuildableClient()
	if s.dress != nil {
		client = client.WithTransportOptions(s.dress)
	}
	loaded, err := config.LoadDefaultConfig(ctx, config.WithRegion(s.region), config.WithHTTPClient(client))
	if err != nil {
		return nil, err
	}
	s.credentials = loaded.Credentials
	return s.credentials, nil
}
