package schema

// This file holds the one table of keywords: what each takes, whether a
// definition may use it, whether the runtime checks it, and what providers do
// with it. Checking, warnings and documentation all read it.

import "sync"

// draft is a set of the versions of JSON Schema that the format reads.
type draft uint8

const (
	draft2020 draft = 1 << iota // 2020-12
	draft07
	anyDraft = draft2020 | draft07
)

// takes is the kind of value a keyword takes.
type takes uint8

const (
	takesAnything takes = iota
	takesText
	takesBoolean
	takesList
	takesMapping
	takesCount     // a whole number of 0 or more
	takesNumber    // any number
	takesStep      // a number above 0
	takesNames     // a list of different texts
	takesTypes     // a type or a list of them
	takesChoices   // the values of enum
	takesConstant  // the value of const
	takesSchema    // a schema
	takesFlag      // true or false that a rule reads
	takesSchemas   // a list of schemas
	takesSchemaMap // names and their schemas
	takesItems     // a schema, or in draft-07 a list of them
	takesOthers    // additionalProperties
	takesNothing   // {} alone, for not
	takesReference // $ref
	takesIdentity  // $id
)

// duty is what the runtime does by a keyword.
type duty uint8

const (
	refused   duty = iota // no schema may use it
	checked               // values are checked by it
	bounds                // values are checked by it, and it is a numeric, length or count bound
	unchecked             // it says something about values that nothing checks
	describes             // it says nothing that could be checked
)

// keyword is one row of the table.
type keyword struct {
	name   string
	drafts draft // where it means anything; elsewhere it is a keyword nobody knows
	duty   duty
	takes  takes
	reason string // of a refused one: what to write, or why it is refused

	count   func(*subschema) *count
	bound   func(*subschema) **bound
	schemas func(*subschema) *[]*subschema
	schema  func(*subschema) **subschema
}

const (
	slowPattern = "a hostile regular expression can stall validation"
	useChoices  = "write each case as a choice of anyOf"
	useRequired = "write each case as a choice of anyOf with its own required"
	useItems    = "describe every item with items"
	useClosed   = "close each object with additionalProperties: false"
	useDefs     = "name a definition with $ref: '#/$defs/<name>'"
)

