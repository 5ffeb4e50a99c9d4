package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
	"github.com/google/go-cmp/cmp"
)

// Each row of the page's table, with an answer as the model writes it and as it
// is read back.
func TestPortableFormKeepsTheTable(t *testing.T) {
	t.Parallel()
	type answer struct{ sent, read string }
	for name, c := range map[string]struct {
		schema, form string
		answers      []answer
	}{
		"an optional property": {
			`{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer", "description": "How many"}}, "required": ["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"description":"How many","type":["integer","null"]}},"required":["a","b"],"additionalProperties":false}`,
			[]answer{{`{"a": "x", "b": null}`, `{"a":"x"}`}, {`{"b": 2, "a": "x"}`, `{"b":2,"a":"x"}`}},
		},
		"an optional enum, object, list, reference and choice": {
			`{"type": "object", "$defs": {"d": {"type": "boolean"}}, "properties": {"e": {"enum": ["x", "y"], "description": "One"}, "o": {"type": "object", "properties": {}, "additionalProperties": false}, "l": {"type": "array", "items": {"type": "number"}}, "r": {"$ref": "#/$defs/d"}, "c": {"anyOf": [{"type": "string"}, {"type": "boolean"}]}}}`,
			`{"type":"object","properties":{"e":{"description":"One","anyOf":[{"type":"string","enum":["x","y"]},{"type":"null"}]},"o":{"anyOf":[{"type":"object","properties":{},"required":[],"additionalProperties":false},{"type":"null"}]},"l":{"anyOf":[{"type":"array","items":{"type":"number"}},{"type":"null"}]},"r":{"anyOf":[{"$ref":"#/$defs/d"},{"type":"null"}]},"c":{"anyOf":[{"type":"string"},{"type":"boolean"},{"type":"null"}]}},"required":["e","o","l","r","c"],"additionalProperties":false,"$defs":{"d":{"type":"boolean"}}}`,
			[]answer{{`{"e": null, "o": null, "l": null, "r": null, "c": null}`, `{}`}, {`{"e": "x", "o": {}, "l": [1], "r": true, "c": "s"}`, `{"e":"x","o":{},"l":[1],"r":true,"c":"s"}`}},
		},
		"an optional property that allows null itself": {
			`{"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"enum": ["x", null]}}}`,
			`{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"string","enum":["x"]},{"type":"null"}]}},"required":["a","b"],"additionalProperties":false}`,
			[]answer{{`{"a": null, "b": null}`, `{"a":null,"b":null}`}},
		},
		"a $ref with words and one without": {
			`{"type": "object", "$defs": {"name": {"type": "string", "description": "A name", "maxLength": 9}}, "properties": {"a": {"$ref": "#/$defs/name"}, "b": {"$ref": "#/$defs/name", "description": "The last one", "minLength": 1}}, "required": ["a", "b"]}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/name"},"b":{"description":"A name. Must be at most 9 characters long. The last one. Must be at least 1 character long.","type":"string"}},"required":["a","b"],"additionalProperties":false,"$defs":{"name":{"description":"A name. Must be at most 9 characters long.","type":"string"}}}`,
			[]answer{{`{"a": "x", "b": "y"}`, `{"a":"x","b":"y"}`}},
		},
		"definitions of draft-07": {
			`{"type": "object", "definitions": {"n": {"type": "number"}, "unused": {}}, "properties": {"a": {"$ref": "#/definitions/n", "maximum": 3}}, "required": ["a"]}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"required":["a"],"additionalProperties":false,"$defs":{"n":{"type":"number"}}}`,
			[]answer{{`{"a": 5}`, `{"a":5}`}},
		},
		"every bound in words": {
			`{"type": "object", "properties": {
				"s": {"type": "string", "minLength": 1, "maxLength": 64, "format": "date", "description": "A day"},
				"n": {"type": "number", "minimum": 0, "maximum": 2000, "exclusiveMinimum": -1, "exclusiveMaximum": 1e21, "multipleOf": 0.01},
				"l": {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2, "uniqueItems": true},
				"o": {"type": "object", "properties": {"p": {"type": "string"}}, "minProperties": 1, "required": ["p"]},
				"q": {"type": "object", "properties": {"p": {"type": "string"}}, "maxProperties": 3},
				"m": {"type": "object", "additionalProperties": {"type": "null"}, "minProperties": 1, "maxProperties": 2}
			}, "required": ["s", "n", "l", "o", "q", "m"]}`,
			`{"type":"object","properties":{"s":{"description":"A day. Must be at least 1 character long. Must be at most 64 characters long. Must be in the format date.","type":"string"},"n":{"description":"Must be at least 0. Must be at most 2000. Must be more than -1. Must be less than 1e+21. Must be a multiple of 0.01.","type":"number"},"l":{"description":"Must have at least 1 item. Must have at most 2 items. Must have no two items that are the same.","type":"array","items":{"type":"boolean"}},"o":{"description":"Must have at least 1 property.","type":"object","properties":{"p":{"type":"string"}},"required":["p"],"additionalProperties":false},"q":{"description":"Must have at most 3 properties other than null.","type":"object","properties":{"p":{"type":["string","null"]}},"required":["p"],"additionalProperties":false},"m":{"description":"Must have at least 1 entry. Must have at most 2 entries.","type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"null"}},"required":["key","value"],"additionalProperties":false}}},"required":["s","n","l","o","q","m"],"additionalProperties":false}`,
			[]answer{{`{"s": "a", "n": 1, "l": [true], "o": {"p": "x"}, "q": {"p": null}, "m": [{"key": "k", "value": null}]}`, `{"s":"a","n":1,"l":[true],"o":{"p":"x"},"q":{},"m":{"k":null}}`}},
		},
		"oneOf": {
			`{"type": "object", "properties": {"who": {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": "string"}}, "required": ["id"]}], "description": "Who"}}, "required": ["who"]}`,
			`{"type":"object","properties":{"who":{"description":"Who","anyOf":[{"description":"Must be at most 3 characters long.","type":"string"},{"type":"object","properties":{"id":{"type":"integer"},"note":{"type":["string","null"]}},"required":["id","note"],"additionalProperties":false}]}},"required":["who"],"additionalProperties":false}`,
			[]answer{{`{"who": {"id": 1, "note": null}}`, `{"who":{"id":1}}`}, {`{"who": "abc"}`, `{"who":"abc"}`}},
		},
		"choices that share a type": {
			`{"type": "object", "properties": {"a": {"type": "string", "minLength": 1, "anyOf": [{"enum": ["x"]}, {"maxLength": 2}]}}, "required": ["a"]}`,
			`{"type":"object","properties":{"a":{"description":"Must be at least 1 character long.","anyOf":[{"type":"string","enum":["x"]},{"description":"Must be at most 2 characters long.","type":"string"}]}},"required":["a"],"additionalProperties":false}`,
			[]answer{{`{"a": "yy"}`, `{"a":"yy"}`}},
		},
		"the first choice that fits": {
			`{"type": "object", "properties": {"p": {"anyOf": [{"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind"]}, {"type": "object", "properties": {"kind": {"const": "b"}, "x": {"type": ["string", "null"]}}, "required": ["kind"]}]}}, "required": ["p"]}`,
			`{"type":"object","properties":{"p":{"anyOf":[{"type":"object","properties":{"kind":{"type":"string","enum":["a"]},"x":{"type":["string","null"]}},"required":["kind","x"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","enum":["b"]},"x":{"type":["string","null"]}},"required":["kind","x"],"additionalProperties":false}]}},"required":["p"],"additionalProperties":false}`,
			[]answer{{`{"p": {"kind": "a", "x": null}}`, `{"p":{"kind":"a"}}`}, {`{"p": {"kind": "b", "x": null}}`, `{"p":{"kind":"b","x":null}}`}},
		},
		"a map": {
			`{"type": "object", "properties": {"by": {"type": "object", "additionalProperties": {"type": "object", "properties": {"n": {"type": "number"}}}, "propertyNames": {"enum": ["en", "de"], "description": "A language"}}}, "required": ["by"]}`,
			`{"type":"object","properties":{"by":{"type":"array","items":{"type":"object","properties":{"key":{"description":"A language","type":"string","enum":["en","de"]},"value":{"type":"object","properties":{"n":{"type":["number","null"]}},"required":["n"],"additionalProperties":false}},"required":["key","value"],"additionalProperties":false}}},"required":["by"],"additionalProperties":false}`,
			[]answer{{`{"by": [{"key": "de", "value": {"n": null}}, {"value": {"n": 2}, "key": "en"}]}`, `{"by":{"de":{},"en":{"n":2}}}`}, {`{"by": []}`, `{"by":{}}`}, {`{"by": {"de": {"n": null}}}`, `{"by":{"de":{}}}`}},
		},
		"a map's keys in words": {
			`{"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"maxLength": 2}}`,
			`{"type":"object","properties":{"value":{"type":"array","items":{"type":"object","properties":{"key":{"description":"Must be at most 2 characters long.","type":"string"},"value":{"type":"string"}},"required":["key","value"],"additionalProperties":false}}},"required":["value"],"additionalProperties":false}`,
			[]answer{{`{"value": [{"key": "de", "value": "ja"}]}`, `{"de":"ja"}`}},
		},
		"a root that is a list": {
			`{"type": "array", "items": {"type": "string"}}`,
			`{"type":"object","properties":{"value":{"type":"array","items":{"type":"string"}}},"required":["value"],"additionalProperties":false}`,
			[]answer{{`{"value": ["a"]}`, `["a"]`}, {`["a"]`, `["a"]`}},
		},
		"a root of several types": {
			`{"type": ["object", "array", "null", "string"], "properties": {"a": {"type": "string"}}, "items": {"type": "string"}, "maxItems": 1, "description": "Any"}`,
			`{"type":"object","properties":{"value":{"description":"Any","anyOf":[{"type":["string","null"]},{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false},{"description":"Must have at most 1 item.","type":"array","items":{"type":"string"}}]}},"required":["value"],"additionalProperties":false}`,
			[]answer{{`{"value": {"a": null}}`, `{}`}, {`{"value": null}`, `null`}, {`{"value": ["x"]}`, `["x"]`}},
		},
		"a root that is a reference to an object": {
			`{"$ref": "#/$defs/r", "$defs": {"r": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			[]answer{{`{"a": "x"}`, `{"a":"x"}`}},
		},
		"what is not sent": {
			`{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/a", "title": "T", "type": "object", "default": {}, "examples": [{}], "$comment": "c", "x-order": 1, "properties": {"a": {"type": "string", "title": "A", "contentEncoding": "base64", "deprecated": true}}, "required": ["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			nil,
		},
		"a property that can only be left out": {
			`{"type": "object", "properties": {"a": {"type": "string"}, "b": false, "c": {"not": {}}, "dd": {"type": "string"}}, "required": ["a"], "propertyNames": {"maxLength": 1}}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, c.schema)
			p, reason := s.Portable()
			if p == nil {
				t.Fatal(reason)
			}
			if difference := cmp.Diff(c.form, value.JSON(p.Form())); difference != "" {
				t.Errorf("(-want +got)\n%s", difference)
			}
			for _, a := range c.answers {
				read, issues := p.Read(parse(t, a.sent))
				if got := value.JSON(read); got != a.read || len(issues) > 0 {
					t.Errorf("%s reads as %s, want %s, %v", a.sent, got, a.read, issues)
				}
				if matches, err := s.Matches(read); !matches || err != nil {
					t.Errorf("%s does not match the schema as written", a.read)
				}
			}
		})
	}
}

// Each reason of the page for which a schema is not portable.
func TestNotPortable(t *testing.T) {
	t.Parallel()
	of := func(schema string) string {
		return `{"type": "object", "properties": {"a": ` + schema + `}, "required": ["a"]}`
	}
	for _, c := range []struct{ schema, want string }{
		{`true`, "a value of any type"},
		{`{}`, "a value of any type"},
		{of(`{"description": "Anything"}`), "a value of any type at /properties/a"},
		{of(`{"maxLength": 3}`), "a value of any type at /properties/a"},
		{of(`{"type": "object"}`), "an object of any keys at /properties/a"},
		{of(`{"type": "object", "properties": {}}`), "an object of any keys at /properties/a"},
		{of(`{"type": "object", "additionalProperties": true}`), "an object of any keys at /properties/a"},
		{of(`{"type": "object", "additionalProperties": {}}`), "a value of any type at /properties/a/additionalProperties"},
		{of(`{"type": "array"}`), "a list of items of any type at /properties/a"},
		{of(`{"type": "array", "items": true}`), "a list of items of any type at /properties/a"},
		{of(`{"type": "array", "items": {}}`), "a value of any type at /properties/a/items"},
		{`{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "b"]}`, "required names b, which has no schema in properties,"},
		{`{"type": "object", "additionalProperties": {"type": "string"}, "required": ["b"]}`, "required names b, which has no schema in properties,"},
		{of(`{"allOf": [{"type": "string"}]}`), "allOf at /properties/a"},
		{of(`{"not": {}}`), "not at /properties/a"},
		{of(`{"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}}`), "prefixItems at /properties/a"},
		{`{"definitions": {}, "type": "array", "items": [{"type": "string"}]}`, "prefixItems"},
		{of(`{"anyOf": [{"type": "object", "properties": {"x": {"type": "string"}}}], "required": ["x"]}`), "a oneOf or anyOf beside other keywords than a description, bounds and a type at /properties/a"},
		{of(`{"anyOf": [{"type": "string"}], "oneOf": [{"type": "string"}]}`), "a oneOf or anyOf beside other keywords than a description, bounds and a type at /properties/a"},
		{of(`{"enum": ["x"], "oneOf": [{"type": "string"}]}`), "a oneOf or anyOf beside other keywords than a description, bounds and a type at /properties/a"},
		{of(`{"type": "string", "anyOf": [{"type": "string"}, {"type": "null"}]}`), "a choice of another type than stands beside the oneOf or anyOf at /properties/a/anyOf/1"},
		{`{"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "string"}}, "minProperties": 1}`, "minProperties or maxProperties beside optional properties that allow null"},
		{of(`{"enum": ["x", 1]}`), "an enum that mixes kinds of value at /properties/a"},
		{of(`{"type": ["string", "boolean"], "enum": ["x", true]}`), "an enum that mixes kinds of value at /properties/a"},
		{`{"$defs": {"d": {"type": "string"}}, "type": "object", "properties": {"a": {"$ref": "#/$defs/d", "type": "string"}}}`, "keywords beside a $ref other than a description and bounds at /properties/a"},
		{`{"$defs": {"d": {"type": "string"}}, "type": "object", "properties": {"a": {"$ref": "#/$defs/d", "enum": ["x"]}}}`, "keywords beside a $ref other than a description and bounds at /properties/a"},
		{`{"$defs": {"d": {"type": "object", "properties": {"next": {"$ref": "#/$defs/d"}}}}, "$ref": "#/$defs/d"}`, "a definition that refers to itself at /$defs/d"},
		{`{"$defs": {"d": {"type": "array", "items": {"$ref": "#/$defs/e"}}, "e": {"type": "array", "items": {"$ref": "#/$defs/d"}}}, "type": "array", "items": {"$ref": "#/$defs/d"}}`, "a definition that refers to itself at /$defs/d"},
		{of(`{"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"anyOf": [{"maxLength": 2}]}}`), "rules for the keys of a map that cannot be put into words at /properties/a/propertyNames"},
		{of(`{"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": false}`), "rules for the keys of a map that cannot be put into words at /properties/a/propertyNames"},
		{of(`{"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"enum": [1]}}`), "rules for the keys of a map that cannot be put into words at /properties/a/propertyNames"},
		{`{"$defs": {"d": {"type": "string"}}, "definitions": {"d": {"type": "string"}}, "type": "object", "properties": {"a": {"$ref": "#/$defs/d"}}}`, "definitions under both $defs and definitions"},
		// Bounds that contradict each other.
		{of(`{"type": "integer", "minimum": 5, "maximum": 3}`), cannotBeMade},
		{of(`{"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}`), cannotBeMade},
		{of(`{"type": "number", "minimum": 1, "maximum": 9, "multipleOf": 10}`), cannotBeMade},
		{of(`{"type": "string", "minLength": 5, "maxLength": 3}`), cannotBeMade},
		{of(`{"type": "array", "items": {"type": "boolean"}, "minItems": 3, "uniqueItems": true}`), cannotBeMade},
		{of(`{"type": "object", "properties": {"x": {"type": "string"}}, "minProperties": 2}`), cannotBeMade},
		{of(`{"oneOf": [{"type": "string"}, {"type": "string"}]}`), cannotBeMade},
		{of(`{"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"enum": ["x"]}, "minProperties": 2}`), cannotBeMade},
	} {
		p, reason := compiled(t, c.schema).Portable()
		if p != nil || reason != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.schema, reason, c.want)
		}
	}
}

