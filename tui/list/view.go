package list

// This file draws the list.

import (
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/markdown"
	"github.com/beonauto/auto/tui/theme"
	"github.com/beonauto/auto/tui/when"
)

// deliveries says how a delivery stands, in the words of auto interactions.
var deliveries = map[engine.Delivery]struct {
	words string
	style func(*theme.Theme) lipgloss.Style
}{
	"held_for_an_agent": {"held", func(t *theme.Theme) lipgloss.Style { return t.Dim }},
	"to_deliver":        {"to send", func(t *theme.Theme) lipgloss.Style { return t.Caution }},
	"delivering":        {"sending", func(t *theme.Theme) lipgloss.Style { return t.Caution }},
	"delivered":         {"sent", func(t *theme.Theme) lipgloss.Style { return t.Good }},
	"retrying":          {"to retry", func(t *theme.Theme) lipgloss.Style { return t.Caution }},
	"undelivered":       {"not sent", func(t *theme.Theme) lipgloss.Style { return t.Bad }},
}

// DeliveryWords says how a delivery stands, in its style.
func DeliveryWords(d engine.Delivery, t *theme.Theme) (string, lipgloss.Style) {
	if known, ok := deliveries[d]; ok {
		return known.words, known.style(t)
	}
	return cells.Line(string(d)), t.Text
}

// Delivered says how a delivery stands.
func Delivered(d engine.Delivery) string {
	if known, ok := deliveries[d]; ok {
		return known.words
	}
	return cells.Line(string(d))
}

// marks are the characters that stand before what ended, so that colour is not all
// that tells.
var marks = map[desk.How]string{
	desk.Answered: "✓", desk.Delivered: "✓", desk.Expired: "✗", desk.Cancelled: "✗", desk.Undelivered: "✗", desk.Gone: "✗",
}

// Mark is the character and the style of a way that requests end.
func Mark(how desk.How, t *theme.Theme) (string, lipgloss.Style) {
	switch marks[how] {
	case "✓":
		return "✓", t.Good
	case "✗":
		return "✗", t.Caution
	}
	return "•", t.Dim
}

// columns are the widths of the columns, 0 for one that is left out. The request is
// its function and how its message begins.
type columns struct{ request, party, age, left, delivery int }

// columnsOf shares a width out: the narrower it is, the fewer columns there are. The
// party has no more than its widest name takes.
func columnsOf(width, widest int) columns {
	c := columns{left: 4}
	rest := width - 2 - 1 - c.left
	if width >= 74 {
		c.delivery = 8
		rest -= 2 + c.delivery
	}
	if width >= 58 {
		c.age = 4
		rest -= 3 + c.age // the last column has a wider gap then
	}
	if width >= 48 {
		rest -= 2
		c.party = max(min(rest/3, widest), 4)
	}
	c.request = max(rest-c.party, 4)
	return c
}

func (l *List) columns() columns { return columnsOf(l.width, l.widest) }

// party is whom a request asks, as a row says it.
func party(row *desk.Row) string {
	if row.Waits == desk.OnMe {
		return "you"
	}
	return cells.Line(row.To)
}

// mostMeasured is how many requests are looked at for the widest party.
const mostMeasured = 2000

// measure finds how wide the parties are.
func (l *List) measure() {
	l.widest = 0
	for i := range l.entries[:min(len(l.entries), mostMeasured)] {
		e := &l.entries[i]
		switch {
		case e.Row != nil:
			l.widest = max(l.widest, cells.Width(party(e.Row)))
		case e.Ended != nil:
			l.widest = max(l.widest, cells.Width(party(&e.Ended.Row)))
		}
	}
}

// Head is the line of the columns' names.
func (l *List) Head() string {
	c := l.columns()
	line := "  " + cells.Fill("Request", c.request)
	for _, column := range []struct {
		name string
		wide int
		end  bool
	}{{"To", c.party, false}, {"Age", c.age, true}, {"Left", c.left, true}, {"Delivery", c.delivery, false}} {
		switch {
		case column.wide == 0:
		case column.end:
			line += gap(column.name == "Age" || c.age > 0) + cells.FillStart(column.name, column.wide)
		default:
			line += "  " + cells.Fill(column.name, column.wide)
		}
	}
	return l.theme.Dim.Render(cells.Fill(line, l.width))
}

func gap(wide bool) string {
	if wide {
		return "  "
	}
	return " "
}

// Lines draws the list as it stands at a time, in as many lines as it has.
func (l *List) Lines(now time.Time) []string {
	lines := make([]string, 0, l.height)
	for at := l.top; at < len(l.entries) && len(lines) < l.height; at++ {
		e := &l.entries[at]
		if e.ID() == "" {
			lines = append(lines, l.sectionHead(e))
			continue
		}
		lines = append(lines, l.row(e, at == l.chosen, now))
	}
	for len(lines) < l.height {
		lines = append(lines, strings.Repeat(" ", l.width))
	}
	return lines
}

func (l *List) sectionHead(e *Entry) string {
	text := l.theme.Heading.Render(e.head) + l.theme.Dim.Render(" · "+strconv.Itoa(e.count))
	return cells.Fill(" "+text, l.width)
}

