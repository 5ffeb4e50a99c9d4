package schema

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/beonauto/auto/engine/value"
	"github.com/google/go-cmp/cmp"
)

// says lists issues as pointer: message.
func says(issues []Issue) []string {
	texts := []string{}
	for _, issue := range issues {
		texts = append(texts, issue.Pointer+": "+issue.Message)
	}
	return texts
}

func TestIssuesReadWell(t *testing.T) {
	t.Parallel()
	const payment = `{"oneOf": [
		{"type": "object", "properties": {"kind": {"const": "card"}, "number": {"type": "string"}}, "required": ["kind", "number"], "additionalProperties": false},
		{"type": "object", "properties": {"kind": {"const": "cash"}, "amount": {"type": "number"}}, "required": ["kind", "amount"], "additionalProperties": false}]}`
	for _, c := range []struct {
		schema, instance string
		want             []string
	}{
		{`{"type": "string"}`, `1`, []string{": Expected string"}},
		{`{"type": ["string", "null"]}`, `1`, []string{": Expected string or null"}},
		{`{"type": ["null", "integer", "boolean", "string"]}`, `[]`, []string{": Expected boolean, integer, string or null"}},
		{`{"type": "object", "properties": {"verdict": {"type": "string", "enum": ["approve", "revise"]}}, "required": ["verdict"]}`, `{}`, []string{"/verdict: Missing property"}},
		{`{"properties": {"verdict": {"type": "string", "enum": ["approve", "revise"]}}}`, `{"verdict": "yes"}`, []string{"/verdict: Expected one of approve, revise"}},
		{`{"properties": {"verdict": {"type": "string", "enum": ["approve", "revise"]}}}`, `{"verdict": 3}`, []string{"/verdict: Expected one of approve, revise"}},
		{`{"const": "yes"}`, `"no"`, []string{": Expected yes"}},
		{`{"enum": ["1", 1, "", null, "null", true, "a, b", " x", "two words"]}`, `"no"`, []string{`: Expected one of "1", 1, "", null, "null", true, "a, b", " x", two words`}},
		{`{"enum": [` + numbers(40) + `]}`, `40`, []string{": Expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21 others"}},
		{`{"maxLength": 64}`, `"` + strings.Repeat("a", 65) + `"`, []string{": Expected at most 64 characters"}},
		{`{"minLength": 1}`, `""`, []string{": Expected at least 1 character"}},
		{`{"maxLength": 2000}`, `"` + strings.Repeat("a", 2001) + `"`, []string{": Expected at most 2,000 characters"}},
		{`{"minItems": 2}`, `[]`, []string{": Expected at least 2 items"}},
		{`{"maxItems": 1}`, `[1, 2]`, []string{": Expected at most 1 item"}},
		{`{"prefixItems": [true], "items": false}`, `[1, 2, 3]`, []string{": Expected at most 1 item"}},
		{`{"uniqueItems": true}`, `["a", "b", "a", "b"]`, []string{"/2: Listed twice"}},
		{`{"minimum": 0.5, "exclusiveMaximum": 1e21, "multipleOf": 0.01}`, `-0.005`, []string{": Expected at least 0.5", ": Expected a multiple of 0.01"}},
		{`{"exclusiveMinimum": 0, "maximum": 10}`, `0`, []string{": Expected more than 0"}},
		{`{"exclusiveMaximum": 10}`, `10`, []string{": Expected less than 10"}},
		{`{"maximum": 9007199254740993}`, `9007199254740994`, []string{": Expected at most 9007199254740993"}},
		{`{"minProperties": 1}`, `{}`, []string{": Expected at least 1 property"}},
		{`{"maxProperties": 1}`, `{"a": 1, "b": 2}`, []string{": Expected at most 1 property"}},
		{`{"properties": {"verdict": {}, "note": {}}, "additionalProperties": false}`, `{"verdikt": 1, "a/b": 2, "m~n": 3}`, []string{
			"/verdikt: Unknown property; did you mean verdict?", "/a~1b: Unknown property", "/m~0n: Unknown property",
		}},
		{`{"properties": {"verdict": {}}, "additionalProperties": false}`, `{"verdict": 1, "verdicts": 2}`, []string{"/verdicts: Unknown property"}},
		{`{"properties": {"secret": false}}`, `{"secret": 1}`, []string{"/secret: Not allowed"}},
		{`{"properties": {"secret": {"not": {}}}}`, `{"secret": 1}`, []string{"/secret: Not allowed"}},
		{`{"propertyNames": {"maxLength": 2, "enum": ["en", "de"]}}`, `{"eng": 1}`, []string{
			"/eng: Property name: expected one of en, de", "/eng: Property name: expected at most 2 characters",
		}},
		{`{"propertyNames": false}`, `{"a": 1}`, []string{"/a: Unknown property"}},

		// What is missing comes first, then each property as the schema lists
		// them, then the properties nobody asked for.
		{`{"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}, "required": ["z", "a", "y"], "additionalProperties": false}`,
			`{"x": 1, "a": 1, "b": 2}`, []string{"/z: Missing property", "/y: Missing property", "/b: Expected string", "/a: Expected string", "/x: Unknown property"}},
		// One issue is said once, however many rules say it.
		{`{"allOf": [{"type": "string"}, {"type": "string"}, {"allOf": [{"type": "string"}]}]}`, `1`, []string{": Expected string"}},
		{`{"$defs": {"s": {"type": "string"}}, "$ref": "#/$defs/s", "allOf": [{"$ref": "#/$defs/s"}]}`, `1`, []string{": Expected string"}},

		// Choices.
		{`{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `1`, []string{": Expected string or null"}},
		{`{"anyOf": [{"enum": ["low", "high"]}, {"type": "null"}]}`, `1`, []string{": Expected one of low, high or null"}},
		{`{"anyOf": [{"const": "low"}, {"const": "high"}]}`, `1`, []string{": Expected one of low, high"}},
		{`{"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]}`, `"long"`, []string{": Expected at most 3 characters"}},
		{`{"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}`, `["a", 1]`, []string{"/1: Expected string"}},
		{payment, `{"kind": "card"}`, []string{"/number: Missing property"}},
		{payment, `{"kind": "cash", "amount": "5", "tip": 1}`, []string{"/amount: Expected number", "/tip: Unknown property"}},
		{payment, `{"kind": "cheque", "amount": 5}`, []string{"/kind: Expected one of card, cash"}},
		{payment, `{"number": "1"}`, []string{"/kind: Missing property"}},
		{payment, `[]`, []string{": Expected object"}},
		{`{"anyOf": [{"required": ["email"]}, {"required": ["phone"]}, {"required": ["post code"]}]}`, `{}`, []string{": Expected one of the properties email, phone or post code"}},
		{`{"anyOf": [{"minLength": 5}, {"maxLength": 1}]}`, `"abc"`, []string{": Expected to match one of 2 choices"}},
		{`{"oneOf": [{"minLength": 2}, {"maxLength": 4}, {"type": "null"}]}`, `"abc"`, []string{": Expected to match only one of 3 choices"}},
		{`{"items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}`, `[1, null, "a", null]`, []string{"/1: Expected integer or string", "/3: Expected integer or string"}},
	} {
		issues, err := compiled(t, c.schema).Validate(parse(t, c.instance))
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
		}
		if difference := cmp.Diff(c.want, says(issues)); difference != "" {
			t.Errorf("%s of %.100s (-want +got)\n%s", c.instance, c.schema, difference)
		}
	}
}

func TestIssuesComeInOneOrder(t *testing.T) {
	t.Parallel()
	var names, fields []string
	for i := range 60 {
		names = append(names, fmt.Sprintf(`"p%d": {"type": "string"}`, i))
		fields = append(fields, fmt.Sprintf(`"p%d": %d, "q%d": 0`, i, i, i))
	}
	s := compiled(t, `{"properties": {`+strings.Join(names, ", ")+`}, "additionalProperties": false}`)
	slices.Reverse(fields)
	instance := parse(t, "{"+strings.Join(fields, ", ")+"}")
	first, err := s.Validate(instance)
	if err != nil || len(first) != 120 {
		t.Fatalf("%d issues, %v", len(first), err)
	}
	for range 20 {
		if again, _ := s.Validate(instance); !slices.Equal(says(again), says(first)) {
			t.Fatalf("another order: %v", again)
		}
	}
}

func TestValidateFieldsLetsRequiredFieldsBeMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema, fields string
		want           []string
	}{
		{`{"type": "object", "properties": {"brief": {"type": "string"}, "tone": {"enum": ["dry", "warm"]}}, "required": ["brief", "tone"]}`, `{"tone": "dry"}`, nil},
		{`{"type": "object", "properties": {"brief": {"type": "string"}, "tone": {"enum": ["dry", "warm"]}}, "required": ["brief", "tone"]}`, `{"tone": "loud"}`, []string{"/tone: Expected one of dry, warm"}},
		{`{"type": "object", "required": ["brief"], "minProperties": 2, "maxProperties": 2}`, `{}`, nil},
		{`{"type": "object", "maxProperties": 1}`, `{"a": 1, "b": 2}`, []string{": Expected at most 1 property"}},
		{`{"type": "object", "properties": {"a": {}}, "additionalProperties": false, "required": ["a"]}`, `{"b": 1}`, []string{"/b: Unknown property; did you mean a?"}},
		{`{"type": "object", "$defs": {"in": {"required": ["a"], "properties": {"a": {"type": "string"}}}}, "$ref": "#/$defs/in", "allOf": [{"required": ["b"]}]}`, `{"c": 1}`, nil},
		{`{"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}`, `{}`, nil},
		{`{"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}`, `{}`, nil},
		{`{"type": "object", "oneOf": [{"properties": {"kind": {"const": 1}}, "required": ["kind"]}, {"properties": {"kind": {"const": 2}}, "required": ["kind"]}]}`, `{"kind": 3}`, []string{"/kind: Expected one of 1, 2"}},
		// Inside a field everything counts.
		{`{"type": "object", "properties": {"who": {"type": "object", "required": ["name"]}}}`, `{"who": {}}`, []string{"/who/name: Missing property"}},
	} {
		issues, err := compiled(t, c.schema).ValidateFields(parse(t, c.fields).(*value.Object))
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
		}
		if got := says(issues); !slices.Equal(got, c.want) && !(len(got) == 1 && len(c.want) == 1 && strings.HasPrefix(c.want[0], got[0])) {
			t.Errorf("%s of %s: %v, want %v", c.fields, c.schema, got, c.want)
		}
	}
}

