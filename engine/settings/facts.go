package settings

// This file says what is configured, from where, and what is missing.

import (
	"fmt"
	"slices"
)

// The kinds of facts.
const (
	FactProvider   = "provider"    // a built-in provider
	FactGateway    = "gateway"     // an entry of model_gateways
	FactToolServer = "tool server" // an entry of tool_servers
	FactSetting    = "setting"     // a setting that stands alone
)

// Fact is what the settings say of one thing. It holds no secret.
type Fact struct {
	Kind       string
	Name       string   // a provider's prefix, a server's name, or a setting's
	Configured bool     // it has all it needs, or is set
	From       []string // where it is set: variables, or auto.yaml with its line
	Missing    []string // what it still needs, such as ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN
	Note       string   // what else a reader should know, a sentence without a full stop
}

// Facts gives what is configured, from where, and what is missing: each built-in
// provider, gateway and tool server, then each other setting.
func (s *Settings) Facts() []Fact { return slices.Clone(s.facts) }

func (r *reader) report() []Fact {
	facts := []Fact{}
	for _, b := range builtIns {
		facts = append(facts, r.providerFact(&b))
	}
	for _, g := range r.settings.gateways {
		facts = append(facts, Fact{Kind: FactGateway, Name: g.Name, Configured: true, From: r.entryOf("model_gateways", g.Name), Note: "calls " + g.BaseURL})
	}
	for _, s := range r.settings.toolServer {
		facts = append(facts, Fact{Kind: FactToolServer, Name: s.Name, Configured: true, From: r.entryOf("tool_servers", s.Name), Note: s.reached()})
	}
	for _, s := range table {
		if s.Fields == nil && !r.ofProvider(s.Variable) {
			facts = append(facts, r.settingFact(&s))
		}
	}
	return facts
}

func (r *reader) providerFact(b *builtIn) Fact {
	fact := Fact{Kind: FactProvider, Name: b.prefix, Missing: r.missingFor(b)}
	fact.Configured = len(fact.Missing) == 0
	held := false
	for _, v := range variables {
		if _, set := r.variable(v.name); set && slices.Contains(b.names(), v.name) {
			fact.From = append(fact.From, v.name)
			held = held || v.secret
		}
	}
	if fact.Configured && !held && b.credentials != "" {
		fact.Note = "credentials come from " + b.credentials
	}
	return fact
}

// ofProvider tells whether a variable belongs to the built-in providers.
func (r *reader) ofProvider(name string) bool {
	return slices.ContainsFunc(variables, func(v variable) bool { return v.name == name })
}

// entryOf says where the entry of a name stands.
func (r *reader) entryOf(setting, name string) []string {
	at := r.found[setting]
	for _, item := range r.itemsOf(at) {
		if entry, _ := item.node.Get("name").Value().(string); entry == name && at.variable == "" {
			return []string{fmt.Sprintf("%s line %d", FileName, item.node.Line)}
		}
	}
	return []string{at.source()}
}

// reached says how a tool server is reached, with references as they are written.
func (s *ToolServer) reached() string {
	switch {
	case s.Command != "":
		return "starts " + s.Command
	case s.URL.IsSet():
		return "calls " + s.URL.String()
	}
	return "calls the API of " + s.OpenAPI
}

func (r *reader) settingFact(s *Setting) Fact {
	fact := Fact{Kind: FactSetting, Name: s.name()}
	at, set := r.found[s.name()]
	switch {
	case set:
		fact.Configured, fact.From = true, []string{at.source()}
		if at.variable != "" && r.inFile[s.Key] {
			fact.Note = "the variable wins over " + FileName
		}
	case s.Default != "":
		fact.Note = "default: " + s.Default
	}
	return fact
}
