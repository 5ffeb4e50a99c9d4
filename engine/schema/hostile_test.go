package schema

// Inputs that were made to stall a checker, each with how it must end.

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/engine/value"
)

// inTime does something that must work for a few seconds at most; a check that is
// not bounded works for minutes.
func inTime(t *testing.T, do func()) {
	t.Helper()
	effort.AtMost(t, 5*time.Second, do)
}

// chain gives definitions d0 to d(n-1), each made of two of the next by a
// pattern that takes the two references; the last one is last.
func chain(n int, pattern, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"d%d": `+pattern+", ", i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d": %s`, n, last)
	return b.String()
}

func TestDoublingReferencesEndInTooMuchWork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, instance string }{
		"allOf":                 {`{"$defs": {` + chain(30, `{"allOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"type": "string"}`) + `}, "$ref": "#/$defs/d0"}`, `"a"`},
		"anyOf":                 {`{"$defs": {` + chain(30, `{"anyOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"type": "string"}`) + `}, "$ref": "#/$defs/d0"}`, `1`},
		"oneOf":                 {`{"$defs": {` + chain(30, `{"oneOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"type": "string"}`) + `}, "$ref": "#/$defs/d0"}`, `1`},
		"anyOf at every level":  {`{"$defs": {"t": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/t"}, {"$ref": "#/$defs/t"}, {"$ref": "#/$defs/t"}]}}}, "$ref": "#/$defs/t"}`, strings.Repeat("[", 100) + "1" + strings.Repeat("]", 100)},
		"allOf at every level":  {`{"$defs": {"t": {"allOf": [{"items": {"$ref": "#/$defs/t"}}, {"items": {"$ref": "#/$defs/t"}}]}}, "$ref": "#/$defs/t"}`, strings.Repeat("[", 100) + strings.Repeat("]", 100)},
		"items of a long list":  {`{"$defs": {` + chain(12, `{"allOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"type": "number"}`) + `}, "items": {"$ref": "#/$defs/d0"}}`, "[" + strings.Repeat("1,", 20_000) + "1]"},
		"issues multiplied":     {`{"$defs": {` + chain(14, `{"allOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"type": "string"}`) + `}, "items": {"$ref": "#/$defs/d0"}}`, "[" + strings.Repeat("1,", 20_000) + "1]"},
		"a list compared often": {`{"$defs": {` + chain(10, `{"allOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"uniqueItems": true}`) + `}, "$ref": "#/$defs/d0"}`, "[" + numbers(50_000) + "]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, instance := compiled(t, c.schema), parse(t, c.instance)
			inTime(t, func() {
				if issues, err := s.Validate(instance); !errors.Is(err, ErrTooMuchWork) {
					t.Errorf("%d issues, error %v", len(issues), err)
				}
				s.Shape().Property("a")
				s.Shape().Items()
			})
		})
	}
}

func numbers(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(i)
	}
	return strings.Join(texts, ", ")
}

