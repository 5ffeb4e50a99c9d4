package model

import (
	"slices"

	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/value"
)

// This file checks what saving cannot know of provider options (reasoning
// format, "Options for a gateway").

// checkOptions gives the failure of options that may not be sent, and warnings
// of namespaces that the call's route does not read.
func (c *Client) checkOptions(target *Target, options *value.Object) ([]string, *Failure) {
	warnings := []string{}
	read := wire.Namespaces(&target.Provider.Endpoint)
	for i := range options.Len() {
		namespace, v := options.At(i)
		switch {
		case slices.Contains(read, namespace):
			if target.Provider.Route != wire.Gateway {
				continue
			}
			if name := c.refusedField(target.Provider, namespace, v); name != "" {
				return nil, &Failure{Kind: DefinitionInvalid, Provider: target.Provider.Endpoint.Provider, Model: target.Requested,
					reason: refusedOption, words: "provider_options." + namespace + "." + name + " is not allowed by " + target.Provider.Endpoint.Provider}
			}
		case !wire.IsProviderNamespace(namespace) && !c.gatewayReads(namespace):
			return nil, &Failure{Kind: DefinitionInvalid, Provider: target.Provider.Endpoint.Provider, Model: target.Requested,
				reason: refusedOption, words: "provider_options." + namespace + " is read by no configured provider"}
		default:
			warnings = append(warnings, "provider_options."+namespace+" was not sent: models of "+target.Provider.Endpoint.Provider+" do not read it")
		}
	}
	return warnings, nil
}

// refusedField gives the first field that the gateway's operator does not let a
// definition set, and an empty text when there is none.
func (c *Client) refusedField(provider *Provider, namespace string, v value.Value) string {
	fields, _ := v.(*value.Object)
	for _, name := range fields.Keys() {
		if !slices.Contains(provider.AllowedOptions, name) {
			return name
		}
	}
	return ""
}

func (c *Client) gatewayReads(namespace string) bool {
	return slices.ContainsFunc(c.configuration.Providers, func(provider Provider) bool {
		return provider.Route == wire.Gateway && slices.Contains(wire.Namespaces(&provider.Endpoint), namespace)
	})
}
