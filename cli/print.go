package cli

// This file prints what commands share: errors, rejections, JSON values and
// headings.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint/report"
)

// visible is text that cannot steer a terminal.
func visible(text string) string { return report.VisibleLines(text) }

// printError prints each line of an error with the program's name before it.
func printError(to io.Writer, err error) {
	for line := range strings.SplitSeq(visible(err.Error()), "\n") {
		fmt.Fprintf(to, "%s: %s\n", program, line)
	}
}

// printRejection prints a rejection for people: its name, its detail and a
// line for each issue.
func printRejection(to io.Writer, rejection *problem.Rejection) {
	name := strings.TrimPrefix(rejection.Type, problem.TypeBase)
	fmt.Fprintf(to, "%s: Rejected as %s: %s\n", program, name, visible(rejection.Detail))
	for _, issue := range rejection.Issues {
		fmt.Fprintf(to, "  %s: %s\n", report.Visible(issue.Pointer), visible(issue.Detail))
	}
}

// printJSON prints one JSON value with its keys in the order of the type.
func printJSON(to io.Writer, v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, err := to.Write(text.Bytes())
	return err
}
