package store

// This file holds the store of each format against what it must read as: a file
// that an older program wrote is read for ever.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

var update = flag.Bool("update", false, "write what was found into the expected files")

const fixtures = "../../fixtures/store"

func TestStoresOfEachFormat(t *testing.T) {
	t.Parallel()
	if *update {
		writeFixture(t)
	}
	files, err := filepath.Glob(filepath.Join(fixtures, "format-*.db"))
	if err != nil || len(files) != Format {
		t.Fatalf("there are %d stores for %d formats: %v", len(files), Format, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := storeOf(t, source)
		if report := mustBeSound(t, s); report.CutOff != 1 {
			t.Errorf("%s has %+v", file, report)
		}
		got := dump(t, s)
		golden := strings.TrimSuffix(file, ".db") + ".json"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || got != string(want) {
			t.Errorf("%s reads as\n%s\nwant\n%s%v", file, got, want, err)
		}
		// And it is written on.
		o := own(t, s)
		if outcome, _, err := o.Start(review("r-cut-off")); outcome != CutOff || err != nil {
			t.Errorf("%s: Start = %s, %v", file, outcome, err)
		}
		start(t, o, review("r-new"))
		mustBeSound(t, s)
	}
}

// writeFixture writes the store of the present format, unless there is one.
func writeFixture(t *testing.T) {
	to := filepath.Join(fixtures, fmt.Sprintf("format-%d.db", Format))
	if _, err := os.Stat(to); err == nil {
		return
	}
	c := newClock()
	s := At(filepath.Join(t.TempDir(), "runs.db"), Options{Now: c.now, OwnerName: func() string { return "3f2a" }})
	o := own(t, s)
	step := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		c.advance(time.Second)
	}
	start(t, o, review("r-succeeded"))
	_, err := o.Append("r-succeeded", Event{Type: "tool_call_started", Data: object("number", 1.0, "tool", "search")})
	step(err)
	end(t, o, "r-succeeded", succeeded(object("verdict", "revise", "b", []value.Value{nil, true, 0.5}, "10", value.Exact("0.1000000000000000055"))))
	start(t, o, review("r-rejected"))
	rejection := problem.NewRejection(problem.InvalidInput, "The input is not valid", problem.Issue{Pointer: "/input/brief", Detail: "Expected string"})
	end(t, o, "r-rejected", Ending{Status: Rejected, Rejection: rejection, Final: true, Events: []Event{{Type: "run_rejected"}}})
	start(t, o, review("r-again"))
	end(t, o, "r-again", unavailable())
	changed := review("r-again")
	changed.Source = []byte(brief + "\nBe brief.\n")
	start(t, o, changed)
	end(t, o, "r-again", Ending{Status: Failed, Record: object("usage", nil, "duration_ms", 12.0)})
	start(t, o, review("r-cut-off"))
	_, err = s.Save("interaction", "approve", []byte("---\nto: Priya\n---\nSüß? Ja.\n"))
	step(err)
	step(s.Retire("interaction", "approve"))
	_, err = s.Record(Event{Type: "replies_read", Data: object("conversation", "C024/1727")})
	step(err)
	file, err := os.ReadFile(s.path)
	step(err)
	step(os.MkdirAll(fixtures, 0o755))
	step(os.WriteFile(to, file, 0o644))
}

// dump gives all a store holds as JSON.
func dump(t *testing.T, s *Store) string {
	t.Helper()
	whole := value.NewObject(0)
	page, _, err := s.List(Filter{})
	if err != nil {
		t.Fatal(err)
	}
	runs := []value.Value{}
	for _, summary := range page {
		run, err := s.Get(summary.ID)
		if err != nil || run.Summary != summary {
			t.Errorf("the list shows %+v of %+v, %v", summary, run, err)
		}
		o := run.Value()
		o.Set("attempt", float64(run.Attempt))
		o.Set("final", run.Final)
		o.Set("reason", run.Reason)
		runs = append(runs, o)
	}
	whole.Set("runs", runs)
	history, _, err := s.Events(EventFilter{})
	if err != nil {
		t.Fatal(err)
	}
	events := []value.Value{}
	for _, e := range history {
		events = append(events, e.Value())
	}
	whole.Set("events", events)
	known, err := s.Definitions()
	if err != nil {
		t.Fatal(err)
	}
	definitions := []value.Value{}
	for _, d := range known {
		versions := []value.Value{}
		for number := 1; number <= d.Versions; number++ {
			v, err := s.Version(d.Type, d.Name, number)
			if err != nil {
				t.Fatal(err)
			}
			versions = append(versions, object("saved", writtenTime(v.Saved), "source", v.Source))
		}
		definitions = append(definitions, object("type", d.Type, "name", d.Name, "latest", float64(d.Latest), "retired", d.Retired,
			"changed", writtenTime(d.Changed), "versions", versions))
	}
	whole.Set("definitions", definitions)
	return value.IndentedJSON(whole, "  ") + "\n"
}
