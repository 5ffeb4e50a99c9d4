package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestListFiltersAndPages(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	var since time.Time
	for i := range 12 {
		c.advance(time.Minute)
		b := review(fmt.Sprintf("r-%02d", i))
		if i%3 == 0 {
			b.Type, b.Name = "interaction", "approve"
		}
		if i == 8 {
			since = c.now()
		}
		start(t, o, b)
		switch {
		case i%4 == 1:
			end(t, o, b.ID, unavailable())
		case i%4 == 2:
			end(t, o, b.ID, succeeded("ok"))
		}
	}
	for name, want := range map[string]struct {
		filter Filter
		ids    string
	}{
		"all":         {Filter{}, "11 10 09 08 07 06 05 04 03 02 01 00"},
		"a name":      {Filter{Name: "approve"}, "09 06 03 00"},
		"a type":      {Filter{Type: "reasoning"}, "11 10 08 07 05 04 02 01"},
		"no such":     {Filter{Type: "interaction", Name: "review"}, ""},
		"a status":    {Filter{Status: Rejected}, "09 05 01"},
		"since":       {Filter{Since: since}, "11 10 09 08"},
		"all of them": {Filter{Type: "reasoning", Status: Succeeded, Since: since.Add(time.Millisecond)}, "10"},
	} {
		for _, limit := range []int{0, 1, 2, 3, 5000} {
			var got []string
			filter := want.filter
			filter.Limit = limit
			for {
				page, cursor, err := s.List(filter)
				if err != nil {
					t.Fatal(err)
				}
				if limit > 0 && len(page) > limit {
					t.Fatalf("%s: a page of %d", name, len(page))
				}
				for _, run := range page {
					got = append(got, strings.TrimPrefix(run.ID, "r-"))
				}
				if filter.Cursor = cursor; cursor == "" {
					break
				}
			}
			if got := strings.Join(got, " "); got != want.ids {
				t.Errorf("%s by %d: %s, want %s", name, limit, got, want.ids)
			}
		}
	}
	page, _, _ := s.List(Filter{Status: Rejected, Limit: 1})
	if page[0].Reason != "unavailable" || page[0].Kind != "provider_unavailable" || page[0].Ended.IsZero() || page[0].Version != 1 {
		t.Errorf("the list shows %+v", page[0])
	}
	for _, cursor := range []string{"-1", "!", strings.Repeat("z", 40), "zzzzzzzzzzzzz"} {
		if _, _, err := s.List(Filter{Cursor: cursor}); !errors.Is(err, ErrCursor) {
			t.Errorf("cursor %q: %v", cursor, err)
		}
	}
}

// Order is the order of recording, whatever the clock says.
func TestOrderIsNotTheClocks(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	for i := range 3 {
		start(t, o, review(fmt.Sprintf("r-%d", i)))
		c.advance(-time.Hour)
	}
	page, _, err := s.List(Filter{})
	if err != nil || page[0].ID != "r-2" || page[2].ID != "r-0" {
		t.Errorf("the list has %+v, %v", page, err)
	}
	events, _, _ := s.Events(EventFilter{})
	if events[0].RunID != "r-0" || events[2].RunID != "r-2" || events[0].ID >= events[1].ID {
		t.Errorf("the history has %+v", events)
	}
}

