package definition

// This file is the type reasoning: its fields, and the rules between them.

import (
	"slices"
	"strings"
	"unicode"

	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// Reasoning is a function that a model answers (reasoning format).
type Reasoning struct {
	Model           string // provider/model, as written
	Config          Config
	Output          Output
	ProviderOptions *value.Object // by namespace; nil without any
	Tools           []Tool
	Template        *Template
}

// Config is the settings of a model call; a nil field was left out.
type Config struct {
	MaxOutputTokens *int64 // tokens, 1 to 64,000
	Temperature     *float64
	TopP            *float64
	Seed            *int64
	StopSequences   []string
	Reasoning       string // one of ReasoningEfforts, or empty
}

// DefaultMaxOutputTokens is config.max_output_tokens when it is left out.
const DefaultMaxOutputTokens = 1024

// ReasoningEfforts are the values of config.reasoning.
var ReasoningEfforts = []string{"none", "minimal", "low", "medium", "high", "xhigh"}

// OutputFormats are the values of output.format.
var OutputFormats = []string{"text", "json"}

// Output is what a function's answer must be.
type Output struct {
	JSON   bool
	Schema *schema.Schema      // of a JSON answer; nil with a shape or text
	Shape  *schema.OutputShape // the named shape of a JSON answer
	format string
}

var configFields = []field[Config]{
	{name: "max_output_tokens", takes: "A whole number from 1 to 64,000; 1,024 when left out", read: func(r *reader, at place, into *Config) {
		into.MaxOutputTokens = r.whole(at, 1, 64_000)
	}},
	{name: "temperature", takes: "A finite number: the sampling temperature", read: func(r *reader, at place, into *Config) {
		into.Temperature = r.number(at)
	}},
	{name: "top_p", takes: "A finite number: nucleus sampling", read: func(r *reader, at place, into *Config) {
		into.TopP = r.number(at)
	}},
	{name: "seed", takes: "A whole number of 0 or more", read: func(r *reader, at place, into *Config) {
		into.Seed = r.whole(at, 0, -1)
	}},
	{name: "stop_sequences", takes: "A list of strings", read: func(r *reader, at place, into *Config) {
		for _, item := range r.list(at) {
			if text, ok := r.text(item); ok {
				into.StopSequences = append(into.StopSequences, text)
			}
		}
	}},
	{name: "reasoning", takes: "The reasoning effort: none, minimal, low, medium, high or xhigh", read: func(r *reader, at place, into *Config) {
		into.Reasoning, _ = r.word(at, ReasoningEfforts)
	}},
}

var inputFields = []field[Input]{
	{name: "schema", takes: "A JSON Schema whose root is type: object", read: inputSchema},
	{name: "default", takes: "Defaults for top-level input fields, an object", read: func(r *reader, at place, into *Input) {
		if r.mapping(at) {
			into.Default, _ = at.node.Value().(*value.Object)
		}
	}},
}

var outputFields = []field[Output]{
	{name: "format", takes: "text, the default, or json", read: func(r *reader, at place, into *Output) {
		into.format, _ = r.word(at, OutputFormats)
	}},
	{name: "schema", takes: "With json: a JSON Schema the answer must match", read: func(r *reader, at place, into *Output) {
		into.Schema = r.schema(at, schema.Options{})
	}},
	{name: "shape", takes: "With json: series, categories, table or text, in place of a schema", read: func(r *reader, at place, into *Output) {
		if name, ok := r.word(at, schema.OutputShapeNames()); ok {
			into.Shape, _ = schema.NamedOutputShape(name)
		}
	}},
}

var reasoningFields = []field[Reasoning]{
	{name: "description", takes: "Text of 1 to 1,000 characters", read: func(r *reader, at place, _ *Reasoning) { description(r, at) }},
	{name: "model", required: true, takes: "A model reference, provider/model", read: func(r *reader, at place, into *Reasoning) {
		into.Model = modelReference(r, at)
	}},
	{name: "config", takes: "The settings of the model call", within: describe(configFields), read: func(r *reader, at place, into *Reasoning) {
		read(r, at, configFields, &into.Config)
	}},
	{name: "input", takes: "What the function takes", within: describe(inputFields), read: func(r *reader, at place, _ *Reasoning) {
		if read(r, at, inputFields, &r.definition.Input) {
			checkDefault(r, at)
		}
	}},
	{name: "output", takes: "What the function gives", within: describe(outputFields), read: readOutput},
	{name: "provider_options", takes: "Options for one provider, under its namespace", read: providerOptions},
	{name: "tools", takes: "The tools a run may call, each server/tool or server/*", read: toolNames},
}

const reasoningName = "reasoning"

var reasoningType = &Type{
	Name:   reasoningName,
	About:  "Work a model does: a prompt rendered from the input, and the model's answer",
	Fields: describe(reasoningFields),
	read:   readReasoning,
}

func readReasoning(r *reader) Function {
	function := &Reasoning{}
	if root, ok := r.root(); ok {
		read(r, root, reasoningFields, function)
	}
	function.Template = r.body(liquid.Options{Names: r.inputScope(), System: true, Message: true})
	return function
}

// modelReference reads a reference in provider/model form: something on both
// sides of the first slash, and no white space or control character in it.
func modelReference(r *reader, at place) string {
	text, ok := r.text(at)
	if !ok {
		return ""
	}
	if curly(text) {
		r.refuse(at, problem.ValueRange, straightMessage)
		return ""
	}
	provider, model, _ := strings.Cut(text, "/")
	odd := strings.ContainsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) })
	if provider == "" || model == "" || odd {
		r.refuse(at, problem.ValueRange, "Expected provider/model, such as anthropic/claude-sonnet-4-5")
		return ""
	}
	if meant := r.meantProvider(text, provider); meant != "" {
		line, column := at.node.Line, at.node.Column
		r.add(problem.Problem{
			Line: line, Column: column, Pointer: at.pointer, Rule: problem.ValueRange, Severity: problem.Warning,
			Message: "There is no provider named " + provider + problem.DidYouMean(meant+"/"+model),
		})
	}
	return text
}

