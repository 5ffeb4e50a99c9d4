package value

import (
	"slices"
	"testing"
)

// TestLookup holds the examples of RFC 6901, section 5.
func TestLookup(t *testing.T) {
	t.Parallel()
	document := parsed(t, `{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,"deep":[{"x":[null]}]}`)
	for pointer, want := range map[string]string{
		"/foo": `["bar","baz"]`, "/foo/0": `"bar"`, "/foo/1": `"baz"`, "/": "0", "/a~1b": "1", "/c%d": "2", "/e^f": "3", "/g|h": "4",
		`/i\j`: "5", `/k"l`: "6", "/ ": "7", "/m~0n": "8", "/deep/0/x": "[null]", "/deep/0/x/0": "null",
	} {
		if v, found := Lookup(document, pointer); !found || JSON(v) != want {
			t.Errorf("%s is %s, %t; want %s", pointer, JSON(v), found, want)
		}
	}
	if v, found := Lookup(document, ""); !found || !Equal(v, document) {
		t.Error("the empty pointer is not the whole document")
	}
	for _, pointer := range []string{"foo", "/none", "/foo/2", "/foo/-", "/foo/01", "/foo/-1", "/foo/x", "/foo/0/x", "/foo/4294967295", "/m~n", "/m~2n", "/a/b", "//", "/foo/"} {
		if v, found := Lookup(document, pointer); found {
			t.Errorf("%s is %v", pointer, v)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for pointer, want := range map[string][]string{
		"": nil, "/": {""}, "//": {"", ""}, "/a": {"a"}, "/a/b": {"a", "b"}, "/a~1b/m~0n": {"a/b", "m~n"}, "/~01": {"~1"}, "/~0~1~0": {"~/~"}, "/é": {"é"}, "/a/0": {"a", "0"},
	} {
		tokens, err := Tokens(pointer)
		if err != nil || !slices.Equal(tokens, want) {
			t.Errorf("%s: %q, %v; want %q", pointer, tokens, err, want)
		}
		joined := ""
		for _, token := range tokens {
			joined = Join(joined, token)
		}
		if joined != pointer {
			t.Errorf("%s is put together as %s", pointer, joined)
		}
	}
	for _, pointer := range []string{"a", "a/b", "#/a", "/~", "/a~", "/~2", "/a~0b~", "/a/~x"} {
		if tokens, err := Tokens(pointer); err == nil {
			t.Errorf("%s: %q", pointer, tokens)
		}
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	if got := JoinIndex(Join(Join("", "a/b"), "c~d"), 12); got != "/a~1b/c~0d/12" {
		t.Error(got)
	}
}