func TestEventsByRunAndByPlaybook(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	o := own(t, s)
	// The second id starts with the first.
	start(t, o, review("r-1"))
	start(t, o, review("r-10"))
	c.advance(time.Hour)
	recorded, err := s.Record(Event{Type: "replies_read", Data: object("conversation", "C024/1727")})
	if err != nil || recorded[0].ID == 0 || !recorded[0].Time.Equal(c.now()) {
		t.Fatalf("recorded %+v, %v", recorded, err)
	}
	if _, err := o.Append("r-1", Event{Type: "tool_call_started"}, Event{Type: "tool_call_answered"}); err != nil {
		t.Fatal(err)
	}
	types := func(f EventFilter) string {
		t.Helper()
		var got []string
		for {
			page, more, err := s.Events(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page {
				got = append(got, e.Type)
				f.After = e.ID
			}
			if !more {
				return strings.Join(got, " ")
			}
		}
	}
	for name, want := range map[string]struct {
		filter EventFilter
		types  string
	}{
		"all":               {EventFilter{}, "run_started run_started replies_read tool_call_started tool_call_answered"},
		"all by one":        {EventFilter{Limit: 1}, "run_started run_started replies_read tool_call_started tool_call_answered"},
		"a run":             {EventFilter{RunID: "r-1"}, "run_started tool_call_started tool_call_answered"},
		"a run by one":      {EventFilter{RunID: "r-1", Limit: 1}, "run_started tool_call_started tool_call_answered"},
		"a run with a name": {EventFilter{RunID: "r-10"}, "run_started"},
		"no such run":       {EventFilter{RunID: "r"}, ""},
		"a type":            {EventFilter{Type: "run_started"}, "run_started run_started"},
		"since":             {EventFilter{Since: c.now()}, "replies_read tool_call_started tool_call_answered"},
	} {
		if got := types(want.filter); got != want.types {
			t.Errorf("%s: %s, want %s", name, got, want.types)
		}
	}
	one, err := s.Event(recorded[0].ID)
	if err != nil || one.Type != "replies_read" || one.RunID != "" || one.Subject != "" {
		t.Errorf("Event gives %+v, %v", one, err)
	}
	if _, err := s.Event(recorded[0].ID + 100); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such event: %v", err)
	}
	mustBeSound(t, s)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	o := own(t, s)
	for _, id := range []string{"r-1", "r-10", "r-2"} {
		start(t, o, review(id))
	}
	end(t, o, "r-1", succeeded("ok"))
	if err := s.Delete("r-2"); !errors.Is(err, ErrInProgress) {
		t.Errorf("deleted a run in progress: %v", err)
	}
	if err := s.Delete("r-1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("r-1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted run: %v", err)
	}
	if events, _, _ := s.Events(EventFilter{}); len(events) != 2 {
		t.Errorf("%d events are left", len(events))
	}
	if err := s.Delete("r-1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	o.Close()
	if err := s.Delete("r-2"); err != nil {
		t.Errorf("a run that was cut off: %v", err)
	}
	if report := mustBeSound(t, s); report.Runs != 1 || report.Versions != 1 || report.CutOff != 1 {
		t.Errorf("left is %+v", report)
	}
	if run := start(t, own(t, s), review("r-1")); run.Attempt != 1 {
		t.Errorf("a deleted run's id goes on with attempt %d", run.Attempt)
	}
}

func TestDeleteOlderThan(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	fill(t, s, deletedAtOnce*2+7)
	o := own(t, s)
	start(t, o, review("in-progress"))
	c.advance(24 * time.Hour)
	limit := c.now()
	start(t, o, review("young"))
	end(t, o, "young", succeeded("ok"))
	if n, err := s.DeleteOlderThan(limit.Add(-48 * time.Hour)); n != 0 || err != nil {
		t.Errorf("deleted %d, %v", n, err)
	}
	if n, err := s.DeleteOlderThan(limit); n != deletedAtOnce*2+7 || err != nil {
		t.Errorf("deleted %d, %v", n, err)
	}
	page, _, err := s.List(Filter{})
	if err != nil || len(page) != 2 || page[0].ID != "young" || page[1].ID != "in-progress" {
		t.Errorf("left are %+v, %v", page, err)
	}
	if report := mustBeSound(t, s); report.Runs != 2 || report.Events != 3 {
		t.Errorf("left is %+v", report)
	}
}

func TestBackup(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	fill(t, s, 100)
	to := t.TempDir() + "/copy.db"
	if err := s.Backup(to); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy is %v, %v", info, err)
	}
	copied := At(to, Options{})
	if report := mustBeSound(t, copied); report.Runs != 100 {
		t.Errorf("the copy has %+v", report)
	}
	if err := s.Backup(to); !errors.Is(err, ErrExists) {
		t.Errorf("a backup over a backup: %v", err)
	}
	if err := s.Backup(t.TempDir() + "/no/such/folder.db"); err == nil {
		t.Error("a backup into no folder")
	}
	entries, _ := os.ReadDir(strings.TrimSuffix(to, "/copy.db"))
	if len(entries) != 1 {
		t.Errorf("a backup leaves %v", entries)
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	s, c := scratch(t)
	fill(t, s, 3000)
	c.advance(time.Hour)
	o := own(t, s)
	start(t, o, review("last"))
	end(t, o, "last", succeeded("ok"))
	last, _, _ := s.Events(EventFilter{RunID: "last"})
	if _, err := s.DeleteOlderThan(c.now()); err != nil {
		t.Fatal(err)
	}
	// What processes leave that were killed is no hindrance, and is swept.
	for _, left := range []string{".compact", ".new-123"} {
		if err := os.WriteFile(s.path+left, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	done, err := s.Compact()
	if err != nil || done.After >= done.Before/2 {
		t.Fatalf("compacted %+v, %v", done, err)
	}
	if info, _ := os.Stat(s.path); info.Size() != done.After || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, and should have %d bytes", info, done.After)
	}
	for _, left := range []string{".compact", ".new-123"} {
		if _, err := os.Stat(s.path + left); err == nil {
			t.Errorf("%s is left", left)
		}
	}
	if report := mustBeSound(t, s); report.Runs != 1 || report.Versions != 2 {
		t.Errorf("left is %+v", report)
	}
	next, err := s.Record(Event{Type: "replies_read"})
	if err != nil || next[0].ID <= last[len(last)-1].ID {
		t.Errorf("the sequence goes on with %+v after %d: %v", next, last[len(last)-1].ID, err)
	}
}