func TestLargeValuesAreCheckedInFull(t *testing.T) {
	t.Parallel()
	words := make([]string, 1000)
	for i := range words {
		words[i] = fmt.Sprintf(`"word number %d"`, i)
	}
	exact := make([]string, 1000)
	for i := range exact {
		exact[i] = fmt.Sprintf(`9007199254740993%03d`, i)
	}
	for name, c := range map[string]struct {
		schema, instance string
		issues           int
	}{
		"enum of 1,000 against 2,000 items":         {`{"items": {"enum": [` + strings.Join(words, ", ") + `]}}`, `["word number 999"` + strings.Repeat(`, "word number 999"`, 1999) + `]`, 0},
		"enum of 1,000 exact numbers":               {`{"items": {"enum": [` + strings.Join(exact, ", ") + `]}}`, `[9007199254740993999` + strings.Repeat(`, 9007199254740993999`, 1999) + `]`, 0},
		"enum of 1,000 that 2,000 items miss":       {`{"items": {"enum": [` + strings.Join(words, ", ") + `]}}`, `["no"` + strings.Repeat(`, "no"`, 1999) + `]`, 2000},
		"1 MiB of numbers":                          {`{"type": "array", "items": {"type": "integer", "minimum": 0}}`, "[" + strings.Repeat("1,", 1<<19-2) + "1]", 0},
		"1 MiB of wrong numbers":                    {`{"type": "array", "items": {"type": "string"}}`, "[" + strings.Repeat("1,", 1<<17) + "1]", 1<<17 + 1},
		"1 MiB of different items":                  {`{"uniqueItems": true}`, "[" + numbers(150_000) + "]", 0},
		"1 MiB of one text":                         {`{"type": "string", "maxLength": 10}`, `"` + strings.Repeat("ä", 1<<19) + `"`, 1},
		"an object of 20,000 unknown properties":    {`{"properties": {"a": {}}, "additionalProperties": false}`, properties(20_000), 20_000},
		"20,000 properties that miss names":         {`{"propertyNames": {"maxLength": 2}}`, properties(20_000), 20_000},
		"multiples of a tiny step":                  {`{"items": {"multipleOf": 1e-300}}`, "[" + strings.Repeat("1e300,", 2_000) + "0.5]", 0},
		"numbers of 1,000 digits":                   {`{"items": {"maximum": 1e308, "multipleOf": 0.01}}`, "[" + strings.Repeat("0."+strings.Repeat("7", 1000)+",", 200) + "1]", 200},
		"512 levels":                                {`{"$defs": {"l": {"type": "array", "items": {"$ref": "#/$defs/l"}}}, "$ref": "#/$defs/l"}`, strings.Repeat("[", 512) + strings.Repeat("]", 512), 0},
		"a long chain of definitions at 128 levels": {`{"$defs": {` + line(100) + `}, "$ref": "#/$defs/d0"}`, strings.Repeat("[", 128) + strings.Repeat("]", 128), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, instance := compiled(t, c.schema), parse(t, c.instance)
			inTime(t, func() {
				issues, err := s.Validate(instance)
				if err != nil || len(issues) != c.issues {
					t.Errorf("%d issues, want %d, error %v", len(issues), c.issues, err)
				}
			})
		})
	}
}

// line gives n definitions, each the next, the last one a list of the first.
func line(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, `"d%d": {"$ref": "#/$defs/d%d"}, `, i, i+1)
	}
	fmt.Fprintf(&b, `"d%d": {"items": {"$ref": "#/$defs/d0"}}`, n-1)
	return b.String()
}

func properties(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(`"key%d": %d`, i, i)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

func TestDeepValuesEndInTooMuchWork(t *testing.T) {
	t.Parallel()
	s := compiled(t, `{"$defs": {`+line(1000)+`}, "$ref": "#/$defs/d0"}`)
	deep := value.Value([]value.Value{})
	for range 100_000 {
		deep = []value.Value{deep}
	}
	inTime(t, func() {
		if _, err := s.Validate(deep); !errors.Is(err, ErrTooMuchWork) {
			t.Errorf("error %v", err)
		}
	})
}

func TestHostileSchemasAreRefused(t *testing.T) {
	t.Parallel()
	manyLoops := make([]string, 2000)
	for i := range manyLoops {
		manyLoops[i] = fmt.Sprintf(`"d%d": {"$ref": "#/$defs/d%d"}`, i, (i+1)%2000)
	}
	for name, c := range map[string]struct{ schema, want string }{
		"60 KB of lists":           {`{"enum": [` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + `]}`, "Expected at most 64 nested levels of objects and lists"},
		"60 KB of items":           {strings.Repeat(`{"items":`, 6_000) + "true" + strings.Repeat("}", 6_000), "Expected at most 64 nested levels of objects and lists"},
		"too many bytes":           {`{"description": "` + strings.Repeat("x", 70_000) + `"}`, "Expected a schema of at most 65,536 bytes as JSON"},
		"a wide schema of faults":  {`{"properties": {` + strings.TrimSuffix(strings.Repeat(`"a": {"type": 5}, `, 1), ", ") + `}}`, "Expected one of array, boolean, integer, null, number, object, string"},
		"1,001 values":             {`{"enum": [` + numbers(1001) + `]}`, "Expected at most 1,000 values"},
		"a ring of 2,000":          {`{"$defs": {` + strings.Join(manyLoops, ", ") + `}}`, "d0 refers to itself through d1, d2, d3, d4 and 1,995 others with no property or item in between"},
		"one definition in itself": {`{"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}`, "a refers to itself with no property or item in between"},
		"a name of 60 KB":          {`{"$ref": "#/$defs/` + strings.Repeat("n", 60_000) + `"}`, "Unknown definition " + strings.Repeat("n", 64) + "…"},
		"a step of nothing":        {`{"multipleOf": 1e-1000001}`, "Expected a number above 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema := parse(t, c.schema)
			inTime(t, func() {
				s, problems := FromValue(schema)
				if s != nil || len(problems) == 0 || len(problems) > 2 || problems[0].Message != c.want {
					t.Errorf("%d problems, %.500v", len(problems), problems)
				}
			})
		})
	}
}

