package cli_test

// This file plants secrets in every setting, a prompt nobody may repeat, and
// providers that repeat what they are sent, and then reads everything that the
// commands print, log and record.

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/cli"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
)

// The texts that must not be found. Each secret has another one.
const (
	canaryRules  = "canary-rules-4c1d: never promise a date"
	canaryBrief  = "canary-brief-77ab is the spring launch"
	canaryAnswer = "canary-answer-91ef"
)

func canaryEnvironment(gateway, openai string) map[string]string {
	gateways, _ := json.Marshal([]any{map[string]any{
		"name": "house", "base_url": gateway, "api_key_env": "HOUSE_KEY",
		"headers":      map[string]string{"x-team": "canary-header-0a1b2c", "authorization": "Bearer canary-bearer-3d4e5f"},
		"query_params": map[string]string{"api-version": "canary-query-6a7b8c"},
	}})
	return map[string]string{
		"MODEL_GATEWAYS": string(gateways), "HOUSE_KEY": "canary-house-key-112233",
		"OPENAI_BASE_URL": openai, "OPENAI_API_KEY": "canary-openai-key-445566",
		"ANTHROPIC_API_KEY": "canary-anthropic-key-778899", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1",
		"GOOGLE_GENERATIVE_AI_API_KEY": "canary-google-key-aabbcc",
		"AZURE_API_KEY":                "canary-azure-key-ddeeff", "AZURE_BASE_URL": "http://127.0.0.1:1",
		"AWS_REGION": "eu-central-1", "AWS_BEARER_TOKEN_BEDROCK": "canary-aws-token-012345",
		toolVariable: "canary-tool-token-6789ab",
	}
}

// toolVariable holds a secret that no provider of models is ever sent.
const toolVariable = "CANARY_TOOL_TOKEN"

// secrets are the parts of an environment that are secret.
func secrets(environment map[string]string) []string {
	found := []string{"canary-header-0a1b2c", "canary-bearer-3d4e5f", "canary-query-6a7b8c"}
	for name, text := range environment {
		if strings.HasPrefix(text, "canary-") && name != "MODEL_GATEWAYS" {
			found = append(found, text)
		}
	}
	return found
}