// Each limit at its last value and one past it.
func TestPortableLimits(t *testing.T) {
	t.Parallel()
	object := func(n int, schema func(i int) string, required bool) string {
		names, fields := make([]string, n), make([]string, n)
		for i := range n {
			names[i], fields[i] = fmt.Sprintf(`"p%d"`, i), fmt.Sprintf(`"p%d": %s`, i, schema(i))
		}
		if !required {
			names = nil
		}
		return `{"type": "object", "properties": {` + strings.Join(fields, ", ") + `}, "required": [` + strings.Join(names, ", ") + `]}`
	}
	plainText := func(int) string { return `{"type": "string"}` }
	nest := func(levels int) string {
		schema := `{"type": "string"}`
		for range levels {
			schema = `{"type": "object", "properties": {"a": ` + schema + `}, "required": ["a"]}`
		}
		return schema
	}
	repeated := func(uses int) string { // a definition of 100 properties
		return `{"$defs": {"d": ` + object(100, plainText, true) + `}, "type": "object", "properties": {` + func() string {
			fields := make([]string, uses)
			for i := range fields {
				fields[i] = fmt.Sprintf(`"u%d": {"$ref": "#/$defs/d"}`, i)
			}
			return strings.Join(fields, ", ") + `}, "required": ["` + strings.Join(strings.Split(strings.TrimSuffix(func() string {
				all := ""
				for i := range uses {
					all += fmt.Sprintf("u%d ", i)
				}
				return all
			}(), " "), " "), `", "`) + `"]}`
		}()
	}
	enum := func(n int) string {
		return `{"type": "object", "properties": {"a": {"enum": [` + numbers(n-500) + `]}, "b": {"enum": [` + numbers(500) + `]}}, "required": ["a", "b"]}`
	}
	long := func(characters int) string { // "d" is used 100 times
		return `{"$defs": {"d": {"enum": ["` + strings.Repeat("é", characters/100-3) + `"]}}, ` +
			strings.TrimPrefix(object(100, func(int) string { return `{"$ref": "#/$defs/d"}` }, true), "{")
	}
	for name, c := range map[string]struct{ within, beyond, reason string }{
		"null":       {object(16, plainText, false), object(17, plainText, false), "more than 16 properties that may be null or are a choice of types"},
		"choices":    {object(16, func(int) string { return `{"type": ["string", "number"]}` }, true), object(17, func(int) string { return `{"type": ["string", "number"]}` }, true), "more than 16 properties that may be null or are a choice of types"},
		"levels":     {nest(10), nest(11), "more than 10 levels of objects"},
		"properties": {repeated(49), repeated(50), "more than 5,000 properties"},
		"enum":       {enum(1000), enum(1001), "more than 1,000 values of enum"},
		"characters": {long(120_000), long(120_200), "more than 120,000 characters of property names and values of enum"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if p, reason := compiled(t, c.within).Portable(); p == nil {
				t.Errorf("within: %s", reason)
			}
			if p, reason := compiled(t, c.beyond).Portable(); p != nil || reason != c.reason {
				t.Errorf("beyond: %q, want %q", reason, c.reason)
			}
		})
	}
}

