package definition

// This file holds what a definition says of its input: the schema and the
// defaults, and how they apply to what a caller supplies.

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/frontmatter"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/schema"
	"github.com/beonauto/auto/engine/value"
)

// The bounds of a run's input (reasoning format, "How a run works").
const (
	InputBytes  = 256 * 1024 // as JSON
	InputLevels = 512        // of objects and lists
)

func inputSchema(r *reader, at place, into *Input) {
	into.Schema = r.schema(at, schema.Options{ObjectRoot: true})
}

// schema compiles a schema and takes its problems.
func (r *reader) schema(at place, options schema.Options) *schema.Schema {
	options.Key = at.key
	compiled, problems := schema.Compile(at.node, at.pointer, options)
	r.problems = append(r.problems, problems...)
	if compiled != nil {
		r.problems = append(r.problems, schema.Unmatched(compiled)...)
	}
	return compiled
}

// checkDefault checks input.default against the schema for the fields it
// names.
func checkDefault(r *reader, input place) {
	in := r.definition.Input
	at, has := input.child("default")
	if !has || in.Default == nil || in.Schema == nil {
		return
	}
	issues, err := in.Schema.ValidateFields(in.Default)
	if err != nil {
		r.refuse(at, problem.DefaultMismatch, "The schema takes too much work to check this value")
		return
	}
	r.problems = slices.Grow(r.problems, len(issues))
	for _, issue := range issues {
		line, column := placeOf(at, issue.Pointer)
		r.add(problem.Problem{
			Line: line, Column: column, Pointer: at.pointer + issue.Pointer,
			Rule: problem.DefaultMismatch, Message: issue.Message,
		})
	}
}

// placeOf gives the line and column of what a pointer names inside a place:
// the key's where there is one, and the deepest place on the way when the
// value lacks what the pointer names.
func placeOf(at place, pointer string) (line, column int) {
	node, key := at.node, at.key
	for token := range tokens(pointer) {
		next, nextKey := node.Get(token), frontmatter.Key{}
		if next != nil {
			nextKey, _ = node.KeyOf(token)
		} else if index, err := strconv.Atoi(token); err == nil && node.Kind == frontmatter.List && 0 <= index && index < len(node.Items) {
			next = node.Items[index]
		}
		if next == nil {
			break
		}
		node, key = next, nextKey
	}
	if key.Line > 0 {
		return key.Line, key.Column
	}
	return node.Line, node.Column
}

// tokens goes through the tokens of a pointer, of which there may be a hundred
// thousand to look up.
func tokens(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for pointer != "" {
			end := 1 + strings.IndexByte(pointer[1:], '/')
			if end == 0 {
				end = len(pointer)
			}
			token := pointer[1:end]
			if strings.Contains(token, "~") {
				read, _ := value.Tokens(pointer[:end])
				token = strings.Join(read, "")
			}
			if !yield(token) {
				return
			}
			pointer = pointer[end:]
		}
	}
}

// Bounded gives the object that an input is. The error is a
// *problem.Rejection, invalid_input, for an input that is none, takes more than
// InputBytes or nests more than InputLevels.
func Bounded(supplied value.Value) (*value.Object, error) {
	input, ok := supplied.(*value.Object)
	if !ok {
		return nil, invalidInput("The input is not a JSON object", problem.Issue{Pointer: "/input", Detail: "Expected object"})
	}
	if value.Depth(input, InputLevels) > InputLevels {
		return nil, invalidInput("The input nests too deeply", problem.Issue{Pointer: "/input", Detail: "Expected at most 512 levels"})
	}
	if value.JSONSize(input, InputBytes) > InputBytes {
		return nil, largeInput()
	}
	return input, nil
}

func largeInput() error {
	return invalidInput("The input is too large", problem.Issue{Pointer: "/input", Detail: "Expected at most 256 KiB as JSON"})
}

// CheckInputSize gives Bounded's rejection for the JSON text of an input that
// takes more than InputBytes however it is written, so that it need not be read.
func CheckInputSize(text []byte) error {
	if value.LeastJSONSize(text) > InputBytes {
		return largeInput()
	}
	return nil
}

// Apply gives the input a run works with: the supplied one with the defaults
// of every top-level field it leaves out, checked against the schema. The
// error is a *problem.Rejection, invalid_input with its issues under /input.
func (i Input) Apply(supplied value.Value) (*value.Object, error) {
	input, err := Bounded(supplied)
	if err != nil {
		return nil, err
	}
	input = withDefaults(input, i.Default)
	if i.Schema == nil {
		return input, nil
	}
	issues, err := i.Schema.Validate(input)
	if err != nil {
		return nil, invalidInput("The input takes too much work to check", problem.Issue{Pointer: "/input", Detail: err.Error()})
	}
	if len(issues) == 0 {
		return input, nil
	}
	found := make([]problem.Issue, len(issues))
	for n, issue := range issues {
		found[n] = problem.Issue{Pointer: "/input" + issue.Pointer, Detail: issue.Message}
	}
	return nil, invalidInput("The input does not match the input schema", problem.Limited(found)...)
}

// withDefaults puts the defaults first, as the definition orders them, each
// overridden by the supplied field, and then the supplied fields it has no
// default for.
func withDefaults(supplied, defaults *value.Object) *value.Object {
	if defaults.Len() == 0 {
		return supplied
	}
	merged := value.NewObject(defaults.Len() + supplied.Len())
	for n := range defaults.Len() {
		merged.Set(defaults.At(n))
	}
	for n := range supplied.Len() {
		merged.Set(supplied.At(n))
	}
	return merged
}

func invalidInput(detail string, issues ...problem.Issue) error {
	return problem.NewRejection(problem.InvalidInput, detail, issues...)
}
