package settings

// This file knows the built-in providers: by which variables each is configured,
// and what is missing.

import (
	"slices"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/problem"
)

// variable is a variable that configures built-in providers.
type variable struct {
	name   string
	about  string
	secret bool
	url    bool
	take   func(p *Provider, text string)
}

// builtIn is a built-in provider.
type builtIn struct {
	prefix string
	// needs are the variables without which it is not configured: one of each
	// group.
	needs [][]string
	// takes are those it takes besides.
	takes []string
	// credentials says where they come from when no variable holds them.
	credentials string
}

// variables are the providers' variables, in the order they are documented in.
var variables = []variable{
	{"ANTHROPIC_API_KEY", "Anthropic's key.", true, false, takeKey},
	{"ANTHROPIC_AUTH_TOKEN", "A bearer token for Anthropic, where there is no key.", true, false, takeToken},
	{"ANTHROPIC_BASE_URL", "Stands in place of https://api.anthropic.com/v1.", false, true, takeURL},
	{"OPENAI_API_KEY", "OpenAI's key.", true, false, takeKey},
	{"OPENAI_BASE_URL", "Stands in place of https://api.openai.com/v1.", false, true, takeURL},
	{"GOOGLE_GENERATIVE_AI_API_KEY", "The key of Google's Gemini API.", true, false, takeKey},
	{"GEMINI_API_KEY", "The same key, where GOOGLE_GENERATIVE_AI_API_KEY is not set.", true, false, takeKey},
	{"AZURE_API_KEY", "Azure's key. Without it, Microsoft Entra ID is asked.", true, false, takeKey},
	{"AZURE_RESOURCE_NAME", "The name of the Azure resource.", false, false, func(p *Provider, text string) { p.Resource = text }},
	{"AZURE_BASE_URL", "The URL of the Azure resource, in place of its name.", false, true, takeURL},
	{"AWS_REGION", "The region of Bedrock. Credentials come from AWS's chain.", false, false, func(p *Provider, text string) { p.Region = text }},
	{"AWS_BEARER_TOKEN_BEDROCK", "A bearer token for Bedrock, in place of AWS's chain.", true, false, takeToken},
	{"AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "Stands in place of Bedrock's own address.", false, true, takeURL},
	{"GOOGLE_VERTEX_PROJECT", "The Google Cloud project. Credentials are Google's application default ones.", false, false, func(p *Provider, text string) { p.Project = text }},
	{"GOOGLE_VERTEX_LOCATION", "The Google Cloud location.", false, false, func(p *Provider, text string) { p.Location = text }},
}

// A later variable of the same kind does not replace an earlier one.
func takeKey(p *Provider, text string) {
	if !p.APIKey.IsSet() {
		p.APIKey = hidden(text)
	}
}

func takeToken(p *Provider, text string) { p.Token = hidden(text) }
func takeURL(p *Provider, text string)   { p.BaseURL = strings.TrimRight(text, "/") }

var (
	bedrockTakes = []string{"AWS_BEARER_TOKEN_BEDROCK", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"}
	vertexNeeds  = [][]string{{"GOOGLE_VERTEX_PROJECT"}, {"GOOGLE_VERTEX_LOCATION"}}
)

// builtIns are the built-in providers, in the order they are shown.
var builtIns = []builtIn{
	{prefix: "anthropic", needs: [][]string{{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"}}, takes: []string{"ANTHROPIC_BASE_URL"}},
	{prefix: "openai", needs: [][]string{{"OPENAI_API_KEY"}}, takes: []string{"OPENAI_BASE_URL"}},
	{prefix: "google", needs: [][]string{{"GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"}}},
	{prefix: "azure", needs: [][]string{{"AZURE_RESOURCE_NAME", "AZURE_BASE_URL"}}, takes: []string{"AZURE_API_KEY"}, credentials: "Microsoft Entra ID"},
	{prefix: "bedrock", needs: [][]string{{"AWS_REGION"}}, takes: bedrockTakes, credentials: "the AWS credential chain"},
	{prefix: "bedrock-anthropic", needs: [][]string{{"AWS_REGION"}}, takes: bedrockTakes, credentials: "the AWS credential chain"},
	{prefix: "vertex", needs: vertexNeeds, credentials: "Google application default credentials"},
	{prefix: "vertex-anthropic", needs: vertexNeeds, credentials: "Google application default credentials"},
}

func builtInPrefixes() []string {
	prefixes := make([]string, len(builtIns))
	for i, b := range builtIns {
		prefixes[i] = b.prefix
	}
	return prefixes
}

func isBuiltIn(prefix string) bool {
	return slices.ContainsFunc(builtIns, func(b builtIn) bool { return b.prefix == prefix })
}

// names gives every variable of a provider, needed and taken.
func (b *builtIn) names() []string { return append(slices.Concat(b.needs...), b.takes...) }

// providerSettings are the providers' variables as rows of the table.
func providerSettings() []Setting {
	rows := make([]Setting, len(variables))
	for i, v := range variables {
		form := "text"
		if v.url {
			form = "an http or https URL"
		} else if v.secret {
			form = "a secret"
		}
		rows[i] = Setting{Variable: v.name, Form: form, About: v.about, Models: true, Secret: v.secret, read: v.check}
	}
	return rows
}

// check refuses a variable that no request can carry.
func (v variable) check(r *reader, at place) {
	text, ok := r.text(at)
	switch {
	case !ok:
	case v.url:
		r.address(at)
	case !v.secret && strings.ContainsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("/?#@:", c) }):
		r.refuse(at, problem.ValueRange, "Expected a name without spaces, / ? # @ or :")
	}
}

// configureProviders gives each built-in provider that has what it needs what its
// variables say.
func (r *reader) configureProviders() {
	for _, b := range builtIns {
		if len(r.missingFor(&b)) > 0 {
			continue
		}
		provider := Provider{Prefix: b.prefix}
		for _, v := range variables {
			if text, set := r.variable(v.name); set && slices.Contains(b.names(), v.name) && !r.broken(v.name) {
				v.take(&provider, text)
			}
		}
		r.settings.providers = append(r.settings.providers, provider)
	}
}

// broken tells whether a variable breaks a rule.
func (r *reader) broken(name string) bool {
	return slices.ContainsFunc(r.faults, func(f Fault) bool { return f.Variable == name })
}

// missingFor gives what a provider still needs, each in words such as
// ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN.
func (r *reader) missingFor(b *builtIn) []string {
	var missing []string
	for _, group := range b.needs {
		if !slices.ContainsFunc(group, func(name string) bool { _, set := r.variable(name); return set }) {
			missing = append(missing, strings.Join(group, " or "))
		}
	}
	return missing
}
