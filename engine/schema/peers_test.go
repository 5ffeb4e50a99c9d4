package schema

// The two peers: santhosh-tekuri/jsonschema for draft 2020-12 and
// xeipuuv/gojsonschema for draft-07. They are compared on the corpus, where the
// expected lines decide, and in the benchmarks.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/xeipuuv/gojsonschema"
)

// plain reads JSON as encoding/json does, with numbers as they were written.
func plain(t testing.TB, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// santhosh compiles a schema with the peer, as the draft that ours chose.
func santhosh(schema any, d draft) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if d == draft07 {
		c.DefaultDraft(jsonschema.Draft7)
	}
	if object, ok := schema.(map[string]any); ok {
		bare := map[string]any{}
		for key, v := range object {
			if key != "$schema" && key != "$id" { // the draft is chosen, and nothing is fetched
				bare[key] = v
			}
		}
		schema = bare
	}
	if err := c.AddResource("schema.json", schema); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

// xeipuu checks with the peer; it may panic, which counts as an error.
func xeipuu(schema, instance json.RawMessage) (valid bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewBytesLoader(instance))
	if err != nil {
		return false, err
	}
	return result.Valid(), nil
}

func TestPeersOnTheCorpus(t *testing.T) {
	t.Parallel()
	var cases, ours, theirs int
	var cases07, ours07, theirs07 int
	for _, c := range corpus(t) {
		s, problems := FromValue(parse(t, string(c.Schema)))
		if c.expected.Refused != "" {
			continue
		}
		if s == nil {
			t.Errorf("%s: %v", c.Name, problems)
			continue
		}
		matches, err := s.Matches(parse(t, string(c.Instance)))
		right := err == nil && matches == c.expected.Valid
		if !right {
			t.Errorf("%s: %v, want %v, %v", c.Name, matches, c.expected.Valid, err)
		}
		cases++
		ours += one(right)
		peer, err := santhosh(plain(t, c.Schema), s.draft)
		theirs += one(err == nil && (peer.Validate(plain(t, c.Instance)) == nil) == c.expected.Valid)
		if s.draft == draft07 {
			cases07++
			ours07 += one(right)
			valid, err := xeipuu(c.Schema, c.Instance)
			theirs07 += one(err == nil && valid == c.expected.Valid)
		}
	}
	t.Logf("all drafts: ours %d of %d, santhosh-tekuri/jsonschema %d", ours, cases, theirs)
	t.Logf("draft-07: ours %d of %d, xeipuuv/gojsonschema %d", ours07, cases07, theirs07)
	if ours != cases || ours07 != cases07 {
		t.Error("some case of the corpus is wrong")
	}
}

func one(right bool) int {
	if right {
		return 1
	}
	return 0
}

// benchSchema is an answer's schema as people write them, in the words that
// both drafts share.
const benchSchema = `{
	"$schema": "http://json-schema.org/draft-07/schema#",
	"type": "object",
	"properties": {
		"verdict": {"type": "string", "enum": ["approve", "revise", "reject"]},
		"score": {"type": "integer", "minimum": 1, "maximum": 10},
		"summary": {"type": "string", "minLength": 1, "maxLength": 2000},
		"findings": {"type": "array", "maxItems": 50, "items": {"$ref": "#/definitions/finding"}},
		"totals": {"type": "object", "additionalProperties": {"type": "number", "multipleOf": 0.01}},
		"owner": {"anyOf": [{"type": "string"}, {"type": "null"}, {"$ref": "#/definitions/person"}]}
	},
	"required": ["verdict", "score", "summary", "findings"],
	"additionalProperties": false,
	"definitions": {
		"finding": {
			"type": "object",
			"properties": {
				"severity": {"type": "string", "enum": ["low", "medium", "high"]},
				"text": {"type": "string", "minLength": 1},
				"lines": {"type": "array", "items": {"type": "integer", "minimum": 1}, "uniqueItems": true}
			},
			"required": ["severity", "text"],
			"additionalProperties": false
		},
		"person": {"type": "object", "properties": {"name": {"type": "string"}, "email": {"type": "string"}}, "required": ["name"]}
	}
}`

func benchAnswer() string {
	finding := `{"severity": "medium", "text": "The brief names no audience.", "lines": [3, 4, 5, 17]}`
	return `{"verdict": "revise", "score": 6, "summary": "Evidence is missing.", "findings": [` +
		strings.TrimSuffix(strings.Repeat(finding+", ", 20), ", ") +
		`], "totals": {"media": 12000.5, "print": 19.99}, "owner": {"name": "Ada"}}`
}

