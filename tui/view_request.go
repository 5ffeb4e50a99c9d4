package tui

// This file draws the screens about one request, the questions and the help.

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/list"
	"github.com/beonauto/auto/tui/markdown"
	"github.com/beonauto/auto/tui/reader"
	"github.com/beonauto/auto/tui/when"
)

// path is the title of a screen about a request.
func (m *Inbox) path(what, name string) string {
	if m.width < roomyWidth {
		return m.theme.Dim.Render(strings.TrimPrefix("› "+what, "› ")) + m.theme.Strong.Render(cells.Line(name))
	}
	return m.theme.Title.Render("auto inbox") + m.theme.Dim.Render(" › "+what) + m.theme.Strong.Render(cells.Line(name))
}

func (m *Inbox) readerLines() []string {
	row, _ := m.rowOf(m.wanted)
	shown := m.reader.Shown().Request
	var middle []string
	switch {
	case m.failed != nil && m.fetched == m.wanted:
		middle = m.centred([]string{"The request cannot be read", m.failed.Error()}, m.width-2, m.height-chrome)
	case shown == nil || shown.RunID != m.wanted:
		middle = m.centred([]string{"Reading the request…"}, m.width-2, m.height-chrome)
	default:
		middle = m.reader.Lines(m.options.Now())
		row.Name = shown.Name
	}
	lines := []string{m.title(m.path("", row.Name), m.theme.Dim.Render(m.reader.Place()))}
	for _, line := range middle {
		lines = append(lines, " "+cells.Fill(line, m.width-2)+" ")
	}
	return append(lines, m.status(), helpLine(m.readerHints(), m.width, m.theme))
}

// readerHints leaves out what cannot be done with the request.
func (m *Inbox) readerHints() []hint {
	shown := m.reader.Shown()
	var hints []hint
	for _, h := range hintsOf(readerScreen) {
		over := shown.Ending != nil && (h.does == "answer" || h.does == "cancel")
		notice := shown.Request != nil && !shown.Request.TakesAnswer && h.does == "answer"
		whole := m.reader.Place() == "" && h.does == "scroll"
		typed := m.toAnswer != "" && h.does != "back" // it is for the form that comes
		if !over && !notice && !whole && !typed {
			hints = append(hints, h)
		}
	}
	return hints
}

// banners say above a form what its request came to meanwhile.
func (m *Inbox) banners() []string {
	if m.formOf == nil {
		return nil
	}
	width := m.width - 2
	var lines []string
	say := func(style lipgloss.Style, text string) {
		for _, part := range cells.Wrap(text, width) {
			lines = append(lines, style.Render(part))
		}
	}
	ending := m.endingOf(m.formOf.RunID)
	switch {
	case ending != nil:
		mark, style := list.Mark(ending.How, m.theme)
		say(style.Bold(true), mark+" "+reader.Told(ending)+", "+when.Ago(ending.At, m.options.Now())+"; it takes no other answer")
		say(m.theme.Text, "What you typed stays here: ctrl+y copies it, esc keeps it until you quit")
	case !m.formOf.Expires.After(m.options.Now()):
		say(m.theme.Bad, "✗ Its time is over. What you typed stays here: ctrl+y copies it")
	}
	if m.refusal != "" {
		say(m.theme.Bad, m.refusal)
	}
	return lines
}

// asked is how the message begins, for a form that the message does not stand beside.
func (m *Inbox) asked() []string {
	if m.formOf == nil || m.wide() || m.height < tallFrom {
		return nil
	}
	gist := markdown.Gist(m.formOf.Message)
	if gist == "" {
		return nil
	}
	return []string{m.theme.Quote.Render(cells.Cut(gist, m.width-2))}
}

// formAt is the form's first cell.
func (m *Inbox) formAt() (x, y int) {
	y = 1 + len(m.banners()) + len(m.asked())
	if m.wide() {
		return m.readerWidth() + between, y
	}
	return 1, y
}

// over says in a word or two that a request takes no answer any more.
var over = map[desk.How]string{
	desk.Answered: "answered", desk.Expired: "expired", desk.Cancelled: "cancelled",
	desk.Undelivered: "given up", desk.Delivered: "delivered", desk.Gone: "deleted", desk.Ended: "ended",
}

