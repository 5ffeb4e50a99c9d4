package problem

// This file is the table of rules.

// Rule names one rule of the formats in reports, such as unknown-key.
type Rule string

// The rules a document is checked by. Each is described once, in Rules.
const (
	TooMany Rule = "too-many"

	FileName     Rule = "file-name"
	Encoding     Rule = "encoding"
	FrontMatter  Rule = "front-matter"
	YAMLSyntax   Rule = "yaml-syntax"
	YAMLFeature  Rule = "yaml-feature"
	DuplicateKey Rule = "duplicate-key"
	NumberRange  Rule = "number-range"
	TooDeep      Rule = "too-deep"
	TooLarge     Rule = "too-large"

	UnknownKey      Rule = "unknown-key"
	MissingKey      Rule = "missing-key"
	RefusedKey      Rule = "refused-key"
	ValueType       Rule = "value-type"
	ValueRange      Rule = "value-range"
	ProviderOption  Rule = "provider-option"
	ToolName        Rule = "tool-name"
	ToolMark        Rule = "tool-mark"
	ToolUnknown     Rule = "tool-unknown"
	Duration        Rule = "duration"
	JSONPointer     Rule = "json-pointer"
	ReplyRule       Rule = "reply-rule"
	NoDelivery      Rule = "no-delivery"
	CallArguments   Rule = "call-arguments"
	DefaultMismatch Rule = "default-mismatch"

	SchemaKeyword   Rule = "schema-keyword"
	SchemaValue     Rule = "schema-value"
	SchemaReference Rule = "schema-reference"
	SchemaLoop      Rule = "schema-loop"
	SchemaSize      Rule = "schema-size"
	SchemaPortable  Rule = "schema-portable"
	SchemaUnchecked Rule = "schema-unchecked"

	TemplateSyntax     Rule = "template-syntax"
	TemplateSize       Rule = "template-size"
	UnknownTag         Rule = "unknown-tag"
	UnknownFilter      Rule = "unknown-filter"
	UnknownName        Rule = "unknown-name"
	UnknownProperty    Rule = "unknown-property"
	UndeclaredProperty Rule = "undeclared-property"
	OptionalProperty   Rule = "optional-property"
	FilterArguments    Rule = "filter-arguments"
	SystemBlock        Rule = "system-block"
	EmptyMessage       Rule = "empty-message"
	MixedText          Rule = "mixed-text"
	Environment        Rule = "environment"
)

// RuleText describes a rule for the documentation and for editors.
type RuleText struct {
	Rule  Rule
	About string // what breaks the rule, one sentence
}

// Rules is the table of every rule, in the order the documentation shows them.
var Rules = []RuleText{
	{FileName, "The name of a definition's file holds other characters than lowercase letters, digits and hyphens."},
	{Encoding, "The file holds a NUL, a control character or bytes that are not UTF-8."},
	{FrontMatter, "The file does not start with front matter between two lines of ---, or the front matter is not a mapping."},
	{YAMLSyntax, "The front matter is not YAML."},
	{YAMLFeature, "The front matter uses an anchor, an alias, a tag, a merge key, a key that is not text, or a second document."},
	{DuplicateKey, "A key appears twice in one mapping."},
	{NumberRange, "A number is not finite."},
	{TooDeep, "The front matter, a schema or a template nests more deeply than the format allows."},
	{TooLarge, "A file or a list is larger than the format allows."},
	{UnknownKey, "A key is none of the format's."},
	{MissingKey, "A key the format requires is missing."},
	{RefusedKey, "A key is not allowed beside another one, or in this shape of function."},
	{ValueType, "A value has the wrong type."},
	{ValueRange, "A value is of the right type but outside what the format takes."},
	{ProviderOption, "A provider option or its namespace is not offered."},
	{ToolName, "A tool is not written as server/tool or server/*, or is listed twice."},
	{ToolMark, "A call names a tool that only reads in an interaction, or one that may change something in a lookup. Known with --connect."},
	{ToolUnknown, "A document names a tool server that the settings do not have, or, known with --connect, a tool that its server does not offer."},
	{Duration, "A duration is not ISO 8601, or is outside its bounds."},
	{JSONPointer, "A pointer is not a JSON Pointer."},
	{ReplyRule, "The reply rule does not fit the answer schema, or none can be made from it."},
	{NoDelivery, "A request names no way to reach its party."},
	{CallArguments, "The arguments of a call that reads no input are larger than a call may send."},
	{DefaultMismatch, "A value of input.default does not match the input schema."},
	{SchemaKeyword, "A schema uses a keyword the format does not allow."},
	{SchemaValue, "The value of a schema's keyword is not what JSON Schema says it is."},
	{SchemaReference, "A $ref points to something it may not point to, or to nothing."},
	{SchemaLoop, "A definition of a schema loops with no property or item in between."},
	{SchemaSize, "A schema is larger or deeper than the format allows."},
	{SchemaPortable, "A provider rejects or does not enforce part of an output schema."},
	{SchemaUnchecked, "Part of a schema is sent to the provider but not checked by the runtime."},
	{TemplateSyntax, "A template does not parse."},
	{TemplateSize, "A template is too long or holds too many names."},
	{UnknownTag, "A template uses a tag that is not available."},
	{UnknownFilter, "A template uses a filter that is not available."},
	{UnknownName, "A template reads a name that its place does not give."},
	{UnknownProperty, "A template reads a property that a closed schema does not have."},
	{UndeclaredProperty, "A template reads a property that the schema does not name, or that a value of its type never has."},
	{OptionalProperty, "A template reads a property that may be left out, where one that is missing ends the run."},
	{FilterArguments, "A filter is given arguments that it never takes, or does not read."},
	{SystemBlock, "A system block is nested, appears twice, or its tags have arguments."},
	{EmptyMessage, "The message is empty whatever the input."},
	{MixedText, "A structure stands inside a longer text of an argument."},
	{Environment, "A template of a delivery holds ${, which is never filled from the environment."},
	{TooMany, "More problems were found than are shown."},
}

// WarningRules are the rules that may warn, in the order of the table: what breaks
// one of them may be meant. All others refuse the document.
func WarningRules() []Rule {
	return []Rule{
		FileName, ValueRange, ToolUnknown, ReplyRule, SchemaValue, SchemaPortable, SchemaUnchecked,
		TemplateSyntax, UndeclaredProperty, OptionalProperty, FilterArguments,
	}
}
