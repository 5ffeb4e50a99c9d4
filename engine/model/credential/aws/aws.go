// Package aws signs requests to Bedrock with the credentials of AWS's own
// chain: the environment, the shared files with their roles, single sign-on and
// programs, a container, and the machine's role.
//
// It is written over net/http because the libraries of AWS cost every command
// of the program several milliseconds of start-up. It keeps the order and the
// settings of the AWS SDK for Go. It reads nothing before the first request,
// asks a person nothing, and writes only the caches of a sign-in that it
// refreshes.
package aws

import (
	"context"
	"net/http"
	"os"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// service is the name Bedrock's requests are signed for.
const service = "bedrock"

// Source signs for one region. It is safe for concurrent use.
type Source struct {
	region string
	now    func() time.Time
	kept   *obtain.Kept[keys]
}

// New makes a source. Dress sets the proxy and the authorities of the transport
// that reaches what the chain asks, such as STS; nil leaves it as it is.
func New(region string, dress func(*http.Transport)) *Source {
	return from(&surroundings{
		region: region, dress: dress, now: time.Now, lookup: os.LookupEnv, home: home, run: obtain.Run,
	})
}

func from(around *surroundings) *Source {
	source := &Source{region: around.region, now: around.now}
	var plan *way
	source.kept = obtain.Keep(around.now, func(ctx context.Context) (keys, time.Time, error) {
		// A chain that gave nothing is looked for again by the next request.
		if plan == nil {
			found, err := around.chain()
			if err != nil {
				return keys{}, time.Time{}, err
			}
			plan = found
			source.kept.Outlives = plan.outlives
		}
		got, err := plan.fetch(ctx)
		if err != nil {
			failed := &NoCredentials{From: plan.name, Cause: err, Without: plan.without}
			plan = nil
			return keys{}, time.Time{}, failed
		}
		return got, got.expires, nil
	})
	return source
}

// Authorize signs a request. Its error means that the chain gave nothing.
func (s *Source) Authorize(ctx context.Context, request *http.Request, body []byte) error {
	got, err := s.kept.Get(ctx)
	if err != nil {
		return err
	}
	sign(request, body, got, service, s.region, s.now())
	return nil
}
