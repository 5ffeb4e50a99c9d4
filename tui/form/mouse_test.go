package form_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/beonauto/auto/tui/cells"
	"github.com/beonauto/auto/tui/form"
)

// click clicks where some words are shown.
func (d *driver) click(words string) *driver {
	d.Helper()
	for y, line := range strings.Split(d.plain(), "\n") {
		if before, _, found := strings.Cut(line, words); found {
			d.Update(tea.MouseClickMsg{X: cells.Width(before) + 1, Y: y, Button: tea.MouseLeft})
			d.screen()
			return d
		}
	}
	d.Fatalf("%q is not shown:\n%s", words, d.plain())
	return d
}

func TestMouse(t *testing.T) {
	t.Parallel()
	d := drive(t, "decision", form.Options{}).click(") Send it").shows("(•) Send it back").click("Note").press("'Why?").shows("│ Why?")
	d.click("[ Review ]").is(form.Reviewing).click("  Send  ").is(form.Reviewing).click("Back").is(form.Editing)
	d.click("[ Review ]").click("  Send  ").press("enter").is(form.Sent).wants(`{"decision":"revise","note":"Why?"}`)

	d = drive(t, "campaign", form.Options{Width: 60, Height: 12}).click("revise").shows("(•) revise")
	down, up := tea.MouseWheelMsg{Button: tea.MouseWheelDown}, tea.MouseWheelMsg{Button: tea.MouseWheelUp}
	for range 30 {
		d.Update(down)
	}
	d.shows("[ Review ]").hides("▌ Your verdict").click("Add an item").press("'Ada")
	for range 30 {
		d.Update(up)
	}
	d.shows("(•) revise").click("Budget").press("'80", "ctrl+s").is(form.Reviewing).shows("People", "Expected at least 1 item").press("enter", "enter", "'Zoë")
	d.wants(`{"verdict":"revise","budget":80,"names":["Ada"],"people":[{"name":"Zoë"}]}`).press("ctrl+s")
	d.Update(tea.MouseClickMsg{X: 3, Y: 500, Button: tea.MouseLeft})
	d.Update(down)
	d.is(form.Reviewing)

	d = drive(t, "campaign", form.Options{Height: 24, Width: 60}).press("ctrl+s").click("Budget").is(form.Editing).press("'7").shows("│ 7")
	d.press("tab", "tab", "tab", "'c").click("Cyprus").shows("(•) Cyprus")
	d.Update(tea.MouseClickMsg{X: -4, Y: -4, Button: tea.MouseLeft})
	d.Update(tea.MouseClickMsg{X: 4, Y: 400, Button: tea.MouseLeft})
	d.is(form.Editing)
}
