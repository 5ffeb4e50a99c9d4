// Package reader shows one request as it is read: whom it asks, how it stands, the
// message, and how it is answered.
//
// It never loads anything and never decides anything about a request.
package reader

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/list"
	"github.com/beonauto/auto/tui/markdown"
	"github.com/beonauto/auto/tui/theme"
	"github.com/beonauto/auto/tui/when"
)

// Shown is what a reader shows.
type Shown struct {
	Request *engine.AskedRequest
	Waits   desk.Waits
	Ending  *desk.Ending // nil while it is open
	Draft   value.Value  // what was typed and not sent; nil for nothing
}

// Reader is a request on the screen.
type Reader struct {
	theme         *theme.Theme
	width, height int
	named         bool
	shown         Shown
	body          []string // the lines that do not change with time; nil when they must be drawn
	top           int
	most          int // of top, as it was drawn last
	of            int // lines, as they were drawn last
}

// New gives a reader of nothing.
func New(t *theme.Theme) *Reader { return &Reader{theme: t} }

// SetTheme changes how the request looks.
func (r *Reader) SetTheme(t *theme.Theme) { r.theme, r.body = t, nil }

// SetNamed says whether the request's name is its first line, where nothing else
// says it.
func (r *Reader) SetNamed(named bool) { r.named = named }

// SetSize gives the reader its cells.
func (r *Reader) SetSize(width, height int) {
	if width != r.width {
		r.body = nil
	}
	r.width, r.height = width, max(height, 1)
}

// Show shows a request; the place in the text stays when it is the same one.
func (r *Reader) Show(shown Shown) {
	if r.shown.Request == nil || shown.Request == nil || r.shown.Request.RunID != shown.Request.RunID {
		r.top = 0
	}
	r.shown, r.body = shown, nil
}

// Shown is what the reader shows.
func (r *Reader) Shown() Shown { return r.shown }

// Scroll moves the text by lines, down for a positive number.
func (r *Reader) Scroll(by int) { r.top = max(r.top+by, 0) }

// Page moves the text by screens.
func (r *Reader) Page(by int) { r.Scroll(by * max(r.height-1, 1)) }

// Start shows the first line, and End the last one.
func (r *Reader) Start() { r.top = 0 }

// End shows the last line.
func (r *Reader) End() { r.top = past }

// past is past the last line of any request; drawing finds the last one.
const past = 1 << 20

// Place says which lines are on the screen, such as 1–20 of 57; empty when all are.
func (r *Reader) Place() string {
	if r.most == 0 {
		return ""
	}
	return strconv.Itoa(r.top+1) + "–" + strconv.Itoa(min(r.top+r.height, r.of)) + " of " + strconv.Itoa(r.of)
}

// Lines draws the request as it stands at a time, in as many lines as the reader
// has.
func (r *Reader) Lines(now time.Time) []string {
	lines := make([]string, 0, r.height)
	if r.shown.Request != nil {
		if r.body == nil {
			r.body = r.draw()
		}
		all := slices.Concat(r.head(now), r.body, r.details(now))
		r.of, r.most = len(all), max(len(all)-r.height, 0)
		r.top = min(r.top, r.most)
		for _, line := range all[r.top:min(r.top+r.height, len(all))] {
			lines = append(lines, cells.Fill(line, r.width))
		}
	}
	for len(lines) < r.height {
		lines = append(lines, strings.Repeat(" ", max(r.width, 0)))
	}
	return lines
}

// narrow is the width below which what can be left out is.
const narrow = 50

// labels is the width of the names before the facts.
func (r *Reader) labels() int {
	if r.width < narrow {
		return 9
	}
	return 10
}

// fact draws a fact behind its name.
func (r *Reader) fact(name, text string, style lipgloss.Style) []string {
	wide := r.labels()
	var drawn []string
	for i, part := range cells.Wrap(text, r.width-wide) {
		lead := strings.Repeat(" ", wide)
		if i == 0 {
			lead = r.theme.Dim.Render(cells.Fill(name, wide))
		}
		drawn = append(drawn, lead+style.Render(part))
	}
	return drawn
}

