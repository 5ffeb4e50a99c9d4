package settings

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what was found into the expected files")

// environment is a lookup of these variables alone.
func environment(variables map[string]string) Lookup {
	return func(name string) (string, bool) {
		text, set := variables[name]
		return text, set
	}
}

// house is the settings file of a team with a gateway and three tool servers.
var house = func() string {
	source, err := os.ReadFile(filepath.Join(fixtures, "team", FileName))
	if err != nil {
		panic(err)
	}
	return string(source)
}()

const fixtures = "../../fixtures/settings"

func houseVariables() map[string]string {
	return map[string]string{
		"INTERNAL_LLM_KEY": "canary-llm-key", "INTERNAL_LLM_TOKEN": "canary-llm-token",
		"NOTES_TOKEN": "canary-notes-token", "NOTES_PASSWORD": "canary-notes-password",
		"GRAPH_KEY": "canary-graph-key", "TICKETS_LOGIN": "canary-tickets-login",
		"GEMINI_API_KEY": "canary-gemini-key", "AWS_REGION": "eu-central-1",
	}
}

func TestAHouse(t *testing.T) {
	t.Parallel()
	if problems := Check([]byte(house)); len(problems) > 0 {
		t.Fatalf("Check gives %v", problems)
	}
	s, err := Read([]byte(house), environment(houseVariables()))
	if err != nil {
		t.Fatal(err)
	}
	g := s.Gateways()[0]
	if g.Name != "gateway" || g.BaseURL != "https://llm.internal.example/v1" || g.APIKey.Reveal() != "canary-llm-key" ||
		!g.StructuredOutputs || g.IncludeUsage || g.ExposeProviderMessages || g.CostHeader != "x-cost-usd" ||
		strings.Join(g.AllowedProviderOptions, " ") != "user metadata" ||
		g.Headers[1].Name != "authorization" || g.Headers[1].Value.Reveal() != "Bearer canary-llm-token" ||
		g.QueryParams[0].Value.Reveal() != "2024-10-21" {
		t.Errorf("the gateway is %+v", g)
	}
	if a := s.Aliases(); a[0] != (Alias{"anthropic/*", "gateway/anthropic/*"}) || len(a) != 2 {
		t.Errorf("aliases %v", a)
	}
	if strings.Join(s.AllowedModels(), " ") != "anthropic/* gateway/llama-3.3-70b fast/default" {
		t.Errorf("allowed %v", s.AllowedModels())
	}
	if d := s.DeclaredModels("bedrock"); len(d) != 1 || len(s.DeclaredModels("azure")) != 0 {
		t.Errorf("declared %v", d)
	}
	if s.VoiceModel() != "gateway/whisper-1" || s.MaxInputTokens() != 500_000 || s.OpenRequests() != 10_000 {
		t.Errorf("%s, %d, %d", s.VoiceModel(), s.MaxInputTokens(), s.OpenRequests())
	}
	var prefixes []string
	for _, p := range s.Providers() {
		prefixes = append(prefixes, p.Prefix)
	}
	if strings.Join(prefixes, " ") != "google bedrock bedrock-anthropic" {
		t.Errorf("configured are %v", prefixes)
	}
	servers := s.ToolServers()
	notes, graph, tickets := servers[0], servers[1], servers[2]
	if notes.Command != "npx" || len(notes.Args) != 5 || notes.Args[4].Reveal() != "canary-notes-token" || notes.Args[4].String() != "${NOTES_TOKEN}" ||
		notes.Env[0].Value.Reveal() != "debug" || notes.RecordContent || notes.Allowed[1] != "list_directory" || notes.Reads[0] != "read_file" {
		t.Errorf("notes is %+v", notes)
	}
	if graph.URL.Reveal() != "https://graph.example/mcp?key=canary-graph-key" || graph.URL.String() != "https://graph.example/mcp?key=${GRAPH_KEY}" ||
		!graph.RecordContent || graph.Allowed != nil || graph.RequestID != "x-request-id" {
		t.Errorf("graph is %+v", graph)
	}
	if tickets.OpenAPI != "./tickets.yaml" || tickets.BaseURL != "https://tickets.example/api" || tickets.Headers[0].Value.Reveal() != "Basic canary-tickets-login" {
		t.Errorf("tickets is %+v", tickets)
	}
	secrets := map[string]bool{}
	for _, secret := range s.Secrets() {
		secrets[secret.Reveal()] = true
	}
	for _, want := range []string{"canary-llm-key", "Bearer canary-llm-token", "growth", "2024-10-21", "canary-gemini-key"} {
		if !secrets[want] {
			t.Errorf("%q is not one of the secrets", want)
		}
	}
	var ofServers []string
	for _, server := range servers {
		for _, secret := range server.Secrets() {
			ofServers = append(ofServers, secret.Reveal())
		}
	}
	if got := strings.Join(ofServers, " "); got != "canary-notes-token canary-notes-password canary-graph-key canary-graph-key Basic canary-tickets-login" {
		t.Errorf("the tool servers' secrets are %s", got)
	}
}

