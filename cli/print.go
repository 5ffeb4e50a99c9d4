package cli

// This file prints what commands share: errors, rejections, JSON values and
// headings.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/lint/report"
)

// visible is text that cannot steer a terminal.
func visible(text string) string { return report.VisibleLines(text) }

// printError prints an error with the program's name before it, and each of
// several errors on a line of its own. A line end inside one, such as that of a
// file's name, makes no line.
func printError(to io.Writer, err error) {
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) && errors.Join(several.Unwrap()...).Error() == err.Error() {
		for _, one := range several.Unwrap() {
			printError(to, one)
		}
		return
	}
	fmt.Fprintf(to, "%s: %s\n", program, report.Visible(err.Error()))
}

// printRejection prints a rejection for people: its name, its detail and a
// line for each issue.
func printRejection(to io.Writer, rejection *problem.Rejection) {
	name := strings.TrimPrefix(rejection.Type, problem.TypeBase)
	fmt.Fprintf(to, "%s: Rejected as %s: %s\n", program, name, visible(rejection.Detail))
	for _, issue := range rejection.Issues {
		fmt.Fprintf(to, "  %s\n", visible(issueText(issue)))
	}
	printHint(to, rejection.Hint)
}

// printHint prints what only the operator reads of a failure, where there is anything.
func printHint(to io.Writer, hint string) {
	if hint != "" {
		fmt.Fprintf(to, "  %s\n", report.Visible(hint))
	}
}

// issueText is an issue on one line. One of the whole value has no pointer to
// stand before it.
func issueText(issue problem.Issue) string {
	if issue.Pointer == "" {
		return issue.Detail
	}
	return report.Visible(issue.Pointer) + ": " + issue.Detail
}

// printFaults prints settings that do not stand, a line for each fault.
func printFaults(to io.Writer, settings *engine.SettingsError) {
	fmt.Fprintf(to, "%s: The settings are invalid\n", program)
	for _, fault := range settings.Faults {
		fmt.Fprintf(to, "  %s\n", visible(fault.String()))
	}
}

// printValue prints one JSON value for programs.
func printValue(to io.Writer, v value.Value) error {
	_, err := fmt.Fprintln(to, report.VisibleJSON(value.IndentedJSON(v, "  ")))
	return err
}

// printable is text as the command's output shows it: what would steer a terminal is
// written as an escape there, and a pipe gets it as it is.
func (a *app) printable(text string) string {
	if a.OutTerminal {
		return visible(text)
	}
	return text
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
	_, err := io.WriteString(to, report.VisibleJSON(text.String()))
	return err
}
