package store

// This file tests what processes do to a store together, and what is left when
// they are killed.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A process that is killed at any moment leaves a store that opens and holds
// every fact it said was recorded; what it did not finish is cut off, and goes on
// under a new owner.
func TestKillAtAnyMoment(t *testing.T) {
	t.Parallel()
	const rounds = 24
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	folder := t.TempDir()
	shared := filepath.Join(folder, "shared", ".auto", "runs.db")
	facts := 0
	for round := range rounds {
		path, role, lines := shared, "work", random.IntN(40)
		switch round % 4 {
		case 0: // the store's first moments
			path, lines = filepath.Join(folder, fmt.Sprint(round), ".auto", "runs.db"), random.IntN(2)
		case 1:
			role = "work durably"
		}
		name := fmt.Sprintf("c%d", round)
		c := spawn(t, role, name, path)
		c.expect(t, "ready")
		said := make([]string, 0, lines)
		for len(said) < lines && c.lines.Scan() {
			said = append(said, c.lines.Text())
		}
		// Kill it somewhere inside what it does next.
		<-time.After(time.Duration(random.IntN(3000)) * time.Microsecond)
		c.Process.Kill()
		for c.lines.Scan() {
			said = append(said, c.lines.Text())
		}
		c.Wait()
		facts += len(said)
		judge(t, At(path, Options{}), name, said)
		if t.Failed() {
			t.Fatalf("round %d, after %d facts", round, len(said))
		}
	}
	if facts < rounds {
		t.Errorf("the children recorded %d facts only", facts)
	}
}

// A process that is killed at any moment of a request leaves it where it said it
// was, or one fact further; and another process takes it to its answer from there.
func TestKillAtAnyMomentOfARequest(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, uint64(time.Now().UnixNano())))
	path := filepath.Join(t.TempDir(), ".auto", "runs.db")
	stages := []string{"asked", "delivering", "delivered", "answered"}
	for round := range 12 {
		name := fmt.Sprintf("c%d", round)
		c := spawn(t, "ask", name, path)
		c.expect(t, "ready")
		said := []string{"started none"}
		for range 1 + random.IntN(9) {
			c.lines.Scan()
			said = append(said, c.lines.Text())
		}
		<-time.After(time.Duration(random.IntN(2000)) * time.Microsecond)
		c.Process.Kill()
		for c.lines.Scan() {
			said = append(said, c.lines.Text())
		}
		c.Wait()

		s := At(path, Options{})
		s.noSync = true
		mustBeSound(t, s)
		last := strings.Fields(said[len(said)-1])
		request, err := s.Request(last[1])
		if err != nil {
			t.Fatalf("%v: %v", last, err)
		}
		stage := map[Delivery]int{ToDeliver: 0, Delivering: 1, Delivered: 2}[request.Delivery]
		if !request.isOpen() {
			stage = 3
		}
		if told := slices.Index(stages, last[0]); stage < told || stage > told+1 {
			t.Errorf("it said %v and left %s", last, stages[stage])
		}
		finishRequests(t, s)
	}
}

// finishRequests answers every open request, whoever left it and where.
func finishRequests(t *testing.T, s *Store) {
	t.Helper()
	o := own(t, s)
	open, _, err := s.OpenRequests(RequestFilter{})
	if err != nil || len(open) > 1 {
		t.Fatalf("%d requests are open, %v", len(open), err)
	}
	for _, request := range open {
		if request.Delivery == Delivering {
			if _, err := o.LoseAttempt(request.RunID, AttemptEnd{Because: "lost"}); err != nil {
				t.Errorf("LoseAttempt(%s): %v", request.RunID, err)
			}
		}
		if _, err := s.Answer(request.RunID, answered("revise")); err != nil {
			t.Errorf("Answer(%s): %v", request.RunID, err)
		}
	}
	mustBeSound(t, s)
}

