package liquid

// This file checks what is said about templates that are not right, and where.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/problem"
)

// object is a shape for tests: an object with these properties, closed unless
// it says it is open.
type object struct {
	properties map[string]Shape
	open       bool
}

func (o object) Property(name string) (Shape, bool) {
	shape, ok := o.properties[name]
	return shape, ok || o.open
}
func (o object) Items() Shape { return nil }
func (o object) PropertyNames() []string {
	var names []string
	for name := range o.properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// list is a shape for tests: a list of items.
type list struct{ items Shape }

func (l list) Property(string) (Shape, bool) { return nil, true }
func (l list) Items() Shape                  { return l.items }

var briefShape = object{properties: map[string]Shape{
	"brief":   nil,
	"tags":    list{},
	"account": object{properties: map[string]Shape{"name": nil, "plan": nil}},
	"items":   list{object{properties: map[string]Shape{"name": nil, "price": nil}}},
	"other":   list{object{properties: map[string]Shape{"label": nil}}},
	"notes":   object{open: true},
}}

var checkOptions = Options{Names: map[string]Shape{"input": briefShape, "today": nil, "now": nil}, System: true, Message: true}

// told writes problems as line:column rule: message, one a line.
func told(problems []problem.Problem) string {
	var text strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&text, "%d:%d %s: %s\n", p.Line, p.Column, p.Rule, p.Message)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		// The words of the language.
		{"{{ input.brief | moneyy }}", "1:18 unknown-filter: Unknown filter moneyy; did you mean money?"},
		{"{{ input.brief | zzz }}", "1:18 unknown-filter: Unknown filter zzz"},
		{"{{ input.brief\n  | upcase\n  | upcas }}", "3:5 unknown-filter: Unknown filter upcas; did you mean upcase?"},
		{"{{ now | date: \"%Y\" }}", "1:10 unknown-filter: The date filters are not available; use today, now or a date as text"},
		{"{{ input.tags | sample }}", "1:17 unknown-filter: sample is random; use first or slice"},
		{"{{ input.brief | sha256 }}", "1:18 unknown-filter: The digest filters are not available"},
		{"{{ input.brief | strip_html }}", "1:18 unknown-filter: strip_html is not available"},
		{"{{ input.brief | url_encode }}", "1:18 unknown-filter: The URL encoders are not available"},
		{"{{ input.items | where_exp: \"i\", \"i.x\" }}", "1:18 unknown-filter: where_exp evaluates an expression given as text; use where"},
		{"{{ input | jsonify }}", "1:12 unknown-filter: jsonify repeats json; use json"},
		{"{{ input.brief | append }}", "1:18 filter-arguments: append takes one argument"},
		{"{{ input.brief | prepend: 1, 2 }}", "1:18 filter-arguments: prepend takes one argument"},
		{"a{% capture x %}b{% endcapture %}", "1:2 unknown-tag: capture is not available; use assign with append"},
		{"a{% include \"x\" %}", "1:2 unknown-tag: include is not available: a function is a single document"},
		{"a{% block x %}b{% endblock %}", "1:2 unknown-tag: block is not available: a function is a single document"},
		{"a\n {% fro x in y %}b{% endfor %}", "2:2 unknown-tag: Unknown tag fro; did you mean for?"},
		{"a{% widget %}b{% endwidget %}", "1:2 unknown-tag: Unknown tag widget"},
		{"{% if 1 %}a{% endfi %}", "1:12 unknown-tag: Unknown tag endfi; did you mean endif?"},
		{"{% iff 1 %}a{% else %}b{% endif %}", "1:1 unknown-tag: Unknown tag iff; did you mean if?"},
		{"{% if false %}{{ input.brief | nope }}{% else %}a{% endif %}", "1:32 unknown-filter: Unknown filter nope"},

		// Names and properties.
		{"{{ inptu.brief }}", "1:4 unknown-name: Unknown name inptu; did you mean input?"},
		{"é {{ zzz }}", "1:6 unknown-name: Unknown name zzz"},
		{"{% for i in input.tags %}a{% endfor %}{{ i }}", "1:42 unknown-name: i is read outside its loop"},
		{"{{ input.brief upcase }}", "1:16 unknown-name: Unknown name upcase; a filter is written after |"},
		{"a{{ forloop.index }}", "1:5 unknown-name: Unknown name forloop"},
		{"{{ input.breif }}", "1:10 unknown-property: Unknown property breif; did you mean brief?"},
		{"{{ input[\"breif\"] }}", "1:10 unknown-property: Unknown property breif; did you mean brief?"},
		{"{% if input.vip %}a{% endif %}", "1:13 unknown-property: Unknown property vip"},
		{"{{ input.nick | default: \"a\" }}", "1:10 unknown-property: Unknown property nick"},
		{"{{ input.account.owner }}", "1:18 unknown-property: Unknown property owner"},
		{"{{ input.size }}", "1:10 unknown-property: Unknown property size"},
		{"{{ input.items[0].cost }}", "1:19 unknown-property: Unknown property cost"},
		{"{{ input.items.first.cost }}", "1:22 unknown-property: Unknown property cost"},
		{"{{ input.items[input.tags.size].cost }}", "1:33 unknown-property: Unknown property cost"},
		{"{% for i in input.items %}{{ i.cost }}{% endfor %}", "1:32 unknown-property: Unknown property cost"},
		{"{% for i in input.items limit: input.most %}a{% endfor %}", "1:38 unknown-property: Unknown property most"},
		{"{% assign a = input.account %}{{ a.nam }}", "1:36 unknown-property: Unknown property nam; did you mean name?"},
		{"{% assign l = input.items %}{% tablerow i in l %}{{ i.prise }}{% endtablerow %}", "1:55 unknown-property: Unknown property prise; did you mean price?"},
		{"{% for i in input.items %}{% assign x = i %}{% endfor %}{{ x.cost }}", "1:62 unknown-property: Unknown property cost"},
		{"{% if input.brief %}{% assign x = input.items[0] %}{% else %}{% assign x = input.account %}{% endif %}{{ x.zip }}",
			"1:108 unknown-property: Unknown property zip"},

		// The system block.
		{"a{% system %}b{% endsystem %}\n{% system %}c{% endsystem %}", "2:1 system-block: A template has at most one system block"},
		{"a{% if input.brief %}\n{% system %}b{% endsystem %}{% endif %}", "2:1 system-block: The system block must stand outside every other tag"},
		{"a{% system x %}b{% endsystem y %}", "1:12 system-block: system takes no arguments\n1:30 system-block: endsystem takes no arguments"},
		{"{% system %}b{% endsystem %}\n ", "1:1 empty-message: The message is empty whatever the input"},

		// Blocks that do not fit.
		{"a\n{% if 1 %}\nb", "2:1 template-syntax: if is not closed; expected endif"},
		{"{% for i in input.tags %}\n{% if i %}", "1:1 template-syntax: for is not closed; expected endfor\n2:1 template-syntax: if is not closed; expected endif"},
		{"{% for i in input.tags %}\n{% if i %}a\n{% endfor %}", "3:1 template-syntax: Expected endif before endfor"},
		{"a\n{% endif %}", "2:1 template-syntax: Unexpected endif"},
		{"a{% else %}", "1:2 template-syntax: else must stand directly in case, for, if or unless"},
		{"{% if 1 %}{% when 1 %}a{% endif %}", "1:11 template-syntax: when must stand directly in case"},
		{"{% if 1 %}a{% else %}b{% else %}c{% endif %}", "1:23 template-syntax: Unexpected second else"},
		{"{% if 1 %}a{% else 2 %}b{% endif 3 %}", "1:20 template-syntax: else takes no arguments\n1:34 template-syntax: endif takes no arguments"},
		{"a{% raw %}b", "1:2 template-syntax: raw is not closed; expected endraw"},
		{"a{% raw %}b{%- endraw %}", "1:2 template-syntax: raw is not closed; expected endraw"},
		{"a{% comment %}b", "1:2 template-syntax: comment is not closed; expected endcomment"},

		// Markup that does not read.
		{"{{ }}", "1:4 template-syntax: Expected a value"},
		{"a\n {{ input.brief", "2:2 template-syntax: Expected }} to end the output"},
		{"a {% if input.brief", "1:3 template-syntax: Expected %} to end the tag"},
		{"a {{ \"b }} c", "1:6 template-syntax: Expected \" to end the text before }}"},
		{"{{ input.brief {{ today }}", "1:16 template-syntax: Expected the end of this tag or output before {{"},
		{"{% if input.brief {% endif %}a", "1:19 template-syntax: Expected the end of this tag or output before {%"},
		{"{{ input.brief | }}{{ input.brief | | upcase }}", "1:16 template-syntax: Expected the name of a filter after |, which does nothing here\n1:37 template-syntax: Expected the name of a filter"},
		{"{{ input.brief | append \"x\" }}", "1:25 template-syntax: Expected : before the arguments of append"},
		{"{{ input.brief | replace: \"a\" \"b\" }}", "1:31 template-syntax: Expected a comma between arguments"},
		{"{{ input.brief ] 1 }}", "1:16 template-syntax: Expected | before a filter"},

		// The signs of other languages and of word processors.
		{"{{ input.brief = 1 }}", "1:16 template-syntax: Expected ==, found ="},
		{"{% if input.brief && input.count %}a{% endif %}", "1:19 template-syntax: Expected and, found &&"},
		{"{% if input.brief || input.count %}a{% endif %}", "1:20 template-syntax: Expected or, found ||"},
		{"a{% if input.brief %}b{% else if input.count %}c{% endif %}", "1:31 template-syntax: Expected elsif, found else if"},
		{"{{ input.brief | default: ‘a’ }}", "1:27 unknown-name: Expected straight quotes, found ‘"},
		{"{{ input.brief | append: “%d” }}", "1:26 template-syntax: Expected straight quotes, found “"},

		// A property that is read without what it belongs to.
		{"{{ brief }}", "1:4 unknown-name: Unknown name brief; did you mean input.brief?"},
		{"{{ (1) }}", "1:6 template-syntax: Expected .. and the end of a range; parentheses hold nothing else"},
		{"{{ (1..) }}", "1:8 template-syntax: Expected a value in a range"},
		{"{{ (1..2 }}", "1:9 template-syntax: Expected ) after a range"},
		{"{% %}a", "1:1 template-syntax: Expected the name of a tag"},
		{"{% assign = 1 %}a", "1:11 template-syntax: Expected a name"},
		{"{% assign x 1 %}a", "1:13 template-syntax: Expected = after the name"},
		{"{% for i of input.tags %}a{% endfor %}", "1:1 template-syntax: Expected for name in list"},
		{"{% tablerow i in %}a{% endtablerow %}", "1:1 template-syntax: Expected tablerow name in list"},
		{"{% case input.brief %}{% when , %}a{% endcase %}", "1:31 template-syntax: Expected a value"},
		{"a{% cycle %}", "1:2 template-syntax: Expected the values to cycle through"},
		{"a{% # b\n c %}", "2:2 template-syntax: Every line of a # comment starts with #"},
		{"a{% liquid\n  echo 1\n  nope\n  = 2\n%}", "3:3 unknown-tag: Unknown tag nope\n4:3 template-syntax: Expected the name of a tag at the start of a line"},

		// Everything at once, each on its own line.
		{"{{ a }}\n{{ input.b }}\n{{ today | c }}\n{% d %}\n{{ now |\n}}{% if %}{% endif %}\n{{ e",
			"1:4 unknown-name: Unknown name a\n2:10 unknown-property: Unknown property b\n3:12 unknown-filter: Unknown filter c\n" +
				"4:1 unknown-tag: Unknown tag d\n5:8 template-syntax: Expected the name of a filter after |, which does nothing here\n" +
				"6:8 template-syntax: Expected a value\n7:1 template-syntax: Expected }} to end the output"},
	} {
		if _, problems := Parse(c.text, checkOptions); told(problems) != c.want {
			t.Errorf("%q\ngot:\n%s\nwant:\n%s", c.text, told(problems), c.want)
		}
	}
}

