package liquid

import (
	"strings"
	"testing"
)

func TestProse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ template, instructions, message string }{
		{"Brief: {{ input.brief | clip: 200 }} on {{ today }}", "", "Brief: **brief** on **today**"},
		{`{{ input.note | default: "a | b" }}{{ "x | y" | upcase }}`, "", `**note****"x | y"**`},
		{`{% if input.vip %}Dear {% else %}Hello {% endif %}`, "", "Dear when input.vip, otherwise Hello"},
		{`{% if input.vip %}Dear {% else %}Hello {% endif %}{{ input.name }}`, "", "Dear when input.vip, otherwise Hello **name**"},
		{`{% if a == 1 %}one{% elsif a == 2 %}two{% else %}many{% endif %}.`, "", "one when a == 1, two when a == 2, otherwise many."},
		{`You are{% unless input.member %} not{% endunless %} a member`, "", "You are not unless input.member a member"},
		{`{% for item in input.items %}{{ item.name }}{% unless forloop.last %}, {% endunless %}{% endfor %}`, "", "each item of input.items as **name**, separated by commas"},
		{`{% for item in input.items %}{{ item }} {% else %}none{% endfor %}`, "", "each item of input.items as **item**, otherwise none"},
		{"Dear reader,\n{% if input.vip %}\nThank you.\n{% elsif input.new %}\nWelcome.\n{% else %}\nHello.\n{% endif %}\nBye", "",
			"Dear reader,\n\n_When input.vip:_\n\nThank you.\n\n_Or when input.new:_\n\nWelcome.\n\n_Otherwise:_\n\nHello.\n\nBye"},
		{"{% unless input.vip -%}\n  No.\n{% endunless %}", "", "_Unless input.vip:_\n\nNo."},
		{"{% for item in input.items limit: 3 %}\n- {{ item.name }}: {{ item.price | money }}\n{% endfor %}", "", "_For each item of input.items limit: 3:_\n\n- **name**: **price**"},
		{"{% for a in input.a %}\n{% if a.b %}{{ a.b }}{% endif %}\n{% endfor %}", "", "_For each a of input.a:_\n\n**b** when a.b"},
		{"{% system %}Judge {{ input.what }}.\n{% if input.hard %}\nBe strict.\n{% endif %}{% endsystem %}\nHere: {{ input.text }}",
			"Judge **what**.\n\n_When input.hard:_\n\nBe strict.", "Here: **text**"},
		{"a{% comment %}{% raw %}{% endcomment %}{% endraw %} no {{ x }}{% endcomment %}b{% # no %}c{% raw %}{{ x }}{% endraw %}", "", "abc{{ x }}"},
		{`{% assign n = input.a | size %}{{ n }}{% case n %}{% when 1 %}one{% else %}more{% endcase %}`, "",
			`{% assign n = input.a | size %}**n**{% case n %}{% when 1 %}one{% else %}more{% endcase %}`},
		{"{% system %}{% endsystem %}Hi", "", "Hi"},
		{"", "", ""},
	} {
		template, problems := Parse(c.template, Options{System: true})
		if len(problems) > 0 {
			t.Errorf("%s: %v", c.template, problems)
		}
		instructions, message := template.Prose()
		if instructions.String() != c.instructions || message.String() != c.message {
			t.Errorf("%s\nreads as %q and %q\nwant %q and %q", c.template, instructions, message, c.instructions, c.message)
		}
		if has := strings.Contains(c.template, "{% system"); has != (instructions != nil) {
			t.Errorf("%s has instructions: %v", c.template, instructions != nil)
		}
	}
}

func TestProseTellsItsLines(t *testing.T) {
	t.Parallel()
	template, _ := Parse("one\n{{ input.two }}\n{% if input.x %}\nfour\n{% endif %}\n\nseven", Options{})
	_, message := template.Prose()
	lines := map[string]int{}
	for _, piece := range message {
		lines[strings.TrimSpace(piece.Text)] = piece.Line
	}
	for text, line := range map[string]int{"one": 1, "**two**": 2, "_When input.x:_": 3, "four": 4, "seven": 7} {
		if lines[text] != line {
			t.Errorf("%s is said to be on line %d, not %d: %v", text, lines[text], line, message)
		}
	}
}

func TestProseOfDeepAndLongTemplates(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nested on one line":   strings.Repeat("{% if a %}x", 2000) + strings.Repeat("{% endif %}", 2000),
		"nested on lines":      strings.Repeat("{% if a %}\nx", 2000) + strings.Repeat("{% endif %}", 2000),
		"loops one by another": strings.Repeat("{% for a in b %}{{ a }}{% endfor %}\n", 1800),
	} {
		template, _ := Parse(text, Options{MaxNames: 10_000})
		if _, message := template.Prose(); len(message.String()) > 10*len(text) || len(message) == 0 {
			t.Errorf("%s: %d bytes read as %d", name, len(text), len(message.String()))
		}
	}
}

func FuzzProse(f *testing.F) {
	for _, seed := range []string{"{% if a %}{% else %}{% endif %}", "{% for a in b %}\n{% endfor %}", "{% raw %}{% endraw %}", "{% endif %}{% else %}", "{% liquid\nif a\nendif %}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		template, _ := Parse(text, Options{System: true})
		instructions, message := template.Prose()
		if most := 40 * (len(text) + 10); len(instructions.String())+len(message.String()) > most {
			t.Errorf("%q gives %d bytes", text, len(message.String()))
		}
	})
}
