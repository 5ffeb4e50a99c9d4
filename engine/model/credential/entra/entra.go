// Package entra puts tokens of Microsoft Entra ID on requests to Azure, where
// no key of Azure is set.
//
// It is written over net/http because Microsoft's libraries cost every command
// of the program several milliseconds of start-up. It tries the ways to sign in
// that DefaultAzureCredential of the Azure SDK for Go tries, in its order. It
// reads nothing before the first request, and opens no browser.
package entra

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

const (
	resource = "https://cognitiveservices.azure.com"
	scope    = resource + "/.default"
)

// Source gives tokens. It is safe for concurrent use.
type Source struct{ kept *obtain.Kept[string] }

// New makes a source. The client reaches Entra ID; it must follow no redirect.
func New(client *http.Client) *Source {
	near := &http.Client{
		// The services of a machine are never behind a proxy.
		Transport:     &http.Transport{DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext, IdleConnTimeout: 10 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return from(&surroundings{
		lookup: os.LookupEnv, now: time.Now, run: obtain.Run, exists: exists, arc: arcFolders(),
		remote: &obtain.Asker{Client: client}, near: &obtain.Asker{Client: near},
	})
}

func from(around *surroundings) *Source {
	var chosen *way
	return &Source{kept: obtain.Keep(around.now, func(ctx context.Context) (string, time.Time, error) {
		got, by, err := around.token(ctx, chosen)
		if err != nil {
			return "", time.Time{}, err
		}
		chosen = by
		return got.text, got.expires, nil
	})}
}

// Authorize adds a token. Its error means that no source of credentials gave
// one.
func (s *Source) Authorize(ctx context.Context, request *http.Request, _ []byte) error {
	token, err := s.kept.Get(ctx)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// surroundings are what the ways see of the process and the network.
type surroundings struct {
	lookup func(string) (string, bool)
	now    func() time.Time
	run    func(ctx context.Context, command string, limit time.Duration) ([]byte, error)
	exists func(path string) bool
	arc    arc
	remote *obtain.Asker
	near   *obtain.Asker
}

// get is a variable's value; empty stands for unset.
func (s *surroundings) get(name string) string {
	text, _ := s.lookup(name)
	return text
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// token is a token and when it is over.
type token struct {
	text    string
	expires time.Time
}

// way is one way to sign in.
type way struct {
	name  string // as AZURE_TOKEN_CREDENTIALS names it
	shown string // as an operator reads it
	group string // as AZURE_TOKEN_CREDENTIALS names those of its kind
	get   func(*surroundings, context.Context) (token, error)
}

// ways are in the order in which they are tried.
var ways = [...]way{
	{"EnvironmentCredential", "the environment", "prod", (*surroundings).ofEnvironment},
	{"WorkloadIdentityCredential", "workload identity", "prod", (*surroundings).ofWorkload},
	{"ManagedIdentityCredential", "managed identity", "prod", (*surroundings).ofMachine},
	{"AzureCLICredential", "Azure CLI", "dev", (*surroundings).ofAzureCLI},
	{"AzureDeveloperCLICredential", "Azure Developer CLI", "dev", (*surroundings).ofDeveloperCLI},
	{"AzurePowerShellCredential", "Azure PowerShell", "dev", (*surroundings).ofPowerShell},
}

// unavailable is a way that is not set up: the next one is tried. After every
// other failure none is, since the operator set up this one.
type unavailable struct{ cause error }

func (e *unavailable) Error() string { return e.cause.Error() }
func (e *unavailable) Unwrap() error { return e.cause }

func notSet(why string) error { return &unavailable{errors.New(why)} }

// NoToken is what was tried for a token, and why each gave none. It holds no
// secret.
type NoToken struct{ Tried []Tried }

// Tried is one way that gave no token.
type Tried struct {
	Way   string
	Cause error
}

func (e *NoToken) Error() string {
	said := []string{}
	for _, tried := range e.Tried {
		said = append(said, tried.Way+": "+tried.Cause.Error())
	}
	return "Microsoft Entra ID gave no token: " + strings.Join(said, "; ")
}

// Unwrap gives the causes.
func (e *NoToken) Unwrap() []error {
	causes := []error{}
	for _, tried := range e.Tried {
		causes = append(causes, tried.Cause)
	}
	return causes
}

// token tries the ways that the operator selected, or only the one that gave a
// token before.
func (s *surroundings) token(ctx context.Context, before *way) (token, *way, error) {
	selected, err := s.selected()
	if err != nil {
		return token{}, nil, err
	}
	if before != nil {
		selected = []*way{before}
	}
	failed := &NoToken{}
	for _, each := range selected {
		got, err := each.get(s, ctx)
		if err == nil && got.text == "" {
			err = errors.New("its answer holds no token")
		}
		if err == nil {
			return got, each, nil
		}
		if ctx.Err() != nil {
			return token{}, nil, ctx.Err()
		}
		failed.Tried = append(failed.Tried, Tried{each.shown, err})
		var next *unavailable
		if !errors.As(err, &next) {
			break
		}
	}
	return token{}, nil, failed
}

func (s *surroundings) selected() ([]*way, error) {
	only, isSet := s.lookup("AZURE_TOKEN_CREDENTIALS")
	chosen := []*way{}
	for i := range ways {
		if each := &ways[i]; !isSet || only == each.group || strings.EqualFold(only, each.name) {
			chosen = append(chosen, each)
		}
	}
	if len(chosen) == 0 {
		names := []string{}
		for _, each := range ways {
			names = append(names, each.name)
		}
		return nil, errors.New("AZURE_TOKEN_CREDENTIALS: Expected one of dev, prod, " + strings.Join(names, ", "))
	}
	return chosen, nil
}
