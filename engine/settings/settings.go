// Package settings reads what an operator sets: the file auto.yaml beside a
// playbook's definitions, and environment variables, which win over the file
// (model settings).
//
// A broken rule stops the start: every one is reported, with the setting's name
// and what was expected, and never a value. Secrets stand in the file as ${NAME}
// only. The package reads the environment through the function it is given,
// calls no provider and no tool server, and never decides where a call goes.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
)

// FileName is the settings file's name in a playbook's folder.
const FileName = "auto.yaml"

// Lookup gives an environment variable and whether it is set, as os.LookupEnv
// does. A variable that is set to nothing counts as not set.
type Lookup func(name string) (string, bool)

// Settings are an operator's settings. They never change, and what their methods
// give is the caller's own.
type Settings struct {
	gateways   []Gateway
	aliases    []Alias
	allowed    []string // nil allows every model
	declared   map[string][]string
	voiceModel string
	providers  []Provider // the configured ones of the built-in providers
	toolServer []ToolServer

	maxInputTokens int64
	openRequests   int64
	store          string
	email          string

	facts []Fact
}

// Gateway is an OpenAI-compatible endpoint under a provider prefix of its own
// (model settings, "Gateways").
type Gateway struct {
	Name                   string
	BaseURL                string // without a slash at its end
	APIKey                 Secret
	Headers                []Header
	QueryParams            []Header
	StructuredOutputs      bool
	IncludeUsage           bool
	ExposeProviderMessages bool
	AllowedProviderOptions []string
	CostHeader             string // empty when its costs are not kept
}

// Header is a header or a query parameter. Its value is treated as a secret.
type Header struct {
	Name  string
	Value Secret
}

// Alias sends a reference to another; both end in * for a wildcard (model
// settings, "Model aliases").
type Alias struct{ From, To string }

// Provider is a built-in provider that is configured. What is empty was not set.
type Provider struct {
	Prefix   string // such as anthropic
	BaseURL  string // in place of the provider's own address, without a slash at its end
	APIKey   Secret
	Token    Secret // a bearer token, in place of an API key
	Resource string // of Azure
	Region   string // of AWS
	Project  string // of Google Cloud
	Location string
}

// ToolServer is a server whose tools functions may call. One of Command, URL and
// OpenAPI says how it is reached.
type ToolServer struct {
	Name    string
	Command string // a program that serves MCP over its standard input and output
	Args    []Secret
	Env     []Header // the whole environment of the program
	URL     Secret   // of an MCP server over HTTP
	Headers []Header // sent to URL, or to the API of OpenAPI
	OpenAPI string   // the path or the URL of an OpenAPI document
	BaseURL string   // of the API, in place of the one the document names
	// Allowed are the only tools of it that may be used; nil allows all it lists.
	Allowed []string
	// Reads are tools that only read, where the server gives no mark.
	Reads []string
	// RecordContent says that arguments and results are kept in the history.
	RecordContent bool
	// RequestID is where the server's own id of a request stands: a header's name,
	// or a JSON Pointer into the tool's result.
	RequestID string
}

// Gateways gives the gateways in their order.
func (s *Settings) Gateways() []Gateway { return slices.Clone(s.gateways) }

// Aliases gives the aliases in their order.
func (s *Settings) Aliases() []Alias { return slices.Clone(s.aliases) }

// AllowedModels gives the only references a definition may name; nil when every
// model is allowed.
func (s *Settings) AllowedModels() []string { return slices.Clone(s.allowed) }

// DeclaredModels gives the models to list for a provider, by its prefix.
func (s *Settings) DeclaredModels(provider string) []string {
	return slices.Clone(s.declared[provider])
}

// VoiceModel gives the reference of the voice model, empty when there is none.
func (s *Settings) VoiceModel() string { return s.voiceModel }

// Providers gives the built-in providers that are configured.
func (s *Settings) Providers() []Provider { return slices.Clone(s.providers) }

// ToolServers gives the tool servers in their order.
func (s *Settings) ToolServers() []ToolServer { return slices.Clone(s.toolServer) }

// MaxInputTokens is the most input tokens that one run's model calls use
// together (reasoning format, "Limits on calls").
func (s *Settings) MaxInputTokens() int64 { return s.maxInputTokens }

// OpenRequests is the most open requests of the playbook (interaction format,
// "Bounds").
func (s *Settings) OpenRequests() int64 { return s.openRequests }

// Email is the address of the person who works here; empty when AUTO_EMAIL is not
// set.
func (s *Settings) Email() string { return s.email }

// StoreFile gives the store's file for a playbook's folder: .auto/runs.db in it,
// or what AUTO_STORE says.
func (s *Settings) StoreFile(folder string) string {
	if s.store != "" {
		return s.store
	}
	return filepath.Join(folder, ".auto", "runs.db")
}