// moment is a time of day as a person reads it, in the zone of the clock.
func moment(at, now time.Time) string {
	at = at.In(now.Location())
	if at.Year() != now.Year() {
		return at.Format("2 Jan 2006 15:04")
	}
	return at.Format("Mon 2 Jan 15:04")
}

// head draws the facts.
func (r *Reader) head(now time.Time) []string {
	q := r.shown.Request
	t := r.theme
	var lines []string
	if r.named {
		for _, part := range cells.Wrap(cells.Line(q.Name), r.width) {
			lines = append(lines, t.Title.Render(part))
		}
	}
	lines = append(lines, r.standing(now)...)
	to := cells.Line(q.To)
	if r.shown.Ending == nil {
		to += " · " + r.waits()
	}
	lines = append(lines, r.fact("To", to, t.Text)...)
	if r.shown.Ending == nil {
		lines = append(lines, r.expiry(now)...)
		words, style := list.DeliveryWords(q.Delivery, t)
		if q.Delivery == "held_for_an_agent" {
			words += " for an agent or a person to answer"
		}
		if q.Server != "" {
			words += " through " + cells.Line(q.Server+"/"+q.Tool)
		}
		lines = append(lines, r.fact("Delivery", words, style)...)
	}
	if q.SignIn != nil {
		lines = append(lines, r.signIn()...)
	}
	if r.shown.Draft != nil {
		lines = append(lines, r.fact("Draft", "typed and not sent", t.Caution)...)
	}
	return lines
}

func (r *Reader) expiry(now time.Time) []string {
	q, t := r.shown.Request, r.theme
	left, open := when.Left(q.Expires, now)
	style, text := t.Text, "in "+left
	switch {
	case !open:
		style, text = t.Bad, when.Ago(q.Expires, now)
	case q.Expires.Sub(now) < time.Hour:
		style = t.Bad
	case q.Expires.Sub(now) < 24*time.Hour:
		style = t.Caution
	}
	if r.width >= narrow {
		text += " · " + moment(q.Expires, now)
	}
	return r.fact("Expires", text, style)
}

// details draws the facts that matter less: how the request came about.
func (r *Reader) details(now time.Time) []string {
	q, t := r.shown.Request, r.theme
	lines := []string{"", r.section("Details")}
	lines = append(lines, r.fact("Asked", when.Ago(q.Asked, now)+" · "+moment(q.Asked, now), t.Text)...)
	lines = append(lines, r.fact("By", cells.Line(q.Type+"/"+q.Name)+", version "+strconv.Itoa(q.Version), t.Text)...)
	lines = append(lines, r.attempts(now)...)
	return append(lines, r.fact("Run", cells.Line(q.RunID), t.Text)...)
}

// standing says that a request is no longer open, or about to be.
func (r *Reader) standing(now time.Time) []string {
	q, e := r.shown.Request, r.shown.Ending
	if e == nil {
		if !q.Expires.After(now) {
			return r.wrapped("✗ Its time is over; it takes no answer any more", r.theme.Bad)
		}
		return nil
	}
	mark, style := list.Mark(e.How, r.theme)
	lines := r.wrapped(mark+" "+Told(e)+", "+when.Ago(e.At, now), style.Bold(true))
	if e.Detail != "" {
		lines = append(lines, r.wrapped(cells.Line(e.Detail), r.theme.Text)...)
	}
	return lines
}

func (r *Reader) wrapped(text string, style lipgloss.Style) []string {
	lines := cells.Wrap(text, r.width)
	for i := range lines {
		lines[i] = style.Render(lines[i])
	}
	return lines
}

func (r *Reader) waits() string {
	switch r.shown.Waits {
	case desk.OnMe:
		return "waits on you"
	case desk.OnOthers:
		return "waits on someone else"
	}
	return "anyone may answer"
}

// Told says how a request ended.
func Told(e *desk.Ending) string {
	switch e.How {
	case desk.Answered:
		by := " by " + cells.Line(e.By)
		switch {
		case e.Mine:
			by = " by you"
		case e.Reply:
			by = " by a reply"
		case e.By == "":
			by = ""
		}
		if e.ClaimedFor != "" {
			by += " for " + cells.Line(e.ClaimedFor)
		}
		return "Answered" + by
	case desk.Cancelled:
		if e.Mine {
			return "Cancelled by you"
		}
		return "Cancelled"
	case desk.Expired:
		return "Expired without an answer"
	case desk.Undelivered:
		return "Given up: no attempt delivered it"
	case desk.Delivered:
		return "Delivered"
	case desk.Gone:
		return "Deleted with its run"
	}
	return "Ended"
}

