package model

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/clock"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/value"
)

// This file lists the models that can be called (model settings, "Listing
// models").

const (
	pageTime  = 10 * time.Second // to read a page of a list
	pageBytes = 8 << 20          // of a page
	pages     = 10               // of a list
	// restAfterFailure is how long a provider that failed is not asked again.
	restAfterFailure = time.Minute
	// keptList is how long a list is served before it is read again.
	keptList = 10 * time.Minute

	longestID   = 256 // characters of a model id
	longestName = 100 // characters of a model's name
)

// Listed is one model that a definition may name.
type Listed struct {
	Model      string // the reference to write; a wildcard ends in *
	Alias      bool
	ResolvedTo string // of an alias; empty for one whose target is an ARN
	Name       string // as the provider shows it; empty when not reported
	Created    string // when the model came out, in RFC 3339; empty when not reported
	// Tokens the model reads and writes at most; nil when not reported.
	MaxInputTokens, MaxOutputTokens *int64
}

// Listing is what list_models gives.
type Listing struct {
	Models   []Listed
	Narrowed bool     // allowed_models is set
	Partial  bool     // a list could not be read
	Unread   []string // the providers whose list could not be read
}

// Status is the catalog_status of a listing.
func (l *Listing) Status() string {
	if l.Partial {
		return "partial"
	}
	return "complete"
}

// catalogs keeps the lists that were read, for the life of the process.
type catalogs struct {
	lock  sync.Mutex
	lists map[string]*catalog
}

// catalog is one provider's list. Its lock is held while the list is read, so
// that many callers at once ask one time.
type catalog struct {
	lock   sync.Mutex
	models []Listed
	read   time.Time // when models was read; zero when it never was
	failed time.Time // when reading last failed; zero when it did not
}

func (c *catalogs) of(provider string) *catalog {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.lists == nil {
		c.lists = map[string]*catalog{}
	}
	if c.lists[provider] == nil {
		c.lists[provider] = &catalog{}
	}
	return c.lists[provider]
}

// ListModels lists what can be called: the models of each configured provider,
// and the aliases. A provider prefix narrows it to what that one serves, and no
// other provider is asked.
func (c *Client) ListModels(ctx context.Context, provider string) *Listing {
	listing := &Listing{Models: []Listed{}, Narrowed: c.configuration.Allowed != nil}
	type listed struct {
		models []Listed
		ok     bool
	}
	answers := make([]listed, len(c.configuration.Providers))
	var wait sync.WaitGroup
	for i := range c.configuration.Providers {
		if one := &c.configuration.Providers[i]; provider == "" || provider == one.Endpoint.Provider {
			wait.Go(func() { answers[i].models, answers[i].ok = c.list(ctx, one) })
		}
	}
	wait.Wait()
	for i, answer := range answers {
		one := &c.configuration.Providers[i]
		if provider != "" && provider != one.Endpoint.Provider {
			continue
		}
		if !answer.ok {
			listing.Partial = true
			listing.Unread = append(listing.Unread, one.Endpoint.Provider)
		}
		for _, model := range answer.models {
			if c.listable(model.Model) {
				listing.Models = append(listing.Models, model)
			}
		}
	}
	listing.Models = append(listing.Models, c.listedAliases(provider)...)
	slices.SortStableFunc(listing.Models, func(a, b Listed) int { return strings.Compare(a.Model, b.Model) })
	return listing
}

// listable tells whether a provider's model is one a definition may name, and
// gets: an alias may send it elsewhere.
func (c *Client) listable(reference string) bool {
	if c.follow(reference) != reference {
		return false
	}
	if strings.HasSuffix(reference, "*") {
		return c.allowsAll(reference)
	}
	return c.allows(reference)
}

func (c *Client) listedAliases(provider string) []Listed {
	models := []Listed{}
	for _, alias := range c.usableAliases() {
		named, _, _ := strings.Cut(alias.From, "/")
		leads, _, _ := strings.Cut(alias.To, "/")
		if provider != "" && provider != named && provider != leads {
			continue
		}
		model := Listed{Model: alias.From, Alias: true, ResolvedTo: alias.To}
		if isARN(alias.To) {
			model.ResolvedTo = ""
		}
		models = append(models, model)
	}
	return models
}

func isARN(reference string) bool {
	_, id, found := strings.Cut(reference, "/")
	if !found {
		id = reference
	}
	return strings.HasPrefix(id, "arn:") || strings.HasPrefix(reference, "arn:")
}

// ContextWindow gives the tokens that a model reads at most, where its
// provider's list says so; 0 when it does not.
func (c *Client) ContextWindow(ctx context.Context, target *Target) int64 {
	models, _ := c.list(ctx, target.Provider)
	for _, model := range models {
		if model.Model == target.Resolved && model.MaxInputTokens != nil {
			return *model.MaxInputTokens
		}
	}
	return 0
}

