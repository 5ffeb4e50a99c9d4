package markdown

// This file draws tables.

import (
	"strings"

	"github.com/beonauto/auto/tui/cells"
)

const (
	mostColumns = 12 // of a table; more are drawn as text
	gutter      = 2  // cells between two columns
)

// isTable tells whether a table begins: a row of heads and a line of dashes with as
// many columns.
func isTable(source []string) bool {
	if !strings.Contains(source[0], "|") {
		return false
	}
	heads, dashes := row(source[0]), row(source[1])
	if len(heads) != len(dashes) || len(heads) > mostColumns {
		return false
	}
	for _, cell := range dashes {
		if dashed := strings.Trim(cell, ":"); dashed == "" || strings.Trim(dashed, "-") != "" {
			return false
		}
	}
	return true
}

// row splits a row into its cells.
func row(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = line[:len(line)-1]
	}
	var found []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case strings.HasPrefix(line[i:], `\|`):
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			found = append(found, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(found, strings.TrimSpace(cell.String()))
}

func (d *drawer) table(source []string, width int) ([]string, int) {
	rows := [][]string{row(source[0])}
	columns := len(rows[0])
	used := 2
	for ; used < len(source) && !blank(source[used]) && strings.Contains(source[used], "|"); used++ {
		one := row(source[used])
		for len(one) < columns {
			one = append(one, "")
		}
		rows = append(rows, one[:columns])
	}
	if columns*3+(columns-1)*gutter > width {
		return d.records(rows, width), used
	}
	return d.grid(rows, d.columnWidths(rows, width), row(source[1])), used
}

// records draws a table that is too wide for its columns: each row as its heads
// and cells.
func (d *drawer) records(rows [][]string, width int) []string {
	var drawn []string
	for i, one := range rows[1:] {
		if i > 0 {
			drawn = append(drawn, "")
		}
		for j, cell := range one {
			drawn = append(drawn, d.wrapped("**"+rows[0][j]+"** "+cell, width, 0)...)
		}
	}
	return drawn
}

// columnWidths gives each column what its widest cell takes, and where that is too
// much takes from the widest columns.
func (d *drawer) columnWidths(rows [][]string, width int) []int {
	widths := make([]int, len(rows[0]))
	total := (len(widths) - 1) * gutter
	for i := range widths {
		for _, one := range rows {
			widths[i] = max(widths[i], measured(spansOf(one[i])), 1)
		}
		total += widths[i]
	}
	for ; total > width; total-- {
		widest := 0
		for i := range widths {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		widths[widest]--
	}
	return widths
}

func (d *drawer) grid(rows [][]string, widths []int, dashes []string) []string {
	var drawn []string
	for i, one := range rows {
		marks := mark(0)
		if i == 0 {
			marks = strong
		}
		columns := make([][]string, len(widths))
		height := 0
		for j, cell := range one {
			columns[j] = d.wrapped(cell, widths[j], marks)
			height = max(height, len(columns[j]))
		}
		for line := range height {
			var b strings.Builder
			for j, column := range columns {
				words := ""
				if line < len(column) {
					words = column[line]
				}
				if j > 0 {
					b.WriteString(strings.Repeat(" ", gutter))
				}
				if strings.HasSuffix(dashes[j], ":") && !strings.HasPrefix(dashes[j], ":") {
					b.WriteString(cells.FillStart(words, widths[j]))
				} else {
					b.WriteString(cells.Fill(words, widths[j]))
				}
			}
			drawn = append(drawn, strings.TrimRight(b.String(), " "))
		}
		if i == 0 {
			lines := make([]string, len(widths))
			for j, wide := range widths {
				lines[j] = strings.Repeat("─", wide)
			}
			drawn = append(drawn, d.theme.Line.Render(strings.Join(lines, strings.Repeat(" ", gutter))))
		}
	}
	return drawn
}
