package liquid

// This file checks the package's face: what a template says about itself, what
// it renders, and how it fails.

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// mustParse parses a template that has no problems.
func mustParse(t testing.TB, text string, options Options) *Template {
	t.Helper()
	template, problems := Parse(text, options)
	if len(problems) > 0 {
		t.Fatalf("%q: %v", text, problems)
	}
	return template
}

const exampleInput = `{"name": "Ada", "tags": ["red", "new"], "expense": {"total": 12.5, "of": "travel"},
"items": [{"name": "Pen", "price": 2.5, "stock": true, "note": "blue"}, {"name": "Ink", "price": 10, "stock": false, "note": null}],
"exact": 9007199254740993, "none": null, "sys": "{% system %}x{% endsystem %}{{ name }}"}`

func example(t testing.TB) map[string]value.Value {
	t.Helper()
	return map[string]value.Value{"input": parsed(t, exampleInput), "today": "2026-10-01", "now": "2026-10-01T12:00:00.000Z"}
}

func TestRender(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want Rendered
	}{
		{"{% system %}You review for {{ input.name }}.{% endsystem %}\nReview: {{ input.expense | json }}",
			Rendered{"You review for Ada.", true, "\nReview: {\"total\":12.5,\"of\":\"travel\"}"}},
		{"Hello", Rendered{"", false, "Hello"}},
		{" a {% system %} b {% endsystem %} c ", Rendered{" b ", true, " a  c "}},
		{"{% system %}{% assign who = input.name | upcase %}{% endsystem %}{{ who }}", Rendered{"", true, "ADA"}},
		{"{{ input.sys }}", Rendered{"", false, "{% system %}x{% endsystem %}{{ name }}"}},
		{"a{% break %}b{% system %}c{% endsystem %}", Rendered{"", false, "a"}},
		{"a{% system %}b{% break %}c{% endsystem %}d", Rendered{"b", true, "a"}},
		{"{{ input.tags }}|{{ input.expense }}|{{ input.none }}", Rendered{"", false, "rednew|[object Object]|"}},
		{"{{ input.nickname | default: \"friend\" }}{% if input.vip %}!{% endif %}", Rendered{"", false, "friend"}},
		{"{{ \"😀\" | split: \"\" | first }}|{{ \"😀\" | split: \"\" | join: \"\" }}|{{ \"😀\" | split: \"\" | json }}",
			Rendered{"", false, "\uFFFD|😀|[\"\\ud83d\",\"\\ude00\"]"}},
		{"{{ input.exact }} {{ input.exact | plus: 0 }}", Rendered{"", false, "9007199254740992 9007199254740992"}},
	} {
		template := mustParse(t, c.text, Options{Names: promptNames, System: true})
		got, err := template.Render(example(t), Limits{Time: time.Minute})
		if err != nil || got != c.want {
			t.Errorf("%q\ngot  %+v, %v\nwant %+v", c.text, got, err, c.want)
		}
	}
}

var promptNames = map[string]Shape{"input": nil, "today": nil, "now": nil}

