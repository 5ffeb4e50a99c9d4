// Package list is the list of requests: sections of those that wait, by whom they
// wait on, and of those that ended while somebody looked. It keeps its choice on
// the same request while requests come and go, and costs what is seen of it and not
// what it holds.
//
// It never loads a request and never decides anything.
package list

import (
	"slices"
	"strings"
	"time"

	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/theme"
)

// Scope says which requests are listed.
type Scope int

// The scopes.
const (
	All  Scope = iota
	Mine       // those that wait on the person or on anyone
)

// Order says what comes first in a section.
type Order int

// The orders.
const (
	Newest   Order = iota
	Expiring       // what expires soonest
)

// Entry is what a line of the list stands for. One of Row and Ended is set, and
// neither for the head of a section.
type Entry struct {
	Row   *desk.Row
	Ended *Ended

	head  string
	count int
}

// Ended is a request that ended, as it was listed while it was open.
type Ended struct {
	desk.Row
	Ending desk.Ending
}

// ID is the id of the run that asked, empty for the head of a section.
func (e *Entry) ID() string {
	switch {
	case e.Row != nil:
		return e.Row.RunID
	case e.Ended != nil:
		return e.Ended.RunID
	}
	return ""
}

// List is the list with its choice, its filter and its place on the screen.
type List struct {
	theme  *theme.Theme
	width  int
	height int

	rows  []desk.Row
	ended []Ended // newest first

	scope  Scope
	order  Order
	filter string
	terms  []string
	// found tells whether a request's message holds a term in lower case.
	found func(runID, term string) bool

	entries []Entry
	shown   int               // open requests among the entries
	chosen  int               // an entry; -1 when there is none to choose
	top     int               // the first entry on the screen
	widest  int               // the cells of the widest party
	gists   map[string]string // what is shown of beginnings, made once for each
}

// New gives an empty list.
func New(t *theme.Theme) *List { return &List{theme: t, chosen: -1} }

// SetTheme changes how the list looks.
func (l *List) SetTheme(t *theme.Theme) { l.theme = t }

// SetSize gives the list its cells.
func (l *List) SetSize(width, height int) {
	l.width, l.height = width, max(height, 1)
	l.reveal()
}

// SetRows replaces the open requests, newest first. Those that are known to have
// ended are left out.
func (l *List) SetRows(rows []desk.Row) {
	l.rows = l.stillOpen(rows)
	l.arrange()
}

// Measure measures what is listed anew, for a terminal that draws text in another way.
func (l *List) Measure() {
	l.gists = nil
	l.arrange()
}

func (l *List) stillOpen(rows []desk.Row) []desk.Row {
	if len(l.ended) == 0 {
		return rows
	}
	over := make(map[string]bool, len(l.ended))
	for i := range l.ended {
		over[l.ended[i].RunID] = true
	}
	open := make([]desk.Row, 0, len(rows))
	for i := range rows {
		if !over[rows[i].RunID] {
			open = append(open, rows[i])
		}
	}
	return open
}

// Rows are the open requests, newest first.
func (l *List) Rows() []desk.Row { return l.rows }

// SetEnded replaces the requests that ended, newest first.
func (l *List) SetEnded(ended []Ended) {
	l.ended = ended
	l.rows = l.stillOpen(l.rows)
	l.arrange()
}

// SetScope says which requests are listed.
func (l *List) SetScope(scope Scope) {
	l.scope = scope
	l.arrange()
}

// Scope says which requests are listed.
func (l *List) Scope() Scope { return l.scope }

// SetOrder says what comes first.
func (l *List) SetOrder(order Order) {
	l.order = order
	l.arrange()
}

// Order says what comes first.
func (l *List) Order() Order { return l.order }

// SetFilter keeps the requests that hold every word of a text in their function,
// party, run id or message, and chooses one that is called so where the chosen one
// is not. Found tells of the message; nil while no message is known.
func (l *List) SetFilter(text string, found func(runID, term string) bool) {
	typed := l.filter != text
	l.filter, l.terms, l.found = text, strings.Fields(strings.ToLower(text)), found
	l.arrange()
	if e := l.Selected(); typed && len(l.terms) > 0 && e != nil && !l.names(e) {
		for i := range l.entries {
			if e := &l.entries[i]; e.ID() != "" && l.names(e) {
				l.chosen = i
				l.reveal()
				return
			}
		}
	}
}

// names tells whether every word of the filter is in what a request is called by,
// and not in its message alone.
func (l *List) names(e *Entry) bool {
	row := e.Row
	if row == nil {
		row = &e.Ended.Row
	}
	for _, term := range l.terms {
		if !calls(row, term) {
			return false
		}
	}
	return true
}

func calls(row *desk.Row, term string) bool {
	return holds(row.Name, term) || holds(row.To, term) || strings.HasPrefix(row.RunID, term) || strings.HasPrefix(row.Type, term)
}

// Filter is the text that requests are kept by.
func (l *List) Filter() string { return l.filter }

// Shown is how many open requests are listed, and Open how many there are.
func (l *List) Shown() int { return l.shown }

// Open is how many open requests there are.
func (l *List) Open() int { return len(l.rows) }

// Waiting counts the open requests that wait on somebody.
func (l *List) Waiting(on desk.Waits) int {
	count := 0
	for i := range l.rows {
		if l.rows[i].Waits == on {
			count++
		}
	}
	return count
}

// Selected is the chosen entry, nil when there is none.
func (l *List) Selected() *Entry {
	if l.chosen < 0 {
		return nil
	}
	return &l.entries[l.chosen]
}

// Select chooses a request by the id of its run, and tells whether it is listed.
func (l *List) Select(runID string) bool {
	at := l.find(runID)
	if at >= 0 {
		l.chosen = at
		l.reveal()
	}
	return at >= 0
}

