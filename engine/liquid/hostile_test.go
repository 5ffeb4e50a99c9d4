package liquid

// This file feeds the engine templates that nobody means well with.

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// hostileBound is far above what any of these work for; what is not linear works
// for minutes.
const hostileBound = 10 * time.Second

// hostileSource is a template that must be refused, by which rule, and how
// many problems that makes at most.
type hostileSource struct {
	name, text string
	rule       problem.Rule
	most       int
}

func hostileSources() []hostileSource {
	full := func(piece string) string { return strings.Repeat(piece, (DefaultSource-64)/len(piece)) }
	long := func(piece string) string { return strings.Repeat(piece, (2*DefaultSource-64)/len(piece)) }
	const many = 1 << 20
	return []hostileSource{
		{"five megabytes", strings.Repeat("{{ input.a | upcase }}\n", 5<<20/23), problem.TemplateSize, 1},
		{"one line of five megabytes", strings.Repeat("a", 5<<20), problem.TemplateSize, 1},
		{"nested tags", strings.Repeat("{% if input.a %}", 20_000), problem.TemplateSize, 1},
		{"nested short tags", strings.Repeat("{%if 1%}", 8_000), problem.TooDeep, 2},
		{"nested liquid tags", "{% " + full("liquid ") + "echo 1 %}", problem.TooDeep, 2},
		{"parentheses", "{{ " + strings.Repeat("(", 20_000) + " }}", problem.TooDeep, 1},
		{"brackets", "{{ a" + strings.Repeat("[a", 20_000) + " }}", problem.TooDeep, 2},
		{"closed brackets", "{{ a" + strings.Repeat("[a", 20_000) + strings.Repeat("]", 20_000) + " }}", problem.TooDeep, 2},
		{"outputs without an end", long("{{ a "), problem.TemplateSyntax, many},
		{"quotes without an end", long("{{ ' "), problem.TemplateSyntax, many},
		{"quotes of both kinds", long("{{ ' \" ") + "}}", problem.TemplateSyntax, many},
		{"outputs that end late", long("{{ a ") + "}}", problem.TemplateSyntax, many},
		{"tags without an end", long("{% if "), problem.TemplateSyntax, many},
		{"tags that end late", long("{% if ") + "%}", problem.TemplateSyntax, many},
		{"tags and outputs that end late", long("{% if {{ a ") + "%}}}", problem.TemplateSyntax, many},
		{"raw that ends late", "{% raw %}" + long("{% endraw ") + "x", problem.TemplateSyntax, many},
		{"raw that never ends", long("{% raw %}{% endraw"), problem.TemplateSyntax, many},
		{"comments", long("{% comment %}{{"), problem.TemplateSyntax, many},
		{"unknown filters", long("{{a|b}}"), problem.UnknownFilter, many},
		{"unknown tags", long("{%a%}"), problem.UnknownTag, many},
		{"unknown names", full("{{a}}"), problem.UnknownName, many},
		{"unknown ends", full("{%endfor%}"), problem.TemplateSyntax, many},
		{"loops with names of their own", manyLoops(), problem.TemplateSize, many},
		{"loop options", "{% for a in input.a " + numbered(9_000, "o%d ") + "%}{% endfor %}", problem.TemplateSize, many},
		{"names", "{{ " + numbered(9_000, "n%d ") + "}}", problem.TemplateSize, many},
		{"assigned names", numbered(2_500, "{%% assign a%d = a%[1]d.b %%}"), problem.TemplateSize, many},
		{"filters", "{{ input.a " + full("| upcase") + " }}", problem.TemplateSize, many},
		{"operators", "{% if " + strings.Repeat("not ", 16_000) + "1 %}{% endif %}", problem.TemplateSize, many},
		{"one long name", "{{ " + strings.Repeat("n", 60_000) + " }}", problem.UnknownName, 1},
		{"bytes that are no text", "{{ \xff\xfe | \xed\xa0\x80 }}", problem.UnknownFilter, 3},
		{"a dash", "{{-}}{%-%}{{--}}{%--%}", problem.TemplateSyntax, 4},
	}
}

func numbered(count int, format string) string {
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, format, i)
	}
	return text.String()
}

func manyLoops() string {
	return numbered(1_800, "{%% for l%d in input.a %%}") + strings.Repeat("{% endfor %}", 1_800)
}

func TestHostileSources(t *testing.T) {
	t.Parallel()
	options := Options{Names: map[string]Shape{"input": nil}, System: true, Message: true}
	for _, c := range hostileSources() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var (
				template *Template
				problems []problem.Problem
			)
			effort.AtMost(t, hostileBound, func() { template, problems = Parse(c.text, options) })
			found := 0
			for _, p := range problems {
				if p.Rule == c.rule {
					found++
				}
				if len(p.Message) > 300 {
					t.Fatalf("a message of %d bytes", len(p.Message))
				}
			}
			if found == 0 || len(problems) > c.most {
				t.Errorf("%d problems, %d of %s; first %v", len(problems), found, c.rule, problems[:min(3, len(problems))])
			}
			// What has problems is never rendered, but must not break anything.
			if _, err := template.Render(nil, Limits{}); err != nil && !errors.As(err, new(*RenderError)) {
				t.Errorf("rendering fails with %T", err)
			}
		})
	}
}

