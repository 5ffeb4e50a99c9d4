package liquid

// This file holds how a render fails.

// Kind is why a render stopped, for callers that decide by it.
type Kind string

// The kinds of a RenderError.
const (
	MissingField  Kind = "missing_field"  // the template reads a value that is not there
	FilterRefused Kind = "filter_refused" // a filter cannot take the value it was given
	LimitReached  Kind = "limit_reached"  // the render would use more than its limits
	Structure     Kind = "structure"      // a list or an object inside a text, where Limits.RefuseStructures forbids it
)

// RenderError is why a template could not be rendered with these variables.
type RenderError struct {
	Line   int // of the template, from 1
	Column int // from 1, in code points
	Kind   Kind
	// Path is the JSON Pointer of a missing field below the names the template
	// reads, such as /input/brief. It is empty when the field belongs to a value
	// that the template made itself.
	Path    string
	Message string
}

// Error is the message.
func (e *RenderError) Error() string { return e.Message }

// stop is what ends a render from any depth. Render turns it into a
// RenderError; nothing else ever sees it.
type stop struct {
	at      int
	kind    Kind
	path    string
	message string
}

// fail ends the render at the place the state is at.
func (s *state) fail(kind Kind, message string) {
	panic(&stop{at: s.at, kind: kind, message: message})
}

// refuse ends the render because a filter cannot take its value.
func (s *state) refuse(message string) { s.fail(FilterRefused, message) }
