package schema

// This file sends answers by the portable form of schemas made at random, and back.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
)

// An answer that the schema accepts, written in the portable form, matches the
// form and reads back to an answer the schema accepts, with every issue's place
// found in what was written.
func TestPortableRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	portable, answers := 0, 0
	for range 2_000 {
		g := &schemaMaker{random: random}
		text := g.document()
		schema, problems := FromValue(parse(t, text))
		if schema == nil {
			t.Fatalf("%s: %v", text, problems)
		}
		p, _ := schema.Portable()
		if p == nil {
			continue
		}
		portable++
		form := compiled(t, value.JSON(p.Form()))
		for variant := range 8 {
			sampler := &sampler{full: variant%2 == 0, left: maxSamples, work: work{left: maxSteps}}
			answer, made := sampler.make(p.root, nil, variant)
			if !made {
				continue
			}
			answers++
			roundTrip(t, schema, form, p, answer)
		}
		// Any answer at all is read without a panic, and to the same each time.
		wild := g.instance(4)
		first, _ := p.Read(wild)
		second, _ := p.Read(wild)
		if !value.Equal(first, second) {
			t.Errorf("%s reads differently the second time", value.JSON(wild))
		}
		p.Place(wild, "/a/0/b")
	}
	t.Logf("%d portable schemas, %d answers", portable, answers)
	if portable < 1_000 || answers < 4_000 {
		t.Errorf("only %d portable schemas and %d answers", portable, answers)
	}
}

func roundTrip(t *testing.T, schema, form *Schema, p *Portable, answer value.Value) {
	t.Helper()
	sent := p.Write(answer)
	if issues, err := form.Validate(sent); err != nil || len(issues) > 0 {
		t.Errorf("%s of %s does not match its form: %v %v", value.JSON(sent), value.JSON(schema.Value()), says(issues), err)
		return
	}
	read, issues := p.Read(sent)
	if len(issues) > 0 {
		t.Errorf("%s does not read: %v", value.JSON(sent), issues)
	}
	if issues, err := schema.Validate(read); err != nil || len(issues) > 0 {
		t.Errorf("%s reads from %s, which %s refuses: %v %v", value.JSON(read), value.JSON(sent), value.JSON(schema.Value()), says(issues), err)
	}
	everywhere(read, "", func(pointer string, v value.Value) {
		placed := p.Place(sent, pointer)
		there, ok := value.Lookup(sent, placed)
		if !ok {
			t.Errorf("%s of %s lies at %s, where %s has nothing", pointer, value.JSON(read), placed, value.JSON(sent))
		} else if typeOf(v)&(typeArray|typeObject) == 0 && !value.Equal(v, there) {
			t.Errorf("%s of %s lies at %s of %s", pointer, value.JSON(read), placed, value.JSON(sent))
		}
	})
}

// everywhere calls do with each place of a value.
func everywhere(v value.Value, pointer string, do func(string, value.Value)) {
	do(pointer, v)
	switch v := v.(type) {
	case []value.Value:
		for i, item := range v {
			everywhere(item, value.JoinIndex(pointer, i), do)
		}
	case *value.Object:
		for i := range v.Len() {
			key, item := v.At(i)
			everywhere(item, value.Join(pointer, key), do)
		}
	}
}

// schemaMaker makes random schemas that keep the format's rules, most of them
// of the kind that has a portable form.
type schemaMaker struct {
	random *rand.Rand
	names  []string // of the definitions that may be referred to
}

func (g *schemaMaker) one(of ...string) string { return of[g.random.IntN(len(of))] }

func (g *schemaMaker) often(in int) bool { return g.random.IntN(in) == 0 }

func (g *schemaMaker) document() string {
	definitions := make([]string, 0, 3)
	for i := range g.random.IntN(4) {
		name := fmt.Sprintf("d%d", i)
		definitions = append(definitions, fmt.Sprintf(`"%s": %s`, name, g.schema(2)))
		g.names = append(g.names, name) // a definition refers only to earlier ones
	}
	root := g.schema(3)
	if len(definitions) == 0 || !strings.HasPrefix(root, "{") {
		return root
	}
	separator := ", "
	if root == "{}" {
		separator = ""
	}
	return `{"$defs": {` + strings.Join(definitions, ", ") + `}` + separator + root[1:]
}

