package settings

// This file reads the settings that say which models there are: aliases, allowed
// models, declared models and the voice model.

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

const referenceExample = "provider/model, such as anthropic/claude-sonnet-4-5"

// isReference tells whether a text is written provider/model, with at most a * at
// its end.
func isReference(text string) bool {
	provider, model, _ := strings.Cut(text, "/")
	return provider != "" && model != "" && !hasSpace(text)
}

func hasSpace(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) })
}

// isARN tells whether a model id is a Bedrock ARN, which names an account and a
// region.
func isARN(id string) bool { return strings.HasPrefix(id, "arn:") }

// wildcard gives what a reference that ends in its only * starts with.
func wildcard(reference string) (prefix string, is bool) {
	return strings.CutSuffix(reference, "*")
}

// aliases reads the aliases (model settings, "Model aliases").
func (r *reader) aliases(at place) {
	if !r.mapping(at) {
		return
	}
	var read []Alias
	var places []place
	for i, key := range at.node.Keys {
		entry := at.under(i)
		if alias, ok := r.alias(entry, key); ok {
			read, places = append(read, alias), append(places, entry)
		}
	}
	r.chains = newReach(read)
	for i, alias := range read {
		if r.chains.reaches(alias.To) {
			r.refuse(places[i], problem.ValueRange, "Expected a model that is not itself an alias")
			continue
		}
		r.settings.aliases = append(r.settings.aliases, alias)
	}
}

func (r *reader) alias(entry place, key frontmatter.Key) (Alias, bool) {
	alias := Alias{From: key.Name}
	if !isReference(alias.From) {
		r.refuseName(entry, problem.ValueRange, "Expected "+referenceExample)
		return alias, false
	}
	var ok bool
	if alias.To, ok = r.name(entry, isReference, referenceExample); !ok {
		return alias, false
	}
	from, fromAny := wildcard(alias.From)
	to, toAny := wildcard(alias.To)
	if strings.Contains(from, "*") || strings.Contains(to, "*") || fromAny != toAny {
		r.refuse(entry, problem.ValueRange, "Expected a * once, at the end of both sides, or none")
		return alias, false
	}
	return alias, true
}

// reach tells which references aliases stand for.
type reach struct {
	names    []string        // of exact aliases, sorted
	prefixes []string        // of wildcard aliases, sorted
	exact    map[string]bool // the same names
	wild     map[string]bool // and prefixes
}

func newReach(aliases []Alias) *reach {
	f := &reach{exact: map[string]bool{}, wild: map[string]bool{}}
	for _, alias := range aliases {
		if prefix, is := wildcard(alias.From); is {
			f.wild[prefix] = true
			f.prefixes = append(f.prefixes, prefix)
		} else {
			f.exact[alias.From] = true
			f.names = append(f.names, alias.From)
		}
	}
	sort.Strings(f.names)
	sort.Strings(f.prefixes)
	return f
}

// reaches tells whether an alias stands for a reference, or for one of those that
// a wildcard stands for.
func (f *reach) reaches(reference string) bool {
	prefix, any := wildcard(reference)
	if !any && f.exact[reference] {
		return true
	}
	// A wildcard stands for one character more at least.
	for i := range prefix {
		if f.wild[prefix[:i]] {
			return true
		}
	}
	if !any {
		return false
	}
	return f.wild[prefix] || startsOne(f.prefixes, prefix) || startsOne(f.names, prefix)
}

// startsOne tells whether a text that is longer than a prefix starts with it.
func startsOne(sorted []string, prefix string) bool {
	i := sort.Search(len(sorted), func(i int) bool { return sorted[i] > prefix })
	return i < len(sorted) && strings.HasPrefix(sorted[i], prefix)
}

// allowed reads the allowed models (model settings, "Allowed models"). Whether an
// entry can match anything is told when all settings are read.
func (r *reader) allowed(at place) {
	items := r.list(at)
	if at.node.Kind == frontmatter.List && len(items) == 0 {
		r.refuse(at, problem.ValueRange, "Expected at least one model")
	}
	r.settings.allowed = r.names(at, isAllowedEntry, allowedForm)
}

const allowedForm = referenceExample + ", or a * at its end; the provider in lower case, no spaces, and an alias in place of a Bedrock ARN"

