package definition

// This file reads durations.

import (
	"strconv"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/problem"
)

// durationUnits are the units a duration may have, in the order ISO 8601 puts
// them. Years and months have no fixed length, so they are none of them.
var durationUnits = []struct {
	letter byte
	timed  bool // stands after the T
	length time.Duration
}{
	{'W', false, 7 * 24 * time.Hour},
	{'D', false, 24 * time.Hour},
	{'H', true, time.Hour},
	{'M', true, time.Minute},
	{'S', true, time.Second},
}

// ParseDuration reads an ISO 8601 duration of weeks, days, hours, minutes and
// seconds, such as PT4H or P2D. The last number may have a fraction. It is
// false for anything else, for a month or a year, and past a century.
func ParseDuration(text string) (time.Duration, bool) {
	rest, ok := strings.CutPrefix(text, "P")
	if !ok {
		return 0, false
	}
	var total time.Duration
	unit, timed, parts := 0, false, 0
	for rest != "" {
		if !timed && rest[0] == 'T' {
			timed, rest = true, rest[1:]
			if rest == "" {
				return 0, false
			}
			continue
		}
		end := strings.IndexFunc(rest, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
		if end < 1 || end > 10 || rest[0] == '.' || rest[end-1] == '.' {
			return 0, false
		}
		amount, err := strconv.ParseFloat(rest[:end], 64)
		if err != nil || (strings.Contains(rest[:end], ".") && end+1 != len(rest)) {
			return 0, false
		}
		for unit < len(durationUnits) && (durationUnits[unit].letter != rest[end] || durationUnits[unit].timed != timed) {
			unit++
		}
		if unit == len(durationUnits) || amount*durationUnits[unit].length.Hours() > 100*365*24 {
			return 0, false
		}
		total += time.Duration(amount * float64(durationUnits[unit].length))
		unit, parts, rest = unit+1, parts+1, rest[end+1:]
	}
	return total, parts > 0 && total < 100*365*24*time.Hour
}

// duration reads a duration between two bounds, given as the format writes
// them, such as PT1M.
func (r *reader) duration(at place, least, most, example string) time.Duration {
	text, ok := r.text(at)
	if !ok {
		return 0
	}
	shortest, _ := ParseDuration(least)
	longest, _ := ParseDuration(most)
	length, ok := ParseDuration(text)
	if !ok || length < shortest || length > longest {
		r.refuse(at, problem.Duration, "Expected an ISO 8601 duration from "+least+" to "+most+", such as "+example)
		return 0
	}
	return length
}
