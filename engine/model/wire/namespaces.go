package wire

import "slices"

// This file says which namespaces of provider_options each route reads
// (reasoning format, "Provider options").

var namespaces = [...]struct {
	route Route
	names []string
}{
	{Anthropic, []string{"anthropic"}},
	{BedrockAnthropic, []string{"anthropic", "bedrock"}},
	{VertexAnthropic, []string{"anthropic", "googleVertex"}},
	{OpenAI, []string{"openai"}},
	{Azure, []string{"azure", "openai"}},
	{Google, []string{"google"}},
	{Vertex, []string{"googleVertex", "vertex", "google"}},
	{Bedrock, []string{"amazonBedrock", "bedrock"}},
}

// Namespaces are the namespaces that a call through an endpoint reads.
func Namespaces(endpoint *Endpoint) []string {
	if endpoint.Route == Gateway {
		return append(GatewayNamespaces(endpoint.Provider), SharedNamespace)
	}
	for _, row := range namespaces {
		if row.route == endpoint.Route {
			return row.names
		}
	}
	return nil
}

// IsProviderNamespace tells whether a namespace belongs to a built-in provider,
// or is the one that gateways share.
func IsProviderNamespace(namespace string) bool {
	if namespace == SharedNamespace {
		return true
	}
	for _, row := range namespaces {
		if slices.Contains(row.names, namespace) {
			return true
		}
	}
	return false
}
