// Package model calls language models: it finds the provider that a reference
// names, sends the call in that provider's format, tries again where that can
// help, and gives the answer or a failure that says who can fix it.
//
// It never reads a definition or a settings file, never decides what a run does
// next, and never lets a secret, a prompt or an answer into an error or a log
// beyond what the model settings allow.
package model

import (
	"context"
	"net/http"
	"time"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// Configuration is what the operator's settings say of models, checked.
type Configuration struct {
	Providers []Provider // configured ones only, in the order they are shown
	Aliases   []Alias
	// Allowed are the only references a definition may give; nil allows all.
	Allowed []string
	// Declared are the models to list for a provider that lists none itself, by
	// its prefix.
	Declared map[string][]string
	// Secrets are the keys, tokens, headers and query values that no log or
	// rejection may show.
	Secrets []string
}

// Provider is a configured way to models.
type Provider struct {
	wire.Endpoint
	// ShowsMessages says that the provider's own words may reach a caller: a
	// built-in provider at its own address, or a gateway that opts in.
	ShowsMessages bool
	// AllowedOptions are the body fields a definition may set for a gateway.
	AllowedOptions []string
	// CostHeader names the header a gateway answers a call's cost in, in US
	// dollars; empty when there is none.
	CostHeader string
	// Authorizer adds what no header can hold before the request exists, such as
	// a signature. Nil when the endpoint's headers carry the credentials.
	Authorizer Authorizer
}

// Alias sends a reference, or with a * at its end every reference that starts
// like it, to another one.
type Alias struct{ From, To string }

// Authorizer puts credentials on a request. Its errors mean that no credential
// could be obtained, unless they are a *MissingSetting.
type Authorizer interface {
	Authorize(ctx context.Context, request *http.Request, body []byte) error
}

// MissingSetting is what a credential source finds missing when it is used.
type MissingSetting struct{ Hint string }

func (e *MissingSetting) Error() string { return e.Hint }

// Call is one call of a model, as a run makes it.
type Call struct {
	Model        string // the reference as the definition names it
	Settings     wire.Settings
	Instructions string
	Messages     []wire.Message
	Tools        []wire.Tool
	Output       *Output       // nil asks for text
	Options      *value.Object // the definition's provider_options
	RunID        string        // for the operator's log
	Room         Room
}

// Output is the JSON that a definition asks for.
type Output struct {
	// Schema is the schema as it is written, or that of the output shape: what
	// the instructions tell a model.
	Schema value.Value
	// Portable rewrites the schema for providers that enforce one; nil when the
	// schema is not portable.
	Portable Portable
	// Check gives what an answer breaks of the schema and the shape's rules, each
	// at its pointer in the answer, in a fixed order.
	Check func(answer value.Value) ([]problem.Issue, error)
}

// Portable is the portable form of a schema (model settings, "The portable
// form").
type Portable interface {
	// Form is the schema that a provider is sent.
	Form() value.Value
	// Read turns an answer in the portable form into one of the schema as it is
	// written. The issues stand at pointers of the schema as written.
	Read(answer value.Value) (value.Value, []problem.Issue)
	// Place gives the pointer in the portable answer of a pointer in the answer
	// as it was read.
	Place(answer value.Value, pointer string) string
}

// Room is what a run has left for a call. A zero field sets no limit.
type Room struct {
	InputTokens   int64     // that the run may still send, this call's included
	ContextWindow int64     // tokens the model reads at most
	Until         time.Time // the run's own bound
}

// Target is where a reference leads.
type Target struct {
	Requested string // as the definition names it
	Resolved  string // after the aliases
	Model     string // as the provider receives it
	Provider  *Provider
}

// Outcome is what a call did, also one that failed: the facts known by then.
type Outcome struct {
	Requested string
	Resolved  string
	Answered  string // the model as the provider names it
	Settings  wire.Settings
	Answer    *wire.Answer // nil when no answer was read
	// Value is a JSON answer, read back into the schema as written; nil where
	// text was asked for or the answer calls tools.
	Value      value.Value
	HasValue   bool
	OutputMode OutputMode
	Repair     *Repair
	Refusal    *SchemaRefusal
	Warnings   []string // at most 20
	Usage      wire.Usage
	HasUsage   bool // a model answered, so that tokens were used
	CostUSD    *float64
	Duration   time.Duration
	// RequestBytes counts the bodies of the requests that the model answered.
	RequestBytes int64
}

// OutputMode says how JSON was asked for.
type OutputMode string

// The output modes; the empty one is a call for text.
const (
	PortableMode  OutputMode = "portable"
	DescribedMode OutputMode = "described"
)

// Repair is what came of asking for a JSON answer once more (model settings,
// "One correction").
type Repair struct {
	Outcome  string          `json:"outcome"` // repaired, invalid, failed, skipped
	Issues   []problem.Issue `json:"issues,omitempty"`
	Because  string          `json:"because,omitempty"`
	Usage    *wire.Usage     `json:"usage,omitempty"`
	CostUSD  *float64        `json:"cost_usd,omitempty"`
	Duration *int64          `json:"duration_ms,omitempty"`
}

// SchemaRefusal is what came of a request whose schema the provider refused.
type SchemaRefusal struct {
	Outcome  string `json:"outcome"` // described, refused_again, skipped
	Because  string `json:"because,omitempty"`
	Status   int    `json:"status"`
	Duration int64  `json:"duration_ms"`
}

// shownWarnings is how many warnings a record keeps.
const shownWarnings = 20

// Client calls models. It is safe for concurrent use.
type Client struct {
	configuration Configuration
	http          *http.Client
	clock         clock.Clock
	log           Log
	secrets       []echo
	catalogs      catalogs
}

// Options are what a client may be given in place of the usual.
type Options struct {
	HTTP  *http.Client // must not follow redirects; nil: NewHTTP
	Clock clock.Clock  // nil: the machine's
	Log   Log          // nil: nothing is logged
}

// New makes a client. It sends nothing.
func New(configuration Configuration, options Options) *Client {
	client := &Client{configuration: configuration, http: options.HTTP, clock: options.Clock, log: options.Log}
	if client.http == nil {
		client.http = NewHTTP(Transport{})
	}
	if client.clock == nil {
		client.clock = clock.Machine()
	}
	if client.log == nil {
		client.log = noLog{}
	}
	client.secrets = echoesOf(withCredentials(configuration.Secrets), "[redacted]")
	return client
}
