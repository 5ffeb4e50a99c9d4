// Package value holds JSON values as the formats see them: object keys keep
// the order a JavaScript program would see, numbers print as JavaScript prints
// them, and a number that a float64 cannot hold keeps its own digits.
//
// It never reads files, never knows a definition and never reports problems:
// it is the vocabulary that every other package of the engine speaks.
package value

import (
	"math"
	"slices"
	"strconv"
)

// Value is any JSON value. Its dynamic type is one of
//
//	nil       null
//	bool      true, false
//	float64   a number that a float64 holds exactly as it was written
//	Exact     a number whose digits a float64 would change
//	string    text
//	[]Value   a list
//	*Object   an object
//
// and nothing else. Values are shared between runs and goroutines: whoever is
// handed one never changes it.
type Value = any

// Exact is a number written with digits that no float64 reproduces, such as
// 9007199254740993 or 0.1000000000000000055. It holds the literal in JSON's
// own number syntax. Schema checks compare it digit by digit; Float gives the
// nearest float64 for everything that counts as JavaScript does.
type Exact string

// Float is the nearest float64. A literal past the range gives an infinity.
func (e Exact) Float() float64 {
	number, _ := strconv.ParseFloat(string(e), 64)
	return number
}

// Number gives v's nearest float64, and false when v is no number.
func Number(v Value) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case Exact:
		return v.Float(), true
	}
	return 0, false
}

// Whole gives v as an integer when it is a number without a fraction between
// -2^53 and 2^53, the range in which JavaScript counts exactly.
func Whole(v Value) (int64, bool) {
	number, ok := v.(float64)
	if !ok || number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return 0, false
	}
	return int64(number), true
}

// TypeName is the JSON type of v in the formats' words: null, boolean, number,
// string, array or object.
func TypeName(v Value) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64, Exact:
		return "number"
	case string:
		return "string"
	case []Value:
		return "array"
	case *Object:
		return "object"
	}
	return "unknown"
}

// Object is a JSON object. Its keys stand in JavaScript's order: integer-like
// keys ("0", "10") first, rising, then every other key as it was added.
// The zero Object is empty and ready for use; a nil *Object reads as empty.
type Object struct {
	keys   []string
	values []Value
	places map[string]int // filled once the object has more than scanLimit keys
}

// scanLimit is the number of keys up to which a linear look-up beats a map.
const scanLimit = 8

// NewObject gives an empty object with room for size keys.
func NewObject(size int) *Object {
	return &Object{keys: make([]string, 0, size), values: make([]Value, 0, size)}
}

// Len is the number of keys.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.keys)
}

// Keys gives the keys in order. The slice belongs to the object.
func (o *Object) Keys() []string {
	if o == nil {
		return nil
	}
	return o.keys
}

// At gives the i-th key and its value.
func (o *Object) At(i int) (string, Value) { return o.keys[i], o.values[i] }

// Get gives the value of a key, and whether the object has that key.
func (o *Object) Get(key string) (Value, bool) {
	if i := o.find(key); i >= 0 {
		return o.values[i], true
	}
	return nil, false
}

// Has tells whether the object has the key.
func (o *Object) Has(key string) bool { return o.find(key) >= 0 }

