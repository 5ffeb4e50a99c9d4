package list

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
	"github.com/beonauto/auto/tui/theme"
)

var now = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func rows(ids ...int) []desk.Row {
	list := make([]desk.Row, len(ids))
	for i, id := range ids {
		list[i] = desk.Row{RequestSummary: engine.RequestSummary{
			RunID: fmt.Sprint("r-", id), Type: "interaction", Name: fmt.Sprint("ask-", id), To: "#team", TakesAnswer: true,
			Asked: now.Add(-time.Duration(id) * time.Minute), Expires: now.Add(time.Duration(100-id) * time.Hour), Delivery: "delivered",
		}, Waits: desk.Waits(id % 3)}
	}
	return list
}

func newList(width, height int) *List {
	l := New(theme.New(colorprofile.NoTTY, true))
	l.SetSize(width, height)
	return l
}

// text is what the list shows, without styles.
func text(l *List) string { return ansi.Strip(strings.Join(l.Lines(now), "\n")) }

func TestTheChoiceKeepsItsHeight(t *testing.T) {
	t.Parallel()
	l := newList(80, 6)
	var ids []int
	for i := range 30 {
		ids = append(ids, 3*i)
	}
	l.SetRows(rows(ids...))
	l.Move(10)
	height := l.chosen - l.top
	id := l.Selected().ID()
	l.SetRows(rows(append([]int{300, 303, 306}, ids...)...))
	if l.Selected().ID() != id || l.chosen-l.top != height {
		t.Errorf("the choice is on %s at the height %d, was on %s at %d", l.Selected().ID(), l.chosen-l.top, id, height)
	}
}

func TestMovingSkipsHeads(t *testing.T) {
	t.Parallel()
	l := newList(80, 5)
	l.SetRows(rows(0, 1, 2, 3, 4, 5))
	var way []string
	for range 7 {
		way = append(way, l.Selected().ID())
		l.Move(1)
	}
	if got, want := strings.Join(way, " "), "r-0 r-3 r-1 r-4 r-2 r-5 r-5"; got != want {
		t.Errorf("down goes over %s, want %s", got, want)
	}
	l.Page(-1)
	l.First()
	if !strings.Contains(text(l), "Waiting on you") {
		t.Errorf("the head of the first section is not shown:\n%s", text(l))
	}
	if at, of := l.Place(); at != 1 || of != 6 {
		t.Errorf("the place is %d of %d", at, of)
	}
	l.Last()
	if at, _ := l.Place(); at != 6 {
		t.Errorf("the last one is at %d", at)
	}
}

func TestAnEmptyListTakesEveryKey(t *testing.T) {
	t.Parallel()
	l := newList(40, 5)
	for range 2 {
		l.Move(1)
		l.Move(-1)
		l.Page(1)
		l.First()
		l.Last()
		l.Click(0)
		if l.Selected() != nil || l.Select("r-1") {
			t.Fatal("something is chosen")
		}
		l.SetRows(nil)
		l.SetFilter("x", nil)
	}
	if lines := l.Lines(now); len(lines) != 5 {
		t.Errorf("it has %d lines", len(lines))
	}
}

func TestLinesFitEveryWidth(t *testing.T) {
	t.Parallel()
	l := newList(80, 12)
	long := rows(0, 1, 2, 3)
	long[0].Name, long[1].To, long[2].TakesAnswer = strings.Repeat("long-", 40), strings.Repeat("営業", 60), false
	long[3].Expires = now.Add(-time.Hour)
	l.SetRows(long)
	l.SetFilter("ng", nil)
	for width := 40; width < 200; width++ {
		l.SetSize(width, 12)
		for _, line := range append(l.Lines(now), l.Head()) {
			if wide := cells.Width(line); wide != width {
				t.Fatalf("a line takes %d cells of %d: %q", wide, width, ansi.Strip(line))
			}
		}
	}
}

func TestUrgencyIsSaidInWords(t *testing.T) {
	t.Parallel()
	l := newList(80, 12)
	some := rows(0, 3, 6)
	some[0].Expires, some[1].Expires, some[2].Expires = now.Add(-time.Second), now.Add(59*time.Second), now.Add(time.Hour)
	l.SetRows(some)
	for _, want := range []string{"over", "59s", "1h"} {
		if !strings.Contains(text(l), want) {
			t.Errorf("%q is not said:\n%s", want, text(l))
		}
	}
}

func TestEndedRequestsLeaveTheOpenOnes(t *testing.T) {
	t.Parallel()
	l := newList(80, 12)
	l.SetRows(rows(0, 3, 6))
	l.SetEnded([]Ended{{Row: rows(3)[0], Ending: desk.Ending{How: desk.Answered, At: now}}})
	if l.Open() != 2 || l.Shown() != 2 || !strings.Contains(text(l), "✓ ask-3") {
		t.Errorf("%d are open:\n%s", l.Open(), text(l))
	}
	l.SetRows(rows(0, 3, 6)) // a list that was read before it ended
	if l.Open() != 2 {
		t.Errorf("%d are open", l.Open())
	}
}