// TestMistypedDelimiters has delimiters with a sign too few or the wrong one: each
// is named where it stands, and what follows is read as it was meant.
func TestMistypedDelimiters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Hi {{ today }", "1:13 template-syntax: Expected }} to end the output, found }"},
		{"Hi {{ today }\n{{ now }}", "1:13 template-syntax: Expected }} to end the output, found }"},
		{"{{ today } and {{ nope }}", "1:10 template-syntax: Expected }} to end the output, found }\n1:19 unknown-name: Unknown name nope"},
		{"{{ nope }", "1:4 unknown-name: Unknown name nope\n1:9 template-syntax: Expected }} to end the output, found }"},
		{"{{ today | upcase } {{ now }}", "1:19 template-syntax: Expected }} to end the output, found }"},
		{"{{ today | default: \"}\" } it's {{ now }}", "1:25 template-syntax: Expected }} to end the output, found }"},
		{"{{ today | } {{ now }}", "1:12 template-syntax: Expected }} to end the output, found }"},
		{"{{ today %}", "1:10 template-syntax: Expected }} to end the output, found %}"},
		{"{{ today\n}", "1:1 template-syntax: Expected }} to end the output"},
		{"{{{ today }}}", "1:3 template-syntax: Expected two braces, found {{{"},
		{"a {%", "1:3 template-syntax: Expected %} to end the tag"},
		{"{% if today }a{% endif %}", "1:13 template-syntax: Expected %} to end the tag, found }"},
		{"{% if today }}a{% endif %}", "1:13 template-syntax: Expected %} to end the tag, found }}"},
		{"{% if today == now % }a{% endif %}", "1:20 template-syntax: Expected %} to end the tag, found % }"},
		{"{% if today %}a{% else }b{% endif %}", "1:24 template-syntax: Expected %} to end the tag, found }"},
		{"{% for i in input.tags }{{ i }}{% endfor %}", "1:24 template-syntax: Expected %} to end the tag, found }"},
		{"{% for i in input.tags reversed }{{ i }}{% endfor %}", "1:33 template-syntax: Expected %} to end the tag, found }"},
		{"{% assign a = today }} {{ a }}", "1:21 template-syntax: Expected %} to end the tag, found }}"},
		{"{% if today }a", "1:1 template-syntax: if is not closed; expected endif\n1:13 template-syntax: Expected %} to end the tag, found }"},

		// What other languages write.
		{"{% if today %}a{% else if %}b{% endif %}", "1:24 template-syntax: Expected elsif, found else if"},
		{"{% if today %}a{% else if now %}b{% endif %}", "1:24 template-syntax: Expected elsif, found else if"},
		{"{% if today %}a{% elif now %}b{% endif %}", "1:16 unknown-tag: Unknown tag elif; did you mean elsif?"},
		{"{% if today %}a{% end %}b", "1:16 unknown-tag: Expected endif, found end"},
		{"a{% set %}", "1:2 unknown-tag: Unknown tag set; did you mean assign?"},
		{"{{ input.tags | length }}", "1:17 unknown-filter: Unknown filter length; did you mean size?"},
		{"{{ today + 1 }}", "1:10 template-syntax: Expected | plus:, found +"},
		{"{{ today - 1 }}", "1:10 unknown-name: Expected | minus:, found -"},
		{"{{ today ?? now }}", "1:10 unknown-name: Expected | default:, found ??"},
	} {
		if _, problems := Parse(c.text, checkOptions); told(problems) != c.want {
			t.Errorf("%q\ngot:\n%s\nwant:\n%s", c.text, told(problems), c.want)
		}
	}
}

