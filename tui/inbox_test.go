package tui

// This file walks through the inbox as a person does.

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/tui/desk"
)

func TestAnswerFromListToFact(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("a")
	r.shows("answer approve-campaign-brief", "Verdict")
	r.press("r", "enter")
	r.write("Name the job role")
	r.press("ctrl+s")
	r.shows("revise", "Name the job role") // exactly what will be sent
	if len(r.desk.answers) != 0 {
		t.Fatal("something was sent before the person said so")
	}
	r.press("enter")
	if want := `{"verdict":"revise","note":"Name the job role"}`; len(r.desk.answers) != 1 || r.desk.answers[0] != want {
		t.Fatalf("sent %v, want %s", r.desk.answers, want)
	}
	r.shows("✓ Answered by you, just now", `"verdict": "revise"`, "Recorded as event 42")
	r.press("esc")
	r.shows("4 open", "Ended while you looked · 1", "answered")
	if e := r.inbox.list.Selected(); e.Row == nil || e.Row.Name != "tell-ops" {
		t.Error("the choice did not go to the next request")
	}
	r.press("q")
	if !r.quit {
		t.Error("q did not quit, though nothing is left to send")
	}
}

func TestEscGoesBackAndNeverDecides(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "r", "ctrl+s", "esc", "esc")
	r.shows("typed and not sent")
	r.press("G")
	r.shows("Your draft, which was not sent", `"verdict": "revise"`)
	r.press("esc", "c", "esc", "c", "n", "?", "esc", "enter", "esc", "/", "esc")
	if len(r.desk.answers) != 0 || len(r.desk.endings) != 0 {
		t.Errorf("esc decided: %v %v", r.desk.answers, r.desk.endings)
	}
	r.shows("5 open")
	r.press("esc", "esc")
	if r.quit {
		t.Error("esc quit")
	}
	r.press("a")
	r.shows("(•) revise") // the draft is kept
}

func TestQuitAsksWhileADraftIsUnsent(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "r", "esc", "esc", "q")
	r.shows("An answer was typed and not sent", "approve-campaign-brief")
	r.press("n")
	r.shows("5 open")
	r.press("q", "y")
	if !r.quit {
		t.Error("it did not quit")
	}
	if drafts := r.inbox.Drafts(); len(drafts) != 1 {
		t.Errorf("there are %d drafts to print", len(drafts))
	}
}

func TestCtrlCQuitsFromEverywhere(t *testing.T) {
	t.Parallel()
	for _, way := range [][]string{{}, {"enter"}, {"a"}, {"a", "r"}, {"a", "ctrl+s"}, {"c"}, {"?"}, {"/"}, {"a", "r", "esc", "esc", "q"}} {
		r := drive(t, office(), 80, 24, plain())
		r.press(way...)
		r.press("ctrl+c")
		if !r.quit {
			t.Errorf("after %v ctrl+c does not quit", way)
		}
	}
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "r", "ctrl+c")
	if len(r.inbox.Drafts()) != 1 {
		t.Error("what was typed is lost")
	}
}

func TestColoursFollowTheTerminal(t *testing.T) {
	t.Parallel()
	d := office()
	r := &driver{t: t, desk: d, inbox: New(d, Options{Now: func() time.Time { return *d.now }, Profile: colorprofile.ASCII,
		Tick: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }})}
	r.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	r.do(r.inbox.Init())
	r.press("a", "r")
	seen := map[string]bool{}
	for _, msg := range []tea.Msg{
		tea.ColorProfileMsg{Profile: colorprofile.TrueColor}, tea.BackgroundColorMsg{Color: color.White}, tea.ColorProfileMsg{Profile: colorprofile.ANSI},
	} {
		r.send(msg)
		seen[r.inbox.View().Content] = true
		r.shows("(•) revise") // what was typed stays
	}
	if len(seen) != 3 {
		t.Errorf("of three themes %d are seen", len(seen))
	}
}

func TestRequestsComeAndTheChoiceStays(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.inbox.list.Select(r.desk.requests[1].RunID)
	for i := range 40 {
		r.desk.ask(brief(100+i, "#launches", 0, time.Hour))
	}
	r.pass(time.Second)
	if e := r.inbox.list.Selected(); e.ID() != r.desk.requests[1].RunID {
		t.Error("the choice went elsewhere")
	}
	r.shows("40 new requests", "45 open", "▌ confirm-budget")
	r.desk.end(r.desk.requests[1].RunID, &desk.Ending{How: desk.Cancelled})
	r.pass(time.Second)
	r.shows("confirm-budget: Cancelled")
	if e := r.inbox.list.Selected(); e == nil || e.Row == nil {
		t.Error("the choice did not go to an open request")
	}
}

func TestTheChoiceGoesToAnOpenRequest(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	for range 5 { // the last one of the list, time and again
		last := r.desk.requests[0].RunID
		for _, q := range r.desk.requests {
			if q.Closed.IsZero() && r.inbox.list.Select(q.RunID) {
				last = q.RunID
				break
			}
		}
		r.desk.end(last, &desk.Ending{How: desk.Cancelled})
		r.pass(time.Second)
		if e := r.inbox.list.Selected(); e.Row == nil && r.inbox.list.Open() > 0 {
			t.Errorf("after the end of %s the choice is on %s, which ended", last, e.ID())
		}
	}
	r.shows("0 open", "Ended while you looked · 5")
	r.press("k", "k", "k", "k", "k", "enter")
	r.shows("Cancelled")
}