// judge holds a store against what a killed child said it had recorded.
func judge(t *testing.T, s *Store, name string, said []string) {
	t.Helper()
	s.noSync = true
	mustBeSound(t, s)
	unfinished := map[string]bool{}
	for _, line := range said {
		words := strings.Fields(line)
		switch words[0] {
		case "started":
			unfinished[words[1]] = true
			if _, err := s.Get(words[1]); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		case "event":
			events, _, err := s.Events(EventFilter{RunID: words[1]})
			if err != nil || len(events) < 2 || fmt.Sprint(events[1].ID) != words[2] {
				t.Errorf("%s: %v, %v", line, events, err)
			}
		case "ended":
			delete(unfinished, words[1])
			if run, err := s.Get(words[1]); err != nil || run.Status != Succeeded {
				t.Errorf("%s: %v, %v", line, run, err)
			}
		default:
			t.Errorf("the child says %q", line)
		}
	}
	// The child may have recorded one fact more than it could say.
	cut, err := s.CutOff()
	if err != nil || len(cut) > 1 {
		t.Errorf("cut off are %v, %v", cut, err)
	}
	for _, id := range cut {
		if !strings.HasPrefix(id, name+"-") {
			t.Errorf("cut off is %s, of another child", id)
		}
	}
	if len(unfinished) > 1 {
		t.Errorf("unfinished are %v", unfinished)
	}
	if len(cut) == 0 {
		return
	}
	o := own(t, s)
	outcome, _, err := o.Start(review(cut[0]))
	if outcome != CutOff || err != nil {
		t.Fatalf("Start of a run that was cut off: %s, %v", outcome, err)
	}
	end(t, o, cut[0], Ending{Status: Failed})
	start(t, o, review(cut[0]))
	end(t, o, cut[0], succeeded("ok"))
	mustBeSound(t, s)
}

func TestProcessesAtOnceUnderOneID(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	children := make([]*child, 5)
	for i := range children {
		children[i] = spawn(t, "start", "", s.path)
		children[i].expect(t, "ready")
	}
	for _, c := range children {
		fmt.Fprintln(c.in, "go")
	}
	outcomes := map[string]int{}
	for _, c := range children {
		c.lines.Scan()
		outcomes[c.lines.Text()]++
	}
	if outcomes["claimed"] != 1 || outcomes["in_progress"] != len(children)-1 {
		t.Fatalf("the processes met %v", outcomes)
	}
	o := own(t, s)
	if outcome, _, err := o.Start(review("one")); outcome != InProgress || err != nil {
		t.Errorf("meanwhile: %s, %v", outcome, err)
	}
	for _, c := range children {
		c.Process.Kill()
		c.Wait()
	}
	if outcome, _, err := o.Start(review("one")); outcome != CutOff || err != nil {
		t.Errorf("after they are killed: %s, %v", outcome, err)
	}
}

func TestGoroutinesAtOnceUnderOneID(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	twin := At(s.path, Options{})
	twin.noSync = true
	owners := []*Owner{own(t, s), own(t, twin)}
	var group sync.WaitGroup
	outcomes := make([]Outcome, 16)
	for i := range outcomes {
		group.Go(func() {
			outcome, _, err := owners[i%2].Start(review("one"))
			if err != nil {
				t.Error(err)
			}
			outcomes[i] = outcome
		})
	}
	group.Wait()
	claimed := 0
	for _, outcome := range outcomes {
		switch outcome {
		case Claimed:
			claimed++
		case InProgress:
		default:
			t.Errorf("met %s", outcome)
		}
	}
	if claimed != 1 {
		t.Errorf("%d claimed the run", claimed)
	}
}