func (l *List) row(e *Entry, chosen bool, now time.Time) string {
	r := &painter{theme: l.theme, chosen: chosen}
	c := l.columns()
	lead := "  "
	if chosen {
		lead = "▌ "
	}
	row, name := e.Row, l.theme.Text
	if e.Ended != nil {
		row, name = &e.Ended.Row, l.theme.Dim
		mark, style := Mark(e.Ended.Ending.How, l.theme)
		r.put(lead[:len(lead)-1], l.theme.Accent)
		r.put(mark+" ", style)
		c.request -= 1
	} else {
		r.put(lead, l.theme.Accent)
	}
	l.request(r, row, c.request, name)
	if c.party > 0 {
		r.put("  ", l.theme.Text)
		l.marked(r, cells.Fill(party(row), c.party), l.theme.Dim)
	}
	if c.age > 0 {
		r.put("  "+cells.FillStart(when.Short(now.Sub(row.Asked)), c.age), l.theme.Dim)
	}
	if e.Ended != nil {
		l.endedCells(r, e.Ended, c, now)
		return r.line(l.width)
	}
	left, style := l.left(row, now)
	r.put(gap(c.age > 0)+cells.FillStart(left, c.left), style)
	if c.delivery > 0 {
		words, style := DeliveryWords(row.Delivery, l.theme)
		r.put("  "+cells.Fill(words, c.delivery), style)
	}
	return r.line(l.width)
}

// mostGists is how many beginnings are kept as they are shown.
const mostGists = 1000

// gist is how a message begins, on one line.
func (l *List) gist(beginning string) string {
	known, ok := l.gists[beginning]
	if !ok {
		if l.gists == nil || len(l.gists) >= mostGists {
			l.gists = map[string]string{}
		}
		known = markdown.Gist(beginning)
		l.gists[beginning] = known
	}
	return known
}

// leastBeginning is the fewest cells in which the beginning of a message says
// anything.
const leastBeginning = 8

// request draws the function of a request, and how its message begins where there
// is room.
func (l *List) request(r *painter, row *desk.Row, width int, style lipgloss.Style) {
	function := cells.Line(row.Name)
	if !row.TakesAnswer {
		function += " (notice)"
	}
	room := width - cells.Width(function) - 2
	begins := ""
	if room >= leastBeginning {
		begins = l.gist(row.Beginning)
	}
	if begins == "" {
		l.marked(r, cells.Fill(function, width), style)
		return
	}
	l.marked(r, function, style)
	r.put("  ", l.theme.Text)
	l.marked(r, cells.Fill(begins, room), l.theme.Dim)
}

// endedCells draws how a request ended, where an open one has its time and delivery.
func (l *List) endedCells(r *painter, e *Ended, c columns, now time.Time) {
	_, style := Mark(e.Ending.How, l.theme)
	if c.delivery == 0 {
		r.put(gap(c.age > 0)+strings.Repeat(" ", c.left), l.theme.Dim)
		return
	}
	words := string(e.Ending.How) + " " + when.Short(now.Sub(e.Ending.At))
	r.put(gap(true)+cells.Fill(words, c.left+2+c.delivery), style)
}

// left says how long an open request has, and how urgent that is.
func (l *List) left(row *desk.Row, now time.Time) (string, lipgloss.Style) {
	d := row.Expires.Sub(now)
	switch {
	case d <= 0:
		return "over", l.theme.Bad
	case d < soon:
		return when.Short(d), l.theme.Bad
	case d < 24*soon:
		return when.Short(d), l.theme.Caution
	}
	return when.Short(d), l.theme.Text
}

// marked puts text with what the filter found in it marked.
func (l *List) marked(r *painter, text string, style lipgloss.Style) {
	lower := strings.ToLower(text)
	if len(l.terms) == 0 || len(lower) != len(text) {
		r.put(text, style)
		return
	}
	for text != "" {
		start, size := len(text), 0
		for _, term := range l.terms {
			if at := strings.Index(lower, term); at >= 0 && at < start {
				start, size = at, len(term)
			}
		}
		r.put(text[:start], style)
		r.put(text[start:start+size], l.theme.Match)
		text, lower = text[start+size:], lower[start+size:]
	}
}

// painter puts the parts of a row together.
type painter struct {
	theme  *theme.Theme
	chosen bool
	b      strings.Builder
	wide   int
}

func (p *painter) put(text string, style lipgloss.Style) {
	if text == "" {
		return
	}
	p.wide += cells.Width(text)
	switch {
	case !p.chosen:
		p.b.WriteString(style.Render(text))
	case p.theme.Selected.GetReverse():
		p.b.WriteString(p.theme.Selected.Render(text))
	default:
		p.b.WriteString(p.theme.Selected.Inherit(style).Render(text))
	}
}

func (p *painter) line(width int) string {
	if missing := width - p.wide; missing > 0 {
		p.put(strings.Repeat(" ", missing), p.theme.Text)
	}
	return p.b.String()
}
