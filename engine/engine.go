// Package engine is the face of the runtime: what the command line, the inbox
// and the linter call. It puts the packages below it together and adds no rule
// of its own; the formats are known further down, in definition.
package engine

import (
	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/playbook"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// The types a caller of this package meets.
type (
	// Place is where a definition stands: its playbook, its type and its name.
	Place = playbook.Place
	// UnknownTypeError is a file whose type its path does not tell.
	UnknownTypeError = playbook.UnknownTypeError
	// NotFoundError is a name that no definition has.
	NotFoundError = playbook.NotFoundError
	// AmbiguousError is a name that more than one definition has.
	AmbiguousError = playbook.AmbiguousError
	// Rendering is what a run sends.
	Rendering = definition.Rendering
	// Request is what a run knows beside its input.
	Request = definition.Request
	// Surroundings is what is known of the playbook a document stands in.
	Surroundings = definition.Surroundings
)

// Identify tells the playbook, the type and the name of a file by its path.
// The error is an *UnknownTypeError for a file that is no definition.
func Identify(path string) (Place, error) { return playbook.Identify(path) }

// IdentifyIn is Identify for a file whose playbook is already known.
func IdentifyIn(root, path string) (Place, error) { return playbook.IdentifyIn(root, path) }

// PlaybookRoot gives the nearest folder at or above a path that is a playbook,
// and false when there is none.
func PlaybookRoot(path string) (string, bool) { return playbook.Root(path) }

// ReadFile gives what a file holds, at most most bytes and one more. It never
// waits for a pipe and reads no device.
func ReadFile(path string, most int64) ([]byte, error) { return playbook.ReadFile(path, most) }

// FindDefinition gives the path and the place of the definition that a name,
// or type/name, stands for in the playbook around a folder. The error is a
// *NotFoundError or an *AmbiguousError where the name decides it.
func FindDefinition(folder, name string) (string, Place, error) {
	found, err := playbook.Find(folder, name)
	return found.Path, found.Place, err
}

// Definitions gives the places of all definitions in the playbook around a
// folder, or under the folder when it is in none.
func Definitions(folder string) ([]Place, error) {
	found, err := playbook.Definitions(PlaybookAround(folder))
	if err != nil {
		return nil, err
	}
	places := make([]Place, len(found))
	for i, one := range found {
		places[i] = one.Place
	}
	return places, nil
}

// Types gives the names of the types of definitions.
func Types() []string { return definition.TypeNames() }

// Report is what is wrong with a document.
type Report struct {
	Problems  []problem.Problem  // every problem and warning, sorted, none cut
	Rejection *problem.Rejection // the rejection a runtime would give; nil when the document may be saved
}

// Check reports what is wrong with a document of a type, which must be one of
// Types.
func Check(source []byte, typeName string, around Surroundings) *Report {
	result := check(source, typeName, around)
	return &Report{Problems: result.Problems, Rejection: problem.Rejects(result.Problems)}
}

func check(source []byte, typeName string, around Surroundings) *definition.Result {
	t, known := definition.TypeNamed(typeName)
	if !known {
		panic("engine: no type is named " + typeName)
	}
	return definition.Check(source, t, around)
}

// CheckInputSize gives the rejection of a run, before the JSON text of its input
// is read, when no way of reading it makes it small enough.
func CheckInputSize(text []byte) error { return definition.CheckInputSize(text) }

// Render gives what a run of a document would send with this input, after the
// defaults. The error is a *problem.Rejection where the document or the input
// decides it.
func Render(source []byte, typeName string, input value.Value, request Request) (*Rendering, error) {
	result := check(source, typeName, Surroundings{})
	if result.Definition == nil {
		return nil, problem.Rejects(result.Problems)
	}
	checked, err := result.Definition.Input.Apply(input)
	if err != nil {
		return nil, err
	}
	return result.Definition.Function.Render(checked, request)
}
