// Package tool uses the tool servers of a playbook's settings: it lists their
// tools, calls one, and says what the model sees of either.
//
// It opens a server when it is first needed and keeps it open until Close. It
// keeps every bound of a call but those of a whole run, which counts calls and
// decides what a failure means. It never reads the settings file, never records
// anything, and lets none of a server's secrets out of it.
package tool

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/tool/mcp"
	"github.com/beonauto/auto/engine/value"
)

// Bounds are how long a server is waited for, and how much is read of it.
type Bounds struct {
	Open   time.Duration // to open it
	List   time.Duration // to list all its tools
	Answer time.Duration // to answer a call
	// Wait is the longest Retry-After that a call waits out.
	Wait time.Duration
	// Grace is how long a program is given to end by itself, twice.
	Grace time.Duration
	Read  mcp.Bounds
}

// UsualBounds are the bounds of the formats (interaction format, "Bounds").
var UsualBounds = Bounds{
	Open: 10 * time.Second, List: 10 * time.Second, Answer: 30 * time.Second,
	Wait: 10 * time.Second, Grace: 500 * time.Millisecond, Read: mcp.UsualBounds,
}

// MostArguments is the most bytes of a call's arguments as JSON (reasoning
// format, "Limits on calls"; interaction format, "Bounds").
const MostArguments = 16 << 10

// Options say how servers are used.
type Options struct {
	Folder  string       // the playbook's folder: programs start there, and paths are seen from there
	Version string       // of this program, as servers are told it
	Program string       // the path of this program, which a server's command auto stands for; empty: looked up as any other
	HTTP    *http.Client // nil: one made of Transport
	// Transport holds the proxies and the certificate authorities that servers are
	// reached by, as models are; the zero one takes proxies from the environment.
	Transport model.Transport
	Clock     clock.Clock // nil: the machine's
	Bounds    *Bounds     // nil: UsualBounds
}

// Servers are the tool servers of one playbook. They are safe for concurrent
// use.
type Servers struct {
	names  []string
	byName map[string]*server
	own    *http.Client // the client that New made; nil when it was given one
}

// New gives the servers of settings. It opens none.
func New(configured []settings.ToolServer, options Options) *Servers {
	s := &Servers{byName: map[string]*server{}}
	if options.HTTP == nil {
		s.own = model.NewHTTP(options.Transport)
		options.HTTP = s.own
	}
	if options.Clock == nil {
		options.Clock = clock.Machine()
	}
	if options.Bounds == nil {
		usual := UsualBounds
		options.Bounds = &usual
	}
	for _, c := range configured {
		s.names = append(s.names, c.Name)
		s.byName[c.Name] = newServer(c, options)
	}
	return s
}

// Names gives the servers' names, in the order of the settings.
func (s *Servers) Names() []string { return slices.Clone(s.names) }

// Close closes every connection and ends every program, with all it has started.
// Calls under way fail, and so does every later one.
func (s *Servers) Close() {
	var all sync.WaitGroup
	for _, of := range s.byName {
		all.Go(of.close)
	}
	all.Wait()
	if s.own != nil {
		s.own.CloseIdleConnections()
	}
}

// Tool is a tool that a server lists.
type Tool struct {
	Server      string
	Name        string
	Description string      // whole
	InputSchema value.Value // of its arguments, as the server gives it
	// Reads says that the tool only reads: the server marks it so, or the reads
	// setting does where the server gives no mark. Every other tool may act.
	Reads bool
	// Deletes says that the server marks the tool as one that destroys something,
	// or that its HTTP method deletes.
	Deletes bool
	// WithoutBody says that an OpenAPI document says that it answers without a
	// body.
	WithoutBody bool
}

// String is server/tool.
func (t *Tool) String() string { return t.Server + "/" + t.Name }

// Mark is what is said of the tool beside its name: reads, or acts.
func (t *Tool) Mark() string {
	if t.Reads {
		return "reads"
	}
	return "acts"
}

// Check tells, without asking the server, whether a tool may be used: its server
// is configured, and the operator allows it. It is nil when it may.
func (s *Servers) Check(server, tool string) *Failure {
	of, ok := s.byName[server]
	switch {
	case !ok:
		return notConfigured(server, s.names)
	case !of.allows(tool):
		return notAllowed(server, tool, of.settings.Allowed)
	}
	return nil
}

// List asks a server for its tools, and gives those the operator allows, in the
// server's order.
func (s *Servers) List(ctx context.Context, server string) ([]Tool, *Failure) {
	of, ok := s.byName[server]
	if !ok {
		return nil, notConfigured(server, s.names)
	}
	all, failure := of.list(ctx)
	if failure != nil {
		return nil, failure
	}
	return slices.DeleteFunc(all, func(t Tool) bool { return !of.allows(t.Name) }), nil
}

// Tool asks a server for one tool.
func (s *Servers) Tool(ctx context.Context, server, tool string) (*Tool, *Failure) {
	if failure := s.Check(server, tool); failure != nil {
		return nil, failure
	}
	all, failure := s.List(ctx, server)
	if failure != nil {
		failure.Tool = tool
		return nil, failure
	}
	return s.find(all, server, tool)
}

// find gives a tool of those that a server offers.
func (s *Servers) find(all []Tool, server, tool string) (*Tool, *Failure) {
	names := make([]string, 0, len(all))
	for i := range all {
		if all[i].Name == tool {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	return nil, notListed(server, tool, names, s.byName[server].whyNot(tool))
}
