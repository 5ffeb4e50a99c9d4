package tui

// This file tests what helps a person to find their way.

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

func TestHelpBeginsWhereThePersonIs(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		keys []string
		part string
	}{
		{nil, "The list"}, {[]string{"enter"}, "A request"}, {[]string{"a"}, "The form"},
	} {
		r := drive(t, office(), 80, 24, plain())
		r.press(one.keys...)
		r.press("f1")
		if lines := strings.Split(r.screen(), "\n"); strings.TrimSpace(lines[1]) != one.part {
			t.Errorf("after %v the help begins with %q", one.keys, lines[1])
		}
		r.shows("scroll", "esc")
	}
}

// What a key brought goes with the next key; what happened elsewhere stays.
func TestNoticesOfKeysGoWithTheNextKey(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("s")
	r.shows("What expires soonest comes first")
	r.press("j")
	r.hides("What expires soonest comes first")
	r.send(Worked{Text: "tell-ops: sent"})
	r.press("j")
	r.shows("tell-ops: sent")
}

func TestTheFilterIsSeenWhileItIsKept(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("/")
	r.write("budget") // in every message, and in one function's name
	r.press("enter")
	r.shows("5 match /budget", "▌ confirm-budget")
	r.press("s")
	r.shows("5 match /budget", "What expires soonest comes first")
	r.press("esc")
	r.hides("match /budget")
}

func TestSteppingSaysWhereTheListEnds(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("enter", "p")
	r.shows("› approve-campaign-brief", "This is the first one")
	r.press("n", "n", "n", "n")
	r.shows("› pick-supplier")
	r.hides("This is the last one")
	r.press("n")
	r.shows("› pick-supplier", "This is the last one")
}

func TestTheMouseInTheForm(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		r := drive(t, office(), size[0], size[1], plain())
		click := func(text string) {
			t.Helper()
			for y, line := range strings.Split(r.screen(), "\n") {
				if at := strings.LastIndex(line, text); at >= 0 {
					r.send(tea.MouseClickMsg{X: len([]rune(line[:at])), Y: y, Button: tea.MouseLeft})
					return
				}
			}
			t.Fatalf("%s is not on the screen:\n%s", text, r.screen())
		}
		r.press("a")
		click("( ) revise")
		r.shows("(•) revise")
		click("Note")
		r.write("Why?")
		r.shows("Why?")
		r.press("ctrl+s")
		r.send(tea.MouseWheelMsg{X: size[0] - 3, Y: 4, Button: tea.MouseWheelDown})
		click("]")
		click("Back")
		r.shows("[ Review ]", "Why?")
		if len(r.desk.answers) != 0 {
			t.Error("a click sent the answer")
		}
	}
}

// The terminal says late what its colours are: nothing is lost, wherever the person
// is.
func TestColoursThatComeLate(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, Options{Profile: colorprofile.ANSI256})
	r.press("a", "r", "ctrl+s")
	r.send(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
	r.shows("What will be sent", "revise")
	r.press("enter")
	if len(r.desk.answers) != 1 {
		t.Errorf("sent %v", r.desk.answers)
	}
}

func TestAnEmptyInboxSaysWhatIsNext(t *testing.T) {
	t.Parallel()
	d := office()
	d.requests = nil
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		drive(t, d, size[0], size[1], plain()).shows("Nothing waits for an answer", "auto run", "? shows every key")
	}
}

// A request that an earlier version of the store lists has no beginning, and a
// beginning never steers the terminal.
func TestBeginningsInTheList(t *testing.T) {
	t.Parallel()
	d := office()
	for i, r := range d.requests {
		r.Beginning = []string{"", "\x1b]52;c;aGk=\a\x1b[2J evil", "\u202eevil\u200b", strings.Repeat("字", 50), "a\tb\x00c"}[i]
	}
	for _, width := range []int{40, 60, 80, 120} {
		r := drive(t, d, width, 24, plain())
		screen := r.screen()
		if strings.ContainsAny(screen, "\x1b\a\x00\t\u202e\u200b") {
			t.Errorf("at %d the list holds what steers a terminal: %q", width, screen)
		}
		r.shows("pick-supplier")
	}
}

func TestQuittingWithSeveralDrafts(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("a", "r", "esc", "esc", "j", "j", "a", "r", "esc", "esc", "q")
	r.shows("2 answers were typed", "They are printed")
}

// A large list that changes all the time is not read all the time; what changed
// meanwhile is seen soon all the same.
func TestALargeListIsReadNowAndThen(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.inbox.cost = 150 * time.Millisecond
	before := r.desk.lists
	r.desk.ask(brief(90, "#late", 0, time.Hour))
	r.pass(2 * time.Second)
	if r.desk.lists != before {
		t.Errorf("the list was read %d times within two seconds", r.desk.lists-before)
	}
	r.pass(2 * time.Second)
	r.shows("6 open", "#late")
}