func (g *schemaMaker) schema(depth int) string {
	kinds := []string{"text", "text", "number", "boolean", "enum", "types"}
	if depth > 0 {
		kinds = append(kinds, "object", "object", "object", "list", "map", "choice", "both")
	}
	if len(g.names) > 0 {
		kinds = append(kinds, "reference", "reference")
	}
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if g.often(5) {
		add(`"description": "%s"`, g.one("A word", "How many?", "x."))
	}
	switch g.one(kinds...) {
	case "text":
		add(`"type": "string"`)
		g.textBounds(add)
	case "number":
		add(`"type": "%s"`, g.one("number", "integer"))
		g.numberBounds(add)
	case "boolean":
		add(`"type": "boolean"`)
	case "enum":
		add(`"%s`, g.one(`enum": ["x", "y", "z"]`, `enum": [1, 2.5]`, `const": "only"`, `enum": ["x", null]`, `const": 5`, `enum": [null]`, `enum": [true]`))
	case "types":
		add(`"type": [%s]`, g.one(`"string", "null"`, `"number", "string"`, `"boolean", "integer", "null"`))
	case "object":
		g.object(depth, add)
	case "list":
		add(`"type": "array", "items": %s`, g.schema(depth-1))
		g.listBounds(add)
	case "map":
		add(`"type": "object", "additionalProperties": %s`, g.schema(depth-1))
		if g.often(3) {
			add(`"propertyNames": %s`, g.one(`{"enum": ["en", "de", "fr"]}`, `{"maxLength": 3}`, `{"type": "string"}`))
		}
		if g.often(4) {
			add(`"minProperties": %d`, g.random.IntN(3))
		}
	case "choice":
		choices := make([]string, 1+g.random.IntN(3))
		for i := range choices {
			choices[i] = g.schema(depth - 1)
		}
		add(`"%s": [%s]`, g.one("anyOf", "anyOf", "oneOf"), strings.Join(choices, ", "))
	case "both":
		add(`"type": ["object", "array", "null"], "items": %s`, g.schema(depth-1))
		add(`"properties": {"x": %s}`, g.schema(depth-1))
	case "reference":
		add(`"$ref": "#/$defs/%s"`, g.one(g.names...))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (g *schemaMaker) textBounds(add func(string, ...any)) {
	if g.often(3) {
		add(`"minLength": %d`, g.random.IntN(4))
	}
	if g.often(3) {
		add(`"maxLength": %d`, 2+g.random.IntN(4))
	}
	if g.often(6) {
		add(`"format": "date"`)
	}
}

func (g *schemaMaker) numberBounds(add func(string, ...any)) {
	if g.often(3) {
		add(`"%s": %s`, g.one("minimum", "exclusiveMinimum"), g.one("0", "-1.5", "3", "1e21"))
	}
	if g.often(3) {
		add(`"%s": %s`, g.one("maximum", "exclusiveMaximum"), g.one("10", "4.5", "1e22", "9007199254740993"))
	}
	if g.often(3) {
		add(`"multipleOf": %s`, g.one("1", "0.01", "2.5", "3", "1e-8"))
	}
}

func (g *schemaMaker) listBounds(add func(string, ...any)) {
	if g.often(3) {
		add(`"minItems": %d`, g.random.IntN(3))
	}
	if g.often(3) {
		add(`"maxItems": %d`, 1+g.random.IntN(3))
	}
	if g.often(3) {
		add(`"uniqueItems": true`)
	}
}

func (g *schemaMaker) object(depth int, add func(string, ...any)) {
	var fields, required []string
	for i := range 1 + g.random.IntN(4) {
		name := fmt.Sprintf("%s%d", g.one("a", "b/", "c~"), i)
		fields = append(fields, fmt.Sprintf(`"%s": %s`, name, g.schema(depth-1)))
		if !g.often(3) {
			required = append(required, `"`+name+`"`)
		}
	}
	add(`"type": "object", "properties": {%s}, "required": [%s]`, strings.Join(fields, ", "), strings.Join(required, ", "))
	if g.often(2) {
		add(`"additionalProperties": %s`, g.one("false", "true"))
	}
	if g.often(6) {
		add(`"minProperties": %d`, 1+g.random.IntN(2))
	}
}

// instance makes any value.
func (g *schemaMaker) instance(depth int) value.Value {
	switch n := g.random.IntN(8); {
	case n == 0:
		return nil
	case n == 1:
		return g.often(2)
	case n == 2:
		return float64(g.random.IntN(10)) / 2
	case n < 5 || depth == 0:
		return g.one("x", "only", "en", "long text")
	case n == 5:
		list := make([]value.Value, g.random.IntN(3))
		for i := range list {
			list[i] = g.instance(depth - 1)
		}
		return list
	}
	object := value.NewObject(3)
	for range g.random.IntN(4) {
		object.Set(g.one("a0", "b/1", "key", "value", "x", "c~2"), g.instance(depth-1))
	}
	return object
}