// attempts tells of the attempts to deliver the request, and of its replies.
func (r *Reader) attempts(now time.Time) []string {
	q, t := r.shown.Request, r.theme
	var lines []string
	for i, a := range q.Attempts {
		name := ""
		if i == 0 {
			name = "Sent"
		}
		text := "attempt " + strconv.Itoa(i+1) + ", " + when.Ago(a.Started, now) + ": "
		switch {
		case a.Because != "":
			text += "failed, " + strings.ReplaceAll(cells.Line(a.Because), "_", " ")
			if a.RetryAfter > 0 {
				text += ", asked to wait " + when.Long(a.RetryAfter)
			}
		case a.Ended.IsZero():
			text += "under way"
		default:
			text += "done"
		}
		lines = append(lines, r.fact(name, text, t.Text)...)
	}
	if retrying := q.Delivery == "retrying"; retrying && q.Due.After(now) {
		lines = append(lines, r.fact("", "tried again in "+when.Long(q.Due.Sub(now)), t.Text)...)
	}
	if q.Conversation != "" {
		text := "read in " + cells.Line(q.Conversation) + ", from " + cells.Line(q.Answerer)
		style := t.Text
		if q.Refused > 0 {
			text += "; " + strconv.Itoa(q.Refused) + " refused"
			style = t.Caution
		}
		lines = append(lines, r.fact("Replies", text, style)...)
	}
	return lines
}

func (r *Reader) signIn() []string {
	of := func(key string) string {
		v, _ := r.shown.Request.SignIn.Get(key)
		text, _ := v.(string)
		return cells.Line(text)
	}
	lines := r.fact("Sign in", "to "+of("site")+" on "+of("server"), r.theme.Text)
	if link := of("link"); link != "" {
		lines = append(lines, r.fact("", link, r.theme.Link)...)
	}
	return lines
}

// draw draws what does not change with time: the message, the answer or how it is
// given, and the draft.
func (r *Reader) draw() []string {
	var lines []string
	ended := r.shown.Ending != nil
	if ended {
		lines = append(r.answered(), r.draft()...)
		lines = append(lines, "", r.section("The message"))
	}
	lines = append(lines, "")
	lines = append(lines, markdown.Lines(r.shown.Request.Message, r.width, r.theme)...)
	if !ended {
		lines = append(lines, r.draft()...)
		lines = append(lines, "", r.section("The answer it takes"))
		lines = append(lines, r.answer()...)
	}
	return lines
}

// answered draws the fact that a run took as the answer.
func (r *Reader) answered() []string {
	e := r.shown.Ending
	if e.How != desk.Answered {
		return nil
	}
	lines := append([]string{"", r.section("The answer")}, r.json(e.Answer)...)
	if e.AnswerID > 0 {
		lines = append(lines, r.theme.Dim.Render("Recorded as event "+strconv.FormatUint(e.AnswerID, 10)))
	}
	return lines
}

// draft draws what was typed and not sent.
func (r *Reader) draft() []string {
	if r.shown.Draft == nil {
		return nil
	}
	return append([]string{"", r.section("Your draft, which was not sent")}, r.json(r.shown.Draft)...)
}

// section is the head of a part, with a rule to the end of the line.
func (r *Reader) section(name string) string {
	head := r.theme.Heading.Render(name) + " "
	return head + r.theme.Line.Render(strings.Repeat("─", max(r.width-cells.Width(name)-1, 0)))
}

// json draws a value as JSON.
func (r *Reader) json(v value.Value) []string {
	var lines []string
	for _, line := range cells.Lines(value.IndentedJSON(v, "  ")) {
		for _, part := range cells.Wrap(line, r.width) {
			lines = append(lines, r.theme.Code.Render(part))
		}
	}
	return lines
}
