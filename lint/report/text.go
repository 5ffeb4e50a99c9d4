package report

// This file writes a report for people.

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

type textPrinter struct {
	out    *bufio.Writer
	colour bool
}

func newText(out io.Writer, options Options) Printer {
	return &textPrinter{out: bufio.NewWriter(out), colour: options.Colour}
}

func (t *textPrinter) File(file *lint.File) error {
	for i, p := range file.Problems {
		t.problem(file.Path, p)
		if i < len(file.Excerpts) && file.Excerpts[i].Text != "" {
			t.excerpt(p, file.Excerpts[i])
		}
	}
	return t.out.Flush()
}

// problem writes path:line: /pointer: message [rule].
func (t *textPrinter) problem(path string, p problem.Problem) {
	fmt.Fprintf(t.out, "%s:%d: ", t.paint(Bold, Visible(path)), p.Line)
	if p.Pointer != "" {
		fmt.Fprintf(t.out, "%s: ", t.paint(Cyan, Visible(p.Pointer)))
	}
	rule := "[" + string(p.Rule) + "]"
	if p.Severity == problem.Warning {
		rule = "[warning: " + string(p.Rule) + "]"
	}
	fmt.Fprintf(t.out, "%s %s\n", Visible(p.Message), t.paint(Dim, rule))
}

// excerpt writes a line of the source and a mark under its column.
func (t *textPrinter) excerpt(p problem.Problem, e lint.Excerpt) {
	number := strconv.Itoa(p.Line)
	text, cell := expand(e.Text, e.Column)
	if e.CutLeft {
		text = "…" + text
		cell++
	}
	if e.CutRight {
		text += "…"
	}
	fmt.Fprintf(t.out, "  %s %s\n", t.paint(Dim, number+" |"), strings.TrimRight(text, " "))
	if e.Column == 0 {
		return
	}
	style := Red
	if p.Severity == problem.Warning {
		style = Yellow
	}
	gutter := strings.Repeat(" ", len(number)) + " |"
	fmt.Fprintf(t.out, "  %s %s%s\n", t.paint(Dim, gutter), strings.Repeat(" ", cell), t.paint(style, "^"))
}

func (t *textPrinter) Close(summary lint.Summary) error {
	line := Sentence(summary)
	switch {
	case summary.Problems > 0:
		line = t.paint(Red, line)
	case summary.Warnings > 0 || summary.Unreadable > 0:
		line = t.paint(Yellow, line)
	default:
		line = t.paint(Green, line)
	}
	fmt.Fprintln(t.out, line)
	return t.out.Flush()
}

func (t *textPrinter) paint(style Style, text string) string {
	return Paint(t.colour, style, text)
}

// Sentence sums a check up in one line, such as
// 3 problems, 1 warning in 2 of 17 files.
func Sentence(summary lint.Summary) string {
	found := "No problems"
	if summary.Problems > 0 {
		found = Count(summary.Problems, "problem")
	}
	if summary.Warnings > 0 {
		found += ", " + Count(summary.Warnings, "warning")
	}
	place := Count(summary.Files, "file")
	if summary.WithProblems > 0 && summary.Files > 1 {
		place = fmt.Sprintf("%d of %s", summary.WithProblems, place)
	}
	line := found + " in " + place
	if summary.Unreadable > 0 {
		line += "; " + Count(summary.Unreadable, "file") + " could not be read"
	}
	return line
}

// Count writes a number of things, such as 1 file or 2 files.
func Count(number int, thing string) string {
	if number != 1 {
		thing += "s"
	}
	return strconv.Itoa(number) + " " + thing
}