func TestRenderErrors(t *testing.T) {
	t.Parallel()
	const missing, filter, limit = MissingField, FilterRefused, LimitReached
	for _, c := range []struct {
		text string
		want RenderError
	}{
		{"a\n{{ input.brief }}", RenderError{2, 10, missing, "/input/brief", "input.brief is missing"}},
		{"{{ input.expense.a.b }}", RenderError{1, 18, missing, "/input/expense/a", "input.expense.a is missing"}},
		{"{{ input[\"a/b~c\"] }}", RenderError{1, 10, missing, "/input/a~1b~0c", "input.a/b~c is missing"}},
		{"{{ input.constructor }}", RenderError{1, 10, missing, "/input/constructor", "input.constructor is missing"}},
		{"{{ input.tags[9] }}", RenderError{1, 15, missing, "/input/tags/9", "input.tags[9] is missing"}},
		{"{{ input.items.last.cost }}", RenderError{1, 21, missing, "/input/items/1/cost", "input.items.last.cost is missing"}},
		{"{% for i in input.items reversed %}{{ i.cost }}{% endfor %}", RenderError{1, 41, missing, "/input/items/1/cost", "i.cost is missing"}},
		{"{% for i in input.items offset: 1 %}{{ i.cost }}{% endfor %}", RenderError{1, 42, missing, "/input/items/1/cost", "i.cost is missing"}},
		{"{% assign x = input.items[1] %}{{ x.cost }}", RenderError{1, 37, missing, "/input/items/1/cost", "x.cost is missing"}},
		{"{% assign x = input.items | first %}{{ x.cost }}", RenderError{1, 42, missing, "", "x.cost is missing"}},
		{"{% for p in input.expense %}{{ p.zip }}{% endfor %}", RenderError{1, 34, missing, "", "p.zip is missing"}},
		{"{% if false %}{% assign x = 1 %}{% endif %}{{ x }}", RenderError{1, 47, missing, "", "x is missing"}},
		{"{% assign x = input.nope %}", RenderError{1, 21, missing, "/input/nope", "input.nope is missing"}},
		{"{% case input.nope %}{% when 1 %}{% endcase %}", RenderError{1, 15, missing, "/input/nope", "input.nope is missing"}},
		{"{% if input[input.nope] %}{% endif %}", RenderError{1, 19, missing, "/input/nope", "input.nope is missing"}},
		{"{{ input.a | default: input.b }}", RenderError{1, 29, missing, "/input/b", "input.b is missing"}},
		{"{{ input.items\n | where: \"cost\", 1 }}", RenderError{2, 4, missing, "", "cost is missing from an item"}},
		{"{{ input.name\n | money }}", RenderError{2, 4, filter, "", "money takes a number, or text that is a decimal number"}},
		{"{{ \"*\" | base64_decode }}", RenderError{1, 10, filter, "", "base64_decode takes base64 text"}},
		{"{{ false | default: 1, 2 }}", RenderError{1, 12, filter, "", "default takes one value, and allow_false: true"}},
		{"{{ input.items | where: \"[x\" }}", RenderError{1, 18, filter, "", "Expected the name of a property, not \"[x\""}},
		{"{{ 1 | plus: (1..1000000000) }}", RenderError{1, 14, limit, "", "Filters and ranges use more than 5,000,000 characters or items"}},
		{"a\n{% for i in (1..90000) %}abc{% endfor %}", RenderError{2, 26, limit, "", "The rendered message is longer than 200,000 characters"}},
		{"{% system %}{% for i in (1..90000) %}abc{% endfor %}{% endsystem %}a", RenderError{1, 38, limit, "", "The rendered instructions are longer than 200,000 characters"}},
	} {
		template := mustParse(t, c.text, Options{Names: promptNames, System: true})
		_, err := template.Render(example(t), Limits{Time: time.Minute})
		var failure *RenderError
		if !errors.As(err, &failure) {
			t.Errorf("%q gives %v", c.text, err)
		} else if *failure != c.want {
			t.Errorf("%q\ngot  %+v\nwant %+v", c.text, *failure, c.want)
		}
	}
}

func TestTimeLimit(t *testing.T) {
	t.Parallel()
	template := mustParse(t, "{% for i in (1..1000000) %}{% endfor %}", Options{})
	now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	looks := 0
	clock := func() time.Time {
		looks++
		return now.Add(time.Duration(looks) * time.Millisecond)
	}
	_, err := template.Render(nil, Limits{Time: 40 * time.Millisecond, Clock: clock})
	var failure *RenderError
	if !errors.As(err, &failure) || failure.Kind != LimitReached || failure.Message != "Rendering takes longer than 40 ms" {
		t.Errorf("got %v", err)
	}
	if looks > 50 {
		t.Errorf("the clock was read %d times", looks)
	}
}