func (m *Inbox) formLines() []string {
	m.form.SetSize(m.formSize())
	m.form.SetOver(m.isOver())
	q := m.formOf
	left, open := when.Left(q.Expires, m.options.Now())
	right := m.theme.Dim.Render("expires in " + left)
	if m.width < roomyWidth {
		right = m.theme.Dim.Render(when.Short(q.Expires.Sub(m.options.Now())) + " left")
	}
	switch ending := m.endingOf(q.RunID); {
	case ending != nil:
		right = m.theme.Caution.Render(over[ending.How])
	case !open:
		right = m.theme.Bad.Render("its time is over")
	}
	lines := []string{m.title(m.path("answer ", q.Name), right)}
	for _, line := range append(m.banners(), m.asked()...) {
		lines = append(lines, " "+cells.Fill(line, m.width-1))
	}
	height := m.height - len(lines) - 2
	drawn := strings.Split(m.form.View(), "\n")
	var beside []string
	if m.wide() {
		m.reader.SetSize(m.readerWidth()-1, height)
		beside = m.reader.Lines(m.options.Now())
	}
	for i := range height {
		words := ""
		if i < len(drawn) {
			words = drawn[i]
		}
		if m.wide() {
			lines = append(lines, " "+cells.Fill(beside[i], m.readerWidth()-1)+" "+m.theme.Line.Render("│")+" "+
				cells.Fill(words, m.width-m.readerWidth()-between))
			continue
		}
		lines = append(lines, " "+cells.Fill(words, m.width-1))
	}
	return append(lines, m.status(), helpLine(m.formKeys(), m.width, m.theme))
}

// formKeys are the keys of the form where the person is.
func (m *Inbox) formKeys() []hint {
	var hints []hint
	for _, key := range m.form.Keys() {
		hints = append(hints, hint{key.Press, key.Does})
	}
	if m.isOver() { // then this is what is left to do
		hints = slices.Insert(hints, 1, hint{"ctrl+y", "copy"})
	}
	return hints
}

// help is the text of the help screen, and the line at which each part begins.
func (m *Inbox) help() ([]string, map[screen]int) {
	return helpLines(m.width-2, m.theme, formHints())
}

func (m *Inbox) helpLength() int {
	lines, _ := m.help()
	return len(lines)
}

func (m *Inbox) helpScreenLines() []string {
	all, _ := m.help()
	height := m.height - 2
	m.helpAt = max(min(m.helpAt, len(all)-height), 0)
	place := ""
	if len(all) > height {
		place = strconv.Itoa(m.helpAt+1) + "–" + strconv.Itoa(min(m.helpAt+height, len(all))) + " of " + strconv.Itoa(len(all))
	}
	lines := []string{m.title(m.path("", "keys"), m.theme.Dim.Render(place))}
	for i := range height {
		words := ""
		if at := m.helpAt + i; at < len(all) {
			words = all[at]
		}
		lines = append(lines, " "+cells.Fill(words, m.width-1))
	}
	return append(lines, helpLine(hintsOf(helpScreen), m.width, m.theme))
}

// question draws a question with what it is about.
func (m *Inbox) question(title, question string, about []string, on screen) []string {
	lines := []string{m.title(m.path("", title), ""), strings.Repeat(" ", m.width)}
	say := func(text string, style lipgloss.Style) {
		for _, part := range cells.Wrap(text, m.width-4) {
			lines = append(lines, "  "+cells.Fill(style.Render(part), m.width-2))
		}
	}
	say(question, m.theme.Strong)
	lines = append(lines, strings.Repeat(" ", m.width))
	for _, line := range about {
		lines = append(lines, "  "+cells.Fill(line, m.width-2))
	}
	height := m.height - 2
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", m.width))
	}
	return append(lines[:height], m.status(), helpLine(hintsOf(on), m.width, m.theme))
}

func (m *Inbox) cancelLines() []string {
	t, row := m.theme, m.cancel
	fact := func(name, text string) string { return t.Dim.Render(cells.Fill(name, 10)) + cells.Line(text) }
	left, _ := when.Left(row.Expires, m.options.Now())
	words, style := list.DeliveryWords(row.Delivery, t)
	about := []string{
		fact("Function", row.Type+"/"+row.Name),
		fact("To", row.To),
		fact("Asked", when.Ago(row.Asked, m.options.Now())),
		fact("Expires", "in "+left),
		t.Dim.Render(cells.Fill("Delivery", 10)) + style.Render(words),
		fact("Run", row.RunID),
	}
	if shown := m.reader.Shown().Request; shown != nil && shown.RunID == row.RunID {
		about = append(about, "", t.Quote.Render(cells.Cut(markdown.Gist(shown.Message), m.width-6)))
	}
	return m.question("cancel", "Cancel this request? Its run ends as cancelled, and nobody can answer it any more.", about, cancelScreen)
}

func (m *Inbox) quitLines() []string {
	ids := m.drafted()
	what := "An answer was typed and not sent. Quit? It is printed after the inbox closes, and not kept."
	if len(ids) > 1 {
		what = strconv.Itoa(len(ids)) + " answers were typed and not sent. Quit? They are printed after the inbox closes, and not kept."
	}
	var about []string
	for _, id := range ids {
		row, _ := m.rowOf(id)
		about = append(about, m.theme.Strong.Render(cells.Line(row.Name))+m.theme.Dim.Render("  "+cells.Line(id)))
	}
	return m.question("quit", what, about, quitScreen)
}