// TestSingleBraces has values in text that were meant to be rendered, and text that
// was not.
func TestSingleBraces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Brief: { input.brief }}", "1:8 template-syntax: Expected {{ input.brief }}, found { input.brief }}, which is sent as it is"},
		{"a\n{input.account.name}", "2:1 template-syntax: Expected {{ input.account.name }}, found {input.account.name}, which is sent as it is"},
		{`{"brief": {"input": {"a": 1}}}`, ""},
		{"{ input }{input.}{input brief}{ input.brief", ""},
		{"{other.brief}{\ninput.brief\n}", ""},
		{"{% raw %}{input.brief}{% endraw %}", ""},
	} {
		_, problems := Parse(c.text, checkOptions)
		if told(problems) != c.want {
			t.Errorf("%q\ngot:\n%s\nwant:\n%s", c.text, told(problems), c.want)
		}
		for _, p := range problems {
			if p.Severity != problem.Warning {
				t.Errorf("%q is refused: %s", c.text, p.Message)
			}
		}
	}
}

func TestWithoutProblems(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{{ input.brief }}{{ today }}{{ now }}",
		"{{ input.account.size }}{{ input.account.name }}{{ input.notes.anything.at.all }}",
		"{{ input.tags.first.x }}{{ input.tags.size }}{{ input.tags.length }}",
		"{% for i in input.tags %}{{ i.x }}{{ forloop.index }}{% endfor %}",
		"{% for p in input.account %}{{ p[0] }}{% endfor %}",
		"{% assign x = input.items | first %}{{ x.anything }}",
		"{% assign x = input.account %}{% assign x = today %}{{ x.anything }}",
		"{% if input.brief %}{% assign x = input.items[0] %}{% else %}{% assign x = input.account %}{% endif %}{{ x.price }}{{ x.plan }}",
		"{% assign x = x.y %}{{ x.z }}",
		"{{ later }}{% assign later = 1 %}",
		"{% increment c %}{{ c }}{% decrement d %}{{ d }}{% cycle \"a\", \"b\" %}",
		"{% assign input = input.account %}{{ input.anything }}",
		"{% for i in input.tags offset: continue %}{{ i }}{% endfor %}",
		"{{ input.tags | default: \"x\", allow_false: true }}",
		"{% comment %}{{ nope | nope }}{% nope %}{% endcomment %}a",
		"{% raw %}{{ nope | nope }}{% nope %}{% endraw %}",
		"{% # {{ nope }} %}a",
		"{% system %}a{% endsystem %}{% for i in input.items %}{{ i.name }}{% endfor %}",
		"{% system %}{% assign a = today %}{% endsystem %}{{ a }}",
		"{{ input[today] }}{{ [today] }}",
		"",
	} {
		options := checkOptions
		options.Message = text != ""
		if _, problems := Parse(text, options); len(problems) > 0 {
			t.Errorf("%q\n%s", text, told(problems))
		}
	}
}

