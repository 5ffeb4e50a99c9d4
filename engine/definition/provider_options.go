package definition

// This file reads provider_options: which options each namespace offers, and why
// the others are not.

import (
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// Namespace is one namespace of provider_options: the providers whose models
// read it, and the options it offers (reasoning format, "Provider options").
type Namespace struct {
	Name    string
	Read    string // for which models it is read, in words
	Options []Option
}

// Option is an option a namespace offers. Within names the only keys its value
// may have, when the format limits them.
type Option struct {
	Name   string
	Within []string
}

var (
	thinking      = Option{Name: "thinking", Within: []string{"type", "budgetTokens", "display"}}
	openAIOptions = []Option{{Name: "textVerbosity"}, {Name: "reasoningMode"}, {Name: "logitBias"}}
	googleOptions = []Option{{Name: "thinkingConfig"}, {Name: "safetySettings"}, {Name: "threshold"}}
	amazonOptions = []Option{{Name: "reasoningConfig"}}
)

// Namespaces is the table of the built-in providers' namespaces.
var Namespaces = []Namespace{
	{"anthropic", "anthropic, bedrock-anthropic and vertex-anthropic", []Option{thinking}},
	{"openai", "openai, and azure when there are no azure options", openAIOptions},
	{"azure", "azure", openAIOptions},
	{"google", "google, and vertex when there are no googleVertex or vertex options", googleOptions},
	{"vertex", "vertex", googleOptions},
	{"googleVertex", "vertex and vertex-anthropic", append(slices.Clip(slices.Clone(googleOptions)), thinking)},
	{"amazonBedrock", "bedrock", amazonOptions},
	{"bedrock", "bedrock when there are no amazonBedrock options, and bedrock-anthropic", amazonOptions},
}

// withheld is why options are never offered, for any provider, and which
// ones each reason is for. An option in none of these lists is refused as one
// that its namespace does not offer.
var withheld = []struct {
	reason  string
	options []string
}{
	{"the front matter sets it", []string{
		"effort", "reasoningEffort", "reasoning", "maxTokens", "maxOutputTokens", "maxCompletionTokens", "temperature", "topP", "topK", "seed",
		"stop", "stopSequences", "structuredOutputs", "structuredOutputMode", "strictJsonSchema", "jsonSchema", "responseFormat",
		"responseMimeType", "outputFormat", "format", "model",
	}},
	{"it carries credentials", []string{"apiKey", "authToken", "accessToken", "credentials", "token"}},
	{"it attributes the call", []string{"user", "metadata", "labels", "safetyIdentifier", "userId", "requestMetadata"}},
	{"it stores or reuses something on the operator's account", []string{
		"store", "previousResponseId", "conversation", "container", "cacheControl", "cachedContent", "cachePoint",
		"promptCacheKey", "promptCacheRetention", "promptCacheOptions",
	}},
	{"it chooses routing, fallbacks or capacity", []string{
		"serviceTier", "fallbacks", "fallback", "routing", "order", "only", "models", "speed", "inferenceGeo", "sharedRequestType",
		"performanceConfig", "latency", "trafficType", "requestType",
	}},
	{"it sets request headers", []string{"anthropicBeta", "anthropicBetas", "betas", "beta", "headers", "extraHeaders"}},
	{"the tools a run may call are named in tools", []string{
		"mcpServers", "tools", "toolChoice", "toolConfig", "functions", "maxToolCalls", "parallelToolCalls", "disableParallelToolUse",
		"toolStreaming", "allowedTools", "retrievalConfig", "guardrailConfig",
	}},
	{"it is a raw field of the request", []string{
		"additionalModelRequestFields", "additionalModelResponseFieldPaths", "prediction", "extraBody", "body", "rawRequest", "inferenceConfig",
	}},
	{"the runtime manages the run's conversation", []string{"contextManagement", "truncation", "compaction", "passThroughUnsupportedFiles"}},
	{"the runtime does not read what it returns", []string{
		"logprobs", "topLogprobs", "reasoningSummary", "include", "responseModalities", "imageConfig", "audioTimestamp", "mediaResolution",
		"speechConfig", "sendReasoning", "streamFunctionCallArguments",
	}},
	{"it changes how the runtime sends the prompt", []string{"systemMessageMode", "forceReasoning", "instructions", "imageDetail"}},
}

// whyWithheld gives the reason an option is never offered. Options are known
// in camel case and in snake case alike.
func whyWithheld(name string) (string, bool) {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	for _, group := range withheld {
		for _, option := range group.options {
			if plain(option) == plain(name) {
				return group.reason, true
			}
		}
	}
	return "", false
}

// isGatewayNamespace tells whether a namespace is shaped like a gateway's
// name, in the form it is configured in or in camel case.
func isGatewayNamespace(name string) bool {
	if len(name) < 1 || len(name) > 32 || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// providerOptions reads provider_options. Options under a gateway's name are
// kept as they are: which of them it allows is known where it is configured.
func providerOptions(r *reader, at place, into *Reasoning) {
	if !r.mapping(at) {
		return
	}
	for i, key := range at.node.Keys {
		options := place{node: at.node.Items[i], pointer: join(at.pointer, key.Name), key: key}
		known := slices.IndexFunc(Namespaces, func(n Namespace) bool { return n.Name == key.Name })
		switch {
		case known >= 0:
			if r.mapping(options) {
				r.checkOptions(options, Namespaces[known])
			}
		case isGatewayNamespace(key.Name):
			r.mapping(options)
		default:
			r.notOffered(options, "it is no provider's namespace and no gateway's name"+problem.OrNear(key.Name, namespaceNames()))
		}
	}
	into.ProviderOptions, _ = at.node.Value().(*value.Object)
}

func namespaceNames() []string {
	all := make([]string, len(Namespaces))
	for i, n := range Namespaces {
		all[i] = n.Name
	}
	return all
}

func (r *reader) checkOptions(at place, namespace Namespace) {
	offered := make([]string, len(namespace.Options))
	for i, option := range namespace.Options {
		offered[i] = option.Name
	}
	for i, key := range at.node.Keys {
		option := place{node: at.node.Items[i], pointer: join(at.pointer, key.Name), key: key}
		known := slices.Index(offered, key.Name)
		if known < 0 {
			reason, listed := whyWithheld(key.Name)
			if !listed {
				reason = namespace.Name + " offers " + strings.Join(offered, ", ") + problem.OrNear(key.Name, offered)
			}
			r.notOffered(option, reason)
			continue
		}
		within := namespace.Options[known].Within
		if within == nil || !r.mapping(option) {
			continue
		}
		for j, inner := range option.node.Keys {
			if !slices.Contains(within, inner.Name) {
				r.notOffered(place{node: option.node.Items[j], pointer: join(option.pointer, inner.Name), key: inner},
					key.Name+" takes "+strings.Join(within, ", ")+problem.OrNear(inner.Name, within))
			}
		}
	}
}

// notOffered reports an option or a namespace on its own line, with the reason.
func (r *reader) notOffered(at place, reason string) {
	r.add(problem.Problem{
		Line: at.key.Line, Column: at.key.Column, Pointer: at.pointer,
		Rule: problem.ProviderOption, Message: at.key.Name + " is not offered: " + reason,
	})
}
