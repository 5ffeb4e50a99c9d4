package cli

// This file prints tables: rows of cells in columns.

import (
	"bufio"
	"strings"
	"unicode/utf8"

	"github.com/beonauto/auto/lint/report"
)

// heading paints the first row of a table, and leaves the others as they are.
func (a *app) heading(row, _ int, text string) string {
	return report.Paint(a.useColour() && row == 0, report.Dim, text)
}

// printTable prints rows of cells in columns as wide as their widest cell.
func (a *app) printTable(rows [][]string, paint func(row, column int, text string) string) error {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = report.Visible(cell)
			widths[i] = max(widths[i], report.Width(row[i]))
		}
	}
	out := bufio.NewWriter(a.Out)
	for n, row := range rows {
		for i, cell := range row {
			out.WriteString(paint(n, i, cell))
			if i < len(row)-1 {
				out.WriteString(strings.Repeat(" ", widths[i]-report.Width(cell)+2))
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// tableWidth is how many cells of a terminal a table takes where its columns can be
// cut to that.
const tableWidth = 80

// fit cuts cells of a table that is wider than a terminal: those of each of these
// columns in turn, to no less than the least width.
func fit(rows [][]string, least int, columns ...int) {
	for _, row := range rows {
		for i := range row {
			row[i] = report.Visible(row[i])
		}
	}
	for _, column := range columns {
		over := width(rows) - tableWidth
		if over <= 0 {
			return
		}
		to := max(least, widest(rows, column)-over)
		for _, row := range rows {
			row[column] = clipped(row[column], to)
		}
	}
}

// tooWide tells whether a table takes more than a terminal's width.
func tooWide(rows [][]string) bool { return width(rows) > tableWidth }

// width is how many cells a table takes.
func width(rows [][]string) (cells int) {
	for i := range rows[0] {
		cells += widest(rows, i) + 2
	}
	return cells - 2
}

func widest(rows [][]string, column int) (width int) {
	for _, row := range rows {
		width = max(width, report.Width(row[column]))
	}
	return width
}

// clipped is text of at most so many cells, with a mark where it was cut.
func clipped(text string, width int) string {
	if report.Width(text) <= width {
		return text
	}
	for text != "" && report.Width(text) > width-1 {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text + "…"
}
