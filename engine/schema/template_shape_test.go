package schema

import (
	"strings"
	"testing"
)

// follow reads a path such as a.b.[] through a shape: what is known of its
// end is "known", "anything" or "absent".
func follow(shape Shape, path string) string {
	for _, part := range strings.Split(path, ".") {
		if shape == nil {
			return "anything"
		}
		if part == "[]" {
			shape = shape.Items()
			continue
		}
		next, ok := shape.Property(part)
		if !ok {
			return "absent"
		}
		shape = next
	}
	if shape == nil {
		return "anything"
	}
	return "known"
}

func TestShapeKnowsWhatIsAbsent(t *testing.T) {
	t.Parallel()
	const closed = `"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false`
	const other = `"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": false`
	for _, c := range []struct{ schema, path, want string }{
		{`{` + closed + `}`, "a", "known"},
		{`{` + closed + `}`, "b", "absent"},
		{`{` + closed + `}`, "a.b", "anything"},
		{`{"type": "object", "properties": {"a": {}}}`, "b", "anything"},
		{`{"type": "object", "properties": {"a": {}}, "additionalProperties": true}`, "b", "known"},
		{`{"type": "object", "additionalProperties": false}`, "b", "anything"}, // properties is not listed
		{`{"additionalProperties": {` + closed + `}}`, "any.a", "known"},
		{`{"additionalProperties": {` + closed + `}}`, "any.b", "absent"},
		{`true`, "a.b.c", "anything"},
		{`{"items": {` + closed + `}}`, "[].a", "known"},
		{`{"items": {` + closed + `}}`, "[].b", "absent"},
		{`{"prefixItems": [{` + closed + `}], "items": {` + other + `}}`, "[].a", "known"},
		{`{"prefixItems": [{` + closed + `}], "items": {` + other + `}}`, "[].c", "absent"},
		{`{"prefixItems": [{` + closed + `}], "items": false}`, "[].b", "absent"},
		{`{"prefixItems": [{` + closed + `}]}`, "[].b", "anything"},
		{`{"properties": {"list": {"type": "array", "items": {"$ref": "#/$defs/x"}}}, "$defs": {"x": {` + closed + `}}}`, "list.[].b", "absent"},
		{`{"$ref": "#/$defs/x", "$defs": {"x": {` + closed + `}}}`, "a", "known"},
		{`{"$ref": "#/$defs/x", "$defs": {"x": {` + closed + `}}}`, "b", "absent"},
		{`{"definitions": {"x": {` + closed + `}}, "properties": {"y": {"$ref": "#/definitions/x"}}}`, "y.b", "absent"},
		{`{"$defs": {"t": {"properties": {"next": {"$ref": "#/$defs/t"}}, "additionalProperties": false}}, "$ref": "#/$defs/t"}`, "next.next.next", "known"},
		{`{"$defs": {"t": {"properties": {"next": {"$ref": "#/$defs/t"}}, "additionalProperties": false}}, "$ref": "#/$defs/t"}`, "next.next.last", "absent"},
		// All parts of allOf hold, so one that is closed decides.
		{`{"allOf": [{` + closed + `}, {"properties": {"b": {}}}]}`, "b", "absent"},
		{`{"allOf": [{"properties": {"a": {` + closed + `}}}, {"properties": {"a": {"type": "object"}}}]}`, "a.b", "absent"},
		// A choice is unknown unless all of them agree.
		{`{"anyOf": [{` + closed + `}, {` + other + `}]}`, "a", "known"},
		{`{"anyOf": [{` + closed + `}, {` + other + `}]}`, "c", "absent"},
		{`{"anyOf": [{` + closed + `}, {"type": "object"}]}`, "c", "anything"},
		{`{"oneOf": [{` + closed + `}, {"type": "null"}]}`, "b", "absent"},
		{`{"anyOf": [{"const": null}, {` + closed + `}]}`, "b", "absent"},
		{`{"anyOf": [{` + closed + `}, {"type": "array"}]}`, "size", "anything"},
		{`{"anyOf": [{` + closed + `}, {"type": "string"}]}`, "first", "absent"},
		{`{"anyOf": [{"type": "string"}, {"type": "null"}]}`, "b", "anything"},
		{`{"anyOf": [{"items": {` + closed + `}}, {"type": "null"}]}`, "[].b", "absent"},
		{`{"properties": {"p": {"anyOf": [{"type": "object", "properties": {"q": {` + closed + `}}, "additionalProperties": false}, {"type": "null"}]}}}`, "p.q.b", "absent"},
	} {
		if got := follow(compiled(t, c.schema).Shape(), c.path); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.path, c.schema, got, c.want)
		}
	}
}

func TestShapeOfNothingIsNil(t *testing.T) {
	t.Parallel()
	var none *Schema
	if none.Shape() != nil {
		t.Error("a missing schema has a shape that is not nil")
	}
	shape, ok := compiled(t, `{}`).Shape().Property("a")
	if shape != nil || !ok {
		t.Errorf("%v, %v", shape, ok)
	}
	if items := compiled(t, `{}`).Shape().Items(); items != nil {
		t.Errorf("%v", items)
	}
}

func TestShapeNamesItsProperties(t *testing.T) {
	t.Parallel()
	s := compiled(t, `{"$defs": {"d": {"properties": {"c": {}}}}, "properties": {"a": {}, "b": {}}, "allOf": [{"$ref": "#/$defs/d"}]}`)
	lister, ok := s.Shape().(interface{ PropertyNames() []string })
	if !ok {
		t.Fatal("the shape lists no names")
	}
	if names := strings.Join(lister.PropertyNames(), " "); names != "a b c" {
		t.Errorf("names %s", names)
	}
}
