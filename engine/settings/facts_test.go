package settings

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func lines(facts []Fact) string {
	var all strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&all, "%s %s %v from %v missing %v: %s\n", f.Kind, f.Name, f.Configured, f.From, f.Missing, f.Note)
	}
	return all.String()
}

func TestFacts(t *testing.T) {
	t.Parallel()
	variables := houseVariables()
	variables["VOICE_MODEL"] = "gateway/whisper-2"
	variables["ANTHROPIC_BASE_URL"] = "https://canary.example"
	s, err := Read([]byte(house), environment(variables))
	if err != nil {
		t.Fatal(err)
	}
	const want = `provider anthropic false from [ANTHROPIC_BASE_URL] missing [ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN]: 
provider openai false from [] missing [OPENAI_API_KEY]: 
provider google true from [GEMINI_API_KEY] missing []: 
provider azure false from [] missing [AZURE_RESOURCE_NAME or AZURE_BASE_URL]: 
provider bedrock true from [AWS_REGION] missing []: credentials come from the AWS credential chain
provider bedrock-anthropic true from [AWS_REGION] missing []: credentials come from the AWS credential chain
provider vertex false from [] missing [GOOGLE_VERTEX_PROJECT GOOGLE_VERTEX_LOCATION]: 
provider vertex-anthropic false from [] missing [GOOGLE_VERTEX_PROJECT GOOGLE_VERTEX_LOCATION]: 
gateway gateway true from [auto.yaml line 3] missing []: calls https://llm.internal.example/v1
tool server notes true from [auto.yaml line 25] missing []: starts npx
tool server graph true from [auto.yaml line 32] missing []: calls https://graph.example/mcp?key=${GRAPH_KEY}
tool server tickets true from [auto.yaml line 36] missing []: calls the API of ./tickets.yaml
setting model_aliases true from [auto.yaml line 13] missing []: 
setting allowed_models true from [auto.yaml line 16] missing []: 
setting declared_models true from [auto.yaml line 20] missing []: 
setting voice_model true from [VOICE_MODEL] missing []: the variable wins over auto.yaml
setting reasoning_max_input_tokens true from [auto.yaml line 41] missing []: 
setting interaction_open_requests false from [] missing []: default: 10,000
setting AUTO_STORE false from [] missing []: default: .auto/runs.db in the playbook's folder
setting AUTO_EMAIL false from [] missing []: 
`
	if got := lines(s.Facts()); got != want {
		t.Errorf("the facts are\n%s\nwant\n%s", got, want)
	}
}

