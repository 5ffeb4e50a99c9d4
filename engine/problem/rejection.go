package problem

// This file holds rejections: what a caller is told when a run is not done.

// Issue is one entry of a rejection: where in the call, and what is wrong.
type Issue struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// Rejection is an RFC 9457 problem document: why a call was not done.
type Rejection struct {
	Type    string  `json:"type"`
	Title   string  `json:"title"`
	Status  int     `json:"status"`
	Detail  string  `json:"detail"`
	Kind    string  `json:"kind,omitempty"`
	Because string  `json:"because,omitempty"`
	Issues  []Issue `json:"issues,omitempty"`
	// Hint is what only the operator reads, at the terminal. It is neither recorded nor
	// given to any caller.
	Hint string `json:"-"`
}

// Name is the last part of a rejection's type, such as invalid_input.
type Name string

// The names of rejections, with the HTTP status each carries.
const (
	InvalidInput Name = "invalid_input" // 422
	NotFound     Name = "not_found"     // 404
	Conflict     Name = "conflict"      // 409
	Unavailable  Name = "unavailable"   // 503
	Unanswered   Name = "unanswered"    // 410
	Cancelled    Name = "cancelled"     // 499
	Forbidden    Name = "forbidden"     // 403
	Failed       Name = "failed"        // 500: the runtime itself broke down
)

var endings = map[Name]struct {
	title  string
	status int
}{
	InvalidInput: {"The input is not valid", 422},
	NotFound:     {"Not found", 404},
	Conflict:     {"Conflict", 409},
	Unavailable:  {"Unavailable", 503},
	Unanswered:   {"Unanswered", 410},
	Cancelled:    {"Cancelled", 499},
	Forbidden:    {"Forbidden", 403},
	Failed:       {"Failed", 500},
}

// TypeBase is what every rejection's type starts with.
const TypeBase = "https://on.auto/problems/"

// NewRejection gives the rejection of a name with its title and status.
func NewRejection(name Name, detail string, issues ...Issue) *Rejection {
	ending := endings[name]
	return &Rejection{Type: TypeBase + string(name), Title: ending.title, Status: ending.status, Detail: detail, Issues: issues}
}

// Error is the rejection's detail.
func (r *Rejection) Error() string { return r.Detail }

// Limited gives the issues a rejection lists: the first ShownProblems, then
// one at the same pointer as the first one left out that counts the rest.
func Limited(issues []Issue) []Issue {
	if len(issues) <= ShownProblems {
		return issues
	}
	shown := append([]Issue{}, issues[:ShownProblems]...)
	return append(shown, Issue{Pointer: issues[ShownProblems].Pointer, Detail: moreIssues(len(issues) - ShownProblems)})
}

// Rejects gives the rejection of a document with these sorted problems, every
// one under /source, and nil when none of them refuses it.
func Rejects(sorted []Problem) *Rejection {
	refused := Refusals(sorted)
	if len(refused) == 0 {
		return nil
	}
	rejection := NewRejection(InvalidInput, "The document has problems")
	for _, p := range Cut(refused, ShownProblems) {
		rejection.Issues = append(rejection.Issues, Issue{Pointer: "/source", Detail: p.String()})
	}
	return rejection
}
