package form

// This file draws the fields: a block of lines for each, of which as many are shown
// as there is room for, the one where the person is among them.

import (
	"strings"

	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/form/plan"
	"github.com/beonauto/auto/tui/safe"
)

// The least that is drawn into, whatever the terminal says of itself.
const (
	minWidth  = 16
	minHeight = 3
)

// roomy is the height from which there is a line between fields.
const roomy = 18

// block is the lines of one field, or of what stands between fields.
type block struct {
	stop  int // which stop it is; -1 for none
	lines []string
	caret int // the line that has to be seen
	spots []spot
}

// spot is where an option is drawn in a block: the cells of one of its lines.
type spot struct {
	line, from, to int
	option         int
}

// View draws the form in the cells it was given.
func (f *Form) View() string {
	if f.state == Reviewing {
		return f.viewReview()
	}
	width, height := max(f.options.Width, minWidth), max(f.options.Height, minHeight)
	var notice []string
	if f.said != "" {
		notice = cells.Wrap(f.said, width-1)
		notice = notice[:min(len(notice), max(height-minHeight, 1), mostSaid)]
		for i, line := range notice {
			notice[i] = f.theme.Caution.Render(line)
		}
		height = max(height-len(notice), 1)
	}
	lines, first, last, caret := f.lines()
	switch {
	case f.away:
		f.top = max(min(f.top, len(lines)-height), 0)
	case f.focus == 0 && last < height:
		f.top = 0 // what stands above the first field is seen with it
	default:
		f.top = scrolled(f.top, height, len(lines), first, last, caret)
	}
	out := append([]string{}, lines[f.top:min(f.top+height, len(lines))]...)
	markMore(out, f.theme.Dim.Render, width, f.top > 0, f.top+height < len(lines))
	return strings.Join(append(out, notice...), "\n")
}

// mostSaid is how many lines what just happened takes.
const mostSaid = 4

// scrolled gives the first line to show so that those from first to last are seen,
// or where there are too many the one at caret, moving as little as it can.
func scrolled(top, height, all, first, last, caret int) int {
	if last-first >= height {
		first, last = max(caret-1, first), min(caret+1, last)
		if last-first >= height {
			first, last = caret, caret
		}
	}
	if top > first {
		top = first
	}
	if top < last-height+1 {
		top = last - height + 1
	}
	return max(min(top, all-height), 0)
}

// markMore marks in the last column that there is more above or below.
func markMore(lines []string, style func(...string) string, width int, above, below bool) {
	if len(lines) == 0 {
		return
	}
	if above {
		lines[0] = cells.Fill(lines[0], width-1) + style("↑")
	}
	if below {
		last := len(lines) - 1
		lines[last] = cells.Fill(lines[last], width-1) + style("↓")
	}
}

// lines gives all lines, and where the block of the person's stop is among them.
func (f *Form) lines() (lines []string, first, last, caret int) {
	for i, b := range f.blocks() {
		if i > 0 && f.options.Height >= roomy {
			lines = append(lines, "")
		}
		if b.stop == f.focus {
			first, last, caret = len(lines), len(lines)+len(b.lines)-1, len(lines)+b.caret
		}
		lines = append(lines, b.lines...)
	}
	return lines, first, last, caret
}

// painter draws the blocks in turn.
type painter struct {
	*Form
	blocks []block
	next   int // the stop that comes next
}

func (f *Form) blocks() []block {
	p := &painter{Form: f}
	p.preface()
	p.entry(f.root)
	p.add(block{stop: p.next, lines: []string{p.bar(p.next) + p.button("Review", p.next)}})
	return p.blocks
}

func (p *painter) add(b block) { p.blocks = append(p.blocks, b) }

// mostOutside is how many problems that are no field's stand above the fields.
const mostOutside = 5

// preface draws what is about no field.
func (p *painter) preface() {
	var lines []string
	width := p.width() - 2
	paint := func(style func(...string) string, text string) {
		for _, line := range cells.Wrap(safe.Line(text), width) {
			lines = append(lines, style(line))
		}
	}
	if p.plan.Unchecked {
		paint(p.theme.Caution.Render, "The rules of this answer cannot be read here: it is checked when it is sent")
	}
	for i, issue := range p.outside {
		if i == mostOutside {
			break
		}
		paint(p.theme.Bad.Render, "✗ "+issue.Detail)
	}
	if root := p.root; root.Field.Kind == plan.Object {
		if words := p.problemOf(root); words != "" && !isGroupStop(root) {
			paint(p.theme.Bad.Render, "✗ "+words)
		}
		if root.Field.Hint != "" {
			paint(p.theme.Dim.Render, strings.ReplaceAll(root.Field.Hint, "\n", " "))
		}
	}
	if len(lines) > 0 {
		p.add(block{stop: -1, lines: lines})
	}
}

// entry draws an entry and all within it.
func (p *painter) entry(e *plan.Entry) {
	switch {
	case e.Field.Fixed():
		p.add(block{stop: -1, lines: p.framed(e, -1, []string{p.name(e, false) + p.theme.Dim.Render(": always ") + e.Field.Choices[0].Label})})
	case e.Field.Kind == plan.Object:
		p.object(e)
	case e.Field.Kind == plan.List:
		p.list(e)
	default:
		stop := p.next
		p.next++
		lines, caret, spots := p.field(e, stop == p.focus)
		in := p.indent(e) + 2
		for i := range spots {
			spots[i].from += in
			spots[i].to += in
		}
		p.add(block{stop: stop, lines: p.framed(e, stop, lines), caret: caret, spots: spots})
	}
}