func TestMatchesSaysWhatValidateSays(t *testing.T) {
	t.Parallel()
	for _, c := range corpus(t) {
		s, _ := FromValue(parse(t, string(c.Schema)))
		if s == nil {
			continue
		}
		if matches, err := s.Matches(parse(t, string(c.Instance))); err != nil || matches != c.expected.Valid {
			t.Errorf("%s: %v, %v", c.Name, matches, err)
		}
	}
}

func TestOneSchemaServesManyAtOnce(t *testing.T) {
	t.Parallel()
	s := compiled(t, `{"$defs": {"n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}, "tags": {"uniqueItems": true, "items": {"enum": [`+numbers(20)+`]}}}}}, "$ref": "#/$defs/n"}`)
	instance := parse(t, `{"tags": [1, 2, 2], "next": {"tags": [30]}}`)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				issues, err := s.Validate(instance)
				if err != nil || len(issues) != 2 {
					t.Errorf("%v %v", issues, err)
				}
				s.Shape().Property("next")
				Warnings(s)
			}
		})
	}
	group.Wait()
}

func TestValueKeepsTheOrderOfKeys(t *testing.T) {
	t.Parallel()
	const written = `{"type":"object","required":["z"],"properties":{"z":{"type":"string"},"a":{"maximum":9007199254740993}},"description":"d"}`
	if got := value.JSON(compiled(t, written).Value()); got != written {
		t.Errorf("got %s", got)
	}
}

func TestKeywordsDescribeTheTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range Keywords() {
		if seen[k.Name] {
			t.Errorf("%s stands twice in the table", k.Name)
		}
		seen[k.Name] = true
		if k.Refused != "" && k.Checked {
			t.Errorf("%s is refused and checked", k.Name)
		}
	}
	// Every keyword that the page refuses by name is refused by the table.
	for _, name := range strings.Fields(`pattern patternProperties if then else contains minContains maxContains dependentRequired dependentSchemas
		dependencies unevaluatedItems unevaluatedProperties additionalItems $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor`) {
		i := slices.IndexFunc(keywords, func(k keyword) bool { return k.name == name })
		if i < 0 || keywords[i].duty != refused || keywords[i].reason == "" {
			t.Errorf("%s is not refused with a reason", name)
		}
	}
}

// The bounds of the page, each at its last value and one past it.
func TestSizeBounds(t *testing.T) {
	t.Parallel()
	describe := func(n int) string {
		return `{"description":"` + strings.Repeat("é", n/2) + strings.Repeat("x", n%2) + `"}`
	}
	base := len(describe(0))
	nest := func(levels int) string {
		return strings.Repeat(`{"items":`, levels-1) + "{}" + strings.Repeat("}", levels-1)
	}
	for _, c := range []struct {
		name, within, beyond string
	}{
		{"bytes", describe(MaxBytes - base), describe(MaxBytes - base + 1)},
		{"levels", nest(64), nest(65)},
		{"levels of a default", `{"default":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`, `{"default":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`},
		{"values", `{"enum":[` + numbers(1000) + `]}`, `{"enum":[` + numbers(1001) + `]}`},
	} {
		if s, problems := FromValue(parse(t, c.within)); s == nil {
			t.Errorf("%s: %v", c.name, problems)
		}
		if s, problems := FromValue(parse(t, c.beyond)); s != nil || len(problems) != 1 || problems[0].Rule != "schema-size" {
			t.Errorf("%s: %v", c.name, problems)
		}
	}
}
