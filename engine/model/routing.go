package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/model/wire"
)

// This file finds where a reference leads (model settings, "Model references",
// "Model aliases" and "Allowed models").

// Resolve follows a reference to a configured provider. The error is a
// *Failure; nothing is sent for it.
func (c *Client) Resolve(reference string) (*Target, error) {
	target := &Target{Requested: reference, Resolved: c.follow(reference)}
	for _, written := range []string{reference, target.Resolved} {
		if _, _, ok := SplitReference(written); !ok {
			return nil, &Failure{Kind: DefinitionInvalid, Model: reference, reason: notReference}
		}
	}
	prefix, id, _ := SplitReference(target.Resolved)
	if !c.allows(reference) && !c.allows(target.Resolved) {
		return nil, &Failure{Kind: ModelNotAllowed, Provider: prefix, Model: reference}
	}
	target.Model, target.Provider = id, c.provider(prefix)
	if target.Provider == nil {
		return nil, c.notConfigured(prefix, reference)
	}
	return target, nil
}

// SplitReference splits a reference at its first slash: the model id keeps its
// own. It is false for one without a slash, or with nothing on one side.
func SplitReference(reference string) (provider, model string, ok bool) {
	provider, model, ok = strings.Cut(reference, "/")
	return provider, model, ok && provider != "" && model != ""
}

func (c *Client) provider(prefix string) *Provider {
	for i := range c.configuration.Providers {
		if c.configuration.Providers[i].Endpoint.Provider == prefix {
			return &c.configuration.Providers[i]
		}
	}
	return nil
}

// follow applies the aliases, in one hop: an exact one, else the wildcard with
// the longest prefix.
func (c *Client) follow(reference string) string {
	best := -1
	for i, alias := range c.configuration.Aliases {
		if alias.From == reference {
			return alias.To
		}
		if matchesWildcard(alias.From, reference) && (best < 0 || len(alias.From) > len(c.configuration.Aliases[best].From)) {
			best = i
		}
	}
	if best < 0 {
		return reference
	}
	alias := c.configuration.Aliases[best]
	return strings.TrimSuffix(alias.To, "*") + strings.TrimPrefix(reference, strings.TrimSuffix(alias.From, "*"))
}

// matchesWildcard tells whether a pattern that ends in * stands for a
// reference. The * stands for something, never for nothing.
func matchesWildcard(pattern, reference string) bool {
	prefix, ok := strings.CutSuffix(pattern, "*")
	return ok && len(reference) > len(prefix) && strings.HasPrefix(reference, prefix)
}

// allows tells whether a reference is one of the allowed models.
func (c *Client) allows(reference string) bool {
	return c.configuration.Allowed == nil || slices.ContainsFunc(c.configuration.Allowed, func(entry string) bool {
		return entry == reference || matchesWildcard(entry, reference)
	})
}

// allowsAll tells whether one entry allows every reference that a pattern
// ending in * stands for.
func (c *Client) allowsAll(pattern string) bool {
	return c.configuration.Allowed == nil || slices.ContainsFunc(c.configuration.Allowed, func(entry string) bool {
		prefix, ok := strings.CutSuffix(entry, "*")
		return ok && strings.HasPrefix(strings.TrimSuffix(pattern, "*"), prefix)
	})
}

// aliasAllowed tells whether a definition may name an alias: by its own name or
// by its target. A wildcard wants every reference it stands for allowed.
func (c *Client) aliasAllowed(alias Alias) bool {
	if strings.HasSuffix(alias.From, "*") {
		return c.allowsAll(alias.From) || c.allowsAll(alias.To)
	}
	return c.allows(alias.From) || c.allows(alias.To)
}

// usableAliases are the aliases that a definition may name and that lead to a
// configured provider.
func (c *Client) usableAliases() []Alias {
	usable := []Alias{}
	for _, alias := range c.configuration.Aliases {
		prefix, _, _ := strings.Cut(alias.To, "/")
		if c.provider(prefix) != nil && c.aliasAllowed(alias) {
			usable = append(usable, alias)
		}
	}
	return usable
}

// notConfigured is the failure of a reference whose provider is not there: it
// names what is, never a setting.
func (c *Client) notConfigured(prefix, reference string) *Failure {
	failure := &Failure{Kind: ProviderNotConfigured, Provider: prefix, Model: reference, reason: noProvider}
	if len(c.configuration.Providers) == 0 {
		failure.words = "No model provider is configured; the operator must set one up, and auto doctor says what is missing"
		return failure
	}
	failure.othersConfigured = true
	if slices.Contains(wire.BuiltIn, wire.Route(prefix)) {
		failure.words = prefix + " is not configured"
	} else {
		failure.words = "There is no provider named " + prefix
	}
	names := []string{}
	for i := range c.configuration.Providers {
		names = append(names, c.configuration.Providers[i].Endpoint.Provider)
	}
	failure.words += ". Configured providers: " + strings.Join(names, ", ")
	aliases := []string{}
	for _, alias := range c.usableAliases() {
		aliases = append(aliases, alias.From)
	}
	if len(aliases) > 0 {
		failure.words += ". Aliases: " + strings.Join(aliases, ", ")
	}
	return failure
}

// GuideSentence says how a function on this runtime may name its model (model
// settings, "The guide's sentence").
func (c *Client) GuideSentence() string {
	names, forms := []string{}, []string{}
	for i := range c.configuration.Providers {
		prefix := c.configuration.Providers[i].Endpoint.Provider
		if c.allowsSome(prefix) {
			names, forms = append(names, prefix), append(forms, prefix+"/<model id>")
		}
	}
	for _, alias := range c.usableAliases() {
		names, forms = append(names, alias.From), append(forms, strings.Replace(alias.From, "*", "<model id>", 1))
	}
	if len(names) == 0 {
		return "On this server, no reasoning function can run until a model provider is configured"
	}
	return fmt.Sprintf("On this server, a reasoning function names its model through %s, written %s", words(names, "and"), words(forms, "or"))
}

// allowsSome tells whether any model of a provider is allowed.
func (c *Client) allowsSome(prefix string) bool {
	return c.configuration.Allowed == nil || slices.ContainsFunc(c.configuration.Allowed, func(entry string) bool {
		named, _, _ := strings.Cut(entry, "/")
		return named == prefix || entry == "*"
	})
}

// words joins names as a sentence does.
func words(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + last + " " + names[len(names)-1]
}
