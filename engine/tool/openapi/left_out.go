package openapi

import (
	"fmt"
	"strings"

	"github.com/beonauto/auto/engine/tool/transport"
	"github.com/beonauto/auto/engine/value"
)

// This file says what of a document is no tool, or is known only in part.

// LeftOut is an operation that is no tool, or a path whose operations cannot be
// read.
type LeftOut struct {
	Name   string // as the tool would have it
	Method string // such as GET; empty for a path
	Path   string
	// Why says it in words that follow a colon, such as its operation requires a
	// cookie.
	Why string
}

func (l LeftOut) String() string {
	if l.Method == "" {
		return l.Path
	}
	return fmt.Sprintf("%s (%s %s)", l.Name, l.Method, l.Path)
}

func (d *Document) leaveOut(what LeftOut) {
	if len(d.LeftOut) < MaxOperations {
		what.Path = shown(what.Path)
		d.LeftOut = append(d.LeftOut, what)
	}
}

// longestShown is the most bytes of the document's own words in a reason.
const longestShown = 200

func shown(text string) string { return transport.Line(text, longestShown) }

// unreadReference says that a reference cannot be followed.
func unreadReference(ref string) string {
	if strings.HasPrefix(ref, "#") {
		return "refers to " + shown(ref) + ", which the document does not have"
	}
	return "refers to " + shown(ref) + ", out of the document"
}

// unsendable says why a required body is not sent.
func unsendable(body *value.Object) string {
	kinds := objectOf(member(body, "content")).Keys()
	if len(kinds) == 0 {
		return "requires a body whose kind the document does not say"
	}
	return "requires a body of " + shown(strings.Join(kinds, " or ")) + ", which is not sent"
}

// mostUnread is how many schemas that are not read a description names.
const mostUnread = 3

// unreadSchemas ends the description of a tool some of whose arguments are of
// schemas that are not in the document: what they take is not known.
func unreadSchemas(references []string) string {
	if len(references) == 0 {
		return ""
	}
	named := make([]string, 0, mostUnread)
	for _, ref := range references[:min(len(references), mostUnread)] {
		named = append(named, shown(ref))
	}
	text := strings.Join(named, ", ")
	if more := len(references) - mostUnread; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return "\n\nWhat some arguments take is not known: it is described in " + text + ", which is not read"
}
