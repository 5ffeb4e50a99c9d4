package frontmatter

// This file reads what can be read of front matter that is not YAML: each of
// its keys by itself, so that two broken keys are two problems and a broken one
// does not hide the others.

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// maxParts is the most keys that are read one by one.
const maxParts = 500

// recoverParts reports what is wrong with a source that the library could not
// read as a whole, and gives the mapping of the keys that it could. A key whose
// value cannot be read is there with a Refused value. The result is nil when
// the fault may have changed the meaning of keys that come after it.
func recoverParts(whole *source, hidden *hidden, broken *fault, found *findings) *Node {
	report := func(source *source, f *fault) {
		found.add(f.line+source.shift, f.column, "", f.rule, f.message)
	}
	partial := &Node{Kind: Mapping, Line: 1, Column: 1}
	faults, suspect, certain := 0, false, true
	for _, part := range keyParts(whole) {
		document, f := load(part)
		if f == nil && document != nil && document.Content[0].Kind != yaml.MappingNode {
			without := lineWithoutKey(part, document.Content[0].Line)
			without.rule = broken.rule
			f = &without
		}
		switch {
		case f == nil && document != nil:
			composer := newComposer(part, hidden, found)
			composer.mapping(partial, document.Content[0], 0, 1)
			suspect = false
		case f != nil && !suspect:
			// Whatever follows an open quote or bracket may be the rest of it.
			report(part, f)
			faults++
			suspect = f.open
			certain = certain && !f.open
			refuse(partial, part, found)
		}
	}
	if faults == 0 {
		report(whole, broken)
		return nil
	}
	if !certain || len(partial.Keys) == 0 {
		return nil
	}
	return partial
}

// refuse adds the key that a part starts with, when that can be told.
func refuse(partial *Node, part *source, found *findings) {
	name, _, isKey := strings.Cut(part.line(1), ":")
	line := 1 + part.shift
	switch {
	case !isKey || strings.ContainsAny(name, "\"'[]{}#&*! \t"):
	case partial.find(name) >= 0:
		found.add(line, 1, value.Join("", name), problem.DuplicateKey, duplicateMessage(name))
	default:
		partial.put(Key{Name: name, Line: line, Column: 1}, &Node{Line: line, Column: 1, Refused: true})
	}
}

// keyParts cuts a source at the lines that start a key of the outermost mapping.
// It gives no parts when there is nothing to cut, or far too much.
func keyParts(whole *source) []*source {
	var starts []int
	for line := 1; line <= len(whole.starts); line++ {
		if startsKey(whole.line(line)) {
			starts = append(starts, line)
		}
	}
	if len(starts) == 0 || len(starts) > maxParts {
		return nil
	}
	// What stands before the first key belongs to it.
	starts[0] = 1
	made := make([]*source, len(starts))
	for i, start := range starts {
		end := len(whole.text)
		if i+1 < len(starts) {
			end = whole.starts[starts[i+1]-1]
		}
		made[i] = newSource(whole.text[whole.starts[start-1]:end], start+whole.shift)
	}
	return made
}

// startsKey tells whether a line at the outermost level starts a key.
func startsKey(line string) bool {
	if line == "" || strings.ContainsRune(" \t#]}", rune(line[0])) {
		return false
	}
	return !strings.HasPrefix(line, "- ") && line != "-" && !strings.HasPrefix(line, ": ") && line != ":"
}