// A report can be made of settings that do not stand.
func TestFactsOfBrokenSettings(t *testing.T) {
	t.Parallel()
	s, err := Read([]byte(house), environment(map[string]string{"ANTHROPIC_API_KEY": "canary", "AZURE_BASE_URL": "canary"}))
	var invalid *InvalidError
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	got := lines(s.Facts())
	for _, want := range []string{"provider anthropic true from [ANTHROPIC_API_KEY]", "provider azure true from [AZURE_BASE_URL]", "setting model_aliases true"} {
		if !strings.Contains(got, want) {
			t.Errorf("the facts lack %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "canary") || strings.Contains(got, "gateway gateway") {
		t.Errorf("the facts are\n%s", got)
	}
}

// Each provider is configured by what the table says it needs, and by no less.
func TestProviders(t *testing.T) {
	t.Parallel()
	for prefix, c := range map[string]struct {
		variables map[string]string
		missing   []map[string]string
		check     func(Provider) bool
	}{
		"anthropic": {
			map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_BASE_URL": "https://a.example/v1/"},
			[]map[string]string{{"ANTHROPIC_BASE_URL": "https://a.example"}},
			func(p Provider) bool {
				return p.APIKey.Reveal() == "k" && p.Token.Reveal() == "t" && p.BaseURL == "https://a.example/v1"
			},
		},
		"openai": {
			map[string]string{"OPENAI_API_KEY": "k"},
			[]map[string]string{{"OPENAI_BASE_URL": "https://a.example"}, {"OPENAI_API_KEY": ""}},
			func(p Provider) bool { return p.APIKey.Reveal() == "k" && p.BaseURL == "" },
		},
		"google": {
			map[string]string{"GEMINI_API_KEY": "second", "GOOGLE_GENERATIVE_AI_API_KEY": "first"},
			[]map[string]string{{"GOOGLE_VERTEX_PROJECT": "p"}},
			func(p Provider) bool { return p.APIKey.Reveal() == "first" },
		},
		"azure": {
			map[string]string{"AZURE_RESOURCE_NAME": "house"},
			[]map[string]string{{"AZURE_API_KEY": "k"}},
			func(p Provider) bool { return p.Resource == "house" && !p.APIKey.IsSet() },
		},
		"bedrock-anthropic": {
			map[string]string{"AWS_REGION": "eu-central-1", "AWS_BEARER_TOKEN_BEDROCK": "t", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "http://localhost:1"},
			[]map[string]string{{"AWS_BEARER_TOKEN_BEDROCK": "t"}},
			func(p Provider) bool {
				return p.Region == "eu-central-1" && p.Token.Reveal() == "t" && p.BaseURL == "http://localhost:1"
			},
		},
		"vertex": {
			map[string]string{"GOOGLE_VERTEX_PROJECT": "p", "GOOGLE_VERTEX_LOCATION": "europe-west1"},
			[]map[string]string{{"GOOGLE_VERTEX_PROJECT": "p"}, {"GOOGLE_VERTEX_LOCATION": "l"}},
			func(p Provider) bool { return p.Project == "p" && p.Location == "europe-west1" },
		},
	} {
		t.Run(prefix, func(t *testing.T) {
			t.Parallel()
			find := func(variables map[string]string) (Provider, bool) {
				s, err := Read(nil, environment(variables))
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range s.Providers() {
					if p.Prefix == prefix {
						return p, true
					}
				}
				return Provider{}, false
			}
			if p, ok := find(c.variables); !ok || !c.check(p) {
				t.Errorf("%v configures %+v, %v", c.variables, p, ok)
			}
			for _, variables := range c.missing {
				if _, ok := find(variables); ok {
					t.Errorf("%v configures it", variables)
				}
			}
		})
	}
}

// The table is whole: each row is read, and says what its reader needs.
func TestTheTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range Table() {
		for _, name := range []string{s.Key, s.Variable} {
			if seen[name] && name != "" {
				t.Errorf("%s stands twice", name)
			}
			seen[name] = true
		}
		if s.read == nil || s.Form == "" || !strings.HasSuffix(s.About, ".") || s.Key == "" && s.Variable == "" {
			t.Errorf("the row of %s is not whole: %+v", s.name(), s)
		}
		for _, key := range s.Fields {
			if key.Name == "" || !strings.HasSuffix(key.About, ".") {
				t.Errorf("%s has the key %+v", s.name(), key)
			}
		}
		if s.Variable != "" {
			_, err := Read(nil, environment(map[string]string{s.Variable: "canary\x00"}))
			if err == nil || !strings.Contains(err.Error(), s.Variable+": Expected") || strings.Contains(err.Error(), "canary") {
				t.Errorf("%s is not checked: %v", s.Variable, err)
			}
		}
		if s.Key != "" {
			if problems := Check([]byte(s.Key + ": 2026-10-01 12:00\n")); len(problems) != 1 || problems[0].Pointer != "/"+s.Key {
				t.Errorf("%s is not checked: %v", s.Key, problems)
			}
		}
	}
	for _, b := range builtIns {
		for _, name := range b.names() {
			if !seen[name] {
				t.Errorf("%s takes %s, which is no row of the table", b.prefix, name)
			}
		}
	}
}

// Large settings cost a moment.
func TestManyAliases(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	source.WriteString("model_aliases:\n")
	for i := range 5000 {
		fmt.Fprintf(&source, "  a%d/*: b%d/*\n", i, i)
	}
	s, err := Read([]byte(source.String()), environment(nil))
	if err != nil || len(s.Aliases()) != 5000 {
		t.Errorf("%d aliases, %v", len(s.Aliases()), err)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(house, `[{"name":"a","base_url":"http://a","headers":{"x":"y"}}]`)
	f.Add("tool_servers: [{url: \"http://${A}${B}@x?token=\"}]", `{}`)
	f.Add("model_aliases: {a/*: \"*\", \"*/*\": a/}", `[[]]`)
	f.Fuzz(func(t *testing.T, source, variable string) {
		Check([]byte(source))
		for _, s := range Table() {
			Read([]byte(source), environment(map[string]string{s.Variable: variable, "A": variable}))
		}
	})
}