// Each limit holds exactly: what is allowed renders, one more does not.
func TestLimitsAreExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		limits Limits
		most   bool
	}{
		{"{{ (1..10) | size }}", Limits{Memory: 10}, true},
		{"{{ (1..11) | size }}", Limits{Memory: 10}, false},
		{"{{ \"abcde\" | upcase | downcase }}", Limits{Memory: 10}, true},
		{"{{ \"abcde\" | upcase | append: \"x\" }}", Limits{Memory: 10}, false},
		{"{{ \"ab😀\" | upcase }}", Limits{Memory: 4}, true},
		{"{{ \"ab😀\" | upcase }}", Limits{Memory: 3}, false},
		{"{{ \"a,b,c\" | split: \",\" | join: \"\" }}", Limits{Memory: 8}, true},
		{"{{ \"a,b,c\" | split: \",\" | join: \"\" }}", Limits{Memory: 7}, false},
		{"abé😀", Limits{Length: 5}, true},
		{"abé😀", Limits{Length: 4}, false},
		{"ab{% system %}cd{% endsystem %}e", Limits{Length: 3}, true},
		{"ab{% system %}cd{% endsystem %}ef", Limits{Length: 3}, false},
		{"ab{% system %}cdef{% endsystem %}", Limits{Length: 3}, false},
	} {
		c.limits.Time = time.Minute
		_, err := mustParse(t, c.text, Options{System: true}).Render(nil, c.limits)
		if (err == nil) != c.most {
			t.Errorf("%q with %d/%d: %v", c.text, c.limits.Memory, c.limits.Length, err)
		}
	}
}

func TestLoneValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"{{ input.expense }}", `{"total":12.5,"of":"travel"}`},
		{"{{- input.tags -}}", `["red","new"]`},
		{"{{- input.tags -}}  \n ", `["red","new"]`},
		{"{{ input.exact }}", `9007199254740993`},
		{"{{ input.none }}", `null`},
		{"{{ input.name == \"Ada\" }}", `true`},
		{"{{ input.name.size }}", `3`},
		{"{{ (1..3) }}", `[1,2,3]`},
		{"{{ nil }}", `null`},
		{"{{ blank }}", `""`},
		{"{{ 1 | divided_by: 0 }}", `null`},
		{"{{ input.tags | push: nil | push: (1..2) }}", `["red","new",null,[1,2]]`},
		{"{{ input.items | map: \"zip\" }}", `[null,null]`},
		{"{{ input.items | group_by: \"stock\" | first }}", `{"name":true,"items":[{"name":"Pen","price":2.5,"stock":true,"note":"blue"}]}`},
	} {
		template := mustParse(t, c.text, Options{Names: promptNames})
		v, err := template.Value(example(t), Limits{})
		if err != nil || !template.Lone() || value.JSON(v) != c.want {
			t.Errorf("%q: %v, %v, want %s", c.text, v, err, c.want)
		}
	}
	for _, text := range []string{" {{ input.tags }}", "{{ input.tags }}\n", "{{ 1 }}{{ 2 }}", "{% echo 1 %}", "{% # a %}{{ 1 }}", "a", ""} {
		if template := mustParse(t, text, Options{}); template.Lone() {
			t.Errorf("%q is no lone output", text)
		} else if v, err := template.Value(example(t), Limits{}); err != nil || value.TypeName(v) != "string" {
			t.Errorf("%q gives %v, %v, want its text", text, v, err)
		}
	}
	_, err := mustParse(t, "{{ input.none.list | compact | first }}", Options{}).Value(example(t), Limits{})
	var failure *RenderError
	if !errors.As(err, &failure) || failure.Kind != MissingField || failure.Line != 1 {
		t.Errorf("what has no value gives %v", err)
	}
}

