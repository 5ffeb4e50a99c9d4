package liquid

// This file finds filters, and holds what they share.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// Filter describes a filter for documentation and completion.
type Filter struct {
	Name      string
	Signature string // its arguments, such as "length = 400"; empty when it takes none
	About     string // one line
	Example   string // an output over the example input of the tests
	Output    string // what the example renders
	apply     func(s *state, v any, args []any) any
	// arguments is the number of arguments it must have, where any other number
	// always fails; 0 when it takes what it is given.
	arguments int
}

// FilterNames lists the names of all filters, in order.
func FilterNames() []string {
	names := make([]string, len(Filters))
	for i := range Filters {
		names[i] = Filters[i].Name
	}
	return names
}

func findFilter(name string) *Filter {
	at, found := slices.BinarySearchFunc(Filters, name, func(f Filter, name string) int { return strings.Compare(f.Name, name) })
	if !found {
		return nil
	}
	return &Filters[at]
}

// filter looks a filter up, and reports one that there is not, or whose
// arguments it can never take.
func (p *parser) filter(at int, name string, arguments int) *Filter {
	f := findFilter(name)
	if f == nil {
		if reason, refused := findRefusal(RefusedFilters, name); refused {
			p.report(at, problem.UnknownFilter, reason)
		} else {
			p.report(at, problem.UnknownFilter, "Unknown filter "+shown(name)+p.guess(name, FilterNames))
		}
		return nil
	}
	most := f.most()
	switch {
	case f.arguments > 0 && arguments != f.arguments:
		p.report(at, problem.FilterArguments, name+" takes one argument")
	case arguments == 1 && slices.Contains(pairedFilters, name):
		p.warn(at, problem.FilterArguments, name+" puts nothing in place of what it finds: expected a second text, or "+strings.Replace(name, "replace", "remove", 1))
	case arguments > most:
		p.warn(at, problem.FilterArguments, name+" takes "+argumentCount(most)+": what follows is not read")
	}
	return f
}

// pairedFilters put a second text in place of the first.
var pairedFilters = []string{"replace", "replace_first", "replace_last"}

// most is the most arguments the filter reads, by its signature.
func (f *Filter) most() int {
	if f.Signature == "" {
		return 0
	}
	return 1 + strings.Count(f.Signature, ", ")
}

func argumentCount(most int) string {
	switch most {
	case 0:
		return "no arguments"
	case 1:
		return "one argument"
	}
	return "at most " + strconv.Itoa(most) + " arguments"
}

// guessLimit is how many unknown words are compared with the known ones: far
// more than anyone is shown.
const guessLimit = 200

// nearest gives the known word that was most likely meant by an unknown one.
func (p *parser) nearest(word string, known func() []string) (string, bool) {
	if p.guesses++; p.guesses > guessLimit {
		return "", false
	}
	names := known()
	for _, foreign := range foreignWords {
		if foreign.written == word && slices.Contains(names, foreign.meant) {
			return foreign.meant, true
		}
	}
	if slices.Contains(alone, word) {
		return "", false
	}
	return problem.Nearest(word, names)
}

// guess is the end of a message that names the nearest known word.
func (p *parser) guess(word string, known func() []string) string {
	nearest, _ := p.nearest(word, known)
	return problem.DidYouMean(shown(nearest))
}

// argument gives an argument, undefined when it is not written.
func argument(args []any, index int) any {
	if index < len(args) {
		return args[index]
	}
	return undefined
}

// argumentOr gives an argument, or what stands for it when it is not written.
func argumentOr(args []any, index int, fallback any) any {
	if index < len(args) && args[index] != undefined {
		return args[index]
	}
	return fallback
}

// list gives what list filters work on: a list itself, nothing for null, and
// any other value as the only item.
func (s *state) list(v any) []any {
	v = plain(v)
	if isNil(v) {
		return nil
	}
	if list, ok := s.listOf(v); ok {
		return list
	}
	return []any{v}
}

// field reads a path such as a.b of an item; what is not there is undefined.
func (s *state) field(item any, path []string) any {
	for _, name := range path {
		item = s.property(item, name)
	}
	return item
}

// fieldPath reads the name of a property as where and its kin take it: as a
// path of the language. It gives nil when there is none.
func (s *state) fieldPath(v any) *path {
	text := s.text(v)
	m := &markup{scanner: scanner{source: text, end: len(text)}, parser: &parser{template: &Template{text: text}}}
	m.skipBlank()
	if m.atEnd() {
		return nil
	}
	p, _ := m.namedPath(m.at).(*path)
	if m.failed {
		s.refuse("Expected the name of a property, not " + quotedWord(text))
	}
	return p
}

// read reads a path of an item as if the item's fields were names. A field
// that the item lacks ends the render.
func (s *state) read(item any, p *path) any {
	if p == nil {
		return undefined
	}
	name := p.name
	if p.root != nil {
		name = s.scriptText(s.fieldKey(item, p.root))
	}
	v := undefined
	switch item.(type) {
	case nil, undefinedKind, bool, float64, value.Exact, word:
	default:
		v = s.own(item, name)
	}
	if v == undefined && name == "size" {
		v = 0.0
	}
	s.present(v, name)
	for i := range p.segments {
		key := any(p.segments[i].name)
		if expr := p.segments[i].expr; expr != nil {
			key = s.fieldKey(item, expr)
		}
		v = s.property(v, key)
		s.present(v, key)
	}
	return v
}

// fieldKey works out a key in a path of an item, whose names are the item's
// fields too.
func (s *state) fieldKey(item any, o operand) any {
	switch o := o.(type) {
	case *path:
		if o.of == nil {
			return plain(s.read(item, o))
		}
	case *literal:
		return plain(o.value)
	}
	return undefined
}

func (s *state) present(v, key any) {
	if v == undefined {
		s.fail(MissingField, shown(s.scriptText(key))+" is missing from an item")
	}
}

// own reads a property that an item has itself, not one that the language
// works out, such as the size of an object.
func (s *state) own(item any, name string) any {
	switch item := item.(type) {
	case *value.Object:
		if v, ok := item.Get(name); ok {
			return v
		}
		return undefined
	case *loop:
		return item.property(name)
	}
	if name == "size" || name == "first" || name == "last" {
		return undefined
	}
	return s.property(item, name)
}
