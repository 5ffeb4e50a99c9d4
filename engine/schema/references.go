package schema

// This file ties each $ref to the definition it names, and finds definitions
// that loop with nothing in between.

import (
	"net/url"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// pending is a $ref that waits for every definition to be known.
type pending struct {
	at    *spot
	under string // $defs or definitions
	name  string
	into  *reference
}

const expectedReference = "Expected #/$defs/<name> or #/definitions/<name>"

// reference reads a $ref.
func (c *compiler) reference(s *subschema, at *spot) {
	written, ok := at.node.Value().(string)
	if !ok {
		c.wrong(at, problem.SchemaReference, expectedReference)
		return
	}
	s.reference = &reference{}
	under, name, ok := splitReference(written)
	if !ok {
		c.wrong(at, problem.SchemaReference, expectedReference)
		return
	}
	c.references = append(c.references, pending{at: at, under: under, name: name, into: s.reference})
}

// splitReference takes a reference apart: the fragment of a URI, which holds a
// JSON Pointer of two keys.
func splitReference(written string) (under, name string, ok bool) {
	fragment, isFragment := strings.CutPrefix(written, "#")
	if !isFragment {
		return "", "", false
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return "", "", false
	}
	tokens, err := value.Tokens(pointer)
	if err != nil || len(tokens) != 2 || tokens[1] == "" || (tokens[0] != "$defs" && tokens[0] != "definitions") {
		return "", "", false
	}
	return tokens[0], tokens[1], true
}

// resolve ties the references to their definitions and reports loops.
func (c *compiler) resolve() {
	type named struct{ under, name string }
	known := make(map[named]*definition, len(c.definitions))
	names := make(map[string]*definition, len(c.definitions))
	for _, d := range c.definitions {
		known[named{d.under, d.name}], names[d.name] = d, d
	}
	for _, p := range c.references {
		found := known[named{p.under, p.name}]
		if found == nil {
			c.wrong(p.at, problem.SchemaReference, c.unknownDefinition(p, names))
			continue
		}
		p.into.definition = found
		p.into.at = p.at
	}
	for _, d := range c.definitions {
		d.leads = leads(d.is, nil)
	}
	walk := &loopWalk{compiler: c, state: make(map[*definition]visit, len(c.definitions)), places: make(map[*definition]int, len(c.definitions))}
	for _, d := range c.definitions {
		walk.from(d)
	}
}

// unknownDefinition says that there is no such definition, with the one that
// may have been meant.
func (c *compiler) unknownDefinition(p pending, names map[string]*definition) string {
	message := "Unknown definition " + clip(p.name)
	if d := names[p.name]; d != nil {
		return message + problem.DidYouMean("#/"+d.under+"/"+clip(p.name))
	}
	if c.guesses.left < len(c.definitions) {
		return message
	}
	known := make([]string, len(c.definitions))
	for i, d := range c.definitions {
		known[i] = d.name
	}
	return message + c.guesses.at(p.name, known)
}

// leads collects the references that apply to the very value the subschema
// applies to.
func leads(s *subschema, to []lead) []lead {
	if s.reference != nil && s.reference.definition != nil {
		to = append(to, lead{to: s.reference.definition, at: s.reference.at})
	}
	for _, parts := range [][]*subschema{s.all, s.any, s.one} {
		for _, part := range parts {
			to = leads(part, to)
		}
	}
	return to
}

type visit uint8

const (
	unseen visit = iota
	open         // on the way from the definition the walk began with
	done
)

// loopWalk follows definitions in place and reports each reference that leads
// back to one it came through.
type loopWalk struct {
	compiler *compiler
	state    map[*definition]visit
	way      []*definition
	places   map[*definition]int // on the way
}

func (w *loopWalk) from(d *definition) {
	if w.state[d] != unseen {
		return
	}
	w.state[d], w.places[d] = open, len(w.way)
	w.way = append(w.way, d)
	for _, lead := range d.leads {
		if w.state[lead.to] == open {
			w.compiler.wrong(lead.at, problem.SchemaLoop, w.loop(lead.to))
			continue
		}
		w.from(lead.to)
	}
	w.way = w.way[:len(w.way)-1]
	w.state[d] = done
}

// mostNamed is the most definitions that the words about a loop name.
const mostNamed = 4

// loop says which way a definition leads back to itself.
func (w *loopWalk) loop(to *definition) string {
	between := w.way[w.places[to]+1:]
	var through []string
	for i, d := range between {
		if i == mostNamed && len(between) > mostNamed+1 {
			through = append(through, value.Grouped(int64(len(between)-mostNamed))+" others")
			break
		}
		through = append(through, clip(d.name))
	}
	message := clip(to.name) + " refers to itself"
	if len(through) > 0 {
		message += " through " + problem.AllOf(through)
	}
	return message + " with no property or item in between"
}