// keywords is the table, in the order the documentation shows it.
var keywords = []keyword{
	{name: "type", drafts: anyDraft, duty: checked, takes: takesTypes},
	{name: "enum", drafts: anyDraft, duty: checked, takes: takesChoices},
	{name: "const", drafts: anyDraft, duty: checked, takes: takesConstant},

	{name: "minLength", drafts: anyDraft, duty: bounds, takes: takesCount, count: func(s *subschema) *count { return &s.texts().min }},
	{name: "maxLength", drafts: anyDraft, duty: bounds, takes: takesCount, count: func(s *subschema) *count { return &s.texts().max }},
	{name: "minimum", drafts: anyDraft, duty: bounds, takes: takesNumber, bound: func(s *subschema) **bound { return &s.numbers().minimum }},
	{name: "maximum", drafts: anyDraft, duty: bounds, takes: takesNumber, bound: func(s *subschema) **bound { return &s.numbers().maximum }},
	{name: "exclusiveMinimum", drafts: anyDraft, duty: bounds, takes: takesNumber, bound: func(s *subschema) **bound { return &s.numbers().above }},
	{name: "exclusiveMaximum", drafts: anyDraft, duty: bounds, takes: takesNumber, bound: func(s *subschema) **bound { return &s.numbers().below }},
	{name: "multipleOf", drafts: anyDraft, duty: bounds, takes: takesStep, bound: func(s *subschema) **bound { return &s.numbers().multiple }},

	{name: "items", drafts: anyDraft, duty: checked, takes: takesItems},
	{name: "prefixItems", drafts: draft2020, duty: checked, takes: takesSchemas, schemas: func(s *subschema) *[]*subschema { return &s.lists().prefix }},
	{name: "minItems", drafts: anyDraft, duty: bounds, takes: takesCount, count: func(s *subschema) *count { return &s.lists().min }},
	{name: "maxItems", drafts: anyDraft, duty: bounds, takes: takesCount, count: func(s *subschema) *count { return &s.lists().max }},
	{name: "uniqueItems", drafts: anyDraft, duty: bounds, takes: takesFlag},

	{name: "properties", drafts: anyDraft, duty: checked, takes: takesSchemaMap},
	{name: "required", drafts: anyDraft, duty: checked, takes: takesNames},
	{name: "additionalProperties", drafts: anyDraft, duty: checked, takes: takesOthers},
	{name: "propertyNames", drafts: anyDraft, duty: checked, takes: takesSchema, schema: func(s *subschema) **subschema { return &s.objects().keys }},
	{name: "minProperties", drafts: anyDraft, duty: bounds, takes: takesCount, count: func(s *subschema) *count { return &s.objects().min }},
	{name: "maxProperties", drafts: anyDraft, duty: bounds, takes: takesCount, count: func(s *subschema) *count { return &s.objects().max }},

	{name: "$ref", drafts: anyDraft, duty: checked, takes: takesReference},
	{name: "allOf", drafts: anyDraft, duty: checked, takes: takesSchemas, schemas: func(s *subschema) *[]*subschema { return &s.all }},
	{name: "anyOf", drafts: anyDraft, duty: checked, takes: takesSchemas, schemas: func(s *subschema) *[]*subschema { return &s.any }},
	{name: "oneOf", drafts: anyDraft, duty: checked, takes: takesSchemas, schemas: func(s *subschema) *[]*subschema { return &s.one }},
	{name: "not", drafts: anyDraft, duty: checked, takes: takesNothing},
	{name: "$defs", drafts: anyDraft, duty: checked, takes: takesSchemaMap},
	{name: "definitions", drafts: anyDraft, duty: checked, takes: takesSchemaMap},

	{name: "format", drafts: anyDraft, duty: unchecked, takes: takesText},
	{name: "contentEncoding", drafts: anyDraft, duty: unchecked, takes: takesText},
	{name: "contentMediaType", drafts: anyDraft, duty: unchecked, takes: takesText},
	{name: "contentSchema", drafts: draft2020, duty: unchecked, takes: takesSchema},

	{name: "title", drafts: anyDraft, duty: describes, takes: takesText},
	{name: "description", drafts: anyDraft, duty: describes, takes: takesText},
	{name: "default", drafts: anyDraft, duty: describes},
	{name: "examples", drafts: anyDraft, duty: describes, takes: takesList},
	{name: "deprecated", drafts: draft2020, duty: describes, takes: takesBoolean},
	{name: "readOnly", drafts: anyDraft, duty: describes, takes: takesBoolean},
	{name: "writeOnly", drafts: anyDraft, duty: describes, takes: takesBoolean},
	{name: "$comment", drafts: anyDraft, duty: describes, takes: takesText},
	{name: "$schema", drafts: anyDraft, duty: describes, takes: takesText},
	{name: "$id", drafts: anyDraft, duty: describes, takes: takesIdentity},
	{name: "$vocabulary", drafts: draft2020, duty: describes, takes: takesMapping},

	{name: "pattern", drafts: anyDraft, reason: slowPattern},
	{name: "patternProperties", drafts: anyDraft, reason: slowPattern},
	{name: "if", drafts: anyDraft, reason: useChoices},
	{name: "then", drafts: anyDraft, reason: useChoices},
	{name: "else", drafts: anyDraft, reason: useChoices},
	{name: "contains", drafts: anyDraft, reason: useItems},
	{name: "minContains", drafts: anyDraft, reason: useItems},
	{name: "maxContains", drafts: anyDraft, reason: useItems},
	{name: "dependentRequired", drafts: anyDraft, reason: useRequired},
	{name: "dependentSchemas", drafts: anyDraft, reason: useRequired},
	{name: "dependencies", drafts: anyDraft, reason: useRequired},
	{name: "unevaluatedItems", drafts: anyDraft, reason: useItems},
	{name: "unevaluatedProperties", drafts: anyDraft, reason: useClosed},
	{name: "additionalItems", drafts: anyDraft, reason: useItems},
	{name: "$anchor", drafts: anyDraft, reason: useDefs},
	{name: "$dynamicRef", drafts: anyDraft, reason: useDefs},
	{name: "$dynamicAnchor", drafts: anyDraft, reason: useDefs},
	{name: "$recursiveRef", drafts: anyDraft, reason: useDefs},
	{name: "$recursiveAnchor", drafts: anyDraft, reason: useDefs},
}

var keywordsByName = sync.OnceValue(func() map[string]*keyword {
	byName := make(map[string]*keyword, len(keywords))
	for i := range keywords {
		byName[keywords[i].name] = &keywords[i]
	}
	return byName
})

// keywordNamed gives the row of a keyword that the draft knows, and nil for
// any other word.
func (d draft) keywordNamed(name string) *keyword {
	if row := keywordsByName()[name]; row != nil && row.drafts&d != 0 {
		return row
	}
	return nil
}

// keywordNames are the keywords a schema of the draft may use.
func (d draft) keywordNames() []string {
	names := make([]string, 0, len(keywords))
	for i := range keywords {
		if keywords[i].drafts&d != 0 && keywords[i].duty != refused {
			names = append(names, keywords[i].name)
		}
	}
	return names
}

// KeywordText describes a keyword for the documentation and for editors.
type KeywordText struct {
	Name    string
	Refused string // why a schema may not use it; empty for one it may use
	Checked bool   // whether the runtime checks values by it
}

// Keywords describes every keyword, in the order the documentation shows them.
func Keywords() []KeywordText {
	texts := make([]KeywordText, len(keywords))
	for i, k := range keywords {
		texts[i] = KeywordText{Name: k.name, Refused: k.reason, Checked: k.duty == checked || k.duty == bounds}
	}
	return texts
}

// The groups of rules of a subschema are made when the first keyword of the
// group is read.

func (s *subschema) texts() *textRules {
	if s.text == nil {
		s.text = &textRules{}
	}
	return s.text
}

func (s *subschema) numbers() *numberRules {
	if s.number == nil {
		s.number = &numberRules{}
	}
	return s.number
}

func (s *subschema) lists() *listRules {
	if s.list == nil {
		s.list = &listRules{}
	}
	return s.list
}

func (s *subschema) objects() *objectRules {
	if s.object == nil {
		s.object = &objectRules{}
	}
	return s.object
}
