package schema

// This file tests the fields of a schema, and what is typed for one.

import (
	"slices"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
)

const fieldsSchema = `{"type":"object","required":["verdict"],"properties":{
	"verdict":{"type":"string","enum":["approve","7"]},"note":{"type":"string"},"count":{"type":"integer"},"share":{"type":"number"},
	"sure":{"type":"boolean"},"maybe":{"type":["string","null"]},"either":{"type":["string","integer"]},"level":{"enum":[1,2,"three"]},
	"tags":{"type":"array","items":{"type":"string"}},"some":{"type":["array","string"],"items":{"type":"string"}},
	"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]},
	"by":{"type":"object","properties":{"0":{"type":"string"}},"additionalProperties":{"type":"string"}},
	"owner":{"$ref":"#/$defs/person"},"people":{"type":"array","items":{"$ref":"#/$defs/person"}},
	"way":{"anyOf":[{"$ref":"#/properties/way"},{"type":"object","properties":{"id":{"type":"string"}}},{"$ref":"#/$defs/person"}]},
	"a/b~":{"type":"string"},"any":{}},
	"$defs":{"person":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}}}}}`

func TestWhatIsTypedForAField(t *testing.T) {
	t.Parallel()
	written, err := value.ParseJSON([]byte(fieldsSchema), 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"verdict", "approve", `"approve"`},
		{"verdict", "7", `"7"`},
		{"verdict", `"7"`, `"7"`},
		{"verdict", "maybe", `"maybe"`}, // which the schema refuses
		{"note", "7", `"7"`},
		{"note", "014", `"014"`},
		{"note", "true", `"true"`},
		{"note", "null", `"null"`},
		{"note", "[1]", `"[1]"`},
		{"note", `"014"`, `"014"`},
		{"note", `"one" and "two"`, `"\"one\" and \"two\""`},
		{"note", "", `""`},
		{"count", "7", "7"},
		{"count", "seven", `"seven"`},
		{"share", "0.5", "0.5"},
		{"share", "7", "7"},
		{"sure", "true", "true"},
		{"sure", "yes", `"yes"`},
		{"maybe", "null", "null"},
		{"maybe", "7", `"7"`},
		{"either", "7", "7"},
		{"either", "7.5", `"7.5"`},
		{"level", "2", "2"},
		{"level", "three", `"three"`},
		{"tags", `["a","b"]`, `["a","b"]`},
		{"tags", "a", `"a"`},
		{"tags.0", "7", `"7"`},
		{"some", `["a"]`, `["a"]`},
		{"some", "7", `"7"`},
		{"pair.0", "7", `"7"`},
		{"pair.1", "7", "7"},
		{"by.0", "7", `"7"`},
		{"by.whom", "7", `"7"`},
		{"owner", `{"name":"7"}`, `{"name":"7"}`},
		{"owner.name", "7", `"7"`},
		{"owner.age", "7", "7"},
		{"people.0.name", "7", `"7"`},
		{"people.x.name", "7", "7"},
		{"way.id", "7", `"7"`},
		{"way.name", "7", `"7"`},
		{"way.none", "7", "7"},
		{"a/b~", "7", `"7"`},
		{"any", "7", "7"},
		{"any", "seven", `"seven"`},
		{"any.deep.er", "7", "7"},
		{"more", "7", "7"},
	} {
		if got := value.JSON(Typed(written, strings.Split(c[0], "."), c[1])); got != c[2] {
			t.Errorf("%s=%s is %s, want %s", c[0], c[1], got, c[2])
		}
	}
	if got := value.JSON(Typed(nil, []string{"id"}, "7")); got != "7" {
		t.Errorf("without a schema 7 is %s", got)
	}
	names := []string{}
	for _, field := range Fields(written) {
		names = append(names, field.Name)
	}
	if got := strings.Join(names, " "); !strings.HasPrefix(got, "verdict note count share") || !strings.Contains(got, "owner owner.name owner.age people people[].name") {
		t.Errorf("the fields are %s", got)
	}
	if fields := Fields(nil); len(fields) != 0 {
		t.Errorf("no schema has the fields %+v", fields)
	}
}

// TestTypedInPartsOfASchema reads a text as one where that is said elsewhere than in
// the field itself.
func TestTypedInPartsOfASchema(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{`{"$ref":"#/$defs/order","$defs":{"order":{"properties":{"id":{"type":"string"}}}}}`, "7", `"7"`},
		{`{"allOf":[{"properties":{"of":{"type":"number"}}},{"properties":{"id":{"type":"string"}}}]}`, "7", `"7"`},
		{`{"properties":{"id":{"allOf":[{"type":"string"},{"minLength":1}]}}}`, "7", `"7"`},
		{`{"properties":{"id":{"anyOf":[{"type":["string","null"]},{"type":"array"}]}}}`, "7", `"7"`},
		{`{"properties":{"id":{"anyOf":[{"type":["string","null"]},{"type":"array"}]}}}`, "null", "null"},
		{`{"properties":{"id":{"oneOf":[{"type":"string"},{"type":"integer"}]}}}`, "7", "7"},
	} {
		written, err := value.ParseJSON([]byte(c[0]), 100)
		if err != nil {
			t.Fatal(err)
		}
		if got := value.JSON(Typed(written, []string{"id"}, c[1])); got != c[2] {
			t.Errorf("%s reads %s as %s, want %s", c[0], c[1], got, c[2])
		}
	}
	written, _ := value.ParseJSON([]byte(`{"$ref":"#/$defs/order","$defs":{"order":{"properties":{"id":{"type":"string"}}}}}`), 100)
	if fields := Fields(written); len(fields) != 1 || fields[0].Name != "id" {
		t.Errorf("the fields behind a reference are %+v", fields)
	}
}

func TestWhereAListBegins(t *testing.T) {
	t.Parallel()
	written, err := value.ParseJSON([]byte(fieldsSchema), 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		schema     value.Value
		path, name string
		list       bool
	}{
		{written, "people", "0", true},
		{written, "people", "3", true}, // for the path to be refused
		{written, "people", "name", true},
		{written, "some", "0", true},
		{written, "owner", "0", false},
		{written, "by", "0", false},
		{written, "any", "0", true},
		{written, "any", "1", false},
		{written, "any", "2026", false},
		{written, "any", "name", false},
		{written, "more", "0", true},
		{nil, "more", "0", true},
		{nil, "more", "name", false},
	} {
		if got := IsList(c.schema, strings.Split(c.path, "."), c.name); got != c.list {
			t.Errorf("%s.%s is in a list: %v, want %v", c.path, c.name, got, c.list)
		}
	}
}

// TestFieldsOfAStrangersSchema are few and short, whatever the schema holds.
func TestFieldsOfAStrangersSchema(t *testing.T) {
	t.Parallel()
	object := func(pairs ...any) *value.Object {
		o := &value.Object{}
		for i := 0; i < len(pairs); i += 2 {
			o.Set(pairs[i].(string), pairs[i+1])
		}
		return o
	}
	long := strings.Repeat("p", longestField)
	written := object("properties", object(
		long, object("properties", object("q", object())),
		long+"p", object("properties", object("q", object())),
		"typed", object("type", strings.Repeat("T", longestType+1)),
		"listed", object("type", []value.Value{strings.Repeat("T", longestType), "null"})))
	var got []string
	for _, field := range Fields(written) {
		got = append(got, field.Name+" "+field.Type)
	}
	if want := []string{long + " any", "typed any", "listed any"}; !slices.Equal(got, want) {
		t.Errorf("%d fields: %.2000q", len(got), got)
	}
}
