package value

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestJSONPrintsAsJavaScript compares with JSON.stringify(JSON.parse(text)).
func TestJSONPrintsAsJavaScript(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join(fixtures, "json.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		var want struct {
			Text, Plain, Indented string
			Length                *int
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		v, err := ParseJSON([]byte(want.Text), 100)
		if err != nil {
			t.Errorf("%s: %v", want.Text, err)
			continue
		}
		if got := JSON(v); got != want.Plain {
			t.Errorf("%s prints as %s, want %s", want.Text, got, want.Plain)
		}
		if got := IndentedJSON(v, "  "); got != want.Indented {
			t.Errorf("%s prints as\n%s\nwant\n%s", want.Text, got, want.Indented)
		}
		if text, isText := v.(string); isText {
			if units := len(utf16.Encode([]rune(text))); units != *want.Length {
				t.Errorf("%s has %d UTF-16 units, want %d", want.Text, units, *want.Length)
			}
		}
	}
	if count < 30 {
		t.Errorf("only %d texts", count)
	}
}

func TestJSONOfWhatNoJSONHolds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		v    Value
		want string
	}{
		{math.NaN(), "null"}, {math.Inf(-1), "null"}, {math.Copysign(0, -1), "0"}, {"a\xffb", `"a` + "\ufffd" + `b"`}, {"\xff", `"` + "\ufffd" + `"`},
		{(*Object)(nil), "{}"}, {[]Value(nil), "[]"},
	} {
		if got := JSON(test.v); got != test.want {
			t.Errorf("%v prints as %s, want %s", test.v, got, test.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an int is no JSON value")
		}
	}()
	JSON(1)
}

func TestObjectWithinEncodingJSON(t *testing.T) {
	t.Parallel()
	object := NewObject(2)
	object.Set("b", "<")
	object.Set("a", Exact("9007199254740993"))
	printed, err := json.Marshal(map[string]any{"x": object})
	if err != nil || string(printed) != `{"x":{"b":"\u003c","a":9007199254740993}}` {
		t.Errorf("%s, %v", printed, err)
	}
}

func TestParseJSONErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text   string
		line   int
		reason string // a part of it
	}{
		{"", 1, "ends too early"},
		{"  \n ", 2, "ends too early"},
		{"{", 1, "ends too early"},
		{"[1,\n2", 2, "ends too early"},
		{`{"a":`, 1, "ends too early"},
		{`"abc`, 1, "ends too early"},
		{"[1,]", 1, ""},
		{"{\"a\":1,}", 1, ""},
		{"{a:1}", 1, ""},
		{"{'a':1}", 1, ""},
		{"[1\n2]", 2, ""},
		{"01", 1, ""},
		{"+1", 1, ""},
		{".5", 1, ""},
		{"5.", 1, ""},
		{"NaN", 1, ""},
		{"1e400", 1, "too large"},
		{"[\n1,\n-1e999]", 3, "too large"},
		{"\"\\x41\"", 1, ""},
		{"\"a\nb\"", 1, ""},
		{"1 2", 1, "after the JSON value"},
		{"{}\n\nx", 3, ""},
		{"{} ]", 1, ""},
		{"[1}", 1, ""},
		{"// c\n1", 1, ""},
		{"\ufeff1", 1, ""},
	} {
		v, err := ParseJSON([]byte(test.text), 10)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q gives %v, %v", test.text, v, err)
			continue
		}
		if syntax.Line != test.line || syntax.Column < 1 || !strings.Contains(syntax.Reason, test.reason) || syntax.Error() == "" {
			t.Errorf("%q: %v, want line %d and %q", test.text, syntax, test.line, test.reason)
		}
	}
}

func TestParseJSONDepth(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		depth int
		deep  bool
	}{
		{"1", 0, false}, {"[]", 0, true}, {"[]", 1, false}, {"[[1]]", 1, true}, {"[[1]]", 2, false},
		{`{"a":{"b":[]}}`, 2, true}, {`{"a":{"b":[]}}`, 3, false}, {strings.Repeat("[", 1_000_000), 512, true},
	} {
		_, err := ParseJSON([]byte(test.text), test.depth)
		if errors.Is(err, ErrTooDeep) != test.deep {
			t.Errorf("%.20s at %d: %v", test.text, test.depth, err)
		}
	}
}

func FuzzParseJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,2.5,"x",null,true],"1":{}}`, "[1e400]", `"\ud83d"`, "{", "9007199254740993", "\xff", `{"a":1,"a":2}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON(text, 64)
		if err != nil {
			var syntax *SyntaxError
			if !errors.Is(err, ErrTooDeep) && !errors.As(err, &syntax) {
				t.Fatalf("%v", err)
			}
			return
		}
		printed := JSON(v)
		again, err := ParseJSON([]byte(printed), 64)
		if err != nil || !Equal(v, again) || JSON(again) != printed || !json.Valid([]byte(IndentedJSON(v, "\t"))) {
			t.Fatalf("%s reads as %s, %v", printed, JSON(again), err)
		}
		if Depth(v, 64) > 64 {
			t.Fatalf("%s is too deep", printed)
		}
	})
}
