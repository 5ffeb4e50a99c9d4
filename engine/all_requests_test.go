package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/value"
)

const minuteLong = "---\nto: sales\nexpires: PT1M\ndeliver: agent\noutput:\n  schema: { type: boolean }\n---\nShall we launch?\n"

// TestAllRequests looks at more requests than a page holds, and at more that are
// over than one look ends.
func TestAllRequests(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	runtime := engine.Open(engine.Options{Folder: t.TempDir(), Lookup: func(string) (string, bool) { return "", false }, Now: func() time.Time { return now }})
	t.Cleanup(func() { runtime.Close() })
	ask := func(id string) {
		t.Helper()
		_, err := runtime.Run(t.Context(), engine.RunRequest{ID: id, Type: "interaction", Name: "launch", Source: []byte(minuteLong), Input: value.NewObject(0)})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		ask(fmt.Sprint("early-", i))
	}
	now = now.Add(30 * time.Second)
	ask("late-1")
	ask("late-2")
	if all, err := runtime.AllRequests(); err != nil || len(all) != 62 || all[0].RunID != "late-2" || all[61].RunID != "early-0" {
		t.Fatalf("%d requests, %v", len(all), err)
	}
	now = now.Add(30 * time.Second)
	for _, left := range []int{12, 2} {
		all, err := runtime.AllRequests()
		if err != nil || len(all) != 2 || all[0].RunID != "late-2" || all[1].RunID != "late-1" {
			t.Errorf("%v, %v", all, err)
		}
		if count, err := runtime.CountOpenRequests(); err != nil || count != left {
			t.Errorf("%d are recorded as open, expected %d (%v)", count, left, err)
		}
	}
	if done, err := runtime.RunByID("early-0"); err != nil || done.Status != engine.RunRejected {
		t.Errorf("%v, %v", done, err)
	}
}
