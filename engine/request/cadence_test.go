package request

// This file tests the times of delivery and of reading, to the second.

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var asked = time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)

func after(seconds int) time.Time { return asked.Add(time.Duration(seconds) * time.Second) }

func TestAttempts(t *testing.T) {
	t.Parallel()
	// Each attempt takes two seconds to fail.
	for name, c := range map[string]struct {
		retryAfter time.Duration
		want       string // the seconds at which attempts start
	}{
		"by themselves":              {-1, "0 62 184 426 908"},
		"asked to wait for no time":  {0, "0 62 184 426 908"},
		"asked for less":             {30 * time.Second, "0 62 184 426 908"},
		"asked for three minutes":    {3 * time.Minute, "0 182 364 606 1088"},
		"asked for a day, kept to 8": {24 * time.Hour, "0 482 964 1446 1928"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var failed []Attempt
			var starts []string
			for {
				due, again := NextAttempt(asked, failed)
				if !again {
					break
				}
				starts = append(starts, fmt.Sprint(int(due.Sub(asked).Seconds())))
				failed = append(failed, Attempt{Ended: due.Add(2 * time.Second), RetryAfter: c.retryAfter})
			}
			if got := strings.Join(starts, " "); got != c.want {
				t.Errorf("attempts at %s, want %s", got, c.want)
			}
		})
	}
}

func TestAnAttemptThatIsFinal(t *testing.T) {
	t.Parallel()
	if due, again := NextAttempt(asked, []Attempt{{Ended: asked, Final: true}}); again {
		t.Errorf("arguments that are too large are sent again at %v", due)
	}
}

func TestAnAttemptThatWasCutOff(t *testing.T) {
	t.Parallel()
	due, again := NextAttempt(asked, []Attempt{{Ended: asked.Add(LostAfter), RetryAfter: -1}})
	if !again || !due.Equal(after(120)) {
		t.Errorf("the attempt after a lost one is due at %v", due)
	}
}

// reads gives the seconds at which reads start, each taking a second.
func reads(r Reading, count int) string {
	var starts []string
	for range count {
		due := NextRead(r)
		starts = append(starts, fmt.Sprint(int(due.Sub(asked).Seconds())))
		r.Started, r.Ended, r.Since = due, due.Add(time.Second), r.Since+1
	}
	return strings.Join(starts, " ")
}

func TestReadingCadence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reading Reading
		count   int
		want    string
	}{
		"by itself": {Reading{Joined: asked, Wait: 5 * time.Second}, 21,
			"5 15 35 75 135 195 255 315 375 435 495 555 615 675 735 795 855 915 1215 1515 1815"},
		"never sooner than its wait": {Reading{Joined: asked, Wait: time.Minute}, 20,
			"60 120 180 240 300 360 420 480 540 600 660 720 780 840 900 960 1020 1080 1380 1680"},
		"a wait between the steps": {Reading{Joined: asked, Wait: 15 * time.Second}, 6, "15 30 50 90 150 210"},
		"a wait of an hour":        {Reading{Joined: asked, Wait: time.Hour}, 3, "3600 7200 10800"},
		"another joins": {Reading{Joined: after(1000), Since: 0, Started: after(915), Ended: after(916), Wait: 5 * time.Second}, 3,
			"1005 1015 1035"},
		"another joins just after a read": {Reading{Joined: after(1000), Started: after(999), Ended: after(1000), Wait: time.Minute}, 2,
			"1060 1120"},
		"asked to wait for two minutes": {Reading{Joined: asked, Since: 1, Started: after(5), Ended: after(7), RetryAfter: 2 * time.Minute}, 1, "127"},
		"asked for less than the step":  {Reading{Joined: asked, Since: 4, Started: after(75), Ended: after(76), RetryAfter: 3 * time.Second}, 1, "135"},
		"asked for a day, kept to 1 h":  {Reading{Joined: asked, Since: 1, Started: after(5), Ended: after(7), RetryAfter: 24 * time.Hour}, 1, "3607"},
		"asked to wait, another joins":  {Reading{Joined: after(8), Started: after(5), Ended: after(7), RetryAfter: time.Minute}, 1, "67"},
		"cut off":                       {Reading{Joined: asked, Since: 1, Started: after(5), RetryAfter: time.Hour}, 1, "15"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := reads(c.reading, c.count); got != c.want {
				t.Errorf("reads at %s, want %s", got, c.want)
			}
		})
	}
}