// object draws the name of an object and its fields.
func (p *painter) object(e *plan.Entry) {
	stop := -1
	if isGroupStop(e) {
		stop = p.next
		p.next++
	}
	if e.Parent != nil || stop >= 0 {
		lines := append([]string{p.name(e, stop == p.focus) + p.blank(e)}, p.hints(e, stop == p.focus)...)
		lines = append(lines, p.problem(e)...)
		p.add(block{stop: stop, lines: p.framed(e, stop, lines)})
	}
	for _, each := range e.Fields {
		p.entry(each)
	}
}

// list draws the name of a list, its items, and the place to add one.
func (p *painter) list(e *plan.Entry) {
	lines := append([]string{p.name(e, false) + p.blank(e)}, p.hints(e, true)...)
	p.add(block{stop: -1, lines: p.framed(e, -1, append(lines, p.problem(e)...))})
	for _, each := range e.Items {
		p.entry(each)
	}
	stop := p.next
	p.next++
	words := "Add an item"
	switch {
	case e.Full():
		words = "No more items"
	case len(e.Items) > 0:
		words = "Add another"
	}
	p.add(block{stop: stop, lines: p.framed(e, stop, []string{"  " + p.button("+ "+words, stop)})})
}

// width is how many cells there are for a line.
func (f *Form) width() int { return max(f.options.Width, minWidth) - 1 }

// indent is how far in an entry stands.
func (f *Form) indent(e *plan.Entry) int { return min(2*e.Level(), f.width()/4) }

// textWidth is how many cells a line of a field's text has.
func (f *Form) textWidth(e *plan.Entry) int {
	// The bar, the border, and a cell for a space at the end or the cursor.
	return max(f.width()-f.indent(e)-2-2-1, 4)
}

// bar is what stands before each line of a block: a mark where the person is.
func (f *Form) bar(stop int) string {
	if stop == f.focus {
		return f.theme.Accent.Render("▌ ")
	}
	return "  "
}

// framed puts the bar and the indent before lines, and keeps them within the width.
func (f *Form) framed(e *plan.Entry, stop int, lines []string) []string {
	in := strings.Repeat(" ", f.indent(e))
	for i, line := range lines {
		lines[i] = cells.Cut(in+f.bar(stop)+line, f.width())
	}
	return lines
}

func (f *Form) button(label string, stop int) string {
	if stop == f.focus {
		return f.theme.Selected.Render("[ " + label + " ]")
	}
	return f.theme.Key.Render("[ " + label + " ]")
}

// name draws the name of a field, and whether it may be left out.
func (f *Form) name(e *plan.Entry, focused bool) string {
	style := f.theme.Strong
	if focused {
		style = f.theme.Accent
	}
	label := style.Render(e.Label())
	if e.Parent != nil && !e.Field.Required && e.Place() < 0 {
		label += f.theme.Dim.Render(" (optional)")
	}
	return label
}

// blank says what a field counts as that is blank and need not be.
func (f *Form) blank(e *plan.Entry) string {
	if e.Given() || e.Blank == e.Field.Blanks()[0] {
		return ""
	}
	return f.theme.Caution.Render(" · " + blankWords(e))
}

// blankWords says what a blank field counts as.
func blankWords(e *plan.Entry) string {
	switch e.Blank {
	case plan.Null:
		return "nothing (null)"
	case plan.Empty:
		if e.Field.Kind == plan.Text {
			return "an empty text"
		}
		return "there, with nothing in it"
	}
	if e.Field.Required {
		return "not answered yet"
	}
	return "left out"
}

// hints says what the schema says of a field: all of it where the person is, and
// one line elsewhere.
func (f *Form) hints(e *plan.Entry, focused bool) []string {
	var lines []string
	width := f.width() - f.indent(e) - 2
	if e.Field.Hint != "" && e.Parent != nil || e.Field.Hint != "" && e.Field.Kind != plan.Object {
		if !focused {
			first := strings.ReplaceAll(e.Field.Hint, "\n", " ")
			return []string{f.theme.Dim.Render(cells.Cut(first, width))}
		}
		for _, part := range strings.Split(e.Field.Hint, "\n") {
			for _, line := range cells.Wrap(part, width) {
				lines = append(lines, f.theme.Dim.Render(line))
			}
		}
	}
	if bounds := e.Field.Bounds(); focused && bounds != "" {
		for _, line := range cells.Wrap(bounds, width) {
			lines = append(lines, f.theme.Dim.Render(line))
		}
	}
	return lines
}

// problem draws what is wrong with an entry.
func (f *Form) problem(e *plan.Entry) []string {
	words := f.problemOf(e)
	if words == "" {
		return nil
	}
	var lines []string
	for i, line := range cells.Wrap(safe.Line(words), f.width()-f.indent(e)-4) {
		mark := "  "
		if i == 0 {
			mark = "✗ "
		}
		lines = append(lines, f.theme.Bad.Render(mark+line))
	}
	return lines
}
