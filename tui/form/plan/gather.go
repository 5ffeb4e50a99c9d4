package plan

// This file gathers everything that counts for one value: a schema, what its $ref
// leads to, and the schemas of its allOf.

import (
	"net/url"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// The bounds of a plan. No answer that a person gives by hand comes near them.
const (
	mostFields  = 1_000
	mostSchemas = 20_000 // gathered for all fields together
	mostParts   = 64     // that count for one value
	mostLevels  = 6      // of objects and lists within each other
)

// The reasons why a value is given as JSON.
const (
	becauseAny       = "any value goes"
	becauseRecursive = "it holds itself"
	becauseDeep      = "it nests too deeply for a form"
	becauseLarge     = "the answer has too many fields for a form"
	becauseNothing   = "no value matches its schema"
	becauseUnknown   = "its schema cannot be read here"
	becauseTypes     = "it takes values of several types"
	becauseKinds     = "it is one of several kinds of values"
	becauseOpen      = "its properties have any names"
	becauseItems     = "its items are no single values or objects"
	becauseTuple     = "each of its items has a schema of its own"
	becauseRules     = "its rules are more than a form can show"
)

// notes are the keywords that say nothing about which values match.
var notes = []string{
	"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
	"$comment", "$schema", "$id", "$defs", "definitions", "$vocabulary",
}

// beyond are keywords that a form cannot show the working of.
var beyond = []string{
	"patternProperties", "if", "then", "else", "not", "contains", "minContains", "maxContains",
	"dependentRequired", "dependentSchemas", "dependencies", "unevaluatedItems", "unevaluatedProperties",
	"additionalItems", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
}

// gathered is everything that counts for one value.
type gathered struct {
	parts   []*value.Object
	leads   []string // every reference that counts here, from the root on
	within  []string // the references that are being followed
	unclear string   // why no field but JSON can hold the value
}

// builder makes the fields of one schema.
type builder struct {
	root    value.Value
	draft07 bool
	fields  int // made so far
	schemas int // gathered so far
	choices map[string][]Option
}

func newBuilder(root value.Value) *builder {
	b := &builder{root: root, choices: map[string][]Option{}}
	if o, ok := root.(*value.Object); ok {
		named, _ := o.Get("$schema")
		text, _ := named.(string)
		b.draft07 = strings.Contains(text, "draft-07") || (o.Has("definitions") && !o.Has("$defs"))
	}
	return b
}

// gather adds a schema to what counts.
func (b *builder) gather(s value.Value, g *gathered) {
	b.schemas++
	switch s := s.(type) {
	case bool:
		if !s {
			g.unclear = becauseNothing
		}
		return
	case *value.Object:
		if b.schemas > mostSchemas || len(g.parts) >= mostParts {
			g.unclear = becauseLarge
			return
		}
		b.gatherObject(s, g)
		return
	}
	g.unclear = becauseUnknown
}

func (b *builder) gatherObject(s *value.Object, g *gathered) {
	reference, refers := s.Get("$ref")
	if !refers || !b.draft07 {
		g.parts = append(g.parts, s)
	}
	if refers {
		b.follow(reference, g)
		if b.draft07 {
			return // what stands beside it does not count
		}
	}
	for _, keyword := range beyond {
		if s.Has(keyword) && g.unclear == "" {
			g.unclear = becauseRules
		}
	}
	if all, has := s.Get("allOf"); has {
		each, ok := all.([]value.Value)
		if !ok {
			g.unclear = becauseUnknown
		}
		for _, one := range each {
			if g.unclear != "" {
				return
			}
			b.gather(one, g)
		}
	}
}

// follow adds what a reference leads to.
func (b *builder) follow(reference value.Value, g *gathered) {
	text, _ := reference.(string)
	fragment, local := strings.CutPrefix(text, "#")
	pointer, err := url.PathUnescape(fragment)
	if !local || err != nil {
		g.unclear = becauseUnknown
		return
	}
	if slices.Contains(g.within, pointer) || pointer == "" {
		g.unclear = becauseRecursive
		return
	}
	target, ok := value.Lookup(b.root, pointer)
	if !ok {
		g.unclear = becauseUnknown
		return
	}
	before := g.within
	g.within = append(slices.Clip(before), pointer)
	g.leads = append(slices.Clip(g.leads), pointer)
	b.gather(target, g)
	g.within = before
}

// from starts to gather what counts where these references led.
func from(leads []string) *gathered { return &gathered{leads: leads, within: leads} }

// first gives the value of a keyword in the first part that has it.
func (g *gathered) first(keyword string) (value.Value, bool) {
	for _, part := range g.parts {
		if v, has := part.Get(keyword); has {
			return v, true
		}
	}
	return nil, false
}

// text gives the first text of a keyword.
func (g *gathered) text(keyword string) string {
	for _, part := range g.parts {
		if v, _ := part.Get(keyword); v != nil {
			if text, ok := v.(string); ok {
				return text
			}
		}
	}
	return ""
}

// all gives every value of a keyword.
func (g *gathered) all(keyword string) []value.Value {
	var found []value.Value
	for _, part := range g.parts {
		if v, has := part.Get(keyword); has {
			found = append(found, v)
		}
	}
	return found
}

// has tells whether any part has one of the keywords.
func (g *gathered) has(keywords ...string) bool {
	return slices.ContainsFunc(keywords, func(keyword string) bool {
		_, has := g.first(keyword)
		return has
	})
}

// highest gives the largest count of a keyword, and 0 for none.
func (g *gathered) highest(keyword string) int64 {
	most := int64(0)
	for _, v := range g.all(keyword) {
		if n, ok := value.Whole(v); ok {
			most = max(most, n)
		}
	}
	return most
}

// lowest gives the smallest count of a keyword, and -1 for none.
func (g *gathered) lowest(keyword string) int64 {
	least := int64(-1)
	for _, v := range g.all(keyword) {
		if n, ok := value.Whole(v); ok && n >= 0 && (least < 0 || n < least) {
			least = n
		}
	}
	return least
}
