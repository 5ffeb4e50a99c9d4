package plan

// This file finds the values that a choice offers: those of enum and const, and the
// titled ones of oneOf and anyOf.

import (
	"fmt"
	"slices"

	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// options gives the values that the parts list by enum and const, nil when none
// does: those that every list has. A const is named by the title beside it.
func options(parts []*value.Object) []Option {
	var kept []Option
	narrowed := false
	narrow := func(found []Option) {
		if !narrowed {
			kept, narrowed = found, true
			return
		}
		in := map[string]bool{}
		for _, each := range found {
			in[same(each.Value)] = true
		}
		kept = slices.DeleteFunc(slices.Clone(kept), func(o Option) bool { return !in[same(o.Value)] })
	}
	for _, part := range parts {
		if only, has := part.Get("const"); has {
			narrow([]Option{{Value: only, Label: Shown(only)}})
		}
		listed, _ := part.Get("enum")
		values, ok := listed.([]value.Value)
		if !ok {
			continue
		}
		found := make([]Option, 0, len(values))
		seen := map[string]bool{}
		for _, v := range values {
			if key := same(v); !seen[key] {
				seen[key] = true
				found = append(found, Option{Value: v, Label: Shown(v)})
			}
		}
		narrow(found)
	}
	if narrowed && kept == nil {
		kept = []Option{}
	}
	return kept
}

// same is one text for each value. Two objects that differ in the order of their
// keys alone have two, and so are offered twice.
func same(v value.Value) string {
	if d, ok := value.DecimalOf(v); ok {
		return d.Canonical()
	}
	return value.JSON(v)
}

// chooseOne looks at anyOf and oneOf. Where all but null is one schema, it counts
// with the others, and chooseOne tells whether null is a value too. Where all are
// values by themselves, they stay for choice to offer.
func (b *builder) chooseOne(g *gathered) (nullable bool) {
	if g.unclear != "" {
		return false
	}
	alternatives, found := g.alternatives()
	if found > 1 {
		g.unclear = becauseKinds
	}
	if found != 1 || b.offers(alternatives, g.leads) != nil {
		return false
	}
	var others []value.Value
	for _, each := range alternatives {
		if isNullOnly(each) {
			nullable = true
		} else {
			others = append(others, each)
		}
	}
	switch {
	case len(others) == 1:
		b.gather(others[0], g)
		if g.nested() {
			g.unclear = becauseKinds
		}
	case !onlyRequire(others):
		g.unclear = becauseKinds
	}
	return nullable
}

// alternatives gives the list of the first anyOf or oneOf, and how many there are.
func (g *gathered) alternatives() (list []value.Value, found int) {
	for _, keyword := range [...]string{"oneOf", "anyOf"} {
		for _, v := range g.all(keyword) {
			if found++; found == 1 {
				list, _ = v.([]value.Value)
			}
		}
	}
	return list, found
}

// nested tells whether an alternative brought alternatives of its own.
func (g *gathered) nested() bool {
	_, found := g.alternatives()
	return found > 1
}

// isNullOnly tells whether a schema takes null and nothing else.
func isNullOnly(s value.Value) bool {
	o, ok := s.(*value.Object)
	if !ok {
		return false
	}
	named, _ := o.Get("type")
	only, has := o.Get("const")
	return named == value.Value("null") || (has && only == nil)
}

// onlyRequire tells whether schemas say nothing but which properties there must be,
// which the check of the answer says well enough.
func onlyRequire(schemas []value.Value) bool {
	return len(schemas) > 0 && !slices.ContainsFunc(schemas, func(s value.Value) bool {
		o, ok := s.(*value.Object)
		return !ok || slices.ContainsFunc(o.Keys(), func(key string) bool {
			return key != "required" && key != "type" && !slices.Contains(notes, key)
		})
	})
}

// offers gives the values of alternatives that are each values by themselves, with
// their titles; nil for any others.
func (b *builder) offers(alternatives []value.Value, leads []string) []Option {
	var offered []Option
	for _, each := range alternatives {
		g := from(leads)
		b.gather(each, g)
		found := options(g.parts)
		switch {
		case g.unclear != "":
			return nil
		case found == nil && isNullOnly(each):
			found = []Option{{Label: Shown(nil)}}
		case len(found) == 0:
			return nil
		}
		if len(found) == 1 {
			if title := label(g.text("title")); title != "" {
				found[0].Label = title
			}
			found[0].Hint = hint(g.text("description"))
		}
		offered = append(offered, found...)
	}
	return offered
}

// choice makes a choice of the values that the schema lists, if it lists any.
func (b *builder) choice(f *Field, g *gathered, nullable bool) bool {
	rules := ruling(g.parts)
	key := fmt.Sprint(nullable)
	for _, part := range rules {
		key += fmt.Sprintf(" %p", part)
	}
	found, known := b.choices[key]
	if !known {
		found = b.findChoices(g, rules, nullable)
		b.choices[key] = found
	}
	switch {
	case found == nil:
		return false
	case len(found) == 0:
		g.unclear = becauseNothing
		return false
	}
	f.Kind, f.Choices = Choice, found
	return true
}

// ruling gives the parts that say which values there are. Fields that share them,
// such as those of one definition, share their options.
func ruling(parts []*value.Object) []*value.Object {
	var rules []*value.Object
	for _, part := range parts {
		if slices.ContainsFunc(part.Keys(), func(key string) bool {
			return key == "enum" || key == "const" || key == "oneOf" || key == "anyOf" || slices.Contains(fittingRules, key)
		}) {
			rules = append(rules, part)
		}
	}
	return rules
}

// findChoices gives the values that parts list; nil when they list none, and none
// when no value is left.
func (b *builder) findChoices(g *gathered, rules []*value.Object, nullable bool) []Option {
	found := options(rules)
	alternatives, several := g.alternatives()
	if several == 1 {
		if offered := b.offers(alternatives, g.leads); offered != nil {
			found = joined(found, offered)
		}
	}
	if found == nil {
		return nil
	}
	if nullable && !slices.ContainsFunc(found, func(o Option) bool { return o.Value == nil }) {
		found = append(slices.Clip(found), Option{Label: Shown(nil)})
	}
	return fitting(found, rules)
}

// joined gives the offered values that an enum beside them has too.
func joined(listed, offered []Option) []Option {
	if listed == nil {
		return offered
	}
	in := map[string]bool{}
	for _, each := range listed {
		in[same(each.Value)] = true
	}
	kept := slices.DeleteFunc(slices.Clone(offered), func(o Option) bool { return !in[same(o.Value)] })
	if len(kept) == 0 {
		return []Option{}
	}
	return kept
}

// fittingRules are the keywords by which a schema may refuse values that it lists.
var fittingRules = []string{"type", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}

// fitting leaves out the values that the schema lists and yet refuses, such as a
// number among the values of a text.
func fitting(found []Option, rules []*value.Object) []Option {
	var parts []value.Value
	for _, part := range rules {
		kept := value.NewObject(len(fittingRules))
		for _, key := range fittingRules {
			if v, has := part.Get(key); has {
				kept.Set(key, v)
			}
		}
		if kept.Len() > 0 {
			parts = append(parts, kept)
		}
	}
	if len(parts) == 0 {
		return found
	}
	all := value.NewObject(1)
	all.Set("allOf", parts)
	check, _ := schema.FromValue(all)
	if check == nil {
		return found
	}
	fit := make([]Option, 0, len(found))
	for _, each := range found {
		if matches, err := check.Matches(each.Value); err != nil || matches {
			fit = append(fit, each)
		}
	}
	return fit
}