func TestTheListIsReadOnlyWhenSomethingChanged(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	before := r.desk.lists
	for range 5 {
		r.pass(time.Second)
	}
	if r.desk.lists != before {
		t.Errorf("it was read %d times though nothing changed", r.desk.lists-before)
	}
	r.desk.changes++
	r.pass(time.Second)
	if r.desk.lists != before+1 {
		t.Error("a change was not read")
	}
}

func TestNotify(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{"": "[]", "bell": "[\a]", "osc9": "[\x1b]9;New: approve-campaign-brief, to #␛]0;x␇\a]"} {
		options := plain()
		options.Notify = how
		r := drive(t, office(), 80, 24, options)
		r.desk.ask(brief(9, "#\x1b]0;x\a", 0, time.Hour))
		r.pass(time.Second)
		if got := fmt.Sprint(r.raw); got != want {
			t.Errorf("%q wrote %q, want %q", how, got, want)
		}
	}
}

func TestCancelAsksAndShowsWhat(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("c")
	r.shows("Cancel this request?", "interaction/approve-campaign-brief", "priya@acme.example", r.desk.requests[3].RunID)
	r.press("y")
	r.shows("Cancelled approve-campaign-brief", "4 open")
	if ending := r.desk.endings[r.desk.requests[3].RunID]; ending == nil || ending.How != desk.Cancelled {
		t.Error("it was not cancelled")
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.desk.requests[0].Message = "Which SUPPLIER of paper?"
	r.press("/")
	r.write("paper")
	r.shows("/paper", "1 of 5", "pick-supplier")
	r.press("backspace", "ctrl+w")
	r.shows("5 of 5")
	r.write("budget launch")
	r.shows("confirm-budget")
	r.press("enter")
	r.shows("/budget launch")
	r.desk.ask(brief(50, "#launch", 0, time.Hour))
	r.desk.requests[5].Message = "A budget that came later"
	r.pass(time.Second)
	r.inbox.notice.till = time.Time{}
	r.shows("of 6")
	r.press("esc")
	r.hides("/budget")
	r.send(tea.PasteMsg{Content: "ignored"})
	r.press("/")
	r.send(tea.PasteMsg{Content: "legal\x1b[31m\n"})
	r.shows("check-terms", "1 of 6")
}

func TestScopeAndOrder(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("m")
	r.shows("all [mine]", "approve-campaign-brief", "check-terms")
	r.hides("pick-supplier")
	r.press("s")
	r.shows("expiring first")
	screen := r.screen()
	if strings.Index(screen, "check-terms") > strings.Index(screen, "confirm-budget") || strings.Index(screen, "confirm-budget") > strings.Index(screen, "tell-ops") {
		t.Errorf("not in the order of expiry:\n%s", screen)
	}
	r.press("m", "s")
	r.shows("[all] mine", "pick-supplier")
}

func TestMovingThroughRequests(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("G")
	if e := r.inbox.list.Selected(); e.Row.Name != "pick-supplier" {
		t.Errorf("G chose %s", e.Row.Name)
	}
	r.press("g", "j", "down", "k", "enter")
	r.shows("› tell-ops", "#ops")
	r.press("n")
	r.shows("› check-terms")
	r.press("p", "p")
	r.shows("› approve-campaign-brief", "priya@acme.example")
	r.press("G")
	r.shows("Details")
	r.press("g", "pgdown", "pgup", "space", "b", "home", "end", "up", "down", "h")
	r.shows("5 open")
}

func TestANotificationTakesNoAnswer(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.inbox.list.Select(r.desk.requests[4].RunID)
	r.press("a")
	r.shows("A notification takes no answer")
	r.hides("a answer")
}

func TestSignInShowsItsLink(t *testing.T) {
	t.Parallel()
	d := office()
	d.requests[3].SignIn = schemaOf(`{"server":"browser","site":"portal.supplier.example","link":"https://signin.example/s/1"}`).(*value.Object)
	r := drive(t, d, 80, 24, plain())
	r.press("enter")
	r.shows("portal.supplier.example on browser", "https://signin.example/s/1")
}

func TestMouse(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	click := func(x, y int) { r.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
	click(10, 6)
	r.shows("▌ check-terms")
	click(10, 4) // the head of a section
	r.shows("▌ check-terms")
	click(10, 6)
	r.shows("› check-terms")
	r.send(tea.MouseWheelMsg{X: 10, Y: 10, Button: tea.MouseWheelDown})
	r.send(tea.MouseWheelMsg{X: 10, Y: 10, Button: tea.MouseWheelUp})
	r.press("esc")
	r.send(tea.MouseWheelMsg{X: 10, Y: 10, Button: tea.MouseWheelDown})
	r.shows("▌ pick-supplier")
	click(10, 40)

	r = drive(t, office(), 120, 40, plain())
	click(100, 10)
	r.shows("› approve-campaign-brief")
}

func TestTitleCounts(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	if got := r.inbox.View().WindowTitle; got != "auto inbox (5)" {
		t.Errorf("the title is %q", got)
	}
}
