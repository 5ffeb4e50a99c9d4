package plan

// This file makes a field from what counts for its value.

import (
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// place is where a field stands in the answer.
type place struct {
	key      string
	required bool
	item     bool // it is an item of a list
	level    int  // how many objects and lists hold it
	leads    []string
}

// field makes the field of the schemas that count together for one value.
func (b *builder) field(schemas []value.Value, at place) *Field {
	b.fields++
	g := from(at.leads)
	for _, s := range schemas {
		if g.unclear == "" {
			b.gather(s, g)
		}
	}
	f := &Field{Key: at.key, Required: at.required, Most: -1}
	nullable := b.chooseOne(g)
	b.describe(f, g, at)
	if b.fields > mostFields && g.unclear == "" {
		g.unclear = becauseLarge
	}
	if g.unclear == "" && b.choice(f, g, nullable) {
		return f
	}
	if g.unclear == "" {
		b.kind(f, g, at, nullable)
	}
	if g.unclear != "" {
		f.Kind, f.Because, f.Nullable = JSON, g.unclear, false
		f.Choices, f.Fields, f.Item = nil, nil, nil
	}
	return f
}

// describe takes the words of a field.
func (b *builder) describe(f *Field, g *gathered, at place) {
	f.Label = label(g.text("title"))
	if f.Label == "" && !at.item && at.level > 0 {
		f.Label = spoken(at.key)
	}
	f.Hint = hint(g.text("description"))
	if usual, has := g.first("default"); has {
		f.Usually = Shown(usual)
	}
	if examples, has := g.first("examples"); has {
		f.Examples, _ = examples.([]value.Value)
	}
}

// kind finds what kind of field takes the value.
func (b *builder) kind(f *Field, g *gathered, at place, nullable bool) {
	allowed, whole, said := g.types()
	if !said {
		if allowed = g.guess(); allowed == 0 {
			g.unclear = becauseAny
			return
		}
	}
	f.Nullable = nullable || (said && allowed&isNull != 0)
	if rest := allowed &^ isNull; rest != 0 {
		allowed = rest
	}
	switch allowed {
	case isNull:
		f.Kind, f.Nullable, f.Choices = Choice, false, []Option{{Label: Shown(nil)}}
	case isBoolean:
		f.Kind, f.Choices = Choice, []Option{{Value: true, Label: Shown(true)}, {Value: false, Label: Shown(false)}}
		if f.Nullable {
			f.Choices, f.Nullable = append(f.Choices, Option{Label: Shown(nil)}), false
		}
	case isNumber:
		f.Kind, f.Whole = Number, whole
		f.Expects = numbers(g)
	case isText:
		b.asText(f, g)
	case isObject:
		b.asObject(f, g, at)
	case isList:
		b.asList(f, g, at)
	case 0:
		g.unclear = becauseNothing
	default:
		g.unclear = becauseTypes
	}
}

// longText is the number of characters past which a text is likely to take several
// lines.
const longText = 200

// formats says in words what a format means to a person who writes it.
var formats = map[string]string{
	"date": "a date such as 2026-10-31", "time": "a time such as 14:30:00Z", "date-time": "a moment such as 2026-10-31T14:30:00Z",
	"duration": "a duration such as P3D", "email": "an email address", "idn-email": "an email address",
	"uri": "an address such as https://example.com", "iri": "an address such as https://example.com", "url": "an address such as https://example.com",
	"hostname": "a host name", "ipv4": "an IPv4 address", "ipv6": "an IPv6 address", "uuid": "a UUID",
}

func (b *builder) asText(f *Field, g *gathered) {
	f.Kind, f.Least, f.Most = Text, g.highest("minLength"), g.lowest("maxLength")
	format := g.text("format")
	f.Long = (f.Most < 0 || f.Most > longText) && format == ""
	expects := []string{formats[format], counted(f.Least, f.Most, "character", "characters")}
	if pattern := g.text("pattern"); pattern != "" {
		expects = append(expects, "matching "+label(pattern))
	}
	f.Expects = strings.Join(slices.DeleteFunc(expects, func(s string) bool { return s == "" }), ", ")
}

// numbers puts the bounds of a number into words.
func numbers(g *gathered) string {
	var expects []string
	for _, bound := range []struct{ keyword, words string }{
		{"minimum", "at least "}, {"exclusiveMinimum", "more than "}, {"maximum", "at most "}, {"exclusiveMaximum", "less than "}, {"multipleOf", "a multiple of "},
	} {
		for _, v := range g.all(bound.keyword) {
			if _, ok := value.Number(v); ok {
				expects = append(expects, bound.words+label(value.JSON(v)))
			}
		}
	}
	return strings.Join(expects, ", ")
}

func (b *builder) asObject(f *Field, g *gathered, at place) {
	if at.level >= mostLevels {
		g.unclear = becauseDeep
		return
	}
	names := properties(g)
	required, unlisted := requiredOf(g, names)
	names = append(names, unlisted...)
	if len(names) == 0 && !closed(g) {
		g.unclear = becauseOpen
		return
	}
	f.Kind, f.Most = Object, -1
	for _, name := range names {
		schemas, allowed := propertySchemas(g, name)
		if !allowed && !required[name] {
			continue
		}
		f.Fields = append(f.Fields, b.field(schemas, place{key: name, required: required[name], level: at.level + 1, leads: g.leads}))
		if b.fields > mostFields {
			g.unclear = becauseLarge
			return
		}
	}
}

// properties lists the properties that the parts name, each once.
func properties(g *gathered) []string {
	var names []string
	seen := map[string]bool{}
	for _, v := range g.all("properties") {
		o, ok := v.(*value.Object)
		if !ok {
			continue
		}
		for _, name := range o.Keys() {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// requiredOf gives the properties that any part requires, and those of them that
// no part names.
func requiredOf(g *gathered, named []string) (required map[string]bool, unlisted []string) {
	required = map[string]bool{}
	listed := make(map[string]bool, len(named))
	for _, name := range named {
		listed[name] = true
	}
	for _, v := range g.all("required") {
		names, _ := v.([]value.Value)
		for _, each := range names {
			name, ok := each.(string)
			if !ok || required[name] {
				continue
			}
			required[name] = true
			if !listed[name] {
				unlisted = append(unlisted, name)
			}
		}
	}
	return required, unlisted
}

// closed tells whether a part allows no other properties than those it names.
func closed(g *gathered) bool {
	return slices.Contains(g.all("additionalProperties"), value.Value(false))
}

// propertySchemas gives the schemas that count for a property, and whether every
// part allows it.
func propertySchemas(g *gathered, name string) (schemas []value.Value, allowed bool) {
	allowed = true
	for _, part := range g.parts {
		properties, _ := part.Get("properties")
		if o, ok := properties.(*value.Object); ok {
			if s, has := o.Get(name); has {
				schemas = append(schemas, s)
				continue
			}
		}
		switch others, _ := part.Get("additionalProperties"); others := others.(type) {
		case bool:
			allowed = allowed && others
		case *value.Object:
			schemas = append(schemas, others)
		}
	}
	return schemas, allowed
}

func (b *builder) asList(f *Field, g *gathered, at place) {
	if at.level >= mostLevels {
		g.unclear = becauseDeep
		return
	}
	schemas := g.all("items")
	isTuple := slices.ContainsFunc(schemas, func(s value.Value) bool { _, list := s.([]value.Value); return list })
	if isTuple || g.has("prefixItems") {
		g.unclear = becauseTuple
		return
	}
	item := b.field(schemas, place{item: true, level: at.level + 1, leads: g.leads})
	if item.Kind == JSON || item.Kind == List {
		g.unclear = becauseItems
		if item.Because == becauseLarge || item.Because == becauseRecursive || item.Because == becauseDeep {
			g.unclear = item.Because
		}
		return
	}
	f.Kind, f.Item = List, item
	f.Least, f.Most = g.highest("minItems"), g.lowest("maxItems")
	f.Expects = counted(f.Least, f.Most, "item", "items")
	if slices.Contains(g.all("uniqueItems"), value.Value(true)) {
		f.Expects = strings.TrimPrefix(f.Expects+", each once", ", ")
	}
}
