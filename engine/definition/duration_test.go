package definition

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"PT1M":          time.Minute,
		"PT4H":          4 * time.Hour,
		"P2D":           48 * time.Hour,
		"P1W":           7 * 24 * time.Hour,
		"P1DT2H3M4S":    24*time.Hour + 2*time.Hour + 3*time.Minute + 4*time.Second,
		"PT90M":         90 * time.Minute,
		"PT0.5H":        30 * time.Minute,
		"PT1H1.5S":      time.Hour + 1500*time.Millisecond,
		"P30D":          30 * 24 * time.Hour,
		"P0DT0H1M":      time.Minute,
		"PT2592000S":    30 * 24 * time.Hour,
		"P1W1D":         8 * 24 * time.Hour,
		"PT0000000005S": 5 * time.Second,
	} {
		got, ok := ParseDuration(text)
		if !ok || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "P", "PT", "P1", "1D", "P1H", "PT1D", "P1M", "P1Y", "PT1M1H", "PT1M1M", "P-1D", "-P1D", "+P1D", "P1.5DT1H", "PT.5H", "PT5.H",
		"pt4h", "P2d", " P2D", "P2D ", "PT99999999999H", "P99999999999999999D", "PT1HM", "PTT1H", "PT1,5H", "P1DT", "2 days", "PT1e3S",
	} {
		if got, ok := ParseDuration(text); ok {
			t.Errorf("ParseDuration(%q) = %v; want none", text, got)
		}
	}
}
