// Package connect makes the configuration of the model client from an
// operator's settings, with the source of credentials of each provider.
//
// It is the one package that knows the sources of credentials of the clouds, and
// it never calls anything itself.
package connect

import (
	"slices"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/credential/aws"
	"github.com/beonauto/auto/engine/model/credential/entra"
	"github.com/beonauto/auto/engine/model/credential/google"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/settings"
)

// Configuration gives what the settings say of models. The transport is what
// sources of credentials are reached through.
func Configuration(from *settings.Settings, transport model.Transport) model.Configuration {
	configuration := model.Configuration{Allowed: from.AllowedModels(), Declared: map[string][]string{}}
	for _, provider := range from.Providers() {
		configuration.Providers = append(configuration.Providers, builtIn(provider, transport))
	}
	for _, gateway := range from.Gateways() {
		configuration.Providers = append(configuration.Providers, ofGateway(gateway))
	}
	for i := range configuration.Providers {
		prefix := configuration.Providers[i].Endpoint.Provider
		if declared := from.DeclaredModels(prefix); len(declared) > 0 {
			configuration.Declared[prefix] = declared
		}
	}
	for _, alias := range from.Aliases() {
		configuration.Aliases = append(configuration.Aliases, model.Alias(alias))
	}
	for _, secret := range from.Secrets() {
		configuration.Secrets = append(configuration.Secrets, secret.Reveal())
	}
	return configuration
}

// headers are how a provider takes a key.
var keyHeaders = [...]struct {
	route wire.Route
	name  string
}{{wire.Anthropic, "x-api-key"}, {wire.Google, "x-goog-api-key"}, {wire.Azure, "api-key"}}

func builtIn(from settings.Provider, transport model.Transport) model.Provider {
	provider := model.Provider{Endpoint: wire.Endpoint{Route: wire.Route(from.Prefix), Provider: from.Prefix, BaseURL: from.BaseURL}}
	if from.BaseURL == "" {
		provider.BaseURL = ownAddress(from)
		provider.ShowsMessages = true
	}
	switch {
	case from.APIKey.IsSet():
		header := wire.Header{Name: "Authorization", Value: "Bearer " + from.APIKey.Reveal()}
		for _, row := range keyHeaders {
			if row.route == provider.Route {
				header = wire.Header{Name: row.name, Value: from.APIKey.Reveal()}
			}
		}
		provider.Headers = []wire.Header{header}
	case from.Token.IsSet():
		provider.Headers = []wire.Header{{Name: "Authorization", Value: "Bearer " + from.Token.Reveal()}}
	default:
		provider.Authorizer = source(provider.Route, from, transport)
	}
	return provider
}

// ownAddress is the provider's own address: everybody's, or that of the
// resource, region or project of the settings.
func ownAddress(from settings.Provider) string {
	switch wire.Route(from.Prefix) {
	case wire.Anthropic:
		return wire.AnthropicURL
	case wire.OpenAI:
		return wire.OpenAIURL
	case wire.Google:
		return wire.GoogleURL
	case wire.Azure:
		return wire.AzureURL(from.Resource)
	case wire.Vertex:
		return wire.VertexURL(from.Project, from.Location)
	case wire.VertexAnthropic:
		return wire.VertexAnthropicURL(from.Project, from.Location)
	}
	return wire.BedrockURL(from.Region)
}

// source gives the source of credentials of a provider without a key.
func source(route wire.Route, from settings.Provider, transport model.Transport) model.Authorizer {
	switch route {
	case wire.Azure:
		return entra.New(model.NewHTTP(transport))
	case wire.Vertex, wire.VertexAnthropic:
		return google.New(model.NewHTTP(transport))
	case wire.Bedrock, wire.BedrockAnthropic:
		return aws.New(from.Region, transport.Dress)
	}
	return nil
}

func ofGateway(from settings.Gateway) model.Provider {
	provider := model.Provider{
		Endpoint: wire.Endpoint{
			Route: wire.Gateway, Provider: from.Name, BaseURL: from.BaseURL, StructuredOutputs: from.StructuredOutputs,
			Headers: revealed(from.Headers), Query: revealed(from.QueryParams),
		},
		ShowsMessages:  from.ExposeProviderMessages,
		AllowedOptions: slices.Clone(from.AllowedProviderOptions),
		CostHeader:     from.CostHeader,
	}
	if from.APIKey.IsSet() {
		// A header of its own that carries a credential wins over the key.
		provider.Headers = append([]wire.Header{{Name: "Authorization", Value: "Bearer " + from.APIKey.Reveal()}}, provider.Headers...)
	}
	return provider
}

func revealed(headers []settings.Header) []wire.Header {
	shown := []wire.Header{}
	for _, header := range headers {
		shown = append(shown, wire.Header{Name: header.Name, Value: header.Value.Reveal()})
	}
	return shown
}
