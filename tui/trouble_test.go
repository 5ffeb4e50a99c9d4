package tui

// This file tests what goes wrong under the eyes of a person: nothing that was typed is
// lost, and all of it is said.

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/desk"
)

func TestAnsweredElsewhereWhileTheFormIsOpen(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "r", "enter")
	r.write("Name the role")
	r.desk.end(r.desk.requests[3].RunID, &desk.Ending{How: desk.Answered, Answer: schemaOf(`{"verdict":"approve"}`), By: "Sam"})
	r.pass(time.Second)
	r.shows("Answered by Sam", "What you typed stays here", "Name the role")
	r.press("ctrl+y")
	if !strings.Contains(r.copied, `"note": "Name the role"`) {
		t.Errorf("copied %q", r.copied)
	}
	r.shows(" answered ")
	r.hides("expires in")
	r.press("ctrl+s")
	r.shows("What you typed; nothing is sent", "Note: Name the role", "[ Back ]")
	r.hides("Send", "What will be sent")
	r.press("tab", "enter", "esc")
	r.shows("Answered by Sam", `"verdict": "approve"`, "Your draft, which was not sent")
	r.press("a")
	r.shows("It takes no answer any more")
	r.press("Y")
	if !strings.Contains(r.copied, "Name the role") {
		t.Errorf("copied %q", r.copied)
	}
}

func TestTheReviewOffersNoSendOnceTheRequestIsOver(t *testing.T) {
	t.Parallel()
	for how, says := range map[desk.How][2]string{
		desk.Answered: {" answered ", "Answered by Sam"}, desk.Cancelled: {" cancelled ", "Cancelled"},
		desk.Expired: {" expired ", "Expired without an answer"}, desk.Gone: {" deleted ", "Deleted with its run"},
	} {
		for _, size := range [][2]int{{80, 24}, {120, 30}, {40, 16}} {
			r := drive(t, office(), size[0], size[1], plain())
			r.press("a", "r", "enter")
			r.write("Name the role")
			r.press("ctrl+s")
			r.shows("What will be sent", "[ Send ]")
			r.desk.end(r.desk.requests[3].RunID, &desk.Ending{How: how, By: "Sam", Answer: schemaOf(`{"verdict":"approve"}`)})
			r.pass(time.Second)
			r.shows(says[0], says[1], "What you typed; nothing is sent", "Note: Name the role", "[ Back ]", "ctrl+y")
			r.hides("[ Send ]", "What will be sent", "expires in", "2d left", "enter send")
			r.whole()
			r.press("ctrl+y")
			if !strings.Contains(r.copied, `"note": "Name the role"`) {
				t.Errorf("copied %q", r.copied)
			}
			r.press("tab", "enter")
			r.shows("│ Name the role")
			r.press("esc")
			r.shows(says[1])
			if len(r.desk.answers) > 0 {
				t.Errorf("sent %v", r.desk.answers)
			}
		}
	}
	// Its time is over, and nobody has ended it yet.
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "r", "ctrl+s")
	r.shows("[ Send ]")
	*r.desk.now = r.desk.now.Add(60 * time.Hour) // without a look at the screen
	r.press("enter")
	r.shows("its time is over", "(•) revise")
	if len(r.desk.answers) > 0 {
		t.Errorf("sent %v", r.desk.answers)
	}
}

func TestAnsweredElsewhereAndNotKnownYet(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "r", "enter")
	r.write("Name the role")
	r.desk.end(r.desk.requests[3].RunID, &desk.Ending{How: desk.Answered, Answer: schemaOf(`{"verdict":"approve"}`), By: "Sam"})
	r.press("ctrl+s", "enter")
	r.shows("The answer was not taken: The request took another answer", "Answered by Sam", "Name the role")
}

func TestExpiresUnderTheReadersEyes(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.inbox.list.Select(r.desk.requests[2].RunID)
	r.press("enter")
	r.shows("in 50 minutes")
	r.pass(51 * time.Minute)
	r.shows("Its time is over")
	r.desk.end(r.desk.requests[2].RunID, &desk.Ending{How: desk.Expired, Detail: "Nobody answered the request before it expired"})
	r.pass(time.Second)
	r.shows("✗ Expired without an answer", "Nobody answered")
	r.press("esc")
	r.shows("Ended while you looked")

	r = drive(t, office(), 80, 24, plain())
	r.press("a", "r")
	r.pass(60 * time.Hour)
	r.shows("its time is over", "What you typed stays here", "(•) revise")
}

func TestRefusedAnswerComesBackToItsField(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "a", "enter")
	r.write("refuse me")
	r.press("ctrl+s", "enter")
	r.shows("Expected other words", "refuse me")
	r.hides("✓ Answered")
}

func TestStoreHeldByOthers(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 120, 30, plain())
	r.desk.failing = errHeld
	r.pass(time.Second)
	r.shows("auto run (process 4242)", "approve-campaign-brief")
	r.press("j", "enter", "esc", "a")
	r.press("esc", "esc")
	r.desk.failing = nil
	r.pass(time.Second)
	r.hides("process 4242")
	r.press("g", "enter")
	r.shows("Autumn launch")

	r = drive(t, &memory{failing: errHeld, now: r.desk.now}, 80, 24, plain())
	r.shows("cannot be read yet", "process 4242")
	r.desk.failing = errors.New("/a/rather/long/path/to/a/playbook/.auto/runs.db is damaged or is no store: it is a database of another program; nothing was changed")
	r.pass(time.Second)
	r.shows("nothing was changed")
	r.desk.failing = &engine.StoreDamagedError{Path: "runs.db", Reason: "page 9 is not what is pointed to"}
	r.pass(time.Second)
	r.shows("runs.db is damaged", "auto store check says more")
	r.press("j", "k", "g", "G", "enter", "a", "c", "y", "s", "m", "/", "x", "enter")
}