func TestNestingThatParses(t *testing.T) {
	t.Parallel()
	const levels = nestingLimit
	for name, text := range map[string]string{
		"tags":        strings.Repeat("{%if 1%}", levels) + "deep" + strings.Repeat("{%endif%}", levels),
		"parentheses": "deep{% if " + strings.Repeat("(", levels) + "1" + strings.Repeat("..1)", levels) + " %}{% endif %}",
		"brackets":    "deep{% if input" + strings.Repeat("[input", levels) + strings.Repeat("]", levels) + " or true %}{% endif %}",
	} {
		template, problems := Parse(text, Options{MaxNames: 5000})
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		rendered, err := template.Render(map[string]value.Value{"input": nil}, Limits{Time: time.Minute})
		if err != nil || rendered.Message != "deep" {
			t.Errorf("%s: %q, %v", name, rendered.Message, err)
		}
	}
}

// hostileRenders are templates that parse and would run on, or take all memory.
var hostileRenders = []struct{ name, text string }{
	{"a range", "{{ (1..1000000000) | size }}"},
	{"a range of huge numbers", "{{ (9007199254740992..9007199254740994) | size }}"},
	{"a range to infinity", `{{ (1..input.inf) | size }}`},
	{"a printed range", "{{ (1..4999999) }}"},
	{"a loop over a range", "{% for i in (1..1000000000) %}x{% endfor %}"},
	{"loops in loops", "{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}"},
	{"empty loops over a list", "{% assign l = (1..2000) | map: \"x\" %}{% for a in l %}{% for b in l %}{% for c in l %}{% endfor %}{% endfor %}{% endfor %}"},
	{"doubling", "{% assign x = \"ab\" %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}{{ x | size }}"},
	{"doubling with replace", "{% assign x = \"ab\" %}{% for i in (1..60) %}{% assign x = x | replace: \"a\", x %}{% endfor %}"},
	{"replacing nothing", "{% assign x = \"ab\" %}{% for i in (1..60) %}{% assign x = x | replace: \"\", x %}{% endfor %}"},
	{"doubling lists", "{% assign x = (1..10) %}{% for i in (1..60) %}{% assign x = x | concat: x %}{% endfor %}"},
	{"lists in lists, printed", "{% assign x = \"a\" | split: \",\" %}{% for i in (1..60) %}{% assign x = x | push: x %}{% endfor %}{{ x }}"},
	{"empty lists in lists", "{% assign x = \"\" | split: \",\" %}{% for i in (1..60) %}{% assign x = x | push: x %}{% endfor %}{{ x }}"},
	{"lists in lists, joined", "{% assign x = \"a\" | split: \",\" %}{% for i in (1..60) %}{% assign x = x | push: x %}{% endfor %}{{ x | join: \",\" }}"},
	{"lists in lists, compared", "{% assign x = \"a\" | split: \",\" %}{% assign y = x %}{% for i in (1..60) %}{% assign x = x | push: x %}{% assign y = y | push: y %}{% endfor %}{% if x == y %}y{% endif %}"},
	{"lists in lists as JSON", "{% assign x = \"a\" | split: \",\" %}{% for i in (1..60) %}{% assign x = x | push: x %}{% endfor %}{{ x | json }}"},
	{"lists in lists as a number", "{% assign x = \"a\" | split: \",\" %}{% for i in (1..60) %}{% assign x = x | push: x %}{% endfor %}{{ x | plus: 1 }}{{ x | upcase }}"},
	{"a list that nests without end", "{% assign x = \"\" | split: \",\" %}{% for i in (1..200000) %}{% assign y = \"\" | split: \",\" | push: x %}{% assign x = y %}{% endfor %}{{ x }}{{ x | json }}"},
	{"a slice of a huge length", "{{ \"abc\" | slice: 0, 1000000000 }}"},
	{"indented JSON", "{% assign x = \"\" | split: \",\" %}{% for i in (1..3000) %}{% assign y = \"\" | split: \",\" | push: x | push: x %}{% assign x = y %}{% endfor %}{{ x | json: 10 }}"},
	{"sorting", "{{ (1..1600000) | reverse | sort | size }}{{ (1..1600000) | sort | size }}"},
	{"uniq", "{{ (1..2400000) | uniq | size }}{{ (1..100) | uniq }}"},
	{"a long output", "{% for i in (1..100000) %}abc{% endfor %}"},
	{"long instructions", "{% system %}{% for i in (1..100000) %}abc{% endfor %}{% endsystem %}m"},
	{"escaping", "{% assign x = \"&\" %}{% for i in (1..20) %}{% assign x = x | append: x %}{% endfor %}{{ x | escape }}"},
	{"table cells", "{% tablerow i in (1..1000000) cols: 3 %}{% endtablerow %}"},
	{"searching", "{% assign l = (1..100000) %}{% for i in l %}{% if l contains \"x\" %}{% endif %}{% endfor %}"},
	{"cycles", "{% for i in (1..10000000) %}{% cycle i: \"\", \"\" %}{% endfor %}"},
}

func TestHostileRenders(t *testing.T) {
	t.Parallel()
	variables := map[string]value.Value{"input": parsed(t, `{"inf": "Infinity"}`)}
	for _, c := range hostileRenders {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			template, problems := Parse(c.text, Options{System: true})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			var err error
			effort.AtMost(t, hostileBound, func() { _, err = template.Render(variables, Limits{Clock: fastClock()}) })
			var failure *RenderError
			if !errors.As(err, &failure) || failure.Kind != LimitReached || failure.Line != 1 {
				t.Errorf("got %v", err)
			}
		})
	}
}

// fastClock is a clock that goes on by 200 microseconds each time it is
// read, so that a time limit falls after a fixed amount of work.
func fastClock() func() time.Time {
	now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(200 * time.Microsecond)
		return now
	}
}

func parsed(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON([]byte(text), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