func TestEmptyMessages(t *testing.T) {
	t.Parallel()
	empty := []string{
		"", " \n\t", "{% system %}a{% endsystem %}", "{% assign x = 1 %}", "{{ \"\" }}{{ nil }}{{ empty }}", "{{ \" \" }}",
		"{% comment %}a{% endcomment %}", "{% if true %}{% else %}a{% endif %}", "{% if false %}a{% endif %}",
		"{% unless true %}a{% endunless %}", "{% if input.brief %} {% endif %}", "{% for i in input.tags %} {% endfor %}",
		"{% for i in empty %}a{% endfor %}", "{% case today %}{% endcase %}", "{% case today %}a{% when 1 %}{% endcase %}",
		"{% break %}a", "{% system %}{% break %}{% endsystem %}a", "{% raw %} {% endraw %}", "{% liquid\nassign x = 1\n%}",
		"{% cycle \"\", \" \" %}",
	}
	full := []string{
		"a", "{{ input.brief }}", "{{ \"\" | append: \"a\" }}", "{{ 0 }}", "{% if input.brief %}{% else %}a{% endif %}",
		"{% if true %}a{% endif %}", "{% unless input.brief %}{% elsif today %}a{% endunless %}",
		"{% for i in input.tags %}{% else %}a{% endfor %}", "{% tablerow i in input.tags %}{% endtablerow %}",
		"{% case today %}{% when 1 %}a{% endcase %}", "{% increment x %}", "{% echo today %}", "{% raw %}a{% endraw %}",
		"{% if input.brief %}{% break %}{% endif %}a", "{% for i in input.tags %}{% break %}{% endfor %}a", "{% cycle \"a\" %}",
	}
	for text, want := range map[*[]string]bool{&empty: true, &full: false} {
		for _, text := range *text {
			_, problems := Parse(text, checkOptions)
			got := slices.ContainsFunc(problems, func(p problem.Problem) bool { return p.Rule == problem.EmptyMessage })
			if got != want {
				t.Errorf("%q: empty %v, want %v (%s)", text, got, want, told(problems))
			}
		}
	}
}

