// Package when says in words how far apart two moments are, as a person would. It
// never reads a clock.
package when

import (
	"strconv"
	"time"
)

// unit is a unit of time that words use.
type unit struct {
	length      time.Duration
	short, long string
}

var units = []unit{
	{24 * time.Hour, "d", "day"},
	{time.Hour, "h", "hour"},
	{time.Minute, "m", "minute"},
	{time.Second, "s", "second"},
}

// Short is a duration in the largest unit that fits, such as 3d, 12m or 0s.
func Short(d time.Duration) string {
	for _, u := range units {
		if d >= u.length {
			return strconv.FormatInt(int64(d/u.length), 10) + u.short
		}
	}
	return "0s"
}

// Long is a duration in words, with two units where the larger one is small: 2 days
// 4 hours, 12 minutes.
func Long(d time.Duration) string {
	for i, u := range units {
		if d < u.length {
			continue
		}
		count := int64(d / u.length)
		text := plural(count, u.long)
		if rest := d % u.length; count < 10 && i+1 < len(units)-1 {
			if more := int64(rest / units[i+1].length); more > 0 {
				text += " " + plural(more, units[i+1].long)
			}
		}
		return text
	}
	return "less than a second"
}

func plural(count int64, word string) string {
	if count == 1 {
		return "1 " + word
	}
	return strconv.FormatInt(count, 10) + " " + word + "s"
}

// Ago says how long ago a moment is: just now, 12 minutes ago.
func Ago(moment, now time.Time) string {
	if d := now.Sub(moment); d >= 5*time.Second {
		return Long(d) + " ago"
	}
	return "just now"
}

// Left says how long there is until a moment, and false when it is over.
func Left(moment, now time.Time) (string, bool) {
	d := moment.Sub(now)
	return Long(max(d, 0)), d > 0
}
