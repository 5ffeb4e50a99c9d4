// Package definition knows the formats of definition documents: it reads one
// document of a known type and gives either a compiled definition, ready to
// render and to run, or every problem that keeps it from being one.
//
// Each type is one file and one row in the table of types. The package never
// reads files, never calls a model or a tool, and keeps nothing between calls:
// Check is the one function by which lint, runs, the MCP server and the
// language server judge a document.
package definition

import (
	"time"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// Type is a type of definition: the name a folder or a file's ending gives it,
// and how its documents are read.
type Type struct {
	Name   string      // such as reasoning
	About  string      // what a function of this type does, one sentence
	Fields []FieldText // every key of its front matter, in the order the documentation shows them
	read   func(*reader) Function
}

// Types is the table of every type, in the order they are listed.
var Types = []*Type{reasoningType, interactionType, lookupType}

// TypeNamed gives the type of a name, and false when there is none.
func TypeNamed(name string) (*Type, bool) {
	for _, t := range Types {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// TypeNames gives the names of the types in the table's order.
func TypeNames() []string {
	names := make([]string, len(Types))
	for i, t := range Types {
		names[i] = t.Name
	}
	return names
}

// Definition is a compiled document. It never changes and is safe for
// concurrent use.
type Definition struct {
	Type        *Type
	Description string
	Input       Input
	Function    Function // *Reasoning, *Interaction or *Lookup
}

// Function is what a definition of one type adds to every definition's fields.
type Function interface {
	// Render gives what a run would send, from an input that was checked. The
	// error is a *problem.Rejection.
	Render(input *value.Object, request Request) (*Rendering, error)
}

// Request is what a run knows beside its input when it renders its templates.
type Request struct {
	Name   string    // the function's name
	RunID  string    // the run's id
	Moment time.Time // when the run started, the source of today and now
	// Of a sign-in: its party, such as person:user_7kLm2, and the link where the
	// person signs in, which follows the message; empty where they are not known.
	Person string
	Link   string
}

// Rendering is what a run sends, as far as its type sends it. Texts are
// trimmed of white space at both ends.
type Rendering struct {
	ToModel      bool          // it goes to a model; otherwise to a party or a tool
	Instructions *string       // reasoning: the system block; nil without one
	Message      *string       // the user's message, or the message to the party; nil for a call
	Party        *string       // interaction: to, as rendered
	Answerer     *string       // interaction: from, as rendered, or the party
	Tool         *Tool         // interaction: the tool that is called or delivers; nil for an agent
	Arguments    *value.Object // the arguments of that tool
}

// Tool names a tool of a tool server.
type Tool struct {
	Server string
	Name   string
}

// String is server/tool.
func (t Tool) String() string { return t.Server + "/" + t.Name }

// Surroundings is what is known of the playbook a document stands in.
type Surroundings struct {
	// ToolServers names the tool servers and connections the playbook may use; nil
	// when that is not known, which is another thing than none.
	ToolServers []string
	// Gateways and Aliases are the gateways and the aliases of models that the
	// settings file names; the environment may name others.
	Gateways []string
	Aliases  []string
	// Connections are what those servers said when they were asked, each of them;
	// nil when they were not asked.
	Connections []Connection
}

// Result is what Check found.
type Result struct {
	Definition *Definition       // nil when a problem refuses the document
	Problems   []problem.Problem // every problem and every warning, sorted, none cut
}

// Check reads one document of a type (reasoning format, "How a document is
// checked"; interaction format, "Fields"). It reports every problem it can
// tell of at once: those of the front matter do not hide those of the
// template, nor the other way round.
func Check(source []byte, t *Type, around Surroundings) *Result {
	document, problems := frontmatter.Read(source)
	r := &reader{document: document, around: around, problems: problems, account: liquid.Account{Time: checkTime}}
	r.definition = &Definition{Type: t}
	r.definition.Function = t.read(r)
	result := &Result{Problems: limitWarnings(problem.Sort(r.problems))}
	if !refused(result.Problems) {
		result.Definition = r.definition
	}
	return result
}

func refused(problems []problem.Problem) bool {
	for _, p := range problems {
		if p.Severity == problem.Refused {
			return true
		}
	}
	return false
}

// limitWarnings keeps the first problem.ShownWarnings warnings of a sorted
// list and every problem.
func limitWarnings(sorted []problem.Problem) []problem.Problem {
	kept, warnings := sorted[:0], 0
	for _, p := range sorted {
		if p.Severity == problem.Warning {
			if warnings++; warnings > problem.ShownWarnings {
				continue
			}
		}
		kept = append(kept, p)
	}
	return kept
}

// Input is what a definition says of its input.
type Input struct {
	Schema  *schema.Schema // nil accepts any object
	Default *value.Object  // nil gives none
}
