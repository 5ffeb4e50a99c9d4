package schema

// This file walks a schema once: it checks each keyword by the table and
// gathers what Validate needs.

import (
	"math"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// compiler is one walk through a schema.
type compiler struct {
	draft       draft
	problems    []problem.Problem
	said        int // bytes of problems so far
	definitions []*definition
	references  []pending
	combines    bool
	guesses     guesses
}

// maxSaid bounds the bytes of the problems of one schema. No schema written by
// hand comes near; one made to be hostile would hold thousands of problems
// under one very long name.
const maxSaid = 4 << 20

// spot is a place in the schema: a node and the way to it. The pointer is only
// written out when a problem needs it.
type spot struct {
	node *frontmatter.Node
	key  frontmatter.Key // the key it stands under, when it stands under one
	up   *spot
	item int // its place in a list when it stands under no key
	root string
}

// under is the i-th member of a mapping.
func (at *spot) under(i int) spot {
	return spot{node: at.node.Items[i], key: at.node.Keys[i], up: at}
}

// nth is the i-th item of a list.
func (at *spot) nth(i int) spot { return spot{node: at.node.Items[i], up: at, item: i} }

// propertyName is the name of the property whose schema a spot is, or a name that
// stands for one.
func (at *spot) propertyName() string {
	if at.key.Name == "" || at.up == nil || at.up.key.Name != "properties" {
		return "name"
	}
	return clip(at.key.Name)
}

// pointer writes the way to the spot, within the front matter.
func (at *spot) pointer() string {
	switch {
	case at.up == nil:
		return at.root
	case at.up.node.Kind == frontmatter.Mapping:
		return value.Join(at.up.pointer(), at.key.Name)
	}
	return value.JoinIndex(at.up.pointer(), at.item)
}

// wrong reports a problem with the value at a spot.
func (c *compiler) wrong(at *spot, rule problem.Rule, message string) {
	if !at.node.Refused {
		c.add(at.node.Line, at.node.Column, at, "", rule, message)
	}
}

// wrongKey reports a problem with the key of a spot.
func (c *compiler) wrongKey(at *spot, rule problem.Rule, message string) {
	c.add(at.key.Line, at.key.Column, at, "", rule, message)
}

// begins is where a mapping begins for its author: at its key, or at its own
// first one when it stands under none.
func (at *spot) begins() (line, column int) {
	if at.key.Line > 0 {
		return at.key.Line, at.key.Column
	}
	return at.node.Line, at.node.Column
}

// lacks reports a problem with a key that the mapping at a spot does not have.
func (c *compiler) lacks(at *spot, key string, rule problem.Rule, message string) {
	line, column := at.begins()
	c.add(line, column, at, key, rule, message)
}

func (c *compiler) add(line, column int, at *spot, missing string, rule problem.Rule, message string) {
	if c.said > maxSaid {
		return
	}
	pointer := at.pointer()
	if missing != "" {
		pointer = value.Join(pointer, missing)
	}
	c.said += len(pointer) + len(message)
	c.problems = append(c.problems, problem.Problem{
		Line: line, Column: column, Pointer: pointer,
		Rule: rule, Severity: problem.Refused, Message: message,
	})
}

// draftOf tells which draft a document is in: draft-07 when $schema says so, or
// when it uses definitions without $defs; 2020-12 otherwise.
func draftOf(root *frontmatter.Node) draft {
	if named, ok := root.Get("$schema").Value().(string); ok && strings.Contains(named, "draft-07") {
		return draft07
	}
	if root.Get("definitions") != nil && root.Get("$defs") == nil {
		return draft07
	}
	return draft2020
}

// size checks how large and how deep the schema is.
func (c *compiler) size(root *spot, written value.Value) {
	if deep := beyond(root, MaxLevels); deep != nil {
		c.wrong(deep, problem.SchemaSize, "Expected at most 64 nested levels of objects and lists")
	}
	if len(value.JSON(written)) > MaxBytes {
		c.wrong(root, problem.SchemaSize, "Expected a schema of at most 65,536 bytes as JSON")
	}
}

// beyond finds the first object or list that is deeper than the levels left.
func beyond(at *spot, left int) *spot {
	if at.node.Kind == frontmatter.Scalar {
		return nil
	}
	if left == 0 {
		return at
	}
	for i := range at.node.Items {
		child := at.nth(i)
		if at.node.Kind == frontmatter.Mapping {
			child = at.under(i)
		}
		if child.node.Kind == frontmatter.Scalar {
			continue
		}
		if deep := beyond(&child, left-1); deep != nil {
			return deep
		}
	}
	return nil
}

// objectRoot reports a root whose type is not object and nothing else.
func (c *compiler) objectRoot(root *spot) {
	const message = "Expected type: object at the root"
	if root.node.Kind != frontmatter.Mapping {
		if _, boolean := root.node.Value().(bool); boolean {
			c.wrong(root, problem.SchemaValue, message)
		}
		return // anything else was reported as no schema
	}
	i := slices.IndexFunc(root.node.Keys, func(k frontmatter.Key) bool { return k.Name == "type" })
	if i < 0 {
		c.lacks(root, "type", problem.SchemaValue, message)
		return
	}
	at := root.under(i)
	named, isText := at.node.Value().(string)
	if _, known := typeNamed(named); isText && !known {
		return // reported as no type at all
	}
	if named != "object" {
		c.wrong(&at, problem.SchemaValue, message)
	}
}

// subschema reads one schema. What is wrong in it is reported and left out.
func (c *compiler) subschema(at *spot, level int) *subschema {
	s := &subschema{at: at}
	if at.node.Kind != frontmatter.Mapping {
		allows, boolean := at.node.Value().(bool)
		if !boolean {
			message := "Expected a schema: a mapping, true or false"
			name, _ := at.node.Value().(string)
			if _, known := typeNamed(name); known {
				message += problem.DidYouMean("{ type: " + name + " }")
			} else if meant := foreignType(name); meant != "" {
				message += problem.DidYouMean("{ type: " + meant + " }")
			}
			c.wrong(at, problem.SchemaValue, message)
		}
		s.never = boolean && !allows
		return s
	}
	if level > MaxLevels {
		return s // reported as too deep
	}
	for i := range at.node.Keys {
		member := at.under(i)
		switch row := c.draft.keywordNamed(member.key.Name); {
		case row == nil:
		case row.duty == refused:
			c.wrongKey(&member, problem.SchemaKeyword, row.name+" is not allowed: "+row.reason)
		case !member.node.Refused:
			c.keyword(s, row, &member, level)
		}
	}
	c.together(s, at)
	return s
}

// together applies the rules about keywords that stand beside each other.
func (c *compiler) together(s *subschema, at *spot) {
	if o := s.object; o != nil && o.lists {
		if i := slices.IndexFunc(at.node.Keys, func(k frontmatter.Key) bool { return k.Name == "additionalProperties" }); i >= 0 {
			if additional := at.under(i); additional.node.Kind == frontmatter.Mapping {
				c.wrong(&additional, problem.SchemaKeyword, "Expected true or false beside properties")
			}
		}
	}
	if s.reference != nil && c.draft == draft07 {
		// Draft-07 ignores what stands beside a $ref.
		*s = subschema{at: s.at, reference: s.reference, within: s.within}
	}
	parts := len(s.all) + len(s.any) + len(s.one)
	if s.reference != nil || parts > 0 {
		c.combines = true
	}
}

// keyword reads the value of one keyword into the subschema.
func (c *compiler) keyword(s *subschema, row *keyword, at *spot, level int) {
	switch row.takes {
	case takesText, takesBoolean, takesList, takesMapping:
		c.plain(row, at)
	case takesCount:
		if n, ok := wholeCount(at.node.Value()); ok {
			*row.count(s) = count{n: n, set: true}
		} else {
			c.wrong(at, problem.SchemaValue, "Expected a whole number of 0 or more")
		}
	case takesNumber, takesStep:
		c.number(s, row, at)
	case takesFlag:
		unique, ok := at.node.Value().(bool)
		if !ok {
			c.wrong(at, problem.SchemaValue, "Expected true or false")
		}
		s.lists().unique = unique
	case takesNames:
		s.objects().required, s.objects().needs = c.names(at)
	case takesTypes:
		c.types(s, at)
		s.expectedType = "Expected " + s.types.named()
	case takesChoices:
		c.choices(s, at)
	case takesConstant:
		if at.node.Kind != frontmatter.Scalar {
			c.wrong(at, problem.SchemaValue, expectedScalar)
		} else {
			s.only = newChoice([]value.Value{at.node.Value()})
		}
	case takesNothing:
		if at.node.Kind != frontmatter.Mapping || len(at.node.Keys) > 0 {
			c.wrong(at, problem.SchemaKeyword, "Expected {}, the only schema that not may hold")
		}
		s.nothing = true
	case takesSchema, takesSchemas, takesSchemaMap, takesItems, takesOthers:
		c.schemas(s, row, at, level)
	case takesReference:
		c.reference(s, at)
	case takesIdentity:
		if level > 1 {
			c.wrongKey(at, problem.SchemaKeyword, "$id is not allowed below the root: a reference stays in the document")
		} else if id, ok := at.node.Value().(string); !ok {
			c.wrong(at, problem.SchemaValue, "Expected string")
		} else if strings.Contains(strings.TrimSuffix(id, "#"), "#") && c.draft == draft2020 {
			c.wrong(at, problem.SchemaValue, "Expected a URI without a fragment")
		}
	}
}

// plain checks a value that the runtime takes no further note of.
func (c *compiler) plain(row *keyword, at *spot) {
	var fits bool
	var message string
	switch v := at.node.Value(); row.takes {
	case takesText:
		_, fits = v.(string)
		message = "Expected string"
	case takesBoolean:
		_, fits = v.(bool)
		message = "Expected true or false"
	case takesList:
		_, fits = v.([]value.Value)
		message = "Expected a list"
	case takesMapping:
		_, fits = v.(*value.Object)
		message = "Expected a mapping"
	}
	if !fits {
		c.wrong(at, problem.SchemaValue, message)
	}
}

// wholeCount reads a whole number of 0 or more; 2.0 is one too. One past
// math.MaxInt64 counts as that.
func wholeCount(v value.Value) (int64, bool) {
	decimal, ok := value.DecimalOf(v)
	if !ok || !decimal.Whole() || decimal.Compare("0") < 0 {
		return 0, false
	}
	number, _ := value.Number(v)
	if number >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return int64(number), true
}

func (c *compiler) number(s *subschema, row *keyword, at *spot) {
	v := at.node.Value()
	number, ok := value.Number(v)
	switch {
	case row.takes == takesStep && (!ok || number <= 0):
		c.wrong(at, problem.SchemaValue, "Expected a number above 0")
	case !ok:
		c.wrong(at, problem.SchemaValue, "Expected number")
	default:
		*row.bound(s) = newBound(v)
	}
}

// names reads a list of different texts, which it gives as a set too.
func (c *compiler) names(at *spot) (names []string, seen map[string]bool) {
	if at.node.Kind != frontmatter.List {
		message := "Expected a list of names"
		if _, mark := at.node.Value().(bool); mark {
			message += ": required stands beside properties, such as required: [" + at.up.propertyName() + "]"
		}
		c.wrong(at, problem.SchemaValue, message)
		return nil, nil
	}
	names = make([]string, 0, len(at.node.Items))
	seen = make(map[string]bool, len(at.node.Items))
	for i := range at.node.Items {
		item := at.nth(i)
		name, ok := item.node.Value().(string)
		switch {
		case !ok:
			c.wrong(&item, problem.SchemaValue, "Expected string")
		case seen[name]:
			c.wrong(&item, problem.SchemaValue, "Listed twice")
		default:
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, seen
}

func (c *compiler) types(s *subschema, at *spot) {
	if at.node.Kind != frontmatter.List {
		s.types |= c.oneType(at)
		return
	}
	if len(at.node.Items) == 0 {
		c.wrong(at, problem.SchemaValue, "Expected at least one type")
	}
	for i := range at.node.Items {
		item := at.nth(i)
		t := c.oneType(&item)
		if t != 0 && s.types&t != 0 {
			c.wrong(&item, problem.SchemaValue, "Listed twice")
		}
		s.types |= t
	}
}

func (c *compiler) oneType(at *spot) types {
	name, isText := at.node.Value().(string)
	if t, ok := typeNamed(name); ok {
		return t
	}
	known := make([]string, len(typeNames))
	for i, t := range typeNames {
		known[i] = t.name
	}
	message := "Expected one of " + strings.Join(known, ", ")
	if meant := foreignType(name); meant != "" {
		message += problem.DidYouMean(meant)
	} else if isText {
		message += c.guesses.at(name, known)
	}
	c.wrong(at, problem.SchemaValue, message)
	return 0
}

const expectedScalar = "Expected a string, a number, a boolean or null"

func (c *compiler) choices(s *subschema, at *spot) {
	switch {
	case at.node.Kind != frontmatter.List:
		c.wrong(at, problem.SchemaValue, "Expected a list of values")
		return
	case len(at.node.Items) == 0:
		c.wrong(at, problem.SchemaValue, "Expected at least one value")
	case len(at.node.Items) > MaxEnum:
		c.wrong(at, problem.SchemaSize, "Expected at most 1,000 values")
	}
	values := make([]value.Value, 0, len(at.node.Items))
	for i := range at.node.Items {
		item := at.nth(i)
		if item.node.Kind != frontmatter.Scalar {
			c.wrong(&item, problem.SchemaValue, expectedScalar)
			continue
		}
		values = append(values, item.node.Value())
	}
	s.choice = newChoice(values)
}

// schemas reads the keywords that hold schemas.
func (c *compiler) schemas(s *subschema, row *keyword, at *spot, level int) {
	switch row.takes {
	case takesSchema:
		if row.schema == nil {
			c.subschema(at, level+1) // checked as a schema, and used for nothing
			return
		}
		*row.schema(s) = c.within(s, at, level+1)
	case takesOthers:
		s.objects().additional = c.within(s, at, level+1)
	case takesItems:
		if at.node.Kind != frontmatter.List {
			s.lists().items = c.within(s, at, level+1)
			return
		}
		if c.draft != draft07 {
			c.wrong(at, problem.SchemaValue, "Expected one schema for every item: a list of schemas is written prefixItems")
			return
		}
		s.lists().prefix = c.schemaList(s, at, level)
	case takesSchemas:
		*row.schemas(s) = c.schemaList(s, at, level)
	case takesSchemaMap:
		c.schemaMap(s, row, at, level)
	}
}

// within reads a schema that is written in another one.
func (c *compiler) within(s *subschema, at *spot, level int) *subschema {
	read := c.subschema(at, level)
	s.within = append(s.within, read)
	return read
}

func (c *compiler) schemaList(s *subschema, at *spot, level int) []*subschema {
	if at.node.Kind != frontmatter.List {
		c.wrong(at, problem.SchemaValue, "Expected a list of schemas")
		return nil
	}
	if len(at.node.Items) == 0 {
		c.wrong(at, problem.SchemaValue, "Expected at least one schema")
	}
	list := make([]*subschema, len(at.node.Items))
	for i := range at.node.Items {
		item := at.nth(i)
		list[i] = c.within(s, &item, level+2)
	}
	return list
}

func (c *compiler) schemaMap(s *subschema, row *keyword, at *spot, level int) {
	if at.node.Kind != frontmatter.Mapping {
		c.wrong(at, problem.SchemaValue, "Expected a mapping of names to schemas")
		return
	}
	names, properties := make([]string, len(at.node.Keys)), make(map[string]*subschema, len(at.node.Keys))
	for i, key := range at.node.Keys {
		member := at.under(i)
		read := c.within(s, &member, level+2)
		names[i], properties[key.Name] = key.Name, read
		if row.name != "properties" && level == 1 {
			c.definitions = append(c.definitions, &definition{under: row.name, name: key.Name, is: read})
		}
	}
	if row.name == "properties" {
		o := s.objects()
		o.lists, o.names, o.properties = true, names, properties
	}
}