// Compacting puts another file in the store's place; nobody who waited for the
// old one may write into it.
func TestCompactWhileOthersWrite(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows gives no open file's name to another")
	}
	s, _ := scratch(t)
	fill(t, s, 500)
	const writers, each = 4, 25
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			twin := At(s.path, Options{})
			twin.noSync = true
			for i := range each {
				if _, err := twin.Record(Event{Type: "telling_started", Data: object("writer", float64(w), "number", float64(i))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 10 {
		if _, err := s.Compact(); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	events, _, err := s.Events(EventFilter{Type: "telling_started", Limit: 1000})
	if err != nil || len(events) != writers*each {
		t.Errorf("%d of %d events are there, %v", len(events), writers*each, err)
	}
	mustBeSound(t, s)
}

func TestAHeldStore(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	o := own(t, s)
	start(t, o, review("r-1"))
	c := spawn(t, "hold", "writer", s.path)
	c.expect(t, "held")
	s.timeout = 60 * time.Millisecond
	for doing, call := range map[string]func() error{
		"reading":    func() error { _, err := s.Get("r-1"); return err },
		"writing":    func() error { _, err := o.Append("r-1", Event{Type: "x"}); return err },
		"checking":   func() error { _, err := s.Check(); return err },
		"compacting": func() error { _, err := s.Compact(); return err },
		"backing up": func() error { return s.Backup(filepath.Join(t.TempDir(), "copy.db")) },
	} {
		var isHeld *HeldError
		if err := call(); !errors.As(err, &isHeld) {
			t.Fatalf("%s a held store: %v", doing, err)
		}
		want := fmt.Sprintf("auto work (process %d)", c.Process.Pid)
		if text := isHeld.Error(); !strings.Contains(text, want) || !strings.Contains(text, s.path) || !strings.Contains(text, "60ms") {
			t.Errorf("%s: %s", doing, text)
		}
	}
	// It is free again once the holder is gone, however it went.
	s.timeout = defaultTimeout
	c.Process.Kill()
	if _, err := o.Append("r-1", Event{Type: "x"}); err != nil {
		t.Error(err)
	}
	reader := spawn(t, "hold", "reader", s.path)
	reader.expect(t, "held")
	if _, err := s.Get("r-1"); err != nil {
		t.Errorf("reading beside a reader: %v", err)
	}
	if text := (&HeldError{Path: "runs.db", Waited: time.Second}).Error(); !strings.Contains(text, "another program") {
		t.Error(text)
	}
}

func TestAFullDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("this system has no limit on a file's size")
	}
	s, _ := scratch(t)
	c := spawn(t, "fill", "", s.path)
	started := 0
	full := ""
	for c.lines.Scan() {
		switch line := c.lines.Text(); {
		case strings.HasPrefix(line, "started"):
			started++
		default:
			full += line
		}
	}
	if !strings.HasPrefix(full, "full: the store "+s.path+" cannot be written: ") {
		t.Fatalf("the child ends with %q", full)
	}
	c.Wait()
	if report := mustBeSound(t, s); report.Runs != started || started < 50 {
		t.Errorf("%d runs were started, and the store has %+v", started, report)
	}
	if run := start(t, own(t, s), review("after")); run.Attempt != 1 {
		t.Errorf("started %+v", run)
	}
}

// An owner file that its process left behind is swept by the next owner, and one
// whose process lives stays.
func TestOwnerFiles(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	first := own(t, s)
	c := spawn(t, "hold", "reader", s.path)
	c.lines.Scan() // there is no store file, so it fails; its owner file stays
	c.Wait()
	if names := s.owners(); len(names) != 2 {
		t.Fatalf("owner files: %v", names)
	}
	second := own(t, s)
	names := strings.Join(s.owners(), " ")
	if len(s.owners()) != 2 || !strings.Contains(names, first.name) || !strings.Contains(names, second.name) {
		t.Errorf("owner files: %v, of owners %s and %s", names, first.name, second.name)
	}
	for _, p := range s.processes() {
		if p.Command != "auto run" || p.PID == 0 || p.Since.IsZero() {
			t.Errorf("an owner says %+v", p)
		}
	}
	for _, o := range []*Owner{first, second} {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
	if names := s.owners(); len(names) != 0 {
		t.Errorf("closed owners leave %v", names)
	}
}