func TestVariablesWinOverTheFile(t *testing.T) {
	t.Parallel()
	variables := map[string]string{
		"MODEL_GATEWAYS":             `[{"name":"other","base_url":"http://localhost:4000","api_key_env":"OTHER_KEY"}]`,
		"OTHER_KEY":                  "canary-other",
		"MODEL_ALIASES":              `{"house/fast":"other/llama"}`,
		"ALLOWED_MODELS":             `["house/fast"]`,
		"DECLARED_MODELS":            `{"other":["llama"]}`,
		"VOICE_MODEL":                "other/whisper",
		"REASONING_MAX_INPUT_TOKENS": "7",
		"INTERACTION_OPEN_REQUESTS":  "8",
		"AUTO_STORE":                 "/srv/auto/runs.db",
		"AUTO_EMAIL":                 "Priya@acme.example",
	}
	// What the variables replace is not looked at: its variables are not set.
	source := strings.Split(house, "tool_servers:")[0]
	s, err := Read([]byte(source), environment(variables))
	if err != nil {
		t.Fatal(err)
	}
	if g := s.Gateways(); len(g) != 1 || g[0].Name != "other" || g[0].APIKey.Reveal() != "canary-other" {
		t.Errorf("gateways %+v", g)
	}
	if s.Aliases()[0].From != "house/fast" || s.AllowedModels()[0] != "house/fast" || s.DeclaredModels("gateway") != nil ||
		s.VoiceModel() != "other/whisper" || s.MaxInputTokens() != 7 || s.OpenRequests() != 8 || s.StoreFile("/x") != "/srv/auto/runs.db" || s.Email() != "Priya@acme.example" {
		t.Errorf("the file won somewhere: %+v", s)
	}
	// A variable that is set to nothing is not set.
	s, err = Read([]byte("interaction_open_requests: 3\n"), environment(map[string]string{"INTERACTION_OPEN_REQUESTS": "", "MODEL_GATEWAYS": "", "AUTO_STORE": ""}))
	if err != nil || s.OpenRequests() != 3 || s.StoreFile("folder") != filepath.Join("folder", ".auto", "runs.db") {
		t.Errorf("%d, %s, %v", s.OpenRequests(), s.StoreFile("folder"), err)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s, err := Load(folder, environment(nil))
	if err != nil || s.MaxInputTokens() != 2_000_000 || s.AllowedModels() != nil || len(s.Providers()) != 0 {
		t.Errorf("without a file: %+v, %v", s, err)
	}
	if err := os.WriteFile(filepath.Join(folder, FileName), []byte("model_gateway: []\nvoice_model: openai/whisper-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Load(folder, environment(nil))
	var invalid *InvalidError
	if !errors.As(err, &invalid) || len(invalid.Faults) != 2 {
		t.Fatalf("Load gives %v", err)
	}
	const want = "The settings are invalid. auto.yaml, line 1, /model_gateway: Unknown key; did you mean model_gateways?. " +
		"auto.yaml, line 2, /voice_model: Expected openai/<model> or <gateway>/<model> for a gateway of model_gateways"
	if err.Error() != want {
		t.Errorf("it says\n%s\nwant\n%s", err, want)
	}
	_, err = Read(nil, environment(map[string]string{"VOICE_MODEL": "canary"}))
	if err == nil || err.Error() != "The model settings are invalid. VOICE_MODEL: Expected openai/<model> or <gateway>/<model> for a gateway of model_gateways" {
		t.Errorf("a variable: %v", err)
	}
	if err := os.Mkdir(filepath.Join(folder, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(folder, "sub", FileName), 0o700)
	if _, err := Load(filepath.Join(folder, "sub"), environment(nil)); err == nil || errors.As(err, &invalid) {
		t.Errorf("a folder named %s: %v", FileName, err)
	}
}

// The settings files of the fixtures give the problems beside them.
func TestFixtures(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(fixtures, "*", FileName))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, p := range Check(source) {
			fmt.Fprintf(&got, "%d:%d %s %s\n", p.Line, p.Column, p.Severity, p)
		}
		golden := filepath.Join(filepath.Dir(file), "problems.txt")
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || got.String() != string(want) {
			t.Errorf("%s gives\n%s\nwant\n%s%v", file, got.String(), want, err)
		}
	}
}

// Every rule of a file, as lint shows it.
func TestCheck(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 257)
	manyOptions := strings.TrimSuffix(strings.Repeat("a, ", 65), ", ")
	gateway := func(lines string) string {
		return "model_gateways:\n  - name: gateway\n    base_url: https://llm.example/v1\n" + lines
	}
	server := func(lines string) string { return "tool_servers:\n  - name: notes\n" + lines }
	for name, c := range map[string]struct{ source, want string }{
		"nothing":                  {"", ""},
		"commented out":            {"model_gateways:\nallowed_models:\n# - anthropic/*\n", ""},
		"not YAML":                 {"a: [\n", "Line 2: Expected ] before this line, or more indentation: the [ of line 1 is open"},
		"an unknown key":           {"voice_mode: openai/whisper-1\n", "Line 1, /voice_mode: Unknown key; did you mean voice_model?"},
		"a secret at the top":      {"ANTHROPIC_API_KEY: sk-canary\n", "Line 1, /ANTHROPIC_API_KEY: Unknown key; it is a variable: set it in the environment"},
		"a number":                 {"reasoning_max_input_tokens: 0\n", "Line 1, /reasoning_max_input_tokens: Expected a whole number of 1 or more"},
		"a number as text":         {"interaction_open_requests: \"5\"\n", "Line 1, /interaction_open_requests: Expected a whole number of 1 or more"},
		"gateways: a mapping":      {"model_gateways: {}\n", "Line 1, /model_gateways: Expected a list"},
		"gateways: a text":         {"model_gateways: [gateway]\n", "Line 1, /model_gateways/0: Expected a mapping"},
		"gateways: empty":          {"model_gateways:\n  - {}\n", "Line 2, /model_gateways/0/name: Missing key|Line 2, /model_gateways/0/base_url: Missing key"},
		"gateways: a name":         {"model_gateways:\n  - name: Gateway\n    base_url: http://a\n", "Line 2, /model_gateways/0/name: Expected 1 to 32 lowercase letters, digits and hyphens, starting with a letter"},
		"gateways: a built-in":     {"model_gateways:\n  - name: vertex\n    base_url: http://a\n", "Line 2, /model_gateways/0/name: Expected a name other than the built-in providers': anthropic, openai, google, azure, bedrock, bedrock-anthropic, vertex, vertex-anthropic"},
		"gateways: twice":          {gateway("") + "  - name: gateway\n    base_url: http://a\n", "Line 4, /model_gateways/1/name: Expected each gateway's name once"},
		"gateways: a URL":          {"model_gateways:\n  - name: a\n    base_url: llm.example/v1\n", "Line 3, /model_gateways/0/base_url: Expected an http or https URL without a user, a query or a fragment"},
		"gateways: a user":         {"model_gateways:\n  - name: a\n    base_url: https://u:canary@llm.example\n", "Line 3, /model_gateways/0/base_url: Expected an http or https URL without a user, a query or a fragment"},
		"gateways: a query":        {"model_gateways:\n  - name: a\n    base_url: https://llm.example?a=1\n", "Line 3, /model_gateways/0/base_url: Expected an http or https URL without a user, a query or a fragment"},
		"gateways: a bare key":     {gateway("    api_key: sk-canary\n"), "Line 4, /model_gateways/0/api_key: Expected a reference to a variable, such as ${NAME}"},
		"gateways: half a key":     {gateway("    api_key: sk-${KEY}\n"), "Line 4, /model_gateways/0/api_key: Expected a reference to a variable, such as ${NAME}"},
		"gateways: no reference":   {gateway("    api_key: ${KEY\n"), "Line 4, /model_gateways/0/api_key: Expected a reference to a variable, such as ${NAME}"},
		"gateways: key variable":   {gateway("    api_key_env: KEY\n"), "Line 4, /model_gateways/0/api_key_env: api_key_env is not allowed in auto.yaml: write api_key: ${NAME}"},
		"gateways: a bare header":  {gateway("    headers: { Authorization: Bearer canary }\n"), "Line 4, /model_gateways/0/headers/Authorization: Expected a reference to a variable, such as ${NAME}"},
		"gateways: header name":    {gateway("    headers: { \"x y\": a }\n"), "Line 4, /model_gateways/0/headers/x y: Expected a header's name"},
		"gateways: header twice":   {gateway("    headers: { X-Team: a, x-team: b }\n"), "Line 4, /model_gateways/0/headers/x-team: Expected each header once"},
		"gateways: header number":  {gateway("    headers: { x-team: 5 }\n"), "Line 4, /model_gateways/0/headers/x-team: Expected string"},
		"gateways: header break":   {gateway("    headers: { x-team: \"a\\nb\" }\n"), "Line 4, /model_gateways/0/headers/x-team: Expected text without control characters"},
		"gateways: bare parameter": {gateway("    query_params: { key: canary }\n"), "Line 4, /model_gateways/0/query_params/key: Expected a reference to a variable, such as ${NAME}"},
		"gateways: a flag":         {gateway("    structured_outputs: yes\n"), "Line 4, /model_gateways/0/structured_outputs: Expected true or false"},
		"gateways: options":        {gateway("    allowed_provider_options: [user, temperature, user]\n"), "Line 4, /model_gateways/0/allowed_provider_options/1: Expected a field that the runtime does not set|Line 4, /model_gateways/0/allowed_provider_options/2: Expected each entry once"},
		"gateways: many options":   {gateway("    allowed_provider_options: [" + manyOptions + "]\n"), "Line 4, /model_gateways/0/allowed_provider_options: Expected at most 64 fields"},
		"gateways: long option":    {gateway("    allowed_provider_options: [" + long[:65] + "]\n"), "Line 4, /model_gateways/0/allowed_provider_options/0: Expected a field's name of 1 to 64 characters"},
		"gateways: cost header":    {gateway("    cost_header: \"x cost\"\n"), "Line 4, /model_gateways/0/cost_header: Expected a header's name"},
		"gateways: a key":          {gateway("    apikey: ${KEY}\n"), "Line 4, /model_gateways/0/apikey: Unknown key; did you mean api_key?"},

		"aliases: a list":         {"model_aliases: [a/b]\n", "Line 1, /model_aliases: Expected a mapping"},
		"aliases: no slash":       {"model_aliases:\n  fast: a/b\n  a/b: fast\n", "Line 2, /model_aliases/fast: Expected provider/model, such as anthropic/claude-sonnet-4-5|Line 3, /model_aliases/a~1b: Expected provider/model, such as anthropic/claude-sonnet-4-5"},
		"aliases: one side":       {"model_aliases:\n  a/*: b/c\n", "Line 2, /model_aliases/a~1*: Expected a * once, at the end of both sides, or none"},
		"aliases: in the middle":  {"model_aliases:\n  a/*x: b/c\n", "Line 2, /model_aliases/a~1*x: Expected a * once, at the end of both sides, or none"},
		"aliases: a chain":        {"model_aliases:\n  a/b: c/d\n  c/d: e/f\n", "Line 2, /model_aliases/a~1b: Expected a model that is not itself an alias"},
		"aliases: a cycle":        {"model_aliases:\n  a/b: a/b\n", "Line 2, /model_aliases/a~1b: Expected a model that is not itself an alias"},
		"aliases: the page's":     {"model_aliases: {\"anthropic/*\": \"gateway/*\", \"gateway/fast\": \"gateway/llama-3.3-70b\"}\n", "Line 1, /model_aliases/anthropic~1*: Expected a model that is not itself an alias"},
		"aliases: into wildcard":  {"model_aliases:\n  a/b: c/d\n  c/*: e/*\n", "Line 2, /model_aliases/a~1b: Expected a model that is not itself an alias"},
		"aliases: wide into":      {"model_aliases:\n  a/*: c/*\n  c/x*: e/*\n", "Line 2, /model_aliases/a~1*: Expected a model that is not itself an alias"},
		"aliases: beside":         {"model_aliases:\n  a/*: c/x*\n  c/y*: e/*\n  c/x: e/f\n", ""},
		"aliases: rest not empty": {"model_aliases:\n  a/b: c/\n  d/e: c/x\n  c/x*: e/*\n", "Line 2, /model_aliases/a~1b: Expected provider/model, such as anthropic/claude-sonnet-4-5"},

		"allowed: empty":      {"allowed_models: []\n", "Line 1, /allowed_models: Expected at least one model"},
		"allowed: forms":      {"allowed_models:\n  - anthropic\n  - Anthropic/x\n  - anthropic/a b\n  - bedrock/arn:aws:bedrock:eu:1:x\n  - anthropic/a*b\n  - openai/*\n  - openai/*\n", "Line 2, /allowed_models/0: Expected provider/model, such as anthropic/claude-sonnet-4-5, or a * at its end; the provider in lower case, no spaces, and an alias in place of a Bedrock ARN|Line 3, /allowed_models/1: Expected provider/model, such as anthropic/claude-sonnet-4-5, or a * at its end; the provider in lower case, no spaces, and an alias in place of a Bedrock ARN|Line 4, /allowed_models/2: Expected provider/model, such as anthropic/claude-sonnet-4-5, or a * at its end; the provider in lower case, no spaces, and an alias in place of a Bedrock ARN|Line 5, /allowed_models/3: Expected provider/model, such as anthropic/claude-sonnet-4-5, or a * at its end; the provider in lower case, no spaces, and an alias in place of a Bedrock ARN|Line 6, /allowed_models/4: Expected provider/model, such as anthropic/claude-sonnet-4-5, or a * at its end; the provider in lower case, no spaces, and an alias in place of a Bedrock ARN|Line 8, /allowed_models/6: Expected each entry once"},
		"allowed: no such":    {"allowed_models: [mistral/large]\n", "warning: Line 1, /allowed_models/0: There is no provider named mistral, nor an alias that mistral/large matches"},
		"allowed: by alias":   {"model_aliases: { house/fast: openai/gpt-5 }\nallowed_models: [house/*, house/fast]\n", ""},
		"allowed: by gateway": {gateway("allowed_models: [gateway/x]\n"), ""},
		"allowed: faulty one": {gateway("    api_key: sk-canary\nallowed_models: [gateway/x]\n"), "Line 4, /model_gateways/0/api_key: Expected a reference to a variable, such as ${NAME}"},

		"declared: keys":   {"declared_models:\n  openai: [gpt-5]\n  gateway: [a]\n  Gateway: [a]\n", "Line 2, /declared_models/openai: Expected bedrock, bedrock-anthropic, azure, vertex, vertex-anthropic or the name of a gateway|warning: Line 3, /declared_models/gateway: Expected bedrock, bedrock-anthropic, azure, vertex, vertex-anthropic or the name of a gateway|Line 4, /declared_models/Gateway: Expected bedrock, bedrock-anthropic, azure, vertex, vertex-anthropic or the name of a gateway"},
		"declared: ids":    {"declared_models:\n  azure: [a b, a*, " + long + ", arn:aws:x, ok, ok]\n", "Line 2, /declared_models/azure/0: Expected a model id as the provider receives it: 1 to 256 characters without spaces or a *, and no Bedrock ARN|Line 2, /declared_models/azure/1: Expected a model id as the provider receives it: 1 to 256 characters without spaces or a *, and no Bedrock ARN|Line 2, /declared_models/azure/2: Expected a model id as the provider receives it: 1 to 256 characters without spaces or a *, and no Bedrock ARN|Line 2, /declared_models/azure/3: Expected a model id as the provider receives it: 1 to 256 characters without spaces or a *, and no Bedrock ARN|Line 2, /declared_models/azure/5: Expected each entry once"},
		"declared: a text": {"declared_models: { azure: gpt-5 }\n", "Line 1, /declared_models/azure: Expected a list"},

		"voice: a form":     {"voice_model: whisper\n", "Line 1, /voice_model: Expected openai/<model> or <gateway>/<model> for a gateway of model_gateways"},
		"voice: a provider": {"voice_model: google/x\n", "Line 1, /voice_model: Expected openai/<model> or <gateway>/<model> for a gateway of model_gateways"},
		"voice: elsewhere":  {"voice_model: house/x\n", "warning: Line 1, /voice_model: Expected openai/<model> or <gateway>/<model> for a gateway of model_gateways"},
		"voice: openai":     {"voice_model: openai/whisper-1\n", ""},

		"tools: no way":        {server(""), "Line 2, /tool_servers/0: Expected one of command, url and openapi"},
		"tools: two ways":      {server("    command: npx\n    url: https://a.example/mcp\n"), "Line 4, /tool_servers/0/url: url is not allowed beside command"},
		"tools: other keys":    {server("    url: https://a.example/mcp\n    args: [a]\n    base_url: http://b\n"), "Line 4, /tool_servers/0/args: args is not allowed beside url|Line 5, /tool_servers/0/base_url: base_url is not allowed beside url"},
		"tools: a shell line":  {server("    command: npx -y @acme/notes\n"), "Line 3, /tool_servers/0/command: Expected a program alone: its arguments stand in args"},
		"tools: a path":        {server("    command: /opt/my tools/notes\n"), ""},
		"tools: bare env":      {server("    command: npx\n    env: { GITHUB_TOKEN: ghp_canary }\n"), "Line 4, /tool_servers/0/env/GITHUB_TOKEN: Expected a reference to a variable, such as ${NAME}"},
		"tools: env password":  {server("    command: npx\n    env: { DATABASE_URL: \"postgres://u:canary@db/x\" }\n"), "Line 4, /tool_servers/0/env/DATABASE_URL: Expected a reference to a variable, such as ${NAME}"},
		"tools: env reference": {server("    command: npx\n    env: { DATABASE_URL: \"postgres://u:${DB_PASSWORD}@db/x\", EMPTY: \"\" }\n"), ""},
		"tools: env name":      {server("    command: npx\n    env: { \"A-B\": x }\n"), "Line 4, /tool_servers/0/env/A-B: Expected the name of a variable"},
		"tools: bare args":     {server("    command: npx\n    args: [--api-key, canary, --token=canary, --max-tokens, \"5\", --verbose]\n"), "Line 4, /tool_servers/0/args/1: Expected a reference to a variable, such as ${NAME}|Line 4, /tool_servers/0/args/2: Expected a reference to a variable, such as ${NAME}"},
		"tools: args":          {server("    command: npx\n    args: [--api-key, \"${KEY}\", \"--token=${KEY}\", --password, --verbose]\n"), ""},
		"tools: a URL":         {server("    url: a.example/mcp\n"), "Line 3, /tool_servers/0/url: Expected an http or https URL without a user"},
		"tools: URL's key":     {server("    url: https://a.example/mcp?token=canary\n"), "Line 3, /tool_servers/0/url: Expected a reference to a variable, such as ${NAME}"},
		"tools: URL variable":  {server("    url: ${NOTES_URL}\n"), ""},
		"tools: a bare name":   {server("    url: $NOTES_URL\n"), "Line 3, /tool_servers/0/url: Expected the name of a variable in braces: ${NAME}"},
		"tools: a key":         {server("    url: https://a.example/mcp\n    api_key: ${KEY}\n"), "Line 4, /tool_servers/0/api_key: Unknown key; it goes into headers, such as Authorization: Bearer ${NAME}"},
		"tools: URL path":      {server("    url: https://a.example/${NOTES_KEY}/mcp\n"), ""},
		"tools: openapi":       {server("    openapi: ftp://a.example/x.yaml\n"), "Line 3, /tool_servers/0/openapi: Expected a path, or an http or https URL without a user"},
		"tools: allowed":       {server("    command: npx\n    allowed: []\n"), "Line 4, /tool_servers/0/allowed: Expected at least one tool"},
		"tools: tool names":    {server("    command: npx\n    allowed: [\"a b\", a, a]\n"), "Line 4, /tool_servers/0/allowed/0: Expected a tool's name: 1 to 128 letters, digits, underscores, hyphens and dots|Line 4, /tool_servers/0/allowed/2: Expected each entry once"},
		"tools: reads":         {server("    command: npx\n    allowed: [a]\n    reads: [a, b]\n"), "Line 5, /tool_servers/0/reads/1: Expected a tool of allowed"},
		"tools: request id":    {server("    command: npx\n    request_id: a b\n"), "Line 4, /tool_servers/0/request_id: Expected a header's name, or a JSON Pointer such as /_meta/request_id"},
		"tools: pointer":       {server("    command: npx\n    request_id: /a~2\n"), "Line 4, /tool_servers/0/request_id: Expected a header's name, or a JSON Pointer such as /_meta/request_id"},
		"tools: twice":         {server("    command: npx\n") + "  - name: notes\n    command: npx\n", "Line 4, /tool_servers/1/name: Expected each tool server's name once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range Check([]byte(c.source)) {
				text := p.String()
				if p.Severity != "problem" {
					text = string(p.Severity) + ": " + text
				}
				got = append(got, text)
				if p.Rule == "" || p.Line == 0 || strings.Contains(text, "canary") {
					t.Errorf("a problem without a rule or a line, or with a value: %+v", p)
				}
			}
			if got := strings.Join(got, "|"); got != c.want {
				t.Errorf("gives\n%s\nwant\n%s", strings.ReplaceAll(got, "|", "\n"), strings.ReplaceAll(c.want, "|", "\n"))
			}
		})
	}
}

