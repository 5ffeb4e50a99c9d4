package value

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func parsed(t *testing.T, text string) Value {
	t.Helper()
	v, err := ParseJSON([]byte(text), 1000)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestObjectKeepsJavaScriptsOrder(t *testing.T) {
	t.Parallel()
	keys := []string{"b", "10", "a", "2", "01", "-1", "4294967294", "4294967295", "", "0", "1.5", "b"}
	want := []string{"0", "2", "10", "4294967294", "b", "a", "01", "-1", "4294967295", "", "1.5"}
	set := &Object{}
	values := make([]Value, len(keys))
	for i, key := range keys {
		set.Set(key, float64(i))
		values[i] = float64(i)
	}
	built := Build(slices.Clone(keys), values)
	for name, object := range map[string]*Object{"Set": set, "Build": built} {
		if !slices.Equal(object.Keys(), want) {
			t.Errorf("%s: %q, want %q", name, object.Keys(), want)
		}
		if v, ok := object.Get("b"); !ok || v != 11.0 {
			t.Errorf("%s: b is %v, %t", name, v, ok)
		}
		for i, key := range want {
			at, v := object.At(i)
			if got, ok := object.Get(key); at != key || !ok || got != v || !object.Has(key) {
				t.Errorf("%s: %q is %v at its place and %v by its key", name, key, v, got)
			}
		}
		if object.Has("3") || object.Len() != len(want) {
			t.Errorf("%s: %d keys", name, object.Len())
		}
	}
}

func TestObjectOfManyKeys(t *testing.T) {
	t.Parallel()
	const count = 5000
	keys, values := make([]string, count), make([]Value, count)
	set := NewObject(0)
	for i := range count {
		keys[i], values[i] = fmt.Sprintf("k%d", (i*7919)%count), float64(i)
		set.Set(keys[i], values[i])
	}
	built := Build(slices.Clone(keys), slices.Clone(values))
	if !slices.Equal(set.Keys(), keys) || !slices.Equal(built.Keys(), keys) || !Equal(set, built) {
		t.Error("the order of added keys is not kept")
	}
	if v, _ := built.Get("k4999"); v == nil || set.Has("k5000") {
		t.Errorf("k4999 is %v", v)
	}
	// Integer-like keys, falling: Build takes no longer for them.
	for i := range count {
		keys[i] = fmt.Sprint(count - i)
	}
	built = Build(keys, values)
	if first, v := built.At(0); first != "1" || v != float64(count-1) {
		t.Errorf("the first key is %s: %v", first, v)
	}
}

func TestNilObjectReadsAsEmpty(t *testing.T) {
	t.Parallel()
	var none *Object
	if _, ok := none.Get("a"); ok || none.Len() != 0 || none.Keys() != nil || none.Has("a") {
		t.Error("a nil object has keys")
	}
	if !Equal(none, &Object{}) {
		t.Error("a nil object is not an empty one")
	}
}

func TestEqual(t *testing.T) {
	t.Parallel()
	groups := [][]string{
		{"null"}, {"true"}, {"false"}, {`""`}, {`"a"`, `"\u0061"`},
		{"0", "-0", "0.0", "0e9"}, {"1", "1.0", "10e-1"}, {"9007199254740993", "9.007199254740993e15"}, {"9007199254740992"}, {"1e-400"},
		{"[]"}, {"[1,2]", "[1.0, 2]"}, {"[2,1]"}, {"[1]"}, {"[[]]"},
		{"{}"}, {`{"a":1,"b":2}`, `{"b":2,"a":1.0}`}, {`{"a":1}`}, {`{"a":1,"c":2}`}, {`{"a":null}`}, {`{"b":null}`}, {`{"a":{"b":[1]}}`},
	}
	for i, left := range groups {
		for j, right := range groups {
			for _, l := range left {
				for _, r := range right {
					if got := Equal(parsed(t, l), parsed(t, r)); got != (i == j) {
						t.Errorf("%s equal to %s is %t", l, r, got)
					}
				}
			}
		}
	}
	if Equal(1, 1) {
		t.Error("an int is no JSON value")
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"1": 0, `"a"`: 0, "null": 0, "[]": 1, "{}": 1, "[1,2]": 1, "[[]]": 2, `{"a":{"b":{}},"c":1}`: 3, `[1,[2,[3]],[4]]`: 3,
	} {
		if got := Depth(parsed(t, text), 100); got != want {
			t.Errorf("%s is %d deep, want %d", text, got, want)
		}
	}
	deep := parsed(t, strings.Repeat("[", 500)+strings.Repeat("]", 500))
	if got := Depth(deep, 500); got != 500 {
		t.Errorf("%d", got)
	}
	for _, limit := range []int{0, 1, 10, 499} {
		if got := Depth(deep, limit); got != limit+1 {
			t.Errorf("%d within %d", got, limit)
		}
	}
}

func TestTypeName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		v    Value
		want string
	}{
		{nil, "null"}, {true, "boolean"}, {1.0, "number"}, {Exact("1e-400"), "number"}, {"", "string"}, {[]Value{}, "array"}, {&Object{}, "object"}, {1, "unknown"},
	} {
		if got := TypeName(test.v); got != test.want {
			t.Errorf("%v is %s, want %s", test.v, got, test.want)
		}
	}
}

func TestCharacters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "日本": 2, "😀": 1, "a😀b": 3, "e\u0301": 2, "\U0010FFFF": 1, "\uffff": 1} {
		if got := Characters(text); got != want {
			t.Errorf("%q has %d characters, want %d", text, got, want)
		}
	}
}