func TestPortablePlacesOfIssues(t *testing.T) {
	t.Parallel()
	ages := `{"type": "object", "additionalProperties": {"type": "integer", "minimum": 18}}`
	for _, c := range []struct{ schema, sent, pointer, want string }{
		// The page's own example.
		{ages, `{"value": [{"key": "bob", "value": 20}, {"key": "alice", "value": 2}]}`, "/alice", "/value/1/value"},
		{ages, `{"value": [{"key": "a/b", "value": 2}]}`, "/a~1b", "/value/0/value"},
		{ages, `{"value": []}`, "", "/value"},
		{ages, `{"value": [], "more": 1}`, "", ""},
		{`{"type": "array", "items": ` + ages + `}`, `{"value": [[], [{"key": "x", "value": 1}]]}`, "/1/x", "/value/1/0/value"},
		{`{"type": "object", "properties": {"m": ` + ages + `, "o": {"type": "string"}}, "required": ["m"]}`, `{"m": [{"key": "x", "value": 1}], "o": null}`, "/m/x", "/m/0/value"},
		{`{"type": "object", "properties": {"m": ` + ages + `, "o": {"type": "string"}}, "required": ["m"]}`, `{"o": null}`, "/m", "/m"},
		{`{"type": "object", "properties": {"c": {"anyOf": [{"type": "string"}, ` + ages + `]}}, "required": ["c"]}`, `{"c": [{"key": "x", "value": 1}]}`, "/c/x", "/c/0/value"},
		{`{"type": "object", "$defs": {"m": ` + ages + `}, "properties": {"c": {"$ref": "#/$defs/m"}}, "required": ["c"]}`, `{"c": [{"key": "x", "value": 1}]}`, "/c/x", "/c/0/value"},
	} {
		p, reason := compiled(t, c.schema).Portable()
		if p == nil {
			t.Fatalf("%s: %s", c.schema, reason)
		}
		if got := p.Place(parse(t, c.sent), c.pointer); got != c.want {
			t.Errorf("%s of %s lies at %s, want %s", c.pointer, c.sent, got, c.want)
		}
	}
}

