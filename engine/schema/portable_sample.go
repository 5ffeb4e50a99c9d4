package schema

// This file makes answers that a schema accepts, to try its portable form on.

import (
	"math/big"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// The bounds of a sampler: how many values it tries, and how long a text or a
// list it makes.
const (
	maxSamples     = 20_000
	maxSampleText  = 1 << 20
	maxSampleItems = 2_000
)

// sampler makes answers. A full one has every optional property that it can,
// and something in each list.
type sampler struct {
	full bool
	left int
	work work
}

// make gives a value that a form is for and that its schema and every outer
// one accept, and false when it finds none. Another variant is another value
// where there is one.
func (m *sampler) make(f *form, outer []*subschema, variant int) (value.Value, bool) {
	if m.left--; m.left < 0 {
		return nil, false
	}
	rules := append(slices.Clip(outer), f.is)
	for f.kind == referenceForm {
		f = f.to
		rules = append(rules, f.is)
	}
	if f.kind == choiceForm {
		return m.choice(f, rules, variant)
	}
	var v value.Value
	made := false
	switch f.kind {
	case scalarForm:
		return m.scalar(f, rules, variant)
	case objectForm:
		v, made = m.object(f, rules, variant)
	case listForm:
		v, made = m.list(f, rules, variant)
	case mapForm:
		v, made = m.entries(f, rules, variant)
	}
	return v, made && m.accepts(rules, v)
}

// accepts tells whether every rule takes a value.
func (m *sampler) accepts(rules []*subschema, v value.Value) bool {
	for _, rule := range rules {
		if rule != nil && !m.work.check(rule, v, nil, false) {
			return false
		}
	}
	return true
}

func (m *sampler) choice(f *form, rules []*subschema, variant int) (value.Value, bool) {
	n := len(f.choices)
	for i := range n {
		choice := f.choices[(variant+i)%n]
		v, made := m.make(choice, rules, variant/n)
		if made && choice.takes(v) && m.accepts(rules, v) {
			return v, true
		}
	}
	return nil, false
}

// leadsTo gives the rules and every schema that they apply to the same value
// through a $ref.
func leadsTo(rules []*subschema) []*subschema {
	var all []*subschema
	for _, rule := range rules {
		for rule != nil && !slices.Contains(all, rule) {
			all = append(all, rule)
			if rule.reference == nil {
				break
			}
			rule = rule.reference.definition.is
		}
	}
	return all
}

func (m *sampler) scalar(f *form, rules []*subschema, variant int) (value.Value, bool) {
	var candidates []value.Value
	if f.values != nil {
		for i := range f.values {
			candidates = append(candidates, f.values[(variant+i)%len(f.values)])
		}
	} else {
		names := f.of.list()
		for i := range names {
			candidates = append(candidates, m.candidates(names[(variant+i)%len(names)], leadsTo(rules), variant/len(names))...)
		}
	}
	for _, candidate := range candidates {
		if m.left--; m.left < 0 {
			return nil, false
		}
		if f.takes(candidate) && m.accepts(rules, candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// candidates gives values of a type that are likely to be accepted.
func (m *sampler) candidates(name string, rules []*subschema, variant int) []value.Value {
	switch name {
	case "null":
		return []value.Value{nil}
	case "boolean":
		return []value.Value{variant%2 == 0, variant%2 != 0}
	case "string":
		return textCandidates(rules, variant)
	}
	return numberCandidates(rules, name == "integer", variant)
}

func textCandidates(rules []*subschema, variant int) []value.Value {
	least, most := int64(0), int64(maxSampleText)
	for _, s := range rules {
		if s.text != nil && s.text.min.set {
			least = max(least, s.text.min.n)
		}
		if s.text != nil && s.text.max.set {
			most = min(most, s.text.max.n)
		}
	}
	if least > most || least > maxSampleText {
		return nil
	}
	// Letters that count up, behind as many as the text needs.
	letters := ""
	for n := variant; n > 0; n /= 26 {
		letters += string(rune('a' + n%26))
	}
	length := max(least, min(most, 1), min(most, int64(len(letters))))
	if int64(len(letters)) > length {
		letters = letters[:length]
	}
	return []value.Value{letters + strings.Repeat("a", int(length)-len(letters))}
}

// numberCandidates gives numbers between the bounds: multiples of the step
// nearest to the lower bound, to the upper one, or to zero.
func numberCandidates(rules []*subschema, whole bool, variant int) []value.Value {
	step := big.NewRat(1, 1)
	var least, most *big.Rat
	for _, s := range rules {
		if s.number == nil {
			continue
		}
		if b := s.number.multiple; b != nil {
			step = common(step, rational(b), whole)
		}
		for _, b := range []*bound{s.number.minimum, s.number.above} {
			if r := rational(b); r != nil && (least == nil || r.Cmp(least) > 0) {
				least = r
			}
		}
		for _, b := range []*bound{s.number.maximum, s.number.below} {
			if r := rational(b); r != nil && (most == nil || r.Cmp(most) < 0) {
				most = r
			}
		}
	}
	if step == nil {
		return nil
	}
	var candidates []value.Value
	try := func(r *big.Rat) {
		if v, ok := decimal(r); ok {
			candidates = append(candidates, v)
		}
	}
	if least == nil && most == nil {
		least = new(big.Rat)
	}
	if least != nil {
		first := ceiling(least, step)
		for i := range int64(3) {
			try(new(big.Rat).Mul(step, new(big.Rat).SetInt(new(big.Int).Add(first, big.NewInt(int64(variant)+i)))))
		}
	}
	if most != nil {
		last := new(big.Int).Neg(ceiling(new(big.Rat).Neg(most), step))
		for i := range int64(3) {
			try(new(big.Rat).Mul(step, new(big.Rat).SetInt(new(big.Int).Sub(last, big.NewInt(int64(variant)+i)))))
		}
	}
	if least != nil && most != nil && !whole {
		// Between bounds that lie close to each other.
		width := new(big.Rat).Sub(most, least)
		part := width.Mul(width, big.NewRat(int64(variant)+1, int64(variant)+2))
		try(part.Add(part, least))
	}
	return candidates
}

// ceiling gives the least n for which n times the step is at least r.
func ceiling(r, step *big.Rat) *big.Int {
	quotient := new(big.Rat).Quo(r, step)
	// Div rounds down, for a positive divisor.
	n := new(big.Int).Div(new(big.Int).Neg(quotient.Num()), quotient.Denom())
	return n.Neg(n)
}

// common gives a step that every multiple of is a multiple of both, and, for
// whole numbers, is whole.
func common(step, other *big.Rat, whole bool) *big.Rat {
	if step == nil || other == nil {
		return nil
	}
	if step.Cmp(big.NewRat(1, 1)) == 0 && !whole {
		return other // no other step was given before
	}
	// The least common multiple of two fractions.
	a, b := new(big.Int).Mul(step.Num(), other.Denom()), new(big.Int).Mul(other.Num(), step.Denom())
	divisor := new(big.Int).GCD(nil, nil, a, b)
	multiple := new(big.Int).Mul(a, new(big.Int).Div(b, divisor))
	return new(big.Rat).SetFrac(multiple, new(big.Int).Mul(step.Denom(), other.Denom()))
}

// rational gives the exact value of a bound, and nil for one with so large an
// exponent or so many digits that working with it would take long.
func rational(b *bound) *big.Rat {
	if b == nil || len(b.decimal) > 400 || !b.exact && b.float == 0 {
		return nil
	}
	r, ok := new(big.Rat).SetString(string(b.decimal))
	if !ok {
		return nil
	}
	return r
}

// decimal gives a fraction as a number of JSON, exactly where it can.
func decimal(r *big.Rat) (value.Value, bool) {
	digits, exact := r.FloatPrec()
	if !exact || digits > 400 {
		float, _ := r.Float64()
		return value.ReadNumber(value.FormatNumber(float))
	}
	return value.ReadNumber(r.FloatString(digits))
}

func (m *sampler) list(f *form, rules []*subschema, variant int) (value.Value, bool) {
	least, most, unique := int64(0), int64(maxSampleItems), false
	for _, s := range leadsTo(rules) {
		if s.list == nil {
			continue
		}
		if s.list.min.set {
			least = max(least, s.list.min.n)
		}
		if s.list.max.set {
			most = min(most, s.list.max.n)
		}
		unique = unique || s.list.unique
	}
	if least > most {
		return nil, false
	}
	wanted := least
	if m.full || variant > 0 {
		wanted = max(least, min(most, 1))
	}
	items := make([]value.Value, 0, wanted)
	seen := map[string]bool{}
	for try := 0; int64(len(items)) < wanted && try < 4*int(wanted)+16; try++ {
		item, made := m.make(f.items, nil, variant+try)
		if !made {
			break
		}
		key := string(identity(nil, item))
		if unique && seen[key] {
			continue
		}
		seen[key] = true
		items = append(items, item)
	}
	return items, int64(len(items)) >= least
}

// countOf gives the bounds of how many properties a value may have.
func countOf(rules []*subschema) (least, most int64) {
	most = maxSampleItems
	for _, s := range leadsTo(rules) {
		if s.object == nil {
			continue
		}
		if s.object.min.set {
			least = max(least, s.object.min.n)
		}
		if s.object.max.set {
			most = min(most, s.object.max.n)
		}
	}
	return least, most
}

func (m *sampler) entries(f *form, rules []*subschema, variant int) (value.Value, bool) {
	least, most := countOf(rules)
	if least > most {
		return nil, false
	}
	wanted := least
	if m.full || variant > 0 {
		wanted = max(least, min(most, 1))
	}
	object := value.NewObject(int(wanted))
	for try := 0; int64(object.Len()) < wanted && try < 4*int(wanted)+16; try++ {
		key, named := m.make(f.keys, nil, variant+try)
		if !named {
			break
		}
		v, made := m.make(f.items, nil, variant+try)
		if !made {
			break
		}
		object.Set(key.(string), v)
	}
	return object, int64(object.Len()) >= least
}

func (m *sampler) object(f *form, rules []*subschema, variant int) (value.Value, bool) {
	least, most := countOf(rules)
	object := value.NewObject(len(f.properties))
	for _, property := range f.properties {
		if property.optional {
			continue
		}
		v, made := m.make(property.is, nil, variant)
		if !made {
			return nil, false
		}
		object.Set(property.name, v)
	}
	for _, property := range f.properties {
		more := m.full || variant > 0 || int64(object.Len()) < least
		if !property.optional || !more || int64(object.Len()) >= most {
			continue
		}
		if v, made := m.make(property.is, nil, variant); made {
			object.Set(property.name, v)
		}
	}
	return object, true
}