// Secrets gives the secrets of the model settings: API keys, tokens, and the
// headers and query parameters of gateways. They are what is redacted in the
// words of providers (model settings, "Provider messages").
func (s *Settings) Secrets() []Secret {
	var all []Secret
	add := func(secret Secret) {
		if secret.IsSet() {
			all = append(all, secret)
		}
	}
	for _, p := range s.providers {
		add(p.APIKey)
		add(p.Token)
	}
	for _, g := range s.gateways {
		add(g.APIKey)
		for _, h := range slices.Concat(g.Headers, g.QueryParams) {
			add(h.Value)
		}
	}
	return all
}

// Fault is a setting that breaks a rule.
type Fault struct {
	// Variable is the environment variable that holds it; empty when it stands in
	// auto.yaml. A pointer then leads into the variable's JSON.
	Variable string
	problem.Problem
}

// String is the fault as a person reads it, such as VOICE_MODEL: Expected … or
// auto.yaml, line 3, /model_gateways/0/name: Expected …
func (f Fault) String() string {
	where := f.Variable
	if where == "" {
		where = fmt.Sprintf("%s, line %d", FileName, f.Line)
	}
	if f.Pointer != "" {
		where += ", " + f.Pointer
	}
	return where + ": " + f.Message
}

// InvalidError is settings that do not stand (model_settings_invalid).
type InvalidError struct{ Faults []Fault }

func (e *InvalidError) Error() string {
	texts := []string{"The settings are invalid"}
	if !slices.ContainsFunc(e.Faults, func(f Fault) bool { return !f.ofModels() }) {
		texts[0] = "The model settings are invalid"
	}
	for _, f := range e.Faults {
		texts = append(texts, f.String())
	}
	return strings.Join(texts, ". ")
}

// ofModels tells whether a fault is in the model settings.
func (f Fault) ofModels() bool {
	return slices.ContainsFunc(table, func(s Setting) bool {
		if f.Variable != "" {
			return s.Models && s.Variable == f.Variable
		}
		return s.Models && s.Key != "" && (f.Pointer == "/"+s.Key || strings.HasPrefix(f.Pointer, "/"+s.Key+"/"))
	})
}

// Load reads the settings of a playbook's folder. The error is an *InvalidError
// with every fault, and the settings then hold what does stand, for a report of
// what is configured; or the file cannot be read. A folder without auto.yaml has
// the settings of the environment.
func Load(folder string, lookup Lookup) (*Settings, error) {
	source, err := readFile(filepath.Join(folder, FileName))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", FileName, err)
	}
	return Read(source, lookup)
}

// Names are the names that a playbook's settings file gives, as far as they can be
// told whatever else is wrong with it.
type Names struct {
	// ToolServers are those of the tool servers, in their order; nil where it cannot
	// be told whether there are any.
	ToolServers []string
	// Gateways and Aliases are what the file adds to the built-in providers.
	Gateways []string
	Aliases  []string
}

// NamesOf gives the names in the settings file of a playbook's folder, without
// looking at the environment.
func NamesOf(folder string) Names {
	source, err := readFile(filepath.Join(folder, FileName))
	if err != nil {
		return Names{}
	}
	if !bytes.Contains(source, []byte("tool_servers")) && !bytes.Contains(source, []byte("model_")) {
		return Names{ToolServers: []string{}}
	}
	root, _ := frontmatter.ReadYAML(source)
	if root == nil {
		return Names{}
	}
	names := Names{ToolServers: []string{}}
	for _, name := range namesIn(root.Get("tool_servers")) {
		if definition.IsServerName(name) && !slices.Contains(names.ToolServers, name) {
			names.ToolServers = append(names.ToolServers, name)
		}
	}
	names.Gateways = namesIn(root.Get("model_gateways"))
	if aliases := root.Get("model_aliases"); aliases != nil {
		for _, key := range aliases.Keys {
			names.Aliases = append(names.Aliases, key.Name)
		}
	}
	return names
}

// namesIn gives the name of each item of a list that has one; none of no list.
func namesIn(list *frontmatter.Node) (names []string) {
	if list == nil {
		return nil
	}
	for _, item := range list.Items {
		name := item.Get("name")
		if name == nil {
			continue
		}
		if text, ok := name.Value().(string); ok {
			names = append(names, text)
		}
	}
	return names
}

func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// One byte more than is looked at, so that a larger file is said to be one.
	return io.ReadAll(io.LimitReader(file, frontmatter.MaxDocument+1))
}

// Read is Load of a settings file that is at hand.
func Read(source []byte, lookup Lookup) (*Settings, error) {
	r := &reader{lookup: lookup, settings: &Settings{}}
	r.run(source)
	faults := slices.DeleteFunc(r.faults, func(f Fault) bool { return f.Severity != problem.Refused })
	if len(faults) > 0 {
		return r.settings, &InvalidError{faults}
	}
	return r.settings, nil
}

// Check gives every problem of a settings file, sorted, without the environment:
// a reference is taken for set, and what another gateway or provider of the
// environment could put right is a warning.
func Check(source []byte) []problem.Problem {
	r := &reader{offline: true, lookup: func(string) (string, bool) { return "", false }, settings: &Settings{}}
	r.run(source)
	problems := make([]problem.Problem, 0, len(r.faults))
	for _, f := range r.faults {
		problems = append(problems, f.Problem)
	}
	return problem.Sort(problems)
}