func TestPortableReadReportsWhatTheFormAloneRefuses(t *testing.T) {
	t.Parallel()
	p, reason := compiled(t, `{"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "integer"}}}, "required": ["m"]}`).Portable()
	if p == nil {
		t.Fatal(reason)
	}
	for sent, want := range map[string]string{
		`{"m": [{"key": "a", "value": 1}, {"key": "b", "value": 2}, {"key": "a", "value": 3}]}`: "/m/a: Listed twice at /m/2/value",
		`{"m": [{"key": "a"}]}`:           "/m: Expected a list of entries, each with a key and a value at /m",
		`{"m": [{"key": 1, "value": 2}]}`: "/m: Expected a list of entries, each with a key and a value at /m",
		`{"m": [5]}`:                      "/m: Expected a list of entries, each with a key and a value at /m",
	} {
		answer := parse(t, sent)
		_, issues := p.Read(answer)
		if len(issues) != 1 {
			t.Errorf("%s: %v", sent, issues)
			continue
		}
		if got := issues[0].Pointer + ": " + issues[0].Detail + " at " + p.Place(answer, issues[0].Pointer); got != want {
			t.Errorf("%s: %s, want %s", sent, got, want)
		}
	}
}

func TestOutputShapesArePortable(t *testing.T) {
	t.Parallel()
	for _, name := range OutputShapeNames() {
		shape, _ := NamedOutputShape(name)
		if p, reason := shape.Schema().Portable(); p == nil {
			t.Errorf("%s: %s", name, reason)
		}
	}
}

