package schema

// This file holds a schema as it is checked: one subschema for each schema
// within a schema, its keywords gathered by the kind of value they are about.

import (
	"math"

	"github.com/beonauto/auto/engine/value"
)

// subschema is one schema of a document. Keywords that are not there are the
// zero value, or nil.
type subschema struct {
	at    *spot // where and how it was written
	never bool  // the schema false

	types        types
	expectedType string // what an issue says of a value of another type

	choice *choice // enum
	only   *choice // const
	text   *textRules
	number *numberRules
	list   *listRules
	object *objectRules

	reference *reference
	all       []*subschema // allOf
	any       []*subschema // anyOf
	one       []*subschema // oneOf
	nothing   bool         // not: {}

	within []*subschema // every schema written in this one, in order
}

// types is a set of the JSON types.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeInteger // a number without a fraction
	typeNumber  // any number
	typeString
	typeArray
	typeObject
)

// typeNames are the names of the types, in the order that messages list them.
var typeNames = []struct {
	name string
	is   types
}{
	{"array", typeArray},
	{"boolean", typeBoolean},
	{"integer", typeInteger},
	{"null", typeNull},
	{"number", typeNumber},
	{"object", typeObject},
	{"string", typeString},
}

// typeNamed gives the type of a name.
func typeNamed(name string) (types, bool) {
	for _, t := range typeNames {
		if t.name == name {
			return t.is, true
		}
	}
	return 0, false
}

// allows tells whether the set lets a value of type t be; the empty set, no
// type keyword, lets anything be.
func (t types) allows(other types) bool { return t == 0 || t&other != 0 }

// textRules are the bounds of a text, in Unicode code points.
type textRules struct{ min, max count }

// count is a bound of a number of things; unset when it was not given.
type count struct {
	n   int64 // at most math.MaxInt64, however large it was written
	set bool
}

// numberRules are the bounds of a number.
type numberRules struct {
	minimum, maximum, above, below *bound
	multiple                       *bound
}

// bound is a number of a schema, exactly as it was written.
type bound struct {
	written value.Value
	decimal value.Decimal
	float   float64
	exact   bool // whether float is the number itself
}

func newBound(v value.Value) *bound {
	decimal, _ := value.DecimalOf(v)
	float, _ := value.Number(v)
	_, exact := v.(float64)
	return &bound{written: v, decimal: decimal, float: float, exact: exact}
}

// compare gives -1, 0 or 1 as a number is less than, equal to or greater than
// the bound.
func (b *bound) compare(v value.Value) int {
	if number, ok := v.(float64); ok && b.exact {
		switch {
		case number < b.float:
			return -1
		case number > b.float:
			return 1
		}
		return 0
	}
	decimal, _ := value.DecimalOf(v)
	return decimal.Compare(b.decimal)
}

// divides tells whether a number is a whole multiple of the bound.
func (b *bound) divides(v value.Value) bool {
	const exactWhole = 1 << 53
	if number, ok := v.(float64); ok && b.exact && math.Abs(number) < exactWhole && b.float < exactWhole &&
		number == math.Trunc(number) && b.float == math.Trunc(b.float) {
		return math.Mod(number, b.float) == 0
	}
	decimal, _ := value.DecimalOf(v)
	is, known := decimal.MultipleOf(b.decimal)
	// What lies further apart than is worked out has a fraction of the step: a
	// step is never less than the smallest number above zero that a float64
	// holds, and no value is past its largest.
	return is && known
}

// listRules are the rules for a list.
type listRules struct {
	min, max count
	unique   bool
	prefix   []*subschema // the schemas of the first items
	items    *subschema   // of every item after them
}

// objectRules are the rules for an object.
type objectRules struct {
	min, max   count
	required   []string
	needs      map[string]bool // required, to look a name up
	lists      bool            // whether properties is there at all
	names      []string
	properties map[string]*subschema
	additional *subschema // of every property that properties does not name
	keys       *subschema // propertyNames
}

// closed tells whether the object may have no other properties than those it
// names.
func (o *objectRules) closed() bool { return o.additional != nil && o.additional.never }

// requires tells whether required lists a property.
func (o *objectRules) requires(name string) bool { return o.needs[name] }

// reference is a $ref: the definition it names and what it leads to.
type reference struct {
	definition *definition
	at         *spot
}

// definition is one entry of $defs or definitions at the root.
type definition struct {
	under string // $defs or definitions
	name  string
	is    *subschema
	leads []lead // the definitions that apply in the same place
}

// lead is a $ref through which one definition applies another in place.
type lead struct {
	to *definition
	at *spot
}
