package settings

// This file holds the one table of settings: what is read, checked, documented
// and reported is what stands here.

import (
	"slices"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// Setting is one setting, for documentation and reports.
type Setting struct {
	Key      string // in auto.yaml; empty for a setting that is a variable alone
	Variable string // empty for a setting of the file alone
	Form     string // what it holds, in words
	Default  string // what holds without it, in words; empty where nothing does
	About    string // a sentence
	Models   bool   // it is one of the model settings
	Secret   bool   // its value is a secret
	Fields   []Key  // the keys of one entry, where it holds a list of mappings

	list bool // in a variable it is a JSON list; otherwise an object, or bare text
	json bool
	read func(*reader, place)
}

// Key is a key of a setting's entry.
type Key struct {
	Name     string
	Required bool
	About    string
}

// Table gives every setting, in the order they are documented in.
func Table() []Setting { return slices.Clone(table) }

// The bounds and defaults of numbers.
const (
	defaultMaxInputTokens = 2_000_000
	defaultOpenRequests   = 10_000
	largestNumber         = 1_000_000_000_000
)

var table = append([]Setting{
	{
		Key: "model_gateways", Variable: "MODEL_GATEWAYS", Form: "a list of gateways", Models: true,
		About:  "OpenAI-compatible endpoints, each under a provider prefix of its own.",
		Fields: keysOf(gatewayFields), json: true, list: true,
		read: (*reader).gateways,
	},
	{
		Key: "model_aliases", Variable: "MODEL_ALIASES", Form: "a mapping of model references", Models: true,
		About: "Sends one model reference to another; a * at the end of both sides stands for the rest.",
		json:  true, read: (*reader).aliases,
	},
	{
		Key: "allowed_models", Variable: "ALLOWED_MODELS", Form: "a list of model references", Models: true,
		Default: "every model is allowed",
		About:   "The only models a definition may name; a * at an entry's end stands for the rest.",
		json:    true, list: true, read: (*reader).allowed,
	},
	{
		Key: "declared_models", Variable: "DECLARED_MODELS", Form: "a mapping of provider prefixes to lists of model ids", Models: true,
		About: "The models to list for a provider that does not list its own.",
		json:  true, read: (*reader).declared,
	},
	{
		Key: "voice_model", Variable: "VOICE_MODEL", Form: "openai/<model> or <gateway>/<model>", Models: true,
		About: "The model that writes out what a person says.",
		read:  (*reader).voiceModel,
	},
	{
		Key: "tool_servers", Form: "a list of tool servers",
		About:  "The servers whose tools functions may call.",
		Fields: keysOf(toolServerFields), read: (*reader).toolServers,
	},
	{
		Key: "reasoning_max_input_tokens", Variable: "REASONING_MAX_INPUT_TOKENS", Form: "a whole number", Default: "2,000,000",
		About: "The most input tokens that one run's model calls use together.",
		read:  func(r *reader, at place) { r.whole(at, &r.settings.maxInputTokens) },
	},
	{
		Key: "interaction_open_requests", Variable: "INTERACTION_OPEN_REQUESTS", Form: "a whole number", Default: "10,000",
		About: "The most open requests of the playbook.",
		read:  func(r *reader, at place) { r.whole(at, &r.settings.openRequests) },
	},
	{
		Variable: "AUTO_STORE", Form: "a path", Default: ".auto/runs.db in the playbook's folder",
		About: "The file that runs are recorded in.",
		read: func(r *reader, at place) {
			if path, ok := r.text(at); ok {
				r.settings.store = path
			}
		},
	},
	{
		Variable: "AUTO_EMAIL", Form: "an email address",
		About: "The address of the person who works here: the requests to it wait on them.",
		read: func(r *reader, at place) {
			text, ok := r.text(at)
			switch {
			case !ok:
			case strings.Count(text, "@") != 1 || strings.ContainsFunc(text, unicode.IsSpace):
				r.refuse(at, problem.ValueRange, "Expected an email address such as priya@acme.example")
			default:
				r.settings.email = text
			}
		},
	},
}, providerSettings()...)

func keysOf[T any](fields []field[T]) []Key {
	keys := make([]Key, len(fields))
	for i, f := range fields {
		keys[i] = Key{f.name, f.required, f.about}
	}
	return keys
}

// run reads the settings of the file and of the environment, and then the rules
// that hold between them.
func (r *reader) run(source []byte) {
	r.settings.maxInputTokens, r.settings.openRequests = defaultMaxInputTokens, defaultOpenRequests
	r.found, r.inFile, r.gatewayNames, r.chains = map[string]place{}, map[string]bool{}, map[string]bool{}, newReach(nil)
	root, problems := frontmatter.ReadYAML(source)
	for _, p := range problems {
		r.faults = append(r.faults, Fault{Problem: p})
	}
	file := place{node: root}
	if root == nil {
		file.node = &frontmatter.Node{Kind: frontmatter.Mapping}
	}
	r.rootKeys(file)
	for _, s := range table {
		if at, ok := r.placeOf(&s, file); ok {
			r.found[s.name()] = at
			s.read(r, at)
		}
	}
	r.configureProviders()
	r.together()
	r.settings.facts = r.report()
}

// name is what a setting is called: its key, or its variable where it has none.
func (s *Setting) name() string {
	if s.Key != "" {
		return s.Key
	}
	return s.Variable
}

func (r *reader) rootKeys(file place) {
	var known []string
	for _, s := range table {
		if s.Key != "" {
			known = append(known, s.Key)
		}
	}
	for _, key := range file.node.Keys {
		r.inFile[key.Name] = true
		if !slices.Contains(known, key.Name) {
			r.unknownKey(file, key, known)
		}
	}
}

// placeOf finds where a setting stands: in its variable, which wins, or in the
// file. What stands in the file beside the variable is not looked at.
func (r *reader) placeOf(s *Setting, file place) (place, bool) {
	if text, set := r.variable(s.Variable); s.Variable != "" && set {
		at := place{variable: s.Variable, node: frontmatter.FromValue(text)}
		if !s.json {
			return at, true
		}
		parsed, err := value.ParseJSON([]byte(text), frontmatter.MaxLevels)
		_, isList := parsed.([]value.Value)
		_, isObject := parsed.(*value.Object)
		switch {
		case err == nil && s.list && isList, err == nil && !s.list && isObject:
			at.node = frontmatter.FromValue(parsed)
			return at, true
		case s.list:
			r.refuse(at, problem.ValueType, "Expected a JSON list")
		default:
			r.refuse(at, problem.ValueType, "Expected a JSON object")
		}
		return place{}, false
	}
	i := slices.IndexFunc(file.node.Keys, func(key frontmatter.Key) bool { return s.Key != "" && key.Name == s.Key })
	if i < 0 {
		return place{}, false
	}
	at := file.under(i)
	// A key with nothing behind it, as one leaves it whose entries are commented
	// out, sets nothing.
	return at, at.node.Kind != frontmatter.Scalar || at.node.Refused || at.node.Value() != nil
}

// whole reads a number of 1 or more.
func (r *reader) whole(at place, into *int64) {
	read := at.node.Value()
	if text, isText := read.(string); isText && at.variable != "" {
		read, _ = value.ReadNumber(text)
	}
	number, ok := value.Whole(read)
	if !ok || number < 1 || number > largestNumber {
		r.refuse(at, problem.ValueRange, "Expected a whole number of 1 or more")
		return
	}
	*into = number
}

// isServerName tells whether a text can name a gateway or a tool server.
func isServerName(name string) bool { return definition.IsServerName(name) }

const serverForm = "1 to 32 lowercase letters, digits and hyphens, starting with a letter"