func isAllowedEntry(text string) bool {
	provider, id, _ := strings.Cut(text, "/")
	prefix, _ := wildcard(text)
	return isReference(text) && provider == strings.ToLower(provider) && !strings.Contains(prefix, "*") && !isARN(id)
}

// maxModelID is the most characters of a declared model's id.
const maxModelID = 256

// declared reads the declared models (model settings, "Declared models"). Whether
// a key names a gateway is told when all settings are read.
func (r *reader) declared(at place) {
	if !r.mapping(at) {
		return
	}
	r.settings.declared = map[string][]string{}
	form := fmt.Sprintf("a model id as the provider receives it: 1 to %d characters without spaces or a *, and no Bedrock ARN", maxModelID)
	has := func(id string) bool {
		return value.Characters(id) <= maxModelID && !hasSpace(id) && !strings.Contains(id, "*") && !isARN(id)
	}
	for i, key := range at.node.Keys {
		r.settings.declared[key.Name] = r.names(at.under(i), has, form)
	}
}

// voiceModel reads the voice model (model settings, "The voice model").
func (r *reader) voiceModel(at place) { r.settings.voiceModel, _ = r.text(at) }

// together checks the rules that hold between settings.
func (r *reader) together() {
	if at, ok := r.found["allowed_models"]; ok {
		r.allowedTogether(at)
	}
	if at, ok := r.found["declared_models"]; ok {
		r.declaredTogether(at)
	}
	if at, ok := r.found["voice_model"]; ok {
		r.voiceTogether(at)
	}
}

// refuseTogether reports what a setting of the environment could put right:
// without one to look at, it is a warning.
func (r *reader) refuseTogether(at place, message string) {
	if r.offline {
		r.warn(at, problem.ValueRange, message)
		return
	}
	r.refuse(at, problem.ValueRange, message)
}

// allowedTogether reports each allowed model that can match no configured
// provider and no alias.
func (r *reader) allowedTogether(at place) {
	for _, item := range r.itemsOf(at) {
		entry, _ := item.node.Value().(string)
		if !isAllowedEntry(entry) || r.chains.reaches(entry) {
			continue
		}
		provider, _, _ := strings.Cut(entry, "/")
		switch {
		case r.hasGateway(provider), r.isConfigured(provider), r.offline && isBuiltIn(provider):
		case isBuiltIn(provider):
			r.refuseTogether(item, provider+" is not configured, nor is there an alias that "+entry+" matches")
		default:
			r.refuseTogether(item, "There is no provider named "+provider+", nor an alias that "+entry+" matches")
		}
	}
}

// declaring are the built-in providers that do not list their own models.
var declaring = []string{"bedrock", "bedrock-anthropic", "azure", "vertex", "vertex-anthropic"}

func (r *reader) declaredTogether(at place) {
	if at.node.Kind != frontmatter.Mapping {
		return
	}
	message := "Expected " + strings.Join(declaring, ", ") + " or the name of a gateway"
	for i, key := range at.node.Keys {
		entry := at.under(i)
		switch {
		case slices.Contains(declaring, key.Name), r.hasGateway(key.Name):
		case r.offline && isServerName(key.Name) && !isBuiltIn(key.Name):
			r.add(at, key.Line, key.Column, entry.pointer, problem.Warning, problem.ValueRange, message)
		default:
			r.refuseName(entry, problem.ValueRange, message)
		}
	}
}

func (r *reader) voiceTogether(at place) {
	provider, model, _ := strings.Cut(r.settings.voiceModel, "/")
	switch {
	case r.settings.voiceModel == "":
	case model != "" && !hasSpace(r.settings.voiceModel) && (r.hasGateway(provider) || provider == "openai" && (r.offline || r.isConfigured(provider))):
	case model != "" && r.offline && isServerName(provider) && !isBuiltIn(provider):
		r.warn(at, problem.ValueRange, voiceForm)
	default:
		r.refuse(at, problem.ValueRange, voiceForm)
	}
}

const voiceForm = "Expected openai/<model> or <gateway>/<model> for a gateway of model_gateways"

func (r *reader) hasGateway(name string) bool { return r.gatewayNames[name] }

func (r *reader) isConfigured(prefix string) bool {
	return slices.ContainsFunc(r.settings.providers, func(p Provider) bool { return p.Prefix == prefix })
}