// list gives a provider's models: the kept list, the declared ones, or what the
// provider answers now. It is false where the list could not be read.
func (c *Client) list(ctx context.Context, provider *Provider) ([]Listed, bool) {
	switch provider.Route {
	case wire.Anthropic, wire.OpenAI, wire.Google, wire.Gateway:
	default:
		return c.declared(provider, true), true
	}
	kept := c.catalogs.of(provider.Endpoint.Provider)
	kept.lock.Lock()
	defer kept.lock.Unlock()
	now := c.clock.Now()
	if !kept.read.IsZero() && now.Sub(kept.read) < keptList {
		return kept.models, true
	}
	if kept.failed.IsZero() || now.Sub(kept.failed) >= restAfterFailure {
		models, err := c.readList(ctx, provider)
		if err == nil {
			kept.models, kept.read, kept.failed = models, now, time.Time{}
			return models, true
		}
		if ctx.Err() == nil {
			kept.failed = c.clock.Now()
		}
	}
	if !kept.read.IsZero() {
		return kept.models, false
	}
	return c.declared(provider, false), false
}

// declared are the models that the operator declares for a provider, or all of
// them in one entry.
func (c *Client) declared(provider *Provider, otherwiseAll bool) []Listed {
	models := []Listed{}
	for _, id := range c.configuration.Declared[provider.Endpoint.Provider] {
		models = append(models, Listed{Model: provider.Endpoint.Provider + "/" + id})
	}
	if len(models) == 0 && otherwiseAll {
		models = append(models, Listed{Model: provider.Endpoint.Provider + "/*"})
	}
	return models
}

// unread is why a list could not be read, in the operator's words.
type unread struct{ why string }

func (e *unread) Error() string { return e.why }

// errAnswered is a list request that the provider answered with an error, which
// is logged already.
var errAnswered = errors.New("the provider answered with an error")

// readList reads every page of a provider's list, and tells the operator where
// it cannot.
func (c *Client) readList(ctx context.Context, provider *Provider) ([]Listed, error) {
	models, err := c.readPages(ctx, provider)
	var why *unread
	if errors.As(err, &why) && ctx.Err() == nil {
		c.logHint(provider.Endpoint.Provider, "", "", "The list of models of "+provider.Endpoint.Provider+" could not be read: "+why.why)
	}
	return models, err
}

func (c *Client) readPages(ctx context.Context, provider *Provider) ([]Listed, error) {
	models := []Listed{}
	seen := map[string]bool{}
	address := provider.ListAddress()
	for range pages {
		root, err := c.readPage(ctx, provider, address)
		if err != nil {
			return nil, err
		}
		page, ok := listPage(provider.Route, root)
		if !ok {
			return nil, &unread{"its answer is not a list of models"}
		}
		for _, entry := range page.entries {
			if model, ok := listedOf(provider, entry); ok && !seen[model.Model] {
				seen[model.Model] = true
				models = append(models, model)
			}
		}
		if page.next == "" {
			return models, nil
		}
		address = provider.ListAddress() + "&" + page.next
	}
	return nil, &unread{"it has more than 10 pages of models"}
}

func (c *Client) readPage(ctx context.Context, provider *Provider, address string) (value.Value, error) {
	ctx, cancel := c.clock.Within(ctx, pageTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &unread{"it could not be reached"}
	}
	for _, header := range provider.ListHeaders() {
		request.Header.Set(header.Name, header.Value)
	}
	request.Header.Set("User-Agent", "auto")
	got, err := c.exchange(request, provider, nil)
	switch {
	case err == nil:
	case errors.Is(context.Cause(ctx), clock.ErrDeadline):
		return nil, &unread{"it did not answer within 10 seconds"}
	case isUntrusted(err):
		return nil, &unread{"its TLS certificate is not trusted; add its certificate authority with NODE_EXTRA_CA_CERTS"}
	case errors.Is(err, errTooLarge):
		return nil, &unread{"its answer is larger than 8 MiB"}
	default:
		return nil, &unread{"it could not be reached"}
	}
	if got.status < 200 || got.status > 299 {
		reply := wire.ReadError(got.status, got.header, got.body, c.clock.Now())
		c.logError(provider.Endpoint.Provider, "", got.status, "", c.redactorOf().logged(reply.Message, nil))
		return nil, errAnswered
	}
	if len(got.body) > pageBytes {
		return nil, &unread{"its answer is larger than 8 MiB"}
	}
	root, err := value.ParseJSON(got.body, 64)
	if err != nil {
		return nil, &unread{"its answer is not JSON"}
	}
	return root, nil
}
