package when

import (
	"testing"
	"time"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d           time.Duration
		short, long string
	}{
		{0, "0s", "less than a second"},
		{time.Second, "1s", "1 second"},
		{59 * time.Second, "59s", "59 seconds"},
		{61 * time.Second, "1m", "1 minute"},
		{90 * time.Minute, "1h", "1 hour 30 minutes"},
		{14 * time.Hour, "14h", "14 hours"},
		{51 * time.Hour, "2d", "2 days 3 hours"},
		{30 * 24 * time.Hour, "30d", "30 days"},
	} {
		if got := Short(c.d); got != c.short {
			t.Errorf("Short(%s) = %q, want %q", c.d, got, c.short)
		}
		if got := Long(c.d); got != c.long {
			t.Errorf("Long(%s) = %q, want %q", c.d, got, c.long)
		}
	}
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	if got := Ago(now.Add(-time.Second), now); got != "just now" {
		t.Errorf("a second ago is %q", got)
	}
	if got := Ago(now.Add(-2*time.Minute), now); got != "2 minutes ago" {
		t.Errorf("two minutes ago is %q", got)
	}
	if got, open := Left(now.Add(-time.Second), now); open {
		t.Errorf("what is over has %q left", got)
	}
	if got, open := Left(now.Add(time.Hour), now); !open || got != "1 hour" {
		t.Errorf("an hour is %q", got)
	}
}
