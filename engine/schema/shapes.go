package schema

// This file holds the output shapes: answers whose form has a name. A shape is
// a schema and the rules that no schema can say.

import (
	"slices"
	"sync"

	"github.com/beonauto/auto/engine/value"
)

// OutputShape is the form of an answer that output.shape names.
type OutputShape struct {
	name   string
	schema *Schema
	rules  func(answer *value.Object) []Issue
}

// Name is the shape's name, such as series.
func (o *OutputShape) Name() string { return o.name }

// Schema is the shape's schema, which providers get as they would get
// output.schema.
func (o *OutputShape) Schema() *Schema { return o.schema }

// Validate checks an answer against the shape's schema and its own rules. It
// gives every distinct issue, those of the schema first. The error is
// ErrTooMuchWork.
func (o *OutputShape) Validate(answer value.Value) ([]Issue, error) {
	issues, err := o.schema.Validate(answer)
	if err != nil {
		return nil, err
	}
	if object, ok := answer.(*value.Object); ok && o.rules != nil {
		issues = append(issues, o.rules(object)...)
	}
	return issues, nil
}

// OutputShapeNames are the names that output.shape may give.
func OutputShapeNames() []string {
	names := make([]string, len(shapes))
	for i, shape := range shapes {
		names[i] = shape.name
	}
	return names
}

// NamedOutputShape gives the shape of a name, and false for any other word.
func NamedOutputShape(name string) (*OutputShape, bool) {
	i := slices.IndexFunc(shapes, func(s namedShape) bool { return s.name == name })
	if i < 0 {
		return nil, false
	}
	return compiledShapes()[i], true
}

type namedShape struct {
	name   string
	schema string
	rules  func(answer *value.Object) []Issue
}

var shapes = []namedShape{
	{"series", seriesSchema, risingPoints},
	{"categories", categoriesSchema, nil},
	{"table", tableSchema, evenRows},
	{"text", textSchema, nil},
}

// compiledShapes compiles the schemas when the first one is asked for.
var compiledShapes = sync.OnceValue(func() []*OutputShape {
	compiled := make([]*OutputShape, len(shapes))
	for i, shape := range shapes {
		written, err := value.ParseJSON([]byte(shape.schema), MaxLevels)
		if err != nil {
			panic("schema: the " + shape.name + " shape is not JSON: " + err.Error())
		}
		schema, problems := FromValue(written)
		if len(problems) > 0 {
			panic("schema: the " + shape.name + " shape is no schema: " + problems[0].String())
		}
		compiled[i] = &OutputShape{name: shape.name, schema: schema, rules: shape.rules}
	}
	return compiled
})

const seriesSchema = `{
	"type": "object",
	"description": "Lines of values over time or another measure, as a line chart draws them.",
	"properties": {
		"unit": {"type": "string", "description": "The unit of every value, such as USD or %."},
		"lines": {
			"type": "array",
			"items": {
				"type": "object",
				"properties": {
					"name": {"type": "string", "description": "What the line shows."},
					"points": {
						"type": "array",
						"description": "The line's points in rising order of at, each at given once.",
						"items": {
							"type": "object",
							"properties": {
								"at": {"type": ["string", "number"], "description": "Where the point lies: a date or time in ISO 8601, or a number."},
								"value": {"type": "number"}
							},
							"required": ["at", "value"],
							"additionalProperties": false
						}
					}
				},
				"required": ["name", "points"],
				"additionalProperties": false
			}
		}
	},
	"required": ["lines"],
	"additionalProperties": false
}`

const categoriesSchema = `{
	"type": "object",
	"description": "One value for each category, as a bar chart draws them.",
	"properties": {
		"unit": {"type": "string", "description": "The unit of every value, such as USD or %."},
		"values": {
			"type": "array",
			"items": {
				"type": "object",
				"properties": {
					"name": {"type": "string", "description": "The category."},
					"value": {"type": "number"}
				},
				"required": ["name", "value"],
				"additionalProperties": false
			}
		}
	},
	"required": ["values"],
	"additionalProperties": false
}`

const tableSchema = `{
	"type": "object",
	"description": "A table.",
	"properties": {
		"columns": {
			"type": "array",
			"items": {
				"type": "object",
				"properties": {"name": {"type": "string", "description": "The column's heading."}},
				"required": ["name"],
				"additionalProperties": false
			}
		},
		"rows": {
			"type": "array",
			"items": {
				"type": "array",
				"description": "One cell for each column, in the order of the columns.",
				"items": {"type": ["string", "number", "boolean", "null"]}
			}
		}
	},
	"required": ["columns", "rows"],
	"additionalProperties": false
}`

const textSchema = `{
	"type": "object",
	"description": "A text.",
	"properties": {"text": {"type": "string"}},
	"required": ["text"],
	"additionalProperties": false
}`

// member gives a list that a property holds, and nil for anything else.
func member(object value.Value, name string) []value.Value {
	within, _ := object.(*value.Object)
	held, _ := within.Get(name)
	list, _ := held.([]value.Value)
	return list
}

// risingPoints checks that the points of each line of a series come in rising
// order. Texts rise by their characters, as dates and times in ISO 8601 do.
func risingPoints(answer *value.Object) []Issue {
	var issues []Issue
	for l, line := range member(answer, "lines") {
		var before value.Value
		for p, point := range member(line, "points") {
			object, _ := point.(*value.Object)
			at, _ := object.Get("at")
			if typeOf(at)&(typeString|typeNumber) == 0 {
				continue // the schema refuses it
			}
			if before != nil {
				if message := rises(before, at); message != "" {
					pointer := value.JoinIndex(value.Join(value.JoinIndex("/lines", l), "points"), p)
					issues = append(issues, Issue{Pointer: value.Join(pointer, "at"), Message: message, keyword: "rising"})
				}
			}
			before = at
		}
	}
	return issues
}

// rises says what is wrong with a point's place after the one before it, and
// nothing when it is further on.
func rises(before, at value.Value) string {
	switch earlier := before.(type) {
	case string:
		later, ok := at.(string)
		switch {
		case !ok:
			return "Expected string, as the point before has"
		case later <= earlier:
			return "Expected a place after " + shown(before) + ", in rising order"
		}
	default:
		earlierNumber, _ := value.DecimalOf(earlier)
		laterNumber, ok := value.DecimalOf(at)
		switch {
		case !ok:
			return "Expected number, as the point before has"
		case laterNumber.Compare(earlierNumber) <= 0:
			return "Expected more than " + shown(before) + ", in rising order"
		}
	}
	return ""
}

// evenRows checks that every row of a table has a cell for each column.
func evenRows(answer *value.Object) []Issue {
	columns, _ := answer.Get("columns")
	if _, ok := columns.([]value.Value); !ok {
		return nil
	}
	want := int64(len(member(answer, "columns")))
	var issues []Issue
	for r, row := range member(answer, "rows") {
		if cells, ok := row.([]value.Value); ok && int64(len(cells)) != want {
			issues = append(issues, Issue{
				Pointer: value.JoinIndex("/rows", r), keyword: "cells",
				Message: "Expected " + things(want, "cell", "cells") + ", one for each column",
			})
		}
	}
	return issues
}