func BenchmarkCompile(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		v := parse(b, benchSchema)
		for b.Loop() {
			if s, _ := FromValue(v); s == nil {
				b.Fatal("refused")
			}
		}
	})
	b.Run("santhosh-tekuri", func(b *testing.B) {
		b.ReportAllocs()
		v := plain(b, []byte(benchSchema))
		for b.Loop() {
			if _, err := santhosh(v, draft07); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("xeipuuv", func(b *testing.B) {
		b.ReportAllocs()
		var v any
		if err := json.Unmarshal([]byte(benchSchema), &v); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := gojsonschema.NewSchema(gojsonschema.NewGoLoader(v)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkValidate(b *testing.B) {
	for name, answer := range map[string]string{
		"right": benchAnswer(),
		"wrong": strings.Replace(benchAnswer(), `"medium"`, `"huge"`, 3),
	} {
		valid := name == "right"
		b.Run(name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			s, v := compiled(b, benchSchema), parse(b, answer)
			for b.Loop() {
				if issues, err := s.Validate(v); err != nil || (len(issues) == 0) != valid {
					b.Fatal(issues, err)
				}
			}
		})
		b.Run(name+"/santhosh-tekuri", func(b *testing.B) {
			b.ReportAllocs()
			s, err := santhosh(plain(b, []byte(benchSchema)), draft07)
			if err != nil {
				b.Fatal(err)
			}
			v := plain(b, []byte(answer))
			for b.Loop() {
				if (s.Validate(v) == nil) != valid {
					b.Fatal("wrong verdict")
				}
			}
		})
		b.Run(name+"/xeipuuv", func(b *testing.B) {
			b.ReportAllocs()
			s, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(benchSchema))
			if err != nil {
				b.Fatal(err)
			}
			var v any
			if err := json.Unmarshal([]byte(answer), &v); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				result, err := s.Validate(gojsonschema.NewGoLoader(v))
				if err != nil || result.Valid() != valid {
					b.Fatal("wrong verdict", err)
				}
			}
		})
	}
}

// A schema that both take must give one verdict on any value; the fuzzer looks
// for the values and the schemas on which it does not.
func FuzzSchema(f *testing.F) {
	for _, c := range corpus(f) {
		f.Add(string(c.Schema), string(c.Instance))
	}
	f.Add(`{"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}`, `1`)
	f.Add(`{"$defs": {`+chain(20, `{"allOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"type": "string"}`)+`}, "$ref": "#/$defs/d0"}`, `"a"`)
	f.Add(`{"maximum": 1e1000001}`, `1e-1000001`)
	f.Fuzz(func(t *testing.T, schemaText, instanceText string) {
		if len(schemaText) > 1<<15 || len(instanceText) > 1<<15 {
			return
		}
		schema, err := value.ParseJSON([]byte(schemaText), 500)
		if err != nil {
			return
		}
		instance, err := value.ParseJSON([]byte(instanceText), 500)
		if err != nil {
			return
		}
		s, problems := FromValue(schema)
		if (s == nil) != (len(problems) > 0) {
			t.Fatalf("a schema %v with problems %v", s != nil, problems)
		}
		if s == nil {
			return
		}
		Warnings(s)
		s.Shape().Property("a")
		s.Shape().Items()
		if p, reason := s.Portable(); p != nil {
			read, _ := p.Read(instance)
			p.Read(p.Write(read))
			p.Place(instance, "/a/0/b")
		} else if reason == "" {
			t.Error("no portable form and no reason")
		}
		issues, err := s.Validate(instance)
		if err != nil {
			return
		}
		seen := map[said]bool{}
		for _, issue := range issues {
			key := said{issue.Pointer, issue.Message}
			if seen[key] || issue.Message == "" {
				t.Errorf("issue %+v is empty or comes twice", key)
			}
			seen[key] = true
			if _, err := value.Tokens(issue.Pointer); err != nil {
				t.Errorf("%q is no pointer", issue.Pointer)
			}
		}
		if object, ok := instance.(*value.Object); ok {
			fields, err := s.ValidateFields(object)
			if err == nil && len(issues) == 0 && len(fields) > 0 {
				t.Errorf("fields are refused that the schema takes: %v", fields)
			}
		}
		quick := work{left: 20_000} // the peer has no such bound
		quick.check(s.root, instance, nil, false)
		if quick.over || peerDiffers(schemaText+instanceText, s.draft) {
			return
		}
		peer, err := santhosh(plain(t, []byte(value.JSON(schema))), s.draft)
		if err != nil {
			return
		}
		if theirs := peer.Validate(plain(t, []byte(value.JSON(instance)))) == nil; theirs != (len(issues) == 0) {
			t.Errorf("ours: %v, the peer: valid %v", says(issues), theirs)
		}
	})
}

// exponent is a number in exponent form: the peer works for minutes on some,
// and reads the very large ones wrongly as counts.
var exponent = regexp.MustCompile(`[0-9][eE][+-]?[0-9]`)

// peerDiffers tells what is not compared with the peer: numbers in exponent
// form, and formats in draft-07, which it asserts.
func peerDiffers(text string, d draft) bool {
	return exponent.MatchString(text) || d == draft07 && strings.Contains(text, "format")
}