func (o *Object) find(key string) int {
	if o == nil {
		return -1
	}
	if o.places != nil {
		if i, ok := o.places[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

// Set adds a key or replaces its value where it stands. It is for whoever
// builds an object, before anyone else sees it.
func (o *Object) Set(key string, v Value) {
	if i := o.find(key); i >= 0 {
		o.values[i] = v
		return
	}
	at := len(o.keys)
	if index, ok := arrayIndex(key); ok {
		at, _ = slices.BinarySearchFunc(o.keys, index, func(k string, want uint32) int {
			if have, ok := arrayIndex(k); ok && have < want {
				return -1
			}
			return 1
		})
	}
	o.keys = slices.Insert(o.keys, at, key)
	o.values = slices.Insert(o.values, at, v)
	o.reindex(at)
}

// reindex brings the look-up map up to date after a key was put in at a place.
func (o *Object) reindex(at int) {
	if len(o.keys) <= scanLimit {
		return
	}
	if o.places == nil {
		o.places = make(map[string]int, cap(o.keys))
		at = 0
	}
	for i := at; i < len(o.keys); i++ {
		o.places[o.keys[i]] = i
	}
}

// Build gives the object of these members, which it takes over. Of members
// with one key the last counts, at the first one's place, as in JSON.parse.
// Unlike repeated Set it stays linear for any number of integer-like keys.
func Build(keys []string, values []Value) *Object {
	o := &Object{keys: keys, values: values}
	if len(keys) > scanLimit {
		o.places = make(map[string]int, len(keys))
	}
	kept, indexes := 0, 0
	for i, key := range keys {
		if at := o.findAmong(key, kept); at >= 0 {
			values[at] = values[i]
			continue
		}
		if _, ok := arrayIndex(key); ok {
			indexes++
		}
		keys[kept], values[kept] = key, values[i]
		if o.places != nil {
			o.places[key] = kept
		}
		kept++
	}
	o.keys, o.values = keys[:kept], values[:kept]
	if indexes > 0 {
		o.order()
	}
	return o
}

func (o *Object) findAmong(key string, kept int) int {
	if o.places == nil {
		return slices.Index(o.keys[:kept], key)
	}
	if at, ok := o.places[key]; ok {
		return at
	}
	return -1
}

// order puts integer-like keys first, rising.
func (o *Object) order() {
	places := make([]int, len(o.keys))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		left, leftIs := arrayIndex(o.keys[a])
		right, rightIs := arrayIndex(o.keys[b])
		switch {
		case leftIs && rightIs:
			return int(int64(left) - int64(right))
		case leftIs:
			return -1
		case rightIs:
			return 1
		}
		return 0
	})
	keys, values := make([]string, len(places)), make([]Value, len(places))
	for i, place := range places {
		keys[i], values[i] = o.keys[place], o.values[place]
	}
	o.keys, o.values = keys, values
	if o.places != nil {
		for i, key := range keys {
			o.places[key] = i
		}
	}
}

// arrayIndex tells whether JavaScript orders a key as a number: the canonical
// decimal form of a whole number below 2^32-1.
func arrayIndex(key string) (uint32, bool) {
	if key == "" || len(key) > 10 || key[0] < '0' || key[0] > '9' || (key[0] == '0' && len(key) > 1) {
		return 0, false
	}
	index, err := strconv.ParseUint(key, 10, 32)
	if err != nil || index == math.MaxUint32 {
		return 0, false
	}
	return uint32(index), true
}

// Equal tells whether two values are the same JSON value: numbers by their
// mathematical value, objects without regard to the order of their keys.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		other, ok := b.(bool)
		return ok && a == other
	case string:
		other, ok := b.(string)
		return ok && a == other
	case float64:
		other, ok := b.(float64)
		return ok && a == other
	case Exact:
		other, ok := b.(Exact)
		return ok && Decimal(a).Equal(Decimal(other))
	case []Value:
		other, ok := b.([]Value)
		return ok && slices.EqualFunc(a, other, Equal)
	case *Object:
		other, ok := b.(*Object)
		if !ok || a.Len() != other.Len() {
			return false
		}
		for i, key := range a.Keys() {
			theirs, has := other.Get(key)
			if !has || !Equal(a.values[i], theirs) {
				return false
			}
		}
		return true
	}
	return false
}

// Depth is the number of levels of objects and lists in v: 0 for a scalar, 1
// for a list of scalars. It never walks further than limit levels, and gives
// limit+1 for a value that is deeper.
func Depth(v Value, limit int) int {
	deepest := 0
	visit := func(child Value) {
		if deepest <= limit {
			deepest = max(deepest, Depth(child, limit-1))
		}
	}
	switch v := v.(type) {
	case []Value:
		if limit < 1 {
			return 1
		}
		for _, item := range v {
			visit(item)
		}
	case *Object:
		if limit < 1 {
			return 1
		}
		for _, item := range v.values {
			visit(item)
		}
	default:
		return 0
	}
	return deepest + 1
}
