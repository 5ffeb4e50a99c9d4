// Package theme is how the inbox looks: one style for each meaning, as the
// terminal's colours and background allow.
//
// It never says anything by colour alone: whoever uses a style writes the word or
// the mark too. It never asks the terminal anything.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// A Theme is the styles of one terminal. It is immutable.
type Theme struct {
	Profile colorprofile.Profile
	Dark    bool

	Text     lipgloss.Style // what is read
	Strong   lipgloss.Style // what stands out within it
	Emphasis lipgloss.Style // what is stressed within it
	Dim      lipgloss.Style // what is beside the point: ages, ids, hints
	Title    lipgloss.Style // the name of a screen
	Heading  lipgloss.Style // the name of a part
	Accent   lipgloss.Style // where the person is: a mark, a chosen tab, a focused field's name
	Selected lipgloss.Style // the chosen row, over its whole width
	Line     lipgloss.Style // rules and borders
	Key      lipgloss.Style // the name of a key
	Code     lipgloss.Style // code and JSON
	Link     lipgloss.Style // an address
	Quote    lipgloss.Style // quoted text

	Good    lipgloss.Style // done, delivered, right
	Caution lipgloss.Style // soon, tried again, undecided
	Bad     lipgloss.Style // wrong, failed, over
	Match   lipgloss.Style // what a filter found

	Input  lipgloss.Style // text as it is typed
	Cursor lipgloss.Style // the character that is typed next
}

// palette is the colours of a theme; nil leaves the terminal's own.
type palette struct {
	dim, accent, line, key, code, link, quote color.Color
	good, caution, bad, match                 color.Color
	selected                                  color.Color // the background of the chosen row
}

// The palettes: plenty of colours on a dark and on a light background, and the 16
// that a terminal's own theme sets, which are readable on either.
var (
	dark = palette{
		dim: lipgloss.Color("#8B93A7"), accent: lipgloss.Color("#7AA2F7"), line: lipgloss.Color("#3B4261"), key: lipgloss.Color("#C0A8F5"),
		code: lipgloss.Color("#E0B97D"), link: lipgloss.Color("#6CB8E6"), quote: lipgloss.Color("#A9B1D6"),
		good: lipgloss.Color("#8CC570"), caution: lipgloss.Color("#E5B567"), bad: lipgloss.Color("#F07A87"), match: lipgloss.Color("#F2D16B"),
		selected: lipgloss.Color("#2C3454"),
	}
	light = palette{
		dim: lipgloss.Color("#5C6370"), accent: lipgloss.Color("#2450B2"), line: lipgloss.Color("#BCC2D0"), key: lipgloss.Color("#6B3FA0"),
		code: lipgloss.Color("#8A4B08"), link: lipgloss.Color("#0B62A3"), quote: lipgloss.Color("#4A5060"),
		good: lipgloss.Color("#2E7D32"), caution: lipgloss.Color("#8A5A00"), bad: lipgloss.Color("#B3261E"), match: lipgloss.Color("#9A4F00"),
		selected: lipgloss.Color("#DCE4F7"),
	}
	sixteen = palette{
		accent: lipgloss.Cyan, key: lipgloss.Magenta, code: lipgloss.Yellow, link: lipgloss.Blue,
		good: lipgloss.Green, caution: lipgloss.Yellow, bad: lipgloss.Red, match: lipgloss.Yellow,
	}
)

// New gives the theme for the colours a terminal has and its background. Below 16
// colours it says all by bold, faint, underlined and reversed text.
func New(profile colorprofile.Profile, isDark bool) *Theme {
	colours := palette{}
	switch {
	case profile >= colorprofile.ANSI256 && isDark:
		colours = dark
	case profile >= colorprofile.ANSI256:
		colours = light
	case profile == colorprofile.ANSI:
		colours = sixteen
	}
	if profile == colorprofile.ANSI256 {
		// The nearest of 256 colours to these greys are no greys.
		colours.dim, colours.selected = lipgloss.Color("246"), lipgloss.Color("237")
		if !isDark {
			colours.dim, colours.selected = lipgloss.Color("241"), lipgloss.Color("254")
		}
	}
	plain := lipgloss.NewStyle()
	in := func(c color.Color) lipgloss.Style {
		if c == nil {
			return plain
		}
		return plain.Foreground(c)
	}
	t := &Theme{
		Profile: profile, Dark: isDark,
		Text: plain, Strong: plain.Bold(true), Emphasis: plain.Italic(true),
		Dim: in(colours.dim), Title: in(colours.accent).Bold(true), Heading: in(colours.accent).Bold(true),
		Accent: in(colours.accent).Bold(true), Line: in(colours.line), Key: in(colours.key).Bold(true),
		Code: in(colours.code), Link: in(colours.link).Underline(true), Quote: in(colours.quote).Italic(true),
		Good: in(colours.good), Caution: in(colours.caution), Bad: in(colours.bad).Bold(true), Match: in(colours.match).Bold(true).Underline(true),
		Input: plain, Cursor: plain.Reverse(true),
	}
	if colours.dim == nil {
		t.Dim = plain.Faint(true)
	}
	if colours.line == nil {
		t.Line = plain.Faint(true)
	}
	t.Selected = plain.Bold(true)
	if colours.selected == nil {
		t.Selected = plain.Reverse(true)
	} else {
		t.Selected = t.Selected.Background(colours.selected)
	}
	return t
}
