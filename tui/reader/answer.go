package reader

// This file says in words which answer a request takes.

import (
	"strings"

	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/form/plan"
)

const (
	mostFields  = 40 // that are told of; a form shows the rest
	mostChoices = 12 // of one field
	mostLevels  = 4  // of objects and lists within each other
)

// answer says which answer a request takes.
func (r *Reader) answer() []string {
	q := r.shown.Request
	if !q.TakesAnswer || q.AnswerSchema == nil {
		return r.wrapped("None: it is a notification", r.theme.Dim)
	}
	w := &words{reader: r}
	root := plan.New(q.AnswerSchema).Root
	each := []*plan.Field{root}
	if root.Kind == plan.Object && len(root.Fields) > 0 {
		each = root.Fields
	}
	for _, field := range each {
		w.gather(field, 0)
	}
	return w.draw()
}

// words are the fields of an answer, as lines of two columns: the names, and what each
// takes.
type words struct {
	reader *Reader
	names  []named
	more   bool // there are more than are told of
}

// named is a field with its name as it stands in its column.
type named struct {
	field *plan.Field
	in    string // spaces for each level that it is within others
	name  string
}

func (w *words) gather(f *plan.Field, level int) {
	if level > mostLevels {
		return
	}
	if len(w.names) == mostFields {
		w.more = true
		return
	}
	name := f.Key
	if name == "" {
		name = f.Label
	}
	w.names = append(w.names, named{f, strings.Repeat("  ", level), cells.Line(name)})
	for _, within := range f.Fields {
		w.gather(within, level+1)
	}
	if f.Item != nil {
		for _, within := range f.Item.Fields {
			w.gather(within, level+1)
		}
	}
}

// column is the width of the names: that of the facts above them, and more where names
// are longer and there is room. A name that is too long for it stands on a line of its
// own, and widens nothing.
func (w *words) column() int {
	column := 0
	for _, n := range w.names {
		if n.name == "" {
			continue
		}
		column = max(column, w.reader.labels())
		if wide := len(n.in) + cells.Width(n.name) + 2; wide <= w.reader.width*2/5 {
			column = max(column, wide)
		}
	}
	return column
}

func (w *words) draw() []string {
	r, column := w.reader, w.column()
	var lines []string
	for _, n := range w.names {
		text := kind(n.field)
		if !n.field.Required {
			text += ", optional"
		}
		lead := n.in + r.theme.Strong.Render(n.name)
		if len(n.in)+cells.Width(n.name)+2 > column && n.name != "" { // no room beside it
			for _, part := range cells.Wrap(n.name, r.width-len(n.in)) {
				lines = append(lines, n.in+r.theme.Strong.Render(part))
			}
			lead = ""
		}
		for _, part := range cells.Wrap(text, max(r.width-column, 12)) {
			lines = append(lines, cells.Fill(lead, column)+part)
			lead = ""
		}
		if n.field.Hint == "" {
			continue
		}
		for _, part := range cells.Wrap(strings.ReplaceAll(n.field.Hint, "\n", " "), max(r.width-column, 12)) {
			lines = append(lines, strings.Repeat(" ", column)+r.theme.Dim.Render(part))
		}
	}
	if w.more {
		lines = append(lines, r.theme.Dim.Render("…"))
	}
	return lines
}

// kind says what a field takes.
func kind(f *plan.Field) string {
	text := ""
	switch f.Kind {
	case plan.Choice:
		labels := make([]string, 0, len(f.Choices))
		for i, choice := range f.Choices {
			if i == mostChoices {
				labels = append(labels, "…")
				break
			}
			labels = append(labels, choice.Label)
		}
		if len(labels) == 1 {
			return "only " + labels[0]
		}
		text = "one of " + strings.Join(labels, ", ")
	case plan.Number:
		text = "a number"
		if f.Whole {
			text = "an integer"
		}
	case plan.Text:
		text = "text"
	case plan.Object:
		text = "fields of its own"
	case plan.List:
		text = "a list"
		if f.Item != nil {
			text += ", each " + kind(f.Item)
		}
	case plan.JSON:
		text = "a value as JSON"
	}
	if f.Expects != "" {
		text += " (" + f.Expects + ")"
	}
	return text
}