// Every rule that takes the environment, as the start says it.
func TestRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		source    string
		variables map[string]string
		want      string
	}{
		"not JSON":              {"", map[string]string{"MODEL_GATEWAYS": "canary"}, "MODEL_GATEWAYS: Expected a JSON list"},
		"an object":             {"", map[string]string{"ALLOWED_MODELS": `{"canary":1}`}, "ALLOWED_MODELS: Expected a JSON list"},
		"a list":                {"", map[string]string{"MODEL_ALIASES": `["canary"]`}, "MODEL_ALIASES: Expected a JSON object"},
		"a number":              {"", map[string]string{"REASONING_MAX_INPUT_TOKENS": "canary"}, "REASONING_MAX_INPUT_TOKENS: Expected a whole number of 1 or more"},
		"a gateway":             {"", map[string]string{"MODEL_GATEWAYS": `[{"name":"canary!","base_url":"canary","key":"canary"}]`}, "MODEL_GATEWAYS, /0/name: Expected 1 to 32 lowercase letters, digits and hyphens, starting with a letter|MODEL_GATEWAYS, /0/base_url: Expected an http or https URL without a user, a query or a fragment|MODEL_GATEWAYS, /0/key: Unknown key; did you mean api_key?"},
		"a key twice":           {"", map[string]string{"K": "canary", "MODEL_GATEWAYS": `[{"name":"a","base_url":"http://a","api_key":"canary","api_key_env":"K"}]`}, "MODEL_GATEWAYS, /0/api_key_env: api_key_env is not allowed beside api_key"},
		"a key for its name":    {"", map[string]string{"MODEL_GATEWAYS": `[{"name":"a","base_url":"http://a","api_key_env":"a7Kq9ZsecretKEY"}]`}, "MODEL_GATEWAYS, /0/api_key_env: Expected the name of a variable that is set"},
		"a key in a reference":  {"model_gateways: [{ name: a, base_url: http://a, api_key: \"${a7Kq9ZsecretKEY}\" }]\n", nil, "auto.yaml, line 1, /model_gateways/0/api_key: Expected the name of a variable that is set"},
		"a key that is not set": {"", map[string]string{"MODEL_GATEWAYS": `[{"name":"a","base_url":"http://a","api_key_env":"K"}]`}, "MODEL_GATEWAYS, /0/api_key_env: Expected the variable K to be set"},
		"a reference in it":     {"", map[string]string{"K": "canary", "MODEL_GATEWAYS": `[{"name":"a","base_url":"http://a","api_key":"${K}","headers":{"x-a":"${K}"}}]`}, "MODEL_GATEWAYS, /0/api_key: Expected the text itself: ${NAME} is filled in auto.yaml alone|MODEL_GATEWAYS, /0/headers/x-a: Expected the text itself: ${NAME} is filled in auto.yaml alone"},
		"a bare key in it":      {"", map[string]string{"MODEL_GATEWAYS": `[{"name":"a","base_url":"http://a","api_key":"canary","headers":{"authorization":"canary"}}]`}, ""},
		"not set":               {"model_gateways: [{ name: a, base_url: http://a, api_key: \"${KEY}\" }]\n", nil, "auto.yaml, line 1, /model_gateways/0/api_key: Expected the variable KEY to be set"},
		"set to nothing":        {"model_gateways: [{ name: a, base_url: http://a, api_key: \"${KEY}\" }]\n", map[string]string{"KEY": ""}, "auto.yaml, line 1, /model_gateways/0/api_key: Expected the variable KEY to be set"},
		"two lines":             {"model_gateways: [{ name: a, base_url: http://a, api_key: \"${KEY}\" }]\n", map[string]string{"KEY": "canary\ncanary"}, "auto.yaml, line 1, /model_gateways/0/api_key: Expected the variable to hold text without control characters"},
		"allowed, no provider":  {"allowed_models: [mistral/large]\n", nil, "auto.yaml, line 1, /allowed_models/0: There is no provider named mistral, nor an alias that mistral/large matches"},
		"allowed, unconfigured": {"", map[string]string{"ALLOWED_MODELS": `["openai/*"]`}, "ALLOWED_MODELS, /0: openai is not configured, nor is there an alias that openai/* matches"},
		"allowed, configured":   {"", map[string]string{"ALLOWED_MODELS": `["openai/*"]`, "OPENAI_API_KEY": "canary"}, ""},
		"declared, no gateway":  {"declared_models: { gateway: [a] }\n", nil, "auto.yaml, line 1, /declared_models/gateway: Expected bedrock, bedrock-anthropic, azure, vertex, vertex-anthropic or the name of a gateway"},
		"voice without its key": {"voice_model: openai/whisper-1\n", nil, "auto.yaml, line 1, /voice_model: Expected openai/<model> or <gateway>/<model> for a gateway of model_gateways"},
		"voice with its key":    {"voice_model: openai/whisper-1\n", map[string]string{"OPENAI_API_KEY": "canary"}, ""},
		"a base URL":            {"", map[string]string{"OPENAI_BASE_URL": "canary"}, "OPENAI_BASE_URL: Expected an http or https URL without a user, a query or a fragment"},
		"a region":              {"", map[string]string{"AWS_REGION": "eu central/canary"}, "AWS_REGION: Expected a name without spaces, / ? # @ or :"},
		"a key of two lines":    {"", map[string]string{"ANTHROPIC_API_KEY": "canary\n"}, "ANTHROPIC_API_KEY: Expected text without control characters"},
		"a store":               {"", map[string]string{"AUTO_STORE": "canary\x00"}, "AUTO_STORE: Expected text without control characters"},
		"a name for an address": {"", map[string]string{"AUTO_EMAIL": "canary"}, "AUTO_EMAIL: Expected an email address such as priya@acme.example"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Read([]byte(c.source), environment(c.variables))
			var got []string
			var invalid *InvalidError
			if errors.As(err, &invalid) {
				for _, f := range invalid.Faults {
					got = append(got, f.String())
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(got, "|"); got != c.want {
				t.Errorf("gives\n%s\nwant\n%s", strings.ReplaceAll(got, "|", "\n"), strings.ReplaceAll(c.want, "|", "\n"))
			}
			if everything := fmt.Sprintf("%v %+v %v", err, s, s.Facts()); strings.Contains(everything, "canary") {
				t.Errorf("a value is shown: %s", everything)
			}
		})
	}
}
