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

// usualWidth is how many cells of a line a table takes where no terminal says how
// many it has.
const usualWidth = 80

// leastWidth is the narrowest terminal that a table is cut for: what is left of names
// in one that is narrower says nothing.
const leastWidth = 40

// tableWidth is how many cells of a line a table takes where its columns can be cut
// to that.
func (a *app) tableWidth() int {
	if a.OutTerminal && a.OutWidth != nil {
		if cells := a.OutWidth(); cells > 0 {
			return max(cells, leastWidth)
		}
	}
	return usualWidth
}

// leastName is the least width that a name is cut to, and leastWrapped the least in a
// table whose lines do not fit even so: cut further, names would say nothing and the
// lines would wrap all the same.
const (
	leastName    = 9
	leastWrapped = 24
)

// fit cuts the middle of cells of a table that is wider than so many cells: those of
// the columns named, the widest first.
func fit(rows [][]string, cells int, columns ...int) {
	for _, row := range rows {
		for i := range row {
			row[i] = report.Visible(row[i])
		}
	}
	least, narrowest := leastName, width(rows)
	for _, column := range columns {
		narrowest -= max(0, widest(rows, column)-leastName)
	}
	if narrowest > cells {
		least = leastWrapped
	}
	for over := width(rows) - cells; over > 0; over = width(rows) - cells {
		column, wide, next := -1, least, least
		for _, candidate := range columns {
			switch have := widest(rows, candidate); {
			case have > wide:
				column, wide, next = candidate, have, wide
			case have > next:
				next = have
			}
		}
		if column < 0 {
			return
		}
		// Down to the second widest, and from there both in turn.
		to := max(wide-over, min(next, wide-1))
		for _, row := range rows {
			row[column] = clipped(row[column], to)
		}
	}
}

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

// clipped is text of at most so many cells, without its middle where it was longer:
// names that begin alike are told apart by their ends.
func clipped(text string, width int) string {
	if report.Width(text) <= width {
		return text
	}
	start, end := text, text
	for start != "" && report.Width(start) > width/2 {
		_, size := utf8.DecodeLastRuneInString(start)
		start = start[:len(start)-size]
	}
	for end != "" && report.Width(start)+1+report.Width(end) > width {
		_, size := utf8.DecodeRuneInString(end)
		end = end[size:]
	}
	return start + "…" + end
}
