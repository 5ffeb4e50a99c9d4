// Package problem holds what is said about a document that is not right: a
// problem with its place, the list of them in the order a reader wants, and
// the rejection that a caller of the runtime gets.
//
// It never looks for problems: the packages that know a rule find them, and
// name the rule by the table in this package.
package problem

import (
	"cmp"
	"fmt"
	"slices"
)

// Severity says whether a problem refuses the document or only warns.
type Severity string

// The two severities. A document with a problem is refused when it is saved; a
// warning is shown with it.
const (
	Refused Severity = "problem"
	Warning Severity = "warning"
)

// Problem is one thing that is wrong in a document, or that its author should
// know of.
type Problem struct {
	Line     int      // line of the file, from 1; the opening --- is line 1
	Column   int      // from 1, in Unicode code points; 0 when only the line is known
	Pointer  string   // JSON Pointer into the front matter; empty in the template and at the root
	Rule     Rule     // which rule it breaks
	Severity Severity // Refused unless it was made as a warning
	Message  string   // a short sentence without a full stop
}

// String is the problem as a rejection lists it, such as
// Line 4, /config/temperature: Expected number.
func (p Problem) String() string {
	if p.Pointer == "" {
		return fmt.Sprintf("Line %d: %s", p.Line, p.Message)
	}
	return fmt.Sprintf("Line %d, %s: %s", p.Line, p.Pointer, p.Message)
}

// ShownProblems and ShownWarnings are how many of each a rejection or a
// definition lists (reasoning format, "How a document is checked" and "Answers
// that are JSON").
const (
	ShownProblems = 20
	ShownWarnings = 100
)

// Sort puts problems in the order they are shown, by line and then column,
// and drops each that says what another says on the same line and pointer.
// Problems of one place keep the order they were found in.
func Sort(problems []Problem) []Problem {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	kept, start := problems[:0], 0 // the problems of one line are kept[start:]
	var seen map[words]struct{}    // of that line, once there are many
	for _, p := range problems {
		if start < len(kept) && kept[start].Line != p.Line {
			start, seen = len(kept), nil
		}
		if seen == nil && len(kept)-start > fewOnLine {
			seen = make(map[words]struct{})
			for _, before := range kept[start:] {
				seen[words{before.Pointer, before.Message}] = struct{}{}
			}
		}
		said := words{p.Pointer, p.Message}
		if seen != nil {
			if _, again := seen[said]; again {
				continue
			}
			seen[said] = struct{}{}
		} else if slices.ContainsFunc(kept[start:], func(before Problem) bool {
			return words{before.Pointer, before.Message} == said
		}) {
			continue
		}
		kept = append(kept, p)
	}
	clear(problems[len(kept):])
	return kept
}

// words are what two problems of one line must not have in common.
type words struct{ pointer, message string }

// fewOnLine is up to how many problems of a line are compared one by one.
const fewOnLine = 8

// Cut keeps the first limit of sorted problems. When any are left out it adds
// one more that counts them, on the line of the first one left out, such as
// Line 23: 5881 more issues are not shown.
func Cut(sorted []Problem, limit int) []Problem {
	if len(sorted) <= limit {
		return sorted
	}
	left := sorted[limit]
	shown := slices.Clone(sorted[:limit])
	return append(shown, Problem{
		Line:     left.Line,
		Rule:     TooMany,
		Severity: left.Severity,
		Message:  moreIssues(len(sorted) - limit),
	})
}

func moreIssues(count int) string {
	if count == 1 {
		return "1 more issue is not shown"
	}
	return fmt.Sprintf("%d more issues are not shown", count)
}

// Refusals gives the problems that refuse a document, without the warnings.
func Refusals(problems []Problem) []Problem {
	refused := make([]Problem, 0, len(problems))
	for _, p := range problems {
		if p.Severity == Refused {
			refused = append(refused, p)
		}
	}
	return refused
}
