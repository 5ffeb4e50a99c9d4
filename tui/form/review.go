package form

// This file is the last step: it shows exactly what will be sent, in words and as
// JSON, and sends it only by enter on Send. An answer with problems cannot be sent:
// each of them leads back to its field. Where the request takes no answer any more,
// it shows what was typed, and sends nothing.

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/form/plan"
	"github.com/beonauto/auto/tui/safe"
)

// review is the review as it stands.
type review struct {
	faults []fault // what is wrong; with any, nothing can be sent
	at     int     // the fault, or of the buttons 0 for Send and 1 for Back
	top    int     // the first line shown
	seen   int     // how many lines were shown so far, from the first

	lines []string // what is shown above the buttons, for a width
	width int
}

// fault is one thing that is wrong.
type fault struct {
	entry *plan.Entry // nil when it is no field's
	label string
	words string
}

// startReview shows what would be sent. Whoever came by enter starts at Back, so
// that a key that is pressed once more, or held, never sends.
func (f *Form) startReview(atSend bool) {
	f.leave()
	f.root.Each(func(e *plan.Entry) { e.Touched = true })
	f.state = Reviewing
	f.check()
	f.review = review{}
	if !atSend || f.over {
		f.review.at = 1
	}
	if f.over {
		return
	}
	f.root.Each(func(e *plan.Entry) {
		if words := f.wrong[e]; words != "" {
			f.review.faults = append(f.review.faults, fault{e, e.Path(), words})
		}
	})
	for _, issue := range f.whole {
		f.review.faults = append(f.review.faults, fault{label: "Answer", words: issue.Detail})
	}
	if len(f.review.faults) > 0 {
		f.review.at = 0
	}
	f.viewReview() // which takes note of what is seen
}

// SetOver says whether the request takes no answer any more. Nothing is sent then,
// and the review shows what was typed instead.
func (f *Form) SetOver(over bool) {
	if f.over == over {
		return
	}
	f.over = over
	if f.state == Reviewing {
		f.startReview(false)
	}
}

// unseen tells whether some of what will be sent was not on the screen yet.
func (r *review) unseen() bool { return r.seen < len(r.lines) }

func (f *Form) reviewKeys() []Key {
	r := &f.review
	if f.over {
		return []Key{{"enter", "back to the fields"}, {"↑/↓", "scroll"}}
	}
	if len(r.faults) > 0 {
		return []Key{{"enter", "go to the field"}, {"↑/↓", "move"}, {"esc", "back to the fields"}}
	}
	send := Key{"enter", "send"}
	switch {
	case r.at == 1:
		send = Key{"enter", "back to the fields"}
	case r.unseen():
		send = Key{"enter", "read on"}
	}
	return []Key{send, {"tab", "Send or Back"}, {"↑/↓", "scroll"}, {"esc", "back to the fields"}}
}

// reviewKey takes a key while the review is shown.
func (f *Form) reviewKey(msg tea.KeyPressMsg) {
	r := &f.review
	key := msg.String()
	page := max(f.options.Height-3, 1)
	switch {
	case key == "esc":
		f.back(nil)
	case key == "enter" && len(r.faults) > 0:
		f.back(r.faults[r.at].entry)
	case key == "enter" && (r.at == 1 || f.over):
		f.back(nil)
	case key == "enter" && r.unseen():
		r.top += page
		f.viewReview() // which takes note of what is seen now
	case key == "enter" && !msg.IsRepeat:
		f.state = Sent
	case len(r.faults) > 0:
		switch key {
		case "up", "shift+tab", "k":
			r.at = max(r.at-1, 0)
		case "down", "tab", "j":
			r.at = min(r.at+1, len(r.faults)-1)
		}
	default:
		switch key {
		case "tab", "shift+tab", "left", "right":
			if !f.over {
				r.at = 1 - r.at
			}
		case "up", "k":
			r.top--
		case "down", "j":
			r.top++
		case "pgup":
			r.top -= page
		case "pgdown", "space":
			r.top += page
		case "home", "g":
			r.top = 0
		case "end", "G":
			r.top = len(r.lines)
		}
	}
}

// back goes back to the fields, at an entry or where the person was.
func (f *Form) back(to *plan.Entry) {
	f.state = Editing
	f.check()
	if to != nil {
		f.goToEntry(to)
	}
}

