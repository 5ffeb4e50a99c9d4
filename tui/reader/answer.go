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
	if root.Kind == plan.Object && len(root.Fields) > 0 {
		for _, field := range root.Fields {
			w.field(field, 0)
		}
	} else {
		w.field(root, 0)
	}
	if w.count > mostFields {
		w.lines = append(w.lines, r.theme.Dim.Render("…"))
	}
	return w.lines
}

// words writes the fields of an answer.
type words struct {
	reader *Reader
	lines  []string
	count  int
}

func (w *words) field(f *plan.Field, level int) {
	if w.count++; w.count > mostFields || level > mostLevels {
		return
	}
	r := w.reader
	name := f.Key
	if name == "" {
		name = f.Label
	}
	name = cells.Line(name)
	in := strings.Repeat("  ", level)
	text := kind(f)
	if !f.Required {
		text += ", optional"
	}
	lead := in
	if name != "" {
		lead += name + "  "
	}
	for i, part := range cells.Wrap(text, max(r.width-cells.Width(lead), 12)) {
		if i == 0 {
			w.lines = append(w.lines, in+r.theme.Strong.Render(strings.TrimSuffix(strings.TrimPrefix(lead, in), "  "))+pad(name)+part)
			continue
		}
		w.lines = append(w.lines, strings.Repeat(" ", min(cells.Width(lead), max(r.width-12, 0)))+part)
	}
	if f.Hint != "" {
		for _, line := range cells.Wrap(strings.ReplaceAll(f.Hint, "\n", " "), max(r.width-2*level-2, 12)) {
			w.lines = append(w.lines, in+"  "+r.theme.Dim.Render(line))
		}
	}
	for _, within := range f.Fields {
		w.field(within, level+1)
	}
	if f.Item != nil && (len(f.Item.Fields) > 0 || f.Item.Kind == plan.List) {
		for _, within := range f.Item.Fields {
			w.field(within, level+1)
		}
	}
}

func pad(name string) string {
	if name == "" {
		return ""
	}
	return "  "
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
			text = "a whole number"
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
