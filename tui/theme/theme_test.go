package theme

import (
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// luminance is how bright a colour is, by WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	part := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Text is readable on the backgrounds that terminals have, and on the chosen row.
func TestContrast(t *testing.T) {
	t.Parallel()
	const least = 4.5 // WCAG 2, level AA
	for name, c := range map[string]struct {
		dark        bool
		backgrounds []color.Color
	}{
		"dark":  {true, []color.Color{lipgloss.Color("#000000"), lipgloss.Color("#1E1E1E")}},
		"light": {false, []color.Color{lipgloss.Color("#FFFFFF"), lipgloss.Color("#F5F5F5")}},
	} {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
			th := New(profile, c.dark)
			backgrounds := append(c.backgrounds, th.Selected.GetBackground())
			for part, style := range map[string]lipgloss.Style{
				"dim": th.Dim, "accent": th.Accent, "key": th.Key, "code": th.Code, "link": th.Link, "quote": th.Quote,
				"good": th.Good, "caution": th.Caution, "bad": th.Bad, "match": th.Match,
			} {
				for _, background := range backgrounds {
					// What is drawn on the chosen row is never the only place it is said.
					want := least
					if background == th.Selected.GetBackground() {
						want = 3
					}
					if got := contrast(style.GetForeground(), background); got < want {
						t.Errorf("%s, %s: %s on %v has a contrast of %.1f, want %.1f", name, profile, part, background, got, want)
					}
				}
			}
		}
	}
}

// Below 16 colours nothing is coloured, and what is chosen is still seen.
func TestWithoutColours(t *testing.T) {
	t.Parallel()
	none := lipgloss.NewStyle().GetForeground()
	for _, profile := range []colorprofile.Profile{colorprofile.ASCII, colorprofile.NoTTY} {
		th := New(profile, true)
		if !th.Selected.GetReverse() {
			t.Errorf("%s: the chosen row looks as the others", profile)
		}
		for part, style := range map[string]lipgloss.Style{"good": th.Good, "bad": th.Bad, "dim": th.Dim, "key": th.Key} {
			if style.GetForeground() != none {
				t.Errorf("%s: %s has a colour", profile, part)
			}
		}
	}
}
