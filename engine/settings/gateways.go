package settings

// This file reads the gateways (model settings, "Gateways").

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// The bounds of allowed_provider_options.
const (
	maxProviderOptions     = 64
	maxProviderOptionChars = 64
)

// runtimeFields are the fields of a request's body that the runtime sets, or that
// change what the call is. No gateway can allow them.
var runtimeFields = []string{
	"model", "messages", "stream", "stream_options", "n", "max_tokens", "max_completion_tokens", "temperature",
	"top_p", "frequency_penalty", "presence_penalty", "seed", "stop", "response_format", "tools", "tool_choice",
	"functions", "function_call", "reasoning_effort", "verbosity", "reasoningEffort", "textVerbosity", "strictJsonSchema",
}

// gatewayFields are the keys of a gateway.
var gatewayFields = []field[Gateway]{
	{"name", true, "The provider prefix: " + serverForm + ".", func(r *reader, at place, g *Gateway) {
		name, ok := r.name(at, isServerName, serverForm)
		if ok && isBuiltIn(name) {
			r.refuse(at, problem.ValueRange, "Expected a name other than the built-in providers': "+strings.Join(builtInPrefixes(), ", "))
			return
		}
		g.Name = name
	}},
	{"base_url", true, "The URL that /chat/completions is appended to.", func(r *reader, at place, g *Gateway) {
		g.BaseURL, _ = r.address(at)
	}},
	{"api_key", false, "The key, sent as Authorization: Bearer; in the file a reference such as ${NAME}.", func(r *reader, at place, g *Gateway) {
		g.APIKey, _ = r.secret(at)
	}},
	{"api_key_env", false, "In MODEL_GATEWAYS only, in place of api_key: the name of the variable that holds the key.", (*reader).keyVariable},
	{"headers", false, "Headers sent with every request.", func(r *reader, at place, g *Gateway) {
		g.Headers = r.headers(at)
	}},
	{"query_params", false, "Query parameters added to every request.", func(r *reader, at place, g *Gateway) {
		g.QueryParams = r.named(at, func(name string) bool { return name != "" }, "a parameter's name", isCredential)
	}},
	{"structured_outputs", false, "true when the endpoint takes a strict response_format. Default false.", func(r *reader, at place, g *Gateway) {
		r.flag(at, &g.StructuredOutputs)
	}},
	{"include_usage", false, "Asks for usage in streamed responses. Default false.", func(r *reader, at place, g *Gateway) {
		r.flag(at, &g.IncludeUsage)
	}},
	{"expose_provider_messages", false, "true when its error messages may reach callers. Default false.", func(r *reader, at place, g *Gateway) {
		r.flag(at, &g.ExposeProviderMessages)
	}},
	{"allowed_provider_options", false, "The body fields a definition may set for it through provider_options.", (*reader).providerOptions},
	{"cost_header", false, "The header that answers the call's cost in US dollars.", func(r *reader, at place, g *Gateway) {
		g.CostHeader, _ = r.name(at, isHeaderName, "a header's name")
	}},
}

func (r *reader) gateways(at place) {
	seen := map[string]bool{}
	for _, item := range r.list(at) {
		gateway := Gateway{}
		before := len(r.faults)
		if !fieldsOf(r, item, gatewayFields, &gateway) {
			continue
		}
		r.oneKey(item)
		if gateway.Name != "" && seen[gateway.Name] {
			r.refuseNamed(item, "Expected each gateway's name once")
		}
		seen[gateway.Name] = true
		if name, _ := item.node.Get("name").Value().(string); name != "" {
			r.gatewayNames[name] = true
		}
		if len(r.faults) == before {
			r.settings.gateways = append(r.settings.gateways, gateway)
		}
	}
}

// refuseNamed reports the name of an entry.
func (r *reader) refuseNamed(entry place, message string) {
	for i, key := range entry.node.Keys {
		if key.Name == "name" {
			r.refuse(entry.under(i), problem.ValueRange, message)
		}
	}
}

// oneKey keeps a gateway from having its key twice.
func (r *reader) oneKey(gateway place) {
	if gateway.variable != "" && gateway.node.Get("api_key") != nil && gateway.node.Get("api_key_env") != nil {
		r.refuseKey(gateway, "api_key_env", problem.RefusedKey, "api_key_env is not allowed beside api_key")
	}
}

// keyVariable reads api_key_env: the key stands in another variable.
func (r *reader) keyVariable(at place, g *Gateway) {
	if at.variable == "" {
		r.refuseName(at, problem.RefusedKey, "api_key_env is not allowed in "+FileName+": write api_key: ${NAME}")
		return
	}
	name, ok := r.name(at, isVariable, "the name of a variable")
	if !ok {
		return
	}
	if key, _, ok := r.fill(at, []string{"", name, ""}); ok && r.sendable(at, key) {
		g.APIKey = hidden(key)
	}
}

func (r *reader) providerOptions(at place, g *Gateway) {
	if len(at.node.Items) > maxProviderOptions {
		r.refuse(at, problem.ValueRange, fmt.Sprintf("Expected at most %d fields", maxProviderOptions))
		return
	}
	form := fmt.Sprintf("a field's name of 1 to %d characters", maxProviderOptionChars)
	fits := func(name string) bool { return value.Characters(name) <= maxProviderOptionChars }
	g.AllowedProviderOptions = r.names(at, fits, form)
	for _, item := range r.itemsOf(at) {
		if name, _ := item.node.Value().(string); slices.Contains(runtimeFields, name) {
			r.refuse(item, problem.ValueRange, "Expected a field that the runtime does not set")
		}
	}
}

// itemsOf gives a list's items without a word when it is none.
func (r *reader) itemsOf(at place) []place {
	items := make([]place, 0, len(at.node.Items))
	if at.node.Keys == nil {
		for i := range at.node.Items {
			items = append(items, at.item(i))
		}
	}
	return items
}

// headers reads headers, each once whatever its case.
func (r *reader) headers(at place) []Header {
	all := r.named(at, isHeaderName, "a header's name", isCredential)
	seen := map[string]bool{}
	for i, key := range at.node.Keys {
		lower := strings.ToLower(key.Name)
		if seen[lower] {
			r.refuseName(at.under(i), problem.DuplicateKey, "Expected each header once")
		}
		seen[lower] = true
	}
	return all
}

// named reads a mapping of names to texts. What a credential's name holds is a
// reference in the file.
func (r *reader) named(at place, has func(string) bool, expected string, credential func(string) bool) []Header {
	if !r.mapping(at) {
		return nil
	}
	all := make([]Header, 0, len(at.node.Keys))
	for i, key := range at.node.Keys {
		entry := at.under(i)
		if !has(key.Name) {
			r.refuseName(entry, problem.ValueRange, "Expected "+expected)
			continue
		}
		if text, ok := r.withReferences(entry, credential(key.Name), false); ok {
			all = append(all, Header{key.Name, text})
		}
	}
	return all
}