func TestAReadThatFailsLeavesWhatIsShown(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("enter")
	r.desk.failing = errHeld
	r.press("ctrl+l")
	r.shows("Autumn launch", "process 4242")
	r.press("n")
	r.shows("The request cannot be read")
	r.desk.failing = nil
	r.pass(time.Second)
	r.shows("› tell-ops", "Autumn launch")
}

func TestWorkThatEndedStaysSaid(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.send(Worked{Text: "Requests are only shown, not worked on: the settings are invalid", Failed: true, Ended: true})
	r.pass(time.Hour)
	r.shows("! Requests are only shown")
}

func TestASendThatFailsLosesNothing(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "r", "ctrl+s")
	r.desk.failing = errHeld
	r.press("enter")
	r.shows("The answer was not taken", "process 4242", "(•) revise")
	r.desk.failing = &engine.StoreDamagedError{Path: "runs.db", Reason: "page 9 is not what is pointed to"}
	r.press("ctrl+s", "enter")
	r.shows("The answer was not taken", "auto store check says more", "(•) revise",
		"! The store is damaged; auto store check says what is wrong with it")
	r.desk.failing = nil
	held := r.hold("ctrl+s", "enter")
	r.shows("Sending…")
	r.hides("held by others")
	*r.desk.now = r.desk.now.Add(3 * time.Second)
	r.shows("Sending… The store is held by others; what you typed is kept")
	r.release(held)
	r.shows("Answered by you")
}

func TestResize(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 120, 40, plain())
	r.press("a", "r")
	for _, size := range [][2]int{{39, 30}, {40, 12}, {1, 1}, {80, 24}, {300, 100}, {100, 16}, {40, 60}, {200, 12}} {
		r.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		r.whole()
		if size[0] < leastWidth || size[1] < leastHeight {
			if size[0] > 20 {
				r.shows("The inbox wants 40×12")
			}
			continue
		}
		r.shows("revise")
	}
	for _, keys := range [][]string{{"esc", "esc"}, {"?"}, {"esc", "c"}, {"esc", "/"}} {
		r.press(keys...)
		for width := leastWidth; width < 130; width += 7 {
			for height := leastHeight; height < 40; height += 5 {
				r.send(tea.WindowSizeMsg{Width: width, Height: height})
				r.whole()
			}
		}
	}
}

func TestHostileTextNeverReachesTheTerminal(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b[2J\x1b]52;c;aGk=\x07\u202egnp.exe\x9b31m\r\b" + "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301"
	d := office()
	for _, q := range d.requests {
		q.Name, q.To, q.Message, q.Answerer, q.Conversation, q.Tool = hostile, hostile, hostile+"\n\n# "+hostile+"\n```\n"+hostile, hostile, hostile, hostile
		q.RunID += hostile
		q.AnswerSchema = schemaOf(`{"type":"object","properties":{"a\u001b[2J":{"enum":["\u001b]0;x\u0007","b"],"title":"\u001b[2J"}}}`)
	}
	r := drive(t, d, 100, 30, plain())
	look := func() {
		t.Helper()
		for _, c := range ansi.Strip(r.inbox.View().Content) {
			if c != '\n' && (c < ' ' || c >= 0x7f && c < 0xa0 || c == '\u202e') {
				t.Fatalf("%U reaches the terminal", c)
			}
		}
		for _, harm := range []string{"\x1b[2J", "\x1b]52", "\x1b]0"} {
			if strings.Contains(r.inbox.View().Content, harm) {
				t.Fatalf("%q reaches the terminal", harm)
			}
		}
		if strings.ContainsAny(r.inbox.View().WindowTitle, "\x1b\a") {
			t.Fatal("the title steers the terminal")
		}
		r.whole()
	}
	look()
	for _, key := range []string{"enter", "G", "a", "down", "ctrl+s", "esc", "esc", "esc", "c", "esc", "y", "/"} {
		r.press(key)
		look()
	}
	r.send(tea.PasteMsg{Content: hostile})
	look()
	r.desk.end(r.desk.requests[3].RunID, &desk.Ending{How: desk.Answered, By: hostile, ClaimedFor: hostile, Detail: hostile, Answer: hostile})
	r.press("esc")
	r.pass(time.Second)
	look()
	r.send(Worked{Text: hostile})
	look()
}

func TestDeletedRun(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("enter")
	r.desk.requests = r.desk.requests[:3]
	r.desk.changes++
	r.pass(time.Second)
	r.shows("Deleted with its run", "Autumn launch")
}

// TestFamiliesAreNotCutInTwo is not run beside other tests: a process has one terminal.
func TestFamiliesAreNotCutInTwo(t *testing.T) {
	const family = "👨\u200d👩\u200d👧\u200d👦"
	d := office()
	d.requests[3].Message, d.requests[3].Beginning = family+" "+strings.Repeat("family "+family+" ", 20), family+" family"
	r := drive(t, d, 100, 24, plain())
	r.whole()
	r.shows("👨👩👧👦 family")
	r.hides("\u200d")
	for _, value := range []ansi.ModeSetting{ansi.ModeNotRecognized, ansi.ModePermanentlyReset} {
		r.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: value})
		r.hides(family)
	}
	t.Cleanup(func() { cells.ByCluster(false) })
	r.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
	r.shows(family + " family")
	r.whole()
	r.press("enter")
	r.shows(family)
	r.whole()
}
