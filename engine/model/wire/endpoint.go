package wire

import (
	"net/url"
	"strings"
)

// This file knows the routes to a model: which format each speaks, and the
// address a call is sent to.

// Route is a way to a model: a built-in provider, or any gateway.
type Route string

// The nine routes (model settings, "Gateways" and "Answers that are JSON").
const (
	Anthropic        Route = "anthropic"
	OpenAI           Route = "openai"
	Google           Route = "google"
	Azure            Route = "azure"
	Bedrock          Route = "bedrock"
	BedrockAnthropic Route = "bedrock-anthropic"
	Vertex           Route = "vertex"
	VertexAnthropic  Route = "vertex-anthropic"
	Gateway          Route = "gateway"
)

// BuiltIn lists the routes that have a provider prefix of their own.
var BuiltIn = []Route{Anthropic, OpenAI, Google, Azure, Bedrock, BedrockAnthropic, Vertex, VertexAnthropic}

// The addresses of the providers that have one for everybody.
const (
	AnthropicURL = "https://api.anthropic.com/v1"
	OpenAIURL    = "https://api.openai.com/v1"
	GoogleURL    = "https://generativelanguage.googleapis.com/v1beta"
)

// Endpoint is where a call goes, and what goes with every request to it.
type Endpoint struct {
	Route    Route
	Provider string   // the prefix of its model references
	BaseURL  string   // without a slash at its end
	Headers  []Header // keys, and a gateway's own headers
	Query    []Header // a gateway's query parameters
	// StructuredOutputs says that a gateway takes strict response_format.
	StructuredOutputs bool
}

// AzureURL is the address of an Azure OpenAI resource.
func AzureURL(resource string) string { return "https://" + resource + ".openai.azure.com/openai" }

// VertexURL is the address of Gemini models in a project and location.
func VertexURL(project, location string) string {
	return "https://" + vertexHost(location) + "/v1beta1/projects/" + project + "/locations/" + location + "/publishers/google"
}

// VertexAnthropicURL is the address of Claude models in a project and location.
func VertexAnthropicURL(project, location string) string {
	return "https://" + vertexHost(location) + "/v1/projects/" + project + "/locations/" + location + "/publishers/anthropic"
}

func vertexHost(location string) string {
	switch location {
	case "global":
		return "aiplatform.googleapis.com"
	case "eu", "us":
		return "aiplatform." + location + ".rep.googleapis.com"
	}
	return location + "-aiplatform.googleapis.com"
}

// awsSuffixes are the domains of the AWS partitions that are not amazonaws.com,
// by the start of a region's name.
var awsSuffixes = [...]struct{ region, domain string }{
	{"cn-", "amazonaws.com.cn"},
	{"us-isob-", "sc2s.sgov.gov"},
	{"us-isof-", "csp.hci.ic.gov"},
	{"us-iso-", "c2s.ic.gov"},
	{"eu-isoe-", "cloud.adc-e.uk"},
	{"eusc-", "amazonaws.eu"},
}

// BedrockURL is the address of Bedrock's models in a region.
func BedrockURL(region string) string {
	domain := "amazonaws.com"
	for _, partition := range awsSuffixes {
		if strings.HasPrefix(region, partition.region) {
			domain = partition.domain
			break
		}
	}
	return "https://bedrock-runtime." + region + "." + domain
}

// address is the URL that a call of a model is sent to.
func (e *Endpoint) address(model string) string {
	switch e.Route {
	case Anthropic:
		return e.BaseURL + "/messages"
	case OpenAI:
		return e.BaseURL + "/responses"
	case Azure:
		return azureAddress(e.BaseURL)
	case Google, Vertex:
		return e.BaseURL + "/" + geminiPath(model) + ":generateContent"
	case VertexAnthropic:
		return e.BaseURL + "/models/" + pathSegments(model) + ":rawPredict"
	case Bedrock:
		return e.BaseURL + "/model/" + componentOf(model) + "/converse"
	case BedrockAnthropic:
		return e.BaseURL + "/model/" + componentOf(model) + "/invoke"
	}
	return withQuery(e.BaseURL+"/chat/completions", e.Query)
}

// azureAddress adds to an Azure address what it lacks: a resource has its
// version in the path and in the query, and any other address has both itself.
func azureAddress(base string) string {
	parsed, err := url.Parse(base)
	if err != nil {
		return base + "/responses"
	}
	host, path := parsed.Hostname(), strings.TrimRight(parsed.Path, "/")
	foundry := strings.HasSuffix(host, ".services.ai.azure.com")
	azure := foundry || strings.HasSuffix(host, ".openai.azure.com") || strings.HasSuffix(host, ".cognitiveservices.azure.com")
	switch {
	case !azure, strings.HasSuffix(strings.ToLower(path), "/openai/v1"):
		return base + "/responses"
	case foundry && strings.HasPrefix(path, "/api/projects/"):
		return base + "/v1/responses"
	}
	return base + "/v1/responses?api-version=v1"
}

// geminiPath is a model's path: a tuned model and a publisher's model bring
// their own.
func geminiPath(model string) string {
	if strings.Contains(model, "/") {
		return pathSegments(model)
	}
	return "models/" + pathSegments(model)
}

// pathSegments escapes each segment of a model id, so that none ends the path
// or climbs out of it.
func pathSegments(model string) string {
	segments := strings.Split(model, "/")
	for i, segment := range segments {
		switch segment {
		case ".", "..":
			segments[i] = strings.ReplaceAll(segment, ".", "%2E")
		default:
			segments[i] = url.PathEscape(segment)
		}
	}
	return strings.Join(segments, "/")
}

// componentOf escapes a model id as one path segment: the : and / of an ARN
// are part of the id.
func componentOf(model string) string {
	var out strings.Builder
	for i := 0; i < len(model); i++ {
		c := model[i]
		if isUnreserved(c) {
			out.WriteByte(c)
			continue
		}
		const hex = "0123456789ABCDEF"
		out.WriteByte('%')
		out.WriteByte(hex[c>>4])
		out.WriteByte(hex[c&15])
	}
	return out.String()
}

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.!~*'()", c) >= 0
}

func withQuery(address string, query []Header) string {
	if len(query) == 0 {
		return address
	}
	var pairs []string
	for _, parameter := range query {
		pairs = append(pairs, url.QueryEscape(parameter.Name)+"="+url.QueryEscape(parameter.Value))
	}
	joint := "?"
	if strings.Contains(address, "?") {
		joint = "&"
	}
	return address + joint + strings.Join(pairs, "&")
}

// ListAddress is the URL a provider's models are listed at.
func (e *Endpoint) ListAddress() string {
	switch e.Route {
	case Anthropic:
		return e.BaseURL + "/models?limit=1000"
	case Google:
		return e.BaseURL + "/models?pageSize=1000"
	}
	return withQuery(e.BaseURL+"/models", e.Query)
}

// ListHeaders are the headers that go with a request for a provider's models.
func (e *Endpoint) ListHeaders() []Header {
	if e.Route == Anthropic {
		return append([]Header{{"anthropic-version", anthropicVersion}}, e.Headers...)
	}
	return e.Headers
}