func TestHostilePortableForms(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"doubling objects":  `{"$defs": {` + chain(60, `{"type": "object", "properties": {"a": {"$ref": "#/$defs/d%d", "description": "x"}, "b": {"$ref": "#/$defs/d%d", "description": "y"}}, "required": ["a", "b"]}`, `{"type": "string"}`) + `}, "$ref": "#/$defs/d0"}`,
		"doubling choices":  `{"$defs": {` + chain(60, `{"anyOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"type": "string"}`) + `}, "$ref": "#/$defs/d0"}`,
		"shared types":      `{"$defs": {` + chain(60, `{"type": "string", "anyOf": [{"anyOf": [{"$ref": "#/$defs/d%d"}]}, {"anyOf": [{"$ref": "#/$defs/d%d"}]}]}`, `{"enum": ["a"]}`) + `}, "$ref": "#/$defs/d0"}`,
		"a long text":       `{"type": "string", "minLength": 1e9}`,
		"many items":        `{"type": "array", "items": {"type": "array", "items": {"type": "array", "items": {"type": "string"}, "minItems": 2000}, "minItems": 2000}, "minItems": 2000}`,
		"a far apart range": `{"type": "number", "minimum": 1e-300, "maximum": 1e300, "multipleOf": 1e-308}`,
		"many digits":       `{"type": "number", "minimum": 0.` + strings.Repeat("7", 5000) + `, "multipleOf": 0.` + strings.Repeat("3", 5000) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, schema)
			inTime(t, func() {
				p, reason := s.Portable()
				t.Log(p != nil, reason)
				if p == nil && reason == "" {
					t.Error("no form and no reason")
				}
			})
		})
	}
}