// providers are the built-in providers (model settings, "Model references").
var providers = []string{"anthropic", "openai", "google", "azure", "bedrock", "bedrock-anthropic", "vertex", "vertex-anthropic"}

// meantProvider gives the provider that an unknown one is nearly called; empty
// where it is known, or near to none. A name with a digit is taken for a gateway's,
// such as openai2, which the environment may configure.
func (r *reader) meantProvider(reference, provider string) string {
	if slices.Contains(providers, provider) || slices.Contains(r.around.Gateways, provider) || strings.ContainsAny(provider, "0123456789") {
		return ""
	}
	for _, alias := range r.around.Aliases {
		if alias == reference || strings.HasPrefix(alias, provider+"/") {
			return ""
		}
	}
	near, _ := problem.Nearest(provider, slices.Concat(providers, r.around.Gateways))
	return near
}

// readOutput reads output and the rules between its keys (reasoning format,
// "Fields").
func readOutput(r *reader, at place, into *Reasoning) {
	if !read(r, at, outputFields, &into.Output) {
		return
	}
	into.Output.JSON = into.Output.format == "json"
	hasSchema, hasShape := at.node.Get("schema") != nil, at.node.Get("shape") != nil
	switch {
	case at.node.Get("format") != nil && into.Output.format == "":
		// format is wrong, and says so; what goes with it cannot be told.
	case into.Output.JSON && !hasSchema && !hasShape:
		r.missing(at, "schema", "Missing key: json needs a schema or a shape")
	case into.Output.JSON && hasSchema && hasShape:
		r.refuseKey(at, "shape", problem.RefusedKey, "shape is not allowed beside schema")
	case !into.Output.JSON:
		for _, key := range []string{"schema", "shape"} {
			if at.node.Get(key) != nil {
				r.refuseKey(at, key, problem.RefusedKey, key+" is not allowed with text: write format: json")
			}
		}
	}
	if s := into.Output.Schema; s != nil && into.Output.JSON {
		r.problems = append(r.problems, schema.Warnings(s)...)
	}
}
