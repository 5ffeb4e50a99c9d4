package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

func TestARunFromStartToEnd(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	run := start(t, o, review("r-1"))
	if run.Status != Started || run.Version != 1 || run.Attempt != 1 || !run.Started.Equal(c.now()) {
		t.Fatalf("started as %+v", run.Summary)
	}
	c.advance(812 * time.Millisecond)
	if _, err := o.Append("r-1", Event{Type: "model_call_answered", Data: object("tokens", 12.0)}); err != nil {
		t.Fatal(err)
	}
	end(t, o, "r-1", succeeded("Two figures have no source."))

	kept, err := s.Get("r-1")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"run_id":"r-1","type":"reasoning","name":"review","definition_version":1,"status":"succeeded",` +
		`"started":"2026-10-01T09:30:00.000Z","ended":"2026-10-01T09:30:00.812Z",` +
		`"input":{"brief":"Launch in Ghent on 1 October","budget":9007199254740993},` +
		`"output":"Two figures have no source.",` +
		`"record":{"model":{"requested":"anthropic/claude-sonnet-4-5"},"duration_ms":812},"rejection":null}`
	if got := value.JSON(kept.Value()); got != want {
		t.Errorf("Get gives\n%s\nwant\n%s", got, want)
	}
	events, more, err := s.Events(EventFilter{RunID: "r-1"})
	if err != nil || more {
		t.Fatal(more, err)
	}
	var types []string
	for _, e := range events {
		types = append(types, e.Type)
		if e.RunID != "r-1" || e.Subject != "reasoning/review" {
			t.Errorf("event %+v is of another run", e)
		}
	}
	if got := strings.Join(types, " "); got != "run_started model_call_answered run_succeeded" {
		t.Errorf("its history is %s", got)
	}
	if report := mustBeSound(t, s); report.Runs != 1 || report.Events != 3 || report.Versions != 1 || report.CutOff != 0 {
		t.Errorf("Check counts %+v", report)
	}
}

func TestARejectionIsKeptWhole(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	o := own(t, s)
	start(t, o, review("r-1"))
	rejection := problem.NewRejection(problem.Conflict, "a tool may have changed something", problem.Issue{Pointer: "/input/a~1b", Detail: "Expected text"})
	rejection.Kind, rejection.Because = "effect_unknown", "server_failed"
	end(t, o, "r-1", Ending{Status: Rejected, Rejection: rejection, Record: object("usage", nil)})
	kept, err := s.Get("r-1")
	if err != nil {
		t.Fatal(err)
	}
	got, want := value.JSON(rejectionObject(kept.Rejection)), value.JSON(rejectionObject(rejection))
	if got != want || kept.Reason != "conflict" || kept.Kind != "effect_unknown" {
		t.Errorf("kept %s, %s, %s", got, kept.Reason, kept.Kind)
	}
}

// A run id is claimed once; what a second start meets is in the run's state.
func TestStartUnderAnIDThatHasARun(t *testing.T) {
	t.Parallel()
	other := review("r-1")
	other.Input = object("brief", "another brief")
	sameOtherOrder := review("r-1")
	sameOtherOrder.Input = object("budget", value.Exact("9007199254740993"), "brief", "Launch in Ghent on 1 October")
	otherName := review("r-1")
	otherName.Name = "approve"
	for name, c := range map[string]struct {
		ending  *Ending
		again   Beginning
		outcome Outcome
	}{
		"in progress":                     {nil, review("r-1"), InProgress},
		"in progress, other input":        {nil, other, OtherInput},
		"succeeded":                       {ptr(succeeded("ok")), review("r-1"), Recorded},
		"succeeded, keys in a row":        {ptr(succeeded("ok")), sameOtherOrder, Recorded},
		"succeeded, other input":          {ptr(succeeded("ok")), other, OtherInput},
		"succeeded, other function":       {ptr(succeeded("ok")), otherName, OtherInput},
		"unavailable":                     {ptr(unavailable()), review("r-1"), Claimed},
		"unavailable, other input":        {ptr(unavailable()), other, OtherInput},
		"interrupted":                     {&Ending{Status: Failed}, review("r-1"), Claimed},
		"rejected for good by its caller": {&Ending{Status: Rejected, Final: true}, review("r-1"), Recorded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := scratch(t)
			o := own(t, s)
			first := start(t, o, review("r-1"))
			if c.ending != nil {
				end(t, o, "r-1", *c.ending)
			}
			outcome, run, err := o.Start(c.again)
			if err != nil || outcome != c.outcome {
				t.Fatalf("Start = %s, %v; want %s", outcome, err, c.outcome)
			}
			if outcome != Claimed {
				if run.ID != "r-1" || !run.Started.Equal(first.Started) || run.Attempt != 1 {
					t.Errorf("gives %+v, not the run that was there", run.Summary)
				}
				mustBeSound(t, s)
				return
			}
			if run.Status != Started || run.Attempt != 2 || run.Rejection != nil || !run.Ended.IsZero() {
				t.Errorf("started again as %+v", run)
			}
			if page, _, _ := s.List(Filter{}); len(page) != 1 || page[0].Attempt != 2 {
				t.Errorf("the list has %+v", page)
			}
			mustBeSound(t, s)
		})
	}
}

func ptr[T any](v T) *T { return &v }

func TestWhatStartRefuses(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	o := own(t, s)
	for _, id := range []string{"", "a b", "ü", "a/b", "a\x00b", strings.Repeat("a", 129)} {
		if _, _, err := o.Start(review(id)); !errors.Is(err, ErrRunID) {
			t.Errorf("Start with the id %q: %v", id, err)
		}
	}
	large := review("r-large")
	large.Input = object("brief", strings.Repeat("x", MaxInput))
	if _, _, err := o.Start(large); !errors.Is(err, ErrInputTooLarge) {
		t.Errorf("a large input: %v", err)
	}
	if _, err := os.Stat(s.path); err == nil {
		t.Error("a refused start made a store")
	}
	largest := review(strings.Repeat("Az9-_.:", 18) + "ab")
	largest.Input = object("brief", strings.Repeat("x", MaxInput-len(`{"brief":""}`)))
	if run := start(t, o, largest); len(run.ID) != 128 {
		t.Error("the longest id was cut")
	}
}

func TestOnlyTheOwnerWritesARun(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	first, second := own(t, s), own(t, s)
	start(t, first, review("r-1"))
	if _, err := second.Append("r-1", Event{Type: "x"}); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("Append by another: %v", err)
	}
	if _, err := second.End("r-1", succeeded("ok")); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("End by another: %v", err)
	}
	if _, err := first.Append("r-2", Event{Type: "x"}); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("Append to no run: %v", err)
	}
	if _, err := first.Append("r-1", Event{}); err == nil {
		t.Error("an event without a type was recorded")
	}
	if _, err := first.End("r-1", Ending{Status: Started}); err == nil {
		t.Error("a run ended as started")
	}
	end(t, first, "r-1", succeeded("ok"))
	if _, err := first.End("r-1", unavailable()); !errors.Is(err, ErrNotClaimed) {
		t.Errorf("a second End: %v", err)
	}
}

// A claim falls with its owner, and the next one ends the run before it starts
// it again.
func TestACutOffRun(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	first, second, third := own(t, s), own(t, s), own(t, s)
	start(t, first, review("r-1"))
	start(t, first, review("r-2"))
	if taken, err := second.TakeOver("r-1"); taken != nil || err != nil {
		t.Fatalf("took over a run in progress: %v, %v", taken, err)
	}
	if ids, err := s.CutOff(); len(ids) != 0 || err != nil {
		t.Fatalf("cut off: %v, %v", ids, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if ids, _ := s.CutOff(); strings.Join(ids, " ") != "r-1 r-2" {
		t.Fatalf("cut off: %v", ids)
	}
	if report := mustBeSound(t, s); report.CutOff != 2 {
		t.Errorf("Check counts %d cut off", report.CutOff)
	}
	outcome, run, err := second.Start(review("r-1"))
	if outcome != CutOff || err != nil || run.Status != Started || run.Attempt != 1 {
		t.Fatalf("Start = %s, %+v, %v", outcome, run, err)
	}
	if outcome, _, _ := third.Start(review("r-1")); outcome != InProgress {
		t.Fatalf("a third meets %s", outcome)
	}
	end(t, second, "r-1", Ending{Status: Failed, Events: []Event{{Type: "run_failed"}}})
	if run := start(t, third, review("r-1")); run.Attempt != 2 {
		t.Errorf("attempt %d", run.Attempt)
	}
	taken, err := second.TakeOver("r-2")
	if err != nil || taken == nil || taken.ID != "r-2" {
		t.Fatalf("TakeOver = %v, %v", taken, err)
	}
	end(t, second, "r-2", Ending{Status: Failed})
	if taken, err := second.TakeOver("r-2"); taken != nil || err != nil {
		t.Fatalf("took over an ended run: %v, %v", taken, err)
	}
	if _, err := second.TakeOver("r-3"); !errors.Is(err, ErrNotFound) {
		t.Errorf("TakeOver of no run: %v", err)
	}
	mustBeSound(t, s)
}

// A started run that nobody claims waits for its party.
func TestARunThatWaits(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	o := own(t, s)
	start(t, o, review("r-1"))
	if err := s.write(func(tx transaction) error { return tx.release(claimRun, "r-1") }); err != nil {
		t.Fatal(err)
	}
	if outcome, _, err := o.Start(review("r-1")); outcome != Waiting || err != nil {
		t.Errorf("Start = %s, %v", outcome, err)
	}
	if taken, err := o.TakeOver("r-1"); taken != nil || err != nil {
		t.Errorf("TakeOver = %v, %v", taken, err)
	}
	mustBeSound(t, s)
}

func TestVersionsByContent(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	save := func(source string) int {
		t.Helper()
		c.advance(time.Minute)
		v, err := s.Save("reasoning", "review", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		return v.Number
	}
	if a, b, again := save("one"), save("two"), save("two"); a != 1 || b != 2 || again != 2 {
		t.Fatalf("versions %d, %d, %d", a, b, again)
	}
	if back := save("one"); back != 1 {
		t.Errorf("a content kept before became version %d", back)
	}
	if err := s.Retire("reasoning", "review"); err != nil {
		t.Fatal(err)
	}
	if err := s.Retire("reasoning", "nothing"); err != nil {
		t.Fatal(err)
	}
	all, err := s.Definitions()
	if err != nil || len(all) != 1 || !all[0].Retired || all[0].Latest != 1 || all[0].Versions != 2 {
		t.Fatalf("definitions %+v, %v", all, err)
	}
	if save("one"); true {
		if all, _ := s.Definitions(); all[0].Retired {
			t.Error("a definition that was saved again stays retired")
		}
	}
	v, err := s.Version("reasoning", "review", 2)
	if err != nil || v.Source != "two" || v.Saved.Format(time.TimeOnly) != "09:32:00" {
		t.Errorf("version 2 is %+v, %v", v, err)
	}
	for _, number := range []int{0, -1, 3, 1 << 40} {
		if _, err := s.Version("reasoning", "review", number); !errors.Is(err, ErrNotFound) {
			t.Errorf("version %d: %v", number, err)
		}
	}
	// The same name in another type, and a name that another one starts with.
	if v, _ := s.Save("interaction", "review", []byte("one")); v.Number != 1 {
		t.Error("types share versions")
	}
	if v, _ := s.Save("reasoning", "review-all", []byte("one")); v.Number != 1 {
		t.Error("names share versions")
	}
	for _, bad := range [][2]string{{"", "a"}, {"a", ""}, {"a/b", "c"}, {"a", "b\x00"}} {
		if _, err := s.Save(bad[0], bad[1], nil); err == nil {
			t.Errorf("saved as %q", bad)
		}
	}
	if _, err := s.Save("reasoning", "binary", []byte{0xff}); err == nil {
		t.Error("saved what is not text")
	}
	mustBeSound(t, s)
}

func TestAReaderMakesNothing(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	if _, err := s.Get("r-1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Get: %v", err)
	}
	if page, cursor, err := s.List(Filter{}); len(page) != 0 || cursor != "" || err != nil {
		t.Errorf("List: %v, %q, %v", page, cursor, err)
	}
	if _, _, err := s.Events(EventFilter{}); err != nil {
		t.Errorf("Events: %v", err)
	}
	if _, err := s.Event(1); !errors.Is(err, ErrNotFound) {
		t.Errorf("Event: %v", err)
	}
	if all, err := s.Definitions(); len(all) != 0 || err != nil {
		t.Errorf("Definitions: %v, %v", all, err)
	}
	if _, err := s.Version("reasoning", "review", 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("Version: %v", err)
	}
	if ids, err := s.CutOff(); len(ids) != 0 || err != nil {
		t.Errorf("CutOff: %v, %v", ids, err)
	}
	if err := s.Delete("r-1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Delete: %v", err)
	}
	if n, err := s.DeleteOlderThan(time.Now()); n != 0 || err != nil {
		t.Errorf("DeleteOlderThan: %d, %v", n, err)
	}
	if err := s.Retire("reasoning", "review"); err != nil {
		t.Errorf("Retire: %v", err)
	}
	if err := s.Backup(filepath.Join(t.TempDir(), "copy.db")); !errors.Is(err, ErrNotFound) {
		t.Errorf("Backup: %v", err)
	}
	if _, err := s.Compact(); !errors.Is(err, ErrNotFound) {
		t.Errorf("Compact: %v", err)
	}
	if report := mustBeSound(t, s); report.Bytes != 0 {
		t.Errorf("Check: %+v", report)
	}
	if _, err := os.Stat(filepath.Dir(s.path)); err == nil {
		t.Error("reading made the store's folder")
	}
}

func TestWhatAStoreLooksLikeOnDisk(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	o := own(t, s)
	start(t, o, review("r-1"))
	folder := filepath.Dir(s.path)
	for path, mode := range map[string]os.FileMode{
		folder: 0o700, s.path: 0o600, s.ownersFolder(): 0o700, o.lock.Path(): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has the mode %v, %v", path, info.Mode(), err)
		}
	}
	if ignore, err := os.ReadFile(filepath.Join(folder, ".gitignore")); string(ignore) != "*\n" || err != nil {
		t.Errorf(".gitignore holds %q, %v", ignore, err)
	}
	elsewhere := At(filepath.Join(t.TempDir(), "data", "store.db"), Options{})
	elsewhere.noSync = true
	if _, err := elsewhere.Save("reasoning", "review", []byte(brief)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(elsewhere.path), ".gitignore")); err == nil {
		t.Error("a store in a folder of another name hides that folder from git")
	}
}