func TestUnknownSystemBlock(t *testing.T) {
	t.Parallel()
	_, problems := Parse("{% system %}a{% endsystem %}", Options{})
	if want := "1:1 unknown-tag: Unknown tag system"; told(problems) != want {
		t.Errorf("got %s, want %s", told(problems), want)
	}
}

func TestSourceLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"as long as may be", strings.Repeat("😀", DefaultSource/2), ""},
		{"one more", strings.Repeat("😀", DefaultSource/2) + "a", "1:1 template-size: The template is longer than 65,536 characters"},
		{"long with another problem", strings.Repeat("a", DefaultSource) + "{{ x | y }}",
			"1:1 template-size: The template is longer than 65,536 characters\n1:65544 unknown-filter: Unknown filter y"},
		{"as many names as may be", strings.Repeat("{% if a.b and c %}{% endif %}\n", 166) + strings.Repeat("{{ a.b }}", 2), ""},
		{"one name more", strings.Repeat("{{ a.b }}\n", 500) + "{{ a }}", "501:4 template-size: Tags and outputs hold more than 1,000 names"},
		{"a tag's name too many", strings.Repeat("{{ a.b }}\n", 499) + "{% if a %}{% endif %}", "500:14 template-size: Tags and outputs hold more than 1,000 names"},
		{"words of the language are names", strings.Repeat("{% assign a = nil %}\n", 333) + "{{ a }}{{ true }}", "334:11 template-size: Tags and outputs hold more than 1,000 names"},
		{"text and numbers are no names", strings.Repeat("{% if 1 == \"a b c\" %}{% endif %}\n", 500), ""},
		{"names in a liquid tag", "{% liquid\n" + strings.Repeat("echo a.b\n", 334) + "%}", "335:1 template-size: Tags and outputs hold more than 1,000 names"},
		{"comments hold no names", strings.Repeat("{% # a b c d e f %}{% comment %}{{ a.b.c }}{% endcomment %}{% raw %}{{ a.b }}{% endraw %}", 250), ""},
		{"the ends of comments are names", strings.Repeat("{% comment %}{{ a.b.c }}{% endcomment %}{% raw %}{{ a.b }}{% endraw %}\n", 250) + "{% # x %}{{ a }}", "251:13 template-size: Tags and outputs hold more than 1,000 names"},
		{"comments in a liquid tag hold no names", "{% liquid\n" + strings.Repeat("# a b c d e f\ncomment\na b c\nendcomment\n", 450) + "%}", ""},
	} {
		_, problems := Parse(c.text, Options{})
		if told(problems) != c.want {
			t.Errorf("%s: got %s, want %s", c.name, told(problems), c.want)
		}
	}
}
