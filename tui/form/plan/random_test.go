package plan_test

// This file makes random schemas and answers: whatever is given in the fields of a
// plan, each by its own rules, is an answer that the schema takes.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/form/plan"
)

type dice struct{ *rand.Rand }

func (d dice) one(of ...string) string { return of[d.IntN(len(of))] }

// schema writes a random schema within a form's reach.
func (d dice) schema(level int) string {
	kinds := []string{"enum", "titled", "boolean", "number", "integer", "text", "nullable"}
	if level < 3 {
		kinds = append(kinds, "object", "object", "list", "reference")
	}
	switch d.one(kinds...) {
	case "enum":
		return d.one(`{"enum":["approve","revise"]}`, `{"enum":[1,2.5,"x",null,true]}`, `{"type":"string","enum":["a","b","c"]}`, `{"const":"fixed"}`)
	case "titled":
		return d.one(`{"oneOf":[{"const":"a","title":"A"},{"const":2}]}`, `{"anyOf":[{"enum":["a","b"]},{"const":null,"title":"None"}]}`)
	case "boolean":
		return d.one(`{"type":"boolean"}`, `{"type":["boolean","null"]}`)
	case "number":
		return d.one(`{"type":"number"}`, `{"type":"number","minimum":0,"maximum":1}`, `{"type":"number","multipleOf":0.25}`)
	case "integer":
		return d.one(`{"type":"integer"}`, `{"type":"integer","minimum":3}`, `{"type":"integer","exclusiveMaximum":9}`)
	case "text":
		low := d.IntN(4)
		return fmt.Sprintf(`{"type":"string","minLength":%d,"maxLength":%d}`, low, low+d.IntN(30))
	case "nullable":
		return d.one(`{"type":["string","null"]}`, `{"anyOf":[{"type":"number"},{"type":"null"}]}`, `{"type":["integer","null"],"minimum":2}`)
	case "list":
		item := d.schema(level + 1)
		for strings.HasPrefix(item, `{"type":"array"`) { // which is JSON
			item = d.schema(level + 1)
		}
		return fmt.Sprintf(`{"type":"array","minItems":%d,"items":%s}`, d.IntN(3), item)
	case "reference":
		return `{"$ref":"#/$defs/` + d.one("name", "place") + `"}`
	}
	if d.IntN(4) == 0 {
		return fmt.Sprintf(`{"allOf":[%s,{"properties":{"extra":{"type":"boolean"}},"required":["extra"]}]}`, d.object(level))
	}
	return d.object(level)
}

func (d dice) object(level int) string {
	var properties, required []string
	for i := range 1 + d.IntN(5) {
		name := fmt.Sprintf("p%d", i)
		properties = append(properties, fmt.Sprintf("%q:%s", name, d.schema(level+1)))
		if d.IntN(2) == 0 {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(properties, ","), strings.Join(required, ","))
}

// fill gives a valid value in an entry by what its field says of itself alone.
func (d dice) fill(e *plan.Entry) {
	f := e.Field
	if !f.Required && e.Place() < 0 && d.IntN(3) == 0 {
		return
	}
	switch f.Kind {
	case plan.Choice:
		e.Chosen = d.IntN(len(f.Choices))
	case plan.Number:
		// Each number of the schemas above takes one of these.
		switch {
		case strings.Contains(f.Expects, "at least 3"), strings.Contains(f.Expects, "at least 2"):
			e.Text = "7"
		case strings.Contains(f.Expects, "at most 1"):
			e.Text = d.one("0", "1", "0.5", "25e-2")
		case f.Whole:
			e.Text = d.one("0", "-4", "8", "1e0")
		default:
			e.Text = d.one("0", "-4.25", "1e3", " 12.5 ")
		}
	case plan.Text:
		most := f.Most
		if most < 0 {
			most = 40
		}
		n := f.Least
		if most > n {
			n += d.Int64N(most - n + 1)
		}
		if e.Text = strings.Repeat("é", int(n)); n == 0 {
			e.Blank = plan.Empty
		}
	case plan.Object:
		for _, each := range e.Fields {
			d.fill(each)
		}
	case plan.List:
		for range f.Least + d.Int64N(3) {
			item := e.Add(len(e.Items))
			d.fill(item)
			if !item.Given() && item.Field.Kind == plan.Object {
				item.Blank = plan.Empty
			}
		}
	}
}

func TestWhatFieldsTakeTheSchemaTakes(t *testing.T) {
	t.Parallel()
	const defs = `"$defs":{"name":{"type":"string","minLength":1,"maxLength":20},"place":{"type":"object","required":["city"],"properties":{"city":{"type":"string","minLength":1},"zip":{"type":"integer"}}}}`
	fields := 0
	for seed := range uint64(4000) {
		d := dice{rand.New(rand.NewPCG(seed, 7))}
		text := d.schema(0)
		if d.IntN(3) > 0 {
			text = d.object(0)
		}
		text = "{" + defs + "," + text[1:]
		written := parse(t, text)
		p := plan.New(written)
		if p.Unchecked {
			t.Fatalf("seed %d: the schema cannot be read: %s", seed, text)
		}
		root := p.Entry()
		d.fill(root)
		root.Each(func(e *plan.Entry) {
			fields++
			if e.Field.Kind == plan.JSON {
				t.Fatalf("seed %d: %s is JSON because %s: %s", seed, e.Label(), e.Field.Because, text)
			}
		})
		reading := p.Read(root)
		rules, problems := schema.FromValue(written)
		if rules == nil {
			t.Fatal(problems)
		}
		if len(reading.Issues) > 0 || !reading.Complete {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, reading.Issues, text, value.JSON(reading.Answer))
		}
		if issues, err := rules.Validate(reading.Answer); err != nil || len(issues) > 0 {
			t.Fatalf("seed %d: %v %v\n%s\n%s", seed, issues, err, text, value.JSON(reading.Answer))
		}
		again := p.Entry()
		again.Restore(root.Draft())
		if got := p.Read(again).Answer; !value.Equal(got, reading.Answer) || value.JSON(again.Draft()) != value.JSON(root.Draft()) {
			t.Fatalf("seed %d: a draft lost something: %s, was %s", seed, value.JSON(got), value.JSON(reading.Answer))
		}
	}
	if fields < 10_000 {
		t.Errorf("only %d fields were made", fields)
	}
}