func TestNothingLeaks(t *testing.T) {
	t.Parallel()
	gateway, openai := double.New(t, wire.Gateway), double.New(t, wire.OpenAI)
	environment := canaryEnvironment(gateway.URL+"/v1", openai.URL+"/v1")
	dir := t.TempDir()
	settings := "tool_servers:\n  - name: notes\n    url: https://notes.example/mcp\n    headers: { authorization: \"Bearer ${" + toolVariable + "}\" }\n"
	writeFile(t, dir, "auto.yaml", settings)
	const verdict = "output: { format: json, schema: { type: object, properties: { verdict: { type: integer } }, required: [verdict], additionalProperties: false } }\n"
	for name, model := range map[string]string{"house": "house/llama", "openai": "openai/gpt-5", "anthropic": "anthropic/claude", "missing": "mistral/large"} {
		for kind, front := range map[string]string{"text": "", "json": verdict, "option": "provider_options: { house: { user: ana } }\n"} {
			writeFile(t, dir, "reasoning/"+name+"-"+kind+".md",
				"---\nmodel: "+model+"\n"+front+"---\n\n{% system %}"+canaryRules+"{% endsystem %}{{ input.brief }}\n")
		}
	}
	// A provider that repeats everything it can have been sent, in its words, its
	// code and its headers.
	sent := slices.DeleteFunc(secrets(environment), func(secret string) bool { return secret == environment[toolVariable] })
	everything := strings.Join(append(sent, canaryRules, canaryBrief), " and ")
	tell := func(route wire.Route, status int, code string) double.Reply {
		return double.Fail(route, status, code, "You sent "+everything).After("0")
	}
	replies := func(route wire.Route) map[string]double.Reply {
		return map[string]double.Reply{
			"refused": tell(route, 400, everything), "not found": tell(route, 404, "model_not_found"), "key": tell(route, 401, "invalid_api_key"),
			"rate": tell(route, 429, ""), "down": tell(route, 503, everything), "filtered": tell(route, 400, "content_filter"),
			"long": tell(route, 413, ""), "no JSON": {Body: everything}, "dropped": {Fault: double.Drop},
			"wrong answer": double.Say(route, `{"verdict":"`+canaryAnswer+`"}`), "prose": double.Say(route, canaryAnswer),
			"cut off": double.Give(route, double.Answer{Text: canaryAnswer, Finish: map[wire.Route]string{wire.OpenAI: "max_output_tokens", wire.Gateway: "length"}[route]}),
		}
	}
	printed := &bytes.Buffer{}
	auto := func(args ...string) {
		var out, err bytes.Buffer
		cli.Execute(args, cli.Streams{
			In: strings.NewReader(""), Out: &out, Err: &err, Dir: dir, Now: time.Now,
			Env: func(name string) string { return environment[name] },
			Interruptible: func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, 5*time.Second)
			},
		})
		for _, text := range []string{out.String(), err.String()} {
			printed.WriteString(text)
		}
	}
	input := `{"brief":"` + canaryBrief + `"}`
	for _, provider := range []struct {
		name   string
		server *double.Server
	}{{"house", gateway}, {"openai", openai}} {
		for _, reply := range replies(provider.server.Route) {
			if reply.Fault == double.Drop {
				continue // waits before it tries again; what it can say holds no words of others
			}
			provider.server.Script(reply)
			for _, kind := range []string{"text", "json", "option"} {
				if reply.Status == 0 && kind != "json" {
					continue // an answer in text is the run's output
				}
				auto("run", provider.name+"-"+kind, "--input", input, "--log-format", "json")
				auto("run", provider.name+"-"+kind, "--input", input)
			}
		}
	}
	auto("run", "missing-text", "--input", input)
	auto("doctor")
	auto("doctor", "--json")
	gateway.Script(double.Fail(wire.Gateway, 500, "", "You sent "+strings.Join(sent, " and ")))
	auto("models", "--provider", "house")
	auto("lint", "auto.yaml")
	auto("runs", "--limit", "1000", "--json")
	auto("store", "check")

	for _, secret := range secrets(environment) {
		if strings.Contains(printed.String(), secret) {
			t.Errorf("%s is printed", secret)
		}
	}
	for _, part := range []string{canaryRules, canaryBrief, canaryAnswer} {
		if i := strings.Index(printed.String(), part); i >= 0 {
			t.Errorf("%s is printed: …%s", part, around(printed.String(), i))
		}
	}
	if !strings.Contains(printed.String(), "[redacted]") || !strings.Contains(printed.String(), "[prompt]") {
		t.Error("nothing was put in the place of what providers repeat")
	}
	checkFiles(t, dir, environment)
	checkRuns(t, auto, printed, dir)
}

// checkFiles wants no secret and no answer in anything that was written, and the
// prompt only where the input of a run is recorded.
func checkFiles(t *testing.T, dir string, environment map[string]string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(filepath.Join(dir, ".auto"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, secret := range append(secrets(environment), canaryAnswer) {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s is in %s", secret, path)
			}
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%d files were looked at: %v", files, err)
	}
}

// checkRuns wants the prompt in no rejection, record or event of runs that got no
// answer.
func checkRuns(t *testing.T, auto func(...string), printed *bytes.Buffer, dir string) {
	t.Helper()
	printed.Reset()
	auto("runs", "list", "--limit", "1000", "--json")
	var listed struct {
		Runs []struct {
			ID string `json:"run_id"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(printed.Bytes(), &listed); err != nil || len(listed.Runs) < 30 {
		t.Fatalf("%d runs are listed: %v", len(listed.Runs), err)
	}
	for _, run := range listed.Runs {
		printed.Reset()
		auto("runs", "show", run.ID, "--json")
		var shown map[string]json.RawMessage
		if err := json.Unmarshal(printed.Bytes(), &shown); err != nil {
			t.Fatal(err)
		}
		delete(shown, "input")
		rest, _ := json.Marshal(shown)
		printed.Reset()
		auto("runs", "events", run.ID, "--json")
		for _, part := range []string{canaryRules, canaryBrief, canaryAnswer} {
			if bytes.Contains(rest, []byte(part)) || strings.Contains(printed.String(), part) {
				t.Errorf("%s is recorded: %s %s", part, rest, printed)
			}
		}
	}
}

func around(text string, at int) string { return text[max(0, at-80):min(len(text), at+120)] }

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
