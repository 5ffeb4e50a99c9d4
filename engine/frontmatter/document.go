// Package frontmatter splits a definition's document into its YAML front matter
// and its body, and reads the front matter as ordered JSON values that each
// know their line.
//
// It keeps the rules that hold for any front matter (reasoning format, "How a
// document is checked"): YAML 1.2 with the core schema; no anchors, aliases,
// tags or merge keys; a key once in a mapping; finite numbers; 72 levels. It
// never knows which keys a type of definition has, and never reads a template.
package frontmatter

import "github.com/beonauto/auto/engine/problem"

// The bounds of a document. The formats bound what stands in it (a template of
// 65,536 characters, schemas of 65,536 bytes as JSON); these are there so that
// no file, however it was made, costs more than a moment.
const (
	// MaxLevels is how many levels of mappings and lists front matter may nest,
	// the whole front matter being the first.
	MaxLevels = 72
	// MaxFrontMatter is the most bytes the front matter may take.
	MaxFrontMatter = 512 << 10
	// MaxDocument is the most bytes of a file that are looked at.
	MaxDocument = 8 << 20
	// MaxProblems is the most problems that one reading reports.
	MaxProblems = 50_000
)

// Document is a definition's source, taken apart. It never changes once Read
// has given it.
type Document struct {
	// Root is the front matter's mapping, its Line being 1. It is nil when the
	// front matter is missing, is no mapping or is not YAML.
	Root *Node
	// Partial is what could be read of a front matter that is not YAML: the keys
	// outside the fault, and those with the fault as Refused nodes. It is nil when
	// Root is not, or when the fault may have changed the keys that come after it.
	// Keys may be missing from it, so a check of it never says that one is.
	Partial *Node
	// Body is what follows the front matter, with \n as its only line end. A file
	// without front matter is all body.
	Body string
	// BodyLine is the line of the file that Body starts on, from 1. When the file
	// ends with the front matter's closing line, it is that line.
	BodyLine int
}

// Read takes a document apart and gives every problem of its front matter,
// sorted and each once. The document is never nil: it holds what could be read,
// so that a fault in the front matter does not hide those of the template. A
// node whose value could not be made out is Refused. At most MaxProblems
// problems are given.
func Read(source []byte) (*Document, []problem.Problem) {
	found := &findings{}
	text := normalize(source, found)
	halves := split(text, found)
	document := &Document{Body: halves.body, BodyLine: halves.bodyLine}
	if halves.hasFront {
		document.Root, document.Partial = readYAML(halves.front, halves.frontLine, found)
	}
	return document, problem.Sort(found.problems)
}

// findings collects problems up to MaxProblems.
type findings struct {
	problems []problem.Problem
}

func (f *findings) full() bool { return len(f.problems) >= MaxProblems }

func (f *findings) add(line, column int, pointer string, rule problem.Rule, message string) {
	if f.full() {
		return
	}
	f.problems = append(f.problems, problem.Problem{
		Line: line, Column: column, Pointer: pointer,
		Rule: rule, Severity: problem.Refused, Message: message,
	})
}