// A form outside the subset is never used, whatever plan made it.
func TestSubset(t *testing.T) {
	t.Parallel()
	const object = `"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false`
	for schema, want := range map[string]bool{
		`{` + object + `}`: true,
		`{` + object + `, "$defs": {"d": {"type": "string", "description": "x"}}}`:                                           true,
		`{` + object + `, "$defs": {"d": {"anyOf": [{"$ref": "#/$defs/e"}, {"type": "array", "items": {` + object + `}}]}}}`: true,
		`{"type": "string"}`:          false, // the root is an object
		`true`:                        false,
		`{` + object + `, "not": {}}`: false,
		`{` + object + `, "$defs": {"d": {"maxLength": 3}}}`:                                                            false,
		`{` + object + `, "$defs": {"d": {"enum": []}}}`:                                                                false,
		`{` + object + `, "$defs": {"d": {"anyOf": [true]}}}`:                                                           false,
		`{` + object + `, "$defs": {"d": {"items": true}}}`:                                                             false,
		`{` + object + `, "$defs": {"d": {"$ref": "#/$defs/e", "description": "x"}}}`:                                   false,
		`{` + object + `, "$defs": {"d": {"$defs": {}}}}`:                                                               false,
		`{"type": "object", "properties": {"a": {"type": "string"}}, "required": [], "additionalProperties": false}`:    false,
		`{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"], "additionalProperties": false}`: false,
		`{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}`:                                false,
		`{"type": "object", "properties": {"a": {"pattern": "x"}}, "required": ["a"], "additionalProperties": false}`:   false,
		`{"type": "object", "additionalProperties": false}`:                                                             false,
	} {
		if got := inSubset(parse(t, schema), true); got != want {
			t.Errorf("%s: %v", schema, got)
		}
	}
}

func BenchmarkPortable(b *testing.B) {
	s := compiled(b, benchSchema)
	p, reason := s.Portable()
	if p == nil {
		b.Fatal(reason)
	}
	sent := p.Write(parse(b, benchAnswer()))
	b.Run("make", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Portable()
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.Read(sent)
		}
	})
}