// viewReview draws the review.
func (f *Form) viewReview() string {
	width, height := max(f.options.Width, minWidth), max(f.options.Height, minHeight)
	if len(f.review.faults) > 0 {
		return f.viewFaults(width, height)
	}
	r := &f.review
	if r.lines == nil || r.width != width {
		whole := r.lines != nil && !r.unseen()
		r.lines, r.width = f.reviewLines(width), width
		if r.seen = 0; whole {
			r.seen = len(r.lines)
		} else {
			r.top = 0
		}
	}
	shown := height - 2 // the buttons, and a line above them
	r.top = max(min(r.top, len(r.lines)-shown), 0)
	r.seen = max(r.seen, min(r.top+shown, len(r.lines)))
	out := append([]string{}, r.lines[r.top:min(r.top+shown, len(r.lines))]...)
	markMore(out, f.theme.Dim.Render, width, r.top > 0, r.top+shown < len(r.lines))
	for len(out) < shown && len(out) < len(r.lines) {
		out = append(out, "")
	}
	button := func(label string, at int) string {
		if r.at == at {
			return f.theme.Selected.Render("[ " + label + " ]")
		}
		return "  " + label + "  "
	}
	send := "Send"
	if r.unseen() {
		send = "More" // as wide, so that a click finds the same button
	}
	buttons := button(send, 0) + "  " + button("Back", 1)
	if f.over {
		buttons = button("Back", 1)
	}
	return strings.Join(append(out, "", cells.Cut(buttons, width)), "\n")
}

// reviewLines says what will be sent, or what was typed where nothing will be.
func (f *Form) reviewLines(width int) []string {
	t := f.theme
	inner := width - 2
	title, answer := "What will be sent", f.reading.Answer
	if f.over {
		title, answer = "What you typed; nothing is sent", f.Typed()
	}
	lines := []string{t.Title.Render(cells.Cut(title, inner)), ""}
	for _, each := range f.root.Summary() {
		in := strings.Repeat("  ", min(each.Level, inner/8))
		style := t.Text
		if each.Quiet {
			style = t.Dim
		}
		lines = append(lines, said(in, each, inner, t.Strong.Render, style.Render)...)
	}
	lines = append(lines, "", t.Heading.Render("As JSON"))
	for _, line := range strings.Split(safe.JSON(value.IndentedJSON(answer, "  ")), "\n") {
		for _, part := range cells.Break(line, inner) {
			lines = append(lines, t.Code.Render(part))
		}
	}
	return lines
}

// said writes one line of the answer in words, its first line after its label where
// there is room.
func said(in string, line plan.Line, width int, strong, style func(...string) string) []string {
	first := in + line.Label + ":"
	if line.Says == "" {
		return []string{in + strong(cells.Cut(line.Label, width-len(in)))}
	}
	label := strong(cells.Cut(line.Label, width-len(in)-1) + ":")
	if !strings.Contains(line.Says, "\n") && cells.Width(first)+1+cells.Width(line.Says) <= width {
		return []string{in + label + " " + style(line.Says)}
	}
	lines := []string{in + label}
	for _, each := range strings.Split(line.Says, "\n") {
		for _, part := range cells.Wrap(each, width-len(in)-2) {
			lines = append(lines, in+"  "+style(part))
		}
	}
	return lines
}

// viewFaults draws what keeps the answer from being sent.
func (f *Form) viewFaults(width, height int) string {
	t, r := f.theme, &f.review
	lines := []string{t.Title.Render(cells.Cut("Not ready to send", width-2)), ""}
	first, last := 0, 0
	for i, each := range r.faults {
		mark, style := "  ", t.Strong
		if i == r.at {
			mark, style = t.Accent.Render("▌ "), t.Accent
			first = len(lines)
		}
		lines = append(lines, mark+style.Render(cells.Cut(each.label, width-4)))
		for _, part := range cells.Wrap(safe.Line(each.words), width-6) {
			lines = append(lines, mark+"  "+t.Bad.Render(part))
		}
		if i == r.at {
			last = len(lines) - 1
		}
	}
	r.top = scrolled(r.top, height, len(lines), first, last, first)
	if r.at == 0 && last < height {
		r.top = 0
	}
	out := lines[r.top:min(r.top+height, len(lines))]
	markMore(out, t.Dim.Render, width, r.top > 0, r.top+height < len(lines))
	return strings.Join(out, "\n")
}
