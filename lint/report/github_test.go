package report

import (
	"bytes"
	"testing"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

// A path and a message may hold what GitHub reads as the end of a part, and a
// message what it reads as a command of its own.
func TestGitHubReadsEachPartWhole(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	printer := newGitHub(&out, Options{})
	file := &lint.File{Path: "a,b:c%.md", Problems: []problem.Problem{
		{Line: 3, Rule: problem.UnknownKey, Severity: problem.Refused, Message: "100%\n::error::no"},
	}}
	if err := printer.File(file); err != nil {
		t.Fatal(err)
	}
	if err := printer.Close(lint.Summary{}); err != nil {
		t.Fatal(err)
	}
	want := "::error file=a%2Cb%3Ac%25.md,line=3,title=unknown-key::100%25\\n::error::no\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
