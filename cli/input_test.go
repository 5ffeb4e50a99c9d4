package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/value"
)

func TestSplitPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{
		"a":       {"a"},
		"a.b.0":   {"a", "b", "0"},
		`a\.b.c`:  {"a.b", "c"},
		`a\\.b`:   {`a\`, "b"},
		`a\b`:     {`a\b`},
		`a\`:      {`a\`},
		".a":      {"", "a"},
		"a..b":    {"a", "", "b"},
		"größe.x": {"größe", "x"},
	} {
		if diff := cmp.Diff(want, splitPath(path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func TestInput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		input string
		set   []string
		want  string // the input as JSON, or the error
	}{
		{"nothing", "", nil, `{}`},
		{"JSON", `{"b": 1, "a": [1, 2.50, 9007199254740993]}`, nil, `{"b":1,"a":[1,2.5,9007199254740993]}`},
		{"not an object", `[1]`, nil, `[1]`},
		{"text and JSON", "", []string{"a=x", "b=1", `c="1"`, "d=true", "e=null", `f={"g":[]}`, "h="}, `{"a":"x","b":1,"c":"1","d":true,"e":null,"f":{"g":[]},"h":""}`},
		{"a value with an equals sign", "", []string{"a=b=c"}, `{"a":"b=c"}`},
		{"a number that is no JSON", "", []string{"a=014", "b=1e400"}, `{"a":"014","b":"1e400"}`},
		{"over the input", `{"a": {"b": 1, "c": 2}}`, []string{"a.b=3", "a.d=4"}, `{"a":{"b":3,"c":2,"d":4}}`},
		{"into a list", `{"a": [{"b": 1}]}`, []string{"a.0.b=2", "a.1=3"}, `{"a":[{"b":2},3]}`},
		{"null becomes an object", `null`, []string{"a=1"}, `{"a":1}`},
		{"into a text", `{"a": "x"}`, []string{"a.b=1"}, "--set a.b: Expected an object or a list where b is set, found a string"},
		{"past a list", `{"a": []}`, []string{"a.1=1"}, "--set a.1: Expected an index from 0 to 0 where it says 1"},
		{"no index", `{"a": []}`, []string{"a.x=1"}, "--set a.x: Expected an index from 0 to 0 where it says x"},
		{"no path", "", []string{"=1"}, "--set =1: Expected path=value"},
		{"no value", "", []string{"a"}, "--set a: Expected path=value"},
		{"from standard input", "-", []string{"b=2"}, `{"a":1,"b":2}`},
		{"text from standard input", "", []string{"b=@-"}, `{"b":{"a":1}}`},
		{"broken JSON", "{\n  \"a\": tru\n}", nil, "--input, line 2, column 11: Expected JSON: invalid character '\\n' in literal true (expecting 'e')"},
		{"a file without its @", "input_test.go", nil, "--input: Expected JSON; write @input_test.go for what the file holds"},
		{"standard input twice", "-", []string{"b=@-"}, "Standard input is read once: only one flag can take it"},
		{"standard input for two fields", "", []string{"a=@-", "b=@-"}, "Standard input is read once: only one flag can take it"},
		{"no standard input", "-", []string{"b=c=@-"}, `{"a":1,"b":"c=@-"}`},
		{"no file", "@", nil, "--input: Expected the path of a file after @"},
		{"no file for a field", "", []string{"a=@"}, "--set a: Expected the path of a file after @"},
		{"bytes that are no text", "{\"a\": \"\xff\"}", nil, "--input: Expected text in UTF-8"},
		{"bytes for a field", "", []string{"a=\xff"}, "--set a: Expected text in UTF-8"},
		{"more than an input takes", "[" + strings.Repeat("1,", 200_000) + "1]", nil, "The input is too large"},
		{"deep JSON", strings.Repeat("[", 2_000), nil, "--input: Expected JSON of at most 1000 levels"},
	} {
		s, _, _ := streams(`{"a": 1}`)
		a := &app{Streams: &s}
		if got := read(a, inputFlags{c.input, c.set}, nil); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// read gives an input as a schema reads it, or why it cannot be read.
func read(a *app, flags inputFlags, schema value.Value) string {
	written, err := a.input(flags)
	if err != nil {
		return err.Error()
	}
	input, err := written.by(schema)
	if err != nil {
		return err.Error()
	}
	return value.JSON(input)
}

func TestInputBySchema(t *testing.T) {
	t.Parallel()
	schema, err := value.ParseJSON([]byte(`{"type":"object","properties":{"id":{"type":"string"},"count":{"type":"integer"},
		"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}},"labels":{"type":"object","additionalProperties":{"type":"string"}},"any":{}}}`), 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		set  []string
		want string
	}{
		{"a text that is also JSON", []string{"id=7", "count=7"}, `{"id":"7","count":7}`},
		{"a text typed as JSON", []string{`id="014"`}, `{"id":"014"}`},
		{"what does not fit is for the run to refuse", []string{"count=seven"}, `{"count":"seven"}`},
		{"a list that is not there yet", []string{"items.0.name=7", "items.1.name=b"}, `{"items":[{"name":"7"},{"name":"b"}]}`},
		{"a list as JSON, then an item", []string{`items=[{"name":"a"}]`, "items.1.name=b"}, `{"items":[{"name":"a"},{"name":"b"}]}`},
		{"past a list that is not there yet", []string{"items.1.name=b"}, "--set items.1.name: Expected an index from 0 to 0 where it says 1"},
		{"names that are numbers", []string{"labels.0=7"}, `{"labels":{"0":"7"}}`},
		{"a list that nothing is said of", []string{"any.rows.0=7", "any.rows.1=x"}, `{"any":{"rows":[7,"x"]}}`},
		{"a name that no list begins with", []string{"any.2026=7"}, `{"any":{"2026":7}}`},
	} {
		s, _, _ := streams("")
		if got := read(&app{Streams: &s}, inputFlags{set: c.set}, schema); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func FuzzInput(f *testing.F) {
	f.Add(`{"a": [1]}`, "a.0.b=1")
	f.Add("null", `a\.b=@nowhere`)
	f.Fuzz(func(t *testing.T, input, set string) {
		s, _, _ := streams(input)
		s.Dir = t.TempDir()
		a := &app{Streams: &s}
		read(a, inputFlags{"-", []string{set}}, nil) // as long as it ends
	})
}

func TestMoment(t *testing.T) {
	t.Parallel()
	s, _, _ := streams("")
	a := &app{Streams: &s}
	for written, want := range map[string]string{
		"":                            "2026-11-01T09:30:00Z",
		"2026-10-05":                  "2026-10-05T00:00:00Z",
		"2026-10-05T01:00:00+02:00":   "2026-10-04T23:00:00Z",
		"2026-10-05T01:00:00.123456Z": "2026-10-05T01:00:00.123456Z",
		"2026-13-01":                  "",
		"tomorrow":                    "",
		"9999-12-31T23:59:59-00:01":   "",
		"0000-01-01T00:00:00+00:01":   "",
		"2026-10-05T01:00:00":         "",
		"2026-10-05 01:00":            "",
		"99999-01-01T00:00:00Z":       "",
	} {
		moment, err := a.moment(written)
		got := ""
		if err == nil {
			got = moment.Format("2006-01-02T15:04:05.999999999Z07:00")
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", written, got, want)
		}
	}
}