func TestStructuresInText(t *testing.T) {
	t.Parallel()
	limits := Limits{RefuseStructures: true}
	for text, want := range map[string]string{
		"a\n{{ input.tags }}":                        "Expected text beside other text, not a list; use json",
		"a\n{{ input.expense }}":                     "Expected text beside other text, not an object; use json",
		"a\n{% echo (1..2) %}":                       "Expected text beside other text, not a list; use json",
		"a\n{% cycle input.tags %}":                  "Expected text beside other text, not a list; use json",
		"a\n{{ input.tags | json }}{{ input.name }}": "",
	} {
		_, err := mustParse(t, text, Options{}).Render(example(t), limits)
		var failure *RenderError
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want != "" && (!errors.As(err, &failure) || failure.Kind != Structure || failure.Line != 2 || failure.Message != want):
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want bool
	}{
		{"{{ input.a }}", true},
		{"{% if true %}{% else %}{{ a[input.b] }}{% endif %}", true},
		{"{{ [\"input\"] }}", true},
		{"{{ [today] }}", true},
		{"{{ 1 | plus: input }}", true},
		{"{% for i in (1..2) limit: input.n %}{% endfor %}", true},
		{"{% case 1 %}{% when input %}{% endcase %}", true},
		{"{{ a.input }}{{ \"input\" }}", false},
		{"{% for input in (1..2) %}{{ input }}{% endfor %}", false},
		{"{{ 1 | default: 2, input: 3 }}", false},
		{"input {% comment %}{{ input }}{% endcomment %}{% raw %}{{ input }}{% endraw %}", false},
		{numbered(20, "{{ a%d }}"), false},
		{numbered(20, "{{ a%d }}") + "{{ input }}", true},
	} {
		if got := mustParse(t, c.text, Options{}).Reads("input"); got != c.want {
			t.Errorf("%q reads input: %v", c.text, got)
		}
	}
}

// One template serves any number of renders at once, each with its own state.
func TestConcurrentRenders(t *testing.T) {
	t.Parallel()
	template := mustParse(t, briefTemplate, briefOptions)
	counting := mustParse(t, "{% increment n %}{% for i in (1..3) %}{% cycle \"a\", \"b\" %}{% assign n2 = i %}{% endfor %}{{ n2 }}{{ n }}", Options{})
	want, err := template.Render(briefVariables(t), Limits{Time: time.Minute})
	if err != nil || !strings.Contains(want.Message, "Budget: $364,028.50, of which $91,007 is for tests.") {
		t.Fatal(want, err)
	}
	variables := briefVariables(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if got, err := template.Render(variables, Limits{Time: time.Minute}); err != nil || got != want {
					t.Errorf("got %v, %v", got, err)
				}
				if got, err := counting.Render(nil, Limits{Time: time.Minute}); err != nil || got.Message != "0aba31" {
					t.Errorf("got %v, %v", got, err)
				}
			}
		})
	}
	group.Wait()
}

// A render leaves nothing behind for the next one, also when it fails.
func TestRendersAreAlike(t *testing.T) {
	t.Parallel()
	failing := mustParse(t, "{% assign x = \"left\" %}{% for i in (1..3) %}{{ i }}{{ x.nope }}{% endfor %}", Options{})
	reading := mustParse(t, "{{ x | default: \"clean\" }}{% for i in (1..2) offset: continue %}{{ i }}{% endfor %}", Options{})
	for range 20 {
		if _, err := failing.Render(nil, Limits{}); err == nil {
			t.Fatal("it renders")
		}
		if got, err := reading.Render(nil, Limits{}); err != nil || got.Message != "clean12" {
			t.Fatal(got, err)
		}
	}
}

func TestRendersShareAnAccount(t *testing.T) {
	t.Parallel()
	list, problems := Parse("{{ (1..1000) | size }}", Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	limits := Limits{Memory: 2_500, Account: &Account{}}
	for range 2 {
		if _, err := list.Render(nil, limits); err != nil {
			t.Fatal(err)
		}
	}
	var failure *RenderError
	if _, err := list.Value(nil, limits); !errors.As(err, &failure) || failure.Kind != LimitReached {
		t.Errorf("a third list gives %v", err)
	}

	now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	limits = Limits{Time: time.Second, Account: &Account{}, Clock: func() time.Time { return now }}
	for _, later := range []time.Duration{0, time.Second, 0} {
		now = now.Add(later)
		if _, err := list.Render(nil, limits); err != nil {
			t.Fatalf("after %v: %v", later, err)
		}
	}
	now = now.Add(time.Millisecond)
	if _, err := list.Render(nil, limits); !errors.As(err, &failure) || failure.Kind != LimitReached {
		t.Errorf("past the time of the account: %v", err)
	}
}
