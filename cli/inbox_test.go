//go:build !windows

package cli_test

// This file drives the inbox as it is, in a real terminal: tmux.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/patience"
)

// terminal is a terminal of tmux with a program in it.
type terminal struct {
	t      *testing.T
	socket string
}

// openTerminal runs a command line in a terminal of a size, in a folder.
func openTerminal(t *testing.T, folder, command string, width, height int) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	// A socket's path may only be so long, so it is not in the test's own folder.
	at, err := os.MkdirTemp("", "auto-tmux")
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, socket: filepath.Join(at, "s")}
	t.Cleanup(func() {
		patience.Command(t, "tmux", "-S", term.socket, "kill-server").Run()
		os.RemoveAll(at)
	})
	term.tmux("-f", os.DevNull, "new-session", "-d", "-c", folder, "-x", fmt.Sprint(width), "-y", fmt.Sprint(height),
		command+`; echo "ended with $?"; cat`)
	return term
}

func (term *terminal) tmux(arguments ...string) string {
	term.t.Helper()
	out, err := patience.Command(term.t, "tmux", append([]string{"-S", term.socket}, arguments...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %v: %v\n%s", arguments, err, out)
	}
	return string(out)
}

// press sends keys, each by tmux's name for it.
func (term *terminal) press(keys ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, keys...)...)
}

// wait waits until the screen shows every text, and gives the screen.
func (term *terminal) wait(texts ...string) string {
	term.t.Helper()
	often := time.NewTicker(50 * time.Millisecond)
	defer often.Stop()
	enough := time.After(patience.Longest)
	for {
		screen := term.tmux("capture-pane", "-p")
		missing := ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return screen
		}
		select {
		case <-often.C:
		case <-enough:
			term.t.Fatalf("the screen does not show %q:\n%s", missing, screen)
		}
	}
}

const approvalDocument = `---
description: Asks the campaign owner to approve a brief
to: '{{ input.owner }}'
expires: P2D
deliver: agent
input: { schema: { type: object, required: [owner], properties: { owner: { type: string } } } }
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string, maxLength: 40 }
---
The **brief** of your campaign is ready.
`

// auto runs the program in a folder.
func autoIn(t *testing.T, folder string, arguments ...string) string {
	t.Helper()
	run := patience.Command(t, "auto", arguments...)
	run.Dir = folder
	out, err := run.Output()
	if err != nil {
		t.Fatalf("auto %v: %v\n%s", arguments, err, out)
	}
	return string(out)
}

func TestInboxInATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	writeFile(t, folder, "auto.yaml", "")
	writeFile(t, folder, "interaction/approve-brief.md", approvalDocument)
	ask := func(id, owner string) {
		autoIn(t, folder, "run", "approve-brief", "--set", "owner="+owner, "--run-id", id)
	}
	ask("r-first", "the first team")
	term := openTerminal(t, folder, "auto inbox", 80, 24)
	term.wait("1 open", "▌ approve-brief", "the first team", "The brief of your campaign is ready.")

	ask("r-second", "the second team") // by another process, while it is open
	term.wait("2 open", "the second team")
	if got := strings.TrimSpace(autoIn(t, folder, "inbox", "--count")); got != "2" {
		t.Errorf("--count printed %s", got)
	}
	if title := strings.TrimSpace(term.tmux("display-message", "-p", "#{pane_title}")); title != "auto inbox (2)" {
		t.Errorf("the title is %q", title)
	}

	term.press("Enter")
	term.wait("› approve-brief", "The brief of your campaign is ready.")
	term.press("a")
	term.wait("answer approve-brief", "Verdict")
	term.press("r", "Enter")
	term.press("-l", "Name the job role")
	term.wait("Name the job role")
	term.tmux("resize-window", "-x", "40", "-y", "12")
	term.wait("Name the job role")
	term.tmux("resize-window", "-x", "120", "-y", "40")
	term.press("C-s")
	term.wait("What will be sent", `"note": "Name the job role"`)
	term.press("Enter")
	term.wait("✓ Answered by you", `"verdict": "revise"`)
	if out := autoIn(t, folder, "runs", "list", "--status", "succeeded"); !strings.Contains(out, "r-first") {
		t.Errorf("the run did not take the answer:\n%s", out)
	}

	// A form that is open while the request is answered elsewhere keeps what was typed,
	// and what was typed is printed when the person leaves at once.
	term.press("Escape")
	term.wait("1 open", "the second team")
	term.press("a")
	term.wait("Verdict")
	term.press("r")
	term.wait("(•) revise")
	autoIn(t, folder, "answer", "r-second", "verdict=approve")
	term.wait("✓ Answered by", "What you typed stays here", "(•) revise")
	term.press("C-c")
	term.wait("What was typed for the run r-second was not sent", `"verdict": "revise"`, "ended with 0")
}

// When its terminal goes away, the inbox leaves it in order, should it still be
// there, and prints what was typed.
func TestInboxThatIsHungUp(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	writeFile(t, folder, "auto.yaml", "")
	writeFile(t, folder, "interaction/approve-brief.md", approvalDocument)
	autoIn(t, folder, "run", "approve-brief", "--set", "owner=the team", "--run-id", "r-1")
	term := openTerminal(t, folder, `sh -c 'echo $$ >pid; exec auto inbox'`, 80, 24)
	term.wait("1 open")
	term.press("a")
	term.wait("Verdict")
	term.press("r")
	term.wait("(•) revise")
	written, err := os.ReadFile(filepath.Join(folder, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := patience.Command(t, "kill", "-HUP", strings.TrimSpace(string(written))).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	term.wait("was not sent", `"verdict": "revise"`, "ended with 0")
}

// When it was stopped and goes on, the inbox takes the terminal back from the shell,
// which had it meanwhile.
func TestInboxThatWasStopped(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	writeFile(t, folder, "auto.yaml", "")
	writeFile(t, folder, "interaction/approve-brief.md", approvalDocument)
	autoIn(t, folder, "run", "approve-brief", "--set", "owner=the team", "--run-id", "r-1")
	term := openTerminal(t, folder, `sh -c 'echo $$ >pid; exec auto inbox'`, 80, 24)
	term.wait("1 open")
	written, err := os.ReadFile(filepath.Join(folder, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	tty := strings.TrimSpace(term.tmux("display-message", "-p", "#{pane_tty}"))
	script := `kill -STOP "$0" && stty sane <"$1" && printf '\033[?1049l\033[2Ja shell' >"$1" && kill -CONT "$0"`
	if out, err := exec.Command("sh", "-c", script, strings.TrimSpace(string(written)), tty).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	term.wait("1 open")
	term.press("a")
	term.wait("Verdict")
	term.press("r")
	term.wait("(•) revise")
	term.press("C-c")
	term.wait("was not sent", "ended with 0")
}
