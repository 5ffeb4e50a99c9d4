package openapi

import (
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file makes JSON Schemas of a document's schemas: references lead to $defs
// of the tool's own schema, and what version 3.0 writes in its own way is
// written as JSON Schema does.

// schemas are the schemas of a document that references lead to, each converted
// once: tools share them.
type schemas struct {
	document *Document
	names    map[string]string // reference: name under $defs
	taken    map[string]bool
	made     map[string]*definition // by name
	left     int                    // of mostDefinitions
}

// mostDefinitions is how many schemas the $defs of all tools may hold together:
// they are shared, but each tool lists all it needs.
const mostDefinitions = 500_000

// definition is a schema under $defs, and the names of those it refers to. It is
// converted when a tool first needs it.
type definition struct {
	from      value.Value
	converted bool
	schema    value.Value
	refers    []string
	unread    []string
}

func newSchemas(d *Document) *schemas {
	return &schemas{document: d, names: map[string]string{}, taken: map[string]bool{}, made: map[string]*definition{}, left: mostDefinitions}
}

// converter converts one schema, and keeps the names it refers to, and the
// references that lead nowhere.
type converter struct {
	from   *schemas
	refers []string
	unread []string
	seen   map[string]bool
}

func (s *schemas) converter() *converter { return &converter{from: s, seen: map[string]bool{}} }

// reference gives the name under $defs of what a reference leads to; empty when
// it leads nowhere or out of the document.
func (s *schemas) reference(ref string) string {
	if name, ok := s.names[ref]; ok {
		return name
	}
	found, ok := s.document.lookup(ref)
	if !ok {
		s.names[ref] = ""
		return ""
	}
	name := unique(toolName(ref[strings.LastIndexByte(ref, '/')+1:]), s.taken)
	s.names[ref] = name
	s.made[name] = &definition{from: found}
	return name
}

// definition gives a definition, converted.
func (s *schemas) definition(name string) *definition {
	d := s.made[name]
	if !d.converted {
		c := s.converter()
		d.converted, d.schema = true, c.schema(d.from)
		d.refers, d.unread = c.refers, c.unread
	}
	return d
}

// definitions gives the $defs that names need, those they refer to among them.
// It stops where the document's schemas need too many: left is then 0.
func (c *converter) definitions() *value.Object {
	all, s, names := &value.Object{}, c.from, c.refers
	for len(names) > 0 && s.left > 0 {
		name := names[0]
		names = names[1:]
		if all.Has(name) {
			continue
		}
		s.left--
		d := s.definition(name)
		all.Set(name, d.schema)
		for _, ref := range d.unread {
			c.lacks(ref)
		}
		for _, more := range d.refers {
			if !all.Has(more) {
				names = append(names, more)
			}
		}
	}
	return all
}

// How the value of a schema's keyword holds schemas.
var (
	oneSchema = map[string]bool{"items": true, "additionalProperties": true, "not": true, "if": true, "then": true, "else": true,
		"contains": true, "propertyNames": true, "unevaluatedItems": true, "unevaluatedProperties": true}
	listOfSchemas  = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true, "prefixItems": true}
	namedSchemas   = map[string]bool{"properties": true, "patternProperties": true, "dependentSchemas": true, "$defs": true, "definitions": true}
	notJSONSchema  = map[string]bool{"discriminator": true, "xml": true, "externalDocs": true}
	only30Keywords = map[string]bool{"nullable": true, "example": true}
)

// schema converts one schema.
func (c *converter) schema(v value.Value) value.Value {
	o, ok := v.(*value.Object)
	if !ok {
		if is, isBool := v.(bool); isBool {
			return is
		}
		return &value.Object{}
	}
	old := c.from.document.nullable
	converted := value.NewObject(o.Len())
	ref, isReference := o.Get("$ref")
	if isReference {
		if name := c.from.reference(textOf(ref)); name != "" {
			c.refer(name)
			converted.Set("$ref", "#/$defs/"+name)
		} else {
			c.lacks(textOf(ref))
		}
		if old {
			return converted
		}
	}
	for i := range o.Len() {
		key, v := o.At(i)
		switch {
		case key == "$ref" || notJSONSchema[key] || old && only30Keywords[key]:
		case oneSchema[key]:
			converted.Set(key, c.schema(v))
		case listOfSchemas[key]:
			converted.Set(key, c.list(v))
		case namedSchemas[key]:
			converted.Set(key, c.named(v))
		case old && (key == "exclusiveMinimum" || key == "exclusiveMaximum"):
		default:
			converted.Set(key, v)
		}
	}
	if old {
		asJSONSchema(o, converted)
	}
	return converted
}

func (c *converter) refer(name string) {
	if !c.seen[name] {
		c.seen[name] = true
		c.refers = append(c.refers, name)
	}
}

// lacks keeps a reference that leads nowhere.
func (c *converter) lacks(ref string) {
	if !slices.Contains(c.unread, ref) && len(c.unread) < mostKept {
		c.unread = append(c.unread, ref)
	}
}

// mostKept is how many references that lead nowhere are kept of one schema.
const mostKept = 100

func (c *converter) list(v value.Value) value.Value {
	list := make([]value.Value, 0, len(listOf(v)))
	for _, item := range listOf(v) {
		list = append(list, c.schema(item))
	}
	return list
}

func (c *converter) named(v value.Value) value.Value {
	o := objectOf(v)
	named := value.NewObject(o.Len())
	for i := range o.Len() {
		name, v := o.At(i)
		named.Set(name, c.schema(v))
	}
	return named
}

// asJSONSchema writes what version 3.0 has of its own: nullable, example, and
// exclusive bounds as flags.
func asJSONSchema(from, to *value.Object) {
	if kind := textOf(member(from, "type")); kind != "" && isTrue(member(from, "nullable")) {
		to.Set("type", []value.Value{kind, "null"})
		if options, ok := member(to, "enum").([]value.Value); ok {
			to.Set("enum", append(options[:len(options):len(options)], nil))
		}
	}
	if example, ok := from.Get("example"); ok {
		to.Set("examples", []value.Value{example})
	}
	for _, bound := range [][2]string{{"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}} {
		limit, ok := from.Get(bound[0])
		if !ok || !isTrue(member(from, bound[1])) {
			continue
		}
		// The bound itself is no bound any more.
		kept := value.NewObject(to.Len())
		for i := range to.Len() {
			if key, v := to.At(i); key != bound[0] {
				kept.Set(key, v)
			}
		}
		kept.Set(bound[1], limit)
		*to = *kept
	}
}