func (l *List) find(runID string) int {
	return slices.IndexFunc(l.entries, func(e Entry) bool { return runID != "" && e.ID() == runID })
}

var heads = [...]struct {
	waits desk.Waits
	head  string
}{
	{desk.OnMe, "Waiting on you"},
	{desk.OnAnyone, "Waiting on anyone"},
	{desk.OnOthers, "Waiting on others"},
}

const endedHead = "Ended while you looked"

// arrange makes the entries anew and keeps the choice: on the same request at the
// same height of the screen, and where that is no longer listed, on what took its
// place.
func (l *List) arrange() {
	id, wasOpen, height := "", false, 0
	if e := l.Selected(); e != nil {
		id, wasOpen, height = e.ID(), e.Row != nil, l.chosen-l.top
	}
	last := l.chosen
	l.collect()
	l.measure()
	l.chosen = l.find(id)
	switch {
	case l.chosen >= 0 && wasOpen && l.entries[l.chosen].Row == nil:
		l.chosen = l.nearestOpen(last) // it ended: its neighbour is chosen, not where it went
	case l.chosen >= 0:
		l.top = l.chosen - height
	case wasOpen:
		l.chosen = l.nearestOpen(last)
	default:
		l.chosen = l.nearest(max(last, 0))
	}
	l.reveal()
}

func (l *List) collect() {
	l.entries, l.shown = l.entries[:0], 0
	for _, section := range heads {
		if l.scope == Mine && section.waits == desk.OnOthers {
			continue
		}
		at := len(l.entries)
		l.entries = append(l.entries, Entry{head: section.head})
		for i := range l.rows {
			if l.rows[i].Waits == section.waits && l.keeps(&l.rows[i]) {
				l.entries = append(l.entries, Entry{Row: &l.rows[i]})
			}
		}
		count := len(l.entries) - at - 1
		if count == 0 {
			l.entries = l.entries[:at]
			continue
		}
		l.entries[at].count = count
		l.shown += count
		if l.order == Expiring {
			slices.SortStableFunc(l.entries[at+1:], func(a, b Entry) int { return a.Row.Expires.Compare(b.Row.Expires) })
		}
	}
	at := len(l.entries)
	for i := range l.ended {
		if l.keeps(&l.ended[i].Row) {
			if len(l.entries) == at {
				l.entries = append(l.entries, Entry{head: endedHead})
			}
			l.entries = append(l.entries, Entry{Ended: &l.ended[i]})
			l.entries[at].count++
		}
	}
}

// keeps tells whether the filter keeps a request.
func (l *List) keeps(row *desk.Row) bool {
	for _, term := range l.terms {
		if !calls(row, term) && (l.found == nil || !l.found(row.RunID, term)) {
			return false
		}
	}
	return true
}

func holds(text, term string) bool { return strings.Contains(strings.ToLower(text), term) }

// nearest gives an entry that can be chosen at a place or next to it, -1 when there
// is none.
func (l *List) nearest(at int) int {
	at = min(at, len(l.entries)-1)
	for i := at; i >= 0 && i < len(l.entries); i++ {
		if l.entries[i].ID() != "" {
			return i
		}
	}
	for i := at; i >= 0; i-- {
		if l.entries[i].ID() != "" {
			return i
		}
	}
	return -1
}

// nearestOpen is nearest among the open requests, while there are any.
func (l *List) nearestOpen(at int) int {
	for i := at; i < len(l.entries); i++ {
		if l.entries[i].Row != nil {
			return i
		}
	}
	for i := min(at, len(l.entries)) - 1; i >= 0; i-- {
		if l.entries[i].Row != nil {
			return i
		}
	}
	return l.nearest(at)
}

// Move moves the choice by requests, down for a positive number.
func (l *List) Move(by int) {
	step := 1
	if by < 0 {
		step, by = -1, -by
	}
	for at := l.chosen; by > 0 && l.chosen >= 0; {
		at += step
		if at < 0 || at >= len(l.entries) {
			break
		}
		if l.entries[at].ID() != "" {
			l.chosen = at
			by--
		}
	}
	l.reveal()
}

// Page moves the choice by screens.
func (l *List) Page(by int) { l.Move(by * max(l.height-1, 1)) }

// First chooses the first request, and Last the last one.
func (l *List) First() {
	l.chosen = l.nearest(0)
	l.reveal()
}

// Last chooses the last request.
func (l *List) Last() {
	l.chosen = l.nearest(len(l.entries) - 1)
	l.reveal()
}

// Click chooses the request on a line of the list, and tells whether there is one.
func (l *List) Click(line int) bool {
	at := l.top + line
	if line < 0 || line >= l.height || at >= len(l.entries) || l.entries[at].ID() == "" {
		return false
	}
	l.chosen = at
	return true
}

// reveal scrolls as little as shows the choice, with the head of its section when
// it is the first one there.
func (l *List) reveal() {
	most := max(len(l.entries)-l.height, 0)
	if l.chosen >= 0 {
		first := l.chosen
		if first > 0 && l.entries[first-1].ID() == "" && l.height > 1 {
			first--
		}
		l.top = max(min(l.top, first), l.chosen-l.height+1)
	}
	l.top = max(min(l.top, most), 0)
}

// Place is the place of the choice among the requests that are listed, from 1, and
// how many those are.
func (l *List) Place() (at, of int) {
	for i := range l.entries {
		if l.entries[i].ID() == "" {
			continue
		}
		of++
		if i <= l.chosen {
			at++
		}
	}
	return at, of
}

// soon is how long before a request expires it is said to be urgent.
const soon = time.Hour