func TestAHugeExponentIsNeverANumber(t *testing.T) {
	t.Parallel()
	if _, err := value.ParseJSON([]byte(`{"maximum": 1e1000001}`), 10); err == nil {
		t.Error("1e1000001 was read")
	}
	s := compiled(t, `{"minimum": 1e-1000001}`)
	for instance, valid := range map[string]bool{"0": false, "1e-1000001": true, "1e-1000002": false, "5e-324": true, "1": true} {
		if issues, err := s.Validate(parse(t, instance)); err != nil || (len(issues) == 0) != valid {
			t.Errorf("%s: %v %v", instance, issues, err)
		}
	}
}

// Faults whose words take work to find: nearest names and the ways of loops.
func TestManyFaultsTakeLittleTime(t *testing.T) {
	t.Parallel()
	list := func(n int, format string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
		}
		return strings.Join(all, ", ")
	}
	back := list(30_000, `{"$ref": "#/$defs/d0"}`)
	for name, schema := range map[string]string{
		"unknown definitions":                 `{"$defs": {` + list(10_000, `"name%d": {"$ref": "#/$defs/nam%de"}`) + `}}`,
		"definitions under the other keyword": `{"$defs": {` + list(10_000, `"name%d": {"$ref": "#/definitions/name%d"}`) + `}}`,
		"a long way with many ways back":      `{"$defs": {` + list(10_000, `"d%d": {"$ref": "#/$defs/d%d0"}`) + `, ` + chain(10_000, `{"anyOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, `{"allOf": [`+back+`]}`) + `}}`,
		"unknown types":                       `{"properties": {` + list(30_000, `"p%d": {"type": "strng"}`) + `}}`,
		"unknown keywords":                    `{"properties": {` + list(2_000, `"p%d": {"maxLenght%d": 5}`) + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := parse(t, schema)
			inTime(t, func() {
				s, problems := FromValue(v)
				if s != nil {
					problems = Warnings(s)
				}
				if len(problems) < 20 {
					t.Errorf("%d problems", len(problems))
				}
			})
		})
	}
}

// A schema of very many faults under one very long name would otherwise make
// gigabytes of pointers.
func TestProblemsAreBounded(t *testing.T) {
	t.Parallel()
	schema := parse(t, `{"properties": {"`+strings.Repeat("n", 100_000)+`": {"required": [`+strings.TrimSuffix(strings.Repeat("1, ", 50_000), ", ")+`]}}}`)
	inTime(t, func() {
		_, problems := FromValue(schema)
		total := 0
		for _, p := range problems {
			total += len(p.Pointer)
		}
		if len(problems) < 20 || total > 2*maxSaid {
			t.Errorf("%d problems with %d bytes of pointers", len(problems), total)
		}
	})
}
