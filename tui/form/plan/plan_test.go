package plan_test

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/tui/form/plan"
)

func TestPlansOfAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, schema, want string }{
		{"a verdict with a note", `{"type":"object","required":["verdict"],"properties":{
			"verdict":{"type":"string","enum":["approve","revise"]},"note":{"type":"string","maxLength":2000}}}`, `
.: object required
  verdict: choice "Verdict" required (approve | revise)
  note: text "Note" long; at most 2,000 characters`},
		{"a decision with titles", `{"type":"object","required":["decision"],"additionalProperties":false,"properties":{
			"decision":{"title":"Your decision","oneOf":[{"const":"approve","title":"Approve it"},{"const":"revise","title":"Send it back"},{"const":"skip"}]}}}`, `
.: object required
  decision: choice "Your decision" required (Approve it=approve | Send it back=revise | skip)`},
		{"a budget and a date", `{"type":"object","required":["budget","due_date"],"properties":{
			"budget":{"type":"number","minimum":0,"maximum":50000,"multipleOf":0.01,"default":1200},"seats":{"type":"integer","exclusiveMinimum":0},
			"due_date":{"type":"string","format":"date","minLength":10,"maxLength":10}}}`, `
.: object required
  budget: number "Budget" required; at least 0, at most 50000, a multiple of 0.01; usually 1200
  seats: number "Seats" whole; more than 0
  due_date: text "Due date" required; a date such as 2026-10-31, 10 characters`},
		{"lists", `{"type":"object","properties":{
			"names":{"type":"array","minItems":1,"maxItems":5,"uniqueItems":true,"items":{"type":"string","maxLength":80}},
			"people":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":60},"lead":{"type":"boolean"}}}}}}`, `
.: object required
  names: list "Names"; 1 to 5 items, each once
    .: text; at most 80 characters
  people: list "People"
    .: object
      name: text "Name" required; at most 60 characters
      lead: choice "Lead" (Yes | No)`},
		{"an address by reference", `{"$defs":{"address":{"type":"object","title":"Where it goes","required":["city"],"properties":{"street":{"type":"string","maxLength":100},"city":{"type":"string","maxLength":100}}}},
			"type":"object","required":["address"],"properties":{"address":{"$ref":"#/$defs/address"}}}`, `
.: object required
  address: object "Where it goes" required
    street: text "Street"; at most 100 characters
    city: text "City" required; at most 100 characters`},
		{"a sign-in", `{"type":"object","required":["signed_in"],"properties":{"signed_in":{"type":"boolean"},"reason":{"type":"string","maxLength":500}},"additionalProperties":false}`, `
.: object required
  signed_in: choice "Signed in" required (Yes | No)
  reason: text "Reason" long; at most 500 characters`},
		{"allOf of objects", `{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"a":{"minimum":3},"b":{"const":"x"}},"required":["b"]}]}`, `
.: object required
  a: number "A" required whole; at least 3
  b: choice "B" required fixed (x)`},
		{"null beside a value", `{"type":"object","properties":{"a":{"type":["string","null"],"maxLength":9},"b":{"anyOf":[{"type":"integer"},{"type":"null"}]},"c":{"enum":["x",null]},"d":{"type":["boolean","null"]},"e":{"type":"null"}}}`, `
.: object required
  a: text "A" or null; at most 9 characters
  b: number "B" or null whole
  c: choice "C" (x | Nothing)
  d: choice "D" (Yes | No | Nothing)
  e: choice "E" (Nothing)`},
		{"a root that is no object", `{"enum":["yes","no"]}`, `.: choice required (yes | no)`},
		{"a boolean", `{"type":"boolean","title":"Shall we go on?"}`, `.: choice "Shall we go on?" required (Yes | No)`},
		{"values an enum lists and its type refuses", `{"type":"string","enum":["a",1,"b",null,"a"]}`, `.: choice required (a | b)`},
		{"what only JSON can hold, field by field", `{"$defs":{"tree":{"type":"object","properties":{"name":{"type":"string","format":"x"},"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}},
			"type":"object","required":["extra"],"properties":{
			"labels":{"type":"object","additionalProperties":{"type":"string"}},"pair":{"type":"array","prefixItems":[{"type":"string"}]},
			"tree":{"$ref":"#/$defs/tree"},"any":{},"mixed":{"type":["string","number"]},"shape":{"oneOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"b":{}}}]},
			"grid":{"type":"array","items":{"type":"array","items":{"type":"number"}}},"never":false,"empty":{"type":"object","additionalProperties":false}}}`, `
.: object required
  labels: JSON "Labels"; because its properties have any names
  pair: JSON "Pair"; because each of its items has a schema of its own
  tree: object "Tree"
    name: text "Name"
    children: JSON "Children"; because it holds itself
  any: JSON "Any"; because any value goes
  mixed: JSON "Mixed"; because it takes values of several types
  shape: JSON "Shape"; because it is one of several kinds of values
  grid: JSON "Grid"; because its items are no single values or objects
  never: JSON "Never"; because no value matches its schema
  empty: object "Empty"
  extra: JSON "Extra" required; because any value goes`},
		{"what no schema of a document may hold", `{"type":"object","properties":{"code":{"type":"string","pattern":"^[A-Z]+$"},"x":{"patternProperties":{"^a":{}}},"y":{"if":{},"then":{}}}}`, `
.: object required
  code: text "Code" long; matching ^[A-Z]+$
  x: JSON "X"; because its rules are more than a form can show
  y: JSON "Y"; because its rules are more than a form can show`},
		{"one of two properties", `{"type":"object","properties":{"mail":{"type":"string","format":"email"},"phone":{"type":"string","maxLength":20}},"anyOf":[{"required":["mail"]},{"required":["phone"]}]}`, `
.: object required
  mail: text "Mail"; an email address
  phone: text "Phone"; at most 20 characters`},
		{"draft-07: what stands beside a reference does not count", `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"n":{"type":"number"}},"type":"object","properties":{"a":{"$ref":"#/definitions/n","type":"string"}}}`, `
.: object required
  a: number "A"`},
		{"words that would steer a terminal", `{"type":"object","properties":{"a\u001b[2J":{"type":"boolean"},"b":{"title":"\u001b]0;x\u0007Note\nhere","type":"boolean"}}}`, `
.: object required
  a` + "\x1b" + `[2J: choice "A␛[2J" (Yes | No)
  b: choice "␛]0;x␇Note here" (Yes | No)`},
		{"names as people write them", `{"type":"object","properties":{"job_role":{"type":"boolean"},"dueDate":{"type":"boolean"},"":{"type":"boolean"},"URL":{"type":"boolean"}}}`, `
.: object required
  job_role: choice "Job role" (Yes | No)
  dueDate: choice "Due date" (Yes | No)
  : choice "Without a name" (Yes | No)
  URL: choice "URL" (Yes | No)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := outline(plan.New(parse(t, c.schema)).Root, "")
			got = strings.ReplaceAll(got, "  .: choice \"Without", "  : choice \"Without") // the property "" is no item
			if want := strings.TrimPrefix(c.want, "\n") + "\n"; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
