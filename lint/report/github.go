package report

// This file writes a report for a job of GitHub Actions: one workflow command
// a problem, which GitHub shows beside the line of the change.

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

type githubPrinter struct{ out *bufio.Writer }

func newGitHub(out io.Writer, _ Options) Printer {
	return &githubPrinter{out: bufio.NewWriter(out)}
}

// File writes ::error file=path,line=1,col=2,title=rule::/pointer: message.
func (g *githubPrinter) File(file *lint.File) error {
	if file.Err != nil {
		return g.Remark(file.Path, "Cannot be read: "+file.Err.Error(), true)
	}
	for _, p := range file.Problems {
		level := "error"
		if p.Severity == problem.Warning {
			level = "warning"
		}
		fmt.Fprintf(g.out, "::%s file=%s,line=%d", level, githubProperty.Replace(Visible(file.Path)), p.Line)
		if p.Column > 0 {
			fmt.Fprintf(g.out, ",col=%d", p.Column)
		}
		message := p.Message
		if p.Pointer != "" {
			message = p.Pointer + ": " + message
		}
		fmt.Fprintf(g.out, ",title=%s::%s\n", githubProperty.Replace(string(p.Rule)), githubMessage.Replace(Visible(message)))
	}
	return g.out.Flush()
}

// Remark writes ::error file=path,title=not-checked::path: reason. A path that
// does not exist is shown on no line, so that the words name it too.
func (g *githubPrinter) Remark(path, reason string, fault bool) error {
	level := "warning"
	if fault {
		level = "error"
	}
	fmt.Fprintf(g.out, "::%s file=%s,title=not-checked::%s\n", level,
		githubProperty.Replace(Visible(path)), githubMessage.Replace(Visible(path)+": "+Visible(reason)))
	return g.out.Flush()
}

func (g *githubPrinter) Close(lint.Summary) error { return g.out.Flush() }

// What GitHub reads as the end of a part of a command is written as an escape.
var (
	githubMessage  = strings.NewReplacer("%", "%25")
	githubProperty = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)
