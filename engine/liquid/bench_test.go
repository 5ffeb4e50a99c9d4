package liquid

// This file measures parsing and rendering.

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/value"
)

// briefTemplate is a prompt of the kind people write.
const briefTemplate = `{% system %}
You review campaign briefs for {{ input.company.name | default: "the company" }} on {{ today }}.
Use only the criteria you are given. Do not invent facts.
{% if input.strict %}Be strict: a missing number is a fault.{% else %}Be kind.{% endif %}
{% endsystem %}
# Brief

{{ input.brief | strip | clip: 2000 }}

Budget: {{ input.budget | money }}, of which {{ input.budget | times: 0.25 | round | money }} is for tests.

## Criteria
{% for criterion in input.criteria %}
{{ forloop.index }}. **{{ criterion.name | upcase }}**: {{ criterion.text }}
{%- if criterion.weight > 1 and criterion.required %} (counts {{ criterion.weight }} times){% endif %}
{% endfor %}
{% assign late = input.tasks | where: "late", true | map: "title" %}
{% unless late == empty %}Late tasks: {{ late | join: ", " }}.{% endunless %}
{% case input.tone %}{% when "formal" %}Write formally.{% when "warm", "friendly" %}Write warmly.{% else %}Write plainly.{% endcase %}
`

const briefInput = `{"company": {"name": "Acme"}, "strict": true, "brief": "  Launch the spring campaign in four markets, with a video and two posters.  ",
"budget": 364028.5, "tone": "warm", "criteria": [
{"name": "Goal", "text": "Names one measurable goal.", "weight": 2, "required": true},
{"name": "Audience", "text": "Says who it is for.", "weight": 1, "required": true},
{"name": "Timing", "text": "Gives a start and an end.", "weight": 3, "required": false}],
"tasks": [{"title": "Budget", "late": true}, {"title": "Video", "late": false}, {"title": "Posters", "late": true}]}`

func briefVariables(t testing.TB) map[string]value.Value {
	t.Helper()
	input, err := value.ParseJSON([]byte(briefInput), 100)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]value.Value{"input": input, "today": "2026-10-01", "now": "2026-10-01T12:00:00.000Z"}
}

var briefOptions = Options{Names: map[string]Shape{"input": nil, "today": nil, "now": nil}, System: true, Message: true}

func BenchmarkBriefParse(b *testing.B) {
	b.SetBytes(int64(len(briefTemplate)))
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := Parse(briefTemplate, briefOptions); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkLongParse(b *testing.B) {
	words := strings.Repeat("Say what is missing from the brief, and why it matters to the reader. ", 5)
	long := strings.Repeat(words+"\n{{ input.name }} {% if input.x %}y{% endif %}\n", 60_000/(len(words)+50))
	options := briefOptions
	options.System = false
	b.SetBytes(int64(len(long)))
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := Parse(long, options); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkBriefRender(b *testing.B) {
	variables := briefVariables(b)
	template, problems := Parse(briefTemplate, briefOptions)
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := template.Render(variables, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBriefBoth(b *testing.B) {
	variables := briefVariables(b)
	b.ReportAllocs()
	for b.Loop() {
		template, _ := Parse(briefTemplate, briefOptions)
		if _, err := template.Render(variables, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
