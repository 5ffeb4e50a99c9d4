package report

// This file writes a report for programs: one JSON value, each file as soon
// as it is known. Its keys and their order are kept from version to version.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

type jsonFile struct {
	Path      string             `json:"path"`
	Type      string             `json:"type"`
	Problems  []jsonProblem      `json:"problems"`
	Rejection *problem.Rejection `json:"rejection"`
}

type jsonProblem struct {
	Line     int              `json:"line"`
	Column   *int             `json:"column"` // null when only the line is known
	Pointer  string           `json:"pointer"`
	Rule     problem.Rule     `json:"rule"`
	Severity problem.Severity `json:"severity"`
	Message  string           `json:"message"`
}

type jsonSummary struct {
	Files        int `json:"files"`
	WithProblems int `json:"files_with_problems"`
	Problems     int `json:"problems"`
	Warnings     int `json:"warnings"`
	Unreadable   int `json:"unreadable"`
}

type jsonPrinter struct {
	out   *bufio.Writer
	files int
}

func newJSON(out io.Writer, _ Options) Printer {
	return &jsonPrinter{out: bufio.NewWriter(out)}
}

func (j *jsonPrinter) File(file *lint.File) error {
	if file.Err != nil {
		return nil // counted in the summary; it has no problems to list
	}
	entry := jsonFile{Path: file.Path, Type: file.Type, Problems: []jsonProblem{}, Rejection: file.Rejection}
	for _, p := range file.Problems {
		listed := jsonProblem{Line: p.Line, Pointer: p.Pointer, Rule: p.Rule, Severity: p.Severity, Message: p.Message}
		if p.Column > 0 {
			listed.Column = &p.Column
		}
		entry.Problems = append(entry.Problems, listed)
	}
	before := ",\n    "
	if j.files == 0 {
		before = "{\n  \"files\": [\n    "
	}
	j.files++
	return j.write(before, entry, "    ", "")
}

func (j *jsonPrinter) Close(summary lint.Summary) error {
	before := "\n  ],\n  \"summary\": "
	if j.files == 0 {
		before = "{\n  \"files\": [],\n  \"summary\": "
	}
	entry := jsonSummary{summary.Files, summary.WithProblems, summary.Problems, summary.Warnings, summary.Unreadable}
	if err := j.write(before, entry, "  ", "\n}\n"); err != nil {
		return err
	}
	return j.out.Flush()
}

func (j *jsonPrinter) write(before string, value any, prefix, after string) error {
	return writeJSON(j.out, before, value, prefix, after)
}

// writeJSON writes a value between two texts, its lines indented by prefix.
func writeJSON(out *bufio.Writer, before string, value any, prefix, after string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(prefix, "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.WriteString(before)
	out.WriteString(VisibleJSON(strings.TrimRight(text.String(), "\n")))
	_, err := out.WriteString(after) // a bufio.Writer keeps its first error
	return err
}
